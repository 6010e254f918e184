#include "body/body_store.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "support/make_bodies.hpp"

namespace solfec::body_store_test {
namespace {

using testing::Random;

TEST(BodyStore, BodiesStartAtRestInTheirReferenceConfiguration) {
  BodyStore bodies;
  const BodyKind kinds[] = {BodyKind::rigid, BodyKind::pseudo_rigid, BodyKind::obstacle};
  int freedom = 0;
  for (int k = 0; k < 6; k++) {
    const Vec3 center(k, 2 * k, -k);
    const int i =
        testing::add_body(bodies, kinds[k % 3], testing::box_shape(center, {1, 0.5, 0.25}));
    EXPECT_EQ(i, k);
    EXPECT_EQ(bodies.u.begin(i), freedom);
    freedom += bodies.dofs(i);
    EXPECT_EQ(bodies.dofs(i), kinds[k % 3] == BodyKind::pseudo_rigid ? 12 : 6);
    EXPECT_EQ(Mat3(bodies.gradient(i)), Mat3::Identity());
    EXPECT_NEAR((bodies.center(i) - center).norm(), 0, 1e-14);
    for (const double* array : {bodies.u(i), bodies.b(i), bodies.f(i), bodies.normal_reaction(i),
                                bodies.tangent_reaction(i)})
      for (int c = 0; c < bodies.dofs(i); c++) EXPECT_EQ(array[c], 0);
  }
  EXPECT_EQ(bodies.u.begin(bodies.total()), freedom);
  EXPECT_EQ(bodies.total(), 6);
}

TEST(BodyStore, NamesABodyForMessages) {
  BodyStore bodies;
  for (int k = 0; k < 3; k++)
    testing::add_body(bodies, BodyKind::rigid, testing::ball_shape({0, 0, 0}, 1));
  bodies[2].label = "wheel";
  EXPECT_EQ(bodies.name(0), "body 1");
  EXPECT_EQ(bodies.name(2), "body 3 'wheel'");
  bodies.remove({true, false, false});  // ids stay
  EXPECT_EQ(bodies.name(1), "body 3 'wheel'");
}

TEST(BodyStore, InertiaIsReadyForUse) {
  Random random(1);
  BodyStore bodies;
  for (BodyKind kind : {BodyKind::rigid, BodyKind::pseudo_rigid}) {
    const int i =
        testing::add_body(bodies, kind, {testing::random_polyhedron(random, {1, 2, 3}, 1)}, 500);
    const Inertia& inertia = bodies.inertia(i);
    const ReferenceMass& reference = bodies[i].reference;
    EXPECT_EQ(inertia.tensor, reference.tensor);
    EXPECT_NEAR(inertia.inverse_mass * reference.mass, 1, 1e-15);
    EXPECT_NEAR((inertia.inverse * reference.tensor - Mat3::Identity()).norm(), 0, 1e-12);
    EXPECT_NEAR(
        (inertia.inverse_root * inertia.inverse_root * reference.tensor - Mat3::Identity()).norm(),
        0, 1e-12);
    EXPECT_NEAR((inertia.inverse_root - inertia.inverse_root.transpose()).norm(), 0,
                1e-14 * inertia.inverse_root.norm());
    // New characteristics count from update_inertia on.
    bodies[i].reference.mass *= 2;
    bodies[i].reference.tensor *= 4;
    const Mat3 before = inertia.inverse;
    bodies.update_inertia(i);
    EXPECT_NEAR((bodies.inertia(i).inverse - before / 4).norm(), 0, 1e-12 * before.norm());
  }
  const int wall = testing::add_body(bodies, BodyKind::obstacle, testing::ball_shape({0, 0, 0}, 1));
  EXPECT_EQ(bodies.inertia(wall).inverse_mass, 0);
  EXPECT_EQ(bodies.inertia(wall).inverse, Mat3::Zero());
}

TEST(BodyStore, EqualBodiesShareTheirInertia) {
  BodyStore bodies;
  const auto add_ball = [&](double radius) {
    testing::add_body(bodies, BodyKind::rigid, testing::ball_shape({0, 0, 0}, radius));
  };
  const auto shares = [&](int i, int j) { return &bodies.inertia(i) == &bodies.inertia(j); };
  for (double radius : {1, 2, 1, 2}) add_ball(radius);
  EXPECT_TRUE(shares(0, 2) && shares(1, 3) && !shares(0, 1));
  // One of them is changed, alone.
  const double inverse_mass = bodies.inertia(0).inverse_mass;
  bodies[2].reference.mass *= 2;
  bodies.update_inertia(2);
  EXPECT_EQ(bodies.inertia(2).inverse_mass, 0.5 * inverse_mass);
  EXPECT_EQ(bodies.inertia(0).inverse_mass, inverse_mass);
  bodies.remove({true, true, false, false});
  EXPECT_EQ(bodies.inertia(0).inverse_mass, 0.5 * inverse_mass);
  EXPECT_EQ(bodies.inertia(1).inverse_mass, inverse_mass / 8);
  // Many that differ, and change.
  for (int k = 0; k < 100; k++) {
    add_ball(1 + 0.01 * k);
    bodies.update_inertia(0);
  }
  for (int k = 0; k < 100; k++)
    EXPECT_NEAR(bodies.inertia(2 + k).inverse_mass * bodies[2 + k].reference.mass, 1, 1e-15);
}

// Every number of a body's state, made from its id so that it can be told again.
void mark(BodyStore& bodies, int i) {
  const double id = bodies.id(i).value;
  for (int k = 0; k < BodyStore::kConfiguration; k++) bodies.q(i)[k] = 100 * id + k;
  for (int k = 0; k < bodies.dofs(i); k++) {
    bodies.u(i)[k] = 200 * id + k;
    bodies.b(i)[k] = 300 * id + k;
    bodies.f(i)[k] = 400 * id + k;
    bodies.normal_reaction(i)[k] = 500 * id + k;
    bodies.tangent_reaction(i)[k] = 600 * id + k;
  }
  Work& work = bodies.work(i);
  work.external = id;
  work.contact = 2 * id;
  work.friction = 3 * id;
  bodies[i].label = fmt::format("body {}", bodies.id(i).value);
}
void expect_marked(const BodyStore& bodies, int i) {
  const double id = bodies.id(i).value;
  for (int k = 0; k < BodyStore::kConfiguration; k++) EXPECT_EQ(bodies.q(i)[k], 100 * id + k);
  for (int k = 0; k < bodies.dofs(i); k++) {
    EXPECT_EQ(bodies.u(i)[k], 200 * id + k);
    EXPECT_EQ(bodies.b(i)[k], 300 * id + k);
    EXPECT_EQ(bodies.f(i)[k], 400 * id + k);
    EXPECT_EQ(bodies.normal_reaction(i)[k], 500 * id + k);
    EXPECT_EQ(bodies.tangent_reaction(i)[k], 600 * id + k);
  }
  EXPECT_EQ(bodies.work(i).external, id);
  EXPECT_EQ(bodies.work(i).friction, 3 * id);
  EXPECT_EQ(bodies[i].label, fmt::format("body {}", bodies.id(i).value));
}

TEST(BodyStore, RemovingKeepsTheOthersAsTheyAre) {
  Random random(2);
  for (int repeat = 0; repeat < 20; repeat++) {
    BodyStore bodies;
    for (int k = 0; k < 8; k++) {
      const BodyKind kinds[] = {BodyKind::rigid, BodyKind::pseudo_rigid, BodyKind::obstacle};
      const BodyKind kind = kinds[random.integer(0, 2)];
      mark(bodies,
           testing::add_body(bodies, kind, testing::ball_shape({1.0 * k, 0, 0}, 0.1 + k), 1000));
    }
    std::vector<bool> marked;
    std::vector<BodyId> kept;
    std::vector<BodyKind> kinds;
    std::vector<double> masses;
    for (int i = 0; i < 8; i++) {
      marked.push_back(random.integer(0, 1));
      if (marked.back()) continue;
      kept.push_back(bodies.id(i));
      kinds.push_back(bodies.kind(i));
      masses.push_back(bodies.inertia(i).inverse_mass);
    }
    const auto revision = bodies.revision();
    bodies.remove(marked);
    EXPECT_NE(bodies.revision(), revision);
    ASSERT_EQ(bodies.total(), static_cast<int>(kept.size()));
    int freedom = 0;
    for (int i = 0; i < bodies.total(); i++) {
      EXPECT_EQ(bodies.id(i), kept[i]);
      EXPECT_EQ(bodies.kind(i), kinds[i]);
      EXPECT_EQ(bodies[i].kind, kinds[i]);
      EXPECT_EQ(bodies.inertia(i).inverse_mass, masses[i]);
      EXPECT_EQ(bodies.u.begin(i), freedom);
      freedom += bodies.dofs(i);
      expect_marked(bodies, i);
    }
    // Ids go on where they were, and are found.
    for (std::uint32_t id = 0; id < 10; id++) {
      const auto at = std::ranges::find(kept, BodyId{id});
      EXPECT_EQ(bodies.find(BodyId{id}),
                at == kept.end() ? -1 : static_cast<int>(at - kept.begin()));
    }
  }
}

TEST(BodyStore, IdsOnlyGrow) {
  BodyStore bodies;
  testing::add_body(bodies, BodyKind::rigid, testing::ball_shape({0, 0, 0}, 1));
  Body again = bodies[0];
  EXPECT_THROW(bodies.add(again), std::logic_error);
}

TEST(BodyStore, SavedStatesComeBack) {
  BodyStore bodies;
  for (int k = 0; k < 3; k++)
    mark(bodies, testing::add_body(bodies, k == 1 ? BodyKind::pseudo_rigid : BodyKind::rigid,
                                   testing::ball_shape({0, 0, 0}, 1)));
  bodies.save();
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 12; k++) bodies.q(i)[k] = -1;
    for (int k = 0; k < bodies.dofs(i); k++) bodies.u(i)[k] = -1;
  }
  bodies.restore();
  for (int i = 0; i < 3; i++) expect_marked(bodies, i);
  bodies.clear_reactions();
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < bodies.dofs(i); k++) {
      EXPECT_EQ(bodies.normal_reaction(i)[k], 0);
      EXPECT_EQ(bodies.tangent_reaction(i)[k], 0);
    }
  testing::add_body(bodies, BodyKind::rigid, testing::ball_shape({0, 0, 0}, 1));
  EXPECT_THROW(bodies.restore(), std::logic_error) << "the saved state is of other bodies";
}

TEST(BodyStore, ReferenceMassOfSimpleShapes) {
  const double density = 300;
  const Vec3 center(1, -2, 3), half(0.5, 1, 2);
  const double mass = density * 8 * half.prod();
  const Mat3 euler = (mass / 3 * half.cwiseAbs2()).asDiagonal();
  const ReferenceMass rigid =
      reference_mass(testing::box_shape(center, half), density, BodyKind::rigid);
  EXPECT_NEAR(rigid.mass, mass, 1e-10);
  EXPECT_NEAR(rigid.volume, 8 * half.prod(), 1e-12);
  EXPECT_NEAR((rigid.center - center).norm(), 0, 1e-14);
  // m (b^2 + c^2) / 3 for half sides
  const Vec3 inertia = mass / 3 * Vec3(1 + 4, 0.25 + 4, 0.25 + 1);
  EXPECT_NEAR((rigid.tensor - Mat3(inertia.asDiagonal())).norm(), 0, 1e-9);
  const ReferenceMass soft =
      reference_mass(testing::box_shape(center, half), density, BodyKind::pseudo_rigid);
  EXPECT_NEAR((soft.tensor - euler).norm(), 0, 1e-9);
  const ReferenceMass ball =
      reference_mass(testing::ball_shape(center, 2), density, BodyKind::rigid);
  EXPECT_NEAR((ball.tensor - 0.4 * ball.mass * 4 * Mat3::Identity()).norm(), 0, 1e-8);
}

TEST(BodyStore, ReferenceMassOfADumbBell) {
  // Two balls on a line: parallel axes.
  const double r = 0.5, d = 3, density = 10, m = density * 4 * std::numbers::pi / 3 * r * r * r;
  const Shape shape = {Sphere{{-d, 0, 0}, r}, Sphere{{d, 0, 0}, r}};
  const ReferenceMass bell = reference_mass(shape, density, BodyKind::rigid);
  EXPECT_NEAR(bell.mass, 2 * m, 1e-12);
  EXPECT_NEAR(bell.center.norm(), 0, 1e-14);
  const double own = 2 * 0.4 * m * r * r, far = 2 * m * d * d;
  EXPECT_NEAR((bell.tensor - Mat3(Vec3(own, own + far, own + far).asDiagonal())).norm(), 0, 1e-11);
}

}  // namespace
}  // namespace solfec::body_store_test
