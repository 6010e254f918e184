// Each element is in one part, parts are of like size, connected, and the same each time; what they
// have in common is told.
#include "geometry/mesh_partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/cell_mesh.hpp"

namespace solfec::mesh_partition_test {
namespace {

using testing::Cell;
using testing::CellMesh;

Mesh cells(const CellMesh::Place& divisions, const CellMesh::Kind& kind) {
  return CellMesh(divisions, kind).mesh([](const Vec3& place) { return place; });
}

Cell mixed(const CellMesh::Place& p) {
  if (p[0] > 0) return Cell::pyramids;
  return p[1] == 0 ? Cell::hexahedron : Cell::wedges;
}

struct Case {
  Mesh mesh;
  int parts;
};

std::vector<Case> cases() {
  const auto all = [](Cell cell) { return [cell](const CellMesh::Place&) { return cell; }; };
  std::vector<Case> list;
  for (int parts : {1, 2, 3, 5, 8}) {
    list.push_back({cells({20, 1, 1}, all(Cell::hexahedron)), parts});
    list.push_back({cells({6, 5, 4}, all(Cell::hexahedron)), parts});
    list.push_back({cells({4, 3, 2}, all(Cell::tetrahedra)), parts});
    list.push_back({cells({4, 4, 3}, mixed), parts});
  }
  list.push_back({cells({10, 10, 10}, all(Cell::hexahedron)), 64});
  return list;
}

// Elements of a mesh that can be reached from the first one through faces.
std::size_t connected(const Mesh& mesh) {
  std::map<std::set<int>, std::vector<int>> faces;
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); e++) {
    const FaceLoops& sides = element_faces(mesh.elements[e].nodes);
    for (int side = 0; side < sides.count(); side++) {
      std::set<int> nodes;
      for (int k : sides.loop(side)) nodes.insert(mesh.elements[e].node[k]);
      faces[nodes].push_back(e);
    }
  }
  std::set<int> reached = {0};
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const auto& [nodes, elements] : faces)
      if (std::ranges::any_of(elements, [&](int e) { return reached.contains(e); }))
        reached.insert(elements.begin(), elements.end());
  }
  return reached.size();
}

TEST(MeshPartition, EachElementIsInOnePart) {
  for (const auto& [mesh, parts] : cases()) {
    const MeshPartition partition = partition_mesh(mesh, parts);
    ASSERT_EQ(std::ssize(partition.parts), parts);
    std::set<int> seen;
    for (int p = 0; p < parts; p++) {
      const MeshPart& part = partition.parts[p];
      ASSERT_EQ(part.element.size(), part.mesh.elements.size());
      EXPECT_TRUE(std::ranges::is_sorted(part.element));
      for (int e = 0; e < static_cast<int>(part.element.size()); e++) {
        const int whole = part.element[e];
        EXPECT_TRUE(seen.insert(whole).second);
        EXPECT_EQ(partition.part[whole], p);
        EXPECT_EQ(partition.number[whole], e);
        const Element &here = part.mesh.elements[e], &there = mesh.elements[whole];
        ASSERT_EQ(here.nodes, there.nodes);
        EXPECT_EQ(here.volume, there.volume);
        for (int k = 0; k < here.nodes; k++) {
          EXPECT_EQ(part.node[here.node[k]], there.node[k]);
          EXPECT_EQ(part.mesh.nodes[here.node[k]], mesh.nodes[there.node[k]]);
        }
      }
    }
    EXPECT_EQ(seen.size(), mesh.elements.size());
  }
}

TEST(MeshPartition, PartsAreConnectedAndOfLikeSize) {
  for (const auto& [mesh, parts] : cases()) {
    const double mean = static_cast<double>(mesh.elements.size()) / parts;
    for (const MeshPart& part : partition_mesh(mesh, parts).parts) {
      EXPECT_LE(static_cast<double>(part.element.size()), 1.05 * mean + 1.5);
      EXPECT_GE(static_cast<double>(part.element.size()), 0.95 * mean - 1.5);
      EXPECT_EQ(connected(part.mesh), part.element.size());
    }
  }
}

TEST(MeshPartition, CutsAreSmall) {
  // A bar of 20 elements in a row is cut across, a cube of 10^3 elements through its middle.
  const auto hexahedra = [](const CellMesh::Place&) { return Cell::hexahedron; };
  const auto shared = [](const Mesh& mesh, int parts) {
    const auto having = parts_of_nodes(mesh, partition_mesh(mesh, parts));
    return std::ranges::count_if(having, [](const auto& list) { return list.size() > 1; });
  };
  EXPECT_EQ(shared(cells({20, 1, 1}, hexahedra), 5), 4 * 4);
  EXPECT_LE(shared(cells({10, 10, 10}, hexahedra), 2), 1.2 * 121);
}

TEST(MeshPartition, NodesKnowTheirParts) {
  for (const auto& [mesh, parts] : cases()) {
    const MeshPartition partition = partition_mesh(mesh, parts);
    std::vector<std::multiset<int>> wanted(mesh.nodes.size());
    for (std::size_t e = 0; e < mesh.elements.size(); e++)
      for (int node : mesh.elements[e].used()) wanted[node].insert(partition.part[e]);
    const auto having = parts_of_nodes(mesh, partition);
    ASSERT_EQ(having.size(), wanted.size());
    for (std::size_t node = 0; node < having.size(); node++) {
      EXPECT_EQ(std::set(having[node].begin(), having[node].end()),
                std::set(wanted[node].begin(), wanted[node].end()));
      for (std::size_t k = 1; k < having[node].size(); k++) {
        const auto before = wanted[node].count(having[node][k - 1]),
                   after = wanted[node].count(having[node][k]);
        EXPECT_TRUE(before > after || (before == after && having[node][k - 1] < having[node][k]));
      }
    }
  }
}

TEST(MeshPartition, FacesAlongCutsAreInternal) {
  for (const auto& [mesh, parts] : cases()) {
    std::vector<std::array<int, 3>> faces;
    for (const MeshPart& part : partition_mesh(mesh, parts).parts) {
      EXPECT_TRUE(std::ranges::is_sorted(part.mesh.boundary, {}, &BoundaryFace::element));
      for (const BoundaryFace& face : part.mesh.boundary)
        faces.push_back({part.element[face.element], face.side, face.surface});
    }
    std::ranges::sort(faces);
    ASSERT_EQ(faces.size(), mesh.boundary.size());
    for (std::size_t k = 0; k < faces.size(); k++)
      EXPECT_EQ(faces[k], (std::array{mesh.boundary[k].element, mesh.boundary[k].side,
                                      mesh.boundary[k].surface}));
  }
}

TEST(MeshPartition, IsTheSameEachTime) {
  for (const auto& [mesh, parts] : cases())
    EXPECT_EQ(partition_mesh(mesh, parts).part, partition_mesh(mesh, parts).part);
}

TEST(MeshPartition, AsManyPartsAsElements) {
  const Mesh mesh = cells({3, 3, 3}, [](const CellMesh::Place&) { return Cell::hexahedron; });
  for (int parts = 20; parts <= 27; parts++)
    for (const MeshPart& part : partition_mesh(mesh, parts).parts)
      EXPECT_GE(part.element.size(), 1u);
}

}  // namespace
}  // namespace solfec::mesh_partition_test
