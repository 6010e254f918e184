// Division of a mesh into parts of about as many elements each, with few nodes in common (METIS:
// Karypis and Kumar 1998).
#pragma once

#include <vector>

#include "geometry/mesh.hpp"

namespace solfec {

struct MeshPart {
  /// Nodes and elements in the order of the whole mesh. Its boundary is what it has of that of the
  /// whole: faces along which the mesh was divided are internal.
  Mesh mesh;
  std::vector<int> node;     ///< of the whole mesh, by node; rising
  std::vector<int> element;  ///< of the whole mesh, by element; rising
};

struct MeshPartition {
  std::vector<MeshPart> parts;
  // By element of the whole mesh:
  std::vector<int> part;    ///< that has it
  std::vector<int> number;  ///< in that part
};

/// Divides a mesh with at least as many elements as parts; no part is empty. The same mesh is
/// always divided in the same way.
MeshPartition partition_mesh(const Mesh& mesh, int parts);

/// The parts that have a node, those with more elements about it first; by node of the whole mesh.
std::vector<std::vector<int>> parts_of_nodes(const Mesh& mesh, const MeshPartition& partition);

}  // namespace solfec
