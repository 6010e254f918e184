#include "solver/joint_reactions.hpp"

#include <algorithm>
#include <cmath>

#include "core/disjoint_sets.hpp"
#include "local_dynamics/joint_law.hpp"

namespace solfec {
namespace {

constexpr double kShift = 1e-6, kLeastShift = 1e-12;  // of the smallest and the largest W
constexpr double kEnough = 1e-13;                     // of b: what may be left
constexpr int kMostNewtonSteps = 10;
constexpr double kSlack = 4;  // of a merit: squares of velocities
// What a linear solution misses out of the range of W_JJ would come back divided by the shift. On
// one rank the factor leaves nothing but rounding.
constexpr double kExactResidual = 1e-14;
constexpr int kLinearIterations = 200;
constexpr double kMostCost = 1000;  // in sweeps
constexpr int kSmallGroup = 12;  // degrees of freedom of a body that is not one of finite elements

// The joints whose reactions follow from velocities.
bool binds(const RowLaw& law) { return !law.is_contact() && law.kind != LawKind::spring; }

Mat3 bound_directions(const RowLaw& law) {
  if (!binds(law)) return Mat3::Zero();
  if (law.kind == LawKind::fixed_point) return Mat3::Identity();
  return Vec3::UnitZ() * Vec3::UnitZ().transpose();
}

}  // namespace

bool joints_make_circles(const LocalDynamics& p) {
  const bool alone = p.halo.neighbours.empty();
  // Node 0 is space; groups follow.
  DisjointSets joined(p.W.groups() + 1);
  for (int row = 0; row < p.rows(); row++) {
    if (!binds(p.law[row])) continue;
    int ends[2];
    bool free = false;
    for (int k : {0, 1}) {
      const RowBlock& end = p.W.end(row, k);
      free = free || end.size > kSmallGroup;
      ends[k] = end.size > 0 ? end.group + 1 : 0;
    }
    if (free) continue;
    if (!alone || !joined.join(ends[0], ends[1])) return true;
  }
  return false;
}

// False when there are no joints, or they are too many.
bool JointReactions::prepare(Run& run) {
  const LocalDynamics& p = run.problem;
  rows_.resize(p);
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (int row = 0; row < p.rows(); row++) {
    if (!binds(p.law[row])) continue;
    const double w = p.W.diagonal(row).trace() / 3;
    if (w > 0) least = std::min(least, w);
    most = std::max(most, w);
  }
  least = run.communicator.min(least);
  most = run.communicator.max(most);
  if (!(most > 0)) return false;
  const double shift = std::max(kShift * least, kLeastShift * most);
  for (int row = 0; row < p.rows(); row++) {
    const Mat3 bound = bound_directions(p.law[row]);
    rows_.X[row] = bound;
    rows_.Y[row] = Mat3::Identity() - (1 - shift) * bound;
  }
  factor_.renew_pivots();
  factor_.set_matrix(p.W, rows_.X, rows_.Y);
  double sizes[] = {factor_.operations(), p.W.product_operations()};
  run.communicator.max_all(sizes);
  if (sizes[0] > kMostCost * std::max(sizes[1], 1e4)) return false;
  return !run.communicator.any(!factor_.factorise());
}

RowVector JointReactions::bound_part(RowVector velocities) const {
  for (std::size_t row = 0; row < velocities.size(); row++)
    velocities[row] = (rows_.X[row] * velocities[row]).eval();
  return velocities;
}

double JointReactions::size(const Run& run, const RowVector& x) const {
  double sum = 0;
  for (const Vec3& value : x) sum += value.squaredNorm();
  return std::sqrt(run.communicator.sum(sum));
}

// z with W_JJ z = b as far as there is one, from z = 0; `left` is b - W_JJ z.
void JointReactions::approach(Run& run, const RowVector& b, RowVector& z, RowVector& left) {
  const LocalDynamics& p = run.problem;
  const LinearSystem system{
      [&](const RowVector& x, RowVector& result) { rows_.multiply(p, run.channel, x, result); },
      [&](const RowVector& x, RowVector& result) { factor_.solve(x, result); }};
  z.assign(b.size(), Vec3::Zero());
  left = b;
  RowVector all(run.solution.R.size(), Vec3::Zero()), dz, product(b.size());
  const double enough = kEnough * size(run, b);
  const int iterations = run.communicator.size() > 1 ? kLinearIterations : 2;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMostNewtonSteps; k++) {
    const double now = size(run, left);
    if (now <= enough || !(now < last)) return;
    last = now;
    dz.assign(b.size(), Vec3::Zero());
    gmres_.solve(system, left, kExactResidual, iterations, run.communicator, dz);
    for (std::size_t row = 0; row < z.size(); row++) all[row] = z[row] += dz[row];
    refresh(p.halo, run.channel, all);
    p.W.multiply(all, product);
    product = bound_part(std::move(product));
    for (std::size_t row = 0; row < z.size(); row++) left[row] = b[row] - product[row];
  }
}

// False when R stays what it is.
bool JointReactions::find_least_norm(Run& run) {
  const LocalDynamics& p = run.problem;
  RowVector& R = run.solution.R;
  if (!prepare(run)) return false;
  RowVector joints(R.size(), Vec3::Zero()), b(p.law.size()), z, left;
  for (int row = 0; row < p.rows(); row++) joints[row] = rows_.X[row] * R[row];
  refresh(p.halo, run.channel, joints);
  p.W.multiply(joints, b);
  b = bound_part(std::move(b));
  approach(run, b, z, left);
  if (!(size(run, left) <= std::sqrt(kEnough) * size(run, b))) return false;
  for (int row = 0; row < p.rows(); row++) R[row] += z[row] - joints[row];
  return true;
}

double JointReactions::take_least_norm(const LocalDynamics& p, LocalSolution& s,
                                       const Reached& reached, Channel& channel,
                                       const Communicator& communicator) {
  const bool may_change = (s.R != reached.start || !s.least_norm) && joints_make_circles(p);
  if (!communicator.any(may_change)) return reached.merit;
  Run run{p, s, channel, communicator};
  const RowVector found = s.R;
  if (!find_least_norm(run)) return reached.merit;
  const auto measure = [&] {
    refresh(p.halo, channel, s.R);
    update_velocities(p, s);
    return merit(p, s, reached.scale, communicator);
  };
  const double now = measure();
  // What was not reached, in vain, may miss by as much again.
  const bool met = reached.merit <= reached.merit_value;
  if (now <= (met ? reached.merit_value : kSlack * reached.merit)) return now;
  s.R = found;
  return measure();
}

std::vector<double> JointReactions::contradictions(const LocalDynamics& p, LocalSolution& s,
                                                   Channel& channel,
                                                   const Communicator& communicator) {
  if (!communicator.any(std::ranges::any_of(p.law, binds))) return {};
  Run run{p, s, channel, communicator};
  if (!prepare(run)) return {};
  refresh(p.halo, channel, s.R);
  update_velocities(p, s);
  RowVector b(p.law.size(), Vec3::Zero()), z, left;
  for (int row = 0; row < p.rows(); row++)
    if (binds(p.law[row])) b[row] = -residual(p, s, row);
  approach(run, bound_part(std::move(b)), z, left);
  const double scale = merit_scale(p, communicator);
  std::vector<double> shares(p.law.size());
  for (int row = 0; row < p.rows(); row++)
    if (binds(p.law[row]))
      shares[row] =
          law_norm(p.law[row], p.W.diagonal(row), p.W.diagonal_inverse(row), left[row]) / scale;
  return shares;
}

}  // namespace solfec
