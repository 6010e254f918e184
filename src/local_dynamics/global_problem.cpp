#include "local_dynamics/global_problem.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>

#include "core/disjoint_sets.hpp"
#include "core/error.hpp"

namespace solfec {
namespace {

using Lists = std::vector<std::vector<int>>;

// The velocities that each row acts on, each once.
Lists velocities_of_rows(const GlobalProblem& problem) {
  Lists lists(problem.rows);
  for (const MatrixEntry& e : problem.H) lists[e.column / 3].push_back(e.row);
  for (std::vector<int>& list : lists) {
    std::ranges::sort(list);
    list.erase(std::ranges::unique(list).begin(), list.end());
  }
  return lists;
}

// Whether a row acts on no more than two of the sets.
bool has_two_ends(const std::vector<int>& row, DisjointSets& sets) {
  int ends[2] = {-1, -1};
  for (int velocity : row) {
    const int set = sets.find(velocity);
    if (set == ends[0] || set == ends[1]) continue;
    if (ends[1] >= 0) return false;
    ends[ends[0] >= 0] = set;
  }
  return true;
}

bool have_two_ends(const Lists& rows, DisjointSets& sets) {
  return std::ranges::all_of(rows, [&](const auto& row) { return has_two_ends(row, sets); });
}

DisjointSets joined_by_matrix(const GlobalProblem& problem) {
  DisjointSets sets(problem.velocities);
  for (const MatrixEntry& e : problem.M) sets.join(e.row, e.column);
  return sets;
}

DisjointSets bodies_as_sets(const GlobalProblem& problem) {
  const Lists rows = velocities_of_rows(problem);
  DisjointSets sets = joined_by_matrix(problem);
  if (have_two_ends(rows, sets)) return sets;
  // A diagonal M does not tell bodies apart, but the order of their velocities does.
  for (int width : {3, 6, 12}) {
    DisjointSets wider = sets;
    for (int k = 0; k < problem.velocities; k++) wider.join(k, k - k % width);
    if (have_two_ends(rows, wider)) return wider;
  }
  for (const std::vector<int>& row : rows)
    if (!has_two_ends(row, sets))
      for (int velocity : row) sets.join(velocity, row[0]);
  return sets;
}

// Which body has a velocity, and where in it.
struct BodyNumbering {
  std::vector<int> body, place;   // by velocity
  std::vector<int> sizes, first;  // by body

  explicit BodyNumbering(const GlobalProblem& problem) {
    DisjointSets sets = bodies_as_sets(problem);
    std::vector<int> number(problem.velocities, -1);
    for (int k = 0; k < problem.velocities; k++) {
      int& known = number[sets.find(k)];
      if (known < 0) {
        known = static_cast<int>(sizes.size());
        sizes.push_back(0);
        first.push_back(k);
      }
      body.push_back(known);
      place.push_back(sizes[known]++);
    }
  }
};

Eigen::LLT<Eigen::MatrixXd> factored(const Eigen::MatrixXd& M, int first) {
  constexpr double kRounding = 1e-8;
  const double size = M.cwiseAbs().maxCoeff();
  if (!((M - M.transpose()).cwiseAbs().maxCoeff() <= kRounding * size))
    throw RunError(fmt::format("M is not symmetric in the body of velocity {}", first));
  Eigen::LLT<Eigen::MatrixXd> llt(M);
  if (llt.info() != Eigen::Success || !llt.matrixLLT().allFinite())
    throw RunError(fmt::format("M is not positive definite in the body of velocity {}", first));
  return llt;
}

// Entries by the body of a velocity.
std::vector<std::vector<MatrixEntry>> by_body(const std::vector<MatrixEntry>& entries,
                                              const BodyNumbering& bodies) {
  std::vector<std::vector<MatrixEntry>> lists(bodies.sizes.size());
  for (const MatrixEntry& e : entries) lists[bodies.body[e.row]].push_back(e);
  return lists;
}

}  // namespace

BodyRows bodies_of(const GlobalProblem& problem, std::vector<Vec3>& q) {
  const BodyNumbering bodies(problem);
  const auto M = by_body(problem.M, bodies);
  auto H = by_body(problem.H, bodies);
  std::vector<Eigen::VectorXd> f;
  for (int size : bodies.sizes) f.emplace_back(Eigen::VectorXd::Zero(size));
  for (int k = 0; k < problem.velocities; k++) f[bodies.body[k]][bodies.place[k]] = problem.f[k];
  BodyRows result;
  result.sizes = bodies.sizes;
  result.rows.resize(problem.rows);
  for (std::size_t body = 0; body < bodies.sizes.size(); body++) {
    const int size = bodies.sizes[body];
    if (size > kLargestBody)
      throw RunError(fmt::format("the body of velocity {} has {} of them; at most {} are taken",
                                 bodies.first[body], size, kLargestBody));
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(size, size);
    for (const MatrixEntry& e : M[body])
      mass(bodies.place[e.row], bodies.place[e.column]) += e.value;
    const auto llt = factored(mass, bodies.first[body]);
    const Eigen::VectorXd free = llt.matrixL().solve(f[body]);
    // Row by row.
    std::ranges::stable_sort(H[body], {}, [](const MatrixEntry& e) { return e.column / 3; });
    for (auto e = H[body].begin(); e != H[body].end();) {
      const int row = e->column / 3;
      Eigen::MatrixXd G = Eigen::MatrixXd::Zero(size, 3);
      for (; e != H[body].end() && e->column / 3 == row; e++)
        G(bodies.place[e->row], e->column % 3) += e->value;
      llt.matrixL().solveInPlace(G);
      BodyRows::End& end = result.rows[row][result.rows[row][0].body >= 0];
      DEMAND(end.body < 0);
      // Columns of the transpose are rows of the block.
      end = {static_cast<int>(body), {G.data(), G.data() + G.size()}};
      q[row] += G.transpose() * free;
    }
  }
  return result;
}

}  // namespace solfec
