// Overlapping boxes against the double loop over all pairs.
#include "geometry/box_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/random_solids.hpp"

namespace solfec::box_tree_test {
namespace {

using testing::Random;
using Pairs = std::vector<std::pair<int, int>>;

Pairs by_brute_force(const std::vector<Box>& boxes) {
  Pairs pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); i++)
    for (int j = i + 1; j < static_cast<int>(boxes.size()); j++)
      if (overlap(boxes[i], boxes[j])) pairs.emplace_back(i, j);
  return pairs;
}

Pairs by_tree(const BoxTree& tree) {
  Pairs pairs;
  tree.overlaps([&](int i, int j) { pairs.push_back(std::minmax(i, j)); });
  std::ranges::sort(pairs);
  return pairs;
}

// Pairs of the set, and its boxes that overlap each of them and some that are no part of it.
void expect_exact(const std::vector<Box>& boxes) {
  BoxTree tree;
  tree.build(boxes);
  EXPECT_EQ(by_tree(tree), by_brute_force(boxes));
  std::vector<Box> queries = boxes;
  Random random(99);
  for (int k = 0; k < 10; k++) {
    const Vec3 center = random.in_box(1);
    queries.push_back({center, center + Vec3::Constant(0.2)});
  }
  for (const Box& query : queries) {
    std::vector<int> found, expected;
    tree.overlapping(query, [&](int i) { found.push_back(i); });
    std::ranges::sort(found);
    for (int i = 0; i < static_cast<int>(boxes.size()); i++)
      if (overlap(query, boxes[i])) expected.push_back(i);
    ASSERT_EQ(found, expected);
  }
}

std::vector<Box> random_boxes(Random& random, int count, const std::function<Vec3()>& size) {
  std::vector<Box> boxes;
  for (int k = 0; k < count; k++) {
    const Vec3 center = random.in_box(1), half = 0.5 * size();
    boxes.push_back({center - half, center + half});
  }
  return boxes;
}

TEST(BoxTree, RandomSets) {
  Random random(1);
  for (int count : {0, 1, 2, 3, 4, 5, 6, 17, 64, 300})
    for (double size : {0.01, 0.1, 0.5, 3.0})
      expect_exact(random_boxes(random, count, [&] {
        return Vec3(random.uniform(0, size), random.uniform(0, size), random.uniform(0, size));
      }));
}

TEST(BoxTree, HugeAndTinyTogether) {
  Random random(2);
  expect_exact(random_boxes(
      random, 300, [&] { return Vec3(Vec3::Constant(std::pow(10.0, random.uniform(-9, 2)))); }));
}

TEST(BoxTree, CoincidentBoxes) {
  // All have one code on the curve.
  const std::vector<Box> boxes(50, Box{Vec3(1, 2, 3), Vec3(2, 3, 4)});
  BoxTree tree;
  tree.build(boxes);
  EXPECT_EQ(by_tree(tree).size(), 50u * 49 / 2);
  expect_exact(boxes);
}

TEST(BoxTree, PointsLinesAndPlanes) {
  Random random(3);
  // Points on a coarse grid, many of them equal.
  expect_exact(random_boxes(random, 0, {}));
  std::vector<Box> points, rods, sheets;
  for (int k = 0; k < 200; k++) {
    const Vec3 p(random.integer(0, 3), random.integer(0, 3), random.integer(0, 3));
    points.push_back({p, p});
    rods.push_back({{random.uniform(-1, 1), 0, 0}, {1, 0, 0}});
    const Vec3 q(random.uniform(-1, 1), random.uniform(-1, 1), 0.5);
    sheets.push_back({q, q + Vec3(0.1, 0.1, 0)});
  }
  expect_exact(points);
  expect_exact(rods);
  expect_exact(sheets);
}

TEST(BoxTree, TouchingBoxesOverlap) {
  std::vector<Box> boxes;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 4; k++) boxes.push_back({Vec3(i, j, k), Vec3(i + 1, j + 1, k + 1)});
  BoxTree tree;
  tree.build(boxes);
  // Pairs that touch in faces, edges and corners: (pairs of cells no farther than 1 in each
  // direction) = (4 + 2 * 3)^3 ordered pairs with themselves.
  EXPECT_EQ(by_tree(tree).size(), (10u * 10 * 10 - 64) / 2);
  expect_exact(boxes);
}

TEST(BoxTree, CanBeBuiltAgain) {
  Random random(4);
  BoxTree tree;
  for (int count : {100, 3, 0, 50}) {
    const auto boxes = random_boxes(random, count, [] { return Vec3(0.3, 0.3, 0.3); });
    tree.build(boxes);
    EXPECT_EQ(by_tree(tree), by_brute_force(boxes));
  }
}

}  // namespace
}  // namespace solfec::box_tree_test
