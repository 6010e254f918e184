// Contact detection against the narrow phase run on all pairs of pieces.
#include "contact/detection.hpp"

#include <gtest/gtest.h>

#include "core/threads.hpp"
#include "support/contact_scene.hpp"

namespace solfec::detection_test {
namespace {

using testing::Random;

using Scene = testing::ContactScene;

Scene crowd(std::uint64_t seed, int count) {
  Scene scene;
  Random random(seed);
  for (int k = 0; k < count; k++) {
    const Vec3 at = random.in_box(2);
    Shape shape;
    const int surface = random.integer(1, 3);
    for (int part = random.integer(1, 3); part > 0; part--) {
      const Vec3 x = at + random.in_box(0.3);
      const int kind = random.integer(0, 2);
      if (kind == 0) {
        shape.push_back(Sphere{x, 0.4, 0, surface});
      } else if (kind == 1) {
        shape.push_back(Ellipsoid{x, {0.3, 0.4, 0.5}, random.rotation(), 0, surface});
      } else {
        Polyhedron p = testing::random_polyhedron(random, x, 0.5);
        p.surface.assign(p.surface.size(), surface);
        shape.push_back(p);
      }
    }
    const BodyKind kinds[] = {BodyKind::obstacle, BodyKind::rigid, BodyKind::pseudo_rigid};
    const int i = testing::add_body(scene.bodies, kinds[random.integer(0, 2)], shape);
    testing::move_at_random(random, scene.bodies, i, 0.1);
  }
  scene.settings.sparsification = {0, 0, 0.0};
  return scene;
}

// Whether a polyhedron fills a place beside a piece that a body touches.
bool is_filled(const Scene& scene, int toucher, int touched, const Vec3& x, Surroundings::By by) {
  const PieceStore& pieces = scene.pieces;
  const auto id = [&](int body) { return scene.bodies.id(body); };
  for (int k = 0; k < pieces.count(); k++)
    if (k != touched && pieces.kind(k) == PieceKind::polyhedron && pieces.body(k) != toucher &&
        (by == Surroundings::By::touched_body_too || pieces.body(k) != pieces.body(touched)) &&
        !scene.exclusions.bodies(id(toucher), id(pieces.body(k))) &&
        pieces.polyhedron_holds(k, x, 0.5 * scene.settings.epsilon))
      return true;
  return false;
}

// All pairs of pieces, by the rules of the documentation; patches of a pair of bodies together.
std::vector<DetectedContact> by_brute_force(Scene& scene) {
  const BodyStore& bodies = scene.bodies;
  PieceStore& pieces = scene.pieces;
  NarrowPhase narrow_phase;
  const bool many = scene.settings.mode == ContactMode::many;
  std::vector<DetectedContact> contacts;
  for (int a = 0; a < pieces.count(); a++)
    for (int b = 0; b < pieces.count(); b++) {
      const int i = pieces.body(a), j = pieces.body(b);
      const bool obstacle_i = bodies.kind(i) == BodyKind::obstacle,
                 obstacle_j = bodies.kind(j) == BodyKind::obstacle;
      // The first is free; with both free it has the lower id.
      if (i == j || obstacle_i || (!obstacle_j && bodies.id(j) < bodies.id(i))) continue;
      if (scene.exclusions.bodies(bodies.id(i), bodies.id(j))) continue;
      const auto filled = [&](const Vec3& x, int toucher, Surroundings::By by) {
        return is_filled(scene, toucher == 0 ? i : j, toucher == 0 ? b : a, x, by);
      };
      const ContactPoints found =
          narrow_phase.find(pieces, a, b, scene.settings.epsilon,
                            many ? ContactMode::patch : ContactMode::one, 0, {filled});
      for (int k = 0; k < found.count; k++) {
        if (scene.exclusions.surfaces(found.points[k].surface1, found.points[k].surface2)) continue;
        const ContactKey key{
            bodies.id(i), bodies.id(j), static_cast<std::uint32_t>(pieces.feature(a)),
            static_cast<std::uint32_t>(pieces.feature(b)), static_cast<std::uint32_t>(k)};
        contacts.push_back({key, i, j, -1, -1, found.points[k], Vec3::Zero(), false, false});
      }
    }
  std::ranges::sort(contacts, {}, &DetectedContact::key);
  if (!many) return contacts;
  for (int i = 0; i < bodies.total(); i++)
    for (int j = 0; j < bodies.total(); j++) {
      const auto of_pair = [&](const DetectedContact& c) { return c.body1 == i && c.body2 == j; };
      const auto begin = std::ranges::find_if(contacts, of_pair);
      const auto end = std::find_if_not(begin, contacts.end(), of_pair);
      ManifoldReducer reducer;
      reducer.reduce(std::span(begin, end), scene.settings.epsilon, scene.settings.epsilon);
    }
  std::erase_if(contacts, [](const DetectedContact& c) { return c.dropped; });
  return contacts;
}

void expect_same(const std::vector<DetectedContact>& found,
                 const std::vector<DetectedContact>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); k++) {
    EXPECT_EQ(found[k].key, expected[k].key);
    EXPECT_EQ(found[k].body1, expected[k].body1);
    EXPECT_EQ(found[k].body2, expected[k].body2);
    EXPECT_EQ(found[k].geometry.point, expected[k].geometry.point);
    EXPECT_EQ(found[k].geometry.normal, expected[k].geometry.normal);
    EXPECT_EQ(found[k].geometry.gap, expected[k].geometry.gap);
    EXPECT_EQ(found[k].geometry.area, expected[k].geometry.area);
  }
}

TEST(Detection, FindsWhatAllPairsFind) {
  for (ContactMode mode : {ContactMode::one, ContactMode::many})
    for (int seed = 1; seed <= 5; seed++) {
      Scene scene = crowd(seed, 60);
      scene.settings.mode = mode;
      const auto found = scene.find();
      EXPECT_GT(found.size(), 50u);
      expect_same(found, by_brute_force(scene));
      EXPECT_EQ(scene.detection.sparsified(), 0);
      EXPECT_GE(scene.detection.candidates(), 50);
      // Once more, on memory that has been used, and by threads.
      expect_same(scene.find(), found);
      for (int number : {3, 1}) {
        set_threads(number);
        expect_same(scene.find(), found);
      }
    }
}

TEST(Detection, ExclusionsByBodiesAndSurfaces) {
  Scene scene = crowd(7, 60);
  const auto all = scene.find();
  const ContactKey& one = all[all.size() / 2].key;
  scene.exclusions.exclude_bodies(one.body2, one.body1);  // in either order
  scene.exclusions.exclude_surfaces(3, 1);
  scene.exclusions.exclude_surfaces(2, 2);
  std::vector<DetectedContact> expected;
  int by_surface = 0;
  for (const DetectedContact& c : all) {
    const std::pair<int, int> surfaces = std::minmax(c.geometry.surface1, c.geometry.surface2);
    const bool excluded = surfaces == std::pair(1, 3) || surfaces == std::pair(2, 2);
    by_surface += excluded;
    if (!excluded && (c.key.body1 != one.body1 || c.key.body2 != one.body2)) expected.push_back(c);
  }
  EXPECT_GT(by_surface, 5);
  EXPECT_LT(expected.size(), all.size() - by_surface + 1);
  expect_same(scene.find(), expected);
}

TEST(Detection, ExclusionsByPieces) {
  Scene scene = crowd(8, 60);
  const auto all = scene.find();
  const ContactKey& one = all.back().key;
  scene.exclusions.exclude_pieces(one.body2, static_cast<int>(one.feature2), one.body1,
                                  static_cast<int>(one.feature1));
  std::vector<DetectedContact> expected;
  for (const DetectedContact& c : all)
    if (c.key.body1 != one.body1 || c.key.body2 != one.body2 || c.key.feature1 != one.feature1 ||
        c.key.feature2 != one.feature2)
      expected.push_back(c);
  EXPECT_LT(expected.size(), all.size());
  expect_same(scene.find(), expected);
}

TEST(ContactOwner, IsTheSmallerBodyAndOfEqualOnesEachInTurn) {
  const auto body = [](std::uint32_t id, double size) {
    return ContactClaim{false, size, BodyId{id}};
  };
  const ContactClaim small = body(9, 1), large = body(4, 2);
  const ContactClaim obstacle{true, 0.5, BodyId{2}};
  EXPECT_EQ(owning_side(small, large), 0);
  EXPECT_EQ(owning_side(large, small), 1);
  EXPECT_EQ(owning_side(obstacle, large), 1);
  EXPECT_EQ(owning_side(large, obstacle), 0);
  // Neighbours in a lattice of 6 x 6 x 6: of each kind of pair one half belongs to the lower id.
  for (std::uint32_t step : {1, 6, 36}) {
    int lower = 0;
    for (std::uint32_t id = 1; id <= 180; id++) {
      const int side = owning_side(body(id, 1), body(id + step, 1));
      EXPECT_EQ(owning_side(body(id + step, 1), body(id, 1)), 1 - side) << id << " + " << step;
      lower += side == 0;
    }
    EXPECT_EQ(lower, 90) << step;
  }
}

TEST(Detection, EmptyScene) {
  Scene scene;
  EXPECT_TRUE(scene.find().empty());
  testing::add_body(scene.bodies, BodyKind::rigid, testing::ball_shape({0, 0, 0}, 1));
  EXPECT_TRUE(scene.find().empty());
}

}  // namespace
}  // namespace solfec::detection_test
