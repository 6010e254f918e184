// What the solvers have that solve the variational inequality of a step (cone_inequality.hpp).
#pragma once

#include "solver/cone_inequality.hpp"
#include "solver/goal.hpp"
#include "solver/goal_iteration.hpp"
#include "solver/iterative_solver.hpp"
#include "solver/joint_reactions.hpp"

namespace solfec {

template <class Self, class Settings>
class InequalitySolver : public IterativeSolver<Self, Settings> {
 public:
  using IterativeSolver<Self, Settings>::IterativeSolver;

 protected:
  /// Solves by `iterate (task)`, and gives joints their reactions of least norm. Throws RunError,
  /// on all ranks, for rows that make no variational inequality. Collective.
  template <class Iterate>
  SolveResult solve_inequality(const LocalDynamics& problem, LocalSolution& solution,
                               const Communicator& communicator, Iterate&& iterate) {
    demand_cone_inequality(problem, this->name(), communicator);
    Channel channel(communicator);
    const Goal goal(this->settings.merit_value, this->target, problem, communicator);
    const std::vector<Vec3> begin = solution.R;
    const IterationOutcome outcome =
        iterate(SolveTask{problem, solution, goal, channel, communicator});
    this->status = outcome.status;
    this->iterations = outcome.iterations;
    const double reached =
        this->target ? merit(problem, solution, communicator)
                     : joint_reactions_.take_least_norm(
                           problem, solution,
                           {begin, outcome.figure, this->settings.merit_value, goal.scale()},
                           channel, communicator);
    return {outcome.status, outcome.iterations, reached};
  }

 private:
  JointReactions joint_reactions_;
};

}  // namespace solfec
