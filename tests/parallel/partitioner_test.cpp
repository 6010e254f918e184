// Division of space between ranks: every rank makes the same points and gives its share of them.
#include "parallel/partitioner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "support/random.hpp"

namespace solfec::partitioner_test {
namespace {

using testing::Random;

struct Loads {
  std::vector<Vec3> points;
  std::vector<double> weights;

  void add(const Vec3& point, double weight = 1) {
    points.push_back(point);
    weights.push_back(weight);
  }
};

using Owner = std::function<int(int)>;  // of a point, by its number

Partition divide(const Loads& all, const Owner& owner, const PartitionSettings& settings = {},
                 const Partition& before = {}) {
  const Communicator world;
  Loads mine;
  for (int i = 0; i < static_cast<int>(all.points.size()); i++)
    if (owner(i) == world.rank()) mine.add(all.points[i], all.weights[i]);
  return divide_space(world, mine.points, mine.weights, settings, before);
}

int in_turn(int i) { return i % Communicator().size(); }

Partition divide(const Loads& all, const PartitionSettings& settings = {},
                 const Partition& before = {}) {
  return divide(all, in_turn, settings, before);
}

// Lower and upper corners of all regions, from the tree of cuts and its definition.
std::vector<std::array<Vec3, 2>> boxes_of(const Partition& partition) {
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<std::array<Vec3, 2>> boxes(partition.ranks());
  const std::function<void(int, int, Vec3, Vec3)> split = [&](int first, int last, Vec3 lower,
                                                              Vec3 upper) {
    if (last - first == 1) {
      boxes[first] = {lower, upper};
      return;
    }
    const int middle = first + (last - first + 1) / 2;
    const Cut& cut = partition.cuts[middle - 1];
    Vec3 top = upper, bottom = lower;
    top[cut.direction] = std::min(upper[cut.direction], cut.at);
    bottom[cut.direction] = std::max(lower[cut.direction], cut.at);
    split(first, middle, lower, top);
    split(middle, last, bottom, upper);
  };
  split(0, partition.ranks(), Vec3::Constant(-inf), Vec3::Constant(inf));
  return boxes;
}

bool holds(const std::array<Vec3, 2>& box, const Vec3& x) {
  return (box[0].array() < x.array()).all() && (x.array() <= box[1].array()).all();
}

// Each point, wherever, is in one box, and it is that of rank_at.
void expect_tiling(const Partition& partition, const Loads& all) {
  ASSERT_EQ(partition.ranks(), Communicator().size());
  ASSERT_LT((partition.axes * partition.axes.transpose() - Mat3::Identity()).norm(), 1e-14);
  ASSERT_GT(partition.axes.determinant(), 0);
  const auto boxes = boxes_of(partition);
  Random random(7);
  std::vector<Vec3> queries = all.points;
  for (double size : {1e-3, 1.0, 100.0})
    for (int k = 0; k < 200; k++) queries.push_back(random.in_box(size));
  for (const Cut& cut : partition.cuts)  // on cuts, in coordinates of the axes
    for (int k = 0; k < 20; k++) {
      Vec3 at = random.in_box(3);
      at[cut.direction] = cut.at;
      queries.push_back(partition.axes.transpose() * at);
    }
  for (const Vec3& query : queries) {
    const Vec3 at = partition.axes * query;
    const auto count = std::ranges::count_if(boxes, [&](const auto& b) { return holds(b, at); });
    ASSERT_EQ(count, 1);
    ASSERT_TRUE(holds(boxes[rank_at(partition.cuts, at)], at));
  }
}

// Largest over average load.
double imbalance(const Partition& partition, const Loads& all) {
  std::vector<double> loads(partition.ranks());
  for (std::size_t i = 0; i < all.points.size(); i++)
    loads[rank_at(partition.cuts, partition.axes * all.points[i])] += all.weights[i];
  return std::ranges::max(loads) * partition.ranks() /
         std::accumulate(loads.begin(), loads.end(), 0.0);
}

void expect_same(const Partition& a, const Partition& b) {
  EXPECT_EQ(a.axes, b.axes);
  ASSERT_EQ(a.cuts.size(), b.cuts.size());
  for (std::size_t k = 0; k < a.cuts.size(); k++) {
    EXPECT_EQ(a.cuts[k].direction, b.cuts[k].direction);
    EXPECT_EQ(a.cuts[k].at, b.cuts[k].at);
  }
}

// What must hold of any division, whoever has the points.
Partition expect_good(const Loads& all, double tolerance, const PartitionSettings& settings = {}) {
  const Partition partition = divide(all, settings);
  expect_tiling(partition, all);
  EXPECT_LE(imbalance(partition, all), tolerance);
  const int ranks = Communicator().size(), count = static_cast<int>(all.points.size());
  const std::vector<Owner> spreads = {
      [&](int) { return ranks - 1; },                        // one has all
      [&](int i) { return ranks - 1 - i * ranks / count; },  // in blocks, from the other end
  };
  for (const Owner& spread : spreads) expect_same(divide(all, spread, settings), partition);
  return partition;
}

Loads random_loads(int count, const Vec3& size, std::uint64_t seed = 1) {
  Random random(seed);
  Loads all;
  for (int k = 0; k < count; k++)
    all.add(random.in_box(1).cwiseProduct(size), random.uniform(0.5, 3));
  return all;
}

Loads lattice(int n, double step) {
  Loads all;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) all.add(Vec3(i, j, k) * step);
  return all;
}

TEST(Partitioner, BalancesRandomPoints) {
  expect_good(random_loads(1000, {1, 1, 1}), 1.3);
  expect_good(random_loads(1000, {1, 2, 4}), 1.3);
  expect_good(random_loads(20000, {1, 2, 4}), 1.3);
  PartitionSettings tight;
  tight.tolerance = 1.01;
  expect_good(random_loads(20000, {1, 2, 4}), 1.01, tight);
}

TEST(Partitioner, BalancesUnequalWeights) {
  // Weights over three decades; heavy ones in a corner.
  Random random(3);
  Loads all;
  for (int k = 0; k < 5000; k++) {
    const Vec3 p = random.in_box(1);
    all.add(p, std::pow(10, p.x() + p.y()) * random.uniform(0, 1));
  }
  expect_good(all, 1.3);
}

TEST(Partitioner, BalancesFarFromTheOrigin) {
  Loads all = random_loads(1000, {1, 1, 1});
  for (Vec3& p : all.points) p += Vec3(1e7, -1e7, 1e7);
  expect_good(all, 1.3);
  for (Vec3& p : all.points) p = (p - Vec3(1e7, -1e7, 1e7)) * 1e-12;
  expect_good(all, 1.3);
}

TEST(Partitioner, LatticesAreCutBetweenPlanes) {
  for (double step : {1.0, 0.1}) {
    const Loads all = lattice(20, step);
    const Partition partition = expect_good(all, 1.06);
    for (const Cut& cut : partition.cuts) {
      const double planes = cut.at / step;
      EXPECT_NEAR(planes - std::floor(planes), 0.5, 1e-9);
    }
  }
}

// Beads on a string: as even as whole beads can be.
TEST(Partitioner, FewPoints) {
  const int ranks = Communicator().size();
  for (int count = 1; count <= 3 * ranks; count++) {
    Loads all;
    for (int k = 0; k < count; k++) all.add(Vec3(0.1 * k, 2, 3));
    const Partition partition = expect_good(all, ranks);
    if (count % ranks == 0) {
      EXPECT_EQ(imbalance(partition, all), 1);
    }
  }
}

TEST(Partitioner, NoPoints) { expect_tiling(divide({}), {}); }

TEST(Partitioner, AllPointsOnOneSpot) {
  Loads all;
  for (int k = 0; k < 50; k++) all.add(Vec3(1, -2, 3), 1 + k % 3);
  expect_good(all, Communicator().size());
}

TEST(Partitioner, PointsOnSeveralSpots) {
  const int ranks = Communicator().size();
  Loads all;
  for (int k = 0; k < 30 * ranks; k++) all.add(Vec3(0, k % ranks, 0));
  expect_good(all, 1);
}

TEST(Partitioner, ZeroWeights) {
  Loads all = random_loads(1000, {1, 1, 1});
  all.weights.assign(1000, 0);
  const Partition partition = divide(all);
  expect_tiling(partition, all);
  all.weights.assign(1000, 1);
  expect_same(partition, divide(all));
  EXPECT_LE(imbalance(partition, all), 1.3);
  for (int k = 0; k < 1000; k += 2) all.weights[k] = 0;
  expect_good(all, 1.3);
}

TEST(Partitioner, BadNumbersAreErrorsOnAllRanks) {
  const double inf = std::numeric_limits<double>::infinity();
  for (double bad : {static_cast<double>(NAN), inf, -inf, 1e300}) {
    Loads all = random_loads(100, {1, 1, 1});
    all.points[17].y() = bad;
    EXPECT_THROW(divide(all), RunError);
  }
  for (double bad : {static_cast<double>(NAN), inf, -1.0}) {
    Loads all = random_loads(100, {1, 1, 1});
    all.weights[99] = bad;
    EXPECT_THROW(divide(all), RunError);
  }
  expect_good(random_loads(100, {1, 1, 1}), 1.3);
}

std::vector<int> directions(const Partition& partition) {
  std::vector<int> result;
  for (const Cut& cut : partition.cuts) result.push_back(cut.direction);
  return result;
}

TEST(Partitioner, DirectionsFollowThePoints) {
  if (Communicator().size() == 1) return;
  for (int d = 0; d < 3; d++) {
    Vec3 size(1, 1, 1);
    size[d] = 20;
    const auto along = directions(expect_good(random_loads(1000, size), 1.3));
    EXPECT_EQ(along, std::vector<int>(along.size(), d));
  }
}

TEST(Partitioner, LockedDirectionsStay) {
  PartitionSettings locked;
  locked.lock_directions = true;
  const Vec3 sizes[] = {{1, 2, 4}, {4, 2, 1}, {1, 20, 1}};
  for (const Vec3& size : sizes) {
    const Loads start = random_loads(1000, size, 5);
    const Partition first = divide(start, locked);
    expect_same(first, divide(start));
    for (const Vec3& later : sizes) {
      const Loads moved = random_loads(900, later, 6);
      const Partition second = divide(moved, locked, first);
      expect_tiling(second, moved);
      EXPECT_LE(imbalance(second, moved), 1.3);
      EXPECT_EQ(directions(second), directions(first));
      expect_same(divide(
                      moved, [](int) { return 0; }, locked, first),
                  second);
      expect_same(divide(start, locked, second), first);
      // Not asked for, they are free again.
      expect_same(divide(moved, {}, first), divide(moved));
    }
  }
}

TEST(Partitioner, LockedDirectionsWithFewPoints) {
  PartitionSettings locked;
  locked.lock_directions = true;
  const Partition first = divide(random_loads(1000, {1, 2, 4}), locked);
  for (int count : {0, 1, 2, 3}) {
    const Loads few = random_loads(count, {4, 2, 1});
    const Partition second = divide(few, locked, first);
    expect_tiling(second, few);
    EXPECT_EQ(directions(second), directions(first));
  }
}

TEST(Partitioner, FlatSetsAlongTheCoordinatesNeedNoAxes) {
  for (const Vec3& size : {Vec3(1, 1, 0), Vec3(0, 2, 1), Vec3(1, 1, 0.01), Vec3(0, 0, 1)}) {
    const Partition partition = expect_good(random_loads(2000, size), 1.3);
    EXPECT_EQ(partition.axes, Mat3(Mat3::Identity()));
    for (const Cut& cut : partition.cuts)
      EXPECT_EQ(size[cut.direction], std::max(size[cut.direction], 0.5));
  }
}

TEST(Partitioner, TiltedSetsAreCutAlongTheirOwnAxes) {
  if (Communicator().size() == 1) return;
  Random random(8);
  for (const Vec3& size : {Vec3(3, 1, 0), Vec3(3, 1, 0.02), Vec3(3, 0, 0), Vec3(3, 0.1, 0.05)})
    for (int k = 0; k < 3; k++) {
      const Mat3 rotation = random.rotation();
      Loads all = random_loads(2000, size, k);
      for (Vec3& p : all.points) p = rotation * p + Vec3(1, 2, 3);
      const Partition partition = expect_good(all, 1.3);
      // First axis along the longest side; none of the cuts along a thin one.
      EXPECT_NEAR(std::abs(partition.axes.row(0) * rotation.col(0)), 1, 0.01);
      if (size[2] < 0.1 * size[1]) {
        EXPECT_NEAR(std::abs(partition.axes.row(2) * rotation.col(2)), 1, 0.01);
      }
      for (const Cut& cut : partition.cuts) EXPECT_GT(size[cut.direction], 0.5);
      // Cuts half-way between points are nowhere near the edges of the set.
      PartitionSettings never;
      never.degenerate_ratio = 1e9;
      if (size[2] > 0) {
        EXPECT_EQ(divide(all, never).axes, Mat3(Mat3::Identity()));
      }
    }
}

TEST(Partitioner, TiltedAxesDoNotTurnOverWhenPointsMove) {
  // A chute at 45 degrees, where components of axes are equal but for noise.
  const Mat3 rotation = Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitY()).toRotationMatrix();
  Random random(9);
  Loads all = random_loads(500, {5, 1, 0.05});
  for (Vec3& p : all.points) p = rotation * p;
  if (Communicator().size() == 1) return;
  const Partition first = expect_good(all, 1.3);
  for (int step = 0; step < 10; step++) {
    for (Vec3& p : all.points) p += random.in_box(0.01);
    EXPECT_LT((divide(all).axes - first.axes).norm(), 0.1);
  }
}

TEST(Partitioner, PartitionsTravel) {
  const Partition partition = divide(random_loads(100, {1, 2, 3}));
  ArchiveWriter out;
  out(partition);
  const Bytes bytes = out.take();
  expect_same(ArchiveReader(bytes).get<Partition>(), partition);
}

}  // namespace
}  // namespace solfec::partitioner_test
