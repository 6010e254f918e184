// The problem of a step as a variational inequality (Acary, Bremond, Huber 2018, equation 40): find
// R in X with
//
//   F(R).(Y - R) >= 0  for all Y in X,
//
// where X is a product over the rows and F is what the row's velocity misses:
//
//   contact           X = K - (0, 0, c)      F = (Ubar_T, Ubar_N + mu |Ubar_T|)
//   convex contact    X = K - (0, 0, c)      F = Ubar
//   fixed point       X = all vectors        F = U - target
//   fixed direction   X = { (0, 0, R_N) }    F = (0, 0, U_N - target_N)
//
// Springs, contacts that are springs, and links of which the length is asked for make no such
// inequality. Where a step closes its joints, a link is a fixed direction
// (domain/joint_closure.hpp).
//
// Where W is symmetric, this is no minimum of anything, since the cones depend on the velocity.
// With a part of a contact's law held at what it was for some R, it is the minimum of R.(W R / 2 +
// B):
//
//   slip          X = K - (0, 0, c)                          F = (Ubar_T, Ubar_N + slip)
//   threshold     X = { R_N >= -c, |R_T| <= threshold }      F = Ubar
//   tangential    X = { R_T as it was, R_N >= -c }           F = (0, 0, Ubar_N)
//   normal        X = { R_N as it was, |R_T| <= threshold }  F = (Ubar_T, 0)
//
// with slip = mu |Ubar_T| and threshold = mu (R_N + c).
#pragma once

#include <vector>

#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

/// Whether all rows of this rank are of these kinds.
bool is_cone_inequality(const LocalDynamics& problem);

/// Throws RunError, on all ranks, unless this is so on all of them; `command` is the solver's.
void demand_cone_inequality(const LocalDynamics& problem, const char* command,
                            const Communicator& communicator);

/// The size of W in the directions that a row binds, [m/(s N)]: a third of the trace of W_aa, or
/// W_NN of a fixed direction.
double row_weight(const LocalDynamics& problem, int row);

/// 1 for components of a row's R that its X leaves free to differ from a point, else 0: those of
/// rows that move nothing, tangential ones without friction, those across a fixed direction.
Vec3 free_components(const LocalDynamics& problem, int row);

/// F of a row at its velocity U. The projection on its X is `admissible`
/// (local_dynamics/linearization.hpp).
Vec3 inequality_map(const LocalDynamics& problem, int row, const Vec3& U);

/// What of the law of contacts is held fixed.
enum class HeldPart : std::uint8_t { none, slip, threshold, tangential, normal };

/// The inequality with that part held: F and X of its rows.
class ConeInequality {
 public:
  explicit ConeInequality(const LocalDynamics& problem, HeldPart part = HeldPart::none)
      : p_(problem), part_(part) {}

  /// Holds that part at what it is for these R and U.
  void hold(const LocalSolution& solution);

  HeldPart part() const { return part_; }
  /// F of a row at its velocity U.
  Vec3 map(int row, const Vec3& U) const;
  /// The projection of R on the X of a row.
  Vec3 project(int row, const Vec3& R) const;

 private:
  const LocalDynamics& p_;
  HeldPart part_;
  std::vector<Vec3> R_;        // that were
  std::vector<double> bound_;  // slip or threshold
};

}  // namespace solfec
