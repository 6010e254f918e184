// Static indeterminacy: which reactions are determined by equilibrium.
//
// Of reactions R that leave the same velocities U = B + W R, and each row in its state (sticking,
// sliding, open), the components along E may differ by z with  E^T W E z = 0. A component is
// determined if it is zero for all such z. Components fall into clusters, which share no body that
// moves.
#pragma once

#include <array>

#include "local_dynamics/determinacy.hpp"
#include "local_dynamics/null_space.hpp"

namespace solfec {

struct ClusterIndeterminacy {
  int bodies = 0, constraints = 0;  ///< that move; that have components
  int components = 0;
  double degree = 0;     ///< of static indeterminacy: dimension of the null space
  double deviation = 0;  ///< its standard deviation, where it is an estimate; else 0
  bool resolved = true;  ///< false: what is known of this cluster is not exact
};

template <class Archive>
void visit_fields(Archive& archive, ClusterIndeterminacy& c) {
  archive(c.bodies, c.constraints, c.components, c.degree, c.deviation, c.resolved);
}

struct Indeterminacy {
  static constexpr int kNoCluster = -1;
  std::vector<ClusterIndeterminacy> clusters;  ///< in the order of their first constraint
  std::vector<int> cluster;                    ///< of each constraint
  std::vector<std::vector<double>>
      redundancy;  ///< of each component of each constraint (NullSpace)
};

/// Up to so many components a cluster is dealt with by dense matrices.
inline constexpr int kDenseComponents = 400;

/// Bodies of the constraints are numbered from 0 to `bodies` - 1.
Indeterminacy indeterminacy(std::vector<EquilibriumColumns> constraints, int bodies,
                            int dense_components = kDenseComponents);

/// Of normal and tangential components of a constraint: whether there are some, and whether they
/// are determined.
struct ReactionDeterminacy {
  enum class Part : std::uint8_t { none, determined, undetermined };
  Part normal = Part::none, tangent = Part::none;

  Determinacy both() const;
};

/// Of a row with these directions of components, and their redundancies.
ReactionDeterminacy reaction_determinacy(const Mat3& directions,
                                         std::span<const double> redundancy);

}  // namespace solfec
