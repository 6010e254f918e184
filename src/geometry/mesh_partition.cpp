#include "geometry/mesh_partition.hpp"

#include <metis.h>

#include <algorithm>
#include <functional>
#include <map>

#include "core/error.hpp"

namespace solfec {
namespace {

// Recursive bisection: of METIS's methods the one with the better balance on meshes like ours. Of
// several attempts the one with the smallest cut is taken, in which hardly ever a part falls into
// pieces.
std::vector<int> divide_elements(const Mesh& mesh, int parts) {
  if (parts == 1) return std::vector<int>(mesh.elements.size());  // METIS cannot
  std::vector<idx_t> begin = {0}, node;
  for (const Element& element : mesh.elements) {
    node.insert(node.end(), element.used().begin(), element.used().end());
    begin.push_back(static_cast<idx_t>(node.size()));
  }
  auto elements = static_cast<idx_t>(mesh.elements.size());
  auto nodes = static_cast<idx_t>(mesh.nodes.size());
  idx_t common = 3;  // neighbours have a triangle in common, or more
  idx_t count = parts, cut = 0;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_PTYPE] = METIS_PTYPE_RB;
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NCUTS] = 20;
  std::vector<idx_t> part(mesh.elements.size()), part_of_node(mesh.nodes.size());
  const int outcome =
      METIS_PartMeshDual(&elements, &nodes, begin.data(), node.data(), nullptr, nullptr, &common,
                         &count, nullptr, options, &cut, part.data(), part_of_node.data());
  if (outcome != METIS_OK) throw RunError("METIS has not divided the mesh");
  return {part.begin(), part.end()};
}

// Where there are few elements METIS may leave parts empty: they take from the largest one.
void fill_empty(std::vector<int>& part, int parts) {
  std::vector<int> size(static_cast<std::size_t>(parts));
  for (int p : part) size[p]++;
  for (int p = 0; p < parts; p++) {
    if (size[p] > 0) continue;
    const auto largest = static_cast<int>(std::ranges::max_element(size) - size.begin());
    *std::find(part.rbegin(), part.rend(), largest) = p;
    size[largest]--;
    size[p]++;
  }
}

// `number` of the whole mesh's nodes is work space.
void take_nodes(const Mesh& mesh, MeshPart& part, std::vector<int>& number) {
  std::ranges::fill(number, -1);
  for (const Element& element : part.mesh.elements)
    for (int node : element.used()) number[node] = 0;
  for (int node = 0; node < static_cast<int>(mesh.nodes.size()); node++) {
    if (number[node] < 0) continue;
    number[node] = static_cast<int>(part.node.size());
    part.node.push_back(node);
    part.mesh.nodes.push_back(mesh.nodes[node]);
  }
  for (Element& element : part.mesh.elements)
    for (int k = 0; k < element.nodes; k++) element.node[k] = number[element.node[k]];
}

}  // namespace

MeshPartition partition_mesh(const Mesh& mesh, int parts) {
  DEMAND(parts > 0 && std::ssize(mesh.elements) >= parts);
  MeshPartition result;
  result.parts.resize(static_cast<std::size_t>(parts));
  result.part = divide_elements(mesh, parts);
  fill_empty(result.part, parts);
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); e++) {
    MeshPart& part = result.parts[result.part[e]];
    result.number.push_back(static_cast<int>(part.element.size()));
    part.element.push_back(e);
    part.mesh.elements.push_back(mesh.elements[e]);
  }
  std::vector<int> number(mesh.nodes.size());
  for (MeshPart& part : result.parts) take_nodes(mesh, part, number);
  for (const BoundaryFace& face : mesh.boundary)
    result.parts[result.part[face.element]].mesh.boundary.push_back(
        {result.number[face.element], face.side, face.surface});
  return result;
}

std::vector<std::vector<int>> parts_of_nodes(const Mesh& mesh, const MeshPartition& partition) {
  std::vector<std::map<int, int>> elements(mesh.nodes.size());  // by node: how many of each part
  for (std::size_t e = 0; e < mesh.elements.size(); e++)
    for (int node : mesh.elements[e].used()) elements[node][partition.part[e]]++;
  std::vector<std::vector<int>> having(mesh.nodes.size());
  for (std::size_t node = 0; node < having.size(); node++) {
    for (const auto& [part, count] : elements[node]) having[node].push_back(part);
    std::ranges::stable_sort(having[node], std::greater<>(),
                             [&](int part) { return elements[node].at(part); });
  }
  return having;
}

}  // namespace solfec
