#include "geometry/polyhedron_overlap.hpp"

#include <limits>

namespace solfec {
namespace {

// Sutherland-Hodgman: the part of a convex polygon behind a plane moved outwards by `margin`.
void clip_polygon(const std::vector<Vec3>& polygon, const Plane& plane, double margin,
                  std::vector<Vec3>& clipped) {
  clipped.clear();
  double last = plane.distance(polygon.back()) - margin;
  const Vec3* previous = &polygon.back();
  for (const Vec3& corner : polygon) {
    const double here = plane.distance(corner) - margin;
    if ((last > 0) != (here > 0))
      clipped.push_back(*previous + last / (last - here) * (corner - *previous));
    if (here <= 0) clipped.push_back(corner);
    last = here;
    previous = &corner;
  }
}

}  // namespace

bool PolyhedronOverlap::measure(const ConvexView& of, const ConvexView& by, int side,
                                double tolerance) {
  std::vector<double>& table = distance_[side];
  vertices_[side] = of.vertices.size();
  table.resize(of.vertices.size() * by.planes.size());
  double* d = table.data();
  std::vector<double>& separations = separations_[1 - side];
  separations.clear();
  for (const Plane& plane : by.planes) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec3& v : of.vertices) {
      *d = plane.distance(v);
      nearest = std::min(nearest, *d++);
    }
    if (nearest > tolerance) return false;
    separations.push_back(nearest);
    separation_ = std::max(separation_, nearest);
  }
  return true;
}

void PolyhedronOverlap::keep(int side, int face, const Vec3& normal) {
  const Vec3& origin = polygon_[0];
  double twice_area = 0;
  Vec3 weighted = Vec3::Zero();
  for (std::size_t k = 2; k < polygon_.size(); k++) {
    const Vec3 a = polygon_[k - 1] - origin, b = polygon_[k] - origin;
    const double w = normal.dot(a.cross(b));
    twice_area += w;
    weighted += w / 3 * (a + b);
  }
  if (!(twice_area > 0)) return;
  const int begin = static_cast<int>(corners_.size());
  corners_.insert(corners_.end(), polygon_.begin(), polygon_.end());
  faces_.push_back({side, face, 0.5 * twice_area, origin + weighted / twice_area, begin,
                    static_cast<int>(corners_.size())});
}

void PolyhedronOverlap::clip(const ConvexView& subject, const ConvexView& clipper, int side,
                             double margin) {
  const std::size_t stride = subject.vertices.size();
  for (int f = 0; f < subject.faces(); f++) {
    const auto loop = subject.topology->faces.loop(f);
    polygon_.clear();
    for (int v : loop) polygon_.push_back(subject.vertices[v]);
    const double* d = distance_[side].data();
    for (int p = 0; p < clipper.faces() && polygon_.size() >= 3; p++, d += stride) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (int v : loop) {
        low = std::min(low, d[v]);
        high = std::max(high, d[v]);
      }
      if (high <= margin) continue;
      if (low > margin) {
        polygon_.clear();
        break;
      }
      clip_polygon(polygon_, clipper.planes[p], margin, clipped_);
      std::swap(polygon_, clipped_);
    }
    if (polygon_.size() >= 3) keep(side, f, subject.planes[f].normal);
  }
}

bool PolyhedronOverlap::compute(const ConvexView& first, const ConvexView& second,
                                double tolerance) {
  corners_.clear();
  faces_.clear();
  separation_ = -std::numeric_limits<double>::infinity();
  if (!measure(second, first, 1, tolerance) || !measure(first, second, 0, tolerance)) return false;
  const double margin = is_flat(tolerance) ? tolerance : 0.0;
  clip(first, second, 0, margin);
  clip(second, first, 1, margin);
  return !faces_.empty();
}

}  // namespace solfec
