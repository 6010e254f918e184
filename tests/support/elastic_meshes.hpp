// Elastic meshes for tests: blocks of cells, distorted, of one material, and solutions of small
// strain.
#pragma once

#include <Eigen/SparseCholesky>
#include <map>

#include "body/elastic_mesh.hpp"
#include "support/cell_mesh.hpp"
#include "support/random.hpp"

namespace solfec::testing {

inline ElementProperties material(double young, double poisson, double density = 1000) {
  return {young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 + 2 * poisson),
          density};
}

inline ElasticMesh elastic(const Mesh& mesh, const ElementProperties& properties,
                           ElementTechnology technology = ElementTechnology::enhanced) {
  return {mesh, std::vector<ElementProperties>(mesh.elements.size(), properties), technology};
}

inline Eigen::Map<const Eigen::VectorXd> reference(const ElasticMesh& solid) {
  return {solid.reference().data(), 3 * solid.nodes()};
}

// Of n x n x n cells with the edge 1.
inline Mesh block(int n, const CellMesh::Kind& kind) {
  return CellMesh({n, n, n}, kind).mesh([=](const Vec3& place) { return n * place; });
}

inline Mesh block(int n, Cell cell) {
  return block(n, [=](const auto&) { return cell; });
}

inline Mesh distorted(Mesh mesh, double amount, std::uint64_t seed = 7) {
  Random random(seed);
  for (Vec3& x : mesh.nodes) x += random.in_box(amount);
  return mesh;
}

inline std::vector<bool> on_boundary(const Mesh& mesh) {
  std::vector<bool> on(mesh.nodes.size(), false);
  for (const BoundaryFace& face : mesh.boundary) {
    const Element& element = mesh.elements[face.element];
    for (int k : element_faces(element.nodes).loop(face.side)) on[element.node[k]] = true;
  }
  return on;
}

inline Eigen::SparseMatrix<double> lower_stiffness(const ElasticMesh& solid,
                                                   const Eigen::VectorXd& x) {
  auto K = solid.stiffness_pattern();
  solid.add_stiffness(x.data(), 1, K);
  return K;
}

// Displacements under a load with some of them given: degree of freedom -> value.
inline Eigen::VectorXd solve(const ElasticMesh& solid, const std::map<int, double>& given,
                             const Eigen::VectorXd& load) {
  const auto lower = lower_stiffness(solid, reference(solid));
  Eigen::SparseMatrix<double> K = lower.selfadjointView<Eigen::Lower>();
  Eigen::VectorXd d = Eigen::VectorXd::Zero(load.size());
  for (auto [k, value] : given) d[k] = value;
  Eigen::VectorXd right = load - K * d;
  for (auto [k, value] : given) right[k] = value;
  K.prune([&](int i, int j, double) { return i == j || (!given.count(i) && !given.count(j)); });
  for (auto [k, value] : given) K.coeffRef(k, k) = 1;
  return Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(K).solve(right);
}

}  // namespace solfec::testing
