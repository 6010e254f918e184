#include "local_dynamics/reaction_components.hpp"

#include <gtest/gtest.h>

namespace solfec::reaction_components_test {
namespace {

RowLaw contact(double friction, double cohesion = 0) {
  RowLaw law;
  law.friction = friction;
  law.cohesion = cohesion;
  return law;
}

RowLaw of_kind(LawKind kind, double friction = 0) {
  RowLaw law = contact(friction);
  law.kind = kind;
  return law;
}

int count(const RowLaw& law, const Vec3& R) { return reaction_components(law, R, 1e-6).count; }

TEST(ReactionComponents, OfContactsByTheirState) {
  EXPECT_EQ(count(contact(0.5), {0, 0, 0}), 0);
  EXPECT_EQ(count(contact(0.5), {0, 0, 1e-7}), 0);
  EXPECT_EQ(count(contact(0.5), {0.3, -0.3, 1}), 3);
  EXPECT_EQ(count(contact(0), {0, 0, 1}), 1);
  EXPECT_EQ(reaction_components(contact(0), {0, 0, 1}, 0).directions.col(0), Vec3(0, 0, 1));
  // On the border of the cone, from 99.9 % on.
  EXPECT_EQ(count(contact(0.5), {0.498, 0, 1}), 3);
  EXPECT_EQ(count(contact(0.5), {0.4996, 0, 1}), 1);
}

TEST(ReactionComponents, OfASlidingContactIsItsReaction) {
  const Vec3 R = 7 * Vec3(0.3, -0.4, 1);
  const ReactionComponents one = reaction_components(contact(0.5), R, 0);
  ASSERT_EQ(one.count, 1);
  EXPECT_NEAR((one.directions.col(0) - R.normalized()).norm(), 0, 1e-15);
  // With cohesion the reaction may change along what stays on the border of the cone.
  const ReactionComponents bond = reaction_components(contact(0.5, 3), {1.5, 2, 2}, 0);
  ASSERT_EQ(bond.count, 1);
  EXPECT_NEAR((bond.directions.col(0) - Vec3(0.3, 0.4, 1).normalized()).norm(), 0, 1e-15);
}

TEST(ReactionComponents, OfABondInTension) {
  EXPECT_EQ(count(contact(0.5, 2), {0, 0, -1}), 3);
  EXPECT_EQ(count(contact(0.5, 2), {0, 0, -2}), 0);
}

TEST(ReactionComponents, OfJointsAreTheirBoundDirections) {
  EXPECT_EQ(count(of_kind(LawKind::fixed_point), {0, 0, 0}), 3);
  EXPECT_EQ(count(of_kind(LawKind::fixed_direction), {0, 0, 0}), 1);
  EXPECT_EQ(count(of_kind(LawKind::rigid_link), {0, 0, -5}), 1);
}

TEST(ReactionComponents, OfASpringIsTheForceOfAStop) {
  RowLaw spring = of_kind(LawKind::spring);
  spring.force = 5;
  EXPECT_EQ(count(spring, {0, 0, 5}), 0);
  EXPECT_EQ(count(spring, {0, 0, 5 + 1e-3}), 1);
  EXPECT_EQ(count(spring, {0, 0, -1}), 1);
}

TEST(ReactionComponents, OfASpringDashpotAreTangentsThatStick) {
  const RowLaw law = of_kind(LawKind::spring_dashpot, 0.5);
  EXPECT_EQ(count(law, {0.1, 0, 1}), 2);
  EXPECT_EQ(count(law, {0.5, 0, 1}), 0);
  EXPECT_EQ(count(law, {0, 0, 0}), 0);
  EXPECT_EQ(count(of_kind(LawKind::spring_dashpot), {0, 0, 1}), 0);
}

}  // namespace
}  // namespace solfec::reaction_components_test
