// Who has which part of space.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/box.hpp"
#include "parallel/partitioner.hpp"

namespace solfec {

/// The regions of all ranks. Costs grow with the logarithm of their number. Boxes are finite and
/// closed, in space.
class Regions {
 public:
  /// Without cuts one rank has all of space.
  explicit Regions(Partition partition = {});

  int count() const { return partition_.ranks(); }
  const Partition& partition() const { return partition_; }

  int rank_of(const Vec3& point) const { return rank_at(partition_.cuts, partition_.axes * point); }

  /// Calls visit(rank), in the order of ranks, for each region that meets the box; with axes that
  /// are not those of space: that meets the box in axes about it. Ranks of all points in the box
  /// are among them.
  template <class Visit>
  void overlapping(const Box& box, Visit&& visit) const {
    visit_overlapping(in_axes(box), 0, count(), visit);
  }

  /// Whether the box lies strictly inside of a rank's region: no other one meets it.
  bool inside(int rank, const Box& box) const;

 private:
  Box in_axes(const Box& box) const;

  template <class Visit>
  void visit_overlapping(const Box& box, int first, int last, Visit& visit) const {
    if (last - first == 1) {
      visit(first);
      return;
    }
    const int middle = middle_rank(first, last);
    const auto [d, at] = partition_.cuts[middle - 1];
    // What is left of the box on each side: next to nothing, where a region is empty.
    if (box.lower[d] <= at) {
      Box below = box;
      below.upper[d] = std::min(box.upper[d], at);
      visit_overlapping(below, first, middle, visit);
    }
    if (box.upper[d] > at) {
      Box above = box;
      above.lower[d] =
          std::max(box.lower[d], std::nextafter(at, std::numeric_limits<double>::infinity()));
      visit_overlapping(above, middle, last, visit);
    }
  }

  Partition partition_;
  bool turned_;  // axes are not those of space
};

}  // namespace solfec
