// Bodies for tests of single folders: put together by hand, in any configuration.
#pragma once

#include "body/body_store.hpp"
#include "math/rotation.hpp"
#include "support/random_solids.hpp"

namespace solfec::testing {

/// Default integration scheme of a kind.
inline Scheme default_scheme(BodyKind kind) {
  switch (kind) {
    case BodyKind::obstacle:
      return Scheme::none;
    case BodyKind::rigid:
      return Scheme::rig_neg;
    case BodyKind::pseudo_rigid:
    case BodyKind::finite_element:
      return Scheme::def_exp;
  }
  return Scheme::none;
}

/// Adds a body at rest, its id one more than that of the last; returns its index.
inline int add_body(BodyStore& bodies, BodyKind kind, Shape shape, double density = 1000,
                    int material = 0) {
  Body body;
  body.id.value = bodies.total() == 0 ? 1 : bodies.id(bodies.total() - 1).value + 1;
  body.kind = kind;
  body.scheme = default_scheme(kind);
  body.material = material;
  body.density = density;
  body.reference = reference_mass(shape, density, kind);
  body.shape = std::make_shared<const Shape>(std::move(shape));
  if (kind == BodyKind::finite_element) body.nodes = static_cast<int>(mesh_of(body).nodes.size());
  return bodies.add(std::move(body));
}

inline Shape box_shape(const Vec3& center, const Vec3& half, int surface = 0) {
  Polyhedron box = make_box(center, half, Mat3::Identity());
  box.surface.assign(box.surface.size(), surface);
  return {box};
}

/// A box of n x n x n hexahedra.
inline Shape meshed_box(const Vec3& center, const Vec3& half, int n, int volume = 0) {
  std::array<Vec3, 8> corners;
  for (int k = 0; k < 8; k++) {
    const Vec3 sign((k % 4 == 1 || k % 4 == 2) ? 1 : -1, k % 4 >= 2 ? 1 : -1, k >= 4 ? 1 : -1);
    corners[k] = center + half.cwiseProduct(sign);
  }
  const std::vector<double> layers(static_cast<std::size_t>(n), 1.0);
  return {make_hexahedral_mesh(corners, {layers, layers, layers}, volume, {0, 0, 0, 0, 0, 0})};
}

inline Shape ball_shape(const Vec3& center, double radius, int surface = 0) {
  return {Sphere{center, radius, 0, surface}};
}

/// A deformation gradient not far from a rotation.
inline Mat3 random_gradient(Random& random, double strain) {
  Mat3 F = Mat3::Identity();
  for (int k = 0; k < 9; k++) F(k) += random.uniform(-strain, strain);
  return random.rotation() * F;
}

/// A random configuration and velocity of the body's kind (not of finite elements).
inline void move_at_random(Random& random, BodyStore& bodies, int i, double distance = 1) {
  bodies.gradient(i) =
      bodies.kind(i) == BodyKind::pseudo_rigid ? random_gradient(random, 0.1) : random.rotation();
  bodies.center(i) += random.in_box(distance);
  for (int k = 0; k < bodies.dofs(i); k++) bodies.u(i)[k] = random.uniform(-1, 1);
}

}  // namespace solfec::testing
