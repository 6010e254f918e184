// Linearised laws: their values are the residuals, their slopes those of differences.
#include "local_dynamics/linearization.hpp"

#include <gtest/gtest.h>

#include "support/local_problem.hpp"

namespace solfec::linearization_test {
namespace {

using testing::LocalProblem;
using testing::Random;

constexpr LawKind kKinds[] = {LawKind::signorini_coulomb, LawKind::spring_dashpot,
                              LawKind::fixed_point,       LawKind::fixed_direction,
                              LawKind::rigid_link,        LawKind::spring};

// One row of its own, at a random state.
LocalProblem row_of(LawKind kind, Random& random) {
  LocalProblem p = testing::start_problem({12, 12}, 1, 0.01);
  testing::add_random_row(p, random, 0, 1);
  testing::finish_problem(p, DelassusForm::assembled);
  RowLaw& law = p.dynamics.law[0];
  law.kind = kind;
  law.friction = random.integer(0, 3) == 0 ? 0 : random.uniform(0.05, 1.5);
  law.restitution = random.uniform(0, 1);
  law.tangential_restitution = random.integer(0, 1) * random.uniform(0, 1);
  law.cohesion = random.integer(0, 1) * random.uniform(0, 3);
  law.gap = random.uniform(-0.05, 0.02);
  law.target = kind == LawKind::fixed_point ? random.in_box(1) : Vec3(0, 0, random.uniform(-1, 1));
  const double force = random.uniform(-20, 20), low = -random.uniform(0, 0.5),
               high = random.uniform(0, 0.5);
  if (kind == LawKind::rigid_link) {
    law.span = 0.3;
    law.length = 0.31;
  } else if (kind == LawKind::spring) {
    law.force = force;
    law.low = low;
    law.high = high;
  } else {
    law.spring = 500;
    law.dashpot = 2;
  }
  p.solution.U[0] = random.in_box(2);
  p.solution.R[0] = 5 * random.in_box(2);
  return p;
}

using Linearize = RowLinearization (*)(const LocalDynamics& problem, const LocalSolution& solution,
                                       int row, double parameter);

// X and Y against differences of C, but across kinks.
void expect_slopes(Linearize linearize_row, double parameter) {
  Random random(1);
  for (LawKind kind : kKinds) {
    int compared = 0;
    for (int k = 0; k < 300; k++) {
      LocalProblem p = row_of(kind, random);
      const LocalDynamics& d = p.dynamics;
      LocalSolution& s = p.solution;
      const RowLinearization l = linearize_row(d, s, 0, parameter);
      const auto difference = [&](Vec3& v, int j, double step) {
        const Vec3 kept = v;
        v[j] += step;
        const Vec3 high = linearize_row(d, s, 0, parameter).C;
        v = kept;
        v[j] -= step;
        const Vec3 low = linearize_row(d, s, 0, parameter).C;
        v = kept;
        return Vec3((high - low) / (2 * step));
      };
      for (int j = 0; j < 3; j++)
        for (auto [v, slope] : {std::pair(&s.U[0], &l.X), std::pair(&s.R[0], &l.Y)}) {
          const double step = 1e-6;
          const Vec3 fine = difference(*v, j, step), coarse = difference(*v, j, 10 * step);
          if ((fine - coarse).norm() > 1e-7) continue;  // across a kink of the law
          EXPECT_LT((slope->col(j) - fine).norm(), 1e-6) << static_cast<int>(kind) << ", " << j;
          compared++;
        }
    }
    EXPECT_GT(compared, 1500) << static_cast<int>(kind);
  }
}

template <int scale>
RowLinearization smoothed(const LocalDynamics& problem, const LocalSolution& solution, int row,
                          double omega) {
  return linearize(problem, solution, row, omega, scale);
}

template <ContactMap map>
RowLinearization mapped(const LocalDynamics& problem, const LocalSolution& solution, int row,
                        double rho) {
  return linearize(problem, solution, row, map, {rho, 1.7 * rho});
}

constexpr Linearize kMaps[] = {mapped<ContactMap::natural>, mapped<ContactMap::alart_curnier>,
                               mapped<ContactMap::jean_moreau>,
                               mapped<ContactMap::fischer_burmeister>};

TEST(Linearization, SlopesAreThoseOfDifferences) {
  expect_slopes(smoothed<1>, 0.05);
  expect_slopes(smoothed<4>, 0.05);
  for (Linearize map : kMaps)
    for (double rho : {0.3, 3.0, 30.0}) expect_slopes(map, rho);
}

// All forms of the law of contact vanish at the same U and R.
TEST(Linearization, MapsVanishWhereTheLawHolds) {
  Random random(4);
  int states[3] = {0, 0, 0};
  for (int k = 0; k < 300; k++) {
    LocalProblem p = row_of(LawKind::signorini_coulomb, random);
    const LocalDynamics& d = p.dynamics;
    LocalSolution& s = p.solution;
    const RowLaw& law = d.law[0];
    const Vec3 offset = velocity_offset(law, d.V[0]);
    const double bound = random.uniform(0, 5);
    const int state = k % 3;  // open, sticking, sliding
    const Vec2 t = random.in_box(1).head<2>().normalized();
    s.U[0].setZero();
    s.R[0] = {0, 0, bound - law.cohesion};
    if (state == 0) {
      s.U[0] = {t.x(), t.y(), random.uniform(0, 1)};
      s.R[0].z() = -law.cohesion;
    } else {
      s.R[0].head<2>() = -(state == 1 ? 0.9 : 1.0) * law.friction * bound * t;
      if (state == 2) s.U[0].head<2>() = random.uniform(0, 2) * t;
    }
    s.U[0] -= offset;
    // That of Fischer and Burmeister to the root of rounding: roots of sums of squares.
    for (Linearize map : kMaps)
      for (double rho : {0.3, 3.0})
        EXPECT_LT(map(d, s, 0, rho).C.norm(), map == kMaps[3] ? 1e-6 : 1e-13) << state;
    EXPECT_LT(residual(d, s, 0).norm(), 1e-14) << state;
    s.R[0] += 0.1 * random.in_box(1).normalized();
    if (state != 1) {  // where it sticks, R next to it will do as well
      for (Linearize map : kMaps) EXPECT_GT(map(d, s, 0, 3.0).C.norm(), 1e-6) << state;
    }
    states[state]++;
  }
  EXPECT_GT(std::min({states[0], states[1], states[2]}), 50);
}

TEST(Linearization, ValuesAreTheResidualsWithoutSmoothing) {
  Random random(2);
  for (LawKind kind : kKinds)
    for (int k = 0; k < 100; k++) {
      LocalProblem p = row_of(kind, random);
      const LocalDynamics& d = p.dynamics;
      LocalSolution& s = p.solution;
      s.R[0] = admissible(d.law[0], s.R[0]);
      const Vec3 C = linearize(d, s, 0, 1e-12, reaction_scale(d.W.diagonal(0))).C;
      EXPECT_LT((C - residual(d, s, 0)).norm(), 1e-10) << static_cast<int>(kind);
    }
}

TEST(Linearization, AdmissibleReactionsAreTheNearest) {
  Random random(3);
  for (int k = 0; k < 100; k++) {
    RowLaw law;
    law.friction = random.uniform(0, 2);
    law.cohesion = k % 2 == 0 ? 0 : random.uniform(0, 1);
    const Vec3 R = random.in_box(2), near = admissible(law, R);
    const Vec3 S = shifted_reaction(law, near);
    EXPECT_LE(S.head<2>().norm(), law.friction * S.z() + 4e-15);
    EXPECT_NEAR((S - project_on_friction_cone(shifted_reaction(law, R), law.friction)).norm(), 0,
                1e-14);
    law.kind = LawKind::rigid_link;
    EXPECT_EQ(admissible(law, R), Vec3(0, 0, R.z()));
    law.kind = LawKind::fixed_point;
    EXPECT_EQ(admissible(law, R), R);
  }
}

}  // namespace
}  // namespace solfec::linearization_test
