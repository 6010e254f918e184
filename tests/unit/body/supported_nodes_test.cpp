// Elimination in a matrix, against the dense inverse among the free directions.
#include "body/supported_nodes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "body/elastic_mesh.hpp"
#include "support/make_bodies.hpp"

namespace solfec::supported_nodes_test {
namespace {

using testing::Random;
using Matrix = Eigen::MatrixXd;

// M + K of a block of eight hexahedra, as sparse lower triangle and full.
struct Block {
  Shape shape = testing::meshed_box(Vec3::Zero(), Vec3::Ones(), 2);
  Mesh mesh = std::get<Mesh>(shape.front());
  ElasticMesh elastic{mesh, filled_parts(mesh),
                      std::vector<ElementProperties>(mesh.elements.size(), {1, 1, 1}),
                      ElementTechnology::plain};
  Eigen::SparseMatrix<double> A = elastic.stiffness_pattern();
  Matrix full;

  Block() {
    elastic.add_stiffness(elastic.reference().data(), 1, A);
    for (int k = 0; k < A.rows(); k++) A.coeffRef(k, k) += 0.1;
    full = Matrix(A).selfadjointView<Eigen::Lower>();
  }
};

NodeSupport support(int node, const std::vector<Vec3>& directions) {
  Matrix D(3, static_cast<Eigen::Index>(directions.size()));
  for (std::size_t k = 0; k < directions.size(); k++)
    D.col(static_cast<Eigen::Index>(k)) = directions[k];
  NodeSupport s;
  s.node = node;
  s.free = Mat3::Identity() - D * (D.transpose() * D).inverse() * D.transpose();
  return s;
}

TEST(SupportedNodes, InverseIsThatAmongFreeDirections) {
  const Block block;
  Random random(3);
  const int nodes = block.elastic.nodes(), n = 3 * nodes;
  const std::vector<NodeSupport> supports = {
      support(0, {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()}),
      support(4, {random.rotation().col(0)}),
      support(13, {Vec3(1, 2, 3).normalized(), Vec3(-1, 0, 2).normalized()}),
      support(nodes - 1, {Vec3::UnitZ()})};
  SupportedNodes supported;
  ASSERT_TRUE(supported.take(supports, nodes));
  EXPECT_FALSE(supported.take(supports, nodes)) << "nothing has changed";

  Matrix P = Matrix::Identity(n, n);
  for (const NodeSupport& s : supports) P.block<3, 3>(3 * s.node, 3 * s.node) = s.free;
  // A basis of the free directions.
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(P);
  const Matrix Z = eigen.eigenvectors().rightCols(n - 7);
  ASSERT_LT((Z * Z.transpose() - P).cwiseAbs().maxCoeff(), 1e-12);
  const Matrix exact = Z * (Z.transpose() * block.full * Z).inverse() * Z.transpose();

  Eigen::SparseMatrix<double> lower;
  supported.eliminate(block.A, lower);
  EXPECT_EQ(lower.nonZeros(), block.A.nonZeros()) << "the pattern of A";
  const Matrix eliminated = Matrix(lower).selfadjointView<Eigen::Lower>();
  const Matrix inverse = P * eliminated.inverse() * P;
  EXPECT_LT((inverse - exact).cwiseAbs().maxCoeff(), 1e-11 * exact.cwiseAbs().maxCoeff());

  Eigen::VectorXd v(n);
  for (double& value : v) value = random.uniform(-1, 1);
  Eigen::VectorXd projected = v;
  supported.project(projected.data());
  EXPECT_LT((projected - P * v).norm(), 1e-14 * v.norm());
  EXPECT_TRUE(supported.take({}, nodes));
  EXPECT_TRUE(supported.empty());
  EXPECT_EQ(supported.free(0), Mat3(Mat3::Identity()));
}

TEST(SupportedNodes, RowsKeepALittleComplianceOfSupports) {
  const Mat3 free = support(0, {Vec3(1, 1, 0).normalized()}).free, Q = projection_of_rows(free);
  EXPECT_TRUE((Q * Q).isApprox(free + kSupportCompliance * (Mat3::Identity() - free), 1e-12));
}

}  // namespace
}  // namespace solfec::supported_nodes_test
