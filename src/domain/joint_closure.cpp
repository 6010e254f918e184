#include "domain/joint_closure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "body/integration.hpp"
#include "domain/domain.hpp"
#include "domain/joints.hpp"
#include "local_dynamics/bound_rows.hpp"
#include "local_dynamics/joint_law.hpp"
#include "parallel/collective_errors.hpp"

namespace solfec {
namespace {

// Velocities relative to speeds: by which joints miss their laws where Newton's method ends; which
// count as nothing; above which a law counts as not met.
constexpr double kExact = 1e-11, kGood = 1e-9, kMet = 1e-6;
// The solver is not asked once more for changes by so much of what joints miss after it.
constexpr double kShare = 1e-2;
// Turns in a row after which joints miss by more than after the best one.
constexpr int kMostRises = 2;
// Gaps by so many roundings are good enough where they get no smaller.
constexpr double kRoundings = 1e4;
// Of the linear problem of velocities, relative.
constexpr double kVelocityTolerance = 1e-10;

// Of the mean reaction of the step before and the weight, together, times h: what accelerates a
// body. Of a steady force p is a quarter of that; where motions jump it is not, and the p' of this
// step is not like p. In a fall the reaction alone would be next to nothing.
constexpr double kMostImpulse = 0.5;

// Local components, N only where only N is bound.
Vec3 bound_part(const Constraint& joint, const Vec3& v) {
  return binds_all_directions(joint.kind) ? v : Vec3(0, 0, v.z());
}

bool ends_conserve(const BodyStore& bodies, const Constraint& joint, const TimeStep& step) {
  return std::ranges::any_of(std::array{joint.body1, joint.body2},
                             [&](int i) { return i >= 0 && conserves(bodies, i, step); });
}

// Whether the velocity of the joint is not linear in reactions.
bool moves_nonlinearly(const BodyStore& bodies, const Constraint& joint, const TimeStep& step) {
  if (!binds(joint.kind)) return false;
  return closes_exactly(bodies, joint) || ends_conserve(bodies, joint, step);
}

// Calls visit(side, body) for the sides that move and are owned here.
template <class Visit>
void for_each_moving_side(const BodyStore& bodies, const Constraint& joint, const Visit& visit) {
  for (int side : {0, 1})
    if (const int i = joint.body(side);
        i >= 0 && !bodies.is_ghost(i) && !is_obstacle(bodies.kind(i)))
      visit(side, i);
}

bool every_one(const ContactKey&, int) { return true; }

// Rounding of a distance between the points of a joint [m]: of all lengths that make it.
constexpr double kRoundingOfLength = 1e-15;

double rounding(const BodyStore& bodies, const Constraint& joint) {
  double size = joint.arm.norm();
  for (int i : {joint.body1, joint.body2})
    if (i >= 0)
      size +=
          bodies.extent(i).size + bodies.center(i).norm() + (joint.point - bodies.center(i)).norm();
  return kRoundingOfLength * size;
}

// Whether the reactions R of contacts hold them at rest, more or less, along the normal, bonds in
// all directions: with them, and joints closed, contacts move by U, without them by `free`.
bool hold_contacts(const LocalDynamics& p, const std::vector<Vec3>& R, const std::vector<Vec3>& U,
                   const std::vector<Vec3>& free, const Communicator& communicator) {
  constexpr double kAtRest = 0.5;
  std::array<double, 2> sums = {0, 0};
  for (int row = 0; row < p.rows(); row++) {
    if (!p.law[row].has_friction_cone()) continue;
    const auto share = [&](const Vec3& v) {
      return p.law[row].cohesion > 0 ? R[row].norm() * v.norm() : std::abs(R[row].z() * v.z());
    };
    sums[0] += share(U[row]);
    sums[1] += share(free[row]);
  }
  communicator.sum_all(sums);
  return sums[0] <= kAtRest * sums[1];
}

// For comparisons, which NaN would pass.
double finite_or_infinite(double value) {
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

// Reactions of the rows of the middle, given those of the others, and what the solver is to keep.
class ClosureOfMiddle {
 public:
  ClosureOfMiddle(Domain& domain, const TimeStep& step, const RowSelection& rows,
                  const std::vector<RowLaw>& laws)
      : domain_(domain), step_(step), rows_(rows), laws_(laws), miss_(rows.rows.size()) {
    for (const int row : rows_.rows) limit_ = std::max(limit_, noise(row));
    limit_ = domain_.communicator.max(limit_);
  }

  // Brings U, which the solver left, onto the motion under its R. False when that has changed next
  // to nothing, also of what the joints miss.
  bool follow() {
    LocalSolution& s = domain_.local_solution;
    const std::vector<Vec3> U = s.U;
    follow_reactions();
    known_ = measure_present();
    double change = 0;
    for (std::size_t row = 0; row < U.size(); row++)
      change = std::max(change, finite_or_infinite((s.U[row] - U[row]).norm()));
    change = domain_.communicator.max(change);
    const double miss = known_->largest;
    return !std::isfinite(miss) || change > std::max({limit_, kGood * speed_, kShare * miss});
  }
  // Once followed: whether the joints miss next to nothing, and by how much.
  bool nearly_closed() const { return known_->good; }
  double miss() const { return known_->largest; }

  void return_to(const std::vector<Vec3>& R) {
    domain_.local_solution.R = R;
    follow_reactions();
  }

  // `linearly`: the motion is not followed where the reactions begin.
  void close(bool linearly) {
    linear_ = linearly;
    std::vector<Vec3> R;
    for (const int row : rows_.rows) R.push_back(domain_.local_solution.R[row]);
    close_rows(
        rows_.problem, R,
        [&](const std::vector<Vec3>& x, std::vector<Vec3>& open) { return measure(x, open); },
        domain_.communicator);
  }

  // What has been reached is a target that rows do not contradict each other in, however many of
  // them follow from others. Those that were not met stay as they are, for the solver to tell.
  void set_targets() {
    for (std::size_t n = 0; n < miss_.size(); n++) {
      const int row = rows_.rows[n];
      RowLaw& law = domain_.local_dynamics.law[row];
      law = laws_[n];
      if (!(miss_[n].norm() <= std::max(limit_, kMet * speed_))) continue;
      law.target = bound_part(domain_.constraints.all()[row], domain_.local_solution.U[row]);
      // Contacts that do not let the joint move would contradict its rounding, with forces that are
      // as large as steps are short.
      if (law.target.norm() <= noise(row)) law.target.setZero();
      if (law.kind == LawKind::rigid_link) law.kind = LawKind::fixed_direction;
    }
  }

 private:
  // Velocities that rounding of a joint makes.
  double noise(int row) const {
    return 4 * rounding(domain_.bodies, domain_.constraints.all()[row]) / step_.remaining();
  }

  void follow_reactions() {
    speed_ = follow_motion(domain_, step_);
    update_velocities(domain_.local_dynamics, domain_.local_solution);
  }

  RowMiss measure(const std::vector<Vec3>& reactions, std::vector<Vec3>& open) {
    const bool linear = std::exchange(linear_, false);
    const RowMiss miss =
        known_ ? *std::exchange(known_, std::nullopt) : measure_with(reactions, linear);
    open = miss_;
    return linear ? RowMiss{std::numeric_limits<double>::infinity(), false, false} : miss;
  }

  RowMiss measure_with(const std::vector<Vec3>& reactions, bool linear) {
    LocalSolution& s = domain_.local_solution;
    for (std::size_t n = 0; n < reactions.size(); n++) s.R[rows_.rows[n]] = reactions[n];
    refresh(domain_.local_dynamics.halo, domain_.channel, s.R);
    if (linear)
      update_velocities(domain_.local_dynamics, s);
    else
      follow_reactions();
    return measure_present();
  }

  RowMiss measure_present() {
    const LocalSolution& s = domain_.local_solution;
    double largest = 0;
    for (std::size_t n = 0; n < miss_.size(); n++) {
      const int row = rows_.rows[n];
      const Mat3& W = domain_.local_dynamics.W.diagonal(row);
      miss_[n] = -joint_residual(laws_[n], W, s.U[row], s.R[row]);
      largest = std::max(largest, finite_or_infinite(miss_[n].norm()));
    }
    largest = domain_.communicator.max(largest);
    if (!std::isfinite(speed_)) {  // a motion that cannot be
      largest = speed_;
      std::ranges::fill(miss_, Vec3(Vec3::Constant(std::numeric_limits<double>::quiet_NaN())));
    }
    return {largest, largest <= std::max(limit_, kExact * speed_), largest <= kGood * speed_};
  }

  Domain& domain_;
  const TimeStep& step_;
  const RowSelection& rows_;
  const std::vector<RowLaw>& laws_;
  std::vector<Vec3> miss_;  // what was measured last
  double limit_ = 0, speed_ = 0;
  bool linear_ = false;           // of the reactions that are measured next
  std::optional<RowMiss> known_;  // of the present ones, as miss_ is
};

}  // namespace

void JointClosure::assemble(Domain& domain) {
  const BodyStore& bodies = domain.bodies;
  shared_.request(bodies, placed_joints(), domain.communicator);
  shared_.reply(bodies, placed_joints(), domain.communicator, nullptr, RowScale::mass);
  LocalDynamics& p = system_;
  domain.row_sizes.clear();
  for (int i = 0; i < bodies.total(); i++)
    domain.row_sizes.push_back(is_obstacle(bodies.kind(i)) ? 0 : bodies.dofs(i));
  p.clear(1, domain.row_sizes);
  for (int row = 0; row < static_cast<int>(joints_.size()); row++) {
    const Constraint& c = joints_[row];
    double* rows = p.W.add_row(c.body1, c.body2);
    for (int side : {0, 1}) {
      const int i = c.body(side);
      if (i < 0 || is_obstacle(bodies.kind(i))) continue;
      if (const BodyContribution* known = shared_.contribution(row, side)) {
        rows = std::ranges::copy(known->G, rows).out;
        continue;
      }
      const double sign = side == 0 ? 1 : -1;
      mass_scaled_rows(bodies, i, placed_joints().place(row, side), sign * c.base(), rows);
      rows += 3 * bodies.dofs(i);
    }
    RowLaw& law = p.law.emplace_back();
    law.kind = binds_all_directions(c.kind) ? LawKind::fixed_point : LawKind::fixed_direction;
  }
  R_.assign(joints_.size(), Vec3::Zero());
  shared_.add_external(bodies, joints_, p);
  p.W.choose(DelassusForm::assembled);
}

// The impulses R_ change the velocities of the bodies.
void JointClosure::apply(Domain& domain) {
  BodyStore& bodies = domain.bodies;
  shared_.return_reactions(R_, domain.channel);
  std::vector<int> touched;
  const auto add = [&](int i, int side, const Place& place, const Vec3& impulse) {
    add_force_at(bodies, i, place, side == 0 ? impulse : Vec3(-impulse), bodies.joint_reaction(i));
    touched.push_back(i);
  };
  bodies.clear_reactions();
  const auto add_own = [&](int row) {
    const Constraint& c = joints_[row];
    for_each_moving_side(bodies, c, [&](int side, int i) {
      add(i, side, placed_joints().place(row, side), c.base() * R_[row]);
    });
  };
  shared_.for_each_row(joints_, add_own, [&](const SharedRows::RemoteContact& remote) {
    add(remote.body, remote.side, remote.place, remote.base * remote.R);
  });
  std::ranges::sort(touched);
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (int i : touched) bodies.work(i).external += add_impulse(bodies, i, bodies.joint_reaction(i));
  bodies.clear_reactions();
}

// A body of finite elements may be so distorted that a point is not found in it: that is met here,
// on the way of this rank alone. What follows is collective.
void JointClosure::find_places(const BodyStore& bodies) { places_.find(bodies, joints_); }

void JointClosure::start(Domain& domain, const TimeStep& step) {
  const BodyStore& bodies = domain.bodies;
  joints_.clear();
  domain.constraints.locate(bodies);
  collectively(domain.communicator, [&] {
    for (Constraint& c : domain.constraints.all()) {
      if (c.is_contact() || !find_joint(bodies, c)) continue;  // update_joints drops the latter
      place_joint(bodies, c, settled_joint(domain, c));
      if (domain.correct_joints && closes_exactly(bodies, c)) joints_.push_back(c);
    }
    find_places(bodies);
    if (!domain.correct_joints) return;
    for (int i = 0; i < bodies.owned(); i++)  // before masses are asked for
      if (is_meshed(bodies.kind(i))) bodies.finite_elements(i, domain.bulk_materials);
  });
  skip_start();
  if (!domain.correct_joints) return;
  assemble(domain);
  const auto displacement = [&](int i, const Place& place) {
    return is_obstacle(bodies.kind(i))
               ? obstacle_displacement(bodies, i, place, step, step.time, step.contact_time())
               : displacement_with(bodies, i, place, bodies.u(i), step.remaining());
  };
  const Sums before = sums_by_body(bodies, [&](int row) { return joints_[row].R; });
  std::vector<int> jointed;
  for (const auto& [i, sum] : before) jointed.push_back(i);
  changes_.begin(bodies, std::move(jointed), step);
  // The displacement until the middle is not linear in u. W is that of the start.
  std::vector<Vec3> applied(joints_.size(), Vec3::Zero());
  const auto measure = [&](const std::vector<Vec3>& impulses, std::vector<Vec3>& miss) {
    for (std::size_t row = 0; row < joints_.size(); row++) R_[row] = impulses[row] - applied[row];
    applied = impulses;
    apply(domain);
    const std::vector<Vec3> displacements =
        relative(bodies, placed_joints(), shared_, domain.channel, every_one, displacement);
    std::array<double, 2> largest = {0, 0};  // gap, and over rounding
    for (std::size_t row = 0; row < joints_.size(); row++) {
      const Constraint& c = joints_[row];
      const Vec3 gap = bound_part(
          c, joint_gap(bodies, c, *find_joint(bodies, c), displacements[row], step.contact_time()));
      miss[row] = -gap / step.remaining();
      const double size = finite_or_infinite(gap.norm());
      largest[0] = std::max(largest[0], size);
      largest[1] = std::max(largest[1], size / rounding(bodies, c));
    }
    domain.communicator.max_all(largest);
    return RowMiss{largest[0], largest[1] <= 1, largest[1] <= kRoundings};
  };
  impulses_.assign(joints_.size(), Vec3::Zero());
  close_rows(system_, impulses_, measure, domain.communicator);
  started_.clear();
  for (const Constraint& c : joints_) started_.push_back(c.key);
  shared_.return_reactions(impulses_, domain.channel);
  const Sums now = sums_by_body(bodies, [&](int row) { return impulses_[row]; });
  const double gravity = domain.gravity.value(step.load_time()).norm();
  changes_.finish(bodies, [&](int i) {
    const double force = before.at(i) + bodies[i].reference.mass * gravity;
    const double most = kMostImpulse * step.h * force, sum = now.at(i);
    return sum > most ? most / sum : 1.0;
  });
}

JointClosure::Sums JointClosure::sums_by_body(const BodyStore& bodies,
                                              const std::function<Vec3(int)>& own) const {
  Sums sums;
  const auto add = [&](int i, const Vec3& R) { sums[i] += R.norm(); };
  const auto add_own = [&](int row) {
    for_each_moving_side(bodies, joints_[row], [&](int, int i) { add(i, own(row)); });
  };
  shared_.for_each_row(joints_, add_own, [&](const SharedRows::RemoteContact& remote) {
    if (!is_obstacle(bodies.kind(remote.body))) add(remote.body, remote.R);
  });
  return sums;
}

bool JointClosure::choose_rows(Domain& domain, const TimeStep& step) {
  LocalDynamics& p = domain.local_dynamics;
  bool conserving = false;
  std::vector<bool> chosen;
  for (const Constraint& c : domain.constraints.all()) {
    chosen.push_back(moves_nonlinearly(domain.bodies, c, step));
    conserving = conserving || (chosen.back() && ends_conserve(domain.bodies, c, step));
  }
  select_rows(p, chosen, domain.communicator, middle_);
  laws_.clear();
  for (int row : middle_.rows) {
    laws_.push_back(p.law[row]);
    // Of many solutions that of least norm, as the rows are weighted there.
    domain.local_solution.R[row].setZero();
    domain.local_solution.least_norm = false;
    RowLaw& law = middle_.problem.law[laws_.size() - 1];
    if (law.kind == LawKind::rigid_link) law.kind = LawKind::fixed_direction;
  }
  const bool touching =
      std::ranges::any_of(p.law, [](const RowLaw& law) { return law.is_contact(); });
  std::array<double, 2> found = {conserving ? 1.0 : 0.0, touching ? 1.0 : 0.0};
  domain.communicator.max_all(found);
  touching_ = found[1] > 0;
  // Without inertia loads of the step before that no longer balance turn a light body by any angle,
  // and joints can be closed after whole turns, too.
  return !step.dynamic() || found[0] > 0;
}

bool JointClosure::middle(Domain& domain, const TimeStep& step, bool first) {
  const bool begins_linearly = first && choose_rows(domain, step);
  ClosureOfMiddle closure(domain, step, middle_, laws_);
  const bool moved = first || closure.follow();
  if (first) {
    best_turn_ = {};
  } else if (touching_ && leads_away(domain.local_solution.R, closure.miss())) {
    closure.return_to(best_turn_.R);
    return false;
  }
  // What joints still miss is the solver's: closed, contacts would miss as much.
  if (!moved && touching_ && !closure.nearly_closed()) return false;
  closure.close(begins_linearly);
  if (first) begin_contacts(domain, [&] { closure.close(begins_linearly); });
  closure.set_targets();
  return moved;
}

// Where a loop of joints is tight around what it touches, as a belt, contacts and joints leave each
// other no room: from some turn on reactions grow, and the motion with them.
bool JointClosure::leads_away(const std::vector<Vec3>& R, double miss) {
  if (miss < best_turn_.miss) {
    best_turn_ = {R, miss};
    return false;
  }
  return std::isfinite(best_turn_.miss) && ++best_turn_.rises == kMostRises;
}

// The reactions of contacts that a step begins with, of the step before, may be those of this one
// where they hold contacts at rest. Those of an impact throw bodies about, and joints closed after
// that may be closed in another way than the near one: chains that had landed took off again. What
// contacts do without reactions is told by B, or, where joints hold what they rest on, by joints
// closed without them.
template <class Close>
void JointClosure::begin_contacts(Domain& domain, Close&& close) {
  const LocalDynamics& p = domain.local_dynamics;
  LocalSolution& s = domain.local_solution;
  if (hold_contacts(p, s.R, s.U, p.B, domain.communicator)) return;
  const std::vector<Vec3> R = s.R, U = s.U;
  for (int row = 0; row < p.rows(); row++)
    if (p.law[row].has_friction_cone()) s.R[row].setZero();
  for (const int row : middle_.rows) s.R[row].setZero();
  close();
  if (!hold_contacts(p, R, U, s.U, domain.communicator)) return;
  s.R = R;
  close();
}

Vec3 JointClosure::impulse_at_start(const ContactKey& joint) const {
  const auto found = std::ranges::lower_bound(started_, joint);
  if (found == started_.end() || *found != joint) return Vec3::Zero();
  return impulses_[found - started_.begin()];
}

void JointClosure::end(Domain& domain, const TimeStep& step) {
  const BodyStore& bodies = domain.bodies;
  joints_.clear();
  domain.constraints.locate(bodies);
  collectively(domain.communicator, [&] {
    for (Constraint c : domain.constraints.all()) {
      if (!closes_exactly(bodies, c)) continue;
      place_joint(bodies, c, *find_joint(bodies, c));
      joints_.push_back(c);
    }
    find_places(bodies);
  });
  assemble(domain);
  const auto velocity = [&](int i, const Place& place) {
    return velocity_at(bodies, i, place, bodies.u(i));
  };
  std::vector<Vec3> miss =
      relative(bodies, placed_joints(), shared_, domain.channel, every_one, velocity);
  for (std::size_t row = 0; row < joints_.size(); row++) {
    const Constraint& c = joints_[row];
    miss[row] = bound_part(
        c, joint_velocity(*find_joint(bodies, c), step.end()) - c.base().transpose() * miss[row]);
  }
  solve_bound_rows(system_, miss, R_, kVelocityTolerance, domain.communicator);
  for (std::size_t row = 0; row < joints_.size(); row++) {
    Constraint& c = domain.constraints.all()[domain.constraints.find(joints_[row].key)];
    c.R += (impulse_at_start(c.key) + R_[row]) / step.h;
    const Vec3 U = joint_velocity(*find_joint(bodies, c), step.end());
    c.U.z() = U.z();
    if (binds_all_directions(c.kind)) c.U = U;
  }
  apply(domain);
}

}  // namespace solfec
