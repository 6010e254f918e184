#include "simulation/resume.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "simulation/run.hpp"
#include "support/scratch_directory.hpp"
#include "support/small_scene.hpp"

namespace solfec::resume_test {
namespace {

using testing::make_scene;
using testing::ScratchDirectory;
using testing::state_of;

class Resume : public ::testing::Test {
 protected:
  // RUNs of 5, 0 and 3 steps.
  Resume() {
    Simulation s;
    make_scene(s, directory_);
    GaussSeidel solver({});
    run(s, solver, 5e-3, nullptr);
    five_ = state_of(s);
    run(s, solver, 1e-12, nullptr);
    run(s, solver, 3e-3, nullptr);
    eight_ = state_of(s);
  }
  void prepare(Simulation& s) const {
    make_scene(s, directory_);
    s.results.resume = true;
  }

  // Goes on with a fourth RUN, of 10 ms, which an error ends.
  void interrupt(Simulation& s) const {
    prepare(s);
    GaussSeidel solver({});
    for (int k = 0; k < 3; k++) run(s, solver, 1, nullptr);
    const auto stop = [&] {
      if (s.clock.steps == 15) throw RunError("enough");
    };
    EXPECT_THROW(run(s, solver, 10e-3, stop), RunError);
  }
  // As long as any of them was.
  static Resumption resume(Simulation& s) { return resume_run(s, GaussSeidel({}), 1); }

  ScratchDirectory scratch_;
  std::string directory_ = scratch_ / "out";
  std::vector<double> five_, eight_;
};

TEST_F(Resume, RunsThatAreOverArePassed) {
  Simulation s;
  prepare(s);
  EXPECT_EQ(resume(s), Resumption::ended);
  EXPECT_EQ(state_of(s), five_);
  EXPECT_EQ(s.clock.runs, 1);
  EXPECT_EQ(resume(s), Resumption::ended);
  EXPECT_EQ(state_of(s), five_);
  EXPECT_EQ(resume(s), Resumption::ended);
  EXPECT_EQ(state_of(s), eight_);
  EXPECT_NEAR(s.clock.run_start, s.clock.time - 3e-3, 1e-12);
  EXPECT_EQ(resume(s), Resumption::not_begun);
  EXPECT_FALSE(s.results.earlier);
  EXPECT_EQ(s.clock.runs, 3);
}

TEST_F(Resume, ARunEndedByAnErrorGoesOn) {
  Simulation s;
  interrupt(s);

  Simulation again;
  prepare(again);
  for (int k = 0; k < 3; k++) EXPECT_EQ(resume(again), Resumption::ended);
  EXPECT_EQ(resume(again), Resumption::under_way);
  EXPECT_EQ(state_of(again), state_of(s));
  EXPECT_EQ(again.clock.runs, 4);
  EXPECT_EQ(again.clock.run_start, s.clock.run_start);
  EXPECT_EQ(again.last.h, s.last.h);
  EXPECT_EQ(again.script.next_body, s.script.next_body);
}

TEST_F(Resume, ARunThatIsShorterNowIsOver) {
  Simulation s;
  interrupt(s);

  Simulation again;
  prepare(again);
  for (int k = 0; k < 3; k++) EXPECT_EQ(resume(again), Resumption::ended);
  EXPECT_EQ(resume_run(again, GaussSeidel({}), 1e-3), Resumption::ended);
  EXPECT_EQ(state_of(again), state_of(s));
  EXPECT_EQ(resume(again), Resumption::not_begun);
}

TEST_F(Resume, TheModelHasToBeTheSame) {
  Simulation s;
  prepare(s);
  testing::add(s, BodyKind::rigid, {Sphere{{9, 9, 9}, 1}}, "one more");
  EXPECT_THROW(resume(s), RunError);
  Simulation heavier;
  prepare(heavier);
  heavier.domain.bodies[1].reference.mass *= 1.001;
  EXPECT_THROW(resume(heavier), RunError);
}

}  // namespace
}  // namespace solfec::resume_test
