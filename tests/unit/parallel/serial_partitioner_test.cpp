// One rank has all of space.
#include <gtest/gtest.h>

#include <cmath>

#include "parallel/partitioner.hpp"

namespace solfec::serial_partitioner_test {
namespace {

TEST(SerialPartitioner, OneRegionHoldsAll) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 2, 3}, {-5, 1e100, 2}};
  const std::vector<double> weights = {1, 0, 3};
  PartitionSettings locked;
  locked.lock_directions = true;
  for (const Partition& partition :
       {divide_space({}, points, weights, {}), divide_space({}, {}, {}, {}),
        divide_space({}, points, weights, locked, divide_space({}, points, weights, locked))}) {
    EXPECT_EQ(partition.ranks(), 1);
    EXPECT_TRUE(partition.cuts.empty());
    EXPECT_EQ(partition.axes, Mat3(Mat3::Identity()));
    for (const Vec3& point : points) EXPECT_EQ(rank_at(partition.cuts, point), 0);
  }
}

TEST(SerialPartitioner, BadNumbersAreErrors) {
  const std::vector<Vec3> good = {{0, 0, 0}}, bad = {{0, NAN, 0}};
  const std::vector<double> one = {1}, negative = {-1}, nan = {NAN};
  EXPECT_THROW(divide_space({}, bad, one, {}), RunError);
  EXPECT_THROW(divide_space({}, good, negative, {}), RunError);
  EXPECT_THROW(divide_space({}, good, nan, {}), RunError);
  EXPECT_THROW(divide_space({}, good, {}, {}), std::logic_error);
}

}  // namespace
}  // namespace solfec::serial_partitioner_test
