// The proximal point method with Newton's method inside, on one rank and on many.
//
// W has no full rank where bodies have more contacts than freedom; Newton's steps then have no
// solution, and Gauss-Seidel is slow. The proximal point method (Rockafellar 1976; Acary, Bremond,
// Huber 2018, section 6.3) solves a row of problems whose W has full rank,
//
//   U = B + W R + alpha w (R - R_k),   w_a = trace W_aa / 3,
//
// each from the solution R_k of the one before; where R no longer changes, what was added is gone,
// and as alpha falls from problem to problem few of them are needed. Each is solved by the
// nonsmooth Newton method of Alart and Curnier with rho_a = 3 / w_a. Steps are halved, at most
// twice, while |C| does not fall: longer searches stop at the kinks of C.
#pragma once

#include <limits>

#include "solver/goal.hpp"
#include "solver/newton_step.hpp"

namespace solfec {

/// Keeps its memory between calls.
class ProximalNewton {
 public:
  struct Outcome {
    int steps = 0;
    double figure = 0;      ///< of the goal, for the R that was left
    double operations = 0;  ///< as of `step_operations`
    bool stalled = false;   ///< more steps would not reach the goal
  };
  struct Bounds {
    int steps;
    /// The step that reaches them is the last one. Contacts that come to press in a turn make
    /// steps many times dearer than the first.
    double operations = std::numeric_limits<double>::infinity();
  };

  /// Improves R by Newton steps until the goal is reached; leaves the best R that it met, the start
  /// included, and its U. Collective.
  Outcome solve(const LocalDynamics& problem, LocalSolution& solution, const Goal& goal,
                Channel& channel, const Communicator& communicator, const Bounds& bounds);

  /// Goes on from an R that has reached the goal until a Newton step changes it by no more than the
  /// goal's value, sum w |dR|^2 / sum w |R|^2, or by no less than the one before: rounding. Leaves
  /// an R that is at the goal. Collective.
  Outcome balance(const LocalDynamics& problem, LocalSolution& solution, const Goal& goal,
                  Channel& channel, const Communicator& communicator, int max_steps);

  /// Operations of a step from the current R, those of the rank that has most. Leaves U
  /// changed. Collective.
  double step_operations(const LocalDynamics& problem, LocalSolution& solution, Channel& channel,
                         const Communicator& communicator);

 private:
  struct Run {
    const LocalDynamics& problem;
    LocalSolution& solution;
    Channel& channel;
    const Communicator& communicator;
    double alpha;
    Bounds bounds = {};
    int steps = 0;
    double operations = 0;
    double figure = 0;  // of the current R
    double best = std::numeric_limits<double>::infinity();
    RowVector best_R = {};
  };
  void prepare(const Run& run);
  double relative_step(const Run& run) const;
  double linearise(Run& run);
  double move(Run& run, double norm);
  static bool is_spent(const Run& run);
  bool approach(Run& run, const Goal& goal);
  void measure(Run& run, const Goal& goal);

  std::vector<double> weight_;  // w of the rows
  double joint_alpha_ = 0;      // least alpha of joints
  NewtonStep step_;             // Y with alpha w X
  RowVector centre_;            // R_k
  RowVector base_, lowest_;     // work space: R before a step, R of the lowest |C|
};

}  // namespace solfec
