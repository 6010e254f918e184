// Solvers on several ranks against one rank: every rank makes the whole of each problem, takes its
// part of it, and compares what all found together.
#include "solver/gauss_seidel.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "solver/penalty.hpp"
#include "support/split_cases.hpp"

namespace solfec::gauss_seidel_test {
namespace {

using testing::all_cases;
using testing::Case;
using testing::kForms;
using testing::my_part;
using testing::of_all;
using testing::ProblemPart;
using testing::Random;
using testing::weak_cases;

struct Outcome {
  SolveResult result;
  std::vector<Vec3> R, U;
  std::vector<double> errors, merits;
};

// Solves, and sees that external reactions are those of their owners.
Outcome outcome(GaussSeidel& solver, const Case& c, ProblemPart& part) {
  Outcome o;
  o.result = solver.solve(part.dynamics, part.solution, Communicator());
  o.R = of_all(part, part.solution.R, c.problem.dynamics.rows());
  o.U = of_all(part, part.solution.U, c.problem.dynamics.rows());
  o.errors = solver.error_history;
  o.merits = solver.merit_history;
  for (std::size_t k = part.dynamics.rows(); k < part.rows.size(); k++)
    EXPECT_EQ(part.solution.R[k], o.R[part.rows[k]]);
  return o;
}

Outcome outcome(const GaussSeidelSettings& settings, const Case& c, DelassusForm form) {
  ProblemPart part = my_part(c, form);
  GaussSeidel solver(settings);
  return outcome(solver, c, part);
}

GaussSeidelSettings tight() {
  GaussSeidelSettings settings;
  settings.epsilon = 1e-11;
  settings.merit_value = 1e-20;
  settings.max_iterations = 5000;
  settings.diagonal_epsilon = 1e-14;
  return settings;
}

// All rows on each rank: numbers of ranks cancel out of the criteria.
struct Reference {
  int iterations;
  std::vector<Vec3> U;

  explicit Reference(const Case& c) {
    const LocalDynamics& whole = c.problem.dynamics;
    LocalSolution found(whole);
    GaussSeidel solver(tight());
    EXPECT_EQ(solver.solve(whole, found, Communicator()).status, SolveStatus::ok);
    iterations = solver.iterations;
    U = found.U;
  }
};

void expect_solution(const GaussSeidelSettings& settings, const Case& c, const Outcome& o,
                     const Reference& reference) {
  EXPECT_EQ(o.result.status, SolveStatus::ok);
  EXPECT_LE(o.result.merit, settings.merit_value);
  EXPECT_LT(testing::worst_violation(c.problem, o.R), 1e-8);
  const Eigen::VectorXd U = testing::flat(c.problem.dynamics.B) + c.problem.W * testing::flat(o.R);
  EXPECT_NEAR((testing::flat(o.U) - U).norm(), 0, 1e-12);
  EXPECT_NEAR((testing::flat(o.U) - testing::flat(reference.U)).norm(), 0, 1e-8);
  if (settings.variant == GaussSeidelVariant::full && !settings.reverse) {
    EXPECT_LE(o.result.iterations, 1.3 * reference.iterations + 2);
  }
}

TEST(ParallelGaussSeidel, PartsHaveTheBlocksOfTheWhole) {
  for (DelassusForm form : kForms)
    for (int seed = 1; seed <= 4; seed++)
      for (Case& c : all_cases(seed, form)) {
        SCOPED_TRACE(c.name);
        ProblemPart part = my_part(c, form);
        LocalDynamics& d = part.dynamics;
        Delassus& whole = c.problem.dynamics.W;
        const int n = c.problem.dynamics.rows();
        Random random(seed);
        std::vector<Vec3> x(n), x_here, product(n), product_here(d.rows());
        for (Vec3& v : x) v = random.in_box(1);
        for (int row : part.rows) x_here.push_back(x[row]);
        whole.multiply(x, product);
        d.W.multiply(x_here, product_here);
        for (int row = 0; row < d.rows(); row++) {
          const int there = part.rows[row];
          EXPECT_EQ(product_here[row], product[there]);
          EXPECT_EQ(d.W.diagonal(row), whole.diagonal(there));
          std::vector<int> columns;
          for (int column : d.W.neighbours(row)) {
            columns.push_back(part.rows[column]);
            EXPECT_EQ(d.W.block(row, column), whole.block(there, part.rows[column]));
          }
          EXPECT_EQ(columns, whole.neighbours(there));
        }
        std::vector<Vec3> refreshed = x_here;
        std::fill(refreshed.begin() + d.rows(), refreshed.end(), Vec3(Vec3::Zero()));
        Channel channel{Communicator()};
        refresh(d.halo, channel, refreshed);
        EXPECT_EQ(refreshed, x_here);
      }
}

// First-fit over the whole graph of ranks (manual, algorithm 9.2).
std::vector<int> first_fit(const Case& c, int ranks) {
  const int n = static_cast<int>(c.owner.size());
  std::vector<int> colour(ranks, 0);
  for (int rank = 0; rank < ranks; rank++) {
    std::set<int> taken;
    for (int a = 0; a < n; a++)
      for (int b = 0; b < n; b++)
        if (c.owner[a] == rank && c.owner[b] != rank && testing::share_group(c.problem, a, b))
          taken.insert(colour[c.owner[b]]);
    do colour[rank]++;
    while (taken.contains(colour[rank]));
  }
  return colour;
}

RankColours my_colours(const Case& c, const Halo& halo) {
  const Communicator world;
  const std::vector<int> colour = first_fit(c, world.size());
  RankColours result{colour[world.rank()], {}};
  for (const Halo::Neighbour& neighbour : halo.neighbours)
    result.neighbours.push_back(colour[neighbour.rank]);
  return result;
}

TEST(ParallelGaussSeidel, ColoursAreFirstFit) {
  const Communicator world;
  Channel channel(world);
  for (int seed = 1; seed <= 10; seed++)
    for (const Case& c : all_cases(seed, DelassusForm::factored)) {
      const ProblemPart part = my_part(c, DelassusForm::factored);
      const Halo& halo = part.dynamics.halo;
      EXPECT_EQ(colour_ranks(halo, channel, world.rank()), my_colours(c, halo)) << c.name;
    }
}

// The rows of all ranks one after the other as FULL takes them: ranks by falling colours (backwards
// by rising ones), the rows of each in the order of its stages. Rows are grouped by stages; those
// of inner ones come several times.
struct SerialStage {
  std::vector<int> rows;
  bool inner;
};

std::vector<SerialStage> serial_order(const Case& c, const ProblemPart& part, bool backwards) {
  const Communicator world;
  const RankColours colours = my_colours(c, part.dynamics.halo);
  const int n = c.problem.dynamics.rows(), turn = backwards ? colours.own : -colours.own;
  // Of each row: when, in which stage and of what kind, told by its owner.
  std::vector<double> when(n, 0.0), stage_of(n, 0.0), inner(n, 0.0);
  double next = 10000 * (world.size() + turn) + 100 * world.rank(), number = 100 * world.rank();
  for (const Stage& stage : make_stages(part.dynamics.halo, colours, part.dynamics.rows(),
                                        GaussSeidelVariant::full, backwards)) {
    for (int row : stage.rows) {
      when[part.rows[row]] = next++;
      stage_of[part.rows[row]] = number;
      inner[part.rows[row]] = stage.set == RowSet::inner;
    }
    number++;
  }
  for (auto* numbers : {&when, &stage_of, &inner}) world.sum_all(*numbers);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int row) { return when[row]; });
  std::vector<SerialStage> result;
  for (int k = 0; k < n; k++) {
    if (k == 0 || stage_of[order[k]] != stage_of[order[k - 1]])
      result.push_back({{}, inner[order[k]] > 0});
    result.back().rows.push_back(order[k]);
  }
  return result;
}

TEST(ParallelGaussSeidel, FullIsASerialSweepByFallingColours) {
  // Three sweeps by dense matrices, the second one backwards.
  for (int seed = 1; seed <= 3; seed++)
    for (const Case& c : all_cases(seed, DelassusForm::automatic))
      for (int inner_loops : {1, 3}) {
        SCOPED_TRACE(c.name);
        const ProblemPart part = my_part(c, DelassusForm::automatic);
        std::vector<Vec3> R(c.problem.dynamics.rows(), Vec3::Zero());
        double change = 0, size = 0;
        const auto solve_row = [&](int row) {
          const Mat3 W = c.problem.W.block<3, 3>(3 * row, 3 * row), inverse = W.inverse();
          const Vec3 U =
              c.problem.dynamics.B[row] + c.problem.W.middleRows<3>(3 * row) * testing::flat(R);
          Vec3 S = R[row];
          solve_diagonal(DiagonalSolver::semismooth_newton,
                         {W, inverse, U - W * R[row], c.problem.dynamics.law[row].friction}, 1e-14,
                         1000, S);
          change += (S - R[row]).squaredNorm();
          R[row] = S;
        };
        std::vector<double> errors;
        for (int sweep = 0; sweep < 3; sweep++) {
          change = size = 0;
          for (const SerialStage& stage : serial_order(c, part, sweep == 1)) {
            for (int loop = 0; loop < inner_loops; loop++) {
              if (loop > 0 && (!stage.inner || Communicator().size() == 1)) break;
              for (int row : stage.rows) {
                solve_row(row);
                if (loop == 0) size += R[row].squaredNorm();  // each row once
              }
            }
          }
          errors.push_back(std::sqrt(change / size));
        }
        GaussSeidelSettings settings = tight();
        settings.reverse = true;
        settings.inner_loops = inner_loops;
        settings.max_iterations = 3;
        const Outcome o = outcome(settings, c, DelassusForm::automatic);
        EXPECT_NEAR((testing::flat(R) - testing::flat(o.R)).norm(), 0,
                    1e-9 * testing::flat(R).norm());
        ASSERT_EQ(o.errors.size(), 3u);
        for (int k = 0; k < 3; k++) EXPECT_NEAR(o.errors[k], errors[k], 1e-8);
      }
}

// As they are, backwards and forwards, with inner loops, and accelerated.
std::vector<GaussSeidelSettings> ways(GaussSeidelVariant variant) {
  std::vector<GaussSeidelSettings> result(4, tight());
  for (GaussSeidelSettings& settings : result) settings.variant = variant;
  result[1].reverse = true;
  result[2].inner_loops = 3;
  result[3].memory = 5;
  return result;
}

TEST(ParallelGaussSeidel, FullSolvesWhatOneRankSolves) {
  for (DelassusForm form : kForms)
    for (int seed = 1; seed <= 2; seed++)
      for (const Case& c : all_cases(seed, form)) {
        SCOPED_TRACE(c.name + " " + std::to_string(seed));
        const Reference reference(c);
        for (const GaussSeidelSettings& settings : ways(GaussSeidelVariant::full))
          expect_solution(settings, c, outcome(settings, c, form), reference);
      }
}

TEST(ParallelGaussSeidel, JacobiVariantsSolveWeakCoupling) {
  for (DelassusForm form : kForms)
    for (int seed = 1; seed <= 2; seed++)
      for (const Case& c : weak_cases(seed, form)) {
        SCOPED_TRACE(c.name + " " + std::to_string(seed));
        const Reference reference(c);
        for (GaussSeidelVariant variant :
             {GaussSeidelVariant::middle_jacobi, GaussSeidelVariant::boundary_jacobi})
          for (const GaussSeidelSettings& settings : ways(variant))
            expect_solution(settings, c, outcome(settings, c, form), reference);
      }
}

TEST(ParallelGaussSeidel, SimplifiedTakesContactsOnce) {
  const bool several = Communicator().size() > 1;
  for (Case& c : weak_cases(5, DelassusForm::automatic)) {
    GaussSeidelSettings settings = tight();
    settings.variant = GaussSeidelVariant::simplified;
    ProblemPart part = my_part(c, DelassusForm::automatic);
    GaussSeidel solver(settings);
    Outcome o = outcome(solver, c, part);
    EXPECT_EQ(o.result.status,
              o.result.merit <= settings.merit_value ? SolveStatus::ok : SolveStatus::diverged);
    EXPECT_TRUE(several || o.result.status == SolveStatus::ok);
    if (several) {
      EXPECT_EQ(o.result.iterations, 1);
      EXPECT_EQ(o.errors.size(), 1u);
      EXPECT_EQ(o.merits.size(), 1u);
      // Old reactions of other ranks.
      settings.variant = GaussSeidelVariant::boundary_jacobi;
      settings.max_iterations = 1;
      EXPECT_EQ(outcome(settings, c, DelassusForm::automatic).R, o.R);
    }
    // Step after step it comes to the solution.
    for (int k = 0; several && k < 40; k++) o = outcome(solver, c, part);
    expect_solution(solver.settings, c, o, Reference(c));
  }
}

TEST(ParallelGaussSeidel, RunsRepeatToTheLastBit) {
  GaussSeidelSettings settings = tight();
  settings.reverse = true;
  settings.inner_loops = 2;
  GaussSeidel used(settings);  // goes from problem to problem, and so from colours to colours
  for (int round = 0; round < 2; round++)
    for (const Case& c : all_cases(7, DelassusForm::automatic)) {
      const Outcome a = outcome(settings, c, DelassusForm::automatic);
      ProblemPart part = my_part(c, DelassusForm::automatic);
      const Outcome b = outcome(used, c, part);
      EXPECT_EQ(a.R, b.R) << c.name;
      EXPECT_EQ(a.U, b.U);
      EXPECT_EQ(a.errors, b.errors);
      EXPECT_EQ(a.merits, b.merits);
      EXPECT_EQ(a.result.merit, b.result.merit);
      // From the solution a solve has little to do.
      settings.epsilon = used.settings.epsilon = 1e-8;
      settings.merit_value = used.settings.merit_value = 1e-14;
      EXPECT_LE(outcome(used, c, part).result.iterations, 2);
      settings = used.settings = tight();
    }
}

TEST(ParallelGaussSeidel, RanksAgree) {
  const Communicator world;
  const auto agree = [&](double value) { return world.min(value) == world.max(value); };
  for (DelassusForm form : kForms)
    for (const Case& c : all_cases(9, form)) {
      for (int max_iterations : {2, 300}) {
        GaussSeidelSettings settings = tight();
        settings.max_iterations = max_iterations;
        const Outcome o = outcome(settings, c, form);
        EXPECT_EQ(o.result.status, max_iterations == 2 ? SolveStatus::diverged : SolveStatus::ok);
        EXPECT_TRUE(agree(o.result.iterations));
        EXPECT_TRUE(agree(o.result.merit));
        for (double error : o.errors) EXPECT_TRUE(agree(error));
        for (double merit : o.merits) EXPECT_TRUE(agree(merit));
      }
      // Ranks without rows hear of the failures of others.
      GaussSeidelSettings settings = tight();
      settings.max_iterations = 2;
      settings.diagonal_max_iterations = 0;
      settings.diagonal_solver = DiagonalSolver::projected_gradient;
      for (GaussSeidelVariant variant :
           {GaussSeidelVariant::full, GaussSeidelVariant::simplified}) {
        settings.variant = variant;
        EXPECT_EQ(outcome(settings, c, form).result.status, SolveStatus::diagonal_diverged);
      }
    }
}

TEST(ParallelGaussSeidel, CountsItsWork) {
  const Communicator world;
  for (const Case& c : all_cases(11, DelassusForm::automatic)) {
    ProblemPart part = my_part(c, DelassusForm::automatic);
    GaussSeidel solver(tight());
    const RankWork work = outcome(solver, c, part).result.rank_work;
    if (world.size() == 1) {
      EXPECT_EQ(work.colours + work.top + work.middle + work.bottom + work.inner, 0);
      EXPECT_EQ(work.initialisation + work.run + work.communication, 0);
      continue;
    }
    int rows[4] = {};
    for (RowSet set :
         row_sets(part.dynamics.halo, my_colours(c, part.dynamics.halo), part.dynamics.rows()))
      rows[static_cast<int>(set)]++;
    EXPECT_EQ(work.inner, rows[static_cast<int>(RowSet::inner)]);
    EXPECT_EQ(work.top, rows[static_cast<int>(RowSet::top)]);
    EXPECT_EQ(work.middle, rows[static_cast<int>(RowSet::middle)]);
    EXPECT_EQ(work.bottom, rows[static_cast<int>(RowSet::bottom)]);
    EXPECT_EQ(world.max(work.colours), std::ranges::max(first_fit(c, world.size())));
    EXPECT_GT(work.initialisation, 0);
    EXPECT_GT(work.communication, 0);
    EXPECT_GT(work.run, 0);
    EXPECT_EQ(work.middle_communication > 0, work.middle > 0);
  }
}

TEST(ParallelPenalty, GivesTheBitsOfOneRank) {
  for (DelassusForm form : kForms)
    for (bool explicit_normal : {false, true})
      for (Case& c : all_cases(13, form)) {
        Random random(13);
        for (RowLaw& law : c.problem.dynamics.law) {
          law.kind = LawKind::spring_dashpot;
          law.spring = random.uniform(100, 1000);
          law.dashpot = random.uniform(0, 3);
          law.gap = random.uniform(-0.02, 0.01);
        }
        ProblemPart part = my_part(c, form);
        Penalty penalty(explicit_normal);
        penalty.solve(part.dynamics, part.solution, Communicator());
        const LocalDynamics& whole = c.problem.dynamics;
        LocalSolution found(whole);
        penalty.solve(whole, found, Communicator());
        for (std::size_t k = 0; k < part.rows.size(); k++)
          EXPECT_EQ(part.solution.R[k], found.R[part.rows[k]]) << c.name;
        for (int row = 0; row < part.dynamics.rows(); row++)
          EXPECT_EQ(part.solution.U[row], found.U[part.rows[row]]);
      }
}

}  // namespace
}  // namespace solfec::gauss_seidel_test
