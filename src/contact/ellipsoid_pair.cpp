#include "contact/ellipsoid_pair.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/decompositions.hpp"
#include "math/line_search.hpp"

namespace solfec {
namespace {

constexpr double kPi = std::numbers::pi;

struct Tangent {
  Vec3 a, b;
};

// Two unit vectors that complete n to an orthonormal triple (Duff et al. 2017, without the branch
// on the sign being a discontinuity that matters here: only the plane is used).
Tangent tangent_plane(const Vec3& n) {
  const double sign = std::copysign(1.0, n.z());
  const double p = -1 / (sign + n.z()), q = n.x() * n.y() * p;
  return {{1 + sign * n.x() * n.x() * p, sign * q, -sign * n.x()},
          {q, sign + n.y() * n.y() * p, -n.y()}};
}

}  // namespace

std::optional<ContactPoint> ball_ball(const Ball& first, const Ball& second, double tolerance) {
  const Vec3 d = first.center - second.center;
  const double reach = first.radius + second.radius + tolerance;
  const double square = d.squaredNorm();
  if (square > reach * reach) return std::nullopt;
  const double distance = std::sqrt(square);
  ContactPoint c;
  c.normal = distance > 0 ? Vec3(d / distance) : Vec3::UnitZ();
  c.gap = distance - first.radius - second.radius;
  // Midway between the two surface points.
  c.point = second.center + (second.radius + 0.5 * c.gap) * c.normal;
  // Circle in which the two surfaces meet; the smaller one's disc when it is inside the other.
  const double small = std::min(first.radius, second.radius);
  const double along =
      (square + second.radius * second.radius - first.radius * first.radius) / (2 * distance);
  const double rim = second.radius * second.radius - along * along;
  c.area = distance <= std::abs(first.radius - second.radius) ? kPi * small * small
                                                              : kPi * std::max(rim, 0.0);
  return c;
}

const std::array<Vec3, 26>& spread_directions() {
  static const std::array<Vec3, 26> directions = [] {
    std::array<Vec3, 26> d;
    int k = 0;
    for (int x = -1; x <= 1; x++)
      for (int y = -1; y <= 1; y++)
        for (int z = -1; z <= 1; z++)
          if (x || y || z) d[k++] = Vec3(x, y, z).normalized();
    return d;
  }();
  return directions;
}

double cap_area(const EllipsoidView& ellipsoid, const Vec3& n, double depth) {
  const double h = ellipsoid.height(n);
  const double s = std::max(0.0, 1 - std::max(0.0, depth) / h);
  return kPi * std::abs(ellipsoid.map.determinant()) / h * (1 - s * s);
}

double SupportGap::gap(const Vec3& n) const {
  double g = offset_.dot(n);
  for (int k = 0; k < count_; k++) g -= std::sqrt(n.dot(shape_[k] * n));
  return g;
}

SupportGap::Value SupportGap::value(const Vec3& n) const {
  Value v{offset_.dot(n), offset_, Mat3::Zero()};
  for (int k = 0; k < count_; k++) {
    const Vec3 Sn = shape_[k] * n;
    const double h = std::sqrt(n.dot(Sn));
    v.gap -= h;
    v.gradient -= Sn / h;
    v.curvature += (shape_[k] - Sn * Sn.transpose() / (h * h)) / h;
  }
  return v;
}

Vec3 SupportGap::ascent(const Vec3& n, const Value& at) const {
  constexpr double kStationary = 1e-13;  // of the scale of gaps
  constexpr double kLeastBend = 1e-3;    // of its size, where it is none
  const Tangent t = tangent_plane(n);
  const Vec2 slope(t.a.dot(at.gradient), t.b.dot(at.gradient));
  // The gap is stationary: an error d in n changes it by d^2 only.
  if (slope.norm() <= kStationary * scale(at)) return Vec3::Zero();
  // (K + g I) d = slope on the tangent plane, shifted to be positive definite.
  const Vec3 Ka = at.curvature * t.a, Kb = at.curvature * t.b;
  const double aa = t.a.dot(Ka) + at.gap, bb = t.b.dot(Kb) + at.gap, ab = t.a.dot(Kb);
  const double mean = 0.5 * (aa + bb);
  const double spread = std::sqrt(0.25 * (aa - bb) * (aa - bb) + ab * ab);
  const double least = mean - spread, most = mean + spread;
  const double floor = kLeastBend * std::max(std::abs(most), std::abs(at.gap));
  const double shift = least < floor ? floor - least : 0.0;
  const double det = (aa + shift) * (bb + shift) - ab * ab;
  Vec2 d((slope.x() * (bb + shift) - slope.y() * ab) / det,
         (slope.y() * (aa + shift) - slope.x() * ab) / det);
  constexpr double kLongest = 0.5;
  if (d.norm() > kLongest) d *= kLongest / d.norm();
  return d.x() * t.a + d.y() * t.b;
}

Vec3 SupportGap::climb(Vec3 n, double enough) const {
  constexpr double kLastStep = 1e-7;  // angle
  constexpr double kNoise = 1e-15;    // of the scale of gaps
  constexpr double kShortest = 1e-6;  // part of a step
  Value at = value(n);
  for (int iteration = 0; iteration < 60; iteration++) {
    if (at.gap > enough) return n;
    const Vec3 d = ascent(n, at);
    // The last step needs no check: its own error is of the order of its square.
    if (d.norm() < kLastStep) return (n + d).normalized();
    const double promise = at.gradient.dot(d), noise = kNoise * scale(at);
    double length = 1;
    Vec3 next = (n + d).normalized();
    Value there = value(next);
    while (there.gap < at.gap + kSufficientChange * length * promise - noise) {
      length *= 0.5;
      if (length < kShortest) return n;
      next = (n + length * d).normalized();
      there = value(next);
    }
    n = next;
    at = there;
  }
  return n;
}

Vec3 SupportGap::widest(Vec3 n, double enough, double thickness) const {
  n = climb(n, enough);
  double most = gap(n);
  if (-most <= kDeep * thickness) return n;
  constexpr double kDeeper = 1e-12;  // of the thickness
  for (const Vec3& start : spread_directions()) {
    const Vec3 other = climb(start, enough);
    const double value = gap(other);
    if (value > most + kDeeper * thickness) {
      n = other;
      most = value;
    }
  }
  return n;
}

std::optional<ContactPoint> ellipsoid_ellipsoid(const EllipsoidView& first,
                                                const EllipsoidView& second, double tolerance) {
  // Always searched in one order, so that an exchange flips the normal and changes nothing else.
  if (std::ranges::lexicographical_compare(second.center, first.center)) {
    auto c = ellipsoid_ellipsoid(second, first, tolerance);
    if (c) c->normal = -c->normal;
    return c;
  }
  const Vec3 d = first.center - second.center;
  const SupportGap function(d, first, second);
  // Normal of the contact function of Perram and Wertheim at its mid parameter: exact for equal
  // touching ellipsoids, close for others.
  const Mat3 sum = first.map * first.map.transpose() + second.map * second.map.transpose();
  Vec3 n = solve_definite(sum, d);
  n = n.norm() > 0 ? Vec3(n.normalized()) : Vec3::UnitZ();
  n = function.widest(n, tolerance, std::min(first.thickness(), second.thickness()));
  const double gap = function.gap(n);
  if (gap > tolerance) return std::nullopt;

  ContactPoint c;
  c.normal = n;
  c.gap = gap;
  c.point = 0.5 * (first.center - first.support(n) + second.center + second.support(n));
  // Caps that share the depth so that their sections are equal, to first order in the depth.
  const double k1 = std::abs(first.map.determinant()) / std::pow(first.height(n), 2);
  const double k2 = std::abs(second.map.determinant()) / std::pow(second.height(n), 2);
  c.area = std::min(cap_area(first, n, -gap * k2 / (k1 + k2)),
                    cap_area(second, n, -gap * k1 / (k1 + k2)));
  return c;
}

}  // namespace solfec
