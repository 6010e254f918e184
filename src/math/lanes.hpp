// SIMD: the same operation on several numbers at once, one in each lane of a register.
#pragma once

#include <cmath>
#include <experimental/simd>

namespace solfec {

/// As many numbers as a register of the processor has room for.
using Lanes = std::experimental::native_simd<double>;
inline constexpr int kLanes = static_cast<int>(Lanes::size());

/// A number of its own in each lane; in number(lane) the lane is known when compiling.
template <class Number>
Lanes gather(Number&& number) {
  return Lanes([&](auto lane) { return number(static_cast<int>(lane)); });
}

/// A vector in each lane, or (with Real = double) one.
template <class Real>
struct VectorOf {
  Real x, y, z;
};

template <class Real>
VectorOf<Real> operator+(const VectorOf<Real>& a, const VectorOf<Real>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
VectorOf<Real> operator-(const VectorOf<Real>& a, const VectorOf<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

/// What comparisons of Real give: a truth in each lane.
template <class Real>
using MaskOf = decltype(Real() < Real());

/// In each lane one of two numbers.
template <class Real>
Real choose(const MaskOf<Real>& first, const Real& a, const Real& b) {
  Real result = b;
  std::experimental::where(first, result) = a;
  return result;
}

}  // namespace solfec
