#include "simulation/origin.hpp"

#include <gtest/gtest.h>

#include "simulation/simulation.hpp"
#include "solver/gauss_seidel.hpp"

namespace solfec::origin_test {
namespace {

using Names = std::vector<std::string>;

TEST(Origin, WhatTheScriptSetsIsPartOfTheModel) {
  Simulation one, two;
  one.settings.step = two.settings.step = 1e-3;
  EXPECT_EQ(changed_parts(model_parts(one), model_parts(two)), Names{});
  two.settings.step = 2e-3;
  two.domain.gravity.component[2] = TimeSeries(-10.0);
  EXPECT_EQ(changed_parts(model_parts(one), model_parts(two)), (Names{"SOLFEC.step", "GRAVITY"}));
  Simulation three;
  three.settings.step = 1e-3;
  three.settings.verbosity = Verbosity::off;  // no result depends on it
  EXPECT_EQ(changed_parts(model_parts(one), model_parts(three)), Names{});
  three.domain.bulk_materials.store({"steel", 2e11, 0.3, 7800});
  EXPECT_EQ(changed_parts(model_parts(one), model_parts(three)), Names{"BULK_MATERIAL 'steel'"});
  EXPECT_EQ(changed_parts(model_parts(three), model_parts(one)), Names{"BULK_MATERIAL 'steel'"});
}

TEST(Origin, RunsAreComparedOneByOne) {
  GaussSeidel solver{GaussSeidelSettings()};
  const ModelPart first = run_part(1, solver, 2);
  EXPECT_EQ(first, run_part(1, solver, 2));
  EXPECT_NE(first, run_part(2, solver, 2));
  EXPECT_NE(first, run_part(1, solver, 3));
  solver.settings.epsilon /= 2;
  EXPECT_NE(first, run_part(1, solver, 2));
  EXPECT_EQ(changed_parts({first}, {}), Names{});
}

}  // namespace
}  // namespace solfec::origin_test
