#include "geometry/rough_hex.hpp"

#include <gtest/gtest.h>

#include <set>

#include "geometry/cut_mesh.hpp"
#include "math/rotation.hpp"
#include "support/random_solids.hpp"

namespace solfec::rough_hex_test {
namespace {

using testing::Random;

std::array<std::vector<double>, 3> equal(int i, int j, int k) {
  return {std::vector<double>(i, 1.0), std::vector<double>(j, 1.0), std::vector<double>(k, 1.0)};
}

Shape brick(const Vec3& half, const Vec3& center, const Mat3& R) {
  return {testing::make_box(center, half, R)};
}

TEST(RoughHex, ABrickIsItsOwnBox) {
  Random random(1);
  for (int repeat = 0; repeat < 50; repeat++) {
    // Turned by less than 40 degrees: the axes nearest to those of space are its edges in order.
    const Mat3 R = Eigen::AngleAxisd(random.uniform(0, 0.7), random.direction()).toRotationMatrix();
    const Vec3 half(2, 1.5, 1), center = random.in_box(4);
    const Shape shape = brick(half, center, R);
    EXPECT_NEAR((principal_axes(shape) - R).norm(), 0, 1e-12);
    const Mesh mesh = make_rough_hex(shape, equal(4, 3, 2));
    ASSERT_EQ(mesh.elements.size(), 24u);
    ASSERT_EQ(mesh.nodes.size(), 60u);
    EXPECT_NEAR(moments(mesh, center).volume, 24, 1e-12);
    EXPECT_NEAR(moments(mesh, center).first.norm(), 0, 1e-12);
    for (int n = 0; n < static_cast<int>(mesh.nodes.size()); n++) {
      const Vec3 x = R.transpose() * (mesh.nodes[n] - center);
      const int i = n % 5, j = n / 5 % 4, k = n / 20;
      EXPECT_NEAR((x - Vec3(i - 2, j - 1.5, k - 1)).norm(), 0, 1e-12);
    }
    for (const Element& e : mesh.elements) EXPECT_EQ(e.volume, 0);
    for (const BoundaryFace& f : mesh.boundary) EXPECT_EQ(f.surface, 0);
    // It fills all elements: round-off leaves no slivers.
    const CutMesh cut = cut_mesh(mesh, std::span(&std::get<Polyhedron>(shape[0]), 1));
    EXPECT_LT(cut.missing / cut.volume, 1e-12);
    for (const CutMesh::Part& part : cut.parts) EXPECT_TRUE(part.filled);
  }
}

TEST(RoughHex, AxesOfSymmetricShapesFollowThoseOfSpace) {
  // A cube and a ball: any axes are principal.
  EXPECT_EQ(principal_axes(brick({1, 1, 1}, {3, 4, 5}, rotation_about({1, 2, 3}, 0.4))),
            Mat3::Identity());
  EXPECT_EQ(principal_axes({Sphere{{1, 2, 3}, 2, 0, 0}}), Mat3::Identity());
  // A square column that leans in the plane of x and z: y is an axis.
  const Mat3 R = rotation_about({0, 1, 0}, 0.3);
  const Mat3 turned = R * rotation_about({0, 0, 1}, 0.4);
  EXPECT_NEAR((principal_axes(brick({1, 1, 3}, {0, 0, 0}, turned)) - R).norm(), 0, 1e-7);
  EXPECT_NEAR((principal_axes(brick({1, 1, 0.3}, {0, 0, 0}, turned)) - R).norm(), 0, 1e-7);
}

TEST(RoughHex, AxesAreARotationNearTheAxesOfSpace) {
  Random random(2);
  for (int repeat = 0; repeat < 200; repeat++) {
    const Mat3 R = random.rotation();
    const Mat3 axes = principal_axes(brick({3, 2, 1}, random.in_box(3), R));
    EXPECT_NEAR((axes.transpose() * axes - Mat3::Identity()).norm(), 0, 1e-12);
    EXPECT_NEAR(axes.determinant(), 1, 1e-12);
    EXPECT_GT(axes.trace(), 1);
    // Each is an edge of the brick.
    const Mat3 along = (R.transpose() * axes).cwiseAbs();
    for (int d = 0; d < 3; d++) EXPECT_NEAR(along.col(d).maxCoeff(), 1, 1e-9);
  }
}

TEST(RoughHex, ItHoldsTheShapeAndNoMore) {
  Random random(3);
  for (int repeat = 0; repeat < 50; repeat++) {
    Shape shape;
    for (int k = 0; k < 3; k++)
      shape.push_back(testing::random_polyhedron(random, random.in_box(2), 1));
    if (repeat % 2) {
      shape.push_back(Sphere{random.in_box(2), 0.8, 0, 0});
      shape.push_back(Ellipsoid{random.in_box(2), {0.5, 1, 1.5}, random.rotation(), 0, 0});
      shape.push_back(make_pipe_mesh(random.in_box(2), random.direction(), 0.5, 0.2, {1, 8, 1}, 0,
                                     {0, 0, 0, 0}));
    }
    const Mat3 axes = principal_axes(shape);
    Shape turned = shape;
    for (Solid& solid : turned) rotate(solid, Vec3::Zero(), axes.transpose());
    Mesh mesh = make_rough_hex(shape, equal(2, 1, 3));
    for (Vec3& x : mesh.nodes) x = axes.transpose() * x;
    const Box box = bounding_box(turned), found = bounding_box(mesh);
    EXPECT_NEAR((box.lower - found.lower).norm(), 0, 1e-12);
    EXPECT_NEAR((box.upper - found.upper).norm(), 0, 1e-12);
    EXPECT_NEAR(moments(mesh, Vec3::Zero()).volume, box.size().prod(), 1e-10);
  }
}

TEST(RoughHex, LayersHaveTheRelativeSizes) {
  const Mesh mesh =
      make_rough_hex(brick({2, 1.5, 1}, {2, 1.5, 1}, Mat3::Identity()), {{{1, 2, 1}, {1}, {3, 1}}});
  std::set<int> x, z;
  for (const Vec3& n : mesh.nodes) {
    x.insert(static_cast<int>(std::lround(1000 * n.x())));
    z.insert(static_cast<int>(std::lround(1000 * n.z())));
  }
  EXPECT_EQ(x, (std::set{0, 1000, 3000, 4000}));
  EXPECT_EQ(z, (std::set{0, 1500, 2000}));
}

}  // namespace
}  // namespace solfec::rough_hex_test
