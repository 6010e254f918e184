// The dump on one rank; tests/parallel compares it with those of several.
#include "simulation/fclib_dump.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "local_dynamics/natural_map.hpp"
#include "output/fclib_file.hpp"
#include "solver/penalty.hpp"
#include "support/scratch_directory.hpp"
#include "support/small_scene.hpp"

namespace solfec::fclib_dump_test {
namespace {

TEST(FclibDump, HoldsTheProblemOfTheLastStep) {
  const testing::ScratchDirectory scratch;
  Simulation s;
  testing::make_scene(s, scratch / "out");
  SurfaceMaterial skin;
  skin.friction = 0.4;
  skin.restitution = 0.3;
  skin.cohesion = 1e-4;
  s.domain.surface_materials.store(skin);
  EXPECT_THROW(dump_fclib(s, scratch / "a.hdf5"), InputError);
  GaussSeidelSettings settings;
  settings.epsilon = 1e-14;
  settings.merit_value = 1e-24;
  settings.diagonal_epsilon = 1e-15;
  GaussSeidel solver(settings);
  run(s, solver, 0.12, nullptr);
  const LocalDynamics& p = s.domain.local_dynamics;
  ASSERT_GT(p.rows(), 1);
  dump_fclib(s, scratch / "a.hdf5");
  const ContactProblem read = read_fclib(scratch / "a.hdf5");
  ASSERT_EQ(read.contacts(), p.rows());
  EXPECT_NE(read.title.find("out, step "), std::string::npos);

  // What solved the step solves the problem; and W is that of the step.
  const LocalDynamics again = local_dynamics_of(read);
  LocalSolution step = s.domain.local_solution, found(again);
  for (int row = 0; row < p.rows(); row++) {
    EXPECT_EQ(read.friction[row], p.law[row].friction);
    found.R[row] = shifted_reaction(p.law[row], step.R[row]);
    EXPECT_EQ(again.W.neighbours(row), p.W.neighbours(row));
    for (int column : p.W.neighbours(row))
      EXPECT_EQ(again.W.block(row, column), p.W.block(row, column));
  }
  EXPECT_LT(natural_map_error(p, step, Communicator()), 1e-10);
  EXPECT_LT(natural_map_error(again, found, Communicator()), 1e-10);
  EXPECT_NEAR(natural_map_scale(p, Communicator()), natural_map_scale(again, Communicator()),
              1e-12);
  EXPECT_THROW(dump_fclib(s, scratch / "no/such"), RunError);
  delete_body(s, BodyId{1});
  EXPECT_THROW(dump_fclib(s, scratch / "a.hdf5"), InputError);
}

TEST(FclibDump, FormsAreOfOneProblem) {
  const testing::ScratchDirectory scratch;
  Simulation s;
  testing::make_scene(s, scratch / "out");
  GaussSeidel solver({});
  run(s, solver, 0.12, nullptr);
  dump_fclib(s, scratch / "local.hdf5");
  dump_fclib(s, scratch / "global.hdf5", {FclibForm::global, true});
  const ContactProblem local = read_fclib(scratch / "local.hdf5");
  const ContactProblem global = read_fclib(scratch / "global.hdf5");
  EXPECT_FALSE(local.bodies);
  ASSERT_TRUE(global.bodies);
  EXPECT_EQ(global.q, local.q);
  EXPECT_EQ(global.friction, local.friction);
  EXPECT_TRUE(local.guess.empty());
  EXPECT_EQ(global.guess, s.domain.local_solution.R);
  const LocalDynamics a = local_dynamics_of(local), b = local_dynamics_of(global);
  ASSERT_GT(a.rows(), 1);
  for (int row = 0; row < a.rows(); row++)
    for (int column = 0; column < a.rows(); column++)
      EXPECT_LT((a.W.block(row, column) - b.W.block(row, column)).norm(),
                1e-14 * a.W.diagonal(row).norm());
}

TEST(FclibDump, RefusesSprings) {
  const testing::ScratchDirectory scratch;
  Simulation s;
  testing::make_scene(s, scratch / "out");
  SurfaceMaterial skin;
  skin.spring = 1e6;
  s.domain.surface_materials.store(skin);
  Penalty solver(false);
  run(s, solver, 0.12, nullptr);
  ASSERT_GT(s.domain.constraints.count(), 0);
  EXPECT_THROW(dump_fclib(s, scratch / "a.hdf5"), InputError);
}

}  // namespace
}  // namespace solfec::fclib_dump_test
