#include "synchronisation/changes.hpp"

#include <gtest/gtest.h>

#include "support/small_model.hpp"

namespace solfec::changes_test {
namespace {

TEST(Changes, OneRankCollectsNothing) {
  ScriptedModel s;
  testing::make_model(s);
  s.running = true;
  EXPECT_FALSE(collects_changes(s));
  EXPECT_FALSE(is_new(s, BodyId{2}));
  EXPECT_TRUE(s.script.changes.empty());
  exclude_bodies(s, BodyId{0}, BodyId{1});
  exclude_surfaces(s, 3, 4);
  EXPECT_TRUE(s.domain.exclusions.bodies(BodyId{1}, BodyId{0}));
  EXPECT_TRUE(s.domain.exclusions.surfaces(4, 3));
  EXPECT_TRUE(s.script.changes.empty());
}

TEST(Changes, PiecesAreFoundByReferencePoints) {
  ScriptedModel s;
  testing::make_model(s);
  s.domain.bodies.center(1) += Vec3(5, 5, 5);  // reference points stay
  EXPECT_EQ(piece_at(s.domain, 1, {0, 0, 1.5}), 0);
  EXPECT_EQ(piece_at(s.domain, 1, {5, 5, 6}), -1);
  exclude_pieces(s, {BodyId{0}, BodyId{1}, {0, 0, -1}, {0, 0, 1}});
  EXPECT_TRUE(s.domain.exclusions.pieces(BodyId{0}, 0, BodyId{1}, 0));
  EXPECT_FALSE(s.domain.exclusions.pieces(BodyId{0}, 0, BodyId{2}, 0));
  EXPECT_TRUE(s.script.changes.empty());
}

}  // namespace
}  // namespace solfec::changes_test
