#include "simulation/contradiction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/archive.hpp"
#include "core/error.hpp"
#include "local_dynamics/largest_miss.hpp"
#include "solver/joint_reactions.hpp"

namespace solfec {
namespace {

constexpr double kMatters = 1e-4;      // of the merit
constexpr double kMostOfMerit = 0.5;   // of what the solver has left
constexpr double kTakesPart = 0.05;    // of the largest share of a joint
constexpr double kBeyondLoads = 1e6;   // of what loads and motions account for
constexpr std::size_t kMostNames = 6;  // in the message

std::string name_of(const BodyStore& bodies, BodyId id) {
  const int i = bodies.find(id);
  return i >= 0 ? bodies.name(i) : fmt::format("body {}", id.value);
}

std::string name_of(const Domain& domain, const Constraint& c) {
  std::string text =
      fmt::format("{} of {}", traits_of(c.kind).made_by, name_of(domain.bodies, c.owning_body()));
  if (c.other_body().valid()) text += " and " + name_of(domain.bodies, c.other_body());
  return text + fmt::format(" at ({:g}, {:g}, {:g})", c.point.x(), c.point.y(), c.point.z());
}

// Those of all ranks, in an order that does not depend on where they are.
std::vector<std::string> all_names(const Communicator& communicator,
                                   const std::vector<std::string>& mine) {
  ArchiveWriter writer;
  writer(mine);
  std::vector<std::string> names;
  for (const Bytes& bytes : communicator.gather(writer.bytes())) {
    ArchiveReader reader(bytes);
    const auto theirs = reader.get<std::vector<std::string>>();
    names.insert(names.end(), theirs.begin(), theirs.end());
  }
  std::ranges::sort(names);
  return names;
}

// Of all ranks; none where bodies that have left took constraints along.
double joints_merit(Simulation& s) {
  const LocalDynamics& p = s.domain.local_dynamics;
  double of_joints = 0;
  for (int row = 0; row < p.rows(); row++)
    if (!p.law[row].is_contact()) of_joints += s.domain.local_solution.merit[row];
  double sums[] = {of_joints, rows_are_known(s.domain) ? 0.0 : 1.0};
  s.communicator.sum_all(sums);
  return sums[1] > 0 ? 0 : sums[0];
}

struct Contradiction {
  double share;  // in the merit
  std::string names;
};

Contradiction find_contradiction(Simulation& s) {
  Domain& domain = s.domain;
  const std::vector<double> shares = JointReactions().contradictions(
      domain.local_dynamics, domain.local_solution, domain.channel, s.communicator);
  double sum = 0, largest = 0;
  for (double share : shares) {
    sum += share;
    largest = std::max(largest, share);
  }
  sum = s.communicator.sum(sum);
  largest = s.communicator.max(largest);
  std::vector<std::string> names;
  const std::vector<const Constraint*> rows = row_constraints(domain);
  for (std::size_t row = 0; row < shares.size(); row++)
    if (shares[row] > kTakesPart * largest) names.push_back(name_of(domain, *rows[row]));
  names = all_names(s.communicator, names);
  const std::size_t more = names.size() > kMostNames ? names.size() - kMostNames : 0;
  names.resize(names.size() - more);
  return {sum, fmt::format("{}{}", fmt::join(names, ", "),
                           more > 0 ? fmt::format(" and {} more", more) : "")};
}

}  // namespace

void look_at_joints(Simulation& s) {
  const double of_joints = joints_merit(s);
  const double whole = s.last.solution.merit;
  const bool is_most = of_joints > kMostOfMerit * whole && s.contradicting.empty();
  if (!(of_joints > kMatters) && !is_most) return;
  const Contradiction c = find_contradiction(s);
  if (c.share > kMatters)
    throw RunError(
        fmt::format("joints contradict each other at time {:g}: {}", s.clock.time, c.names));
  if (c.share > kMostOfMerit * whole) s.contradicting = c.names;
}

bool look_at_pressure(Simulation& s) {
  const LargestMiss m =
      largest_miss(s.domain.local_dynamics, s.domain.local_solution, s.communicator);
  if (!(m.free > 0)) return false;
  s.beyond_loads = std::max(s.beyond_loads, m.pressed / m.free);
  s.driven =
      s.communicator.any(std::ranges::any_of(s.domain.constraints.joint_rows(), [&](int row) {
        return prescribes_motion(s.domain.constraints.all()[row].kind);
      }));
  return m.pressed > kBeyondLoads * m.free;
}

std::string failure_advice(const Simulation& s) {
  if (!s.contradicting.empty())
    return fmt::format("joints contradict each other by a little: {}", s.contradicting);
  if (!(s.beyond_loads > kBeyondLoads))
    return fmt::format("{}{}", advice(s.last.solver),
                       s.driven ? ", but not where prescribed motions leave bodies no room" : "");
  return fmt::format(
      "contacts press {:.0e} times as much as loads and motions account for: bodies have no room "
      "there, by a prescribed motion, joints or overlap, and no solver or step helps",
      s.beyond_loads);
}

}  // namespace solfec
