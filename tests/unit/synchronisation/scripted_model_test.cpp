#include "synchronisation/scripted_model.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/small_model.hpp"

namespace solfec::scripted_model_test {
namespace {

TEST(ScriptedModel, IdentifiersAreNeverGivenAgain) {
  ScriptedModel s;
  testing::make_model(s);
  EXPECT_TRUE(delete_body(s, BodyId{1}));
  EXPECT_FALSE(delete_body(s, BodyId{1}));
  EXPECT_EQ(testing::add(s, BodyKind::rigid, {Sphere{{9, 9, 9}, 1}}, "").value, 3u);
  EXPECT_EQ(s.new_bodies + s.deleted_bodies, 0);  // the model is still being made
  s.clock.steps = 1;
  testing::add(s, BodyKind::rigid, {Sphere{{9, 9, 9}, 1}}, "");
  delete_body(s, BodyId{3});
  EXPECT_EQ(s.new_bodies, 1);
  EXPECT_EQ(s.deleted_bodies, 1);
}

TEST(ScriptedModel, CountsBodiesAndTheirPositions) {
  ScriptedModel s;
  testing::make_model(s);
  EXPECT_EQ(body_count(s), 3);
  EXPECT_EQ(owned_bodies(s), 3);
  EXPECT_EQ(find_here(s, BodyId{2}), 2);
  delete_body(s, BodyId{1});
  EXPECT_EQ(body_count(s), 2);
  EXPECT_EQ(find_here(s, BodyId{1}), -1);
  EXPECT_EQ(find_here(s, BodyId{2}), 1);
  EXPECT_EQ(position(s, 1), 1);
  EXPECT_FALSE(lives_elsewhere(s, BodyId{1}));
}

TEST(ScriptedModel, NothingIsChangedInAStep) {
  ScriptedModel s;
  testing::make_model(s);
  s.stepping = true;
  EXPECT_THROW(add_body(s, Body()), RunError);
  EXPECT_THROW(delete_body(s, BodyId{1}), RunError);
  EXPECT_THROW(delete_constraint(s, ContactKey{}), RunError);
  EXPECT_EQ(body_count(s), 3);
}

}  // namespace
}  // namespace solfec::scripted_model_test
