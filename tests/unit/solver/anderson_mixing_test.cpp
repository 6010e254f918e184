// Anderson acceleration against dense least squares, and against what it must find exactly.
#include "solver/anderson_mixing.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <deque>

#include "support/local_problem.hpp"

namespace solfec::anderson_mixing_test {
namespace {

using testing::flat;

std::vector<Vec3> rows_of(const Eigen::VectorXd& x) {
  std::vector<Vec3> rows;
  for (int k = 0; k < x.size(); k += 3) rows.push_back(x.segment<3>(k));
  return rows;
}

// The weights of all components of a problem's rows.
Eigen::VectorXd weights(const LocalDynamics& p) {
  Eigen::VectorXd w(3 * p.rows());
  for (int row = 0; row < p.rows(); row++)
    w.segment<3>(3 * row).setConstant(p.W.diagonal(row).trace() / 3);
  return w;
}

TEST(AndersonMixing, IsTheWeightedLeastSquares) {
  const testing::LocalProblem p = testing::closing_contacts(1, 6, 7);
  const Eigen::VectorXd root = weights(p.dynamics).cwiseSqrt();
  testing::Random random(2);
  constexpr int kMemory = 3;
  AndersonMixing mixing;
  mixing.start(p.dynamics, kMemory);
  std::deque<Eigen::VectorXd> all_f, all_g;
  for (int k = 0; k < 10; k++) {  // the oldest changes are replaced
    std::vector<Vec3> R, g;
    for (int row = 0; row < 7; row++) {
      R.push_back(random.in_box(1));
      g.push_back(random.in_box(1));
    }
    if (k == 6) {
      mixing.forget();
      all_f = {all_f.back()};
      all_g = {all_g.back()};
    }
    all_f.push_back(flat(g) - flat(R));
    all_g.push_back(flat(g));
    if (all_f.size() > kMemory + 1) {
      all_f.pop_front();
      all_g.pop_front();
    }
    Eigen::VectorXd expected = flat(g);
    const int columns = static_cast<int>(all_f.size()) - 1;
    if (columns > 0) {
      Eigen::MatrixXd A = Eigen::MatrixXd::Zero(21 + columns, columns), dG(21, columns);
      Eigen::VectorXd f = Eigen::VectorXd::Zero(21 + columns);
      for (int c = 0; c < columns; c++) {
        A.col(c).head(21) = root.cwiseProduct(all_f[c + 1] - all_f[c]);
        dG.col(c) = all_g[c + 1] - all_g[c];
        A(21 + c, c) = std::sqrt(1e-9) * root.cwiseProduct(dG.col(c)).norm();
      }
      f.head(21) = root.cwiseProduct(all_f.back());
      expected -= dG * A.colPivHouseholderQr().solve(f);
    }
    const Eigen::VectorXd swept = flat(g);
    std::vector<Vec3> change(7);
    mixing.mix(R, g, change, Communicator::alone());
    EXPECT_LT((flat(g) - expected).norm(), 1e-8) << k;
    EXPECT_LT((flat(g) - swept - flat(change)).norm(), 1e-12) << k;
  }
}

// Where vectors stand in memory is not seen, not even in the signs of zeros: some rows stay as they
// are, as those of contacts that stand alone do.
TEST(AndersonMixing, DoesNotDependOnAddresses) {
  constexpr int kRows = 20;
  const testing::LocalProblem p = testing::closing_contacts(1, 12, kRows);
  const auto combined = [&](int offset, int step_offset) {
    testing::Random random(5);
    AndersonMixing mixing;
    mixing.start(p.dynamics, 3);
    std::vector<Vec3> R(kRows, Vec3::Zero()), change(kRows + 4), memory(kRows + 4);
    const std::span<Vec3> g = std::span(memory).subspan(offset, kRows);
    const std::span<Vec3> step = std::span(change).subspan(step_offset, kRows);
    for (int k = 0; k < 4; k++) {
      for (int row = 0; row < kRows; row++)
        g[row] = row % 3 == 0 ? random.in_box(1) : Vec3(0, 0, row);
      mixing.mix(R, g, step, Communicator::alone());
      R.assign(g.begin(), g.end());
    }
    std::vector<std::uint64_t> bits;
    for (const std::span<Vec3> x : {g, step})
      for (const Vec3& row : x)
        for (const double number : row) bits.push_back(std::bit_cast<std::uint64_t>(number));
    return bits;
  };
  const std::vector<std::uint64_t> expected = combined(0, 0);
  for (int offset = 0; offset < 4; offset++)
    for (int step_offset = 0; step_offset < 4; step_offset++)
      EXPECT_EQ(combined(offset, step_offset), expected) << offset << " " << step_offset;
}

// With as many changes as g has different factors an affine iteration ends, g(R) = R* + M (R - R*),
// but for the damping.
TEST(AndersonMixing, SolvesAffineIterations) {
  const testing::LocalProblem p = testing::closing_contacts(3, 6, 7);
  testing::Random random(4);
  Eigen::VectorXd solution(21), factor(21);
  for (int k = 0; k < 21; k++) {
    solution[k] = random.uniform(-1, 1);
    factor[k] = std::array{0.99, 0.5, -0.9, 1.5}[k % 4];  // without it, the last one would diverge
  }
  AndersonMixing mixing;
  mixing.start(p.dynamics, 5);
  std::vector<Vec3> change(7);
  Eigen::VectorXd R = Eigen::VectorXd::Zero(21);
  for (int k = 0; k < 9; k++) {
    std::vector<Vec3> g = rows_of(solution + factor.cwiseProduct(R - solution));
    mixing.mix(rows_of(R), g, change, Communicator::alone());
    R = flat(g);
  }
  EXPECT_LT((R - solution).norm(), 1e-6);
}

// R moves along reactions that f sees by rounding alone, and f = 1E-12: to end it along them would
// take a thousand such moves.
TEST(AndersonMixing, StaysOutOfReactionsThatBalanceEachOther) {
  const testing::LocalProblem p = testing::closing_contacts(3, 6, 4);
  testing::Random random(5);
  std::vector<Vec3> R(4, Vec3::Zero()), balanced, g, change(4);
  Eigen::VectorXd f(12);
  for (int row = 0; row < 4; row++) balanced.push_back(random.in_box(1));
  for (int k = 0; k < 12; k++) f[k] = 1e-12 * random.uniform(-1, 1);
  AndersonMixing mixing;
  mixing.start(p.dynamics, 3);
  g = rows_of(f);
  mixing.mix(R, g, change, Communicator::alone());
  const std::vector<Vec3> swept = g = rows_of(flat(balanced) + 1.001 * f);
  mixing.mix(balanced, g, change, Communicator::alone());
  EXPECT_LT((flat(g) - flat(swept)).norm(), 1e-9);
}

TEST(AndersonMixing, StaysWhereNothingChanges) {
  const testing::LocalProblem p = testing::closing_contacts(3, 6, 4);
  AndersonMixing mixing;
  mixing.start(p.dynamics, 3);
  const std::vector<Vec3> R(4, Vec3(1, 2, 3));
  std::vector<Vec3> change(4);
  for (int k = 0; k < 5; k++) {
    std::vector<Vec3> g = R;
    mixing.mix(R, g, change, Communicator::alone());
    EXPECT_EQ(g, R);
  }
}

}  // namespace
}  // namespace solfec::anderson_mixing_test
