// Axis-aligned boxes.
#pragma once

#include <limits>

#include "core/vector.hpp"

namespace solfec {

struct Box {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 upper = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void extend(const Vec3& point) {
    lower = lower.cwiseMin(point);
    upper = upper.cwiseMax(point);
  }
  void extend(const Box& box) {
    lower = lower.cwiseMin(box.lower);
    upper = upper.cwiseMax(box.upper);
  }
  void grow(double margin) {
    lower.array() -= margin;
    upper.array() += margin;
  }
  Vec3 center() const { return 0.5 * (lower + upper); }
  Vec3 size() const { return upper - lower; }
};

inline bool overlap(const Box& a, const Box& b) {
  return a.lower.x() <= b.upper.x() && b.lower.x() <= a.upper.x() && a.lower.y() <= b.upper.y() &&
         b.lower.y() <= a.upper.y() && a.lower.z() <= b.upper.z() && b.lower.z() <= a.upper.z();
}

}  // namespace solfec
