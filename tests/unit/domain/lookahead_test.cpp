#include "domain/lookahead.hpp"

#include <gtest/gtest.h>

#include "domain/domain.hpp"
#include "support/make_bodies.hpp"

namespace solfec::lookahead_test {
namespace {

constexpr TimeStep kStep{0, 0.1};

TEST(LookAhead, IsTheWayOfTheFastestPoint) {
  Domain d;
  d.gravity.component[2] = TimeSeries(-10);
  testing::add_body(d.bodies, BodyKind::obstacle, testing::ball_shape({0, 0, 0}, 1));
  testing::add_body(d.bodies, BodyKind::rigid, testing::ball_shape({5, 0, 0}, 2));
  testing::add_body(d.bodies, BodyKind::finite_element,
                    testing::meshed_box({0, 9, 0}, {1, 1, 1}, 1));
  rigid_linear_part(d.bodies.u(1)) = Vec3(3, 0, 4);
  angular_part(d.bodies.u(1)) = Vec3(0, 0.5, 0);
  node_part(d.bodies.u(2), 3) = Vec3(0, 7, 0);
  set_lookahead(d, kStep, 0.3);
  EXPECT_TRUE(d.lookahead.empty()) << "contacts are not known ahead";
  EXPECT_EQ(farthest_travel(d, kStep), 0);

  d.contact_correction = ContactCorrection::ahead;
  set_lookahead(d, kStep, 0.3);
  EXPECT_DOUBLE_EQ(d.horizon, 0.05 + 0.15);
  ASSERT_EQ(d.lookahead.size(), 3u);
  EXPECT_EQ(d.lookahead[0].distance, 0);
  EXPECT_NEAR(d.lookahead[1].distance,
              0.2 * (5 + 0.5 * 2 + 0.1 * 10) + kNear * d.bodies.extent(1).size, 1e-12);
  EXPECT_NEAR(d.lookahead[2].distance, 0.2 * (7 + 0.1 * 10) + kNear * d.bodies.extent(2).size,
              1e-12);
  EXPECT_NEAR((d.lookahead[1].motion({1, 0, 0}) - 0.2 * Vec3(3, 0, 4 - 0.5 - 1)).norm(), 0, 1e-12);
  EXPECT_NEAR((d.lookahead[2].motion({1, 0, 0}) - 0.2 * Vec3(0, 7.0 / 8, -1)).norm(), 0, 1e-12);
  EXPECT_NEAR(farthest_travel(d, kStep), 0.1 * (7 + 0.1 * 10) + kNear * d.bodies.extent(1).size,
              1e-12);
}

TEST(LookAhead, OfQuasiStaticStepsIsWithoutTheFall) {
  constexpr TimeStep kQuasiStatic{0, 0.1, Analysis::quasi_static};
  Domain d;
  d.gravity.component[2] = TimeSeries(-10);
  testing::add_body(d.bodies, BodyKind::rigid, testing::ball_shape({5, 0, 0}, 2));
  testing::add_body(d.bodies, BodyKind::pseudo_rigid, testing::ball_shape({0, 9, 0}, 1));
  rigid_linear_part(d.bodies.u(0)) = Vec3(3, 0, 4);
  set_lookahead(d, kQuasiStatic, 0.3);
  EXPECT_EQ(d.horizon, 0.1);
  ASSERT_EQ(d.lookahead.size(), 2u);
  EXPECT_NEAR(d.lookahead[0].distance, 0.1 * 5 + kNear * d.bodies.extent(0).size, 1e-12);
  EXPECT_NEAR((d.lookahead[0].translation - 0.1 * Vec3(3, 0, 4 - 1)).norm(), 0, 1e-12);
  EXPECT_NEAR(d.lookahead[1].distance, kNear * d.bodies.extent(1).size, 1e-12);

  d.contact_correction = ContactCorrection::off;
  set_lookahead(d, kQuasiStatic, 0.3);
  EXPECT_TRUE(d.lookahead.empty());
}

}  // namespace
}  // namespace solfec::lookahead_test
