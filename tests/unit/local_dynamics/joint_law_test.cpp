// Reactions of joints satisfy their laws, for any block of W.
#include "local_dynamics/joint_law.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/local_problem.hpp"

namespace solfec::joint_law_test {
namespace {

using testing::Random;

constexpr double kStep = 1e-3;

Mat3 positive_definite(Random& random) {
  Mat3 A;
  for (int k = 0; k < 3; k++) A.col(k) = random.in_box(1);
  return A * A.transpose() + 0.1 * Mat3::Identity();
}

TEST(JointLaw, ReactionMeetsTheTarget) {
  Random random(2);
  for (int k = 0; k < 100; k++) {
    const Mat3 W = positive_definite(random);
    const Vec3 B = random.in_box(2);
    RowLaw law;
    law.kind = LawKind::fixed_point;
    law.target = random.in_box(1);
    Vec3 R = joint_reaction(law, W, W.inverse(), B);
    EXPECT_NEAR((B + W * R - law.target).norm(), 0, 1e-11);
    law.kind = LawKind::fixed_direction;
    R = joint_reaction(law, W, W.inverse(), B);
    EXPECT_EQ(R.head<2>(), Vec2::Zero());
    const Vec3 U = B + W * R;
    EXPECT_NEAR(U.z(), law.target.z(), 1e-12);
    EXPECT_NEAR(joint_residual(law, W, U, R).norm(), 0, 1e-12);
    EXPECT_NEAR(joint_residual(law, W, U + Vec3(1, 2, 3), R).z(), 3, 1e-12);
  }
}

TEST(JointLaw, LinkComesToItsLength) {
  Random random(3);
  for (int k = 0; k < 100; k++) {
    const Mat3 W = positive_definite(random);
    const Vec3 B = random.in_box(20);
    RowLaw law;
    law.kind = LawKind::rigid_link;
    law.remaining = kStep / 2;
    law.length = random.uniform(0.5, 2);
    law.span = law.length + random.uniform(-0.01, 0.01);
    const Vec3 R = joint_reaction(law, W, W.inverse(), B);
    EXPECT_EQ(R.head<2>(), Vec2::Zero());
    const Vec3 U = B + W * R, end = law.span * Vec3::UnitZ() + law.remaining * U;
    EXPECT_NEAR(end.norm(), law.length, 1e-12);
    EXPECT_NEAR(joint_residual(law, W, U, R).norm(), 0, 1e-8);
    // The near root: the link does not turn over.
    EXPECT_GT(end.z(), 0.9 * law.length);
    // What it misses by is a velocity.
    EXPECT_NEAR(joint_residual(law, W, U + Vec3(0, 0, 0.1), R).z(), 0.1, 1e-2);
  }
}

TEST(JointLaw, LinkOutOfReachComesAsNearAsItCan) {
  RowLaw law;
  law.kind = LawKind::rigid_link;
  law.remaining = kStep / 2;
  law.length = law.span = 1;
  const Mat3 W = Mat3::Identity();
  const Vec3 B(4 / kStep, 0, 0);  // the end moves 2 across
  const Vec3 R = joint_reaction(law, W, W, B);
  const auto distance = [&](double r) {
    return (Vec3::UnitZ() + 0.5 * kStep * (B + W * Vec3(0, 0, r))).norm();
  };
  EXPECT_LT(distance(R.z()), distance(R.z() * 1.01));
  EXPECT_LT(distance(R.z()), distance(R.z() * 0.99));
}

// The stops push where they are reached and not before, whatever the force is.
TEST(JointLaw, SpringHasItsForceBetweenItsStops) {
  Random random(5);
  int at_low = 0, at_high = 0, between = 0;
  for (int k = 0; k < 200; k++) {
    const Mat3 W = positive_definite(random);
    const Vec3 B = random.in_box(1);
    RowLaw law;
    law.kind = LawKind::spring;
    law.force = random.uniform(-1, 1);
    law.low = random.uniform(-1, 0);
    law.high = k % 2 ? law.low + random.uniform(0, 1) : std::numeric_limits<double>::infinity();
    const Vec3 R = joint_reaction(law, W, W.inverse(), B);
    EXPECT_EQ(R.head<2>(), Vec2::Zero());
    const Vec3 U = B + W * R;
    EXPECT_GE(U.z(), law.low - 1e-12);
    EXPECT_LE(U.z(), law.high + 1e-12);
    if (R.z() > law.force) {
      EXPECT_NEAR(U.z(), law.low, 1e-12);
      at_low++;
    } else if (R.z() < law.force) {
      EXPECT_NEAR(U.z(), law.high, 1e-12);
      at_high++;
    } else {
      between++;
    }
    EXPECT_NEAR(joint_residual(law, W, U, R).norm(), 0, 1e-12);
    // Another reaction misses the law by the velocity that is too much.
    const Vec3 more = R + Vec3(0, 0, 2);
    EXPECT_NEAR(joint_residual(law, W, B + W * more, more).z(), 2 * W(2, 2), 1e-9);
  }
  EXPECT_GT(std::min({at_low, at_high, between}), 20);
}

TEST(JointLaw, MeasuresWhatIsBound) {
  Random random(4);
  const Mat3 W = positive_definite(random);
  const Vec3 C = random.in_box(1);
  RowLaw law;
  for (LawKind kind : {LawKind::signorini_coulomb, LawKind::fixed_point}) {
    law.kind = kind;
    EXPECT_DOUBLE_EQ(law_norm(law, W, W.inverse(), C), C.dot(W.inverse() * C));
  }
  for (LawKind kind : {LawKind::fixed_direction, LawKind::rigid_link, LawKind::spring}) {
    law.kind = kind;
    EXPECT_DOUBLE_EQ(law_norm(law, W, W.inverse(), C), C.z() * C.z() / W(2, 2));
  }
  law.kind = LawKind::fixed_direction;
  law.target = {0, 0, 2};
  EXPECT_DOUBLE_EQ(law_scale(law, W, W.inverse(), C), (C.z() * C.z() + 4) / W(2, 2));
  law.kind = LawKind::spring;
  law.force = 3;
  EXPECT_DOUBLE_EQ(law_scale(law, W, W.inverse(), C), C.z() * C.z() / W(2, 2) + 9 * W(2, 2));
}

// A contact ahead counts when it would touch in the step, and what is beyond its gap then.
TEST(JointLaw, ContactsAheadCountBeyondTheirGap) {
  Random random(5);
  const Mat3 W = positive_definite(random);
  RowLaw law;
  law.ahead = true;
  law.target = {0, 0, -2};
  EXPECT_EQ(law_scale(law, W, W.inverse(), {7, 8, -1.9}), 0);
  const Vec3 beyond(7, 8, -1);
  EXPECT_DOUBLE_EQ(law_scale(law, W, W.inverse(), beyond + law.target),
                   law_norm(law, W, W.inverse(), beyond));
}

}  // namespace
}  // namespace solfec::joint_law_test
