// Volume integrals over solids, exact for every kind: V = int dx, int x dx, int x x^T dx.
#pragma once

#include "core/vector.hpp"

namespace solfec {

/// Moments of a solid about a reference point.
struct Moments {
  double volume = 0;           ///< [m^3]
  Vec3 first = Vec3::Zero();   ///< int (x - reference) dx [m^4]
  Mat3 second = Mat3::Zero();  ///< int (x - reference)(x - reference)^T dx [m^5]

  Moments& operator+=(const Moments& other) {
    volume += other.volume;
    first += other.first;
    second += other.second;
    return *this;
  }
};

/// Of a solid with a centre of mass and a second moment about that.
inline Moments moments_about(const Vec3& reference, double volume, const Vec3& center,
                             const Mat3& central) {
  const Vec3 d = center - reference;
  return {volume, volume * d, central + volume * d * d.transpose()};
}

}  // namespace solfec
