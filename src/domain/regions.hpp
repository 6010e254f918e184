// The part of space of each rank.
#pragma once

#include "geometry/box.hpp"
#include "parallel/partitioner.hpp"

namespace solfec {

class Regions {
 public:
  Regions() = default;
  explicit Regions(const Partition& partition) : partition_(partition) {}

  int count() const { return static_cast<int>(partition_.boxes.size()); }
  int rank_of(const Vec3& point) const {
    const Vec3 x = axes() * point;
    for (int r = 0; r < count(); r++)
      if ((lower(r).array() < x.array()).all() && (x.array() <= upper(r).array()).all()) return r;
    return 0;
  }
  template <class Visit>
  void overlapping(const Box& box, Visit&& visit) const {
    const Vec3 center = axes() * box.center(), half = axes().cwiseAbs() * (0.5 * box.size());
    for (int r = 0; r < count(); r++)
      if (overlap({center - half, center + half}, {lower(r), upper(r)})) visit(r);
  }
  const Partition& partition() const { return partition_; }
  bool inside(int, const Box&) const { return false; }

 private:
  Mat3 axes() const {
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(partition_.axes.data());
  }
  Vec3 lower(int r) const { return Eigen::Map<const Vec3>(partition_.boxes[r].data()); }
  Vec3 upper(int r) const { return Eigen::Map<const Vec3>(partition_.boxes[r].data() + 3); }
  Partition partition_;
};

}  // namespace solfec
