// One contact with everything else held fixed,  U = W S + q, by the methods of the comparison of
// 2018 (Acary, Bremond, Huber, Table 3). diagonal_solver.hpp has those of GAUSS_SEIDEL_SOLVER.
#pragma once

#include "local_dynamics/contact_maps.hpp"
#include "math/line_search.hpp"
#include "solver/cone_inequality.hpp"

namespace solfec {

enum class LocalMethod : std::uint8_t {
  newton,                ///< on one of the maps of contact_maps.hpp
  one_projection,        ///< a single step of FP-DS, rho = 1 / lambda_max(W)
  adaptive_projections,  ///< FP-VI-UPK
  exact,                 ///< the states of a contact in turn (diagonal_solver.hpp)
  normal                 ///< R_N alone, with R_T as it is
};

struct LocalSettings {
  LocalMethod method = LocalMethod::newton;
  ContactMap map = ContactMap::alart_curnier;  ///< of newton
  LineSearch search = LineSearch::none;        ///< of newton
  double tolerance = 1e-14;                    ///< of |G| or |dR| over |rho q|
  static constexpr int kMostIterations = 100;
};

/// A contact of an inequality. Newton's and the exact method solve the whole law only.
struct LocalContact {
  const ConeInequality& inequality;
  int row;
  double friction;
  const Mat3 &W, &W_inverse;
  Vec3 q;           ///< U at R = 0
  Vec3 offset;      ///< Ubar - U
  double cohesion;  ///< S_N - R_N
};

/// The R of the contact, from the R that is given. Where the method does not converge it is what
/// was reached last, in the cone.
Vec3 solve_contact(const LocalSettings& settings, const LocalContact& contact, const Vec3& R);

}  // namespace solfec
