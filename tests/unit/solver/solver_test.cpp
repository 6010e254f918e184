#include "solver/solver.hpp"

#include <gtest/gtest.h>

#include <string>

namespace solfec::solver_test {
namespace {

TEST(Solver, AdviceIsNotTheSolverAtHand) {
  const std::string any = advice(SolverKind::gauss_seidel);
  EXPECT_TRUE(any.starts_with("AUTO_SOLVER"));
  EXPECT_EQ(advice(SolverKind::newton), any);
  EXPECT_EQ(std::string(advice(SolverKind::automatic)).find("AUTO_SOLVER"), std::string::npos);
}

}  // namespace
}  // namespace solfec::solver_test
