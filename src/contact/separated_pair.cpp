#include "contact/separated_pair.hpp"

#include "geometry/tolerances.hpp"

namespace solfec {
namespace {

// Of the face that looks along a direction.
int surface_along(const ConvexView& view, const Vec3& direction) {
  int best = 0;
  for (int f = 1; f < view.faces(); f++)
    if (!view.internal[f] && (view.internal[best] || view.planes[f].normal.dot(direction) >
                                                         view.planes[best].normal.dot(direction)))
      best = f;
  return view.surface[best];
}

bool leans_over(const ConvexView& view, const Vec3& x, const Vec3& direction, double on_face) {
  for (int f = 0; f < view.faces(); f++)
    if (view.internal[f] && std::abs(view.planes[f].distance(x)) < on_face &&
        view.planes[f].normal.dot(direction) > kSamePlace)
      return true;
  return false;
}

}  // namespace

bool leans_over_neighbour(const ConvexView& first, const ConvexView& second, const Vec3& x1,
                          const Vec3& x2, const Vec3& normal, double tolerance) {
  const double on_face = 10 * tolerance;
  return leans_over(first, x1, -normal, on_face) || leans_over(second, x2, normal, on_face);
}

ConvexView SeparatedPair::moved(const ConvexView& first, const Vec3& shift) {
  vertices_.assign(first.vertices.begin(), first.vertices.end());
  for (Vec3& v : vertices_) v += shift;
  planes_.assign(first.planes.begin(), first.planes.end());
  for (Plane& p : planes_) p.offset += p.normal.dot(shift);
  ConvexView view = first;
  view.vertices = vertices_;
  view.planes = planes_;
  return view;
}

std::optional<Separation> SeparatedPair::separation(const ConvexView& first,
                                                    const ConvexView& second, const Vec3& shift) {
  return separation_of(moved(first, shift), second);
}

const ContactPoints& SeparatedPair::find(const ConvexView& first, const ConvexView& second,
                                         const Vec3& shift, double tolerance, ContactMode mode,
                                         double distance, const Surroundings& surroundings) {
  Surroundings there = surroundings;
  there.shift = shift;
  return pair_.find(moved(first, shift), second, tolerance, mode, distance, there);
}

const ContactPoints& SeparatedPair::find_along(const Vec3& normal, const Vec3& point,
                                               const ConvexView& first, const ConvexView& second,
                                               const Vec3& shift, double tolerance,
                                               ContactMode mode, double distance) {
  const ConvexView there = moved(first, shift);
  const ContactPoints& points = pair_.find_along(normal, there, second, tolerance, mode, distance);
  if (points.count > 0 || leans_over_neighbour(there, second, point, point, normal, tolerance))
    return points;
  result_.clear();
  result_.add({point, normal, 0, tolerance * tolerance, surface_along(first, -normal),
               surface_along(second, normal)});
  return result_;
}

}  // namespace solfec
