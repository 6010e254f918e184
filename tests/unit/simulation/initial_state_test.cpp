#include "simulation/initial_state.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/scratch_directory.hpp"
#include "support/small_scene.hpp"

namespace solfec::initial_state_test {
namespace {

using testing::make_scene;
using testing::ScratchDirectory;

class InitialState : public ::testing::Test {
 protected:
  InitialState() {
    make_scene(source_, scratch_ / "source");
    GaussSeidel solver({});
    run(source_, solver, 0.02, nullptr);
    make_scene(s_, scratch_ / "out");
  }
  ScratchDirectory scratch_;
  Simulation source_, s_;
};

TEST_F(InitialState, TakesConfigurationsAndVelocitiesOnly) {
  initialize_state(s_, source_.results.directory, 1);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 12; k++) EXPECT_EQ(s_.domain.bodies.q(i)[k], source_.domain.bodies.q(i)[k]);
    for (int k = 0; k < s_.domain.bodies.dofs(i); k++)
      EXPECT_EQ(s_.domain.bodies.u(i)[k], source_.domain.bodies.u(i)[k]);
    EXPECT_EQ(s_.domain.bodies.work(i).external, 0);
  }
  EXPECT_EQ(s_.domain.constraints.count(), 0);
  EXPECT_EQ(s_.clock.time, 0);
}

TEST_F(InitialState, TakesTheLastFrameNotAfterTheTime) {
  Domain frame;
  frame.bulk_materials = s_.domain.bulk_materials;
  ResultsReader(source_.results.directory).load(7, frame, [](int) { return ForceFunction(); });
  initialize_state(s_, source_.results.directory, 0.0079);
  EXPECT_EQ(s_.domain.bodies.q(1)[11], frame.bodies.q(1)[11]);
}

TEST_F(InitialState, WantsTheSameBodies) {
  s_.domain.bodies[1].label = "another";
  EXPECT_THROW(initialize_state(s_, source_.results.directory, 1), InputError);
  s_.domain.bodies[1].label = "ball";
  delete_body(s_, BodyId{2});
  EXPECT_THROW(initialize_state(s_, source_.results.directory, 1), InputError);
  testing::add(s_, BodyKind::rigid, {Sphere{{9, 9, 9}, 1}}, "cube");  // of another kind
  EXPECT_THROW(initialize_state(s_, source_.results.directory, 1), InputError);
  EXPECT_THROW(initialize_state(s_, scratch_ / "nothing", 1), RunError);
}

}  // namespace
}  // namespace solfec::initial_state_test
