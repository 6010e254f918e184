#include "local_dynamics/indeterminacy.hpp"

#include <gtest/gtest.h>

#include "support/random_equilibrium.hpp"

namespace solfec::indeterminacy_test {
namespace {

using Part = ReactionDeterminacy::Part;

EquilibriumColumns vertical(int body, double x, double y, int other = -1) {
  EquilibriumColumns c;
  c.count = 1;
  Eigen::MatrixXd column(3, 1);  // force along z, moments about x and y
  column << 1, y, -x;
  c.ends[0] = {body, column};
  if (other >= 0) c.ends[1] = {other, -column};
  return c;
}

TEST(Indeterminacy, OfAPlateOnThreeSupportsIsNone) {
  const Indeterminacy found =
      indeterminacy({vertical(0, 0, 0), vertical(0, 1, 0), vertical(0, 0, 2)}, 1);
  ASSERT_EQ(found.clusters.size(), 1u);
  EXPECT_EQ(found.clusters[0].components, 3);
  EXPECT_EQ(found.clusters[0].degree, 0);
  for (const auto& redundancy : found.redundancy) EXPECT_LT(redundancy[0], kDetermined);
}

// Null vector (1, -1, 1, -1) / 2.
TEST(Indeterminacy, OfAPlateOnFourSupportsIsOne) {
  const Indeterminacy found = indeterminacy(
      {vertical(0, 0, 0), vertical(0, 3, 0), vertical(0, 3, 2), vertical(0, 0, 2)}, 1);
  EXPECT_EQ(found.clusters[0].degree, 1);
  for (const auto& redundancy : found.redundancy) EXPECT_NEAR(redundancy[0], 0.25, 1e-12);
}

// The fourth one beside a line of three, at 0, 1 and 3: null vector (2, -3, 1, 0) / sqrt 14.
TEST(Indeterminacy, LeavesAReactionDetermined) {
  const Indeterminacy found = indeterminacy(
      {vertical(0, 0, 0), vertical(0, 1, 0), vertical(0, 3, 0), vertical(0, 1, 2)}, 1);
  EXPECT_EQ(found.clusters[0].degree, 1);
  const double redundancy[] = {4 / 14.0, 9 / 14.0, 1 / 14.0, 0};
  for (int k = 0; k < 4; k++) EXPECT_NEAR(found.redundancy[k][0], redundancy[k], 1e-12);
}

// Bodies 0 and 2 through 3; 1 by itself; a constraint without components, and one that moves
// nothing.
TEST(Indeterminacy, HasClusters) {
  EquilibriumColumns none = vertical(0, 0, 0, 1), fixed;
  none.count = 0;
  none.ends[0].columns.resize(3, 0);
  none.ends[1].columns.resize(3, 0);
  fixed.count = 1;
  const Indeterminacy found = indeterminacy(
      {vertical(0, 0, 0, 3), none, vertical(1, 0, 0), vertical(2, 0, 0, 3), fixed}, 4);
  EXPECT_EQ(found.cluster, (std::vector<int>{0, Indeterminacy::kNoCluster, 1, 0, 2}));
  ASSERT_EQ(found.clusters.size(), 3u);
  EXPECT_EQ(found.clusters[0].bodies, 3);
  EXPECT_EQ(found.clusters[0].constraints, 2);
  EXPECT_EQ(found.clusters[1].bodies, 1);
  EXPECT_EQ(found.clusters[2].bodies, 0);
  EXPECT_EQ(found.clusters[2].degree, 1);
  EXPECT_TRUE(found.redundancy[1].empty());
  EXPECT_EQ(found.redundancy[4][0], 1);
}

TEST(Indeterminacy, OfLargeClustersIsThatOfSmallOnes) {
  for (int seed = 1; seed <= 10; seed++) {
    const auto random = testing::random_equilibrium(seed, 12, 8 + 4 * seed);
    const Indeterminacy exact = indeterminacy(random.constraints, random.bodies, 10000),
                        found = indeterminacy(random.constraints, random.bodies, 0);
    ASSERT_EQ(found.cluster, exact.cluster);
    for (std::size_t k = 0; k < exact.clusters.size(); k++)
      EXPECT_EQ(found.clusters[k].degree, exact.clusters[k].degree);
    for (std::size_t k = 0; k < exact.redundancy.size(); k++)
      for (std::size_t i = 0; i < exact.redundancy[k].size(); i++)
        EXPECT_EQ(found.redundancy[k][i] > kDetermined, exact.redundancy[k][i] > kDetermined);
  }
}

TEST(Indeterminacy, OfNothing) {
  const Indeterminacy found = indeterminacy({}, 0);
  EXPECT_TRUE(found.clusters.empty());
}

TEST(ReactionDeterminacy, JoinsComponents) {
  const std::vector<double> none = {0, 0, 0}, tangent = {0.1, 0, 0}, normal = {0, 0, 0.1};
  EXPECT_EQ(reaction_determinacy(Mat3::Identity(), none).both(), Determinacy::determined);
  EXPECT_EQ(reaction_determinacy(Mat3::Identity(), tangent).both(),
            Determinacy::undetermined_tangent);
  const ReactionDeterminacy bad = reaction_determinacy(Mat3::Identity(), normal);
  EXPECT_EQ(bad.both(), Determinacy::undetermined);
  EXPECT_EQ(bad.tangent, Part::determined);
  Mat3 one = Mat3::Zero();
  one.col(0) = Vec3(0.3, 0, 1).normalized();  // of a sliding contact
  const std::vector<double> free = {1.0};
  EXPECT_EQ(reaction_determinacy(one, free).tangent, Part::undetermined);
  one.col(0) = Vec3::UnitZ();
  EXPECT_EQ(reaction_determinacy(one, free).tangent, Part::none);
  EXPECT_EQ(reaction_determinacy(one, {}).both(), Determinacy::none);
}

}  // namespace
}  // namespace solfec::indeterminacy_test
