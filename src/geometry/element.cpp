#include "geometry/element.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/error.hpp"

namespace solfec {
namespace {

// Corners of the square and, below and above, of the cube.
constexpr double kX[4] = {-1, 1, 1, -1};
constexpr double kY[4] = {-1, -1, 1, 1};

// Corners of the triangle: 1 - x - y, x, y, and their slopes.
constexpr double kTriangleX[3] = {-1, 1, 0};
constexpr double kTriangleY[3] = {-1, 0, 1};

std::array<double, 3> triangle(const Vec3& p) { return {1 - p.x() - p.y(), p.x(), p.y()}; }

// q = x y / w of the pyramid with its continuation, and its slopes.
struct PyramidTerm {
  double value = 0, dx = 0, dy = 0, dw = 0;

  PyramidTerm(double x, double y, double w) {
    constexpr double kLimit = 2;
    if (w <= 0) return;
    const double a = std::clamp(x / w, -kLimit, kLimit), b = std::clamp(y / w, -kLimit, kLimit);
    const bool x_free = std::abs(a) < kLimit, y_free = std::abs(b) < kLimit;
    value = w * a * b;
    dx = x_free ? b : 0;
    dy = y_free ? a : 0;
    dw = (1.0 - x_free - y_free) * a * b;
  }
};

std::vector<QuadraturePoint> hexahedron_rule() {
  const double g = 1 / std::sqrt(3.0);
  std::vector<QuadraturePoint> rule;
  for (double z : {-g, g})
    for (int k = 0; k < 4; k++) rule.push_back({{g * kX[k], g * kY[k], z}, 1});
  return rule;
}

std::vector<QuadraturePoint> wedge_rule() {
  const double g = 1 / std::sqrt(3.0);
  std::vector<QuadraturePoint> rule;
  for (double z : {-g, g})
    for (int k = 0; k < 3; k++)
      rule.push_back({{k == 1 ? 2.0 / 3 : 1.0 / 6, k == 2 ? 2.0 / 3 : 1.0 / 6, z}, 1.0 / 6});
  return rule;
}

// Gauss points of the square times those of int_0^1 f(w) w^2 dw: the roots of 15 w^2 - 20 w + 6,
// with the weights that make it exact for f = 1 and f = w (int w^2 = 1/3, int w^3 = 1/4).
std::vector<QuadraturePoint> pyramid_rule() {
  const double g = 1 / std::sqrt(3.0), half = std::sqrt(10.0) / 15;
  const double low = 2.0 / 3 - half, high = 2.0 / 3 + half;
  const double high_weight = (0.25 - low / 3) / (high - low);
  std::vector<QuadraturePoint> rule;
  for (auto [w, weight] : {std::pair(high, high_weight), std::pair(low, 1.0 / 3 - high_weight)})
    for (int k = 0; k < 4; k++) rule.push_back({{w * g * kX[k], w * g * kY[k], 1 - w}, weight});
  return rule;
}

Vec3 interpolate(std::span<const Vec3> nodes, const Vec3& local, const Vec3& origin) {
  std::array<double, 8> N;
  shape_functions(static_cast<int>(nodes.size()), local, N);
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < nodes.size(); k++) sum += N[k] * (nodes[k] - origin);
  return sum;
}

[[noreturn]] void unknown_element() {
  broken_invariant("an element has 4, 5, 6 or 8 nodes", __FILE__, __LINE__);
}

// Largest distance of a node from the first one.
double size_of_element(std::span<const Vec3> nodes) {
  double most = 0;
  for (const Vec3& node : nodes) most = std::max(most, (node - nodes[0]).norm());
  return most;
}

}  // namespace

void shape_functions(int nodes, const Vec3& local, std::span<double> N) {
  const double x = local.x(), y = local.y(), z = local.z();
  switch (nodes) {
    case 4:
      N[0] = 1 - x - y - z;
      N[1] = x;
      N[2] = y;
      N[3] = z;
      return;
    case 5: {
      const double w = 1 - z;
      const PyramidTerm q(x, y, w);
      for (int k = 0; k < 4; k++) N[k] = (w + kX[k] * x + kY[k] * y + kX[k] * kY[k] * q.value) / 4;
      N[4] = z;
      return;
    }
    case 6: {
      const auto t = triangle(local);
      for (int k = 0; k < 3; k++) {
        N[k] = t[k] * (1 - z) / 2;
        N[k + 3] = t[k] * (1 + z) / 2;
      }
      return;
    }
    case 8:
      for (int k = 0; k < 4; k++) {
        const double base = (1 + kX[k] * x) * (1 + kY[k] * y) / 8;
        N[k] = base * (1 - z);
        N[k + 4] = base * (1 + z);
      }
      return;
  }
  unknown_element();
}

void shape_gradients(int nodes, const Vec3& local, std::span<Vec3> dN) {
  const double x = local.x(), y = local.y(), z = local.z();
  switch (nodes) {
    case 4:
      dN[0] = Vec3(-1, -1, -1);
      for (int k = 0; k < 3; k++) dN[k + 1] = Vec3::Unit(k);
      return;
    case 5: {
      const PyramidTerm q(x, y, 1 - z);
      for (int k = 0; k < 4; k++) {
        const double s = kX[k], t = kY[k];
        dN[k] = Vec3(s + s * t * q.dx, t + s * t * q.dy, -1 - s * t * q.dw) / 4;
      }
      dN[4] = Vec3::UnitZ();
      return;
    }
    case 6: {
      const auto t = triangle(local);
      for (int k = 0; k < 3; k++) {
        const Vec3 plane(kTriangleX[k], kTriangleY[k], 0);
        dN[k] = plane * (1 - z) / 2 - Vec3(0, 0, t[k] / 2);
        dN[k + 3] = plane * (1 + z) / 2 + Vec3(0, 0, t[k] / 2);
      }
      return;
    }
    case 8:
      for (int k = 0; k < 4; k++) {
        const double a = 1 + kX[k] * x, b = 1 + kY[k] * y;
        dN[k] = Vec3(kX[k] * b * (1 - z), kY[k] * a * (1 - z), -a * b) / 8;
        dN[k + 4] = Vec3(kX[k] * b * (1 + z), kY[k] * a * (1 + z), a * b) / 8;
      }
      return;
  }
  unknown_element();
}

Vec3 local_center(int nodes) {
  switch (nodes) {
    case 4:
      return {0.25, 0.25, 0.25};
    case 5:
      return {0, 0, 0.25};
    case 6:
      return {1.0 / 3, 1.0 / 3, 0};
    case 8:
      return {0, 0, 0};
  }
  unknown_element();
}

std::span<const QuadraturePoint> quadrature(int nodes) {
  static const std::vector<QuadraturePoint> tetrahedron = {{local_center(4), 1.0 / 6}};
  static const std::vector<QuadraturePoint> pyramid = pyramid_rule();
  static const std::vector<QuadraturePoint> wedge = wedge_rule();
  static const std::vector<QuadraturePoint> hexahedron = hexahedron_rule();
  switch (nodes) {
    case 4:
      return tetrahedron;
    case 5:
      return pyramid;
    case 6:
      return wedge;
    case 8:
      return hexahedron;
  }
  unknown_element();
}

Mat3 jacobian(std::span<const Vec3> nodes, const Vec3& local) {
  std::array<Vec3, 8> dN;
  shape_gradients(static_cast<int>(nodes.size()), local, dN);
  Mat3 J = Mat3::Zero();
  for (std::size_t k = 0; k < nodes.size(); k++) J += (nodes[k] - nodes[0]) * dN[k].transpose();
  return J;
}

std::optional<Vec3> local_coordinates(std::span<const Vec3> nodes, const Vec3& x) {
  constexpr int kMaxIterations = 30;
  constexpr int kMaxHalvings = 8;
  constexpr double kExact = 1e-14, kRounding = 1e-8;  // local coordinates are of size 1
  constexpr double kMet = 1e-12;                      // of the size of the element
  Vec3 local = local_center(static_cast<int>(nodes.size()));
  Vec3 miss = interpolate(nodes, local, x);
  // At a corner of 180 degrees the map has no inverse: steps halve the way to it, until it is met.
  const auto found = [&] {
    return miss.norm() <= kMet * size_of_element(nodes) ? std::optional(local) : std::nullopt;
  };
  for (int k = 0; k < kMaxIterations; k++) {
    Vec3 step = -jacobian(nodes, local).inverse() * miss;
    if (!step.allFinite()) return found();
    const double size = step.norm();
    if (size <= kExact) return local;
    // Half the step as long as it leads away: elements with tapering sides, points outside.
    Vec3 next = local + step, next_miss = interpolate(nodes, next, x);
    for (int halving = 0; halving < kMaxHalvings && !(next_miss.norm() < miss.norm()); halving++) {
      if (size <= kRounding) return local;
      step /= 2;
      next = local + step;
      next_miss = interpolate(nodes, next, x);
    }
    if (!(next_miss.norm() < miss.norm())) return found();
    local = next;
    miss = next_miss;
  }
  return found();
}

bool inside(int nodes, const Vec3& local, double tolerance) {
  const double x = local.x(), y = local.y(), z = local.z();
  const bool in_triangle = x >= -tolerance && y >= -tolerance && x + y <= 1 + tolerance;
  switch (nodes) {
    case 4:
      return local.minCoeff() >= -tolerance && local.sum() <= 1 + tolerance;
    case 5:
      return z >= -tolerance && std::max(std::abs(x), std::abs(y)) <= 1 - z + tolerance;
    case 6:
      return in_triangle && std::abs(z) <= 1 + tolerance;
    case 8:
      return local.cwiseAbs().maxCoeff() <= 1 + tolerance;
  }
  unknown_element();
}

double outside(int nodes, const Vec3& local) {
  constexpr std::array kSteps = {0.0,  1e-14, 1e-12, 1e-10, 1e-8, 1e-6,
                                 1e-4, 1e-3,  0.01,  0.03,  0.1,  0.3};
  for (double tolerance : kSteps)
    if (inside(nodes, local, tolerance)) return tolerance;
  return 1 + local.norm();
}

}  // namespace solfec
