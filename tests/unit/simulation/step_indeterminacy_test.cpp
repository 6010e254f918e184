// On one rank; tests/parallel compares it with that of several, tests/input has exact cases.
#include "simulation/step_indeterminacy.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/scratch_directory.hpp"
#include "support/small_scene.hpp"

namespace solfec::step_indeterminacy_test {
namespace {

TEST(StepIndeterminacy, IsOfTheLastStep) {
  const testing::ScratchDirectory scratch;
  Simulation s;
  testing::make_scene(s, scratch / "out");
  EXPECT_THROW(step_indeterminacy(s), InputError);
  GaussSeidel solver({});
  run(s, solver, 0.2, nullptr);
  const std::vector<Constraint>& constraints = s.domain.constraints.all();
  ASSERT_GT(constraints.size(), 1u);
  for (const Constraint& c : constraints) EXPECT_EQ(c.determinacy, Determinacy::unknown);
  const StepIndeterminacy found = step_indeterminacy(s);
  ASSERT_EQ(found.constraints.size(), constraints.size());
  int with_components = 0, of_clusters = 0;
  for (std::size_t row = 0; row < found.constraints.size(); row++) {
    EXPECT_EQ(constraints[row].determinacy, found.constraints[row].reaction.both());
    EXPECT_EQ(found.constraints[row].cluster >= 0,
              constraints[row].determinacy != Determinacy::none);
    with_components += found.constraints[row].cluster >= 0;
  }
  for (const ClusterIndeterminacy& cluster : found.clusters) of_clusters += cluster.constraints;
  EXPECT_EQ(of_clusters, with_components);
  delete_body(s, BodyId{1});
  EXPECT_THROW(step_indeterminacy(s), InputError);
}

TEST(StepIndeterminacy, IsNotNotedDownWhenSomethingWasDeleted) {
  const testing::ScratchDirectory scratch;
  Simulation s;
  testing::make_scene(s, scratch / "out");
  GaussSeidel solver({});
  run(s, solver, 0.2, nullptr);
  note_determinacy(s);
  for (const Constraint& c : s.domain.constraints.all())
    EXPECT_NE(c.determinacy, Determinacy::unknown);
  run(s, solver, s.settings.step, nullptr);
  delete_body(s, BodyId{1});
  note_determinacy(s);
  for (const Constraint& c : s.domain.constraints.all())
    EXPECT_EQ(c.determinacy, Determinacy::unknown);
}

}  // namespace
}  // namespace solfec::step_indeterminacy_test
