#include "contact/covered_faces.hpp"

#include <algorithm>

namespace solfec {
namespace {

bool holds(const ConvexView& view, const Vec3& x, double tolerance) {
  return std::ranges::all_of(view.planes,
                             [&](const Plane& p) { return p.distance(x) <= tolerance; });
}

}  // namespace

double thin_overlap(const ConvexView& first, const ConvexView& second, double tolerance) {
  constexpr double kThin = 1e-3;  // of the smaller piece
  return std::max(10 * tolerance, kThin * std::min(extent(first), extent(second)));
}

bool is_covered(const ConvexView& first, const ConvexView& second, const Vec3& normal,
                const Vec3& x, double tolerance, const Surroundings& surroundings) {
  const double beyond = 0.5 * tolerance, across = thin_overlap(first, second, tolerance);
  const auto beside = [&](const ConvexView& view, const ConvexView& toucher, const Vec3& out,
                          int touching, const Vec3& shift) {
    const double top = view.vertices[support_vertex(view.vertices, out)].dot(out);
    const Vec3 on_face = x + (top - x.dot(out)) * out, far = on_face + across * out;
    const auto by = Surroundings::By::third_bodies;
    return surroundings.filled(on_face + beyond * out - shift, touching, by) ||
           (holds(toucher, far, beyond) && surroundings.filled(far - shift, touching, by));
  };
  return surroundings.filled && (beside(second, first, normal, 0, Vec3::Zero()) ||
                                 beside(first, second, -normal, 1, surroundings.shift));
}

bool is_seam(const EllipsoidView& ellipsoid, const ConvexView& polyhedron, const Vec3& normal,
             double tolerance, int toucher, const Surroundings& surroundings) {
  constexpr double kSame = 1e-12;  // 1 - cosine
  if (!surroundings.filled) return false;
  const Plane* nearest = nullptr;
  for (int f = 0; f < polyhedron.faces(); f++)
    if (const Plane& p = polyhedron.planes[f];
        !polyhedron.internal[f] && (!nearest || p.normal.dot(normal) > nearest->normal.dot(normal)))
      nearest = &p;
  if (!nearest || nearest->normal.dot(normal) > 1 - kSame) return false;
  const Vec3& up = nearest->normal;
  const Vec3 beyond = (normal - normal.dot(up) * up).normalized();
  const Vec3 lowest = ellipsoid.center - ellipsoid.support(up);
  const Vec3 under = lowest - (nearest->distance(lowest) + 0.5 * tolerance) * up;
  // Nearer to the edge, so that one of the two pieces is touched wherever the ellipsoid is.
  return surroundings.filled(under - tolerance * beyond, toucher,
                             Surroundings::By::touched_body_too);
}

}  // namespace solfec
