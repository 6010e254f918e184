// Solutions against the equation of DEF_IMP, and against the work that loads do.
#include "body/conserving_solution.hpp"

#include <gtest/gtest.h>

#include "body/finite_elements.hpp"
#include "body/integration.hpp"
#include "support/make_bodies.hpp"

namespace solfec::conserving_solution_test {
namespace {

using testing::Random;
using Vector = Eigen::VectorXd;

class ConservingSolution : public ::testing::Test {
 protected:
  ConservingSolution() {
    materials.store({"rubber", 1e4, 0.3, 1000});
    testing::add_body(bodies, BodyKind::finite_element,
                      testing::meshed_box({0, 0, 0}, {0.5, 0.3, 0.2}, 2));
    bodies[0].scheme = Scheme::def_imp;
    Eigen::Map<Vector> x(bodies.x(0), n), u(bodies.u(0), n);
    for (Eigen::Index k = 0; k < n; k++) {
      x[k] += random.uniform(-0.01, 0.01);
      u[k] = random.uniform(-1, 1);
    }
  }
  FiniteElements& elements() { return bodies.finite_elements(0, materials); }
  Vector random_force(double size) {
    Vector f(n);
    for (double& value : f) value = random.uniform(-size, size);
    return f;
  }
  double energy_at(const Vector& x, const Vector& u) {
    return 0.5 * u.dot(elements().times_mass(u)) + elements().elastic().strain_energy(x.data());
  }

  const Eigen::Index n = 81;
  const double h = 5e-3;
  Random random{21};
  BodyStore bodies;
  BulkMaterials materials;
};

TEST_F(ConservingSolution, WorkOfForcesIsTheChangeOfEnergy) {
  elements();
  factor_stiffness(bodies, 0, 0.25 * h * h, {0.25 * h * h, bodies.x(0)});
  for (int repeat = 0; repeat < 5; repeat++) {
    const Vector u = Eigen::Map<const Vector>(bodies.u(0), n),
                 half = Eigen::Map<const Vector>(bodies.x(0), n), force = random_force(50);
    Vector next = u;
    ASSERT_TRUE(solve_conserving(bodies, 0, h, force, next));
    const Vector start = half - 0.5 * h * u, end = half + 0.5 * h * next, mean = 0.5 * (u + next);
    Vector left = elements().times_mass(next - u) - h * force;
    elements().elastic().add_conserving_force(start.data(), end.data(), mean.data(), 0, h,
                                              left.data());
    EXPECT_LT(left.norm(), 1e-10 * h * force.norm());
    const double before = energy_at(start, u), after = energy_at(end, next);
    EXPECT_GT(std::abs(after - before), 1e-3 * before);
    EXPECT_NEAR(after - before, h * force.dot(mean), 1e-10 * before);
  }
}

TEST_F(ConservingSolution, CorrectionsLeadToTheEndOfTheStep) {
  elements();
  factor_stiffness(bodies, 0, 0.25 * h * h, {0.25 * h * h, bodies.x(0)});
  finite_element_free_velocity(bodies, 0, h);
  const Vector r = random_force(200);
  Vector linear = r;
  elements().solve(bodies.q(0), linear.data());
  linear = Eigen::Map<const Vector>(bodies.b(0), n) + h * linear;
  Vector correction = Vector::Zero(n);
  for (int repeat = 0; repeat < 2; repeat++) {  // from zero, and from what it is
    ASSERT_TRUE(finite_element_correction(bodies, 0, h, r.data(), correction.data()));
    EXPECT_GT(correction.norm(), 1e-5 * linear.norm());
  }
  const Vector expected = linear + correction;
  finite_element_end_step(bodies, 0, h, r.data());
  EXPECT_LT((Eigen::Map<const Vector>(bodies.u(0), n) - expected).norm(), 1e-11 * expected.norm());
}

TEST_F(ConservingSolution, SaysWhereThereIsNone) {
  elements();
  factor_stiffness(bodies, 0, 0.25, {0.25, bodies.x(0)});
  Vector next = Vector::Zero(n);
  EXPECT_FALSE(solve_conserving(bodies, 0, 1, Vector::Constant(n, 1e30), next));
  const TimeStep step{0, h};
  std::vector<double> correction;
  std::fill_n(bodies.joint_reaction(0), n, 1e30);
  EXPECT_TRUE(conserves(bodies, 0, step));
  update_correction(bodies, materials, 0, step, correction);
  EXPECT_TRUE(std::isnan(correction[0]));
  // That is no place to look from when less is asked.
  std::fill_n(bodies.joint_reaction(0), n, 1.0);
  factor_stiffness(bodies, 0, 0.25 * h * h, {0.25 * h * h, bodies.x(0)});
  finite_element_free_velocity(bodies, 0, h);
  update_correction(bodies, materials, 0, step, correction);
  EXPECT_TRUE(std::isfinite(correction[0]));
  EXPECT_NE(no_conserving_motion(bodies, 0).find("reduce the step"), std::string::npos);
}

}  // namespace
}  // namespace solfec::conserving_solution_test
