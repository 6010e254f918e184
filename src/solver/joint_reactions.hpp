// Reactions of joints that are not unique, and joints that no reactions can satisfy.
//
// Joints that bind a motion twice (two fixed points on an axis, loops of hinges in a plane) have a
// singular block W_JJ: reactions x with W x = 0 balance each other, and any amount of them may be
// added. Of all those that make the same velocities the one of least norm is taken,
//
//   R_J = argmin |z|^2,   W_JJ z = W_JJ R_J,
//
// which is the part of R_J in the range of W_JJ. Velocities out of that range can be brought about
// by no reactions: joints whose targets miss by such a velocity contradict each other.
//
// Both are found by the proximal iteration  z <- z + (W_JJ + e I)^-1 (b - W_JJ z)  from z = 0: it
// stays in the range of W_JJ, and what it leaves of b is the part outside.
#pragma once

#include <vector>

#include "solver/linearized_rows.hpp"
#include "solver/row_factor.hpp"

namespace solfec {

/// Keeps its memory between calls.
class JointReactions {
 public:
  /// What a solver has reached, and from where.
  struct Reached {
    const RowVector& start;  ///< R
    double merit;            ///< of the current R
    double merit_value;      ///< that was asked for
    double scale;            ///< denominator of the merit
  };
  /// Gives the joints their reactions of least norm where they may not be unique and R was not
  /// that already; contacts and springs keep theirs, velocities stay what they are. Not done
  /// when it would take more than a thousand sweeps, or where rounding would make the merit worse
  /// than what was asked for. Returns the merit. Collective.
  double take_least_norm(const LocalDynamics& problem, LocalSolution& solution,
                         const Reached& reached, Channel& channel,
                         const Communicator& communicator);

  /// Shares of the rows in the merit that no reactions of joints can take away, the reactions of
  /// contacts being what they are; empty where there are no such joints. Collective.
  std::vector<double> contradictions(const LocalDynamics& problem, LocalSolution& solution,
                                     Channel& channel, const Communicator& communicator);

 private:
  struct Run {
    const LocalDynamics& problem;
    LocalSolution& solution;
    Channel& channel;
    const Communicator& communicator;
  };
  bool prepare(Run& run);
  bool find_least_norm(Run& run);
  RowVector bound_part(RowVector velocities) const;
  double size(const Run& run, const RowVector& x) const;
  void approach(Run& run, const RowVector& b, RowVector& z, RowVector& left);

  RowFactor factor_;
  Gmres gmres_{100};
  LinearizedRows rows_;  // X: the directions that joints bind
};

/// Whether joints of this rank may bind a motion more than once: bodies and joints make circles.
/// Bodies of finite elements can move at each of their points, and close none. On a rank that has
/// neighbours each joint of other bodies may be a part of one.
bool joints_make_circles(const LocalDynamics& problem);

}  // namespace solfec
