// Smoothed functions against their definitions in the report (equations 24, 25, 39), gradients
// against complex steps of those in extended precision.
#include "math/smoothed_cone.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "math/friction_cone.hpp"
#include "support/random.hpp"

namespace solfec::smoothed_cone_test {
namespace {

using testing::Random;
using Real = long double;
using Complex = std::complex<Real>;
using ComplexVector = std::array<Complex, 3>;

// w g(s / w), g(s) = (s + sqrt(s^2 + 4)) / 2; the product of both roots of the quadratic equation
// for it is -w^2, which avoids differences.
Complex ramp(Complex s, Real w) {
  const Complex root = std::sqrt(s * s + 4 * w * w);
  return s.real() < 0 ? 2 * w * w / (root - s) : (s + root) / Real(2);
}

// Equations 20 to 24, z_T = 0 by the limit; for mu = 0 equation 32.
ComplexVector polar_projection(const ComplexVector& z, Real mu, Real omega) {
  const Complex size = std::sqrt(z[0] * z[0] + z[1] * z[1]);
  const Complex l1 = (-z[2] - mu * size) / (1 + mu * mu), l2 = (size - mu * z[2]) / (1 + mu * mu);
  const Complex g1 = ramp(l1, omega), g2 = mu == 0 ? l2 : ramp(l2, mu * omega);
  const Complex t0 = z[0] / size, t1 = z[1] / size;
  return {(g2 - mu * g1) * t0, (g2 - mu * g1) * t1, -g1 - mu * g2};
}

// Column j by a complex step.
Vec3 slope(const Vec3& z, double mu, double omega, int j) {
  const Real step = 1e-30L * static_cast<Real>(std::max(z.norm(), omega));
  ComplexVector at = {Complex(z.x()), Complex(z.y()), Complex(z.z())};
  at[j] += Complex(0, step);
  const ComplexVector value = polar_projection(at, mu, omega);
  Vec3 column;
  for (int i = 0; i < 3; i++) column[i] = static_cast<double>(value[i].imag() / step);
  return column;
}

void expect_slopes(const Vec3& z, double mu, double omega, double tolerance) {
  const SmoothedValue m = smoothed_polar_projection(z, mu, omega);
  Mat3 exact;
  for (int j = 0; j < 3; j++) exact.col(j) = slope(z, mu, omega, j);
  EXPECT_LE((m.gradient - exact).cwiseAbs().maxCoeff(), tolerance * exact.cwiseAbs().maxCoeff())
      << "z = " << z.transpose() << ", mu = " << mu << ", omega = " << omega << "\n"
      << m.gradient << "\n"
      << exact;
}

TEST(SmoothedCone, GradientsAreThoseOfTheDefinition) {
  Random random(1);
  for (int k = 0; k < 20000; k++) {
    const double scale = std::pow(10.0, random.uniform(-12, 12));
    const double mu = k % 5 == 0 ? 0.0 : std::pow(10.0, random.uniform(-3, 0.5));
    // Where the roundings of z are not those of the distance from a kink.
    const double omega = scale * std::pow(10.0, random.uniform(-6, 3));
    expect_slopes(scale * random.in_box(1), mu, omega, 1e-8);
  }
}

TEST(SmoothedCone, GradientsHoldInTheLimits) {
  Random random(2);
  for (int k = 0; k < 5000; k++) {
    const double mu = k % 4 == 0 ? 0.0 : random.uniform(0.01, 2),
                 scale = std::pow(10.0, k % 13 - 6);
    Vec3 z = scale * random.in_box(1);
    z.head<2>() *= std::pow(10.0, -random.integer(1, 7));  // z_T -> 0
    expect_slopes(z, mu, scale, 1e-8);
    z.head<2>() *= 1e-6;
    const Mat3 near = smoothed_polar_projection(z, mu, scale).gradient;
    const Mat3 at = smoothed_polar_projection({0, 0, z.z()}, mu, scale).gradient;
    EXPECT_LT((near - at).norm(), 1e-4);
    if (mu > 0) {
      EXPECT_LT((at - at(2, 2) * Mat3::Identity()).norm(), 1e-15);
    }
  }
  // omega -> 0 away from the kinks: the gradient of the projection itself.
  for (int k = 0; k < 5000; k++) {
    const double mu = k % 4 == 0 ? 0.0 : random.uniform(0.01, 2);
    const Vec3 z = random.in_box(1);
    const double size = z.head<2>().norm();
    if (std::min({std::abs(size - mu * z.z()), std::abs(z.z() + mu * size), size}) < 0.01) continue;
    const SmoothedValue m = smoothed_polar_projection(z, mu, 1e-11);
    EXPECT_LT((m.value - project_on_polar_cone(z, mu)).norm(), 1e-12);
    for (int j = 0; j < 3; j++) {
      const Vec3 step = 1e-5 * Vec3::Unit(j);
      const Vec3 difference =
          (project_on_polar_cone(z + step, mu) - project_on_polar_cone(z - step, mu)) / 2e-5;
      EXPECT_LT((m.gradient.col(j) - difference).norm(), 1e-7);
    }
  }
}

TEST(SmoothedCone, WithoutFrictionTangentsAreLeftAlone) {
  for (const Vec3& z : {Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(0, 0, 0), Vec3(3, -4, 2)}) {
    const SmoothedValue m = smoothed_polar_projection(z, 0, 0.1);
    const double slope = 0.5 * (1 - z.z() / std::hypot(z.z(), 0.2));
    EXPECT_NEAR((m.gradient - Mat3(Vec3(1, 1, slope).asDiagonal())).norm(), 0, 1e-15);
    EXPECT_EQ(m.value.head<2>(), z.head<2>());
  }
}

TEST(SmoothedCone, GradientsArePositiveAndAtMostOne) {
  Random random(3);
  for (int k = 0; k < 5000; k++) {
    const double omega = std::pow(10.0, random.uniform(-14, 2));
    const Mat3 D =
        smoothed_polar_projection(random.in_box(1), random.uniform(0, 2), omega).gradient;
    EXPECT_LT((D - D.transpose()).norm(), 1e-15);
    const Vec3 values = Eigen::SelfAdjointEigenSolver<Mat3>(D).eigenvalues();
    EXPECT_GE(values[0], -1e-14);
    EXPECT_LE(values[2], 1 + 1e-14);
  }
}

TEST(SmoothedCone, AllIsFiniteAtTheApexWithoutSmoothing) {
  for (double mu : {0.0, 0.5, 2.0}) {
    const SmoothedValue m = smoothed_polar_projection(Vec3::Zero(), mu, 0);
    EXPECT_EQ(m.value, Vec3::Zero());
    EXPECT_TRUE(m.gradient.allFinite());
  }
  EXPECT_EQ(smoothed_norm(Vec2::Zero(), 0).value, 0);
  EXPECT_EQ(smoothed_norm(Vec2::Zero(), 0).slope, Vec2::Zero());
}

TEST(SmoothedCone, NormsAndTheirSlopes) {
  Random random(4);
  for (int k = 0; k < 5000; k++) {
    const double scale = std::pow(10.0, random.uniform(-12, 12));
    const Vec2 U = scale * random.in_box(1).head<2>();
    const Real omega = scale * std::pow(10.0, random.uniform(-8, 8));
    const SmoothedNorm norm = smoothed_norm(U, static_cast<double>(omega));
    const Real x = U.x(), y = U.y(), root = std::sqrt(x * x + y * y + omega * omega);
    const Real value = (x * x + y * y) / (root + omega);
    EXPECT_NEAR(norm.value, static_cast<double>(value), 1e-14 * static_cast<double>(value));
    EXPECT_NEAR(norm.slope.x(), static_cast<double>(x / root), 1e-14);
    EXPECT_NEAR(norm.slope.y(), static_cast<double>(y / root), 1e-14);
  }
}

}  // namespace
}  // namespace solfec::smoothed_cone_test
