#include "geometry/polyhedron.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "core/error.hpp"
#include "support/random_solids.hpp"

namespace solfec::polyhedron_test {
namespace {

using testing::Random;

// A cube with corners 0..7 as bits of x, y, z.
Polyhedron cube() {
  Polyhedron p;
  for (int k = 0; k < 8; k++) p.vertices.emplace_back(k & 1, (k & 2) / 2, (k & 4) / 4);
  for (const std::vector<int>& loop : std::vector<std::vector<int>>{
           {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}})
    p.faces.add(loop);
  p.surface.assign(6, 0);
  return p;
}

std::string complaint(const Polyhedron& p, double tolerance = 1e-6) {
  try {
    check_convex(p, tolerance);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

FaceLoops without_face(const FaceLoops& faces, int dropped) {
  FaceLoops result;
  for (int f = 0; f < faces.count(); f++)
    if (f != dropped) result.add(faces.loop(f));
  return result;
}

TEST(Polyhedron, LoopsAreKeptInOrder) {
  const FaceLoops faces = cube().faces;
  EXPECT_EQ(faces.count(), 6);
  const auto loop = faces.loop(3);
  EXPECT_EQ(std::vector<int>(loop.begin(), loop.end()), (std::vector<int>{2, 6, 7, 3}));
  EXPECT_FALSE(faces == without_face(faces, 5));
}

TEST(Polyhedron, FacePlaneOfAPlanePolygon) {
  Random random(1);
  for (int repeat = 0; repeat < 200; repeat++) {
    const Mat3 R = random.rotation();
    const Vec3 origin = random.in_box(10);
    const int corners = random.integer(3, 9);
    std::vector<Vec3> points;
    std::vector<int> loop;
    for (int k = 0; k < corners; k++) {
      const double angle = 2 * std::numbers::pi * (k + random.uniform(0, 0.5)) / corners;
      points.push_back(origin + R * Vec3(2 * std::cos(angle), std::sin(angle), 0));
      loop.push_back(k);
    }
    const Plane plane = face_plane(points, loop);
    EXPECT_NEAR((plane.normal - R.col(2)).norm(), 0, 1e-13);
    EXPECT_NEAR(plane.offset, R.col(2).dot(origin), 1e-13);
    EXPECT_NEAR(plane.distance(origin + R * Vec3(5, -3, 0.25)), 0.25, 1e-12);
  }
}

TEST(Polyhedron, FacePlaneFarFromTheOriginKeepsItsDigits) {
  const Vec3 far(1e6, -2e6, 3e6);
  const std::vector<Vec3> points = {far, far + Vec3(1e-3, 0, 0), far + Vec3(0, 1e-3, 0)};
  EXPECT_NEAR((face_plane(points, std::array{0, 1, 2}).normal - Vec3::UnitZ()).norm(), 0, 1e-6);
}

TEST(Polyhedron, ConvexClosedSolidsPass) {
  EXPECT_EQ(complaint(cube(), 1e-14), "");
  Random random(2);
  for (int k = 0; k < 100; k++)
    EXPECT_EQ(complaint(testing::random_polyhedron(random, random.in_box(5), 1), 1e-10), "");
}

TEST(Polyhedron, ComplaintsNameWhatIsWrong) {
  Polyhedron open = cube();
  open.faces = without_face(open.faces, 2);
  EXPECT_NE(complaint(open).find("belongs to one face only"), std::string::npos);

  Polyhedron turned = cube();
  std::swap(turned.faces.vertex[1], turned.faces.vertex[3]);
  EXPECT_NE(complaint(turned).find("same sense"), std::string::npos) << complaint(turned);

  Polyhedron inside_out = cube();
  for (int f = 0; f < 6; f++)
    std::reverse(inside_out.faces.vertex.begin() + 4 * f,
                 inside_out.faces.vertex.begin() + 4 * f + 4);
  EXPECT_NE(complaint(inside_out).find("not convex"), std::string::npos);

  Polyhedron flat = cube();
  for (Vec3& v : flat.vertices) v.x() = 0;
  EXPECT_NE(complaint(flat).find("has no area"), std::string::npos) << complaint(flat);

  // A pyramid pressed into one face: closed and oriented, but a cave.
  Polyhedron cave = cube();
  const FaceLoops faces = without_face(cave.faces, 5);
  cave.faces = faces;
  cave.vertices.emplace_back(0.5, 0.5, 0.75);
  for (const auto& [a, b] : {std::pair{4, 5}, {5, 7}, {7, 6}, {6, 4}})
    cave.faces.add(std::array{a, b, 8});
  EXPECT_NE(complaint(cave).find("not convex: vertex"), std::string::npos) << complaint(cave);
  cave.vertices[8].z() = 1.25;  // a roof
  EXPECT_EQ(complaint(cave), "");
}

TEST(Polyhedron, ToleranceIsRelativeToTheSize) {
  for (double size : {1e-3, 1.0, 1e3}) {
    Polyhedron bent = cube();
    bent.faces = without_face(bent.faces, 5);  // the top, as two triangles with a valley between
    bent.faces.add(std::array{4, 5, 7});
    bent.faces.add(std::array{4, 7, 6});
    bent.vertices[5].z() += 1e-5;
    for (Vec3& v : bent.vertices) v *= size;
    EXPECT_NE(complaint(bent, 1e-7), "") << size;
    EXPECT_EQ(complaint(bent, 1e-4), "") << size;
  }
}

TEST(Polyhedron, ContainsAndBoundingBox) {
  Random random(3);
  for (int repeat = 0; repeat < 20; repeat++) {
    const Vec3 center = random.in_box(1), half(0.5, 0.3, 0.8);
    const Mat3 R = random.rotation();
    const Polyhedron box = testing::make_box(center, half, R);
    const Box bounds = bounding_box(box.vertices);
    EXPECT_NEAR((bounds.center() - center).norm(), 0, 1e-14);
    EXPECT_NEAR((bounds.size() - 2 * R.cwiseAbs() * half).norm(), 0, 1e-14);
    for (int k = 0; k < 200; k++) {
      const Vec3 x = random.in_box(2);
      const Vec3 local = R.transpose() * (x - center);
      const bool inside = (local.cwiseAbs().array() <= half.array()).all();
      EXPECT_EQ(contains(box, x), inside);
    }
  }
  EXPECT_TRUE(contains(cube(), {0.5, 0.5, 1})) << "the boundary belongs to the solid";
}

}  // namespace
}  // namespace solfec::polyhedron_test
