// The variational inequality of a step: its projection against random points, its solutions against
// those of Gauss-Seidel.
#include "solver/cone_inequality.hpp"

#include <gtest/gtest.h>

#include "local_dynamics/linearization.hpp"
#include "support/tight_solvers.hpp"

namespace solfec::cone_inequality_test {
namespace {

RowLaw law_of(int k, testing::Random& random) {
  RowLaw law;
  if (k % 3 == 1) law.kind = LawKind::fixed_point;
  if (k % 3 == 2) law.kind = LawKind::fixed_direction;
  law.friction = random.integer(0, 3) == 0 ? 0 : random.uniform(0.1, 1.5);
  law.cohesion = law.kind == LawKind::signorini_coulomb ? random.uniform(0, 1) : 0;
  return law;
}

TEST(ConeInequality, ProjectionIsTheNearestPoint) {
  testing::Random random(1);
  for (int k = 0; k < 3000; k++) {
    const RowLaw law = law_of(k, random);
    const Vec3 R = random.in_box(3), P = admissible(law, R);
    EXPECT_TRUE(admissible(law, P).isApprox(P, 1e-12) || P.norm() < 1e-12);
    // X is convex: P is the nearest point when every other one lies on the far side of its plane.
    const Vec3 other = admissible(law, random.in_box(5));
    EXPECT_LE((R - P).dot(other - P), 1e-12);
  }
}

// Contacts, points and directions, with restitution and cohesion.
TEST(ConeInequality, SolutionsOfTheLawsSolveIt) {
  for (int seed = 0; seed < 20; seed++) {
    testing::LocalProblem p = testing::closing_contacts(seed, 8, 10);
    testing::Random random(seed + 50);
    for (int row = 0; row < p.dynamics.rows(); row++) {
      RowLaw& law = p.dynamics.law[row];
      if (row % 5 == 3) law.kind = LawKind::fixed_point;
      if (row % 5 == 4) law.kind = LawKind::fixed_direction;
      law.target = row % 5 == 4 ? Vec3(0, 0, 0.2) : row % 5 == 3 ? Vec3(0.1, 0, 0.2) : law.target;
      law.restitution = law.is_contact() ? 0.5 : 0;
      law.cohesion = law.is_contact() && row % 2 == 0 ? 0.3 : 0;
    }
    ASSERT_TRUE(is_cone_inequality(p.dynamics));
    GaussSeidel solver(testing::tight_gauss_seidel());
    LocalSolution& s = p.solution;
    ASSERT_EQ(solver.solve(p.dynamics, s, Communicator()).status, SolveStatus::ok);
    // And the problems in which a part of the law is held at what it is for them.
    for (HeldPart part : {HeldPart::none, HeldPart::slip, HeldPart::threshold, HeldPart::tangential,
                          HeldPart::normal}) {
      ConeInequality inequality(p.dynamics, part);
      inequality.hold(s);
      for (int row = 0; row < p.dynamics.rows(); row++) {
        EXPECT_LT((inequality.project(row, s.R[row]) - s.R[row]).norm(), 1e-8);
        const Vec3 F = inequality.map(row, s.U[row]);
        for (int k = 0; k < 20; k++) {
          const Vec3 Y = inequality.project(row, s.R[row] + random.in_box(10));
          EXPECT_GE(F.dot(Y - s.R[row]), -1e-8) << seed << ' ' << row;
        }
      }
    }
  }
}

// F and X of one contact, written out.
TEST(ConeInequality, HeldPartsAreWhatTheyWere) {
  testing::LocalProblem p = testing::closing_contacts(3, 1, 1);
  LocalSolution& s = p.solution;
  testing::Random random(4);
  s.R[0] = Vec3(0.1, 0.2, 3);
  s.U[0] = Vec3(0.3, -0.4, 0.5);
  const RowLaw& law = p.dynamics.law[0];
  const Vec3 offset = velocity_offset(law, p.dynamics.V[0]);
  const auto map = [&](HeldPart part, const Vec3& U) {
    ConeInequality inequality(p.dynamics, part);
    inequality.hold(s);
    return inequality.map(0, U);
  };
  const Vec3 U = random.in_box(2), Ubar = U + offset;
  const double slip = law.friction * tangent_norm(s.U[0] + offset);
  EXPECT_EQ(map(HeldPart::slip, U), Vec3(Ubar.x(), Ubar.y(), Ubar.z() + slip));
  EXPECT_EQ(map(HeldPart::threshold, U), Ubar);
  EXPECT_EQ(map(HeldPart::tangential, U), Vec3(0, 0, Ubar.z()));
  EXPECT_EQ(map(HeldPart::normal, U), Vec3(Ubar.x(), Ubar.y(), 0));
  ConeInequality threshold(p.dynamics, HeldPart::threshold);
  threshold.hold(s);
  const Vec3 R = threshold.project(0, Vec3(30, 40, -1));
  EXPECT_TRUE(R.isApprox(law.friction * 3 * Vec3(0.6, 0.8, 0), 1e-14));
}

TEST(ConeInequality, SpringsAndLinksMakeNone) {
  for (LawKind kind : {LawKind::spring, LawKind::spring_dashpot, LawKind::rigid_link}) {
    testing::LocalProblem p = testing::closing_contacts(1, 4, 3);
    p.dynamics.law[1].kind = kind;
    EXPECT_FALSE(is_cone_inequality(p.dynamics));
  }
}

}  // namespace
}  // namespace solfec::cone_inequality_test
