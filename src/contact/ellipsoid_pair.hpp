// Contact between balls and ellipsoids.
//
// For bodies with centres c, maps L (x = c + L s, |s| <= 1) and support heights h(n) = |L^T n|, the
// signed gap along a unit vector n pointing from the second to the first is
//
//   g(n) = (c1 - c2) . n - h1(n) - h2(n),
//
// and the gap of the pair is its largest value over all n: the distance when the two are apart,
// minus the penetration depth (the shortest translation that separates them) when they overlap.
// The maximum is found by Newton's method on the sphere. Any n with g(n) > 0 proves separation.
#pragma once

#include <optional>

#include "contact/contact_point.hpp"

namespace solfec {

struct Ball {
  Vec3 center;
  double radius;
};

/// { center + map s : |s| <= 1 }; the map may be any invertible matrix.
struct EllipsoidView {
  Vec3 center;
  Mat3 map;

  double height(const Vec3& n) const { return (map.transpose() * n).norm(); }
  /// A bound from below on the smallest semi-axis, within a factor of sqrt(3).
  double thickness() const { return 1 / map.inverse().norm(); }
  /// Support point along n, relative to the centre.
  Vec3 support(const Vec3& n) const {
    const Vec3 s = map.transpose() * n;
    return map * (s / s.norm());
  }
};

/// Contact when the gap is at most `tolerance`.
std::optional<ContactPoint> ball_ball(const Ball& first, const Ball& second, double tolerance);

std::optional<ContactPoint> ellipsoid_ellipsoid(const EllipsoidView& first,
                                                const EllipsoidView& second, double tolerance);

/// Area of the section at depth `depth` below the support plane with normal n.
double cap_area(const EllipsoidView& ellipsoid, const Vec3& n, double depth);

/// Overlaps deeper than this part of the thickness may have several local maxima of the gap.
inline constexpr double kDeep = 0.2;

/// Directions from which deep pairs are searched: axes, edges and diagonals of the cube.
const std::array<Vec3, 26>& spread_directions();

/// A smooth function  d . n - sum |L_k^T n|  of unit vectors, to be maximised: the gap between a
/// point or the surface of one convex body and others. One or two ellipsoids take part.
class SupportGap {
 public:
  SupportGap(const Vec3& offset, const EllipsoidView& first)
      : offset_(offset), shape_{first.map * first.map.transpose(), Mat3::Zero()}, count_(1) {}
  SupportGap(const Vec3& offset, const EllipsoidView& first, const EllipsoidView& second)
      : offset_(offset),
        shape_{first.map * first.map.transpose(), second.map * second.map.transpose()},
        count_(2) {}

  struct Value {
    double gap;
    Vec3 gradient;   ///< of the 1-homogeneous extension; its normal part is the gap itself
    Mat3 curvature;  ///< minus its Hessian: sum of K = (S - (S n)(S n)^T / h^2) / h
  };
  double gap(const Vec3& n) const;
  Value value(const Vec3& n) const;
  /// Newton step at n, a tangent vector along which the gap grows; zero at a stationary point.
  Vec3 ascent(const Vec3& n, const Value& at) const;

  /// Climbs from n to a local maximum; stops early once the gap exceeds `enough`.
  Vec3 climb(Vec3 n, double enough) const;
  /// The direction of the largest gap, near n or, for overlaps that are deep for this thickness,
  /// anywhere; some direction once the gap exceeds `enough`.
  Vec3 widest(Vec3 n, double enough, double thickness) const;

 private:
  /// Length against which slopes are small.
  double scale(const Value& at) const {
    return at.gradient.norm() + std::abs(at.gap) + offset_.norm();
  }

  Vec3 offset_;
  Mat3 shape_[2];
  int count_;
};

}  // namespace solfec
