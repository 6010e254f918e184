// Few points must do what the many points that they come from do: integrate, and stiffen.
#include "geometry/reduced_quadrature.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "core/error.hpp"
#include "geometry/element.hpp"
#include "geometry/mesh.hpp"
#include "geometry/moments.hpp"
#include "support/random_solids.hpp"

namespace solfec::reduced_quadrature_test {
namespace {

using testing::Random;

const std::map<int, std::vector<Vec3>> kCorners = {
    {4, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {5, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 1}}},
    {6, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}}},
    {8, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}}};
const std::map<int, std::size_t> kMost = {{4, 1}, {5, 13}, {6, 10}, {8, 23}};

// A random parallel-edged element, or one with corners displaced.
std::vector<Vec3> corners_of(int nodes, Random& random, double distortion) {
  Mat3 map;
  do {
    map = Mat3::Identity() + 0.4 * random.rotation();
  } while (map.determinant() < 0.2);
  std::vector<Vec3> corners;
  for (const Vec3& x : kCorners.at(nodes))
    corners.push_back(map * x + random.in_box(distortion) + Vec3(3, -2, 1));
  return corners;
}

Vec3 point_at(std::span<const Vec3> corners, const Vec3& local) {
  std::array<double, 8> N;
  shape_functions(static_cast<int>(corners.size()), local, N);
  Vec3 x = Vec3::Zero();
  for (std::size_t k = 0; k < corners.size(); k++) x += N[k] * corners[k];
  return x;
}

// The whole of an element.
std::vector<Tetrahedron> whole(const std::vector<Vec3>& corners) {
  Polyhedron p{corners, element_faces(static_cast<int>(corners.size())), {}, 0};
  return tetrahedra_of(p);
}

// A tetrahedron of about `size` somewhere in an element.
Tetrahedron crumb(const std::vector<Vec3>& corners, Random& random, double size) {
  const int nodes = static_cast<int>(corners.size());
  for (;;) {
    Vec3 center = random.in_box(1);
    if (!inside(nodes, center, 0)) continue;
    Tetrahedron t;
    bool good = true;
    for (Vec3& x : t) {
      const Vec3 local = center + random.in_box(size);
      good = good && inside(nodes, local, 0);
      x = point_at(corners, local);
    }
    if (!good) continue;
    if (signed_volume(t) < 0) std::swap(t[2], t[3]);
    if (signed_volume(t) > 0.02 * size * size * size) return t;
  }
}

// Without reduction.
std::vector<MaterialPoint> all_points(std::span<const Vec3> corners,
                                      const std::vector<Tetrahedron>& material) {
  std::vector<MaterialPoint> points;
  for (const Tetrahedron& t : material)
    for (const TetrahedronPoint& p : tetrahedron_rule()) {
      Vec3 x = Vec3::Zero();
      for (int k = 0; k < 4; k++) x += p.share[k] * t[k];
      points.push_back({*local_coordinates(corners, x), p.weight * signed_volume(t)});
    }
  return points;
}

// Linear elasticity, lambda = 1.5, mu = 1.
Eigen::MatrixXd stiffness(std::span<const Vec3> corners, std::span<const MaterialPoint> points) {
  const int n = static_cast<int>(corners.size());
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (const MaterialPoint& p : points) {
    std::array<Vec3, 8> dN;
    shape_gradients(n, p.local, dN);
    const Mat3 inverse = jacobian(corners, p.local).inverse();
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(6, 3 * n);
    for (int a = 0; a < n; a++) {
      const Vec3 g = inverse.transpose() * dN[a];
      B.block<3, 3>(0, 3 * a) = g.asDiagonal();
      B.block<3, 3>(3, 3 * a) << g.y(), g.x(), 0, 0, g.z(), g.y(), g.z(), 0, g.x();
    }
    Eigen::Matrix<double, 6, 6> C = Eigen::Matrix<double, 6, 6>::Zero();
    C.diagonal() << 2, 2, 2, 1, 1, 1;
    C.topLeftCorner<3, 3>().array() += 1.5;
    K += p.volume * B.transpose() * C * B;
  }
  return K;
}

int zero_modes(const Eigen::MatrixXd& K, double relative) {
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K).eigenvalues();
  return static_cast<int>((values.array() < relative * values.maxCoeff()).count());
}

TEST(ReducedQuadrature, TheRuleOfATetrahedronIsOfDegreeFive) {
  double factorial[10] = {1};
  for (int k = 1; k < 10; k++) factorial[k] = k * factorial[k - 1];
  for (int i = 0; i <= 5; i++)
    for (int j = 0; i + j <= 5; j++)
      for (int k = 0; i + j + k <= 5; k++) {
        double sum = 0;
        for (const TetrahedronPoint& p : tetrahedron_rule())
          sum += p.weight * std::pow(p.share[1], i) * std::pow(p.share[2], j) *
                 std::pow(p.share[3], k);
        const double exact =
            6 * factorial[i] * factorial[j] * factorial[k] / factorial[i + j + k + 3];
        EXPECT_NEAR(sum, exact, 1e-15) << i << j << k;
      }
}

TEST(ReducedQuadrature, LinearFunctionsAndShapeFunctionsInAnyElement) {
  Random random(1);
  for (const auto& [nodes, most] : kMost)
    for (int repeat = 0; repeat < 40; repeat++) {
      const auto corners = corners_of(nodes, random, repeat % 2 ? 0.1 : 0.0);
      std::vector<Tetrahedron> material;
      for (int k = random.integer(1, 30); k > 0; k--)
        material.push_back(crumb(corners, random, random.uniform(0.02, 0.3)));
      const auto all = all_points(corners, material);
      const auto few = reduced_quadrature(corners, material);
      EXPECT_LE(few.size(), most);
      double volume = 0, exact_volume = 0;
      Vec3 first = Vec3::Zero(), exact_first = Vec3::Zero();
      Eigen::VectorXd shares = Eigen::VectorXd::Zero(nodes), exact_shares = shares;
      std::array<double, 8> N;
      for (const Tetrahedron& t : material) {
        exact_volume += signed_volume(t);
        exact_first += signed_volume(t) * centroid(t);
      }
      for (const MaterialPoint& p : all) {
        shape_functions(nodes, p.local, N);
        for (int a = 0; a < nodes; a++) exact_shares[a] += p.volume * N[a];
      }
      for (const MaterialPoint& p : few) {
        EXPECT_GT(p.volume, 0);
        EXPECT_TRUE(inside(nodes, p.local, 1e-12));
        volume += p.volume;
        first += p.volume * point_at(corners, p.local);
        shape_functions(nodes, p.local, N);
        for (int a = 0; a < nodes; a++) shares[a] += p.volume * N[a];
      }
      EXPECT_NEAR(volume / exact_volume, 1, 1e-13) << nodes;
      EXPECT_NEAR((first - exact_first).norm() / exact_volume, 0, 1e-12) << nodes;
      EXPECT_NEAR((shares - exact_shares).norm() / exact_volume, 0, repeat % 2 ? 3e-3 : 1e-12);
    }
}

TEST(ReducedQuadrature, StiffnessIsExactAndOfFullRank) {
  Random random(2);
  for (const auto& [nodes, most] : kMost) {
    for (int repeat = 0; repeat < 30; repeat++) {
      const auto corners = corners_of(nodes, random, 0);
      const bool full = repeat % 3 == 0;
      const double size = full ? 1 : random.uniform(0.1, 0.3);
      const std::vector<Tetrahedron> material =
          full ? whole(corners) : std::vector<Tetrahedron>{crumb(corners, random, size)};
      const auto few = reduced_quadrature(corners, material);
      const Eigen::MatrixXd K = stiffness(corners, few);
      const Eigen::MatrixXd exact = stiffness(corners, all_points(corners, material));
      EXPECT_NEAR((K - exact).norm() / exact.norm(), 0, 1e-12) << nodes;
      // In a crumb the bending of the element is seen in the size of the crumb.
      EXPECT_EQ(zero_modes(K, 1e-3 * std::pow(size, 6)), 6) << nodes << " " << size;
      if (!full || nodes == 5) continue;
      std::vector<MaterialPoint> gauss;
      for (const QuadraturePoint& p : quadrature(nodes))
        gauss.push_back({p.local, p.weight * jacobian(corners, p.local).determinant()});
      EXPECT_NEAR((K - stiffness(corners, gauss)).norm() / K.norm(), 0, 1e-12) << nodes;
    }
  }
}

TEST(ReducedQuadrature, DistortedElementsHaveFullRankToo) {
  Random random(3);
  for (int nodes : {5, 6, 8})
    for (int repeat = 0; repeat < 30; repeat++) {
      const auto corners = corners_of(nodes, random, 0.1);
      const auto few = reduced_quadrature(corners, whole(corners));
      EXPECT_EQ(zero_modes(stiffness(corners, few), 1e-4), 6) << nodes;
    }
}

TEST(ReducedQuadrature, NothingGivesNoPoints) {
  for (const auto& [nodes, corners] : kCorners)
    EXPECT_TRUE(reduced_quadrature(corners, {}).empty());
}

TEST(ReducedQuadrature, RefusesElementsWherePointsAreNotFound) {
  const std::vector<Vec3> flat(8, Vec3(1, 2, 3));
  const Tetrahedron t = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  EXPECT_THROW(reduced_quadrature(flat, std::span(&t, 1)), InputError);
}

TEST(ReducedQuadrature, StandardPointsOfWholeElements) {
  Random random(11);
  for (int nodes : {4, 5, 6, 8}) {
    auto corners = corners_of(nodes, random, 0.05);
    const auto rule = quadrature(nodes);
    const auto points = standard_points(corners);
    ASSERT_EQ(points.size(), rule.size());
    Vec3 first = Vec3::Zero();
    double volume = 0;
    for (std::size_t p = 0; p < points.size(); p++) {
      EXPECT_EQ(points[p].local, rule[p].local);
      volume += points[p].volume;
      first += points[p].volume * point_at(corners, points[p].local);
    }
    const Element element{nodes, {0, 1, 2, 3, 4, 5, 6, 7}, 0};
    const Moments exact = element_moments(corners, element, Vec3::Zero());
    EXPECT_NEAR(volume, exact.volume, 1e-12);
    EXPECT_LT((first - exact.first).norm(), 1e-11);
    for (Vec3& x : corners) x.x() = -x.x();  // inside out
    for (const MaterialPoint& point : standard_points(corners)) EXPECT_LT(point.volume, 0);
  }
}

}  // namespace
}  // namespace solfec::reduced_quadrature_test
