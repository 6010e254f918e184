// Micro-benchmarks of what a step spends its time in: pairs of shapes, a contact's own problem,
// sweeps over both forms of W, steps of finite-element bodies.
//
//   build/tests/micro_benchmarks [--benchmark_filter=...]
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <Eigen/SparseCholesky>

#include "body/finite_elements.hpp"
#include "body/integration.hpp"
#include "contact/ellipsoid_pair.hpp"
#include "contact/ellipsoid_polyhedron.hpp"
#include "contact/polyhedron_pair.hpp"
#include "local_dynamics/delassus.hpp"
#include "solver/diagonal_solver.hpp"
#include "support/make_bodies.hpp"
#include "support/random_solids.hpp"

namespace solfec {
namespace {

using testing::PlacedPolyhedron;
using testing::Random;

constexpr double kTolerance = 1e-6;
constexpr int kPairs = 1000;

// Ellipsoids of semi-axes near one half, at a distance where most of them just touch.
EllipsoidView random_ellipsoid(Random& random, const Vec3& center) {
  const Vec3 radii(random.uniform(0.4, 0.6), random.uniform(0.4, 0.6), random.uniform(0.4, 0.6));
  return {center, random.rotation() * radii.asDiagonal()};
}

void ellipsoid_pairs(benchmark::State& state) {
  Random random(1);
  std::vector<std::pair<EllipsoidView, EllipsoidView>> pairs;
  for (int k = 0; k < kPairs; k++)
    pairs.emplace_back(random_ellipsoid(random, Vec3::Zero()),
                       random_ellipsoid(random, 0.99 * random.direction()));
  for (auto _ : state)
    for (const auto& [a, b] : pairs)
      benchmark::DoNotOptimize(ellipsoid_ellipsoid(a, b, kTolerance));
  state.SetItemsProcessed(state.iterations() * kPairs);
}
BENCHMARK(ellipsoid_pairs);

void ellipsoids_on_a_box(benchmark::State& state) {
  Random random(2);
  const PlacedPolyhedron box(testing::make_box({0, 0, -1}, {5, 5, 1}, Mat3::Identity()));
  std::vector<EllipsoidView> ellipsoids;
  for (int k = 0; k < kPairs; k++)
    ellipsoids.push_back(random_ellipsoid(random, {0, 0, random.uniform(0.4, 0.5)}));
  for (auto _ : state)
    for (const auto& e : ellipsoids)
      benchmark::DoNotOptimize(ellipsoid_polyhedron(e, box.view(), kTolerance));
  state.SetItemsProcessed(state.iterations() * kPairs);
}
BENCHMARK(ellipsoids_on_a_box);

// Hulls, boxes and tetrahedra that overlap a little.
void polyhedron_pairs(benchmark::State& state) {
  const auto mode = static_cast<ContactMode>(state.range(0));
  Random random(3);
  PolyhedronPair pair;
  std::vector<std::pair<PlacedPolyhedron, PlacedPolyhedron>> pairs;
  while (static_cast<int>(pairs.size()) < kPairs) {
    PlacedPolyhedron a(testing::random_polyhedron(random, Vec3::Zero(), 1));
    PlacedPolyhedron b(
        testing::random_polyhedron(random, random.uniform(0.5, 1.5) * random.direction(), 1));
    const ContactPoints& c = pair.find(a.view(), b.view(), kTolerance, ContactMode::one);
    if (c.count == 1 && c.points[0].gap > -0.05) pairs.emplace_back(std::move(a), std::move(b));
  }
  for (auto _ : state)
    for (const auto& [a, b] : pairs)
      benchmark::DoNotOptimize(pair.find(a.view(), b.view(), kTolerance, mode));
  state.SetItemsProcessed(state.iterations() * kPairs);
}
BENCHMARK(polyhedron_pairs)
    ->Arg(static_cast<int>(ContactMode::one))
    ->Arg(static_cast<int>(ContactMode::many));

// Open, sticking and sliding contacts, each solver from the reaction of the sweep before.
void diagonal_solvers(benchmark::State& state) {
  const auto solver = static_cast<DiagonalSolver>(state.range(0));
  Random random(4);
  std::vector<Mat3> W, inverse;
  std::vector<Vec3> B, S(kPairs, Vec3::Zero());
  for (int k = 0; k < kPairs; k++) {
    Mat3 L = Mat3::Identity();
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < i; j++) L(i, j) = random.uniform(-0.2, 0.2);
    W.push_back(L * L.transpose());
    inverse.push_back(W.back().inverse());
    B.push_back(random.direction());
  }
  for (auto _ : state)
    for (int k = 0; k < kPairs; k++) {
      const DiagonalProblem problem{W[k], inverse[k], B[k], 0.3};
      benchmark::DoNotOptimize(solve_diagonal(solver, problem, 1e-6, 1000, S[k]));
    }
  state.SetItemsProcessed(state.iterations() * kPairs);
}
BENCHMARK(diagonal_solvers)->DenseRange(0, 3);

// A chain of bodies with `size` velocities each, `per_body` rows between neighbours.
void products_with_W(benchmark::State& state) {
  const auto form = static_cast<DelassusForm>(state.range(0));
  const int per_body = static_cast<int>(state.range(1)), size = static_cast<int>(state.range(2));
  const int bodies = 4000 / per_body;
  Random random(5);
  Delassus W;
  W.clear(1e-3, std::vector<int>(static_cast<std::size_t>(bodies), size));
  for (int g = 0; g + 1 < bodies; g++)
    for (int r = 0; r < per_body; r++) {
      double* blocks = W.add_row(g, g + 1);
      for (int k = 0; k < 6 * size; k++) blocks[k] = random.uniform(-1, 1);
    }
  W.finish(form);
  std::vector<Vec3> x(static_cast<std::size_t>(W.rows()), Vec3::Ones()), y(x);
  for (auto _ : state) {
    W.multiply(x, y);
    benchmark::DoNotOptimize(y.data());
  }
  state.SetItemsProcessed(state.iterations() * W.rows());
}
BENCHMARK(products_with_W)
    ->ArgsProduct({{static_cast<int>(DelassusForm::assembled),
                    static_cast<int>(DelassusForm::factored)},
                   {1, 4, 40},
                   {6, 81}});

// A cube of n x n x n hexahedra: a DEF_LIM step of TL and of BC, and what a step of TL cannot do
// without: factor and solve of its matrix, nothing else; the same by Eigen. Clamped: with all nodes
// of one side supported.
enum FiniteElementWork {
  kTotalLagrangian,
  kCorotational,
  kBareFactor,
  kEigenFactor,
  kClamped,        // DEF_LIM2 of TL
  kClampedStatic,  // the same in quasi-static steps
  kClampedFactor   // the factor, without the supported nodes
};

// A without the rows and columns of these nodes.
Eigen::SparseMatrix<double> without_nodes(const Eigen::SparseMatrix<double>& A,
                                          const std::vector<bool>& left_out) {
  std::vector<int> place(static_cast<std::size_t>(A.rows()), -1);
  int size = 0;
  for (std::size_t k = 0; k < place.size(); k++)
    if (!left_out[k / 3]) place[k] = size++;
  std::vector<Eigen::Triplet<double>> entries;
  for (int column = 0; column < A.cols(); column++)
    for (Eigen::SparseMatrix<double>::InnerIterator e(A, column); e; ++e)
      if (place[e.row()] >= 0 && place[column] >= 0)
        entries.emplace_back(place[e.row()], place[column], e.value());
  Eigen::SparseMatrix<double> kept(size, size);
  kept.setFromTriplets(entries.begin(), entries.end());
  return kept;
}

void finite_elements(benchmark::State& state) {
  const auto work = static_cast<FiniteElementWork>(state.range(0));
  const int n = static_cast<int>(state.range(1));
  BulkMaterials materials;
  materials.store({"rubber", 1e6, 0.3, 1000});
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  BodyStore bodies;
  testing::add_body(bodies, BodyKind::finite_element,
                    testing::meshed_box({0, 0, 0}, {0.5, 0.5, 0.5}, n));
  bodies[0].form = work == kCorotational ? Form::body_corotational : Form::total_lagrangian;
  const bool clamped = work == kClamped || work == kClampedStatic;
  bodies[0].scheme = clamped ? Scheme::def_lim2 : Scheme::def_lim;
  FiniteElements& fe = bodies.finite_elements(0, materials);
  fe.fit(bodies.x(0), bodies.q(0));
  Random random(5);
  for (int k = 0; k < bodies.dofs(0); k++) bodies.u(0)[k] = random.uniform(-0.1, 0.1);
  const double h = 1e-3;
  std::vector<bool> supported(static_cast<std::size_t>(bodies[0].nodes), false);
  for (int node = 0; clamped && node < bodies[0].nodes; node++)
    if (mesh_of(bodies[0]).nodes[node].x() == -0.5) {
      NodeSupport support;
      support.node = node;
      bodies.supports.add(0, support);
      supported[node] = true;
    }
  if (work == kBareFactor || work == kEigenFactor || work == kClampedFactor) {
    auto A = fe.elastic().stiffness_pattern();
    fe.elastic().add_stiffness(bodies.x(0), h * h / 4, A);
    for (Eigen::Index k = 0; k < A.outerSize(); k++)
      A.valuePtr()[A.outerIndexPtr()[k]] += fe.mass()[static_cast<std::size_t>(k / 3)];
    A = without_nodes(A, supported);
    Eigen::VectorXd b = Eigen::VectorXd::Ones(A.rows());
    if (work != kEigenFactor) {
      SparseCholesky cholesky;
      cholesky.analyse(A);
      for (auto _ : state) {
        cholesky.factor(A);
        cholesky.solve({b.data(), static_cast<std::size_t>(b.size())});
      }
    } else {
      Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> cholesky;
      cholesky.analyzePattern(A);
      for (auto _ : state) {
        cholesky.factorize(A);
        b = cholesky.solve(b).eval();
      }
    }
    benchmark::DoNotOptimize(b);
  } else {
    double time = 0;
    for (auto _ : state) {
      const TimeStep step{time, h,
                          work == kClampedStatic ? Analysis::quasi_static : Analysis::dynamic};
      begin_step(bodies, materials, Gravity(), step);
      end_step(bodies, materials, step);
      time += h;
    }
  }
  state.counters["freedom"] = bodies.dofs(0);
  const double bytes = static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd - before);
  state.counters["bytes_per_unknown"] = bytes / bodies.dofs(0);
}
BENCHMARK(finite_elements)
    ->ArgNames({"work", "n"})
    ->ArgsProduct({{kTotalLagrangian, kCorotational, kBareFactor, kEigenFactor, kClamped,
                    kClampedStatic, kClampedFactor},
                   {2, 4, 8, 16}})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace solfec

BENCHMARK_MAIN();
