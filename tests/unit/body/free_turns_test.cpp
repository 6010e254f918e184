// Axes about which joints let a body turn.
#include "body/free_turns.hpp"

#include <gtest/gtest.h>

#include "support/make_bodies.hpp"

namespace solfec::free_turns_test {
namespace {

TEST(FreeTurns, OfSpaceAndOfOthers) {
  BodyStore bodies;
  testing::add_body(bodies, BodyKind::finite_element,
                    testing::meshed_box({0.1, 0.2, 0.3}, {0.5, 0.3, 0.2}, 1));
  const auto hold = [&](const Vec3& point, std::initializer_list<Vec3> directions,
                        BodyId neighbour = {}) {
    for (const Vec3& direction : directions)
      bodies.holds.add(0, {neighbour, point, direction.normalized()});
    return free_turns(bodies, 0);
  };
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  const Vec3 along = Vec3(0.1, 0.2, 0).normalized();
  const Mat3 all = Mat3::Identity(), axis = along * along.transpose();
  EXPECT_EQ(free_turns(bodies, 0), all);
  EXPECT_NEAR((hold({-0.1, 0, 0}, {x, y, z}) - all).norm(), 0, 1e-12);
  EXPECT_NEAR((hold({0, 0.2, 0}, {x, y, z}) - axis).norm(), 0, 1e-12) << "a hinge";
  EXPECT_NEAR((hold({0.1, 0.1, 0}, {along}) - axis).norm(), 0, 1e-12) << "a link along it";
  EXPECT_NEAR(hold({0.1, 0.1, 0}, {z}).norm(), 0, 1e-12) << "a lever";
  bodies.holds.clear();
  hold({0.1, 0, 0}, {y, z});
  const Mat3 left = hold({-0.1, 0, 0}, {y, z});  // motion along x is no turn
  EXPECT_NEAR((left - x * x.transpose()).norm(), 0, 1e-12);

  // Of others each by itself; space comes first.
  bodies.holds.clear();
  EXPECT_NEAR((hold({0.1, 0, 0}, {x, y, z}, BodyId{7}) - all).norm(), 0, 1e-12);
  EXPECT_NEAR((hold({-0.1, 0, 0}, {x, y, z}, BodyId{8}) - all).norm(), 0, 1e-12) << "pinned ends";
  EXPECT_NEAR((hold({0.1, 0.2, 0}, {x, y, z}, BodyId{7}) - y * y.transpose()).norm(), 0, 1e-12);
  EXPECT_NEAR(hold({-0.1, 0, 0.3}, {x, y, z}, BodyId{8}).norm(), 0, 1e-12) << "two hinges";
  EXPECT_NEAR((hold({0.2, 0, 0}, {x, y, z}) - all).norm(), 0, 1e-12) << "a pin to space";
}

}  // namespace
}  // namespace solfec::free_turns_test
