// A finite-element body divided into glued ones, which together are what it was.
//
// A node that k parts have is glued by k - 1 joints, from the part with most elements about the
// node to each of the others: no joint follows from the others, and Gauss-Seidel takes fewer sweeps
// than with the parts in a chain. The elements, and with them nodal masses, stiffness and weight of
// the parts add up to those of the whole.
#pragma once

#include <string>

#include "body/body_store.hpp"
#include "geometry/mesh_partition.hpp"

namespace solfec {

/// Why a body cannot be divided; empty when it can.
std::string partition_obstacle(const Body& body);

/// The part whose element holds the reference point.
int part_at(const Body& whole, const MeshPartition& partition, const Vec3& point);

/// Bodies for the parts, with numbers from `first` on: in motion like the whole, with its loads and
/// joints, and the glue. The joints of other bodies with
/// the whole are not looked at.
std::vector<BodyState> divide_body(const BodyState& whole, const MeshPartition& partition,
                                   const BulkMaterials& materials, BodyId first);

}  // namespace solfec
