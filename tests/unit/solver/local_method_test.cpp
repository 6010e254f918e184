// One contact by the methods of the comparison of 2018, judged by the law in plain words.
#include "solver/local_method.hpp"

#include <gtest/gtest.h>

#include "support/local_problem.hpp"

namespace solfec::local_method_test {
namespace {

using testing::Random;

// A problem of one row with restitution and cohesion.
struct Case {
  testing::LocalProblem p;
  ConeInequality inequality;
  Vec3 offset;

  explicit Case(Random& random, HeldPart part = HeldPart::none)
      : p(testing::start_problem({12, 12}, 1, 0.01)), inequality(p.dynamics, part) {
    testing::add_random_row(p, random, 0, 1);
    testing::finish_problem(p, DelassusForm::assembled);
    RowLaw& law = p.dynamics.law[0];
    law.friction = random.integer(0, 3) == 0 ? 0 : random.uniform(0.05, 1);
    law.restitution = random.uniform(0, 1);
    law.cohesion = random.integer(0, 1) * random.uniform(0, 3);
    offset = velocity_offset(law, p.dynamics.V[0]);
    inequality.hold(p.solution);
  }
  const Mat3& W() const { return p.dynamics.W.diagonal(0); }
  const RowLaw& law() const { return p.dynamics.law[0]; }
  LocalContact contact() const {
    return {inequality,      0,      law().friction, W(), p.dynamics.W.diagonal_inverse(0),
            p.dynamics.B[0], offset, law().cohesion};
  }
  double violation(const Vec3& R) const {
    const Vec3 q = p.dynamics.B[0] + offset;
    return testing::law_violation(W() * R + q, shifted_reaction(law(), R), law().friction,
                                  q.norm() + 1, (W().inverse() * q).norm() + law().cohesion);
  }
};

// Newton's method without a search may go round; with one it nearly always arrives.
TEST(LocalMethod, EveryMethodKeepsTheLaw) {
  struct Method {
    LocalSettings settings;
    double share;  // of the problems that it solves
  };
  std::vector<Method> methods = {{{LocalMethod::exact}, 1},
                                 {{LocalMethod::adaptive_projections}, 0.9}};
  for (ContactMap map : {ContactMap::alart_curnier, ContactMap::jean_moreau})
    for (auto [search, share] :
         {std::pair(LineSearch::none, 0.8), std::pair(LineSearch::goldstein_price, 0.95)})
      methods.push_back({{LocalMethod::newton, map, search}, share});
  for (const Method& method : methods) {
    Random random(1);
    int solved = 0;
    constexpr int kCases = 1000;
    for (int k = 0; k < kCases; k++) {
      const Case c(random);
      const Vec3 R = solve_contact(method.settings, c.contact(), Vec3::Zero());
      EXPECT_TRUE(in_friction_cone(shifted_reaction(c.law(), R), c.law().friction, 1e-12));
      solved += c.violation(R) < 1e-7;
    }
    EXPECT_GE(solved, method.share * kCases)
        << static_cast<int>(method.settings.method) << ' ' << static_cast<int>(method.settings.map)
        << ' ' << static_cast<int>(method.settings.search);
  }
}

TEST(LocalMethod, OneProjectionIsOneStep) {
  Random random(2);
  for (int k = 0; k < 50; k++) {
    const Case c(random);
    const Vec3 R = random.in_box(3);
    const double largest = Eigen::SelfAdjointEigenSolver<Mat3>(c.W()).eigenvalues()(2);
    const Vec3 F = cone_velocity(c.law(), c.W() * R + c.p.dynamics.B[0], c.p.dynamics.V[0]);
    const Vec3 expected = c.inequality.project(0, R - F / largest);
    EXPECT_LT((solve_contact({LocalMethod::one_projection}, c.contact(), R) - expected).norm(),
              1e-9 * (1 + expected.norm()));
  }
}

// 0 <= S_N  _|_  Ubar_N >= 0 with R_T as it is.
TEST(LocalMethod, NormalLeavesTangentialReactions) {
  Random random(3);
  int pushed = 0;
  for (int k = 0; k < 50; k++) {
    const Case c(random, HeldPart::tangential);
    const Vec3 start = random.in_box(3);
    const Vec3 R = solve_contact({LocalMethod::normal}, c.contact(), start);
    EXPECT_EQ(R.head<2>(), start.head<2>());
    const double U_N = (c.W() * R + c.p.dynamics.B[0] + c.offset).z();
    const double S_N = R.z() + c.law().cohesion;
    EXPECT_GE(S_N, 0);
    EXPECT_GE(U_N, -1e-12);
    EXPECT_LT(std::min(U_N, S_N), 1e-12);
    pushed += S_N > 0;
  }
  EXPECT_GT(pushed, 10);
  EXPECT_LT(pushed, 50);
}

// Projections take whatever part is held.
TEST(LocalMethod, ProjectionsSolveHeldParts) {
  Random random(4);
  for (HeldPart part : {HeldPart::slip, HeldPart::threshold, HeldPart::normal})
    for (int k = 0; k < 50; k++) {
      const Case c(random, part);
      const Vec3 R =
          solve_contact({LocalMethod::adaptive_projections}, c.contact(), random.in_box(3));
      const Vec3 F = c.inequality.map(0, c.W() * R + c.p.dynamics.B[0]);
      for (int other = 0; other < 20; other++)
        EXPECT_GE(F.dot(c.inequality.project(0, random.in_box(10)) - R), -1e-5);
    }
}

}  // namespace
}  // namespace solfec::local_method_test
