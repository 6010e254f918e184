// Convexes in meshes: what the elements hold of them adds up to them, and is where it should be.
#include "geometry/cut_mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "geometry/element.hpp"
#include "geometry/moments.hpp"
#include "support/polyhedron_oracle.hpp"
#include "support/random_solids.hpp"

namespace solfec::cut_mesh_test {
namespace {

using testing::PlacedPolyhedron;
using testing::Random;

enum class Kind { hexahedra, mixed, tetrahedra };

// A cube of n^3 cells of unit size from the origin; each column of cells is of one or two kinds of
// elements. Inner nodes are displaced, those on the walls along the walls only.
Mesh cube_mesh(Kind kind, int n, double distortion, Random& random) {
  std::vector<Vec3> nodes;
  const auto number = [&](int i, int j, int k) { return (k * (n + 1) + j) * (n + 1) + i; };
  for (int k = 0; k <= n; k++)
    for (int j = 0; j <= n; j++)
      for (int i = 0; i <= n; i++) {
        Vec3 shift = random.in_box(distortion);
        const std::array<int, 3> at = {i, j, k};
        for (int d = 0; d < 3; d++)
          if (at[d] == 0 || at[d] == n) shift[d] = 0;
        nodes.push_back(Vec3(i, j, k) + shift);
      }
  std::vector<Element> elements;
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        const std::array<int, 8> c = {number(i, j, k),
                                      number(i + 1, j, k),
                                      number(i + 1, j + 1, k),
                                      number(i, j + 1, k),
                                      number(i, j, k + 1),
                                      number(i + 1, j, k + 1),
                                      number(i + 1, j + 1, k + 1),
                                      number(i, j + 1, k + 1)};
        if (kind == Kind::tetrahedra) {
          // Around the diagonal 0-6: neighbours see the same triangles.
          constexpr int kRing[7] = {1, 2, 3, 7, 4, 5, 1};
          for (int t = 0; t < 6; t++)
            elements.push_back({4, {c[0], c[kRing[t]], c[kRing[t + 1]], c[6]}, 0});
        } else if (kind == Kind::hexahedra || (i + j) % 3 == 0) {
          elements.push_back({8, c, 0});
        } else if ((i + j) % 3 == 1) {
          elements.push_back({6, {c[0], c[1], c[2], c[4], c[5], c[6]}, 0});
          elements.push_back({6, {c[0], c[2], c[3], c[4], c[6], c[7]}, 0});
        } else {
          Vec3 middle = Vec3::Zero();
          for (int node : c) middle += nodes[node] / 8;
          const int apex = static_cast<int>(nodes.size());
          nodes.push_back(middle);
          const FaceLoops& faces = element_faces(8);
          for (int f = 0; f < 6; f++) {
            const auto loop = faces.loop(f);
            elements.push_back({5, {c[loop[3]], c[loop[2]], c[loop[1]], c[loop[0]], apex}, 0});
          }
        }
      }
  return make_mesh(std::move(nodes), std::move(elements), 0, {});
}

std::vector<Vec3> corners_of(const Mesh& mesh, int element) {
  std::vector<Vec3> corners;
  for (int node : mesh.elements[element].used()) corners.push_back(mesh.nodes[node]);
  return corners;
}

Vec3 point_at(const Mesh& mesh, int element, const Vec3& local) {
  const auto corners = corners_of(mesh, element);
  std::array<double, 8> N;
  shape_functions(static_cast<int>(corners.size()), local, N);
  Vec3 x = Vec3::Zero();
  for (std::size_t k = 0; k < corners.size(); k++) x += N[k] * corners[k];
  return x;
}

// Volume and first moment of what the points hold, of one volume identifier or (-1) all.
Moments held(const CutMesh& cut, int volume = -1) {
  Moments m;
  for (const CutMesh::Part& part : cut.parts)
    if (volume < 0 || part.volume == volume)
      for (const MaterialPoint& p : cut.points_of(part)) {
        EXPECT_GT(p.volume, 0);
        m.volume += p.volume;
        m.first += p.volume * point_at(cut.mesh, part.element, p.local);
      }
  return m;
}

int filled(const CutMesh& cut) {
  return static_cast<int>(
      std::ranges::count_if(cut.parts, [](const CutMesh::Part& p) { return p.filled; }));
}

constexpr CutTolerances kExact = {0};

TEST(CutMesh, ConvexesAnywhereAddUp) {
  Random random(1);
  for (const auto& [kind, distortion] : {std::pair(Kind::hexahedra, 0.0),
                                         {Kind::hexahedra, 0.15},
                                         {Kind::mixed, 0.0},
                                         {Kind::mixed, 0.15},
                                         {Kind::tetrahedra, 0.0},
                                         {Kind::tetrahedra, 0.15}}) {
    for (int repeat = 0; repeat < 12; repeat++) {
      const Mesh mesh = cube_mesh(kind, 4, distortion, random);
      std::vector<Polyhedron> convexes;
      std::map<int, Moments> exact;
      for (int k = 0; k < 4; k++) {
        const double size = random.uniform(0.2, 1.1);
        convexes.push_back(testing::random_polyhedron(
            random, Vec3(2, 2, 2) + random.in_box(1.95 - 1.74 * size), size));
        convexes.back().volume = k / 2;
        exact[k / 2] += moments(convexes.back(), Vec3::Zero());
      }
      const CutMesh cut = cut_mesh(mesh, convexes, kExact);
      EXPECT_NEAR(cut.volume / (exact[0].volume + exact[1].volume), 1, 1e-13);
      EXPECT_NEAR(cut.found / cut.volume, 1, 1e-12);
      EXPECT_LE(cut.missing / cut.volume, 1e-12);
      for (int volume : {0, 1}) {
        const Moments m = held(cut, volume);
        EXPECT_NEAR(m.volume / exact[volume].volume, 1, 1e-12);
        // The standard points of a filled element with bent faces are those of its own map.
        const bool bent = distortion > 0 && kind != Kind::tetrahedra && filled(cut) > 0;
        EXPECT_NEAR((m.first - exact[volume].first).norm() / m.volume, 0, bent ? 1e-2 : 1e-11)
            << static_cast<int>(kind) << " " << distortion << " " << repeat << " " << volume;
      }
    }
  }
}

TEST(CutMesh, EveryElementHoldsItsShare) {
  Random random(2);
  const Mesh mesh = cube_mesh(Kind::mixed, 3, 0, random);
  int compared = 0;
  for (int repeat = 0; repeat < 10; repeat++) {
    const Polyhedron convex = testing::random_polyhedron(random, Vec3(1.5, 1.5, 1.5), 0.85);
    const CutMesh cut = cut_mesh(mesh, std::span(&convex, 1), kExact);
    std::map<int, double> volume;
    for (const CutMesh::Part& part : cut.parts)
      for (const MaterialPoint& p : cut.points_of(part))
        volume[cut.element[part.element]] += p.volume;
    const PlacedPolyhedron body(convex);
    for (int e = 0; e < static_cast<int>(mesh.elements.size()); e++) {
      const FaceLoops& faces = element_faces(mesh.elements[e].nodes);
      const PlacedPolyhedron element(
          Polyhedron{corners_of(mesh, e), faces, std::vector<int>(faces.count(), 0), 0});
      const auto exact = testing::exact_intersection(body.view(), element.view());
      const double expected = exact ? moments(*exact, Vec3::Zero()).volume : 0;
      EXPECT_NEAR(volume[e], expected, 1e-9);
      compared += expected > 1e-3;
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(CutMesh, ConvexesThatAreElementsFillThem) {
  Random random(3);
  for (double turn : {0.0, 0.3}) {
    Mesh mesh = cube_mesh(Kind::mixed, 3, 0, random);
    const Mat3 R = Eigen::AngleAxisd(turn, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    for (Vec3& x : mesh.nodes) x = R * x + Vec3(5, -7, 11) * turn;
    // Each element that is in the lower two layers is a convex; the upper half of them is of
    // another volume.
    std::vector<Polyhedron> convexes;
    std::vector<int> elements;
    for (int e = 0; e < static_cast<int>(mesh.elements.size()); e++) {
      const auto corners = corners_of(mesh, e);
      const double height =
          (R.transpose() * (element_moments(mesh.nodes, mesh.elements[e]).first /
                                element_moments(mesh.nodes, mesh.elements[e]).volume -
                            Vec3(5, -7, 11) * turn))
              .z();
      if (height > 2) continue;
      convexes.push_back(convex_hull(corners, height > 1, 0));
      elements.push_back(e);
    }
    const CutMesh cut = cut_mesh(mesh, convexes);
    EXPECT_EQ(cut.element, elements);
    ASSERT_EQ(cut.parts.size(), elements.size());
    EXPECT_EQ(filled(cut), static_cast<int>(elements.size()));
    for (std::size_t k = 0; k < cut.parts.size(); k++) {
      const CutMesh::Part& part = cut.parts[k];
      EXPECT_EQ(part.element, static_cast<int>(k));
      EXPECT_EQ(part.volume, convexes[k].volume);
      EXPECT_EQ(cut.points_of(part).size(), quadrature(cut.mesh.elements[k].nodes).size());
    }
    EXPECT_NEAR(held(cut).volume, 18, 1e-12);
    EXPECT_NEAR(cut.found, 18, 1e-12);
    // The nodes of the top are gone, those of its pyramids too.
    for (const Vec3& x : cut.mesh.nodes)
      EXPECT_LT((R.transpose() * (x - Vec3(5, -7, 11) * turn)).z(), 2 + 1e-9);
    EXPECT_LT(cut.mesh.nodes.size(), mesh.nodes.size());
    for (std::size_t n = 0; n < cut.node.size(); n++)
      EXPECT_EQ(cut.mesh.nodes[n], mesh.nodes[cut.node[n]]);
  }
}

TEST(CutMesh, OneConvexThatIsTheWholeMesh) {
  Random random(4);
  for (Kind kind : {Kind::hexahedra, Kind::mixed, Kind::tetrahedra})
    for (double distortion : {0.0, 0.15}) {
      const Mesh mesh = cube_mesh(kind, 3, distortion, random);
      const Polyhedron convex =
          testing::make_box({1.5, 1.5, 1.5}, {1.5, 1.5, 1.5}, Mat3::Identity());
      const CutMesh cut = cut_mesh(mesh, std::span(&convex, 1));
      EXPECT_EQ(cut.parts.size(), mesh.elements.size());
      EXPECT_EQ(filled(cut), static_cast<int>(mesh.elements.size()));
      // Its walls are plane, so that the errors of bent faces cancel.
      const Moments m = held(cut);
      EXPECT_NEAR(m.volume, 27, 1e-11);
      EXPECT_NEAR((m.first / 27 - Vec3(1.5, 1.5, 1.5)).norm(), 0, 1e-12);
      EXPECT_LE(cut.missing, 27e-12);
    }
}

TEST(CutMesh, WhatIsOutsideIsReported) {
  Random random(5);
  const Mesh mesh = cube_mesh(Kind::mixed, 3, 0, random);
  for (int repeat = 0; repeat < 20; repeat++) {
    const Vec3 direction = random.direction();
    const Polyhedron inner = testing::random_polyhedron(random, {1.5, 1.5, 1.5}, 0.8);
    const Polyhedron outer =
        testing::random_polyhedron(random, Vec3(1.5, 1.5, 1.5) + 1.5 * direction, 0.9);
    const PlacedPolyhedron cube(
        testing::make_box({1.5, 1.5, 1.5}, {1.5, 1.5, 1.5}, Mat3::Identity()));
    const auto common = testing::exact_intersection(PlacedPolyhedron(outer).view(), cube.view());
    const double whole = moments(outer, Vec3::Zero()).volume;
    const double expected = whole - (common ? moments(*common, Vec3::Zero()).volume : 0);
    const std::vector<Polyhedron> convexes = {inner, outer};
    const CutMesh cut = cut_mesh(mesh, convexes);
    EXPECT_NEAR(cut.missing, expected, 1e-9);
    if (expected < 1e-9) continue;
    EXPECT_TRUE(contains(outer, cut.missing_point));
    EXPECT_FALSE(contains(mesh, cut.missing_point));
  }
}

TEST(CutMesh, AHoleInTheMeshIsOutside) {
  // A bar through a pipe: both ends are in its wall.
  const Mesh pipe = make_pipe_mesh({0, 0, 0}, {0, 0, 1}, 1, 0.5, {1, 4, 1}, 0, {0, 0, 0, 0});
  const Mat3 R = Eigen::AngleAxisd(0.1, Vec3::UnitZ()).toRotationMatrix();
  const Polyhedron bar = testing::make_box({0, 0, 0.5}, {0.9, 0.1, 0.1}, R);
  const CutMesh cut = cut_mesh(pipe, std::span(&bar, 1));
  EXPECT_GT(cut.missing, 0.5 * cut.volume);
  EXPECT_LT(cut.missing, cut.volume);
  EXPECT_TRUE(contains(bar, cut.missing_point));
  EXPECT_FALSE(contains(pipe, cut.missing_point));
}

TEST(CutMesh, NothingInside) {
  Random random(6);
  const Mesh mesh = cube_mesh(Kind::hexahedra, 2, 0, random);
  const Polyhedron far = testing::make_box({9, 9, 9}, {1, 1, 1}, Mat3::Identity());
  const CutMesh cut = cut_mesh(mesh, std::span(&far, 1));
  EXPECT_NEAR(cut.missing, 8, 1e-13);
  EXPECT_TRUE(contains(far, cut.missing_point));
  EXPECT_TRUE(cut.parts.empty());
  EXPECT_TRUE(cut.mesh.elements.empty());
}

TEST(CutMesh, VerticesAreWhereTheyWere) {
  Random random(7);
  for (Kind kind : {Kind::hexahedra, Kind::mixed, Kind::tetrahedra})
    for (double distortion : {0.0, 0.15})
      for (int repeat = 0; repeat < 2; repeat++) {
        const Mesh mesh = cube_mesh(kind, 4, distortion, random);
        std::vector<Polyhedron> convexes = {
            testing::make_box({2, 2, 2}, {2, 2, 2}, Mat3::Identity()),  // the corners of the mesh
            testing::make_box({2, 2, 2}, {1, 1, 1}, Mat3::Identity()),
            testing::random_polyhedron(random, {1.5, 1.5, 1.5}, 0.85)};
        const CutMesh cut = cut_mesh(mesh, convexes);
        for (std::size_t c = 0; c < convexes.size(); c++) {
          const auto& vertices = convexes[c].vertices;
          ASSERT_EQ(cut.vertex_begin[c + 1] - cut.vertex_begin[c], std::ssize(vertices));
          for (std::size_t v = 0; v < vertices.size(); v++) {
            const CutMesh::Place& place = cut.vertices[cut.vertex_begin[c] + v];
            EXPECT_TRUE(inside(cut.mesh.elements[place.element].nodes, place.local, 1e-9));
            EXPECT_NEAR((point_at(cut.mesh, place.element, place.local) - vertices[v]).norm(), 0,
                        1e-12);
          }
          // The elements of a convex are those that its points are in.
          const std::span<const int> of(cut.overlaps.data() + cut.overlap_begin[c],
                                        cut.overlaps.data() + cut.overlap_begin[c + 1]);
          EXPECT_TRUE(std::ranges::is_sorted(of));
          if (c == 0) {
            EXPECT_EQ(of.size(), cut.mesh.elements.size());
          }
        }
      }
}

TEST(CutMesh, OverlapsOfEachConvex) {
  Random random(8);
  const Mesh mesh = cube_mesh(Kind::hexahedra, 4, 0, random);
  const std::vector<Polyhedron> convexes = {
      testing::make_box({0.5, 0.5, 0.5}, {0.4, 0.4, 0.4}, Mat3::Identity()),
      testing::make_box({1, 0.5, 0.5}, {0.4, 0.4, 0.4}, Mat3::Identity())};
  const CutMesh cut = cut_mesh(mesh, convexes);
  EXPECT_EQ(cut.element, (std::vector{0, 1}));
  EXPECT_EQ(cut.overlaps, (std::vector{0, 0, 1}));
  EXPECT_EQ(cut.overlap_begin, (std::vector{0, 1, 3}));
  // Both are in the first element and of one volume: one part.
  EXPECT_EQ(cut.parts.size(), 2u);
}

TEST(CutMesh, SliversAreLeftOutAndVolumesKept) {
  Random random(9);
  const Mesh mesh = cube_mesh(Kind::hexahedra, 2, 0, random);
  // Beyond the first element by 1e-8.
  const Polyhedron convex =
      testing::make_box({0.5, 0.5, 0.5}, Vec3::Constant(0.5 + 1e-8), Mat3::Identity());
  Polyhedron inner = convex;
  for (Vec3& x : inner.vertices) x = x.cwiseMax(0.0);
  const CutMesh cut = cut_mesh(mesh, std::span(&inner, 1));
  EXPECT_EQ(cut.element, std::vector{0});
  EXPECT_EQ(filled(cut), 1);
  EXPECT_LE(cut.missing, 1e-13);
  EXPECT_NEAR(held(cut).volume, std::pow(1 + 1e-8, 3), 1e-14);
  for (const CutMesh::Place& place : cut.vertices)
    EXPECT_TRUE(inside(8, place.local, 1e-6)) << "a little outside of the element kept";
  // Without tolerance its neighbours at the faces hold something too; at edges it is lost in
  // round-off.
  EXPECT_GE(cut_mesh(mesh, std::span(&inner, 1), kExact).element.size(), 4u);

  // A body much smaller than the element is no sliver of it.
  const Polyhedron small =
      testing::make_box({0.5, 0.5, 0.5}, Vec3::Constant(1e-4), Mat3::Identity());
  const CutMesh few = cut_mesh(mesh, std::span(&small, 1));
  EXPECT_EQ(few.element, std::vector{0});
  EXPECT_NEAR(held(few).volume / 8e-12, 1, 1e-12);
}

TEST(CutMesh, ManyConvexesInOneElementAreFewPoints) {
  Random random(10);
  const Mesh mesh = cube_mesh(Kind::hexahedra, 1, 0, random);
  std::vector<Polyhedron> convexes;
  Moments exact;
  for (int k = 0; k < 200; k++) {
    convexes.push_back(
        testing::random_polyhedron(random, Vec3(0.5, 0.5, 0.5) + random.in_box(0.32), 0.1));
    convexes.back().volume = 7;
    exact += moments(convexes.back(), Vec3::Zero());
  }
  const CutMesh cut = cut_mesh(mesh, convexes);
  ASSERT_EQ(cut.parts.size(), 1u);
  EXPECT_LE(cut.points.size(), 23u);
  EXPECT_EQ(cut.parts[0].volume, 7);
  const Moments m = held(cut);
  EXPECT_NEAR(m.volume / exact.volume, 1, 1e-12);
  EXPECT_NEAR((m.first - exact.first).norm() / exact.volume, 0, 1e-12);
}

TEST(CutMesh, TheMeshThatIsLeftIsCutAlike) {
  Random random(11);
  const Mesh mesh = cube_mesh(Kind::mixed, 4, 0.1, random);
  const Polyhedron convex = testing::random_polyhedron(random, {1.5, 1.5, 1.5}, 0.85);
  const CutMesh cut = cut_mesh(mesh, std::span(&convex, 1));
  EXPECT_LT(cut.element.size(), mesh.elements.size());
  const CutMesh again = cut_mesh(cut.mesh, std::span(&convex, 1));
  ASSERT_EQ(again.points.size(), cut.points.size());
  for (std::size_t p = 0; p < cut.points.size(); p++) {
    EXPECT_EQ(again.points[p].local, cut.points[p].local);
    EXPECT_EQ(again.points[p].volume, cut.points[p].volume);
  }
  EXPECT_EQ(again.mesh.nodes.size(), cut.mesh.nodes.size());
}

TEST(CutMesh, SurfacesOfTheMeshAreKept) {
  const std::array<Vec3, 8> corners = {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(2, 1, 0), Vec3(0, 1, 0),
                                       Vec3(0, 0, 1), Vec3(2, 0, 1), Vec3(2, 1, 1), Vec3(0, 1, 1)};
  const Mesh mesh = make_hexahedral_mesh(corners, {{{1, 1}, {1}, {1}}}, 3, {1, 2, 3, 4, 5, 6});
  const Polyhedron convex = testing::make_box({0.5, 0.5, 0.5}, {0.3, 0.3, 0.3}, Mat3::Identity());
  const CutMesh cut = cut_mesh(mesh, std::span(&convex, 1));
  std::map<int, int> count;
  for (const BoundaryFace& face : cut.mesh.boundary) count[face.surface]++;
  EXPECT_EQ(count, (std::map<int, int>{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {5, 1}, {6, 1}}));
}

TEST(CutMesh, PairsGrowWithTheMesh) {
  // n^3 elements and n^3 convexes about as large: the pairs looked at must grow like n^3.
  Random random(12);
  double per_element[2];
  for (int size : {0, 1}) {
    const int n = size == 0 ? 4 : 8;
    const Mesh mesh = cube_mesh(Kind::hexahedra, n, 0, random);
    std::vector<Polyhedron> convexes;
    for (int k = 0; k < n * n * n; k++)
      convexes.push_back(testing::make_box(Vec3::Constant(0.5 * n) + random.in_box(0.5 * n - 0.5),
                                           {0.3, 0.3, 0.3}, Mat3::Identity()));
    const CutMesh cut = cut_mesh(mesh, convexes);
    per_element[size] = static_cast<double>(cut.pairs) / (n * n * n);
  }
  EXPECT_LT(per_element[1], 1.3 * per_element[0]);
  EXPECT_LT(per_element[1], 60);
}

TEST(CutMesh, DistortedElementsAreNamed) {
  Random random(13);
  Mesh mesh = cube_mesh(Kind::hexahedra, 2, 0, random);
  mesh.nodes[13] = Vec3(-0.4, -0.4, -0.4);  // the middle one
  const Polyhedron convex = testing::make_box({0.5, 0.5, 0.5}, {0.1, 0.1, 0.1}, Mat3::Identity());
  try {
    cut_mesh(mesh, std::span(&convex, 1));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("element 0: it is too distorted"), std::string::npos);
  }
}

}  // namespace
}  // namespace solfec::cut_mesh_test
