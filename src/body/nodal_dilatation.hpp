// Changes of volume averaged at nodes: what keeps elements that have few nodes each from locking
// when they are nearly incompressible (Bonet and Burton 1998).
//
//   theta_e = int tr e / V_e              mean over an element, V_e its volume
//   theta_a = sum_e V_ea theta_e / V_a    at a node: V_ea = int N_a over e, V_a = sum_e V_ea
//   average_e = sum_a V_ea theta_a / V_e  back in the element
//
// The energy k / 2 sum V_e theta_e^2 turns into k / 2 sum V_a theta_a^2, which is never more
// (Jensen): one condition for each node instead of each element. That adds the pressure
// k (average_e - theta_e) to the stresses of an element, the same all over it, and to the
// stiffness, with b_e the slopes of theta_e with respect to the displacements of nodes,
//
//   k (sum_a V_a g_a g_a^T - sum_e V_e b_e b_e^T),  g_a = sum_e (V_ea / V_a) b_e
//
// which couples all nodes of the elements around a node. Uniform strains stay as they are: patch
// tests hold. Averages are over elements of one material.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <vector>

#include "body/dof_views.hpp"

namespace solfec {

class NodalDilatation {
 public:
  static constexpr int kMaxNodes = 6;

  /// An element in averages.
  struct Member {
    std::span<const int> nodes;
    std::array<double, kMaxNodes> shares;  ///< V_ea [m^3]
    int material;
  };

  NodalDilatation() = default;
  explicit NodalDilatation(std::span<const Member> members);

  /// theta_e of all members are replaced by average_e - theta_e.
  void subtract_from_averages(std::span<double> theta) const;

  /// The average of averages of one member; theta(e) tells theta_e of those around it.
  template <class Theta>
  double smooth(int member, Theta theta) const {
    std::map<int, double> nodal;  // theta_a, by patch
    const auto nodal_of = [&](int p) {
      const auto [at, added] = nodal.try_emplace(p, 0.0);
      if (added) at->second = mean(patches_[p], theta);
      return at->second;
    };
    const auto average = [&](int e) { return mean(cells_[e], nodal_of); };
    return mean(cells_[member], [&](int p) { return mean(patches_[p], average); });
  }

  /// Elements of one material around a node.
  int patches() const { return static_cast<int>(patches_.size()); }
  std::span<const int> patch_nodes(int patch) const { return patches_[patch].nodes; }

  /// sqrt(V_a) g_a: a column per node of the patch. slopes(e) points to b_e, x y z for each node.
  template <class Slopes>
  void gather(int number, Slopes slopes, Eigen::Matrix3Xd& g) const {
    const Patch& patch = patches_[number];
    g.setZero(3, static_cast<Eigen::Index>(patch.nodes.size()));
    for (const Share& share : patch.shares) {
      const Cell& cell = cells_[share.member];
      const double* b = slopes(share.member);
      for (int a = 0; a < cell.nodes; a++)
        g.col(column(patch, cell.node[a])) += share.volume * node_part(b, a);
    }
    g /= std::sqrt(patch.volume);
  }

 private:
  struct Share {
    int member;
    double volume;  // V_ea
  };
  struct Patch {
    double volume = 0;       // V_a
    std::vector<int> nodes;  // sorted
    std::vector<Share> shares;
  };
  struct Cell {
    int nodes;
    double volume;  // V_e
    std::array<int, kMaxNodes> node, patch;
    std::array<double, kMaxNodes> share;
  };

  // Of values of members.
  template <class Value>
  static double mean(const Patch& patch, Value value) {
    double sum = 0;
    for (const Share& share : patch.shares) sum += share.volume * value(share.member);
    return sum / patch.volume;
  }
  // Of values of patches.
  template <class Value>
  static double mean(const Cell& cell, Value value) {
    double sum = 0;
    for (int a = 0; a < cell.nodes; a++) sum += cell.share[a] * value(cell.patch[a]);
    return sum / cell.volume;
  }
  static Eigen::Index column(const Patch& patch, int node);

  std::vector<Cell> cells_;
  std::vector<Patch> patches_;
};

}  // namespace solfec
