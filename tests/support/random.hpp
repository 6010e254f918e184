// Random numbers, the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/vector.hpp"

namespace solfec::testing {

/// A generator whose numbers do not depend on the standard library (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  double uniform(double low, double high) { return low + (high - low) * unit(); }
  int integer(int low, int high) { return low + static_cast<int>(next() % (high - low + 1)); }
  Vec3 in_box(double half) {
    return {uniform(-half, half), uniform(-half, half), uniform(-half, half)};
  }
  Vec3 direction() {
    const double z = uniform(-1, 1), a = uniform(0, 2 * std::numbers::pi), r = std::sqrt(1 - z * z);
    return {r * std::cos(a), r * std::sin(a), z};
  }
  Mat3 rotation() {
    const Vec3 axis = direction();
    return Eigen::AngleAxisd(uniform(0, 2 * std::numbers::pi), axis).toRotationMatrix();
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  std::uint64_t state_;
};

}  // namespace solfec::testing
