// Contacts in batches against the same contacts one by one: reactions, velocities of the bodies,
// and what rows bring to the sums over a sweep.
#include "solver/contact_batches.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "solver/diagonal_solver.hpp"
#include "solver/gauss_seidel.hpp"
#include "support/local_problem.hpp"

namespace solfec::contact_batches_test {
namespace {

using testing::LocalProblem;
using testing::Random;

constexpr int kRows = 120;

// Blocks by turns: any, those of balls, others that make isotropic contacts.
enum class Blocks { any, balls, isotropic };
Blocks blocks_of(int seed) { return static_cast<Blocks>(seed % 3); }

// Contacts of all kinds: restitution, cohesion, walls that move, without friction.
LocalProblem contacts(int seed) {
  Random random(seed);
  LocalProblem p = testing::start_problem(std::vector<int>(60, kRigidSize), kRows, 0.01);
  for (int row = 0; row < kRows; row++) {
    const int first = random.integer(0, 59);
    const int second = random.integer(0, 4) == 0 ? -1 : (first + random.integer(1, 59)) % 60;
    if (blocks_of(seed) == Blocks::any) {
      testing::add_random_row(p, random, first, second);
      continue;
    }
    double* block = p.dynamics.W.add_row(first, second);
    const int ends = second < 0 ? 1 : 2;
    if (blocks_of(seed) == Blocks::balls)
      testing::write_ball_blocks(random, ends, block);
    else
      for (int i = 0; i < 18 * ends; i++)
        block[i] = i % 18 % 7 == 0 || i % 18 == 4 || i % 18 == 9 ? 0.5 : 0.0;
    p.dynamics.B.push_back(random.in_box(1));
    p.dynamics.V.push_back(random.in_box(1));
    p.dynamics.law.emplace_back();
  }
  p.dynamics.W.finish(DelassusForm::factored);
  p.solution = LocalSolution(p.dynamics);
  testing::make_closing(p, random);
  for (RowLaw& law : p.dynamics.law) {
    law.restitution = random.integer(0, 1) * random.uniform(0, 1);
    law.tangential_restitution = random.integer(0, 1) * random.uniform(0, 1);
    law.cohesion = random.integer(0, 3) == 0 ? random.uniform(0, 5) : 0;
    law.target = random.integer(0, 3) == 0 ? random.in_box(0.3) : Vec3(Vec3::Zero());
  }
  for (Vec3& R : p.solution.R)
    R = random.integer(0, 2) == 0 ? Vec3(Vec3::Zero()) : random.in_box(30);
  return p;
}

// Calls work with W, in its factored form, at R.
template <class Work>
void iterate(const Delassus& W, const std::vector<Vec3>& R, Work&& work) {
  W.iterate(R, [&](auto& form) {
    if constexpr (std::is_same_v<std::decay_t<decltype(form)>, FactoredForm>) {
      work(form);
    } else {
      FAIL() << "assembled";
    }
  });
}

struct Sums {
  double change = 0, size = 0, merit = 0, residual = 0;
};

// A sweep in the order of the batches, by the formulas of contact_law.hpp.
Sums sweep_one_by_one(const LocalDynamics& p, const RowBatches& batches, FactoredForm& form,
                      std::vector<Vec3>& R) {
  Sums sums;
  for (int k = 0; k < batches.size(); k++) {
    const BatchRows& batch = batches.batch(k);
    for (int lane = 0; lane < batch.count; lane++) {
      const int row = batch.row[lane];
      const RowLaw& law = p.law[row];
      const Mat3 &W = p.W.diagonal(row), &inverse = p.W.diagonal_inverse(row);
      const Vec3 U = p.B[row] + form.row_times(row);
      const Vec3 C = contact_residual(law, U, R[row], p.V[row], reaction_scale(W));
      sums.merit += C.dot(inverse * C);
      sums.residual += contact_residual(law, U, R[row], p.V[row], 1).squaredNorm();
      Vec3 S = shifted_reaction(law, R[row]);
      const Vec3 free = U - W * S + velocity_offset(law, p.V[row]);
      EXPECT_EQ(solve_diagonal(DiagonalSolver::semismooth_newton, {W, inverse, free, law.friction},
                               1e-14, 100, S),
                DiagonalStatus::ok);
      EXPECT_LT(testing::law_violation(W * S + free, S, law.friction, free.norm(),
                                       (inverse * free).norm()),
                1e-11);
      const Vec3 next(S.x(), S.y(), S.z() - law.cohesion), dR = next - R[row];
      sums.change += dR.squaredNorm();
      sums.size += next.squaredNorm();
      form.change(row, dR);
      R[row] = next;
    }
  }
  return sums;
}

TEST(ContactBatches, AreContactsOneByOne) {
  for (int seed = 1; seed <= 20; seed++) {
    LocalProblem p = contacts(seed);
    const LocalDynamics& d = p.dynamics;
    ASSERT_GT(d.W.sweep_batches().size(), 0);
    const Mat3& W = d.W.diagonal(0);
    if (blocks_of(seed) == Blocks::isotropic) {
      EXPECT_TRUE(W(0, 0) == W(1, 1) && W(0, 1) == 0 && W(0, 2) == 0);
    }
    EXPECT_EQ(d.W.sweep_batches().count<BallBlocks>() > 0, blocks_of(seed) == Blocks::balls);
    EXPECT_EQ(d.W.sweep_batches().count<RigidBlocks>() > 0, blocks_of(seed) != Blocks::balls);
    ContactBatches contacts;
    contacts.take(d, d.W.sweep_batches());
    std::vector<Vec3> batched = p.solution.R, single = batched;
    for (int sweep = 0; sweep < 3; sweep++) {
      SweepSums<Lanes> sums;
      iterate(d.W, batched, [&](FactoredForm& form) {
        for (int k = 0; k < contacts.rows().size(); k++)
          ASSERT_TRUE(contacts.solve(k, form, 1e-14, 100, batched, true, sums));
      });
      Sums exact;
      iterate(d.W, single, [&](FactoredForm& form) {
        exact = sweep_one_by_one(d, d.W.sweep_batches(), form, single);
      });
      const double size = std::sqrt(exact.size);
      for (int row = 0; row < kRows; row++)
        EXPECT_NEAR((batched[row] - single[row]).norm(), 0, 1e-12 * size) << seed << " " << row;
      EXPECT_NEAR(reduce(sums.change), exact.change, 1e-10 * exact.change);
      EXPECT_NEAR(reduce(sums.size), exact.size, 1e-10 * exact.size);
      EXPECT_NEAR(reduce(sums.merit), exact.merit, 1e-10 * exact.merit);
      EXPECT_NEAR(reduce(sums.residual), exact.residual, 1e-10 * exact.residual);
    }
  }
}

// Whether a batch is not solved, and nothing changed.
bool stays(const ContactBatches& contacts, int batch, FactoredForm& form,
           const std::vector<Vec3>& before, int max_iterations) {
  std::vector<Vec3> R = before, U(kRows), velocities(kRows);
  form.multiply(U);
  SweepSums<Lanes> sums;
  if (contacts.solve(batch, form, 1e-14, max_iterations, R, true, sums)) return false;
  form.multiply(velocities);
  EXPECT_TRUE(R == before && U == velocities);
  EXPECT_TRUE(all_of(sums.change + sums.size + sums.merit + sums.residual == 0.0));
  return true;
}

TEST(ContactBatches, LeaveOtherRowsToOthers) {
  LocalProblem p = contacts(3);
  p.dynamics.law[0].kind = LawKind::fixed_point;
  p.dynamics.law[1].kind = LawKind::convex_coulomb;
  ContactBatches contacts;
  contacts.take(p.dynamics, p.dynamics.W.sweep_batches());
  iterate(p.dynamics.W, p.solution.R, [&](FactoredForm& form) {
    int others = 0;
    for (int k = 0; k < contacts.rows().size(); k++) {
      const std::span<const int> rows = contacts.rows().batch(k).rows();
      if (!std::ranges::any_of(rows, [](int row) { return row < 2; })) continue;
      EXPECT_TRUE(stays(contacts, k, form, p.solution.R, 100));
      others++;
    }
    EXPECT_GT(others, 0);
  });
}

TEST(ContactBatches, OfWhichARowIsNotSolvedStay) {
  for (int seed : {3, 4}) {  // any blocks, and those of balls
    LocalProblem p = contacts(seed);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const RowBatches& batches = p.dynamics.W.sweep_batches();
    for (double friction : {0.0, 0.5})
      for (const Vec3& B : {Vec3(nan, 0, -1), Vec3(0, nan, -1), Vec3(0, 0, nan)}) {
        const int row = batches.batch(0).row[0];
        if (friction == 0 && !std::isnan(B.z())) continue;  // tangential velocities do not matter
        p.dynamics.B[row] = B;
        p.dynamics.law[row].friction = friction;
        ContactBatches contacts;
        contacts.take(p.dynamics, batches);
        iterate(p.dynamics.W, p.solution.R, [&](FactoredForm& form) {
          EXPECT_TRUE(stays(contacts, 0, form, p.solution.R, 100));
        });
      }
  }
}

TEST(ContactBatches, SlidingTakesIterations) {
  LocalProblem p = contacts(3);
  ContactBatches contacts;
  contacts.take(p.dynamics, p.dynamics.W.sweep_batches());
  int slides = 0;
  iterate(p.dynamics.W, p.solution.R, [&](FactoredForm& form) {
    for (int k = 1; k < contacts.rows().size(); k++)
      slides += stays(contacts, k, form, p.solution.R, 0);
  });
  EXPECT_GT(slides, 5) << "without an iteration";
}

// Sweeps of GAUSS_SEIDEL_SOLVER, which are in batches with the factored form, against the assembled
// one, whose rows are solved one by one.
TEST(ContactBatches, SweepsAreThoseOfSingleRows) {
  for (bool reverse : {false, true})
    for (int seed = 1; seed <= 6; seed++) {
      LocalProblem p = contacts(seed);
      LocalDynamics& d = p.dynamics;
      if (seed > 2) d.law[7].kind = LawKind::fixed_point;
      GaussSeidelSettings settings = GaussSeidelSettings::by_merit(1e-300, 7);
      settings.reverse = reverse;
      LocalSolution batched = p.solution, single = p.solution;
      ASSERT_GT(d.W.sweep_batches().size(), 0);
      GaussSeidel first(settings), second(settings);
      first.solve(d, batched, Communicator());
      d.W.choose(DelassusForm::assembled);
      ASSERT_TRUE(d.W.assembled());
      second.solve(d, single, Communicator());
      EXPECT_EQ(first.iterations, second.iterations);
      const double size = testing::flat(single.R).norm();
      EXPECT_LT((testing::flat(batched.R) - testing::flat(single.R)).norm(), 1e-9 * size) << seed;
      for (std::size_t k = 0; k < second.merit_history.size(); k++)
        EXPECT_NEAR(first.merit_history[k], second.merit_history[k],
                    1e-7 * second.merit_history[k]);
    }
}

}  // namespace
}  // namespace solfec::contact_batches_test
