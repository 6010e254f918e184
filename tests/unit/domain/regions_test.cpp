// Regions of ranks against the list of their boxes.
#include "domain/regions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "support/random.hpp"

namespace solfec::regions_test {
namespace {

using testing::Random;

const double kInf = std::numeric_limits<double>::infinity();

// Cuts anywhere in the region they divide; `step` > 0: at multiples of it, so that many coincide
// and some regions are empty.
Partition random_partition(Random& random, int ranks, double step = 0) {
  Partition partition;
  partition.cuts.resize(ranks - 1);
  const std::function<void(int, int, Box)> split = [&](int first, int last, Box box) {
    if (last - first == 1) return;
    const int middle = first + (last - first + 1) / 2, d = random.integer(0, 2);
    double at = random.uniform(box.lower[d], box.upper[d]);
    if (step > 0) at = step * std::round(at / step);
    partition.cuts[middle - 1] = {d, at};
    Box below = box, above = box;
    below.upper[d] = above.lower[d] = at;
    split(first, middle, below);
    split(middle, last, above);
  };
  split(0, ranks, {Vec3::Constant(-1), Vec3::Constant(1)});
  return partition;
}

// Boxes  lower < x <= upper  of all ranks, by going down to each of them.
std::vector<Box> region_boxes(const Partition& partition) {
  std::vector<Box> boxes;
  for (int rank = 0; rank < partition.ranks(); rank++) {
    Box box{Vec3::Constant(-kInf), Vec3::Constant(kInf)};
    int first = 0, last = partition.ranks();
    while (last - first > 1) {
      const int middle = first + (last - first + 1) / 2;
      const Cut& cut = partition.cuts[middle - 1];
      double& lower = box.lower[cut.direction];
      double& upper = box.upper[cut.direction];
      if (rank < middle) {
        upper = std::min(upper, cut.at);
        last = middle;
      } else {
        lower = std::max(lower, cut.at);
        first = middle;
      }
    }
    boxes.push_back(box);
  }
  return boxes;
}

bool holds(const Box& region, const Vec3& x) {
  return (region.lower.array() < x.array()).all() && (x.array() <= region.upper.array()).all();
}

bool meets(const Box& region, const Box& box) {
  return (region.lower.array() < region.upper.array()).all() &&
         (region.lower.array() < box.upper.array()).all() &&
         (box.lower.array() <= region.upper.array()).all();
}

std::vector<int> visited(const Regions& regions, const Box& box) {
  std::vector<int> ranks;
  regions.overlapping(box, [&](int rank) { ranks.push_back(rank); });
  return ranks;
}

std::vector<int> met(const std::vector<Box>& regions, const Box& box) {
  std::vector<int> ranks;
  for (int r = 0; r < static_cast<int>(regions.size()); r++)
    if (meets(regions[r], box)) ranks.push_back(r);
  return ranks;
}

// Boxes of all sizes, some of them points, corners on a grid of the given step or anywhere.
Box random_box(Random& random, double step) {
  Vec3 lower = random.in_box(1.2), upper = lower;
  if (random.integer(0, 4) > 0)
    upper +=
        Vec3::Constant(std::pow(10, random.uniform(-4, 0.3)))
            .cwiseProduct(Vec3(random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)));
  if (step > 0) {
    lower = step * (lower / step).array().round();
    upper = step * (upper / step).array().round();
  }
  return {lower, upper};
}

void expect_exact(const Partition& partition, Random& random, double step) {
  const Regions regions(partition);
  const std::vector<Box> boxes = region_boxes(partition);
  ASSERT_EQ(regions.count(), static_cast<int>(boxes.size()));
  for (int k = 0; k < 300; k++) {
    const Box box = random_box(random, step);
    const std::vector<int> ranks = visited(regions, box);
    ASSERT_EQ(ranks, met(boxes, box));
    for (const Vec3& corner : {box.lower, box.upper, Vec3(box.center())}) {
      const int rank = regions.rank_of(corner);
      ASSERT_TRUE(holds(boxes[rank], corner));
      ASSERT_TRUE(std::ranges::binary_search(ranks, rank));
    }
    for (int rank : ranks) {
      const Box& region = boxes[rank];
      const bool inside = (region.lower.array() < box.lower.array()).all() &&
                          (box.upper.array() < region.upper.array()).all();
      ASSERT_EQ(regions.inside(rank, box), inside);
      if (inside) {
        ASSERT_EQ(ranks.size(), 1u);
      }
    }
    const int other = random.integer(0, regions.count() - 1);
    if (!std::ranges::binary_search(ranks, other)) {
      ASSERT_FALSE(regions.inside(other, box));
    }
  }
}

TEST(Regions, OneRankHasAll) {
  const Regions regions;
  EXPECT_EQ(regions.count(), 1);
  EXPECT_EQ(regions.rank_of({1e300, -1e300, 0}), 0);
  const Box box{Vec3(-1, -2, -3), Vec3(1e9, 1, 1)};
  EXPECT_EQ(visited(regions, box), std::vector<int>{0});
  EXPECT_TRUE(regions.inside(0, box));
}

TEST(Regions, RandomCuts) {
  Random random(1);
  for (int ranks : {1, 2, 3, 4, 5, 7, 8, 16, 33, 100, 500})
    for (int k = 0; k < 3; k++) expect_exact(random_partition(random, ranks), random, 0);
}

TEST(Regions, CutsThroughCornersAndEmptyRegions) {
  Random random(2);
  for (int ranks : {2, 3, 4, 8, 33, 500})
    for (double step : {0.5, 0.125})
      expect_exact(random_partition(random, ranks, step), random, step);
}

TEST(Regions, WhatLiesOnACutIsBelow) {
  Partition partition;
  partition.cuts = {{0, 1.0}};
  const Regions regions(partition);
  EXPECT_EQ(regions.rank_of({1, 0, 0}), 0);
  EXPECT_EQ(regions.rank_of({std::nextafter(1, 2), 0, 0}), 1);
  EXPECT_EQ(visited(regions, {Vec3(0, 0, 0), Vec3(1, 1, 1)}), std::vector<int>{0});
  EXPECT_EQ(visited(regions, {Vec3(1, 0, 0), Vec3(2, 1, 1)}), (std::vector<int>{0, 1}));
  // Touching is not strictly inside.
  EXPECT_FALSE(regions.inside(0, {Vec3(0, 0, 0), Vec3(1, 1, 1)}));
}

// With turned axes: no region of a point in the box is missed, and those that are visited lie
// about as near as the turned box reaches.
TEST(Regions, TurnedAxes) {
  Random random(3);
  for (int ranks : {2, 3, 16, 200})
    for (double shift : {0.0, 1e6})
      for (int k = 0; k < 3; k++) {
        Partition partition = random_partition(random, ranks);
        partition.axes = random.rotation();
        const Vec3 away = Vec3::Constant(shift), away_in_axes = partition.axes * away;
        for (Cut& cut : partition.cuts) cut.at += away_in_axes[cut.direction];
        const Regions regions(partition);
        const std::vector<Box> boxes = region_boxes(partition);
        for (int query = 0; query < 100; query++) {
          Box box = random_box(random, 0);
          box.lower += away;
          box.upper += away;
          const std::vector<int> ranks_met = visited(regions, box);
          Box about;  // of the corners, in axes
          for (int corner = 0; corner < 8; corner++) {
            Vec3 x;
            for (int d = 0; d < 3; d++) x[d] = corner >> d & 1 ? box.upper[d] : box.lower[d];
            about.extend(Vec3(partition.axes * x));
            const int rank = regions.rank_of(x);
            ASSERT_TRUE(holds(boxes[rank], partition.axes * x));
            ASSERT_TRUE(std::ranges::binary_search(ranks_met, rank));
          }
          for (int r : met(boxes, about)) ASSERT_TRUE(std::ranges::binary_search(ranks_met, r));
          about.grow(1e-14 * (1 + shift));
          const std::vector<int> allowed = met(boxes, about);
          for (int r : ranks_met) {
            ASSERT_TRUE(std::ranges::binary_search(allowed, r));
            if (regions.inside(r, box)) {
              ASSERT_EQ(ranks_met.size(), 1u);
            }
          }
        }
      }
}

}  // namespace
}  // namespace solfec::regions_test
