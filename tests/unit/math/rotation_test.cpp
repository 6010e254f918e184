// Rotations against the power series of the matrix exponential and Eigen's AngleAxis.
#include "math/rotation.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "support/random_solids.hpp"

namespace solfec::rotation_test {
namespace {

using testing::Random;

// sum_k p^k / ((k + 1) (k + 2) ... (k + shift) k!): the exponential of p, or its mean over [0, p].
Mat3 power_series(const Mat3& p, int shift) {
  Mat3 term = Mat3::Identity(), sum = Mat3::Zero();
  for (int k = 0; k < 80; k++) {
    sum += term;
    term = term * p / (k + 1 + shift);
  }
  return sum;
}

// Angles about zero, about the change from series to closed form (0.5), about half and full turns.
constexpr double kPi = std::numbers::pi;
const std::vector<double> kAngles = {0,   1e-300,     1e-160, 1e-12,      1e-8, 1e-4,
                                     0.1, 0.5 - 1e-9, 0.5,    0.5 + 1e-9, 1,    kPi - 1e-8,
                                     kPi, 3.2,        6,      2 * kPi,    7};

TEST(Rotation, ExponentialIsThePowerSeries) {
  Random random(1);
  for (double angle : kAngles)
    for (int k = 0; k < 20; k++) {
      const Vec3 psi = angle * random.direction();
      EXPECT_NEAR((exponential(psi) - power_series(skew(psi), 0)).norm(), 0,
                  1e-15 * (10 + std::exp(angle)))
          << angle;
    }
}

TEST(Rotation, ExponentialTurnsAboutItsVector) {
  Random random(2);
  for (double angle : kAngles)
    for (int k = 0; k < 20; k++) {
      const Vec3 axis = random.direction();
      const Mat3 R = exponential(angle * axis);
      EXPECT_NEAR((R - Eigen::AngleAxisd(angle, axis).toRotationMatrix()).norm(), 0, 5e-15)
          << angle;
      EXPECT_NEAR((R * axis - axis).norm(), 0, 2e-15);
      EXPECT_NEAR((R.transpose() * R - Mat3::Identity()).norm(), 0, 3e-15);
      EXPECT_NEAR(R.determinant(), 1, 3e-15);
      EXPECT_EQ(
          (rotation_about(3 * axis, angle) - exponential((3 * axis).normalized() * angle)).norm(),
          0);
    }
}

TEST(Rotation, SmallAnglesKeepTheirDigits) {
  // R - 1 = [psi] to first order: relative accuracy, where 1 - cos would have lost everything.
  for (double angle : {1e-6, 1e-9, 1e-12}) {
    const Vec3 psi = angle * Vec3(1, 2, -2) / 3;
    const Mat3 R = exponential(psi);
    const Vec3 vector(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
    EXPECT_NEAR((0.5 * vector - psi).norm(), 0, std::pow(angle, 3) + 1e-15 * angle);
  }
}

TEST(Rotation, JacobianIsTheMeanOfTheRotationsOnTheWay) {
  // T(psi) = int_0^1 exp(-s psi) ds
  Random random(3);
  for (double angle : kAngles)
    for (int k = 0; k < 20; k++) {
      const Vec3 psi = angle * random.direction();
      EXPECT_NEAR((exponential_jacobian(psi) - power_series(-skew(psi), 1)).norm(), 0,
                  1e-15 * (10 + std::exp(angle)))
          << angle;
    }
}

TEST(Rotation, JacobianPredictsNeighbouringRotations) {
  Random random(4);
  for (double angle : {0.0, 0.3, 1.0, 3.0, 5.0}) {
    const Vec3 psi = angle * random.direction(), d = 1e-5 * random.direction();
    const Mat3 predicted = exponential(psi) * exponential(exponential_jacobian(psi) * d);
    EXPECT_NEAR((exponential(psi + d) - predicted).norm(), 0, 1e-9) << angle;
    // The error is of second order.
    const Mat3 nearer = exponential(psi) * exponential(exponential_jacobian(psi) * (0.1 * d));
    EXPECT_NEAR((exponential(psi + 0.1 * d) - nearer).norm(), 0, 1e-11) << angle;
  }
}

TEST(Rotation, ReorthogonalisedIsTheClosestRotation) {
  Random random(5);
  for (int k = 0; k < 100; k++) {
    Mat3 noise;
    for (int i = 0; i < 9; i++) noise(i) = random.uniform(-1e-9, 1e-9);
    const Mat3 A = random.rotation() + noise;
    const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Mat3 polar = svd.matrixU() * svd.matrixV().transpose();
    EXPECT_NEAR((reorthogonalised(A) - polar).norm(), 0, 5e-15);
  }
}

// Against the definition: no turn about an axis of R^T A makes tr(R^T A) larger, as the symmetric
// R^T A has but non-negative sums of two eigenvalues.
TEST(Rotation, NearestIsAHighestPoint) {
  Random random(6);
  for (int k = 0; k < 2000; k++) {
    Mat3 A = random.rotation() * Vec3(1, random.uniform(0, 1), 1).asDiagonal() * random.rotation();
    if (k % 4 == 1) A.col(0) *= -1;                            // reflected
    if (k % 4 == 2) A = A * Vec3(1, 1e-3, 1e-3).asDiagonal();  // slender
    A *= std::pow(10.0, random.uniform(-20, 20));
    const Mat3 R = nearest_rotation(A), S = R.transpose() * A;
    EXPECT_NEAR((R.transpose() * R - Mat3::Identity()).norm(), 0, 1e-14);
    EXPECT_NEAR(R.determinant(), 1, 1e-14);
    EXPECT_NEAR((S - S.transpose()).norm() / A.norm(), 0, 1e-14) << k;
    const Vec3 stretches = S.selfadjointView<Eigen::Lower>().eigenvalues();
    EXPECT_GE((stretches[0] + stretches[1]) / A.norm(), -1e-14) << k;
  }
}

TEST(Rotation, StaysARotationOverAMillionProducts) {
  const Vec3 step(1e-3, -2e-3, 3e-3);
  const Mat3 turn = exponential(step);
  Mat3 R = Mat3::Identity();
  constexpr int kProducts = 1000000;
  for (int k = 0; k < kProducts; k++) R = reorthogonalised(R * turn);
  EXPECT_NEAR((R.transpose() * R - Mat3::Identity()).norm(), 0, 1e-15);
  // All turns are about one axis: their angles add up.
  const double angle = std::fmod(kProducts * step.norm(), 2 * kPi);
  EXPECT_NEAR((R - Eigen::AngleAxisd(angle, step.normalized()).toRotationMatrix()).norm(), 0, 1e-9);
}

}  // namespace
}  // namespace solfec::rotation_test
