// Gaps of convex bodies by brute force: the largest value over unit vectors n of the separation
//   g(n) = min_{x in first} n . x - max_{x in second} n . x,
// from dense samples and pattern search. Nothing of the program's own search is used.
#pragma once

#include <algorithm>
#include <functional>
#include <numbers>
#include <vector>

#include "contact/ellipsoid_pair.hpp"
#include "geometry/convex_view.hpp"

namespace solfec::testing {

/// Evenly spread unit vectors.
inline std::vector<Vec3> fibonacci_sphere(int count) {
  std::vector<Vec3> directions;
  const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
  for (int k = 0; k < count; k++) {
    const double z = 1 - (2 * k + 1.0) / count, r = std::sqrt(1 - z * z);
    directions.emplace_back(r * std::cos(golden * k), r * std::sin(golden * k), z);
  }
  return directions;
}

/// Climbs by trying rotated directions at a shrinking angle.
inline double pattern_search(const std::function<double(const Vec3&)>& g, Vec3 n, double angle) {
  double best = g(n);
  while (angle > 1e-9) {
    const Vec3 a = n.unitOrthogonal(), b = n.cross(a);
    bool moved = false;
    for (int k = 0; k < 8; k++) {
      const double t = std::numbers::pi * k / 4;
      const Vec3 next = (n + angle * (std::cos(t) * a + std::sin(t) * b)).normalized();
      if (const double value = g(next); value > best) {
        best = value;
        n = next;
        moved = true;
        break;
      }
    }
    if (!moved) angle *= 0.5;
  }
  return best;
}

/// Largest value along the arc between two unit vectors, by ternary search from many brackets.
inline double arc_search(const std::function<double(const Vec3&)>& g, const Vec3& from,
                         const Vec3& to) {
  const Vec3 side = (to - from.dot(to) * from).normalized();
  const double full = std::acos(std::clamp(from.dot(to), -1.0, 1.0));
  const auto at = [&](double t) { return g(std::cos(t) * from + std::sin(t) * side); };
  constexpr int kBrackets = 12;
  double best = std::max(at(0), at(full));
  for (int k = 0; k < kBrackets; k++) {
    double low = full * k / kBrackets, high = full * (k + 1) / kBrackets;
    for (int i = 0; i < 60; i++) {
      const double a = low + (high - low) / 3, b = high - (high - low) / 3;
      (at(a) < at(b) ? low : high) = at(a) < at(b) ? a : b;
    }
    best = std::max(best, at(0.5 * (low + high)));
  }
  return best;
}

inline double sampled_gap(const std::function<double(const Vec3&)>& g, int samples, int starts) {
  const std::vector<Vec3> directions = fibonacci_sphere(samples);
  std::vector<std::pair<double, int>> values;
  for (int k = 0; k < samples; k++) values.emplace_back(g(directions[k]), k);
  std::partial_sort(values.begin(), values.begin() + starts, values.end(), std::greater<>());
  double best = values[0].first;
  for (int k = 0; k < starts; k++)
    best = std::max(best, pattern_search(g, directions[values[k].second],
                                         2 / std::sqrt(static_cast<double>(samples))));
  return best;
}

inline double brute_force_gap(const EllipsoidView& first, const EllipsoidView& second) {
  const Vec3 d = first.center - second.center;
  return sampled_gap([&](const Vec3& n) { return d.dot(n) - first.height(n) - second.height(n); },
                     500, 6);
}

inline double brute_force_gap(const EllipsoidView& ellipsoid, const ConvexView& polyhedron) {
  const auto g = [&](const Vec3& n) {
    double height = -1e300;
    for (const Vec3& v : polyhedron.vertices) height = std::max(height, n.dot(v));
    return n.dot(ellipsoid.center) - ellipsoid.height(n) - height;
  };
  double best = sampled_gap(g, 500, 6);
  for (const Plane& plane : polyhedron.planes) best = std::max(best, g(plane.normal));
  for (const auto& edge : polyhedron.topology->edges)
    best = std::max(best, arc_search(g, polyhedron.planes[edge.left].normal,
                                     polyhedron.planes[edge.right].normal));
  return best;
}

}  // namespace solfec::testing
