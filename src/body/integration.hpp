// One time step seen from the bodies (docs/theory, "One step"):
//
//   begin_step   q <- q + h/2 u,  f = f(q, t + h/2),  free velocity b
//   ...          constraints are found and solved, their reactions added to the bodies
//   end_step     u <- b + h A^-1 H^T R,  q <- q + h/2 u,  work is summed up
//
// Quasi-static steps: see quasi_static.hpp; no work is summed up.
#pragma once

#include <span>
#include <vector>

#include "body/kinematics.hpp"
#include "body/time_step.hpp"

namespace solfec {

/// Energies of a body or of a set, in the documented order [J].
struct Energy {
  double kinetic = 0, internal = 0, external = 0, contact = 0, friction = 0;

  Energy& operator+=(const Energy& other);
};

/// Step allowed by the explicit bodies: half of the smallest critical step, or infinity.
double stable_step(const BodyStore& bodies, const BulkMaterials& materials);

void begin_step(BodyStore& bodies, const BulkMaterials& materials, const Gravity& gravity,
                const TimeStep& step);

void end_step(BodyStore& bodies, const BulkMaterials& materials, const TimeStep& step);

/// Displacement of a point of an obstacle, placed at time `from`, until `to`, both within this step
/// [m].
Vec3 obstacle_displacement(const BodyStore& bodies, int i, const Place& place, const TimeStep& step,
                           double from, double to);

/// Whether the velocity of a body at the end of a step is not linear in the reactions: DEF_IMP.
bool conserves(const BodyStore& bodies, int i, const TimeStep& step);

/// What such a body has, under its present reactions, beyond the velocity that solvers count with;
/// looked for from what is in `correction`, from zero if that is empty or NaN. NaN where there is
/// none.
void update_correction(const BodyStore& bodies, const BulkMaterials& materials, int i,
                       const TimeStep& step, std::vector<double>& correction);

/// Mean velocity of a material point from where constraints are found to the end of the step, under
/// the reactions that the body has, less the H u that solvers count with: what rotations of rigid
/// bodies and the motion of obstacles add, and H times the correction of a body that has one.
Vec3 velocity_beyond_linear(const BodyStore& bodies, int i, const Place& place,
                            const TimeStep& step, std::span<const double> correction);

/// Part of an obstacle's linear velocity that its joints prescribe; nothing before they act.
Vec3 prescribed_velocity(const Body& obstacle, double time);

/// Of a body that is no obstacle [J].
double kinetic_energy(const BodyStore& bodies, int i);
/// Elastic energy; zero of a rigid body [J].
double stored_energy(const BodyStore& bodies, const BulkMaterials& materials, int i);
/// Of owned bodies, as a frame of the results has just recorded it: steps go on from that number,
/// so that a run which starts from the frame is the same to the last bit.
void record_energy(BodyStore& bodies, const BulkMaterials& materials);

/// Zero for an obstacle.
Energy energy(const BodyStore& bodies, const BulkMaterials& materials, int i);

}  // namespace solfec
