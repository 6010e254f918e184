// SIMD: the same operation on several numbers at once, one in each lane of a register.
#pragma once

#include <array>
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

template <class Real>
VectorOf<Real> operator*(const Real& a, const VectorOf<Real>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
template <class Real>
Real dot(const VectorOf<Real>& a, const VectorOf<Real>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Real>
VectorOf<Real> cross(const VectorOf<Real>& a, const VectorOf<Real>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Four numbers that follow each other in memory: x, y, z of a vector and one more.
using Quad = std::experimental::simd<double, std::experimental::simd_abi::deduce_t<double, 4>>;

inline Quad load_quad(const double* from) { return Quad(from, std::experimental::element_aligned); }
inline void store_quad(const Quad& q, double* to) {
  q.copy_to(to, std::experimental::element_aligned);
}

/// One quad for each lane.
using Quads = std::array<Quad, kLanes>;

// Calls of these would pass what is in registers through memory.

/// The transpose of four registers of four numbers, by shuffles.
template <class Register>
[[gnu::always_inline]] inline void transpose(std::array<Register, 4>& q) {
  using Vector [[gnu::vector_size(4 * sizeof(double))]] = double;
  Vector v[4];
  for (int k = 0; k < 4; k++)
    q[k].copy_to(reinterpret_cast<double*>(&v[k]), std::experimental::vector_aligned);
  const Vector even = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6);
  const Vector odd = __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
  const Vector next_even = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6);
  const Vector next_odd = __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
  v[0] = __builtin_shufflevector(even, next_even, 0, 1, 4, 5);
  v[1] = __builtin_shufflevector(odd, next_odd, 0, 1, 4, 5);
  v[2] = __builtin_shufflevector(even, next_even, 2, 3, 6, 7);
  v[3] = __builtin_shufflevector(odd, next_odd, 2, 3, 6, 7);
  for (int k = 0; k < 4; k++)
    q[k].copy_from(reinterpret_cast<const double*>(&v[k]), std::experimental::vector_aligned);
}

/// x, y and z of the quads, which become those of the lanes.
template <std::size_t lanes = kLanes>
[[gnu::always_inline]] inline VectorOf<Lanes> lanes_of(std::array<Quad, lanes> q) {
  if constexpr (lanes == 4) {
    transpose(q);
    return {q[0], q[1], q[2]};
  } else {
    const auto part = [&](int k) { return gather([&](int lane) { return q[lane][k]; }); };
    return {part(0), part(1), part(2)};
  }
}

/// The other way; the fourth number of each quad is zero.
template <std::size_t lanes = kLanes>
[[gnu::always_inline]] inline std::array<Quad, lanes> quads_of(const VectorOf<Lanes>& v) {
  if constexpr (lanes == 4) {
    std::array<Quad, lanes> q{v.x, v.y, v.z, 0.0};
    transpose(q);
    return q;
  } else {
    std::array<Quad, lanes> q;
    for (std::size_t lane = 0; lane < lanes; lane++) {
      q[lane] = 0.0;
      q[lane][0] = v.x[lane];
      q[lane][1] = v.y[lane];
      q[lane][2] = v.z[lane];
    }
    return q;
  }
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
