#include "solver/interior_point.hpp"

#include "local_dynamics/linearization.hpp"

namespace solfec {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

// Cones at (0, 0, 1), times what velocities ask for; returns the figure there.
double InteriorPoint::start(const SolveTask& task) {
  const LocalDynamics& p = task.problem;
  newton_.start(p);
  R_.assign(p.law.size(), Vec3::Zero());
  cones_.clear();
  double sums[] = {0, 0};
  std::vector<double> weight;
  for (int row = 0; row < p.rows(); row++) {
    const RowLaw& law = p.law[row];
    if (!law.has_friction_cone() || !(row_weight(p, row) > 0)) continue;
    Cone cone{row, {1, 1, law.friction > 0 ? law.friction : 1}};
    const Vec3 w = p.W.diagonal(row).diagonal().cwiseQuotient(cone.D.cwiseAbs2());
    weight.push_back(law.friction > 0 ? w.mean() : w.z());
    sums[0] += (p.B[row] + velocity_offset(law, p.V[row])).cwiseQuotient(cone.D).lpNorm<1>() / 3;
    sums[1] += 1;
    cones_.push_back(cone);
  }
  task.communicator.sum_all(sums);
  all_cones_ = sums[1];
  const double velocity = sums[1] > 0 && sums[0] > 0 ? sums[0] / sums[1] : 1;
  for (std::size_t k = 0; k < cones_.size(); k++) {
    Cone& c = cones_[k];
    const double x = velocity / weight[k], glue = c.D.z() * p.law[c.row].cohesion;
    c.x.z() = std::max(x, glue);
    c.z.z() = velocity * x / c.x.z();
    R_[c.row].z() = (c.x.z() - glue) / c.D.z();
  }
  given_slips_ = 0;
  return place(task);
}

// g at the velocities of the solution.
InteriorPoint::Sums InteriorPoint::measure(const SolveTask& task) {
  const LocalDynamics& p = task.problem;
  double sums[] = {0, 0};
  for (Cone& c : cones_) {
    const RowLaw& law = p.law[c.row];
    const Vec3 Ubar = task.solution.U[c.row] + velocity_offset(law, p.V[c.row]);
    c.g = (Ubar + pull_ * row_weight(p, c.row) * R_[c.row]).cwiseQuotient(c.D) - c.z;
    c.slide.setZero();
    if (law.friction == 0) c.g.head<2>().setZero();
    const double slip = tangent_norm(c.z);
    if (law.friction > 0 && law.kind != LawKind::convex_coulomb) {
      c.g.z() += slip;
      if (given_slips_ == 0 && slip > 0) c.slide.head<2>() = c.z.head<2>() / slip;
    }
    sums[0] += c.x.dot(c.z);
    sums[1] += c.D.cwiseProduct(R_[c.row]).norm() * c.g.norm();
  }
  task.communicator.sum_all(sums);
  const double cones = std::max(all_cones_, 1.0);
  return {sums[0] / cones, sums[1] / cones};
}

// The matrix  W + D E T^2 D  of the cones. Joints have a little on their diagonal, for those that
// bind the same bodies more than once.
void InteriorPoint::linearise(const LocalDynamics& p) {
  constexpr double kJointShift = 1e-10;
  for (int row = 0; row < p.rows(); row++) {
    const Vec3 is_free = free_components(p, row);
    newton_.rows.X[row] = is_free.asDiagonal();
    newton_.rows.Y[row] =
        (Vec3::Ones() - is_free + kJointShift * row_weight(p, row) * is_free).asDiagonal();
  }
  for (Cone& c : cones_) {
    c.T = ConeScaling(c.x, c.z);
    Mat3 ET = c.T.square();
    ET.row(2) -= c.slide.transpose() * ET;
    Mat3& Y = newton_.rows.Y[c.row];
    if (p.law[c.row].friction > 0)
      Y = c.D.asDiagonal() * ET * c.D.asDiagonal();
    else
      Y(2, 2) = ET(2, 2);
    Y += pull_ * row_weight(p, c.row) * free_components(p, c.row).asDiagonal();
  }
}

// Newton's direction with  T dx + T^-1 dz = complement (cone).
template <class Complement>
void InteriorPoint::direct(const SolveTask& task, Complement&& complement) {
  constexpr double kResidual = 1e-10;
  const LocalDynamics& p = task.problem;
  for (int row = 0; row < p.rows(); row++)
    newton_.rows.C[row] = p.law[row].is_contact()
                              ? Vec3(Vec3::Zero())
                              : Vec3(-free_components(p, row).cwiseProduct(
                                    inequality_map(p, row, task.solution.U[row])));
  for (Cone& c : cones_) {
    c.dz = c.T.times(complement(c));
    newton_.rows.C[c.row] = c.D.cwiseProduct(c.times_E(c.dz) - c.g);
  }
  newton_.solve(p, task.channel, task.communicator, kResidual);
  for (Cone& c : cones_) {
    c.dx = c.D.cwiseProduct(newton_.dR[c.row]);
    c.dz -= c.T.times(c.T.times(c.dx));
  }
}

double InteriorPoint::step_operations(const LocalDynamics& p, const Communicator& communicator) {
  newton_.start(p);
  std::ranges::fill(newton_.rows.X, Mat3(Mat3::Identity()));
  std::ranges::fill(newton_.rows.Y, Mat3(Mat3::Ones()));
  return communicator.max(newton_.operations(p));
}

double InteriorPoint::longest_step(const Communicator& communicator) const {
  double length = kInfinity;
  for (const Cone& c : cones_)
    length = std::min({length, step_to_cone_boundary(c.x, c.dx), step_to_cone_boundary(c.z, c.dz)});
  return communicator.min(length);
}

// Takes so much of the step, or less: rounding must not lead out of the cones. Returns how much.
double InteriorPoint::advance(const Communicator& communicator, double length) {
  constexpr double kShorter = 0.7;
  constexpr int kMostTrials = 60;
  const auto leaves = [&] {
    return std::ranges::any_of(cones_, [&](const Cone& c) {
      return !is_inside_cone(c.x + length * c.dx) || !is_inside_cone(c.z + length * c.dz);
    });
  };
  for (int k = 0; k < kMostTrials && communicator.any(leaves()); k++) length *= kShorter;
  for (std::size_t row = 0; row < R_.size(); row++) R_[row] += length * newton_.dR[row];
  for (Cone& c : cones_) {
    c.x += length * c.dx;
    c.z += length * c.dz;
  }
  return length;
}

// Leaves R, made admissible, in the solution; returns its figure.
double InteriorPoint::place(const SolveTask& task) const {
  std::ranges::copy(R_, task.solution.R.begin());
  return start_admissible(task);
}

// Makes the next R; returns its figure.
double InteriorPoint::step(const SolveTask& task) {
  constexpr double kOfWay = 0.99;    // to the boundary
  constexpr double kOfMissed = 0.1;  // the gap is not to fall far below what is missed
  constexpr double kShort = 0.2;     // of a step of Newton's
  constexpr int kGivenSlips = 3;     // iterations
  const LocalDynamics& p = task.problem;
  const Sums now = measure(task);
  linearise(p);
  if (!std::isfinite(now.gap) || !newton_.factorise(p, task.communicator)) return kInfinity;
  const auto lambda = [](const Cone& c) { return c.T.times(c.x); };
  direct(task, [&](const Cone& c) { return Vec3(-lambda(c)); });
  const double predicted = std::min(longest_step(task.communicator), 1.0);
  const double tau = std::max(std::pow(1 - predicted, 3) * now.gap, kOfMissed * now.missed);
  direct(task, [&](const Cone& c) {
    const Vec3 l = lambda(c);
    const Vec3 second = cone_product(c.T.times(c.dx), c.T.inverse_times(c.dz));
    return cone_quotient(l, tau * Vec3::UnitZ() - cone_product(l, l) - second);
  });
  const double longest = longest_step(task.communicator);
  const double length = advance(task.communicator, std::min(kOfWay * longest, 1.0));
  if (given_slips_ > 0)
    given_slips_--;
  else if (length < kShort)
    given_slips_ = kGivenSlips;
  return place(task);
}

// Contacts that open have reactions left, as small as rounding, since they come from inside of the
// cones: zero is what tells a contact that does not touch. Returns the figure.
double InteriorPoint::release(const SolveTask& task, double figure) {
  const LocalDynamics& p = task.problem;
  LocalSolution& s = task.solution;
  const std::vector<Vec3> before = s.R;
  for (const Cone& c : cones_) {
    const RowLaw& law = p.law[c.row];
    const Vec3 step = inequality_map(p, c.row, s.U[c.row]) / row_weight(p, c.row);
    const Vec3 next = admissible(law, s.R[c.row] - step);
    if (shifted_reaction(law, next).isZero(0)) s.R[c.row] = next;
  }
  const double released = task.measure();
  if (released <= std::max(figure, task.criterion.value())) return released;
  s.R = before;
  return task.measure();
}

// Reactions of glued or jammed bodies that balance each other, and need not be there.
bool InteriorPoint::are_far_from_zero(const SolveTask& task) const {
  constexpr double kFar = 1e3;  // times the largest that stops a body on one contact
  const LocalDynamics& p = task.problem;
  double stop = 0, most = 0;
  for (const Cone& c : cones_) {
    stop = std::max(stop, (p.B[c.row] + velocity_offset(p.law[c.row], p.V[c.row])).norm());
    most = std::max(most, row_weight(p, c.row) * task.solution.R[c.row].norm());
  }
  return task.communicator.max(most) > kFar * task.communicator.max(stop);
}

// Keeps what the path led to before, where it was the goal and is not now.
IterationOutcome InteriorPoint::follow_path_near_zero(const SolveTask& task, int max_iterations,
                                                      const IterationOutcome& before) {
  const std::vector<Vec3> far = task.solution.R;
  constexpr double kPull = 1e-3;
  IterationOutcome outcome = follow_path(task, max_iterations - before.iterations, kPull);
  if (before.status == SolveStatus::ok && outcome.status != SolveStatus::ok) {
    task.solution.R = far;
    outcome = {before.status, outcome.iterations, task.measure()};
  }
  outcome.iterations += before.iterations;
  return outcome;
}

IterationOutcome InteriorPoint::solve(const SolveTask& task, int max_iterations, double most_end) {
  // Of a path that leads nowhere: errors at its end, the second one times that of the R given.
  constexpr double kFarError = 0.01, kFarFromGiven = 10;
  std::vector<Vec3>& R = task.solution.R;
  const double begin = start_admissible(task);
  if (begin <= task.criterion.value()) return {SolveStatus::ok, 0, begin};
  const std::vector<Vec3> given = R;
  IterationOutcome outcome = follow_path(task, max_iterations, 0);
  if (outcome.iterations < max_iterations && are_far_from_zero(task))
    outcome = follow_path_near_zero(task, max_iterations, outcome);
  const double error = task.criterion.error(outcome.figure);
  const bool lost = error > kFarError && error > kFarFromGiven * task.criterion.error(begin);
  if (outcome.status == SolveStatus::diverged && !lost) {
    // Rounding leaves half of the digits: x.z is of second order in the angle of x and its end.
    constexpr double kFirstAlpha = 1e-3;
    constexpr int kMostProblems = 20;
    ProximalPointSettings finish;
    finish.alpha = kFirstAlpha;
    finish.most_steps = static_cast<int>(std::min<double>(
        most_end * std::max(outcome.iterations, 1), max_iterations - outcome.iterations));
    const int iterations = outcome.iterations;
    outcome = finish_.solve(task, finish, kMostProblems);
    outcome.iterations = iterations + finish_.steps;
  }
  if (outcome.figure <= begin) return outcome;
  R = given;
  outcome.figure = task.measure();
  return outcome;
}

IterationOutcome InteriorPoint::follow_path(const SolveTask& task, int max_iterations,
                                            double pull) {
  constexpr int kStalled = 20, kStalledNear = 5;  // iterations without half of the figure
  constexpr double kNear = 1e-3;                  // of the figure at the start
  const double begin = start(task);
  LastHalved halved{begin};
  IterationOutcome outcome = iterate_to_goal(task, begin, max_iterations, [&](int iteration) {
    const int patience = halved.figure < kNear * begin ? kStalledNear : kStalled;
    if (iteration - halved.step > patience) return kInfinity;
    pull_ = pull * std::min(1.0, task.criterion.error(halved.figure));
    const double figure = step(task);
    halved.see(figure, iteration);
    return figure;
  });
  outcome.figure = release(task, outcome.figure);
  return outcome;
}

}  // namespace solfec
