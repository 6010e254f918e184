// Grades do not depend on what a solver says of itself.
#include "solver/graded_solve.hpp"

#include <gtest/gtest.h>

#include "local_dynamics/contact_problem.hpp"
#include "solver/gauss_seidel.hpp"

namespace solfec::graded_solve_test {
namespace {

LocalDynamics falling() {
  return local_dynamics_of({{{0, 1}, {0}, {Mat3::Identity()}}, {{0, 0, -1}}, {0.5}, "", "", ""});
}

// Says and does what it is told.
class Teller : public Solver {
 public:
  Teller(SolveStatus status, const Vec3& R) : status_(status), R_(R) {}

  SolveResult solve(const LocalDynamics&, LocalSolution& solution,
                    const Communicator& communicator) override {
    EXPECT_EQ(communicator.size(), 1);
    EXPECT_TRUE(solution.R[0].isZero(0)) << "each solve starts anew";
    solution.R[0] = R_;
    solves++;
    return {status_, 7, 0.0};
  }
  SolverKind kind() const override { return SolverKind::none; }
  const char* name() const override { return "TELLER"; }
  void write_settings(ArchiveWriter&) const override {}

  int solves = 0;

 private:
  SolveStatus status_;
  Vec3 R_;
};

TEST(GradedSolve, TrustsTheErrorOnly) {
  const auto grade = [](SolveStatus status, double R_N, int solves) {
    const LocalDynamics p = falling();
    LocalSolution s;
    Teller solver(status, {0, 0, R_N});
    const GradedSolve graded = solve_graded(p, s, solver, 1e-3);
    EXPECT_NEAR(graded.error, std::abs(1 - R_N), 1e-15);
    EXPECT_EQ(graded.iterations, 7);
    EXPECT_GE(graded.seconds, 0);
    EXPECT_LT(graded.seconds, 1);
    EXPECT_TRUE(solves > 1 ? solver.solves > 1 : solver.solves == 1);
    return graded.grade;
  };
  EXPECT_EQ(grade(SolveStatus::ok, 1.0001, 2), Grade::ok);
  EXPECT_EQ(grade(SolveStatus::ok, 1.01, 2), Grade::diverged) << "it says so, but it is not";
  EXPECT_EQ(grade(SolveStatus::diverged, 1.01, 1), Grade::diverged);
  EXPECT_EQ(grade(SolveStatus::diverged, 1.0001, 1), Grade::ok);
  EXPECT_EQ(grade(SolveStatus::out_of_time, 1.01, 1), Grade::out_of_time);
  const LocalDynamics p = falling();
  LocalSolution s;
  Teller lost(SolveStatus::ok, Vec3::Constant(std::nan("")));
  EXPECT_EQ(solve_graded(p, s, lost, 1e-3).grade, Grade::diverged);
}

// Adds to the R that it is given.
class Stepper : public Teller {
 public:
  Stepper() : Teller(SolveStatus::ok, Vec3::Zero()) {}

  SolveResult solve(const LocalDynamics&, LocalSolution& solution, const Communicator&) override {
    EXPECT_EQ(solution.R.size(), 1U);
    solution.R[0].z() += 0.25;
    solves++;
    return {SolveStatus::ok, 1, 0.0};
  }
};

TEST(GradedSolve, BeginsEachSolveWithTheGuess) {
  const LocalDynamics p = falling();
  LocalSolution s;
  Stepper solver;
  const Vec3 guess(0, 0, 0.75);
  EXPECT_EQ(solve_graded(p, s, solver, 1e-3, {&guess, 1}).grade, Grade::ok);
  EXPECT_GT(solver.solves, 1);
  EXPECT_EQ(s.R[0], Vec3(0, 0, 1));
  EXPECT_EQ(solve_graded(p, s, solver, 1e-3).error, 0.75) << "and with zero without one";
}

TEST(GradedSolve, OfGaussSeidel) {
  const LocalDynamics p = falling();
  LocalSolution s;
  GaussSeidel solver({});
  solver.target = {1e-12};
  const GradedSolve graded = solve_graded(p, s, solver, 1e-12);
  EXPECT_EQ(graded.grade, Grade::ok);
  EXPECT_EQ(s.R[0], Vec3(0, 0, 1));
  EXPECT_STREQ(name(Grade::ok), "OK");
  EXPECT_STREQ(name(Grade::diverged), "DIVERGED");
  EXPECT_STREQ(name(Grade::out_of_time), "TIME");
}

}  // namespace
}  // namespace solfec::graded_solve_test
