// A primal-dual interior-point method for the variational inequality of a step
// (cone_inequality.hpp): predictor and corrector (Mehrotra 1992) with the scaling of Nesterov and
// Todd (1997).
//
// With D = diag (1, 1, mu) a contact's  x = D (R + (0, 0, c))  and  z = D^-1 F  are to lie in the
// second-order cone, with  x o z = 0  (math/second_order_cone.hpp). They start inside of it, and
// each iteration is a step of Newton's method towards  x o z = tau (0, 0, 1)  with a tau that
// falls:
//
//   D^-1 W dR - E dz = -g,   g = D^-1 Ubar + |z_T| n - z,   E = I - n (z_T / |z_T|)^T
//   lambda o (T dx + T^-1 dz) = tau (0, 0, 1) - lambda o lambda - second order,   lambda = T x
//
// |z_T| n makes F of Ubar: it is not there in the convex law, where E = I and a few tens of
// iterations solve any problem. The law of Coulomb is no monotone one. Where Newton's steps get
// short, the next three take the slip for given (E = I).
//
// The method needs no start, and makes no use of one. It takes problems whose W has no full rank:
// R ends in the middle of all solutions. Where they are not bounded (glue, jammed bodies) it comes
// out huge. Then the path is followed once more, with
//
//   W + pull w,   w = trace W_aa / 3,   pull = 1E-3 times the error of the iteration,
//
// which fades out but leaves R near to zero.
// One that no R and F inside their cones solve has no path to follow: the method stops. Where it
// has stopped, or rounding ends it, the proximal point method goes on (proximal_point.hpp).
#pragma once

#include <limits>

#include "math/second_order_cone.hpp"
#include "solver/cone_inequality.hpp"
#include "solver/goal_iteration.hpp"
#include "solver/newton_step.hpp"
#include "solver/proximal_point.hpp"

namespace solfec {

/// Keeps its memory between calls.
class InteriorPoint {
 public:
  /// Iterates until the criterion is met, and leaves the best R that it met, admissible, the start
  /// included, with its U. Newton steps of its end count as iterations; they are at most so many
  /// times those before. Collective.
  IterationOutcome solve(const SolveTask& task, int max_iterations,
                         double most_end = std::numeric_limits<double>::infinity());

  /// Operations of an iteration, those of the rank that has most. Collective.
  double step_operations(const LocalDynamics& problem, const Communicator& communicator);

 private:
  // A contact that can move, of the rows of this rank.
  struct Cone {
    int row;
    Vec3 D;  // its diagonal
    Vec3 x = Vec3::Zero(), z = Vec3::Zero();
    Vec3 g = Vec3::Zero();      // what F misses z by
    Vec3 slide = Vec3::Zero();  // z_T / |z_T|, zero where slips are given
    ConeScaling T = {Vec3::UnitZ(), Vec3::UnitZ()};
    Vec3 dx = Vec3::Zero(), dz = Vec3::Zero();

    // E y
    Vec3 times_E(const Vec3& y) const { return y - Vec3::UnitZ() * slide.dot(y); }
  };
  struct Sums {
    double gap = 0;     ///< mean x.z
    double missed = 0;  ///< mean |D R| |g|
  };

  IterationOutcome follow_path(const SolveTask& task, int max_iterations, double pull);
  IterationOutcome follow_path_near_zero(const SolveTask& task, int max_iterations,
                                         const IterationOutcome& before);
  bool are_far_from_zero(const SolveTask& task) const;
  double start(const SolveTask& task);
  Sums measure(const SolveTask& task);
  void linearise(const LocalDynamics& problem);
  template <class Complement>
  void direct(const SolveTask& task, Complement&& complement);
  double longest_step(const Communicator& communicator) const;
  double advance(const Communicator& communicator, double length);
  double place(const SolveTask& task) const;
  double step(const SolveTask& task);
  double release(const SolveTask& task, double figure);

  std::vector<Cone> cones_;
  double all_cones_ = 0;  // their number on all ranks
  int given_slips_ = 0;   // iterations left that take slips for given
  double pull_ = 0;       // times w, in W_aa
  RowVector R_;           // of the iteration
  NewtonStep newton_;
  ProximalPoint finish_;
};

}  // namespace solfec
