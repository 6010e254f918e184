#include "geometry/convex_view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/polyhedron_oracle.hpp"
#include "support/random_solids.hpp"

namespace solfec::convex_view_test {
namespace {

using testing::PlacedPolyhedron;
using testing::Random;

TEST(ConvexView, TopologyJoinsFacesAlongEdges) {
  Random random(1);
  for (int repeat = 0; repeat < 50; repeat++) {
    const Polyhedron solid = testing::random_polyhedron(random, Vec3::Zero(), 1);
    const ConvexTopology topology(solid.faces);
    const int vertices = static_cast<int>(solid.vertices.size());
    // Euler: V - E + F = 2.
    EXPECT_EQ(vertices - static_cast<int>(topology.edges.size()) + solid.faces.count(), 2);
    ASSERT_EQ(topology.face_edge.size(), solid.faces.vertex.size());
    for (int f = 0; f < solid.faces.count(); f++) {
      const auto loop = solid.faces.loop(f);
      for (std::size_t k = 0; k < loop.size(); k++) {
        const auto& edge = topology.edges[topology.face_edge[solid.faces.begin[f] + k]];
        const int a = loop[k], b = loop[(k + 1) % loop.size()];
        if (edge.left == f) {
          EXPECT_EQ(std::pair(edge.start, edge.end), std::pair(a, b));
        } else {
          EXPECT_EQ(edge.right, f);
          EXPECT_EQ(std::pair(edge.end, edge.start), std::pair(a, b));
        }
        EXPECT_NE(edge.left, edge.right);
      }
    }
    std::size_t ends = 0;
    for (int v = 0; v < vertices; v++) {
      std::set<int> at;
      for (int e : topology.edges_at(v)) {
        EXPECT_TRUE(topology.edges[e].start == v || topology.edges[e].end == v);
        at.insert(e);
      }
      EXPECT_GE(at.size(), 3u);
      ends += at.size();
    }
    EXPECT_EQ(ends, 2 * topology.edges.size());
  }
}

TEST(ConvexView, SupportVertexIsTheFarthest) {
  Random random(2);
  for (int repeat = 0; repeat < 500; repeat++) {
    const Polyhedron solid = testing::random_polyhedron(random, random.in_box(3), 1);
    const Vec3 n = random.direction();
    const int found = support_vertex(solid.vertices, n);
    for (const Vec3& v : solid.vertices) EXPECT_LE(n.dot(v), n.dot(solid.vertices[found]));
  }
  const std::vector<Vec3> equal = {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {0, 0, 1}};
  EXPECT_EQ(support_vertex(equal, Vec3::UnitZ()), 1) << "the first one of equals";
}

TEST(ConvexView, DirectionalDepthOfBoxes) {
  const PlacedPolyhedron lower(testing::make_box({0, 0, 0}, {1, 1, 1}, Mat3::Identity()));
  for (double overlap : {1e-9, 1e-3, 0.5, 1.9}) {
    const PlacedPolyhedron upper(
        testing::make_box({0.3, 0.2, 2 - overlap}, {1, 1, 1}, Mat3::Identity()));
    const auto depth = [&](const Vec3& n) {
      return directional_depth(upper.view().vertices, lower.view().vertices, n.normalized());
    };
    EXPECT_NEAR(depth({0, 0, 1}), overlap, 1e-13);
    EXPECT_NEAR(depth({1, 0, 0}), 1.7, 1e-13) << "out by the side";
    EXPECT_NEAR(depth({0, 0, -1}), 4 - overlap, 1e-13) << "out by the far side";
    const Vec3 slanted(1, 0, 2);
    EXPECT_NEAR(depth(slanted), std::min(overlap / 2, 1.7) * std::sqrt(5.0), 1e-12);
  }
}

TEST(ConvexView, DirectionalDepthSeparatesAndNotSooner) {
  Random random(3);
  int overlapping = 0;
  for (int repeat = 0; repeat < 3000; repeat++) {
    const PlacedPolyhedron first(testing::random_polyhedron(random, Vec3::Zero(), 1));
    const PlacedPolyhedron second(testing::random_polyhedron(random, random.in_box(1), 1));
    const double separation = testing::largest_separation(first.view(), second.view(), nullptr);
    if (separation > -1e-6) continue;
    overlapping++;
    const Vec3 n = random.direction();
    ASSERT_NEAR(directional_depth(first.view().vertices, second.view().vertices, n),
                testing::exact_directional_depth(first.view(), second.view(), n), 1e-10)
        << repeat;
  }
  EXPECT_GT(overlapping, 1000);
}

}  // namespace
}  // namespace solfec::convex_view_test
