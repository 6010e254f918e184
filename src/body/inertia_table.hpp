// What the integrators need of the inertia of all bodies. Granular matter is many equal bodies:
// these share one entry.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/vector.hpp"

namespace solfec {

/// What the integrators need of a body's inertia, ready for use.
struct Inertia {
  double inverse_mass = 0;
  Mat3 tensor = Mat3::Zero(), inverse = Mat3::Zero();  ///< reference tensor and its inverse
  Mat3 inverse_root = Mat3::Zero();                    ///< symmetric square root of the inverse
};

class InertiaTable {
 public:
  const Inertia& operator[](int i) const { return entries_[entry_[i]]; }
  int entries() const { return static_cast<int>(entries_.size()); }

  /// A body without inertia.
  void add() { entry_.push_back(kNone); }
  void set(int i, const Inertia& inertia) {
    entry_[i] = place_of(inertia);
    if (entries_.size() > 2 * entry_.size() + kRecent) drop_unused();
  }
  /// The first bodies only.
  void resize(int count) { entry_.resize(count); }
  /// The bodies in `order`, in that order.
  void take(const std::vector<int>& order) {
    std::vector<int> taken;
    taken.reserve(order.size());
    for (int i : order) taken.push_back(entry_[i]);
    entry_ = std::move(taken);
    drop_unused();
  }

 private:
  static constexpr std::size_t kRecent = 16;  // entries that a new one is compared with
  static constexpr int kNone = 0;             // the first entry: no inertia

  // To the last bit.
  static bool equal(const Inertia& a, const Inertia& b) {
    static_assert(sizeof(Inertia) == 28 * sizeof(double));
    return std::memcmp(&a, &b, sizeof(Inertia)) == 0;
  }
  int place_of(const Inertia& inertia) {
    for (std::size_t back = 1; back <= std::min(kRecent, entries_.size()); back++)
      if (equal(entries_[entries_.size() - back], inertia))
        return static_cast<int>(entries_.size() - back);
    entries_.push_back(inertia);
    return entries() - 1;
  }
  void drop_unused() {
    std::vector<int> place(entries_.size(), -1);
    place[kNone] = kNone;
    std::vector<Inertia> used(1);
    for (int& entry : entry_) {
      if (place[entry] < 0) {
        place[entry] = static_cast<int>(used.size());
        used.push_back(entries_[entry]);
      }
      entry = place[entry];
    }
    entries_ = std::move(used);
  }

  std::vector<int> entry_;  // by body
  std::vector<Inertia> entries_ = std::vector<Inertia>(1);
};

}  // namespace solfec
