#include "constraint/constraint_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/make_bodies.hpp"

namespace solfec::constraint_store_test {
namespace {

using testing::Random;

struct Scene {
  BodyStore bodies;
  SurfaceMaterials materials;
  ConstraintStore store;

  explicit Scene(int count = 4) {
    for (int k = 0; k < count; k++)
      testing::add_body(bodies, BodyKind::rigid, testing::ball_shape({1.0 * k, 0, 0}, 0.5));
  }
  void update(std::vector<DetectedContact> detected, bool make_bonds = false) {
    std::ranges::sort(detected, {}, &DetectedContact::key);
    store.update(detected, bodies, materials, make_bonds);
  }
};

// Ids are indices + 1.
DetectedContact detected(int body1, int body2, int feature1, int feature2, const Vec3& point,
                         const Vec3& normal, std::uint32_t number = 0) {
  DetectedContact d;
  d.key = {BodyId{static_cast<std::uint32_t>(body1 + 1)},
           BodyId{static_cast<std::uint32_t>(body2 + 1)}, static_cast<std::uint32_t>(feature1),
           static_cast<std::uint32_t>(feature2), number};
  d.body1 = body1;
  d.body2 = body2;
  d.geometry.point = point;
  d.geometry.normal = normal;
  d.geometry.gap = -1e-3;
  d.geometry.area = 2;
  d.geometry.surface1 = 5;
  d.geometry.surface2 = 6;
  return d;
}

TEST(ConstraintStore, LocalBaseIsRightHandedWithItsNormalLast) {
  Random random(1);
  std::vector<Vec3> normals = {Vec3::UnitX(),
                               -Vec3::UnitX(),
                               Vec3::UnitY(),
                               Vec3::UnitZ(),
                               Vec3(1, 1e-7, 0).normalized(),
                               Vec3(1, 1e-5, -1e-5).normalized()};
  for (int k = 0; k < 1000; k++) normals.push_back(random.direction());
  for (const Vec3& n : normals) {
    const Mat3 base = local_base(n);
    EXPECT_EQ(base.col(2), n);
    EXPECT_NEAR((base.transpose() * base - Mat3::Identity()).norm(), 0, 3e-15);
    EXPECT_NEAR(base.determinant(), 1, 3e-15);
  }
}

TEST(ConstraintStore, BaseOfThreeDirectionsIsTheirs) {
  const Mat3 base = local_base(Vec3(1, 2, 3).normalized());
  const Mat3 turned =
      base * Eigen::AngleAxisd(0.7, Vec3::UnitZ()).toRotationMatrix();  // about the normal
  Constraint c;
  c.set_base(turned);
  c.arm = Vec3(4, 5, 6);
  EXPECT_TRUE(c.base().isApprox(turned, 1e-15));
  EXPECT_EQ(arm_or_tangent(c), c.arm);
  c.kind = ConstraintKind::prescribed_motion3;
  EXPECT_TRUE(constraint_base(c.kind, c.normal, arm_or_tangent(c)).isApprox(turned, 1e-15));
  EXPECT_EQ(constraint_base(ConstraintKind::fixed_point, Vec3(0, 1, 0)), Mat3(Mat3::Identity()));
  EXPECT_EQ(constraint_base(ConstraintKind::spring, base.col(2)), local_base(base.col(2)));
}

TEST(ConstraintStore, TakesWhatIsDetected) {
  Scene scene;
  SurfaceMaterial rough;
  rough.surface1 = 6;
  rough.surface2 = 5;
  const int index = scene.materials.store(rough);
  scene.update({detected(1, 2, 0, 0, {3, 2, 1}, Vec3::UnitY()),
                detected(0, 1, 0, 0, {1, 2, 3}, Vec3::UnitZ())});
  ASSERT_EQ(scene.store.count(), 2);
  const Constraint& c = scene.store.all()[0];
  EXPECT_EQ(c.key.body1, BodyId{1}) << "in the order of keys";
  EXPECT_EQ(c.body1, 0);
  EXPECT_EQ(c.body2, 1);
  EXPECT_EQ(c.point, Vec3(1, 2, 3));
  EXPECT_EQ(c.normal, Vec3::UnitZ());
  EXPECT_EQ(c.gap, -1e-3);
  EXPECT_EQ(c.area, 2);
  EXPECT_EQ(c.material, index);
  EXPECT_EQ(c.R, Vec3::Zero()) << "new contacts start without reaction";
  EXPECT_FALSE(c.bond);
  EXPECT_EQ(scene.store.find(scene.store.all()[1].key), 1);
  EXPECT_EQ(scene.store.find(detected(0, 1, 0, 1, {}, {}).key), -1);
}

TEST(ConstraintStore, ReactionsGoOnInGlobalAxes) {
  Random random(2);
  Scene scene;
  Vec3 normal = Vec3::UnitZ();
  scene.update({detected(0, 1, 0, 0, Vec3::Zero(), normal)});
  const Vec3 force = random.in_box(10);
  scene.store.all()[0].R = scene.store.all()[0].base().transpose() * force;
  for (int k = 0; k < 50; k++) {
    normal = random.direction();
    scene.update({detected(0, 1, 0, 0, random.in_box(1), normal),
                  detected(2, 3, 0, 0, random.in_box(1), normal)});
    const Constraint& c = scene.store.all()[0];
    EXPECT_EQ(c.normal, normal);
    EXPECT_NEAR((c.base() * c.R - force).norm(), 0, 1e-13);
  }
  scene.update({});
  EXPECT_EQ(scene.store.count(), 0);
  scene.update({detected(0, 1, 0, 0, Vec3::Zero(), normal)});
  EXPECT_EQ(scene.store.all()[0].R, Vec3::Zero()) << "what was gone has no memory";
}

TEST(ConstraintStore, RestoresWhatAnUpdateReplaced) {
  Scene scene;
  SurfaceMaterial sticky;
  sticky.cohesion = 1;
  scene.materials.store(sticky);
  const Vec3 n = Vec3::UnitZ();
  scene.update({detected(0, 1, 0, 0, {1, 0, 0}, n), detected(1, 2, 0, 0, {2, 0, 0}, n),
                detected(2, 3, 0, 0, {3, 0, 0}, n)},
               true);
  for (int k = 0; k < 3; k++) scene.store.all()[k].R = Vec3(k, k + 1, k + 2);
  const auto check = [&](const char* when) {
    ASSERT_EQ(scene.store.count(), 3) << when;
    for (int k = 0; k < 3; k++) {
      const Constraint& c = scene.store.all()[k];
      EXPECT_EQ(c.key, detected(k, k + 1, 0, 0, {}, n).key) << when;
      EXPECT_EQ(c.body1, k) << when;
      EXPECT_EQ(c.body2, k + 1) << when;
      EXPECT_EQ(c.point, Vec3(k + 1, 0, 0)) << when;
      EXPECT_EQ(c.normal, n) << when;
      EXPECT_EQ(c.R, Vec3(k, k + 1, k + 2)) << when;
      ASSERT_TRUE(c.bond) << when;
      EXPECT_EQ(c.bond->area, 2) << when;
    }
  };
  // One goes on and breaks, one stays by its bond, with a new one between them.
  scene.store.save();
  const Vec3 was = scene.bodies.center(2);
  scene.bodies.center(2) += Vec3(0, 1, 0);
  scene.update({detected(0, 1, 0, 0, {0.9, 0, 0}, Vec3::UnitX()),
                detected(0, 2, 0, 0, {0, 9, 0}, Vec3::UnitY())});
  ASSERT_EQ(scene.store.count(), 4);
  scene.store.all()[0].bond.reset();
  scene.store.all()[0].R = Vec3(7, 7, 7);
  scene.bodies.center(2) = was;
  scene.store.restore(scene.bodies);
  check("after an update");
  scene.store.save();
  scene.store.restore(scene.bodies);
  check("without an update");
}

TEST(ConstraintStore, PointsOfOnePairOfPiecesAreMatchedByDistance) {
  Scene scene;
  const Vec3 n = Vec3::UnitZ(), a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  scene.update({detected(0, 1, 2, 3, a, n, 0), detected(0, 1, 2, 3, b, n, 1),
                detected(0, 1, 2, 3, c, n, 2), detected(0, 1, 2, 4, b, n, 0)});
  for (int k = 0; k < 4; k++) scene.store.all()[k].R = Vec3(0, 0, k + 1);
  // The numbers go round, one point leaves, and all move by a bit.
  const Vec3 shift(0.1, 0.05, 0);
  scene.update({detected(0, 1, 2, 3, c + shift, n, 0), detected(0, 1, 2, 3, a + shift, n, 1),
                detected(0, 1, 2, 4, b + shift, n, 0)});
  const auto& contacts = scene.store.all();
  ASSERT_EQ(contacts.size(), 3u);
  EXPECT_EQ(contacts[0].R.z(), 3);
  EXPECT_EQ(contacts[1].R.z(), 1);
  EXPECT_EQ(contacts[2].R.z(), 4) << "other pieces are another matter";
  // More points than before: each old reaction is taken once.
  scene.update({detected(0, 1, 2, 3, a + shift, n, 0), detected(0, 1, 2, 3, b, n, 1),
                detected(0, 1, 2, 3, c + shift, n, 2)});
  std::vector<double> reactions;
  for (const Constraint& contact : scene.store.all()) reactions.push_back(contact.R.z());
  EXPECT_EQ(std::ranges::count(reactions, 1.0), 1);
  EXPECT_EQ(std::ranges::count(reactions, 3.0), 1);
  EXPECT_EQ(std::ranges::count(reactions, 0.0), 1);
}

TEST(ConstraintStore, AContactThatComesDoesNotTakeThePlaceOfOneThatStays) {
  Scene scene;
  const Vec3 n = Vec3::UnitZ(), a(0, 0, 0), b(1, 0, 0);
  scene.update({detected(0, 1, 2, 3, a, n, 0)});
  scene.store.all()[0].R = {0, 0, 5};
  scene.update({detected(0, 1, 2, 3, b, n, 0), detected(0, 1, 2, 3, a, n, 1)});
  EXPECT_EQ(scene.store.all()[0].R.z(), 0);
  EXPECT_EQ(scene.store.all()[1].R.z(), 5);
}

TEST(ConstraintStore, GapsOfVerticesThatPressShowTheirDrift) {
  const auto drift_after = [](double force, double gap, double next, Vertex vertex) {
    Scene scene;
    DetectedContact d = detected(0, 1, 2, 3, Vec3::Zero(), Vec3::UnitZ());
    d.geometry.vertex = vertex;
    d.geometry.gap = gap;
    scene.update({d});
    scene.store.all()[0].R = {0, 0, force};
    d.geometry.gap = next;
    scene.update({d});
    return scene.store.all()[0].drift.z();
  };
  EXPECT_DOUBLE_EQ(drift_after(5, 1e-7, 3e-7, Vertex::first), 2e-7);
  EXPECT_DOUBLE_EQ(drift_after(5, 3e-7, 1e-7, Vertex::second), -2e-7);
  EXPECT_DOUBLE_EQ(drift_after(5, -1e-3, 1e-7, Vertex::first), 1e-7) << "overlap is corrected";
  EXPECT_EQ(drift_after(0, 1e-7, 3e-7, Vertex::first), 0) << "it may open";
  EXPECT_EQ(drift_after(5, 1e-7, 3e-7, Vertex::none), 0) << "to second order";
}

TEST(ConstraintStore, RandomChangesOfTheSetKeepEveryReaction) {
  // Single points per pair of pieces: the key alone decides.
  Random random(3);
  Scene scene;
  std::map<std::array<int, 4>, Vec3> force;  // of the contacts there are
  for (int step = 0; step < 100; step++) {
    std::vector<DetectedContact> found;
    std::map<std::array<int, 4>, Vec3> next;
    for (int i = 0; i < 4; i++)
      for (int j = i + 1; j < 4; j++)
        for (int f = 0; f < 2; f++)
          for (int g = 0; g < 2; g++) {
            if (random.integer(0, 1)) continue;
            found.push_back(detected(i, j, f, g, random.in_box(1), random.direction()));
            const std::array<int, 4> key = {i, j, f, g};
            next[key] = force.contains(key) ? force[key] : Vec3(Vec3::Zero());
          }
    scene.update(found);
    ASSERT_EQ(scene.store.count(), static_cast<int>(next.size()));
    for (Constraint& c : scene.store.all()) {
      const std::array<int, 4> key = {c.body1, c.body2, static_cast<int>(c.key.feature1),
                                      static_cast<int>(c.key.feature2)};
      ASSERT_NEAR((c.base() * c.R - next.at(key)).norm(), 0, 1e-12);
      next[key] = random.in_box(5);
      c.R = c.base().transpose() * next[key];
    }
    force = next;
  }
}

struct CohesiveScene : Scene {
  CohesiveScene() : Scene(2) {
    SurfaceMaterial glue;
    glue.cohesion = 1e3;
    materials.store(glue);
  }
};

TEST(ConstraintStore, BondsAreMadeOnlyWhenAsked) {
  CohesiveScene scene;
  const auto contact = detected(0, 1, 0, 0, {0.5, 0, 0}, -Vec3::UnitX());
  scene.update({contact}, false);
  EXPECT_FALSE(scene.store.all()[0].bond);
  scene.update({contact}, true);
  EXPECT_FALSE(scene.store.all()[0].bond) << "the contact is not new";
  CohesiveScene fresh;
  fresh.update({contact}, true);
  ASSERT_TRUE(fresh.store.all()[0].bond);
  EXPECT_EQ(fresh.store.all()[0].bond->area, 2);
}

TEST(ConstraintStore, BondedContactsStayWithTheirMaterialPoints) {
  CohesiveScene scene;
  const Vec3 x(0.5, 0.1, 0), n = -Vec3::UnitX();
  scene.update({detected(0, 1, 0, 0, x, n)}, true);
  scene.store.all()[0].R = Vec3(1, 2, 3);
  const Vec3 force = scene.store.all()[0].base() * Vec3(1, 2, 3);
  // The second body turns about its centre, the first is pulled away by a little.
  const Mat3 R = rotation_about(Vec3::UnitZ(), 0.2);
  const Vec3 pull(-0.01, 0.002, 0.003);
  scene.bodies.gradient(1) = R;
  scene.bodies.center(0) += pull;
  const Vec3 x1 = x + pull, x2 = Vec3(1, 0, 0) + R * (x - Vec3(1, 0, 0));
  scene.update({});
  ASSERT_EQ(scene.store.count(), 1) << "glued: it stays though nothing was detected";
  const Constraint& c = scene.store.all()[0];
  EXPECT_NEAR((c.point - 0.5 * (x1 + x2)).norm(), 0, 1e-14);
  EXPECT_NEAR((c.normal - R * n).norm(), 0, 1e-14) << "the normal goes with the second body";
  EXPECT_NEAR(c.gap, -1e-3 + (x1 - x2).dot(R * n), 1e-14);
  EXPECT_NEAR((c.base() * c.R - force).norm(), 0, 1e-13);
  EXPECT_EQ(c.area, 2);
  // Detected again: the detected normal, the area of the bond, the point of the bond.
  auto again = detected(0, 1, 0, 0, {0.4, 0, 0}, Vec3(-1, 1, 0).normalized());
  again.geometry.area = 7;
  scene.update({again});
  EXPECT_EQ(scene.store.all()[0].normal, again.geometry.normal);
  EXPECT_EQ(scene.store.all()[0].area, 2);
  EXPECT_NEAR((scene.store.all()[0].point - 0.5 * (x1 + x2)).norm(), 0, 1e-14);
  // Without its bond it is a contact like others.
  scene.store.all()[0].bond.reset();
  scene.update({});
  EXPECT_EQ(scene.store.count(), 0);
}

TEST(ConstraintStore, BondsStayWhereOnlyOthersOfTheirPiecesAreFound) {
  CohesiveScene scene;
  const Vec3 n = -Vec3::UnitX();
  const auto point = [&](int number, double y) {
    auto contact = detected(0, 1, 0, 0, {0.5, y, 0}, n);
    contact.key.point = number;
    return contact;
  };
  scene.update({point(0, -0.2), point(1, 0), point(2, 0.2)}, true);
  for (Constraint& c : scene.store.all()) c.R = Vec3(0, 0, 1 + c.key.point);
  const auto expect = [&](std::vector<double> y, std::vector<double> R, int bonds) {
    ASSERT_EQ(scene.store.count(), std::ssize(y));
    for (int k = 0; k < scene.store.count(); k++) {
      const Constraint& c = scene.store.all()[k];
      EXPECT_EQ(c.key.point, k);
      EXPECT_NEAR(c.point.y(), y[k], 1e-14) << k;
      EXPECT_NEAR(c.R.z(), R[k], 1e-14) << k;
      EXPECT_EQ(static_cast<bool>(c.bond), k < bonds);
    }
  };
  scene.update({point(0, 0.19)});
  expect({-0.2, 0, 0.2}, {1, 2, 3}, 3);
  // One more than there are bonds: not the last one is new, but that which is far from them.
  scene.update({point(0, 0.4), point(1, -0.2), point(2, 0), point(3, 0.2)});
  expect({-0.2, 0, 0.2, 0.4}, {1, 2, 3, 0}, 3);
}

TEST(ConstraintStore, KnowsTheRowsOfJointsThatAreLeft) {
  for (int kept = 0; kept < 16; kept++) {
    Scene scene;
    std::vector<Constraint> joints;
    for (int k = 0; k < 4; k++) {
      Constraint c;
      c.kind = ConstraintKind::fixed_point;
      c.key = {BodyId{static_cast<std::uint32_t>(k + 1)}, BodyId(), 0,
               static_cast<std::uint32_t>(k), 0};
      joints.push_back(c);
    }
    scene.store.insert(joints);
    scene.update({detected(1, 2, 0, 0, {1.5, 0, 0}, {1, 0, 0})});
    const std::vector<int> rows = scene.store.joint_rows();
    ASSERT_EQ(rows.size(), 4u);
    std::vector<int> broken;
    std::vector<ContactKey> left;
    for (int row = 0; row < scene.store.count(); row++) {
      const auto joint = std::ranges::find(rows, row);
      const bool stays = joint == rows.end() || (kept >> (joint - rows.begin()) & 1) == 1;
      if (stays)
        left.push_back(scene.store.all()[row].key);
      else
        broken.push_back(row);
    }
    scene.store.remove_joints(broken);
    ASSERT_EQ(scene.store.count(), static_cast<int>(left.size()));
    std::vector<int> expected;
    for (int row = 0; row < scene.store.count(); row++) {
      EXPECT_EQ(scene.store.all()[row].key, left[row]);
      if (!scene.store.all()[row].is_contact()) expected.push_back(row);
    }
    EXPECT_EQ(scene.store.joint_rows(), expected);
  }
}

TEST(ConstraintStore, FollowsTheBodies) {
  Scene scene;
  const Vec3 n = Vec3::UnitZ(), x = Vec3::Zero();
  scene.update({detected(0, 1, 0, 0, x, n), detected(0, 3, 0, 0, x, n), detected(1, 2, 0, 0, x, n),
                detected(2, 3, 0, 0, x, n)});
  scene.bodies.remove({false, true, false, false});
  scene.store.remove_bodies(std::array{BodyId{2}});
  scene.store.locate(scene.bodies);
  ASSERT_EQ(scene.store.count(), 2);
  EXPECT_EQ(scene.store.all()[0].body1, 0);
  EXPECT_EQ(scene.store.all()[0].body2, 2);
  EXPECT_EQ(scene.store.all()[1].body1, 1);
  EXPECT_EQ(scene.store.all()[1].body2, 2);
  scene.store.remove(0);
  ASSERT_EQ(scene.store.count(), 1);
  EXPECT_EQ(scene.store.all()[0].key.body1, BodyId{3});
}

}  // namespace
}  // namespace solfec::constraint_store_test
