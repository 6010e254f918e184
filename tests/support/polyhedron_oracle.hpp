// Overlap of two convex polyhedra by brute force: all separating axes, all triples of planes.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "geometry/convex_view.hpp"
#include "geometry/moments.hpp"

namespace solfec::testing {

/// Every candidate axis of separation, outward of the second body: face normals of the second,
/// inward face normals of the first, cross products of edges in both senses.
inline std::vector<Vec3> separating_axes(const ConvexView& first, const ConvexView& second) {
  std::vector<Vec3> axes;
  for (const Plane& p : second.planes) axes.push_back(p.normal);
  for (const Plane& p : first.planes) axes.push_back(-p.normal);
  for (const auto& a : first.topology->edges)
    for (const auto& b : second.topology->edges) {
      const Vec3 u = (first.vertices[a.end] - first.vertices[a.start]).normalized();
      const Vec3 v = (second.vertices[b.end] - second.vertices[b.start]).normalized();
      const Vec3 m = u.cross(v);
      if (m.norm() < 1e-6) continue;
      axes.push_back(m.normalized());
      axes.push_back(-m.normalized());
    }
  return axes;
}

/// Separation along a unit vector: lowest point of the first minus highest point of the second.
inline double separation(const ConvexView& first, const ConvexView& second, const Vec3& m) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vec3& v : first.vertices) low = std::min(low, m.dot(v));
  for (const Vec3& v : second.vertices) high = std::max(high, m.dot(v));
  return low - high;
}

/// Largest separation over all axes (negative: minus the penetration depth), and its axis.
inline double largest_separation(const ConvexView& first, const ConvexView& second, Vec3* axis) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Vec3& m : separating_axes(first, second))
    if (const double s = separation(first, second, m); s > best) {
      best = s;
      if (axis) *axis = m;
    }
  return best;
}

/// How far the first must move along n to leave the second: every axis with a part along n bounds
/// it, and the smallest bound is attained.
inline double exact_directional_depth(const ConvexView& first, const ConvexView& second,
                                      const Vec3& n) {
  double depth = std::numeric_limits<double>::infinity();
  for (const Vec3& m : separating_axes(first, second))
    if (const double slope = m.dot(n); slope > 1e-9)
      depth = std::min(depth, -separation(first, second, m) / slope);
  return depth;
}

/// Intersection polyhedron: all points where three planes meet inside of both. Nothing when it is
/// flat.
inline std::optional<Polyhedron> exact_intersection(const ConvexView& first,
                                                    const ConvexView& second) {
  std::vector<Plane> planes(first.planes.begin(), first.planes.end());
  planes.insert(planes.end(), second.planes.begin(), second.planes.end());
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < planes.size(); i++)
    for (std::size_t j = i + 1; j < planes.size(); j++)
      for (std::size_t k = j + 1; k < planes.size(); k++) {
        Mat3 A;
        A << planes[i].normal.transpose(), planes[j].normal.transpose(),
            planes[k].normal.transpose();
        if (std::abs(A.determinant()) < 1e-9) continue;
        const Vec3 x = A.inverse() * Vec3(planes[i].offset, planes[j].offset, planes[k].offset);
        bool inside = true;
        for (const Plane& p : planes) inside = inside && p.distance(x) < 1e-10;
        if (inside) points.push_back(x);
      }
  if (points.size() < 4) return std::nullopt;
  try {
    return convex_hull(points, 0, 0);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// Area and centroid of a polyhedron's projection along n, carried half way between its two sides.
struct Projection {
  double area = 0;
  Vec3 centroid = Vec3::Zero();
};
inline Projection exact_projection(const Polyhedron& p, const Vec3& n) {
  Projection projection;
  for (int f = 0; f < p.faces.count(); f++) {
    const auto loop = p.faces.loop(f);
    for (std::size_t k = 2; k < loop.size(); k++) {
      const Vec3 &a = p.vertices[loop[0]], &b = p.vertices[loop[k - 1]], &c = p.vertices[loop[k]];
      const double area = 0.5 * std::abs((b - a).cross(c - a).dot(n)) / 2;
      projection.area += area;
      projection.centroid += area * (a + b + c) / 3;
    }
  }
  projection.centroid /= projection.area;
  return projection;
}

}  // namespace solfec::testing
