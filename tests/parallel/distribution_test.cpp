// Bodies spread over the ranks: the same W, B and motion as on one rank, nothing lost on the way.
// Each rank runs the whole model by itself, too, and compares.
#include <gtest/gtest.h>

#include <algorithm>

#include "domain/migration.hpp"
#include "simulation/simulation.hpp"
#include "solver/gauss_seidel.hpp"
#include "solver/penalty.hpp"
#include "support/make_bodies.hpp"

namespace solfec {
namespace {

using testing::Random;

// Owned bodies only: by id over the ranks, obstacles everywhere.
void keep_mine(Domain& domain) {
  const int n = domain.communicator.size(), me = domain.communicator.rank();
  std::vector<bool> others;
  for (int i = 0; i < domain.bodies.owned(); i++)
    others.push_back(domain.bodies.kind(i) != BodyKind::obstacle &&
                     static_cast<int>(domain.bodies.id(i).value) % n != me);
  domain.bodies.remove(others);
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
  s.step = 1e-3;
  s.verbosity = Verbosity::off;
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
        add_body(s, make_body(soft ? BodyKind::pseudo_rigid : BodyKind::rigid, std::move(shape),
                              soft ? 1e-3 : 0));
        double* u = d.bodies.u(d.bodies.owned() - 1);
        for (int k = 0; k < 3; k++)
          u[d.bodies.freedom(d.bodies.owned() - 1) - 3 + k] = random.uniform(-2, 2);
      }
}

struct Model {
  explicit Model(const Communicator& communicator) : simulation(communicator) {}
  Simulation simulation;
};

// The same model on all ranks together, and on each by itself.
struct Pair {
  Model many{Communicator()}, one{Communicator::alone()};

  Pair(std::uint64_t seed, int layers) {
    make_pile(many.simulation, seed, layers);
    make_pile(one.simulation, seed, layers);
    keep_mine(many.simulation.domain);
  }
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
      ASSERT_TRUE(std::equal(a.u(i), a.u(i) + a.freedom(i), b.u(j))) << "body " << a.id(i).value;
    }
    const Communicator world;
    double all = 0;
    for (int j = 0; j < b.owned(); j++) all += b.kind(j) == BodyKind::obstacle ? 0 : 1;
    ASSERT_EQ(world.sum(count), all);
  }

  // B, V and the blocks of W of the owned rows, to the last bit.
  void expect_same_rows() {
    const auto &mine = spread().contacts.contacts(), &all = whole().contacts.contacts();
    const LocalDynamics &p = spread().local_dynamics, &q = whole().local_dynamics;
    const Communicator world;
    ASSERT_EQ(world.sum(static_cast<double>(mine.size())), static_cast<double>(all.size()));
    const std::vector<ContactKey> keys = row_keys(spread());
    for (int row = 0; row < p.rows(); row++) {
      const int other = whole().contacts.find(mine[row].key);
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
    EXPECT_GT(pair.whole().contacts.count(), 50);
    const Communicator world;
    const double guests = world.sum(static_cast<double>(pair.spread().shared_rows.guests().size()));
    EXPECT_GE(guests, world.size() > 1 ? 2 : 0) << "contacts between bodies of different ranks";
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

}  // namespace
}  // namespace solfec
