// Volume integrals against closed forms, affine maps, and quadrature of high order done here.
#include <gtest/gtest.h>

#include <numbers>

#include "geometry/shape.hpp"
#include "support/random_solids.hpp"

namespace solfec::moments_test {
namespace {

using testing::Random;

void expect_equal(const Moments& a, const Moments& b, double tolerance) {
  EXPECT_NEAR(a.volume, b.volume, tolerance);
  EXPECT_NEAR((a.first - b.first).norm(), 0, tolerance);
  EXPECT_NEAR((a.second - b.second).norm(), 0, tolerance);
}

// Moments of the image under x -> A x + t, about the same reference point (the origin).
Moments image(const Moments& m, const Mat3& A, const Vec3& t) {
  const double det = std::abs(A.determinant());
  const Vec3 first = A * m.first;
  return {det * m.volume, det * (first + m.volume * t),
          det * (A * m.second * A.transpose() + first * t.transpose() + t * first.transpose() +
                 m.volume * t * t.transpose())};
}

// int over the box |x_i| <= half_i, and the tetrahedron of the origin and the unit vectors.
Moments box_moments(const Vec3& half) {
  const double volume = 8 * half.prod();
  return {volume, Vec3::Zero(), (volume / 3 * half.cwiseAbs2()).asDiagonal()};
}
Moments unit_tetrahedron() {
  // int x_i = 1/24, int x_i^2 = 1/60, int x_i x_j = 1/120
  return {1.0 / 6, Vec3::Constant(1.0 / 24),
          Mat3::Constant(1.0 / 120) + Mat3(Vec3::Constant(1.0 / 120).asDiagonal())};
}

Mat3 random_map(Random& random) {
  Mat3 A;
  do {
    for (int i = 0; i < 9; i++) A(i) = random.uniform(-1, 1);
  } while (std::abs(A.determinant()) < 0.1);
  return A;
}

TEST(Moments, Ball) {
  // Shells: int_0^r s^4 ds times the mean of n n^T, which is 1/3.
  const double r = 0.7;
  const Vec3 c(1, -2, 3);
  const double volume = 4 * std::numbers::pi * r * r * r / 3;
  const Moments m = moments(Sphere{c, r}, Vec3::Zero());
  const Mat3 second = 4 * std::numbers::pi * std::pow(r, 5) / 5 / 3 * Mat3::Identity();
  expect_equal(m, {volume, volume * c, second + volume * c * c.transpose()}, 1e-13);
}

TEST(Moments, EllipsoidIsTheImageOfABall) {
  Random random(1);
  const Moments ball = moments(Sphere{Vec3::Zero(), 1}, Vec3::Zero());
  for (int k = 0; k < 100; k++) {
    const Vec3 radii(random.uniform(0.1, 2), random.uniform(0.1, 2), random.uniform(0.1, 2));
    const Ellipsoid e{random.in_box(3), radii, random.rotation()};
    const Vec3 reference = random.in_box(2);
    expect_equal(moments(e, reference),
                 image(ball, e.rotation * radii.asDiagonal(), e.center - reference), 1e-11);
  }
}

TEST(Moments, PolyhedraAreImagesOfBoxAndTetrahedron) {
  Random random(2);
  for (int k = 0; k < 200; k++) {
    const Mat3 A = random_map(random);
    const Vec3 t = random.in_box(2), reference = random.in_box(2);
    std::vector<Vec3> corners, tetrahedron = {t};
    for (int i = 0; i < 8; i++)
      corners.push_back(t + A * Vec3(i & 1 ? 1 : -1, i & 2 ? 2 : -2, i & 4 ? 3 : -3));
    for (int d = 0; d < 3; d++) tetrahedron.push_back(t + A.col(d));
    expect_equal(moments(convex_hull(corners, 0, 0), reference),
                 image(box_moments({1, 2, 3}), A, t - reference), 1e-9);
    expect_equal(moments(convex_hull(tetrahedron, 0, 0), reference),
                 image(unit_tetrahedron(), A, t - reference), 1e-11);
  }
}

TEST(Moments, PolyhedronIsTheSumOfTetrahedraFromAnInnerPoint) {
  Random random(3);
  for (int k = 0; k < 50; k++) {
    const Polyhedron p = testing::random_polyhedron(random, random.in_box(1), 1);
    Vec3 inner = Vec3::Zero();
    for (const Vec3& v : p.vertices) inner += v / static_cast<double>(p.vertices.size());
    Moments sum;
    for (int f = 0; f < p.faces.count(); f++) {
      const auto loop = p.faces.loop(f);
      for (std::size_t c = 2; c < loop.size(); c++) {
        Mat3 A;
        A << p.vertices[loop[0]] - inner, p.vertices[loop[c - 1]] - inner,
            p.vertices[loop[c]] - inner;
        EXPECT_GT(A.determinant(), 0) << "faces are outward";
        sum += image(unit_tetrahedron(), A, inner);
      }
    }
    expect_equal(moments(p, Vec3::Zero()), sum, 1e-12);
  }
}

TEST(Moments, FarAwaySolidsKeepTheirDigits) {
  // Central moments of a small box at a great distance.
  const Vec3 far(1e4, -1e4, 1e4), half(0.01, 0.02, 0.03);
  const Polyhedron box = testing::make_box(far, half, Mat3::Identity());
  const Moments m = moments(box, far), expected = box_moments(half);
  EXPECT_NEAR(m.volume, expected.volume, 1e-9 * expected.volume);
  EXPECT_NEAR((m.second - expected.second).norm(), 0, 1e-8 * expected.second.norm());
}

// Gauss-Legendre points and weights on [-1, 1] by Newton's method on the Legendre polynomial.
std::vector<std::pair<double, double>> gauss(int n) {
  std::vector<std::pair<double, double>> rule;
  for (int i = 0; i < n; i++) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int k = 0; k < 50; k++) {
      double p = 1, before = 0;
      for (int j = 1; j <= n; j++) {
        const double next = ((2 * j - 1) * x * p - (j - 1) * before) / j;
        before = p;
        p = next;
      }
      slope = n * (before - x * p) / (1 - x * x);
      x -= p / slope;
    }
    rule.emplace_back(x, 2 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

// Moments of the image of the unit cube under a smooth map, its Jacobian by the product rule.
template <class Map>
Moments by_quadrature(const Map& map) {
  const auto rule = gauss(8);
  Moments m;
  for (const auto& [a, wa] : rule)
    for (const auto& [b, wb] : rule)
      for (const auto& [c, wc] : rule) {
        const Vec3 xi(0.5 + 0.5 * a, 0.5 + 0.5 * b, 0.5 + 0.5 * c);
        // Central differences are exact for maps that are linear in each coordinate.
        Mat3 J;
        for (int d = 0; d < 3; d++)
          J.col(d) = map(xi + 0.5 * Vec3::Unit(d)) - map(xi - 0.5 * Vec3::Unit(d));
        const double w = wa * wb * wc / 8 * J.determinant();
        const Vec3 x = map(xi);
        m += Moments{w, w * x, w * x * x.transpose()};
      }
  return m;
}

TEST(Moments, DistortedHexahedronAndWedge) {
  Random random(4);
  for (int k = 0; k < 50; k++) {
    std::vector<Vec3> n;
    for (const Vec3& corner : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0),
                               Vec3(0, 0, 1), Vec3(1, 0, 1), Vec3(1, 1, 1), Vec3(0, 1, 1)})
      n.push_back(corner + random.in_box(0.2));
    const auto trilinear = [&](const Vec3& x) -> Vec3 {
      const double a = x.x(), b = x.y(), c = x.z();
      return (1 - c) * ((1 - a) * (1 - b) * n[0] + a * (1 - b) * n[1] + a * b * n[2] +
                        (1 - a) * b * n[3]) +
             c * ((1 - a) * (1 - b) * n[4] + a * (1 - b) * n[5] + a * b * n[6] +
                  (1 - a) * b * n[7]);
    };
    expect_equal(element_moments(n, {8, {0, 1, 2, 3, 4, 5, 6, 7}}), by_quadrature(trilinear),
                 1e-13);
    // Barycentric in the triangles 0 1 3 and 4 5 7 (folded from the square), linear between.
    const auto ruled = [&](const Vec3& x) -> Vec3 {
      const double r = x.x(), s = (1 - x.x()) * x.y(), c = x.z();
      return (1 - c) * ((1 - r - s) * n[0] + r * n[1] + s * n[3]) +
             c * ((1 - r - s) * n[4] + r * n[5] + s * n[7]);
    };
    expect_equal(element_moments(n, {6, {0, 1, 3, 4, 5, 7}}), by_quadrature(ruled), 1e-13);
  }
}

TEST(Moments, TetrahedronAndPyramidElements) {
  Random random(5);
  for (int k = 0; k < 50; k++) {
    const Mat3 A = random_map(random);
    const double sign = A.determinant() > 0 ? 1 : -1;
    const Vec3 t = random.in_box(1);
    const std::vector<Vec3> n = {t, t + A.col(0), t + A.col(0) + A.col(1), t + A.col(1),
                                 t + A.col(2)};
    Moments expected = image(unit_tetrahedron(), A, t);
    Moments found = element_moments(n, {4, {0, 1, 3, 4}});
    EXPECT_NEAR(found.volume, sign * expected.volume, 1e-13) << "volumes are signed";
    expect_equal({sign * found.volume, sign * found.first, sign * found.second}, expected, 1e-12);
    // A pyramid over a parallelogram is two tetrahedra.
    Mat3 flip;
    flip << -A.col(0), -A.col(1), A.col(2) - A.col(0) - A.col(1);
    expected += image(unit_tetrahedron(), flip, n[2]);
    found = element_moments(n, {5, {0, 1, 2, 3, 4}});
    expect_equal({sign * found.volume, sign * found.first, sign * found.second}, expected, 1e-12);
  }
}

TEST(Moments, MeshIsTheSumOfItsPieces) {
  // A graded block of hexahedra is a box; a pyramid on each side of a cube is a bigger solid.
  const Vec3 lower(1, 2, 3), size(2, 3, 4);
  std::array<Vec3, 8> corners;
  const int bits[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                          {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (int c = 0; c < 8; c++)
    corners[c] = lower + size.cwiseProduct(Vec3(bits[c][0], bits[c][1], bits[c][2]));
  const Mesh mesh =
      make_hexahedral_mesh(corners, {{{1, 2}, {1, 5, 1}, {3, 1, 1, 1}}}, 0, {0, 0, 0, 0, 0, 0});
  expect_equal(moments(mesh, Vec3::Zero()),
               image(box_moments(size / 2), Mat3::Identity(), lower + size / 2), 1e-10);
}

}  // namespace
}  // namespace solfec::moments_test
