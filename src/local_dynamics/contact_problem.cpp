#include "local_dynamics/contact_problem.hpp"

#include "core/error.hpp"

namespace solfec {

LocalDynamics local_dynamics_of(const ContactProblem& problem) {
  const std::size_t rows = problem.q.size();
  DEMAND(problem.friction.size() == rows && problem.W.begin.size() == rows + 1);
  LocalDynamics p;
  p.W.set_blocks(1, problem.W);
  p.B = problem.q;
  p.V.assign(rows, Vec3::Zero());
  p.law.resize(rows);
  for (std::size_t row = 0; row < rows; row++) p.law[row].friction = problem.friction[row];
  return p;
}

}  // namespace solfec
