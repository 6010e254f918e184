// Centripetal accelerations of bodies, from the reactions of the step before.
#include "domain/centripetal.hpp"

#include <gtest/gtest.h>

#include "body/dof_views.hpp"
#include "domain/joints.hpp"
#include "support/make_bodies.hpp"

namespace solfec::centripetal_test {
namespace {

const Vec3 kOmega(0.3, -0.5, 2), kVelocity(1, 2, 0.2);

// A block that touches the plane z = 0 and moves like a rigid body.
struct Carried {
  Domain domain;

  explicit Carried(BodyKind kind) {
    domain.surface_materials.store({});
    domain.bulk_materials.store({"rubber", 1e5, 0.3, 1000});
    BodyStore& bodies = domain.bodies;
    testing::add_body(bodies, BodyKind::obstacle, testing::box_shape({0, 0, -0.999}, {9, 9, 1}));
    testing::add_body(bodies, kind, testing::box_shape({1, 2, 0.4}, {0.3, 0.5, 0.4}));
    double* u = bodies.u(1);
    if (is_affine(kind))
      affine_rate_part(u) = skew(kOmega);
    else
      angular_part(u) = kOmega;
    linear_part(u, bodies.dofs(1)) = kVelocity;
    linear_part(bodies.f(1), bodies.dofs(1)) = Vec3(700, -2000, 300);
    detect_contacts(domain, false);
  }
  // Reactions that give the body this acceleration.
  void press(const Vec3& acceleration) {
    const Vec3 force = domain.bodies[1].reference.mass * acceleration - Vec3(700, -2000, 300);
    const double count = domain.constraints.count();
    for (Constraint& c : domain.constraints.all())
      c.R = c.base().transpose() * ((c.body1 == 1 ? 1 : -1) / count * force);
  }
  Vec3 of_body(bool corrects = true) {
    const PlacedRows rows{domain.constraints.all(), domain.places};
    domain.shared_rows.request(domain.bodies, rows, domain.communicator);
    find_centripetal(domain, corrects);
    EXPECT_EQ(domain.centripetal.size(), corrects ? 2u : 0u);
    return corrects ? domain.centripetal[1] : Vec3(Vec3::Zero());
  }
};

TEST(Centripetal, IsTheShareThatContactsGive) {
  Carried body(BodyKind::rigid);
  ASSERT_GT(body.domain.constraints.count(), 0);
  const Vec3 all = kOmega.cross(kVelocity);
  const std::pair<double, double> shares[] = {{0.2, 0},   {0.4, 0.6}, {0.8, 1}, {1.2, 1},
                                              {1.6, 0.6}, {7, 0},     {-1, 0}};
  for (const auto& [given, expected] : shares) {
    body.press(given * all + 3 * kVelocity);  // what is across of it does not matter
    EXPECT_NEAR((body.of_body() - expected * all).norm(), 0, 1e-12) << given;
  }
  EXPECT_EQ(body.domain.centripetal[0], Vec3::Zero()) << "the obstacle";
  body.of_body(false);
}

TEST(Centripetal, IsNoneWithoutContactsOrWithJoints) {
  Carried body(BodyKind::rigid);
  EXPECT_EQ(body.of_body(), Vec3::Zero()) << "no reactions";
  body.press(kOmega.cross(kVelocity));
  EXPECT_NE(body.of_body(), Vec3::Zero());
  Joint joint;
  joint.kind = ConstraintKind::fixed_point;
  add_joint(body.domain, 1, joint);
  detect_contacts(body.domain, false);
  ASSERT_GT(body.domain.constraints.count(), 1) << "the contacts, too";
  EXPECT_EQ(body.of_body(), Vec3::Zero());
}

TEST(Centripetal, IsNoneOfBodiesThatDeform) {
  Carried body(BodyKind::pseudo_rigid);
  body.press(kOmega.cross(kVelocity));
  EXPECT_EQ(body.of_body(), Vec3::Zero());
}

}  // namespace
}  // namespace solfec::centripetal_test
