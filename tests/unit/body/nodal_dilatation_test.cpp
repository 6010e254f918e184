// Averages at nodes: by hand, of constants, of materials apart, and as a quadratic form.
#include "body/nodal_dilatation.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace solfec::nodal_dilatation_test {
namespace {

using Member = NodalDilatation::Member;

// Tetrahedra in a row, each with a node of its own and three of the one before.
struct Row {
  Row(int count, std::vector<int> materials) {
    for (int e = 0; e < count; e++) nodes.push_back({e, e + 1, e + 2, e + 3});
    testing::Random random(1);
    for (int e = 0; e < count; e++) {
      members.push_back({nodes[e], {}, materials[e % materials.size()]});
      for (int a = 0; a < 4; a++) members.back().shares[a] = random.uniform(0.5, 1.5);
    }
  }
  double volume(int e) const {
    double sum = 0;
    for (double share : members[e].shares) sum += share;
    return sum;
  }

  std::vector<std::array<int, 4>> nodes;
  std::vector<Member> members;
};

TEST(NodalDilatation, TwoElementsThatShareAFace) {
  Row row(2, {0});
  for (Member& member : row.members) member.shares = {1, 1, 1, 1};
  std::vector<double> theta = {0, 8};
  NodalDilatation(row.members).subtract_from_averages(theta);
  EXPECT_DOUBLE_EQ(theta[0], (0 + 4 + 4 + 4) / 4.0 - 0);
  EXPECT_DOUBLE_EQ(theta[1], (4 + 4 + 4 + 8) / 4.0 - 8);
}

TEST(NodalDilatation, ConstantsStay) {
  const Row row(6, {0});
  const NodalDilatation averages(row.members);
  std::vector<double> theta(6, 3.0);
  averages.subtract_from_averages(theta);
  for (double value : theta) EXPECT_NEAR(value, 0, 1e-15);
  EXPECT_NEAR(averages.smooth(2, [](int) { return 3.0; }), 3, 1e-15);
}

TEST(NodalDilatation, MaterialsStayApart) {
  const Row row(6, {0, 1});
  const NodalDilatation averages(row.members);
  std::vector<double> theta = {1, 2, 1, 2, 1, 2};
  averages.subtract_from_averages(theta);
  for (double value : theta) EXPECT_NEAR(value, 0, 1e-15);
}

TEST(NodalDilatation, SmoothIsTheAverageOfAverages) {
  const Row row(8, {0, 0, 1});
  const NodalDilatation averages(row.members);
  const std::vector<double> theta = {1, -4, 3, 7, 2, -5, 6, 0};
  std::vector<double> twice = theta;
  for (int k = 0; k < 2; k++) {
    std::vector<double> change = twice;
    averages.subtract_from_averages(change);
    for (int e = 0; e < 8; e++) twice[e] += change[e];
  }
  for (int e = 0; e < 8; e++)
    EXPECT_NEAR(averages.smooth(e, [&](int other) { return theta[other]; }), twice[e], 1e-14);
}

// sum_a V_a theta_a^2 = sum_e V_e theta_e average_e, no more than sum_e V_e theta_e^2.
TEST(NodalDilatation, PatchesMakeTheQuadraticForm) {
  const Row row(7, {0, 1, 1});
  const NodalDilatation averages(row.members);
  testing::Random random(2);
  std::vector<std::array<double, 12>> slopes(7);
  for (auto& b : slopes)
    for (double& value : b) value = random.uniform(-1, 1);
  Eigen::Matrix3Xd u(3, 10);
  for (double& value : u.reshaped()) value = random.uniform(-1, 1);
  std::vector<double> theta(7, 0.0);
  for (int e = 0; e < 7; e++)
    for (int a = 0; a < 4; a++)
      theta[e] += Eigen::Map<const Eigen::Vector3d>(&slopes[e][3 * a]).dot(u.col(row.nodes[e][a]));

  double form = 0;
  Eigen::Matrix3Xd g;
  for (int p = 0; p < averages.patches(); p++) {
    averages.gather(
        p, [&](int e) { return slopes[e].data(); }, g);
    double product = 0;
    int a = 0;
    for (int node : averages.patch_nodes(p)) product += g.col(a++).dot(u.col(node));
    form += product * product;
  }
  std::vector<double> change = theta;
  averages.subtract_from_averages(change);
  double expected = 0, plain = 0;
  for (int e = 0; e < 7; e++) {
    expected += row.volume(e) * theta[e] * (theta[e] + change[e]);
    plain += row.volume(e) * theta[e] * theta[e];
  }
  EXPECT_NEAR(form, expected, 1e-13 * expected);
  EXPECT_LT(form, plain);
}

}  // namespace
}  // namespace solfec::nodal_dilatation_test
