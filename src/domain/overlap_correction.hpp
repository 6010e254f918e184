// Overlap of bodies that rest on each other is corrected by moving them, at unchanged velocities
// and angular momentum: a body that is turned gets another angular velocity.
// A contact of rigid bodies that pressed in the step before, too, by more than the slop
//
//   s = 10 GEOMETRIC_EPSILON + h^2 |gravity|      (what a body falls by in a step or two)
//
// without the last term where contacts are known ahead,
//
// gets the push (an impulse without velocity)  p = kRate max(-gap - s, 0) / D  along its normal,
// and bodies move by  M^-1 H^T p.  D bounds W = H M^-1 H^T from above:  D = sum over both bodies of
// n H_N M^-1 H_N^T  with the number n of pushes on each, so that no sum of pushes goes too far. It
// is one step of Jacobi's method, and the steps of the run are its iterations. Bodies with joints
// or glued contacts, and those that deform, do not move.
#pragma once

#include <vector>

#include "body/time_step.hpp"
#include "core/vector.hpp"

namespace solfec {

class BodyStore;
struct Domain;

/// Keeps its memory.
class OverlapCorrection {
 public:
  /// In mid-step, with the rows of the step assembled and solved. Collective.
  void apply(Domain& domain, const TimeStep& step);
  /// After the step: gives bodies that were turned the angular momentum that they would have.
  void keep_momentum(BodyStore& bodies, double h);

 private:
  struct Push {
    Vec3 angular = Vec3::Zero(), linear = Vec3::Zero();  // sum of H^T p
    int count = 0;
    bool held = false;
  };
  std::vector<Vec3> row_;   // (held, 0, overlap), then pushes
  std::vector<Push> push_;  // by owned body
  struct Turn {
    int body;
    Vec3 angle;  // in axes of the body
  };
  std::vector<Turn> turns_;  // of this step
};

}  // namespace solfec
