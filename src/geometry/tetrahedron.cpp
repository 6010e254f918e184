#include "geometry/tetrahedron.hpp"

#include <algorithm>

namespace solfec {
namespace {

void add(Tetrahedron t, double least, std::vector<Tetrahedron>& to) {
  const double volume = signed_volume(t);
  if (!(std::abs(volume) > least)) return;
  if (volume < 0) std::swap(t[2], t[3]);
  to.push_back(t);
}

// The wedge between two triangles, corner p[k] opposite of q[k].
void add_wedge(const std::array<Vec3, 3>& p, const std::array<Vec3, 3>& q, double least,
               std::vector<Tetrahedron>& to) {
  add({p[0], p[1], p[2], q[2]}, least, to);
  add({p[0], p[1], q[1], q[2]}, least, to);
  add({p[0], q[0], q[1], q[2]}, least, to);
}

}  // namespace

double signed_volume(const Tetrahedron& t) {
  return (t[1] - t[0]).cross(t[2] - t[0]).dot(t[3] - t[0]) / 6;
}

Vec3 centroid(const Tetrahedron& t) { return (t[0] + t[1] + t[2] + t[3]) / 4; }

std::array<Plane, 4> planes_of(const Tetrahedron& t) {
  return {face_plane(t, std::array{0, 2, 1}), face_plane(t, std::array{0, 1, 3}),
          face_plane(t, std::array{1, 2, 3}), face_plane(t, std::array{2, 0, 3})};
}

std::vector<Tetrahedron> tetrahedra_of(const Polyhedron& convex) {
  std::vector<Tetrahedron> result;
  const Vec3& apex = convex.vertices[convex.faces.vertex[0]];
  for (int f = 0; f < convex.faces.count(); f++) {
    const auto loop = convex.faces.loop(f);
    for (std::size_t k = 2; k < loop.size(); k++) {
      const Tetrahedron t = {apex, convex.vertices[loop[0]], convex.vertices[loop[k - 1]],
                             convex.vertices[loop[k]]};
      if (signed_volume(t) > 0) result.push_back(t);
    }
  }
  return result;
}

void split(const Tetrahedron& t, const Plane& plane, double least, std::vector<Tetrahedron>& behind,
           std::vector<Tetrahedron>& before) {
  struct Corner {
    Vec3 x;
    double distance;
  };
  std::array<Corner, 4> c;
  for (int k = 0; k < 4; k++) c[k] = {t[k], plane.distance(t[k])};
  const auto middle =
      std::stable_partition(c.begin(), c.end(), [](const Corner& a) { return a.distance <= 0; });
  const auto cut = [&](int a, int b) -> Vec3 {
    return c[a].x + c[a].distance / (c[a].distance - c[b].distance) * (c[b].x - c[a].x);
  };
  switch (middle - c.begin()) {
    case 0:
      return add(t, least, before);
    case 1:
      add({c[0].x, cut(0, 1), cut(0, 2), cut(0, 3)}, least, behind);
      return add_wedge({c[1].x, c[2].x, c[3].x}, {cut(0, 1), cut(0, 2), cut(0, 3)}, least, before);
    case 2:
      add_wedge({c[0].x, cut(0, 2), cut(0, 3)}, {c[1].x, cut(1, 2), cut(1, 3)}, least, behind);
      return add_wedge({c[2].x, cut(0, 2), cut(1, 2)}, {c[3].x, cut(0, 3), cut(1, 3)}, least,
                       before);
    case 3:
      add({c[3].x, cut(0, 3), cut(1, 3), cut(2, 3)}, least, before);
      return add_wedge({c[0].x, c[1].x, c[2].x}, {cut(0, 3), cut(1, 3), cut(2, 3)}, least, behind);
    default:
      return add(t, least, behind);
  }
}

}  // namespace solfec
