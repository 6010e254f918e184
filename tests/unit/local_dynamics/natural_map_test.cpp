// The error of the natural map against values by hand, and against solutions of random problems.
#include "local_dynamics/natural_map.hpp"

#include <gtest/gtest.h>

#include "local_dynamics/contact_problem.hpp"
#include "support/local_problem.hpp"

namespace solfec::natural_map_test {
namespace {

// One contact with U = B + w R.
LocalDynamics one_contact(double w, const Vec3& B, double friction) {
  return local_dynamics_of({{{0, 1}, {0}, {w * Mat3::Identity()}}, {B}, {friction}, "", "", ""});
}

double error_of(const LocalDynamics& p, const Vec3& R) {
  LocalSolution s(p);
  s.R[0] = R;
  return natural_map_error(p, s, Communicator());
}

TEST(NaturalMap, IsZeroAtSolutions) {
  EXPECT_EQ(error_of(one_contact(1, {0, 0, -1}, 0.5), {0, 0, 1}), 0) << "sticks";
  EXPECT_EQ(error_of(one_contact(1, {1, 2, 3}, 0.5), {0, 0, 0}), 0) << "opens";
  // U_N = 0 asks for R_N = 1, friction takes 0.5 of the 3 that slide.
  EXPECT_NEAR(error_of(one_contact(1, {3, 0, -1}, 0.5), {-0.5, 0, 1}), 0, 1e-16) << "slides";
}

TEST(NaturalMap, IsThatOfHand) {
  // F = (0, 0, -1), P_K(-F) = (0, 0, 1), |q| = 1.
  EXPECT_NEAR(error_of(one_contact(1, {0, 0, -1}, 0.5), {0, 0, 0}), 1, 1e-15);
  // F = (3, 0, -1 + 0.5 3), P_K(-F) = (-0.4, 0, 0.8), |q| = sqrt 10.
  EXPECT_NEAR(error_of(one_contact(1, {3, 0, -1}, 0.5), {0, 0, 0}), std::sqrt(0.8 / 10), 1e-15);
  // W counts: U = (0, 0, -4 + 2 3) = 2, R - F = 1 is in K, what is left is 2; |q| = 4.
  EXPECT_NEAR(error_of(one_contact(2, {0, 0, -4}, 0.5), {0, 0, 3}), 0.5, 1e-15);
  // Outside of the cone where nothing moves: P_K(2, 0, 1) = (0.8, 0, 1.6), |q| = |(2, 0, 1)|.
  EXPECT_NEAR(error_of(one_contact(1, {-2, 0, -1}, 0.5), {2, 0, 1}), std::sqrt(1.8 / 5), 1e-15);
}

TEST(NaturalMap, IsAbsoluteWithoutFreeVelocity) {
  EXPECT_EQ(error_of(one_contact(1, {0, 0, 0}, 0.5), {0, 0, 0}), 0);
  // U = R = (0, 0, -2): R - F = 0, what is left is R.
  EXPECT_EQ(error_of(one_contact(1, {0, 0, 0}, 0.5), {0, 0, -2}), 2);
}

TEST(NaturalMap, KnowsRestitutionCohesionAndTarget) {
  LocalDynamics p = one_contact(2, {0, 0, -1}, 0.5);
  p.V[0] = {0, 0, -3};
  p.law[0].restitution = 0.5;
  p.law[0].cohesion = 4;
  p.law[0].target = {0, 0, 0.25};
  // Ubar_N - U_N = -1.5 - 0.25;  q_N = -1 - 1.75 - 2 4.
  EXPECT_EQ(natural_free_velocity(p, Communicator())[0], Vec3(0, 0, -10.75));
  EXPECT_EQ(natural_map_scale(p, Communicator()), 10.75);
  // Ubar_N = -1 + 2 R_N - 1.75 = 0 at R_N = 1.375.
  EXPECT_EQ(error_of(p, {0, 0, 1.375}), 0);
  // R_N = 1.5: Ubar_N = 0.25 and S_N = 5.5 > 0.
  EXPECT_NEAR(error_of(p, {0, 0, 1.5}), 0.25 / 10.75, 1e-16);
}

TEST(NaturalMap, CountsWhatJointsMiss) {
  LocalDynamics p =
      local_dynamics_of({{{0, 1, 2, 3}, {0, 1, 2}, std::vector(3, Mat3(2 * Mat3::Identity()))},
                         {{0, 0, -4}, {1, 2, 3}, {5, 6, 7}},
                         {0.5, 0, 0},
                         "",
                         "",
                         ""});
  p.law[1].kind = LawKind::fixed_point;
  p.law[1].target = {1, 1, 1};
  p.law[2].kind = LawKind::fixed_direction;
  p.law[2].target = {0, 0, 9};
  const std::vector<Vec3> q = natural_free_velocity(p, Communicator());
  EXPECT_EQ(q, (std::vector<Vec3>{{0, 0, -4}, {0, 1, 2}, {0, 0, -2}}));
  EXPECT_EQ(natural_map_scale(p, Communicator()), 5);
  LocalSolution s(p);
  s.R = {{0, 0, 2}, {0, -0.5, -1}, {0, 0, 1}};
  EXPECT_EQ(natural_map_error(p, s, Communicator()), 0);
  s.R[1] = {0.5, 0, 0};  // U - target = (1, 1, 2)
  s.R[2] = {0, 0, -1};   // -4
  EXPECT_NEAR(natural_map_error(p, s, Communicator()), std::sqrt(6 + 16) / 5, 1e-15);
  EXPECT_EQ(natural_map_share(p, 2, s.U[2], s.R[2]), 16);
}

// In terms of S, with q for B, each problem is one of plain contacts.
TEST(NaturalMap, IsThatOfThePlainProblem) {
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored}) {
    testing::LocalProblem p = testing::random_problem(7, 4, 9, 0.01, form);
    testing::Random random(5);
    LocalDynamics plain = p.dynamics;
    LocalSolution shifted(plain);
    plain.B = natural_free_velocity(
        [&] {
          for (int row = 0; row < 9; row++) {
            p.dynamics.law[row].restitution = random.uniform(0, 1);
            p.dynamics.law[row].cohesion = row % 2 * random.uniform(0, 5);
            p.solution.R[row] = random.in_box(3);
            shifted.R[row] = shifted_reaction(p.dynamics.law[row], p.solution.R[row]);
          }
          return p.dynamics;
        }(),
        Communicator());
    const double error = natural_map_error(p.dynamics, p.solution, Communicator());
    EXPECT_GT(error, 0);
    EXPECT_NEAR(natural_map_error(plain, shifted, Communicator()), error, 1e-12 * error);
  }
}

}  // namespace
}  // namespace solfec::natural_map_test
