// Changes on one rank; tests/parallel/test_language.py has those of several.
#include "simulation/changes.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/scratch_directory.hpp"
#include "support/small_scene.hpp"

namespace solfec::changes_test {
namespace {

using testing::make_scene;

TEST(Changes, OneRankCollectsNothing) {
  Simulation s;
  make_scene(s, "out");
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
  Simulation s;
  make_scene(s, "out");
  s.domain.bodies.center(1) += Vec3(5, 5, 5);  // reference points stay
  EXPECT_EQ(piece_at(s.domain, 1, {0, 0, 1.5}), 0);
  EXPECT_EQ(piece_at(s.domain, 1, {5, 5, 6}), -1);
  exclude_pieces(s, {BodyId{0}, BodyId{1}, {0, 0, -1}, {0, 0, 1}});
  EXPECT_TRUE(s.domain.exclusions.pieces(BodyId{0}, 0, BodyId{1}, 0));
  EXPECT_FALSE(s.domain.exclusions.pieces(BodyId{0}, 0, BodyId{2}, 0));
  EXPECT_TRUE(s.script.changes.empty());
}

TEST(Changes, FunctionsOfTheScriptAreJustCalled) {
  Simulation s;
  make_scene(s, "out");
  GaussSeidel solver({});
  EXPECT_TRUE(call_script(s, solver, "CALLBACK", [] { return true; }));
  EXPECT_FALSE(call_script(s, solver, "CALLBACK", [] { return false; }));
  EXPECT_THROW(call_script(s, solver, "CALLBACK", []() -> bool { throw std::logic_error("x"); }),
               std::logic_error);
}

TEST(BodyLabels, FindTheLowestThatIsNotGone) {
  BodyLabels labels;
  const auto handle = [](std::uint32_t id) {
    auto made = std::make_shared<BodyHandle>();
    made->id = BodyId{id};
    made->record = std::make_unique<BodyState>();
    return made;
  };
  for (std::uint32_t id : {7u, 3u, 5u}) labels.add("one", handle(id));
  labels.add("", handle(1));
  EXPECT_EQ(labels.find("one", {})->id.value, 3u);
  EXPECT_TRUE(labels.knows("one", BodyId{7}));
  EXPECT_FALSE(labels.knows("one", BodyId{1}));
  EXPECT_FALSE(labels.knows("two", BodyId{7}));
  IdRanges gone;
  gone.insert(BodyId{3});
  EXPECT_EQ(labels.find("one", gone)->id.value, 5u);
  for (std::uint32_t id : {5u, 7u}) gone.insert(BodyId{id});
  EXPECT_EQ(labels.find("one", gone), nullptr);
  EXPECT_EQ(labels.find("two", {}), nullptr);
  EXPECT_EQ(labels.find("", {}), nullptr);
  EXPECT_NE(labels.find("one", {})->record, nullptr);
  labels.drop_records();
  EXPECT_EQ(labels.find("one", {})->record, nullptr);
}

}  // namespace
}  // namespace solfec::changes_test
