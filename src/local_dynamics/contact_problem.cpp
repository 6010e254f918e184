#include "local_dynamics/contact_problem.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace solfec {
namespace {

void add_rows(const BodyRows& bodies, Delassus& W) {
  const double scale = 1 / std::sqrt(bodies.mass);
  W.clear(1, bodies.sizes);
  for (const std::array<BodyRows::End, 2>& ends : bodies.rows) {
    double* G = W.add_row(ends[0].body, ends[1].body);
    for (const BodyRows::End& end : ends)
      G = std::ranges::transform(end.G, G, [&](double x) { return scale * x; }).out;
  }
  W.finish(DelassusForm::automatic);
}

}  // namespace

LocalDynamics local_dynamics_of(const ContactProblem& problem) {
  const std::size_t rows = problem.q.size();
  DEMAND(problem.equalities() >= 0);
  LocalDynamics p;
  if (problem.bodies) {
    DEMAND(problem.bodies->rows.size() == rows);
    add_rows(*problem.bodies, p.W);
  } else {
    DEMAND(problem.W.begin.size() == rows + 1);
    p.W.set_blocks(1, problem.W);
  }
  p.B = problem.q;
  p.V.assign(rows, Vec3::Zero());
  p.law.resize(rows);
  for (int row = 0; row < problem.rows(); row++)
    if (row < problem.contacts())
      p.law[row].friction = problem.friction[row];
    else
      p.law[row].kind = LawKind::fixed_direction;
  return p;
}

}  // namespace solfec
