#include "simulation/energy_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "body/integration.hpp"
#include "constraint/joint_kinds.hpp"
#include "core/archive.hpp"
#include "domain/domain.hpp"
#include "domain/joints.hpp"

namespace solfec {
namespace {

// More than any scheme gains: impacts of Newton's law with friction, bodies that spin freely.
constexpr double kMost = 10;

// Masses of nodes are made with the materials, on each rank that a body comes to.
double kinetic_energy_of(const Domain& d, int i) {
  if (is_obstacle(d.bodies.kind(i))) return 0;
  if (is_meshed(d.bodies.kind(i))) d.bodies.finite_elements(i, d.bulk_materials);
  return kinetic_energy(d.bodies, i);
}

double kinetic_energy_of_all(const Domain& d) {
  double sum = 0;
  for (int i = 0; i < d.bodies.owned(); i++) sum += kinetic_energy_of(d, i);
  return sum;
}

double stored_energy_of_all(const Domain& d) {
  double sum = 0;
  for (int i = 0; i < d.bodies.owned(); i++)
    sum += std::abs(stored_energy(d.bodies, d.bulk_materials, i));
  return sum;
}

// In a step, less than that: loads act on velocities that change from u to u' evenly, so that
// h |f u'| in each step is more than the work of all of them.
double work_of_loads(const BodyStore& bodies, double h) {
  double sum = 0;
  for (int i = 0; i < bodies.owned(); i++) {
    if (is_obstacle(bodies.kind(i))) continue;
    const double *f = bodies.f(i), *u = bodies.u(i);
    sum += h * std::abs(std::inner_product(f, f + bodies.dofs(i), u, 0.0));
    for (const NodeSupport& s : bodies.supports(i))
      sum += std::abs(node_part(bodies.u(i), s.node).dot(s.impulse)) +
             std::abs(node_part(bodies.u(i), s.node).dot(s.impulse_at_ends));
  }
  return sum;
}

Vec3 resultant(const BodyStore& bodies, int i) {
  if (!is_meshed(bodies.kind(i))) return linear_part(bodies.f(i), bodies.dofs(i));
  Vec3 sum = Vec3::Zero();
  for (int n = 0; n < bodies[i].nodes; n++) sum += node_part(bodies.f(i), n);
  return sum;
}

bool moves(const BodyStore& bodies, int i) {
  if (i < 0 || !is_obstacle(bodies.kind(i))) return false;
  const double* u = bodies.u(i);
  return std::any_of(u, u + bodies.dofs(i), [](double v) { return v != 0; });
}

bool has_moving_obstacles(const BodyStore& bodies) {
  for (int i = 0; i < bodies.owned(); i++)
    if (moves(bodies, i)) return true;
  return false;
}

bool has_spring(const Domain& d, const Constraint& c, ContactLaws laws) {
  if (!c.is_contact()) return is_spring(c.kind);
  return laws == ContactLaws::springs ||
         d.surface_materials[c.material].model == ContactModel::spring_dashpot;
}

// Power of a row's reaction on the bodies, as far as it comes from elsewhere [W]. A prescribed
// motion gives what it asks for: what comes instead where joints contradict each other is no work
// of it.
double power_of_row(const Domain& d, const TimeStep& step, const Constraint& c, ContactLaws laws) {
  double sum = 0;
  if (prescribes_motion(c.kind)) {
    if (const Joint* joint = find_joint(d.bodies, c))
      sum = std::abs(c.R.dot(joint_velocity(*joint, step.time))) +
            std::abs(c.R.dot(joint_velocity(*joint, step.end())));
  } else if (has_spring(d, c, laws)) {
    sum = std::abs(c.R.dot(c.U)) + std::abs(c.R.dot(c.V));
  }
  for (int side = 0; side < 2; side++)
    if (const int i = c.body(side); moves(d.bodies, i))
      sum +=
          std::abs((c.base() * c.R).dot(velocity_at(d.bodies, i, c.point_of(side), d.bodies.u(i))));
  return sum;
}

double work_of_rows(const Domain& d, const TimeStep& step, ContactLaws laws) {
  const std::vector<Constraint>& all = d.constraints.all();
  double sum = 0;
  const bool of_contacts = laws == ContactLaws::springs || has_moving_obstacles(d.bodies) || [&] {
    for (int k = 0; k < d.surface_materials.count(); k++)
      if (d.surface_materials[k].model == ContactModel::spring_dashpot) return true;
    return false;
  }();
  if (of_contacts)
    for (const Constraint& c : all) sum += power_of_row(d, step, c, laws);
  else
    for (int row : d.constraints.joint_rows()) sum += power_of_row(d, step, all[row], laws);
  return step.h * sum;
}

// What bodies may gain by steps that are solved as well as they are, where nothing else moves: a
// speed that loads give in some steps, or that moves a body by a millionth of its size in one.
double noise(const BodyStore& bodies, double h) {
  constexpr double kSteps = 10, kSmall = 1e-6;
  double sum = 0;
  for (int i = 0; i < bodies.owned(); i++) {
    if (is_obstacle(bodies.kind(i))) continue;
    const double mass = bodies[i].reference.mass;
    sum += mass * std::pow(kSmall * bodies.extent(i).size / h, 2) +
           0.5 * std::pow(kSteps * h * resultant(bodies, i).norm(), 2) / mass;
  }
  return sum;
}

// Of all ranks: the body with the most kinetic energy, and that energy.
std::pair<double, std::string> fastest_body(const Domain& d) {
  std::pair<double, std::string> most{-1, ""};
  for (int i = 0; i < d.bodies.owned(); i++)
    if (const double one = kinetic_energy_of(d, i); one > most.first)
      most = {one, d.bodies.name(i)};
  ArchiveWriter mine;
  mine(most.first, most.second);
  for (const Bytes& bytes : d.communicator.gather(mine.bytes())) {
    ArchiveReader reader(bytes);
    const double one = reader.get<double>();
    const std::string name = reader.get<std::string>();
    if (one > most.first) most = {one, name};
  }
  return most;
}

}  // namespace

void EnergyWatch::take_gain(const Domain& d) {
  const double kinetic = kinetic_energy_of_all(d);
  gain_ += kinetic - kinetic_;
  kinetic_ = kinetic;
  if (materials_ == d.bulk_materials.all()) return;
  materials_ = d.bulk_materials.all();
  supplied_ += stored_energy_of_all(d);
}

void EnergyWatch::follow_migration(const Domain& d) { kinetic_ = kinetic_energy_of_all(d); }

void EnergyWatch::end_step(const Domain& d, const TimeStep& step, ContactLaws laws) {
  by_rows_ = work_of_rows(d, step, laws);
  supplied_ += work_of_loads(d.bodies, step.h) + by_rows_;
  kinetic_ = kinetic_energy_of_all(d);
}

std::string EnergyWatch::what_runs_away(const Domain& d, std::span<const double> sums, double h) {
  gained_ += std::max(0.0, sums[2]);
  gain_ = 0;
  const double kinetic = sums[0], supplied = sums[1] + gained_;
  // Numbers that are not finite are found by the step.
  if (!(kinetic > kMost * supplied)) return "";
  if (kinetic < kMost * (supplied + d.communicator.sum(noise(d.bodies, h)))) return "";
  const auto [most, name] = fastest_body(d);
  return fmt::format(
      "the kinetic energy of all bodies is {:.3g} J, {:.3g} J of it that of {}, where they had and "
      "were given {:.3g} J",
      kinetic, most, name, supplied);
}

}  // namespace solfec
