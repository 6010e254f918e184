// What a step leaves of a contact's law, by hand.
#include "domain/contact_drift.hpp"

#include <gtest/gtest.h>

namespace solfec::contact_drift_test {
namespace {

constexpr double kEpsilon = 1e-6, kStep = 0.01;
const DriftTolerance kTolerance{kEpsilon, 0.01 * kEpsilon};
const Mat3 kBlock = 0.1 * Mat3::Identity();

Constraint pressed(const Vec3& U) {
  Constraint c;
  c.lasts = true;
  c.R = {1, 2, 10};
  c.U = U;
  return c;
}

Vec3 drift(const Constraint& c, const RowLaw& law) {
  return contact_drift(law, c, kBlock, kStep, kTolerance);
}

RowLaw rough() {
  RowLaw law;
  law.friction = 0.5;
  return law;
}

Constraint apart(const Vec3& drift, double gap) {
  Constraint c;
  c.drift = drift;
  c.gap = gap;
  return c;
}

TEST(ContactDrift, FirstPartIsLeft) {
  EXPECT_EQ(drift_to_undo(apart({4e-9, 5e-9, 4e-9}, 1e-6), kTolerance), Vec3::Zero());
  const Vec3 d(2e-7, 1e-7, 2e-7);  // 3e-7
  EXPECT_LT((drift_to_undo(apart(d, 1e-6), kTolerance) - (1 - 1e-8 / 3e-7) * d).norm(), 1e-20);
}

TEST(ContactDrift, FirstPartIsAsLargeAsTheSolverIsInaccurate) {
  EXPECT_NEAR(drift_tolerance(kEpsilon, 1e-6).left, 0.01 * kEpsilon, 1e-20) << "no less";
  EXPECT_NEAR(drift_tolerance(kEpsilon, 1e-4).left, 0.03 * kEpsilon, 1e-20);
  EXPECT_NEAR(drift_tolerance(kEpsilon, 1).left, 0.3 * kEpsilon, 1e-20) << "contacts stay";
}

TEST(ContactDrift, ClosesGapsAndPushesNothingApart) {
  const auto asked = [](double drift, double gap) {
    return drift_to_undo(apart({0, 0, drift}, gap), kTolerance).z();
  };
  EXPECT_NEAR(asked(3e-7, 1e-7), 9e-8, 1e-20) << "no more than there is to close";
  EXPECT_EQ(asked(3e-7, -1e-7), 0);
  EXPECT_EQ(asked(-3e-7, -3e-7), 0) << "of a body between two walls neither may push";
  Constraint bond = apart({0, 0, -3e-7}, 0);
  bond.bond = Bond{};
  EXPECT_NEAR(drift_to_undo(bond, kTolerance).z(), -2.9e-7, 1e-20);
}

TEST(ContactDrift, IsWhatTheSolutionLeft) {
  const Vec3 U(3e-6, -2e-6, 4e-6);
  EXPECT_LT((drift(pressed(U), rough()) - kStep * U).norm(), 1e-18) << "sticks";
  Constraint c = pressed(U);
  c.U.z() = -4e-6;
  EXPECT_NEAR(drift(c, rough()).z(), -4e-8, 1e-18) << "overlaps";
  c = pressed({0.1, 0, 0});
  c.R = {-5, 0, 10};
  EXPECT_LT(drift(c, rough()).norm(), 1e-15) << "slides, as its law allows";
  c.R.setZero();
  c.U.z() = 4e-6;
  EXPECT_LT((drift(c, rough()) - Vec3(0, 0, 4e-8)).norm(), 1e-15) << "has opened by so much";
}

TEST(ContactDrift, DoesNotAddUp) {
  // A solution of the law that asks d back leaves the first part of it, which is not asked.
  Constraint c = pressed(Vec3::Zero());
  c.drift = {0, 0, 3e-7};
  c.gap = 1e-6;
  RowLaw law = rough();
  law.target = -drift_to_undo(c, kTolerance) / kStep;
  c.U = law.target;
  EXPECT_LT((drift(c, law) - Vec3(0, 0, 0.01 * kEpsilon)).norm(), 1e-18);
  c.U = Vec3::Zero();  // in vain
  EXPECT_LT((drift(c, law) - c.drift).norm(), 1e-18);
}

TEST(ContactDrift, OfAVertexThatPressesIsLeftToItsGap) {
  Constraint c = pressed({1e-6, 0, 4e-6});
  c.vertex = Vertex::first;
  c.drift = {0, 0, 3e-7};
  c.gap = 2e-7;
  EXPECT_EQ(drift(c, rough()).z(), 3e-7);
  EXPECT_NEAR(drift(c, rough()).x(), 1e-8, 1e-18);
  EXPECT_NEAR(drift_to_undo(c, kTolerance).z(), 1.9e-7, 1e-18);
}

TEST(ContactDrift, NoneOfImpactsFailuresSpringsAndBoundedGaps) {
  const Vec3 U(0, 0, 4e-6);
  Constraint c = pressed(U);
  c.lasts = false;
  EXPECT_EQ(drift(c, rough()), Vec3::Zero()) << "an impact";
  EXPECT_EQ(drift(pressed(200 * U), rough()), Vec3::Zero()) << "more than a gap that is found";
  RowLaw law = rough();
  law.ahead = true;
  EXPECT_EQ(drift(pressed(U), law), Vec3::Zero());
  law = rough();
  law.kind = LawKind::spring_dashpot;
  EXPECT_EQ(drift(pressed(U), law), Vec3::Zero());
}

TEST(ContactDrift, BondsKeepAllOfIt) {
  Constraint c = pressed({3e-4, 0, 4e-4});
  c.bond = Bond{};
  RowLaw law = rough();
  law.cohesion = 100;
  EXPECT_LT((drift(c, law) - kStep * c.U).norm(), 1e-16);
  c.R = {0, 0, -100};
  c.U = {0, 0, 4e-4};
  EXPECT_LT(drift(c, law).norm(), 1e-16) << "it yields";
}

// Whatever has opened it: it would be lost.
TEST(ContactDrift, GapsThatComeNearTheToleranceAreAskedBack) {
  Constraint c = pressed(Vec3::Zero());
  c.gap = 0.4 * kEpsilon;
  EXPECT_EQ(asked_back(rough(), c, kTolerance), Vec3::Zero());
  c.gap = 0.8 * kEpsilon;
  EXPECT_NEAR(asked_back(rough(), c, kTolerance).z(), 0.3 * kEpsilon, 1e-12 * kEpsilon);
  c.drift.z() = 0.7 * kEpsilon;  // more than that is known to be the solver's
  EXPECT_NEAR(asked_back(rough(), c, kTolerance).z(), 0.69 * kEpsilon, 1e-12 * kEpsilon);
  c.drift.z() = 0;
  RowLaw ahead = rough();
  ahead.ahead = true;  // it bounds the gap
  EXPECT_EQ(asked_back(ahead, c, kTolerance), Vec3::Zero());
  c.R.z() = 0;
  EXPECT_EQ(asked_back(rough(), c, kTolerance), Vec3::Zero());
}

}  // namespace
}  // namespace solfec::contact_drift_test
