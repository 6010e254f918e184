#include "solver/graded_solve.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "local_dynamics/natural_map.hpp"

namespace solfec {

const char* name(Grade grade) {
  switch (grade) {
    case Grade::ok:
      return "OK";
    case Grade::diverged:
      return "DIVERGED";
    case Grade::out_of_time:
      return "TIME";
  }
  return "";
}

GradedSolve solve_graded(const LocalDynamics& given, LocalSolution& solution, Solver& solver,
                         double tolerance, std::span<const Vec3> guess) {
  LocalDynamics with_laws;
  const bool is_convex = solver.contact_laws() == ContactLaws::convex;
  if (is_convex) {
    with_laws = given;
    give_convex_law(with_laws.law);
  }
  const LocalDynamics& problem = is_convex ? with_laws : given;
  constexpr double kEnough = 0.1;
  const Communicator alone = Communicator::alone();
  std::vector<double> seconds;
  SolveResult result;
  double total = 0;
  do {
    solution.R.assign(guess.begin(), guess.end());
    solution.start(problem);
    const auto start = std::chrono::steady_clock::now();
    result = solver.solve(problem, solution, alone);
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    total += seconds.back();
  } while (result.status == SolveStatus::ok && total < kEnough);
  const auto median = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::ranges::nth_element(seconds, median);
  GradedSolve graded;
  graded.seconds = *median;
  graded.iterations = result.iterations;
  graded.error = natural_map_error(problem, solution, alone);
  if (!(graded.error <= tolerance))
    graded.grade = result.status == SolveStatus::out_of_time ? Grade::out_of_time : Grade::diverged;
  return graded;
}

}  // namespace solfec
