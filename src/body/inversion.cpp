#include "body/inversion.hpp"

#include <algorithm>
#include <array>

#include "body/dof_views.hpp"
#include "geometry/element.hpp"

namespace solfec {
namespace {

bool is_inside_out(const BodyStore& bodies, int body, const Element& element) {
  std::array<Vec3, 8> nodes;
  int count = 0;
  for (int node : element.used()) nodes[count++] = node_part(bodies.x(body), node);
  return !(jacobian({nodes.data(), element.used().size()}, local_center(count)).determinant() > 0);
}

}  // namespace

bool is_inside_out(const BodyStore& bodies, int body) {
  if (is_affine(bodies.kind(body))) return !(bodies.gradient(body).determinant() > 0);
  if (!is_meshed(bodies.kind(body))) return false;
  return std::ranges::any_of(mesh_of(bodies[body]).elements, [&](const Element& element) {
    return is_inside_out(bodies, body, element);
  });
}

}  // namespace solfec
