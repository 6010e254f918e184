// The stages of sweeps on one rank; those of several are in rank_sets_test.cpp.
#include "solver/sweep_stages.hpp"

#include <gtest/gtest.h>

#include "support/local_problem.hpp"

namespace solfec::sweep_stages_test {
namespace {

TEST(SweepStages, OneRankTakesAllRowsInTheirOrder) {
  SweepStages stages;
  for (int rows : {6, 3, 9}) {
    const testing::LocalProblem p = testing::closing_contacts(1, 4, rows);
    EXPECT_FALSE(stages.has_new_neighbours(p.dynamics.halo));
    stages.plan(p.dynamics, false, GaussSeidelVariant::full, true);
    for (bool backwards : {false, true}) {
      ASSERT_EQ(stages.of(backwards).size(), 1u);
      const Stage& stage = stages.of(backwards)[0];
      ASSERT_EQ(static_cast<int>(stage.rows.size()), rows);
      for (int k = 0; k < rows; k++) EXPECT_EQ(stage.rows[k], backwards ? rows - 1 - k : k);
      EXPECT_TRUE(stage.receive.empty() && stage.send.empty());
    }
  }
}

TEST(SweepStages, ColoursHoldUntilNeighboursChange) {
  SweepStages stages;
  Halo halo;
  halo.neighbours.push_back({3, {}, {}});
  EXPECT_TRUE(stages.has_new_neighbours(halo));
  halo.neighbours.clear();
  EXPECT_FALSE(stages.has_new_neighbours(halo));
}

}  // namespace
}  // namespace solfec::sweep_stages_test
