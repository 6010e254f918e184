// Velocities of contacts on bodies by DEF_IMP: those of the local dynamics are those of the bodies.
#include "domain/conserving_contacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "body/integration.hpp"
#include "support/make_bodies.hpp"

namespace solfec::conserving_contacts_test {
namespace {

constexpr TimeStep kStep{0, 1e-3};

// A soft cube of edge 0.2 turns and falls flat on an obstacle, or on a cube like it, and is pushed
// back. Returns the largest difference between velocities of contacts at the end of a step: those
// of the local dynamics, and those of the bodies.
double difference(BodyKind kind, Scheme scheme, bool on_obstacle, bool follows) {
  Domain domain;
  domain.contact_correction = ContactCorrection::off;  // contact_motion_test.cpp
  domain.bulk_materials.store({"rubber", 1e7, 0.25, 1000});
  SurfaceMaterial material;
  material.restitution = 1;
  domain.surface_materials.store(material);
  BodyStore& bodies = domain.bodies;
  const auto cube = [&](double z) {
    return kind == BodyKind::pseudo_rigid ? testing::box_shape({0, 0, z}, {0.1, 0.1, 0.1})
                                          : testing::meshed_box({0, 0, z}, {0.1, 0.1, 0.1}, 2);
  };
  testing::add_body(bodies, on_obstacle ? BodyKind::obstacle : kind, cube(0));
  testing::add_body(bodies, kind, cube(0.2));
  for (int i = 0; i < 2; i++) {
    bodies[i].scheme = scheme;
    if (is_obstacle(bodies.kind(i))) continue;
    const Vec3 spin(3, 2, 1), speed(0.4, 0.7, i == 0 ? 0.0 : -1.0);
    if (kind == BodyKind::pseudo_rigid) {
      Eigen::Map<Mat3>(bodies.u(i)) = skew(spin);
      Eigen::Map<Vec3>(bodies.u(i) + 9) = speed;
    } else {
      auto u = Eigen::Map<Eigen::Matrix3Xd>(bodies.u(i), 3, bodies.dofs(i) / 3);
      const auto x = Eigen::Map<const Eigen::Matrix3Xd>(bodies.x(i), 3, u.cols());
      for (int k = 0; k < u.cols(); k++) u.col(k) = speed + spin.cross(x.col(k));
    }
  }
  begin_step(bodies, domain.bulk_materials, domain.gravity, kStep);
  detect_contacts(domain, true);
  assemble(domain, kStep);
  LocalDynamics& p = domain.local_dynamics;
  for (Vec3& R : domain.local_solution.R) R = Vec3(200, -300, 2000);
  ConservingContacts conserving;
  if (follows) {
    EXPECT_EQ(conserving.follow(domain, kStep), scheme == Scheme::def_imp);
    EXPECT_FALSE(conserving.follow(domain, kStep)) << "the same reactions";
  }
  update_velocities(p, domain.local_solution);
  // The rows of H, in the middle of the step, where the contacts were found.
  const auto& contacts = domain.constraints.all();
  EXPECT_GT(contacts.size(), 3u);
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(3 * contacts.size(), bodies.u.begin(2));
  for (std::size_t row = 0; row < contacts.size(); row++)
    for (int side : {0, 1}) {
      const Constraint& c = contacts[row];
      const int i = c.body(side), n = is_obstacle(bodies.kind(i)) ? 0 : bodies.dofs(i);
      for (int d = 0; d < n; d++) {
        const Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, d);
        const Vec3 velocity =
            velocity_at(bodies, i, domain.places.of(c, static_cast<int>(row), side), unit.data());
        H.block<3, 1>(3 * row, bodies.u.begin(i) + d) =
            (side == 0 ? 1 : -1) * c.base().transpose() * velocity;
      }
    }
  apply_reactions(domain);
  end_step(bodies, domain.bulk_materials, kStep);
  const Eigen::VectorXd U = H * Eigen::Map<const Eigen::VectorXd>(bodies.u(0), H.cols());
  double largest = 0;
  for (std::size_t row = 0; row < contacts.size(); row++)
    largest = std::max(largest, (contacts[row].U - U.segment<3>(3 * row)).norm());
  return largest;
}

TEST(ConservingContacts, HaveTheVelocitiesOfTheirBodies) {
  for (BodyKind kind : {BodyKind::pseudo_rigid, BodyKind::finite_element})
    for (bool on_obstacle : {true, false}) {
      EXPECT_GT(difference(kind, Scheme::def_imp, on_obstacle, false), 1e-4);
      EXPECT_LT(difference(kind, Scheme::def_imp, on_obstacle, true), 1e-9);
    }
}

TEST(ConservingContacts, OfOtherSchemesAreLinear) {
  for (bool follows : {false, true})
    EXPECT_LT(difference(BodyKind::finite_element, Scheme::def_lim, true, follows), 1e-11);
}

TEST(ConservingContacts, AskForBodiesOfThatScheme) {
  BodyStore bodies;
  testing::add_body(bodies, BodyKind::pseudo_rigid, testing::box_shape({0, 0, 0}, {1, 1, 1}));
  bodies[0].scheme = Scheme::def_lim;
  EXPECT_FALSE(has_conserving_bodies(bodies, kStep));
  bodies[0].scheme = Scheme::def_imp;
  EXPECT_TRUE(has_conserving_bodies(bodies, kStep));
}

}  // namespace
}  // namespace solfec::conserving_contacts_test
