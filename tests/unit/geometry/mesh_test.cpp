#include "geometry/mesh.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numbers>
#include <set>

#include "core/error.hpp"
#include "geometry/moments.hpp"
#include "support/random_solids.hpp"

namespace solfec::mesh_test {
namespace {

using testing::Random;

const std::vector<Vec3> kUnitCube = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

std::array<Vec3, 8> corners(const Mat3& map = Mat3::Identity(), const Vec3& shift = Vec3::Zero()) {
  std::array<Vec3, 8> result;
  for (int k = 0; k < 8; k++) result[k] = map * kUnitCube[k] + shift;
  return result;
}

std::vector<double> layers(int count) { return std::vector<double>(count, 1.0); }

std::vector<Vec3> points_of(const Mesh& mesh, const BoundaryFace& face) {
  const Element& element = mesh.elements[face.element];
  std::vector<Vec3> points;
  for (int local : element_faces(element.nodes).loop(face.side))
    points.push_back(mesh.nodes[element.node[local]]);
  return points;
}

Plane plane_of(const Mesh& mesh, const BoundaryFace& face) {
  const std::vector<Vec3> points = points_of(mesh, face);
  std::vector<int> loop;
  for (int k = 0; k < static_cast<int>(points.size()); k++) loop.push_back(k);
  return face_plane(points, loop);
}

double face_area(const Mesh& mesh, const BoundaryFace& face) {
  const std::vector<Vec3> p = points_of(mesh, face);
  Vec3 area = Vec3::Zero();
  for (std::size_t k = 2; k < p.size(); k++) area += 0.5 * (p[k - 1] - p[0]).cross(p[k] - p[0]);
  return area.norm();
}

double volume(const Mesh& mesh) { return moments(mesh, Vec3::Zero()).volume; }

// Volume enclosed by the boundary: int x . n / 3 over its triangles (plane faces only).
double enclosed_volume(const Mesh& mesh) {
  double sum = 0;
  for (const BoundaryFace& face : mesh.boundary) {
    const std::vector<Vec3> p = points_of(mesh, face);
    for (std::size_t k = 2; k < p.size(); k++) sum += p[0].dot(p[k - 1].cross(p[k])) / 6;
  }
  return sum;
}

std::string complaint(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Mesh, ElementFacesAreClosedAndOutward) {
  const std::map<int, std::vector<int>> reference = {{4, {0, 1, 3, 4}},
                                                     {5, {0, 1, 2, 3, 4}},
                                                     {6, {0, 1, 3, 4, 5, 7}},
                                                     {8, {0, 1, 2, 3, 4, 5, 6, 7}}};
  for (const auto& [nodes, at] : reference) {
    std::vector<Vec3> points;
    for (int k : at) points.push_back(kUnitCube[k]);
    Element element{nodes, {}};
    for (int k = 0; k < nodes; k++) element.node[k] = k;
    Polyhedron solid{points, element_faces(nodes), {}, 0};
    EXPECT_NO_THROW(check_convex(solid, 1e-12)) << nodes;
    EXPECT_NEAR(moments(solid, Vec3::Zero()).volume, element_moments(points, element).volume, 1e-15)
        << nodes;
    EXPECT_GT(element_moments(points, element).volume, 0) << nodes;
  }
  EXPECT_THROW(element_faces(7), std::logic_error);
}

TEST(Mesh, ElementsInsideOutAreTurned) {
  // Node orders of every kind, mirrored by hand.
  const std::vector<Element> inverted = {{4, {0, 3, 1, 4}, 1},
                                         {5, {0, 3, 2, 1, 4}, 1},
                                         {6, {4, 5, 7, 0, 1, 3}, 1},
                                         {8, {4, 5, 6, 7, 0, 1, 2, 3}, 1}};
  const std::vector<double> volumes = {1.0 / 6, 1.0 / 3, 0.5, 1};
  for (std::size_t k = 0; k < inverted.size(); k++) {
    EXPECT_LT(element_moments(kUnitCube, inverted[k]).volume, 0);
    const Mesh mesh = make_mesh(kUnitCube, {inverted[k]}, 0, {});
    EXPECT_NEAR(volume(mesh), volumes[k], 1e-15);
    EXPECT_NEAR(enclosed_volume(mesh), volumes[k], 1e-15) << "faces are outward";
    const auto before = inverted[k].used(), after = mesh.elements[0].used();
    EXPECT_EQ(std::set<int>(before.begin(), before.end()),
              std::set<int>(after.begin(), after.end()));
  }
}

TEST(Mesh, BoundaryIsWhatNoTwoElementsShare) {
  // A wedge and a pyramid share a quadrilateral, the pyramid and a tetrahedron a triangle.
  const std::vector<Vec3> nodes = {{0, 0, 0}, {1, 0, 0},  {0, 0, -1},    {0, 1, 0},
                                   {1, 1, 0}, {0, 1, -1}, {0.5, 0.5, 1}, {2, 0.5, 0.5}};
  const std::vector<FaceSurface> exceptions = {{{3, 0, 6}, 7}, {{6, 7, 1}, 8}, {{5, 4, 3}, 9}};
  const Mesh mesh =
      make_mesh(nodes, {{6, {0, 1, 2, 3, 4, 5}, 1}, {5, {0, 1, 4, 3, 6}, 2}, {4, {1, 4, 6, 7}, 3}},
                5, exceptions);
  EXPECT_EQ(mesh.boundary.size(), 4u + 3 + 3);
  EXPECT_NEAR(enclosed_volume(mesh), volume(mesh), 1e-14);
  std::map<int, int> surfaces;
  for (const BoundaryFace& face : mesh.boundary) {
    surfaces[face.surface]++;
    if (face.surface == 7) {
      EXPECT_EQ(points_of(mesh, face).size(), 3u);
      EXPECT_EQ(face.element, 1);
    }
    if (face.surface == 8) {
      EXPECT_EQ(face.element, 2);
    }
    if (face.surface == 9) {
      EXPECT_EQ(face.element, 0);
    }
  }
  EXPECT_EQ(surfaces, (std::map<int, int>{{5, 7}, {7, 1}, {8, 1}, {9, 1}}));
  EXPECT_TRUE(std::ranges::is_sorted(
      mesh.boundary, {}, [](const BoundaryFace& f) { return std::pair(f.element, f.side); }));
  EXPECT_EQ(mesh.elements[1].volume, 2);
}

TEST(Mesh, PartsHaveNoCommonNode) {
  std::vector<Vec3> nodes;
  for (int k = 0; k < 6; k++)  // squares one above the other; the fourth is where the third is
    for (int n = 0; n < 4; n++) nodes.push_back(kUnitCube[n] + (k < 3 ? k : k - 1) * Vec3::UnitZ());
  const auto cube = [](int bottom, int top) {
    Element e{8, {}, 1};
    for (int n = 0; n < 4; n++) e.node[n] = 4 * bottom + n, e.node[n + 4] = 4 * top + n;
    return e;
  };
  EXPECT_EQ(
      count_parts(make_mesh({nodes.begin(), nodes.begin() + 12}, {cube(0, 1), cube(1, 2)}, 0, {})),
      1);
  EXPECT_EQ(count_parts(make_mesh(nodes, {cube(4, 5), cube(0, 1), cube(3, 4), cube(1, 2)}, 0, {})),
            2);
}

TEST(Mesh, ComplaintsNameTheElement) {
  const Element cube{8, {0, 1, 2, 3, 4, 5, 6, 7}, 0};
  std::vector<Vec3> flat = kUnitCube;
  for (Vec3& n : flat) n.z() = 0;
  EXPECT_NE(complaint([&] { make_mesh(flat, {cube}, 0, {}); }).find("element 0"),
            std::string::npos);
  EXPECT_NE(complaint([&] {
              make_mesh(kUnitCube, {cube, {4, {0, 1, 2, 3}, 0}}, 0, {});
            }).find("element 1 (nodes 0, 1, 2, 3) has no volume"),
            std::string::npos);
  EXPECT_NE(complaint([&] {
              make_mesh(kUnitCube, {cube, cube}, 0, {});
            }).find("element 1 has the nodes of element 0"),
            std::string::npos);
  for (const Element& disordered : {Element{8, {0, 2, 1, 3, 4, 5, 6, 7}, 0},     // crossed bottom
                                    Element{8, {0, 1, 2, 3, 6, 7, 4, 5}, 0},     // half a turn
                                    Element{8, {0, 1, 2, 3, 5, 6, 7, 4}, 0}}) {  // a quarter of one
    EXPECT_NE(complaint([&] {
                make_mesh(kUnitCube, {disordered}, 0, {});
              }).find("has a face that crosses itself or is twisted: are its nodes in order?"),
              std::string::npos);
  }
  for (const Vec3& notch : {Vec3(0.2, 0.2, 0.2), Vec3(0.3, 0.3, 1)}) {
    std::vector<Vec3> notched = kUnitCube;
    notched[6] = notch;
    if (notch.z() == 1) notched[2] = Vec3(0.3, 0.3, 0);
    EXPECT_NE(complaint([&] { make_mesh(notched, {cube}, 0, {}); }).find("has a notch at node "),
              std::string::npos);
  }
  std::vector<Vec3> straight = kUnitCube;  // at a corner: no notch
  for (int k : {2, 6}) straight[k].head<2>() = Eigen::Vector2d(0.5, 0.5);
  EXPECT_EQ(complaint([&] { make_mesh(straight, {cube}, 0, {}); }), "");
  const auto on_one_face = [](int apex) { return Element{4, {0, 1, 2, apex}, 1}; };
  std::vector<Vec3> and_below = kUnitCube;
  and_below.emplace_back(0.3, 0.3, -1);
  EXPECT_EQ(complaint([&] { make_mesh(and_below, {on_one_face(4), on_one_face(8)}, 0, {}); }), "");
  EXPECT_NE(complaint([&] {
              make_mesh(and_below, {on_one_face(4), on_one_face(8), on_one_face(6)}, 0, {});
            }).find("third"),
            std::string::npos);
  EXPECT_NE(complaint([&] {
              make_mesh(kUnitCube, {on_one_face(4), on_one_face(5)}, 0, {});
            }).find("elements 0 and 1 overlap: they are on one side of the face they share"),
            std::string::npos);
  const std::vector<FaceSurface> inside = {{{0, 1, 6}, 1}};
  EXPECT_NE(complaint([&] { make_mesh(kUnitCube, {cube}, 0, inside); }).find("not on the boundary"),
            std::string::npos);
  // The face between two elements is no boundary.
  std::vector<Vec3> nodes = kUnitCube;
  for (int k : {1, 2, 6, 5}) nodes.push_back(kUnitCube[k] + Vec3(1, 0, 0));
  const Element next{8, {1, 8, 9, 2, 5, 11, 10, 6}, 0};
  const std::vector<FaceSurface> between = {{{1, 2, 6, 5}, 1}};
  EXPECT_EQ(complaint([&] { make_mesh(nodes, {cube, next}, 0, {}); }), "");
  EXPECT_NE(complaint([&] {
              make_mesh(nodes, {cube, next}, 0, between);
            }).find("1, 2, 6, 5 is not on the boundary"),
            std::string::npos);
}

TEST(Mesh, HexHasTheSurfacesOfItsWalls) {
  // Bottom, i-, j+, i+, j-, top.
  const std::array<int, 6> surfaces = {10, 11, 12, 13, 14, 15};
  const std::map<int, Vec3> outward = {{10, -Vec3::UnitZ()}, {11, -Vec3::UnitX()},
                                       {12, Vec3::UnitY()},  {13, Vec3::UnitX()},
                                       {14, -Vec3::UnitY()}, {15, Vec3::UnitZ()}};
  const Mesh mesh = make_hexahedral_mesh(corners(), {layers(2), layers(3), layers(4)}, 6, surfaces);
  EXPECT_EQ(mesh.nodes.size(), 3u * 4 * 5);
  EXPECT_EQ(mesh.elements.size(), 2u * 3 * 4);
  EXPECT_EQ(mesh.boundary.size(), 2u * (2 * 3 + 3 * 4 + 4 * 2));
  EXPECT_NEAR(volume(mesh), 1, 1e-14);
  for (const Element& e : mesh.elements) {
    EXPECT_NEAR(element_moments(mesh.nodes, e).volume, 1.0 / 24, 1e-14);
    EXPECT_EQ(e.volume, 6);
  }
  for (const BoundaryFace& face : mesh.boundary) {
    const Plane plane = plane_of(mesh, face);
    EXPECT_NEAR((plane.normal - outward.at(face.surface)).norm(), 0, 1e-14);
    EXPECT_NEAR(plane.offset, plane.normal.maxCoeff() > 0.5 ? 1 : 0, 1e-14);
  }
}

TEST(Mesh, HexLayersHaveTheRelativeSizes) {
  const Mesh mesh =
      make_hexahedral_mesh(corners(), {{{1, 3}, {5}, {2, 1, 1}}}, 0, {0, 0, 0, 0, 0, 0});
  std::set<double> x, y, z;
  for (const Vec3& n : mesh.nodes) {
    x.insert(n.x());
    y.insert(n.y());
    z.insert(n.z());
  }
  EXPECT_EQ(x, (std::set<double>{0, 0.25, 1}));
  EXPECT_EQ(y, (std::set<double>{0, 1}));
  EXPECT_EQ(z, (std::set<double>{0, 0.5, 0.75, 1}));
}

TEST(Mesh, HexOfAnyCornersFillsTheTrilinearSolid) {
  Random random(1);
  for (int repeat = 0; repeat < 30; repeat++) {
    std::array<Vec3, 8> c = corners();
    for (Vec3& corner : c) corner += random.in_box(0.2);
    const double exact = element_moments(c, {8, {0, 1, 2, 3, 4, 5, 6, 7}}).volume;
    const auto make = [&] {
      return make_hexahedral_mesh(c, {{{1, 2, 1}, {1, 1}, {4, 1}}}, 0, {1, 2, 3, 4, 5, 6});
    };
    const Mesh mesh = make();
    EXPECT_NEAR(volume(mesh), exact, 1e-13);
    // Bottom and top change places when the corners come the other way round.
    std::swap_ranges(c.begin(), c.begin() + 4, c.begin() + 4);
    const Mesh swapped = make();
    ASSERT_EQ(swapped.nodes.size(), mesh.nodes.size());
    for (std::size_t k = 0; k < mesh.nodes.size(); k++) EXPECT_EQ(swapped.nodes[k], mesh.nodes[k]);
    for (std::size_t k = 0; k < mesh.boundary.size(); k++)
      EXPECT_EQ(swapped.boundary[k].surface, mesh.boundary[k].surface);
  }
}

TEST(Mesh, PipeIsARingOfHexahedra) {
  Random random(2);
  for (const std::array<int, 3>& divisions :
       {std::array{1, 3, 1}, std::array{2, 8, 3}, std::array{4, 33, 2}}) {
    const auto [along, around, through] = divisions;
    const Vec3 base = random.in_box(2), axis = 1.7 * random.direction();
    const double inner = 0.8, thickness = 0.3, outer = inner + thickness;
    const Mesh mesh = make_pipe_mesh(base, axis, inner, thickness, divisions, 4, {1, 2, 3, 5});
    EXPECT_EQ(mesh.elements.size(), static_cast<std::size_t>(along * around * through));
    EXPECT_EQ(mesh.nodes.size(), static_cast<std::size_t>((along + 1) * around * (through + 1)));
    // A prism over the ring between two regular polygons.
    const double polygon = 0.5 * around * std::sin(2 * std::numbers::pi / around);
    const double exact = polygon * (outer * outer - inner * inner) * axis.norm();
    EXPECT_NEAR(volume(mesh), exact, 1e-12);
    for (const Element& e : mesh.elements) EXPECT_GT(element_moments(mesh.nodes, e).volume, 0);

    std::map<int, double> area;
    const Vec3 z = axis.normalized();
    for (const BoundaryFace& face : mesh.boundary) {
      area[face.surface] += face_area(mesh, face);
      const Plane plane = plane_of(mesh, face);
      for (const Vec3& p : points_of(mesh, face)) {
        const double height = z.dot(p - base);
        const double radius = (p - base - height * z).norm();
        if (face.surface == 1) {
          EXPECT_NEAR(height, 0, 1e-13);
        } else if (face.surface == 2) {
          EXPECT_NEAR(height, axis.norm(), 1e-13);
        } else {
          EXPECT_NEAR(radius, face.surface == 3 ? inner : outer, 1e-13);
          // Outward is towards the axis inside, away from it outside.
          EXPECT_GT((face.surface == 3 ? -1 : 1) * plane.normal.dot(p - base), 0);
        }
      }
      if (face.surface <= 2) {
        EXPECT_NEAR((plane.normal - (face.surface == 1 ? -z : z)).norm(), 0, 1e-12);
      }
    }
    const double side = 2 * around * std::sin(std::numbers::pi / around) * axis.norm();
    EXPECT_NEAR(area[1], exact / axis.norm(), 1e-12);
    EXPECT_NEAR(area[2], exact / axis.norm(), 1e-12);
    EXPECT_NEAR(area[3], side * inner, 1e-12);
    EXPECT_NEAR(area[5], side * outer, 1e-12);
    EXPECT_NEAR(enclosed_volume(mesh), exact, 1e-11);
  }
}

TEST(Mesh, PipeContainsItsWallOnly) {
  const Mesh pipe = make_pipe_mesh({1, 0, 0}, {0, 2, 0}, 1, 0.5, {1, 64, 1}, 0, {0, 0, 0, 0});
  Random random(3);
  int inside = 0;
  for (int k = 0; k < 2000; k++) {
    const Vec3 x = Vec3(1, 1, 0) + random.in_box(1.7);
    const double radius = Vec2(x.x() - 1, x.z()).norm();
    // The polygon's chords lie up to 1 - cos(pi/64) = 0.0012 inside of the circles.
    if (std::abs(radius - 1) < 2e-3 || std::abs(radius - 1.5) < 3e-3) continue;
    const bool expected = radius > 1 && radius < 1.5 && x.y() > 0 && x.y() < 2;
    EXPECT_EQ(contains(pipe, x), expected) << x.transpose();
    inside += expected;
  }
  EXPECT_GT(inside, 200);
  const Box box = bounding_box(pipe);
  EXPECT_NEAR((box.upper - Vec3(2.5, 2, 1.5)).norm(), 0, 1e-12);
}

}  // namespace
}  // namespace solfec::mesh_test
