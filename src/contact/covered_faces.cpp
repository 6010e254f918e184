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
    return surroundings.filled(on_face + beyond * out - shift, touching) ||
           (holds(toucher, far, beyond) && surroundings.filled(far - shift, touching));
  };
  return surroundings.filled && (beside(second, first, normal, 0, Vec3::Zero()) ||
                                 beside(first, second, -normal, 1, surroundings.shift));
}

}  // namespace solfec
