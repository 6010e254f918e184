// Division of space between the ranks by recursive coordinate bisection.
#pragma once

#include <span>
#include <vector>

#include "core/vector.hpp"
#include "parallel/communicator.hpp"

namespace solfec {

/// Settings of IMBALANCE_TOLERANCE.
struct PartitionSettings {
  double tolerance = 1.1;        ///< largest over average load that is accepted, >= 1
  bool lock_directions = false;  ///< later divisions cut in the directions of the first one
  double degenerate_ratio = 10;  ///< > 1; flatter sets of points are cut along their own axes
  double weight_factor = 1;      ///< of the local dynamics in the load, from 0 to 1
};

/// A plane between regions: what has  x[direction] <= at  lies below.
struct Cut {
  int direction = 0;
  double at = 0;

  bool operator==(const Cut&) const = default;
};

/// One region for each rank: a tree of cuts, so that every point of space is in exactly one region.
/// The ranks  first <= rank < last  are divided at  m = middle_rank(first, last)  by cuts[m - 1]:
/// ranks before m lie below it. A region may be empty.
struct Partition {
  Mat3 axes = Mat3::Identity();  ///< a rotation: cuts are in coordinates  axes x
  std::vector<Cut> cuts;         ///< one less than there are ranks

  int ranks() const { return static_cast<int>(cuts.size()) + 1; }
  bool operator==(const Partition& other) const { return axes == other.axes && cuts == other.cuts; }
};

inline int middle_rank(int first, int last) { return first + (last - first + 1) / 2; }

/// Goes down the tree of cuts to one rank: above(k) tells on which side of cuts[k] to go on.
template <class Above>
int descend(const std::vector<Cut>& cuts, Above&& above) {
  int first = 0, last = static_cast<int>(cuts.size()) + 1;
  while (last - first > 1) {
    const int middle = middle_rank(first, last);
    (above(middle - 1) ? first : last) = middle;
  }
  return first;
}

/// Rank whose region holds a point, given in coordinates  axes x.
inline int rank_at(const std::vector<Cut>& cuts, const Vec3& at) {
  return descend(cuts, [&](int k) { return !(at[cuts[k].direction] <= cuts[k].at); });
}

template <class Archive>
void visit_fields(Archive& archive, Cut& cut) {
  archive(cut.direction, cut.at);
}

template <class Archive>
void visit_fields(Archive& archive, Partition& partition) {
  archive(partition.axes, partition.cuts);
}

/// Divides points with weights (of all ranks together) into regions of nearly equal weight. Where
/// points lie in planes, cuts are half-way between two of them. With locked directions, axes and
/// directions of cuts are those of the partition before, if it has as many ranks. Depends on the
/// set of points and weights, settings and partition before, not on who has which point; is the
/// same on every rank, and again after a restart. Without points, or with points on one spot, some
/// region has all. Weights are finite and >= 0; all zero counts as all equal. Collective. RunError
/// on all ranks: a coordinate or a weight is not such a number, Zoltan fails.
Partition divide_space(const Communicator& communicator, std::span<const Vec3> points,
                       std::span<const double> weights, const PartitionSettings& settings,
                       const Partition& before = {});

}  // namespace solfec
