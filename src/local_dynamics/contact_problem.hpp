// A problem of contacts by its numbers alone, as files of problems hold it:
//
//   U = q + W R,   the Signorini-Coulomb law with friction mu between U and R in each contact,
//
// without restitution, cohesion and time step; components (T1, T2, N). Equality rows follow the
// contacts: in the component N of each of them U is to be zero, whatever R; the others are empty,
// in W, q and R.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

/// W by velocities of bodies, in which they have the matrix M = mass I:
///   W_ab = sum G_a G_b^T / mass  over the bodies that rows a and b share.
struct BodyRows {
  struct End {
    int body = -1;          ///< -1: there is none
    std::vector<double> G;  ///< 3 x size of the body, row by row

    bool operator==(const End&) const = default;
  };

  std::vector<int> sizes;  ///< velocities of each body
  std::vector<std::array<End, 2>> rows;
  double mass = 1;

  bool operator==(const BodyRows&) const = default;
};

struct ContactProblem {
  /// Columns rise in each row, the diagonal block of each row is there; empty if `bodies` are.
  BlockRows W;
  std::vector<Vec3> q;
  std::vector<double> friction;               ///< of contacts
  std::string title, description, math_info;  ///< what it is, for readers
  std::optional<BodyRows> bodies = {};        ///< in place of W
  std::vector<Vec3> guess = {};               ///< R to begin with; empty: none

  int rows() const { return static_cast<int>(q.size()); }
  int contacts() const { return static_cast<int>(friction.size()); }
  int equalities() const { return rows() - contacts(); }
};

/// The same for solvers, on one rank: B = q, V = 0, step 1.
LocalDynamics local_dynamics_of(const ContactProblem& problem);

}  // namespace solfec
