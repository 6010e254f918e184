#include "body/pressure.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "body/kinematics.hpp"
#include "support/make_bodies.hpp"

namespace solfec::pressure_test {
namespace {

using testing::Random;

// One element of each kind of face: a hexahedron, a wedge, a pyramid and a tetrahedron, all their
// faces of surface 1, distorted so that quadrilaterals are warped.
Mesh sample(int nodes, Random& random) {
  std::vector<Vec3> at;
  switch (nodes) {
    case 4:
      at = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      break;
    case 5:
      at = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 1}};
      break;
    case 6:
      at = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
      break;
    default:
      at = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  }
  for (Vec3& x : at) x += random.in_box(0.15) + Vec3(3, -2, 1);
  Element element;
  element.nodes = nodes;
  for (int k = 0; k < nodes; k++) element.node[k] = k;
  return make_mesh(std::move(at), {element}, 1, {});
}

double volume(const Mesh& mesh, const double* x) {
  Mesh moved = mesh;
  for (std::size_t k = 0; k < moved.nodes.size(); k++)
    moved.nodes[k] = Eigen::Map<const Vec3>(x + 3 * k);
  return reference_mass({moved}, 1, BodyKind::rigid).volume;
}

// Divergence theorem: int N dA = 0, int N X^T dA = V 1, to the last bit of curved faces too.
TEST(Pressure, MomentsOfAClosedSurface) {
  Random random(1);
  for (int nodes : {4, 5, 6, 8}) {
    const Mesh mesh = sample(nodes, random);
    const SurfaceMoments m = surface_moments(mesh, 1);
    const double V = volume(mesh, mesh.nodes[0].data());
    EXPECT_NEAR(m.area.norm(), 0, 1e-14);
    EXPECT_NEAR((m.moment - V * Mat3::Identity()).norm(), 0, 1e-13) << nodes;
    EXPECT_EQ(surface_moments(mesh, 2).area, Vec3(0, 0, 0));
    EXPECT_TRUE(has_surface(mesh, 1));
    EXPECT_FALSE(has_surface(mesh, 2));
  }
}

// On a closed surface its force is p times the gradient of the volume.
TEST(Pressure, WorkIsThatOfTheVolume) {
  Random random(2);
  for (int nodes : {4, 5, 6, 8}) {
    BodyStore bodies;
    const int i = testing::add_body(bodies, BodyKind::finite_element, {sample(nodes, random)});
    const int n = bodies.x.count(i);
    for (int k = 0; k < n; k++) bodies.x(i)[k] += random.uniform(-0.1, 0.1);
    Pressure load{1, TimeSeries(0.0), {}};
    add_pressure(bodies, i, load, 2.5);
    const Mesh& mesh = mesh_of(bodies[i]);
    constexpr double d = 1e-5;
    for (int k = 0; k < n; k++) {
      const double x = bodies.x(i)[k];
      bodies.x(i)[k] = x + d;
      const double more = volume(mesh, bodies.x(i));
      bodies.x(i)[k] = x - d;
      const double less = volume(mesh, bodies.x(i));
      bodies.x(i)[k] = x;
      EXPECT_NEAR(bodies.f(i)[k], 2.5 * (more - less) / (2 * d), 1e-8) << nodes;
    }
  }
}

// Rigid and pseudo-rigid bodies: the power is that of finite elements that move alike.
TEST(Pressure, FollowsBodiesThatTakeTheirFacesAlong) {
  Random random(3);
  for (BodyKind kind : {BodyKind::rigid, BodyKind::pseudo_rigid}) {
    Mesh mesh = sample(8, random);
    mesh.boundary[1].surface = mesh.boundary[4].surface = 2;
    BodyStore bodies;
    const int i = testing::add_body(bodies, kind, {mesh});
    const int j = testing::add_body(bodies, BodyKind::finite_element, {mesh});
    bodies[i].reference.center += Vec3(0.3, 0.1, 0.2);  // as BODY_CHARS can
    testing::move_at_random(random, bodies, i);
    for (int k = 0; k < bodies[j].nodes; k++) {
      const Vec3 x = current_point(bodies, i, mesh.nodes[k]);
      Eigen::Map<Vec3>(bodies.x(j) + 3 * k) = x;
      Eigen::Map<Vec3>(bodies.u(j) + 3 * k) = velocity_at(bodies, i, x, bodies.u(i));
    }
    Pressure load{2, TimeSeries(0.0), {}};
    const auto power = [&](int b) {
      add_pressure(bodies, b, load, -3);
      double sum = 0;
      for (int k = 0; k < bodies.dofs(b); k++) sum += bodies.f(b)[k] * bodies.u(b)[k];
      return sum;
    };
    const double wanted = power(j);
    EXPECT_GT(std::abs(wanted), 0.01);
    EXPECT_NEAR(power(i), wanted, 1e-12) << static_cast<int>(kind);
  }
}

TEST(Pressure, ActsOnBodiesOfOneMesh) {
  Random random(4);
  BodyStore bodies;
  const int ball = testing::add_body(bodies, BodyKind::rigid, testing::ball_shape({0, 0, 0}, 1));
  const int mesh = testing::add_body(bodies, BodyKind::rigid, {sample(8, random)});
  const int both =
      testing::add_body(bodies, BodyKind::rigid, {sample(8, random), sample(4, random)});
  EXPECT_FALSE(only_mesh(*bodies[ball].shape) || only_mesh(*bodies[both].shape));
  EXPECT_TRUE(only_mesh(*bodies[mesh].shape));
}

}  // namespace
}  // namespace solfec::pressure_test
