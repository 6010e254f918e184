// Carriers of points, and rows that have the products N C N^T. In bodies: finite_elements_test.cpp.
#include "body/row_basis.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "geometry/element.hpp"
#include "support/make_bodies.hpp"

namespace solfec::row_basis_test {
namespace {

using testing::Random;
using Matrix = Eigen::MatrixXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct TwoCells {
  Shape shape = testing::meshed_box(Vec3::Zero(), Vec3::Ones(), 2);
  Mesh mesh = std::get<Mesh>(shape.front());
  ElasticMesh elastic{mesh, filled_parts(mesh),
                      std::vector<ElementProperties>(mesh.elements.size(), {1, 1, 1}),
                      ElementTechnology::plain};
};

// Shape functions at points, as rows over all nodes.
Matrix values(const ElasticMesh& mesh, const std::vector<ElementPoint>& points) {
  Matrix N = Matrix::Zero(static_cast<Eigen::Index>(points.size()), mesh.nodes());
  for (std::size_t k = 0; k < points.size(); k++) {
    const auto nodes = mesh.element_nodes(points[k].element);
    std::array<double, 8> shape;
    shape_functions(static_cast<int>(nodes.size()), points[k].local, shape);
    for (std::size_t n = 0; n < nodes.size(); n++)
      N(static_cast<Eigen::Index>(k), nodes[n]) = shape[n];
  }
  return N;
}

TEST(RowBasis, NodesOrPointsCarryRows) {
  const TwoCells cells;
  const ElementPoint at_node{0, {-1, -1, -1}}, inside{1, {0.1, 0.2, 0.3}};
  const auto carriers = [&](std::vector<ElementPoint> points, double most_nodes) {
    return RowBasis::carriers(cells.elastic, points, most_nodes);
  };
  EXPECT_EQ(carriers({at_node, at_node}, 1).nodes.size(), 1u);
  EXPECT_EQ(carriers({inside, inside}, 1).points.size(), 1u);
  EXPECT_EQ(carriers({inside}, 8).nodes.size(), 8u);
  EXPECT_EQ(carriers({}, 1).count(), 0);
}

TEST(RowBasis, RowsHaveTheProductsOfTheCompliance) {
  Random random(7);
  const TwoCells cells;
  const int n = cells.elastic.nodes();
  Matrix root(3 * n, 3 * n);
  for (double& value : root.reshaped()) value = random.uniform(-1, 1);
  const Matrix inverse = root * root.transpose() + Matrix::Identity(3 * n, 3 * n);
  const std::vector<ElementPoint> points = {
      {0, {0.3, -0.2, 0.5}}, {3, {-1, 1, -1}}, {3, {0, 0, 0}}, {5, {1, 0.5, -0.5}}};
  const Matrix N = values(cells.elastic, points);
  for (double most_nodes : {1.0, 100.0}) {
    const auto carriers = RowBasis::carriers(cells.elastic, points, most_nodes);
    EXPECT_EQ(carriers.points.empty(), most_nodes > 1);
    const auto columns = RowBasis::columns(cells.elastic, carriers);
    Matrix E = Matrix::Zero(3 * n, 3 * carriers.count());
    for (std::size_t c = 0; c < columns.size(); c++)
      for (const auto& entry : columns[c]) E(entry.row, static_cast<Eigen::Index>(c)) = entry.value;
    RowBasis basis;
    ASSERT_TRUE(basis.take(carriers, E.transpose() * inverse * E));
    ASSERT_GE(basis.size(), 3 * carriers.count());
    Rows G(3 * static_cast<Eigen::Index>(points.size()), basis.size());
    std::vector<Mat3> axes;
    for (std::size_t k = 0; k < points.size(); k++) {
      axes.push_back(random.rotation());
      basis.rows(cells.elastic, points[k], axes[k], &G(static_cast<Eigen::Index>(3 * k), 0));
    }
    const Matrix W = G * G.transpose();
    for (std::size_t a = 0; a < points.size(); a++)
      for (std::size_t b = 0; b < points.size(); b++) {
        const auto i = static_cast<Eigen::Index>(a), j = static_cast<Eigen::Index>(b);
        Mat3 block = Mat3::Zero();
        for (int p = 0; p < n; p++)
          for (int q = 0; q < n; q++)
            block += N(i, p) * N(j, q) * inverse.block<3, 3>(3 * p, 3 * q);
        block = axes[a].transpose() * block * axes[b];
        EXPECT_NEAR((W.block<3, 3>(3 * i, 3 * j) - block).norm(), 0, 1e-11 * W.norm());
      }
  }
}

// Runs can be repeated to the last bit, wherever their memory begins.
TEST(RowBasis, RowsDoNotDependOnTheirAddress) {
  Random random(3);
  const TwoCells cells;
  const ElementPoint point{1, {0.1, 0.2, 0.3}};
  const auto carriers = RowBasis::carriers(cells.elastic, std::vector{point}, 100);
  const int n = 3 * carriers.count();
  Matrix root(n, n);
  for (double& value : root.reshaped()) value = random.uniform(-1, 1);
  RowBasis basis;
  ASSERT_TRUE(basis.take(carriers, root * root.transpose() + Matrix::Identity(n, n)));
  const Mat3 axes = random.rotation();
  const std::size_t size = 3 * static_cast<std::size_t>(basis.size());
  std::vector<double> first(size), memory(size + 8);
  basis.rows(cells.elastic, point, axes, first.data());
  for (std::size_t shift = 0; shift < 8; shift++) {
    basis.rows(cells.elastic, point, axes, &memory[shift]);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), &memory[shift])) << shift;
  }
}

TEST(RowBasis, TellsThatPointsFollowFromOthers) {
  const TwoCells cells;
  const std::vector<ElementPoint> points(1, {0, {0, 0, 0}});
  const auto carriers = RowBasis::carriers(cells.elastic, points, 1);
  RowBasis basis;
  EXPECT_FALSE(basis.take(carriers, -Matrix::Identity(3, 3)));
  EXPECT_FALSE(basis.is_short());
}

}  // namespace
}  // namespace solfec::row_basis_test
