// Local dynamics: the algebraic problem of one step, and all that a solver gets to see.
//
//   U = B + W R,   a law between U and R in each row
//
// B free, V pre-step and U end-of-step relative velocity [m/s], R average reaction over the step
// [N] (the impulse is h R), all in local components (T1, T2, N).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/threads.hpp"
#include "local_dynamics/contact_law.hpp"
#include "local_dynamics/delassus.hpp"
#include "local_dynamics/halo.hpp"
#include "parallel/communicator.hpp"

namespace solfec {

/// What is given. Vectors have one entry per owned row.
struct LocalDynamics {
  Delassus W;
  std::vector<Vec3> B, V;
  std::vector<RowLaw> law;
  Halo halo;

  int rows() const { return static_cast<int>(law.size()); }
  double step() const { return W.step(); }
  void clear(double h, std::span<const int> group_sizes);
};

/// What is sought, with one entry per owned row; R of external rows follow (Delassus, Halo).
struct LocalSolution {
  std::vector<Vec3> R, U;
  std::vector<double> merit;  ///< share of each row in the merit function
  bool least_norm = true;     ///< whether R of joints that is not unique is that of least norm

  LocalSolution() = default;
  /// R = 0.
  explicit LocalSolution(const LocalDynamics& problem) { start(problem); }
  /// Begins from the R that is there, zero where there is none.
  void start(const LocalDynamics& problem);
};

/// Some of the rows of a problem (one flag for each owned one), without what joins them to others,
/// and which they were. Collective.
struct RowSelection {
  LocalDynamics problem;
  std::vector<int> rows;
};
void select_rows(const LocalDynamics& from, const std::vector<bool>& chosen,
                 const Communicator& communicator, RowSelection& selection);

/// Sends the rows of x that a neighbour needs.
void send_rows(const Halo::Neighbour& neighbour, Channel& channel, std::span<const Vec3> x);

/// Waits for what the neighbour sends with send_rows; values[k] belongs to row receive[k].
void receive_rows(const Halo::Neighbour& neighbour, Channel& channel, std::vector<Vec3>& values);

/// Brings the external rows of a vector over all rows up to date.
void refresh(const Halo& halo, Channel& channel, std::span<Vec3> x);

/// U = B + W R for all owned rows; the external R are up to date.
void update_velocities(const LocalDynamics& problem, LocalSolution& solution);

/// The same with the R of an iteration form.
template <class Form>
void velocities(const LocalDynamics& problem, const Form& form, std::span<Vec3> U) {
  form.multiply(U);
  constexpr int kShare = 2048;
  for_each_at_once(problem.rows(), kShare, [&](int row) { U[row] += problem.B[row]; });
}

/// The velocity by which row `row` misses its law at these U and R [m/s].
Vec3 residual(const LocalDynamics& problem, int row, const Vec3& U, const Vec3& R);
inline Vec3 residual(const LocalDynamics& problem, const LocalSolution& solution, int row) {
  return residual(problem, row, solution.U[row], solution.R[row]);
}

/// The merit function (manual, equation 8.1; report, equation 40),
///   g(R) = sum <W_aa^-1 C_a, C_a> / sum <W_aa^-1 B_a, B_a>,
/// over all ranks, at the current U and R; fills the rows' shares. A vanishing denominator (below
/// the rounding unit) counts as 1.
double merit(const LocalDynamics& problem, LocalSolution& solution,
             const Communicator& communicator);
/// The same with a denominator that is known already.
double merit(const LocalDynamics& problem, LocalSolution& solution, double scale,
             const Communicator& communicator);

/// Times its denominator: the share of a row.
double merit_share(const LocalDynamics& problem, int row, const Vec3& U, const Vec3& R);

/// Its denominator over all ranks.
double merit_scale(const LocalDynamics& problem, const Communicator& communicator);
/// The sum over the rows of this rank, and the denominator that the sum over all ranks makes: for
/// one reduction together with other numbers.
double merit_scale_sum(const LocalDynamics& problem);
double merit_scale(double sum);

/// Average over the rows of all ranks of trace W_aa / 3 [m/(s N)]; 1 where nothing moves.
/// Collective.
double average_reaction_scale(const LocalDynamics& problem, const Communicator& communicator);

// Text dump of the problem (LOCDYN_DUMP): rows are named by `names` (owned, then external ones),
// which must not depend on the number of ranks; 17 significant digits.
std::string dump_head(std::int64_t rows, double step);
std::string dump_row(const LocalDynamics& problem, const LocalSolution& solution,
                     const std::vector<std::string>& names, int row);

/// The whole of it, for a problem of one rank.
void dump(const LocalDynamics& problem, const LocalSolution& solution,
          const std::vector<std::string>& names, const std::string& path);

}  // namespace solfec
