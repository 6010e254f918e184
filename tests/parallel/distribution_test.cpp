// Bodies spread over the ranks: the same W, B and motion as on one rank, nothing lost on the way.
// Each rank runs the whole model by itself, too, and compares.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "domain/migration.hpp"
#include "simulation/simulation.hpp"
#include "solver/gauss_seidel.hpp"
#include "solver/penalty.hpp"
#include "support/make_bodies.hpp"

namespace solfec::distribution_test {
namespace {

using testing::Random;

// add_body has kept obstacles and every size-th body already, with their velocities.
void set_velocity(Simulation& s, BodyId id, const Vec3& v) {
  BodyStore& bodies = s.domain.bodies;
  if (const int i = bodies.find(id); i >= 0) Eigen::Map<Vec3>(bodies.u(i) + bodies.dofs(i) - 3) = v;
}

Body make_body(BodyKind kind, Shape shape, double damping = 0) {
  Body body;
  body.kind = kind;
  body.scheme = kind == BodyKind::pseudo_rigid ? Scheme::def_lim : testing::default_scheme(kind);
  body.material = 0;
  body.damping = damping;
  body.reference = reference_mass(shape, 1000, kind);
  body.shape = std::make_shared<const Shape>(std::move(shape));
  return body;
}

// A box of four walls and a floor that moves sideways, and in it a loose pile of every shape, some
// much larger than others, thrown about.
void make_pile(Simulation& s, std::uint64_t seed, int layers) {
  s.settings.step = 1e-3;
  s.settings.verbosity = Verbosity::off;
  Domain& d = s.domain;
  d.bulk_materials.store({"bulk", 1e7, 0.25, 1e3});
  SurfaceMaterial& m = d.surface_materials[0];
  m.friction = 0.4;
  m.spring = 1e6;
  m.dashpot = 1e3;
  d.gravity.component[2] = TimeSeries(-10);
  for (const auto& [at, half] :
       {std::pair(Vec3(0, 0, -1), Vec3(5, 5, 1)), std::pair(Vec3(-4, 0, 3), Vec3(1, 5, 3)),
        std::pair(Vec3(4, 0, 3), Vec3(1, 5, 3)), std::pair(Vec3(0, -4, 3), Vec3(5, 1, 3)),
        std::pair(Vec3(0, 4, 3), Vec3(5, 1, 3))})
    add_body(s, make_body(BodyKind::obstacle, testing::box_shape(at, half)));
  d.bodies.u(0)[3] = 0.5;
  Random random(seed);
  for (int z = 0; z < layers; z++)
    for (int x = 0; x < 5; x++)
      for (int y = 0; y < 5; y++) {
        const Vec3 at(0.8 * (x - 2), 0.8 * (y - 2), 0.45 + 0.75 * z);
        Shape shape;
        switch (random.integer(0, 4)) {
          case 0:
            shape = testing::ball_shape(at, random.uniform(0.1, 0.55));
            break;
          case 1:
            shape = {Ellipsoid{at, {0.5, 0.3, 0.4}, random.rotation()}};
            break;
          case 2:
            shape = {testing::random_polyhedron(random, at, 0.5)};
            break;
          case 3:
            shape = testing::box_shape(at, {0.4, 0.35, 0.45});
            break;
          default:  // two solids
            shape = {Sphere{at - Vec3(0.2, 0, 0), 0.3}, Sphere{at + Vec3(0.2, 0, 0), 0.3}};
        }
        const bool soft = random.integer(0, 2) == 0;
        const BodyId id = add_body(s, make_body(soft ? BodyKind::pseudo_rigid : BodyKind::rigid,
                                                std::move(shape), soft ? 1e-3 : 0));
        set_velocity(s, id, random.in_box(2));
      }
}

struct Model {
  explicit Model(const Communicator& communicator) : simulation(communicator) {}
  Simulation simulation;
};

// The same model on all ranks together, and on each by itself.
struct Pair {
  Model many{Communicator()}, one{Communicator::alone()};

  explicit Pair(const std::function<void(Simulation&)>& make) {
    make(many.simulation);
    make(one.simulation);
  }
  Pair(std::uint64_t seed, int layers) : Pair([=](Simulation& s) { make_pile(s, seed, layers); }) {}
  Domain& spread() { return many.simulation.domain; }
  Domain& whole() { return one.simulation.domain; }
  void step(Solver& solver) {
    make_step(many.simulation, solver);
    make_step(one.simulation, solver);
  }

  // Configurations and velocities of the owned bodies, to the last bit.
  void expect_same_bodies() {
    const BodyStore &a = spread().bodies, &b = whole().bodies;
    double count = 0;
    for (int i = 0; i < a.owned(); i++) {
      const int j = b.find(a.id(i));
      ASSERT_GE(j, 0);
      if (a.kind(i) != BodyKind::obstacle) count++;
      ASSERT_TRUE(std::equal(a.q(i), a.q(i) + BodyStore::kConfiguration, b.q(j)))
          << "body " << a.id(i).value;
      ASSERT_TRUE(std::equal(a.u(i), a.u(i) + a.dofs(i), b.u(j))) << "body " << a.id(i).value;
    }
    const Communicator world;
    double all = 0;
    for (int j = 0; j < b.owned(); j++) all += b.kind(j) == BodyKind::obstacle ? 0 : 1;
    ASSERT_EQ(world.sum(count), all);
  }

  // B, V and the blocks of W of the owned rows, to the last bit.
  void expect_same_rows() {
    const auto &mine = spread().constraints.all(), &all = whole().constraints.all();
    const LocalDynamics &p = spread().local_dynamics, &q = whole().local_dynamics;
    const Communicator world;
    ASSERT_EQ(world.sum(static_cast<double>(mine.size())), static_cast<double>(all.size()));
    const std::vector<ContactKey> keys = row_keys(spread());
    for (int row = 0; row < p.rows(); row++) {
      const int other = whole().constraints.find(mine[row].key);
      ASSERT_GE(other, 0);
      ASSERT_EQ(p.B[row], q.B[other]);
      ASSERT_EQ(p.V[row], q.V[other]);
      const std::vector<int> columns = p.W.neighbours(row), others = q.W.neighbours(other);
      ASSERT_EQ(columns.size(), others.size());
      for (std::size_t k = 0; k < columns.size(); k++) {
        ASSERT_EQ(keys[columns[k]], all[others[k]].key);
        ASSERT_EQ(p.W.block(row, columns[k]), q.W.block(other, others[k]));
      }
    }
  }
};

TEST(Distribution, LocalDynamicsAreThoseOfOneRank) {
  for (std::uint64_t seed : {1, 2}) {
    Pair pair(seed, 5);
    Penalty solver(false);
    for (int k = 0; k < 60; k++) pair.step(solver);
    pair.expect_same_bodies();
    pair.expect_same_rows();
    EXPECT_GT(pair.whole().constraints.count(), 50);
    const Communicator world;
    const double remote_contacts =
        world.sum(static_cast<double>(pair.spread().shared_rows.remote_contacts().size()));
    EXPECT_GE(remote_contacts, world.size() > 1 ? 2 : 0)
        << "contacts between bodies of different ranks";
  }
}

TEST(Distribution, PenaltyRunsAreTheSameToTheLastBit) {
  Pair pair(3, 3);
  Penalty solver(false);
  for (int k = 0; k < 300; k++) {
    pair.step(solver);
    if (k % 20 == 0) {
      pair.expect_same_bodies();
      if (::testing::Test::HasFatalFailure()) FAIL() << "step " << k;
    }
  }
  pair.expect_same_bodies();
}

TEST(Distribution, GhostsEqualTheirOwners) {
  Pair pair(4, 3);
  Penalty solver(false);
  double seen = 0;
  for (int k = 0; k < 100; k++) {
    pair.step(solver);
    Domain& d = pair.spread();
    BodyBounds e = body_bounds(d);
    std::array<double, 2> most = {e.size, e.ratio};
    d.communicator.max_all(most);
    d.ghosts.refresh(d, {most[0], most[1], 0, false, false});
    const BodyStore &a = d.bodies, &b = pair.whole().bodies;
    for (int i = a.owned(); i < a.total(); i++) {
      const int j = b.find(a.id(i));
      ASSERT_GE(j, 0);
      ASSERT_TRUE(std::equal(a.q(i), a.q(i) + BodyStore::kConfiguration, b.q(j)));
      ASSERT_EQ(a[i].shape->size(), b[j].shape->size());
      seen++;
    }
  }
  if (Communicator().size() > 1) {
    EXPECT_GT(Communicator().sum(seen), 1000);
  }
}

TEST(Distribution, GaussSeidelStepsFromOneStateAgree) {
  Pair pair(5, 4);
  Penalty penalty(false);
  for (int k = 0; k < 150; k++) pair.step(penalty);
  GaussSeidelSettings settings;
  settings.epsilon = 1e-9;
  settings.merit_value = 1e-18;
  settings.max_iterations = 20000;
  settings.diagonal_epsilon = 1e-14;
  GaussSeidel many(settings), one(settings);
  make_step(pair.many.simulation, many);
  make_step(pair.one.simulation, one);
  ASSERT_EQ(many.status, SolveStatus::ok);
  ASSERT_EQ(one.status, SolveStatus::ok);
  double largest = 0;
  const BodyStore &a = pair.spread().bodies, &b = pair.whole().bodies;
  for (int j = 0; j < b.owned(); j++)
    for (int k = 0; k < b.dofs(j); k++) largest = std::max(largest, std::abs(b.u(j)[k]));
  for (int i = 0; i < a.owned(); i++) {
    const int j = b.find(a.id(i));
    for (int k = 0; k < a.dofs(i); k++)
      ASSERT_NEAR(a.u(i)[k], b.u(j)[k], 1e-8 * largest) << "body " << a.id(i).value;
  }
  for (const Constraint& c : pair.spread().constraints.all()) {
    const int row = pair.whole().constraints.find(c.key);
    ASSERT_GE(row, 0);
    const Vec3 U = pair.whole().constraints.all()[row].U;
    ASSERT_LT((c.U - U).norm(), 1e-8 * largest);
  }
}

// Bodies of a cloud that meet, without walls or weight.
void make_cloud(Simulation& s, std::uint64_t seed) {
  make_pile(s, seed, 3);
  s.domain.gravity.component[2] = TimeSeries(0);
  for (std::uint32_t id = 0; id < 5; id++) delete_body(s, BodyId{id});
}

TEST(Distribution, MomentumAndBodiesAreKeptThroughMigration) {
  Simulation s;
  make_cloud(s, 6);
  for (int i = 0; i < s.domain.bodies.owned(); i++) {
    const Vec3 c = s.domain.bodies.center(i);  // they all pass through the middle
    set_velocity(s, s.domain.bodies.id(i), -3 * (c - Vec3(0, 0, 1.2)) + 2 * Vec3(c.y(), -c.x(), 0));
  }
  const auto sums = [&] {
    std::array<double, 6> sum{};
    const BodyStore& bodies = s.domain.bodies;
    for (int i = 0; i < bodies.owned(); i++) {
      const Vec3 p =
          bodies[i].reference.mass * Eigen::Map<const Vec3>(bodies.u(i) + bodies.dofs(i) - 3);
      for (int d = 0; d < 3; d++) sum[d] += p[d];
      sum[3] += p.norm();
      sum[4] += 1;
    }
    for (const Constraint& c : s.domain.constraints.all()) sum[5] += c.R.norm() > 0 ? 1 : 0;
    s.communicator.sum_all(sum);
    return sum;
  };
  const auto before = sums();
  GaussSeidel solver({});
  double met = 0, migrated = 0;
  for (int k = 0; k < 1000; k++) {
    make_step(s, solver);
    const auto now = sums();
    for (int d = 0; d < 3; d++) ASSERT_NEAR(now[d], before[d], 1e-12 * before[3]) << k;
    ASSERT_EQ(now[4], before[4]);
    met += now[5];
    migrated += s.communicator.sum(static_cast<double>(s.domain.ghosts.migrated().size()));
  }
  EXPECT_GT(met, 1000);
  EXPECT_GE(migrated, s.communicator.size() > 1 ? 20 : 0);
}

// A model whose runs have to be the same on many ranks and on one.
void expect_same_run(const std::function<void(Simulation&)>& make, int steps, int fewest_contacts) {
  Pair pair(make);
  Penalty solver(false);
  int most = 0;
  for (int k = 0; k < steps; k++) {
    pair.step(solver);
    most = std::max(most, pair.whole().constraints.count());
    if (k % 10 == 0) {
      pair.expect_same_bodies();
      pair.expect_same_rows();
    }
    if (::testing::Test::HasFatalFailure()) FAIL() << "step " << k;
  }
  EXPECT_GE(most, fewest_contacts);
}

void use_springs(Simulation& s) {
  s.settings.step = 1e-3;
  s.settings.verbosity = Verbosity::off;
  s.domain.bulk_materials.store({"bulk", 1e7, 0.25, 1e3});
  SurfaceMaterial& m = s.domain.surface_materials[0];
  m.friction = 0.4;
  m.spring = 1e6;
  m.dashpot = 1e3;
  s.domain.gravity.component[2] = TimeSeries(-10);
}

TEST(Distribution, MoreRanksThanBodies) {
  expect_same_run(
      [](Simulation& s) {
        use_springs(s);
        add_body(s, make_body(BodyKind::obstacle, testing::box_shape({0, 0, -1}, {5, 5, 1})));
        add_body(s, make_body(BodyKind::rigid, testing::ball_shape({0, 0, 0.49}, 0.5)));
      },
      50, 1);
  expect_same_run([](Simulation& s) { use_springs(s); }, 12, 0);
}

TEST(Distribution, AllBodiesOnOneSpot) {
  expect_same_run(
      [](Simulation& s) {
        use_springs(s);
        for (int k = 0; k < 6; k++) {
          const BodyId id = add_body(
              s, make_body(BodyKind::rigid, testing::ball_shape({0, 0, 0}, 0.5 + 0.01 * (k / 2))));
          set_velocity(s, id, {0.1 * k, 0.2, -0.05 * k});
        }
      },
      200, 5);
}

TEST(Distribution, ABodyAsLargeAsTheDomain) {
  expect_same_run(
      [](Simulation& s) {
        use_springs(s);
        add_body(s, make_body(BodyKind::obstacle, testing::box_shape({0, 0, -1}, {9, 9, 1})));
        add_body(s, make_body(BodyKind::rigid, testing::box_shape({0, 0, 0.1}, {4, 4, 0.101})));
        for (int x = -3; x <= 3; x++)
          for (int y = -3; y <= 3; y++)
            add_body(
                s, make_body(BodyKind::rigid, testing::ball_shape({1.0 * x, 1.0 * y, 0.65}, 0.45)));
      },
      150, 50);
}

TEST(Distribution, GluedBodiesStayGluedOnDifferentRanks) {
  Pair pair([](Simulation& s) {
    use_springs(s);
    s.domain.detection_settings.mode = ContactMode::one;
    s.domain.surface_materials[0].cohesion = 1e5;
    s.domain.surface_materials[0].friction = 0;
    s.domain.gravity.component[2] = TimeSeries(0);
    // Chains of blocks that fly apart slowly, and across the regions.
    for (int chain = 0; chain < 4; chain++)
      for (int k = 0; k < 6; k++) {
        const Vec3 at(0.995 * k, 3.0 * chain, 0);
        const BodyId id =
            add_body(s, make_body(BodyKind::rigid, testing::box_shape(at, {0.5, 0.5, 0.5})));
        set_velocity(s, id, {k == 3 ? 6 : 0.2 * (k % 2), 5, 0});
      }
  });
  Penalty solver(false);
  const auto bonds = [](const Domain& d) {
    return static_cast<double>(std::ranges::count_if(
        d.constraints.all(), [](const Constraint& c) { return c.bond.has_value(); }));
  };
  double first = 0;
  for (int k = 0; k < 400; k++) {
    pair.step(solver);
    ASSERT_EQ(Communicator().sum(bonds(pair.spread())), bonds(pair.whole())) << k;
    if (k == 0) first = bonds(pair.whole());
    if (k % 10 == 0) {
      pair.expect_same_bodies();
      pair.expect_same_rows();
    }
    if (HasFatalFailure()) FAIL() << "step " << k;
  }
  EXPECT_EQ(first, 20);
  EXPECT_LT(bonds(pair.whole()), 20) << "some are torn";
}

TEST(Distribution, AnErrorOnOneRankIsOneOfAll) {
  Simulation s;
  use_springs(s);
  s.domain.unphysical_penetration = 0.01;
  add_body(s, make_body(BodyKind::rigid, testing::ball_shape({0, 0, 0}, 0.5)));
  add_body(s, make_body(BodyKind::rigid, testing::ball_shape({0, 0.9, 0}, 0.5)));
  add_body(s, make_body(BodyKind::rigid, testing::ball_shape({9, 9, 9}, 0.5)));
  Penalty solver(false);
  try {
    make_step(s, solver);
    FAIL();
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("bodies 0 and 1 overlap"), std::string::npos)
        << error.what();
  }
  // All are where they were, and can go on.
  s.domain.unphysical_penetration = std::numeric_limits<double>::infinity();
  make_step(s, solver);
  EXPECT_EQ(s.clock.steps, 1);
}

}  // namespace
}  // namespace solfec::distribution_test
