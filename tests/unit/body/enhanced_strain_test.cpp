// Modes of enhanced strains: those of a regular element by their formulas, and what patch tests ask
// of all.
#include "body/enhanced_strain.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "geometry/element.hpp"
#include "support/elastic_meshes.hpp"

namespace solfec::enhanced_strain_test {
namespace {

using testing::Cell;

std::vector<Vec3> corners_of(const Mesh& mesh, const Element& element) {
  std::vector<Vec3> corners;
  for (int node : element.used()) corners.push_back(mesh.nodes[node]);
  return corners;
}

TEST(EnhancedStrain, OfACubeAreMonomials) {
  const Vec3 at(0.3, -0.4, 0.7);
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; k++)
    corners.emplace_back(k % 4 == 1 || k % 4 == 2 ? 1 : -1, k % 4 >= 2 ? 1 : -1, k >= 4 ? 1 : -1);
  const StrainModes modes = enhanced_modes(corners, kHexahedronModes, at);
  const struct {
    int component;
    double value;
  } expected[] = {{0, 0.3},  {1, -0.4},  {2, 0.7},   {3, 0.3},  {3, -0.4},
                  {4, -0.4}, {4, 0.7},   {5, 0.3},   {5, 0.7},  {0, -0.12},
                  {0, 0.21}, {1, -0.12}, {1, -0.28}, {2, 0.21}, {2, -0.28}};
  for (int m = 0; m < kHexahedronModes; m++) {
    Eigen::Vector<double, 6> column = Eigen::Vector<double, 6>::Zero();
    column[expected[m].component] = expected[m].value;
    EXPECT_LT((modes.col(m) - column).norm(), 1e-14) << m;
  }
}

// They integrate to zero, however the element is distorted, and none follows from the others.
TEST(EnhancedStrain, HaveNoMeanAndAreIndependent) {
  for (Cell cell : {Cell::hexahedron, Cell::wedges, Cell::pyramids}) {
    const Mesh mesh = testing::distorted(testing::block(2, cell), 0.12);
    const int nodes = mesh.elements[0].nodes, count = enhanced_mode_count(nodes);
    EXPECT_GT(count, 0);
    for (const Element& element : mesh.elements) {
      const std::vector<Vec3> corners = corners_of(mesh, element);
      StrainModes sum = StrainModes::Zero(6, count);
      Eigen::MatrixXd all(0, count);
      for (const QuadraturePoint& point : quadrature(nodes)) {
        const StrainModes modes = enhanced_modes(corners, count, point.local);
        sum += point.weight * jacobian(corners, point.local).determinant() * modes;
        all.conservativeResize(all.rows() + 6, Eigen::NoChange);
        all.bottomRows<6>() = modes;
      }
      EXPECT_LT(sum.norm(), 1e-13 * all.norm());
      EXPECT_EQ(all.colPivHouseholderQr().rank(), count);
    }
  }
  EXPECT_EQ(enhanced_mode_count(4), 0);
}

}  // namespace
}  // namespace solfec::enhanced_strain_test
