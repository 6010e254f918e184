// Algorithm 6.1 of the manual within one pair of bodies, in the order of falling area.
#include "contact/sparsification.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/make_bodies.hpp"

namespace solfec::sparsification_test {
namespace {

using testing::Random;

constexpr double kEpsilon = 1e-6;

// Two bodies, each a row of cubes: neighbours along x share corners, others do not.
struct Rows {
  BodyStore bodies;
  PieceStore pieces;
  static constexpr int kCubes = 5;

  Rows() {
    for (int body = 0; body < 2; body++) {
      Shape shape;
      for (int k = 0; k < kCubes; k++)
        shape.push_back(testing::box_shape({2.0 * k, 0, 3.0 * body}, {1, 1, 1})[0]);
      shape.push_back(Sphere{{0, 10, 3.0 * body}, 1});
      testing::add_body(bodies, BodyKind::rigid, shape);
    }
    pieces.synchronise(bodies);
    pieces.place(bodies, 0);
  }
};

DetectedContact contact(int feature1, int feature2, double area, const Vec3& point = Vec3::Zero()) {
  DetectedContact c;
  c.key = {BodyId{1}, BodyId{2}, static_cast<std::uint32_t>(feature1),
           static_cast<std::uint32_t>(feature2), 0};
  c.body1 = 0;
  c.body2 = 1;
  c.geometry.area = area;
  c.geometry.point = point;
  c.geometry.normal = Vec3::UnitZ();
  return c;
}

std::vector<bool> dropped(const Rows& rows, std::vector<DetectedContact>& contacts,
                          const Sparsification& settings, double distance = 0) {
  Sparsifier sparsifier;
  const int count = sparsifier.mark(contacts, rows.pieces, settings, distance, kEpsilon, true);
  std::vector<bool> marks;
  for (const DetectedContact& c : contacts) marks.push_back(c.dropped);
  EXPECT_EQ(count, std::ranges::count(marks, true));
  return marks;
}

std::vector<bool> dropped(const Rows& rows, std::vector<DetectedContact>&& contacts,
                          const Sparsification& settings, double distance = 0) {
  return dropped(rows, contacts, settings, distance);
}

TEST(Sparsification, SmallAreasBesideLargeOnesGo) {
  const Rows rows;
  const Sparsification tenth{0.1, 0, {}};
  // On one body pieces 0 and 1 are neighbours, 3 and 4, too; on the other, far apart.
  EXPECT_EQ(dropped(rows, {contact(0, 0, 1), contact(1, 4, 0.09)}, tenth),
            (std::vector{false, true}));
  EXPECT_EQ(dropped(rows, {contact(0, 0, 1), contact(1, 4, 0.11)}, tenth),
            (std::vector{false, false}));
  EXPECT_EQ(dropped(rows, {contact(4, 3, 0.09), contact(0, 4, 1)}, tenth),
            (std::vector{true, false}))
      << "neighbours on the second body";
  EXPECT_EQ(dropped(rows, {contact(0, 0, 1), contact(0, 4, 0.09)}, tenth),
            (std::vector{false, true}))
      << "the same piece";
  EXPECT_EQ(dropped(rows, {contact(0, 0, 1), contact(2, 4, 1e-9)}, tenth),
            (std::vector{false, false}))
      << "no neighbours";
  EXPECT_EQ(dropped(rows, {contact(0, 0, 1), contact(1, 0, 1e-9)}, {0, 0, {}}),
            (std::vector{false, false}))
      << "a threshold of zero keeps all";
}

TEST(Sparsification, DroppedContactsDropNoOthers) {
  const Rows rows;
  // 0.5 at piece 1 goes because of 1.0 at piece 0, so that 0.2 at piece 2 stays.
  EXPECT_EQ(dropped(rows, {contact(2, 4, 0.2), contact(0, 0, 1), contact(1, 2, 0.5)}, {0.6, 0, {}}),
            (std::vector{false, false, true}));
  // Without the first, 0.5 stays and 0.2 goes.
  EXPECT_EQ(dropped(rows, {contact(2, 4, 0.2), contact(1, 2, 0.5)}, {0.6, 0, {}}),
            (std::vector{true, false}));
}

TEST(Sparsification, CurvedPiecesHaveNoNeighbours) {
  const Rows rows;
  const int ball = Rows::kCubes;
  EXPECT_EQ(dropped(rows, {contact(ball, 0, 1), contact(ball, 4, 1e-6)}, {0.5, 0, {}}),
            (std::vector{false, false}));
}

TEST(Sparsification, AreasBelowTheLeastGoAlsoAlone) {
  const Rows rows;
  EXPECT_EQ(dropped(rows, {contact(0, 0, 0.9)}, {0, 1, {}}), (std::vector{true}));
  EXPECT_EQ(dropped(rows, {contact(0, 0, 1)}, {0, 1, {}}), (std::vector{false}));
  EXPECT_EQ(dropped(rows, {contact(0, 0, 0.9), contact(2, 2, 2)}, {0, 1, {}}),
            (std::vector{true, false}));
}

TEST(Sparsification, OfCoincidentPointsTheLargestStays) {
  const Rows rows;
  const Vec3 p(0.3, -0.2, 7);
  const double d = 0.01;
  EXPECT_EQ(dropped(rows,
                    {contact(0, 0, 1, p), contact(2, 2, 2, p + Vec3(0, 1.99 * d, -1.99 * d)),
                     contact(4, 4, 3, p + Vec3(0, 0, 2.01 * d))},
                    {0, 0, {}}, d),
            (std::vector{true, false, false}))
      << "twice the distance, by the largest component";
  EXPECT_EQ(dropped(rows, {contact(2, 2, 1, p), contact(0, 0, 1, p)}, {0, 0, {}}, d),
            (std::vector{true, false}))
      << "of equal areas the lower key stays";
  EXPECT_EQ(dropped(rows, {contact(2, 2, 1, p), contact(0, 0, 1, p)}, {0, 0, {}}, 0),
            (std::vector{false, false}))
      << "a distance of zero compares nothing";
}

TEST(Sparsification, InACornerAVertexTouchesFloorAndWall) {
  const Rows rows;
  const Vec3 p(0.3, -0.2, 7);
  DetectedContact wall = contact(2, 2, 1, p);
  wall.geometry.normal = Vec3(1, 0.1, 0.1).normalized();
  EXPECT_EQ(dropped(rows, {contact(0, 0, 1, p), wall}, {0, 0, {}}, 0.01),
            (std::vector{false, false}));
  wall.geometry.normal = Vec3(0.5, 0, 1).normalized();
  EXPECT_EQ(dropped(rows, {contact(0, 0, 1, p), wall}, {0, 0, {}}, 0.01),
            (std::vector{false, true}));
}

TEST(Sparsification, AreasOfCoincidentPointsAddUp) {
  // Four elements about a node; or contacts of the node, each with the whole of its area.
  const Rows rows;
  for (bool add : {true, false}) {
    std::vector<DetectedContact> contacts = {contact(0, 0, 1), contact(1, 0, 2), contact(1, 1, 3),
                                             contact(4, 3, 4)};
    Sparsifier sparsifier;
    EXPECT_EQ(sparsifier.mark(contacts, rows.pieces, {0, 0, {}}, 0.01, kEpsilon, add), 3);
    EXPECT_FALSE(contacts[3].dropped);
    EXPECT_EQ(contacts[3].geometry.area, add ? 10 : 4);
  }
}

// The rule as it reads, in quadratic time.
std::vector<bool> by_brute_force(const std::vector<DetectedContact>& contacts,
                                 const Sparsification& settings, double distance) {
  std::vector<int> order(contacts.size());
  for (int k = 0; k < static_cast<int>(order.size()); k++) order[k] = k;
  std::ranges::sort(order, [&](int a, int b) {
    const double area_a = contacts[a].geometry.area, area_b = contacts[b].geometry.area;
    return area_a != area_b ? area_a > area_b : contacts[a].key < contacts[b].key;
  });
  const auto neighbours = [](std::uint32_t a, std::uint32_t b) {
    return a < Rows::kCubes && b < Rows::kCubes && std::max(a, b) - std::min(a, b) <= 1;
  };
  std::vector<bool> gone(contacts.size(), false);
  std::vector<int> kept;
  for (int k : order) {
    const DetectedContact& c = contacts[k];
    gone[k] = c.geometry.area < settings.min_area;
    for (int other : kept) {
      const DetectedContact& o = contacts[other];
      if (c.geometry.area < settings.threshold * o.geometry.area &&
          (neighbours(c.key.feature1, o.key.feature1) ||
           neighbours(c.key.feature2, o.key.feature2)))
        gone[k] = true;
      if ((c.geometry.point - o.geometry.point).cwiseAbs().maxCoeff() < 2 * distance &&
          c.geometry.normal.dot(o.geometry.normal) > 0.7)
        gone[k] = true;
    }
    if (!gone[k]) kept.push_back(k);
  }
  return gone;
}

TEST(Sparsification, RandomClustersAgainstTheRuleInAnyOrder) {
  const Rows rows;
  Random random(1);
  for (int repeat = 0; repeat < 300; repeat++) {
    std::vector<DetectedContact> contacts;
    const int count = random.integer(1, 40);
    for (int k = 0; k < count; k++) {
      const double area = random.integer(0, 3) == 0 ? 0.5 : std::pow(10, random.uniform(-3, 0));
      contacts.push_back(contact(random.integer(0, Rows::kCubes), random.integer(0, Rows::kCubes),
                                 area, random.in_box(0.5)));
      contacts.back().key.point = k;
      if (random.integer(0, 2) == 0) contacts.back().geometry.normal = Vec3::UnitX();
    }
    const Sparsification settings{random.uniform(0, 1), random.integer(0, 1) * 0.01, {}};
    const double distance = random.integer(0, 2) * 0.03;
    const auto expected = by_brute_force(contacts, settings, distance);
    EXPECT_EQ(dropped(rows, std::vector(contacts), settings, distance), expected);
    // The order in which they come changes nothing.
    std::vector<int> order(count);
    for (int k = 0; k < count; k++) order[k] = k;
    for (int k = count - 1; k > 0; k--) std::swap(order[k], order[random.integer(0, k)]);
    std::vector<DetectedContact> shuffled;
    std::vector<bool> shuffled_expected;
    for (int k : order) {
      shuffled.push_back(contacts[k]);
      shuffled_expected.push_back(expected[k]);
    }
    EXPECT_EQ(dropped(rows, shuffled, settings, distance), shuffled_expected);
  }
}

TEST(Sparsification, CellsMayBeFarOutAndSmall) {
  // More than a few contacts, so that cells are used: those at one place are one, others stay.
  const Rows rows;
  for (const double far : {1.0, 1e12, 1e200})
    for (const double distance : {1e-12, 1e-300}) {
      std::vector<DetectedContact> contacts;
      for (int k = 0; k < 20; k++)
        contacts.push_back(contact(5, 5, 1, {far * (1 + k % 10), -far, far}));
      for (int k = 0; k < 20; k++) contacts[k].key.point = k;
      const auto marks = dropped(rows, contacts, {0, 0, {}}, distance);
      EXPECT_EQ(std::ranges::count(marks, true), 10);
    }
}

// Contacts known ahead have the areas of where they will touch.
TEST(Sparsification, ContactsThatHoverLeaveThoseThatTouch) {
  const Rows rows;
  const Sparsification tenth{0.1, 0, {}};
  const auto with_gap = [](DetectedContact c, double gap) {
    c.geometry.gap = gap;
    return c;
  };
  const DetectedContact large = contact(0, 0, 1), small = contact(1, 4, 0.01);
  for (const auto& [gap, small_gap, goes] : {std::tuple(1e-3, -1e-9, false),
                                             {1e-3, 0.5e-3, false},
                                             {0.5e-3, 1e-3, true},
                                             {0.5 * kEpsilon, -1e-9, true},
                                             {-1e-3, -2e-3, true}})
    EXPECT_EQ(dropped(rows, {with_gap(large, gap), with_gap(small, small_gap)}, tenth),
              (std::vector{false, goes}))
        << gap << ", " << small_gap;
}

TEST(Sparsification, NothingIsLeftOfEarlierCalls) {
  const Rows rows;
  Sparsifier sparsifier;
  std::vector<DetectedContact> first = {contact(0, 0, 100), contact(0, 1, 1)};
  EXPECT_EQ(sparsifier.mark(first, rows.pieces, {0.5, 0, {}}, 0.1, kEpsilon, true), 1);
  std::vector<DetectedContact> second = {contact(0, 1, 1), contact(4, 4, 1, {5, 5, 5})};
  EXPECT_EQ(sparsifier.mark(second, rows.pieces, {0.5, 0, {}}, 0.1, kEpsilon, true), 0);
}

}  // namespace
}  // namespace solfec::sparsification_test
