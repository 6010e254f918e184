// Impacts of balls, by the laws of Newton (restitution) and Coulomb (friction).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/vector.hpp"

namespace solfec::solutions {

/// Velocities of two balls on a line after an impact:  v1' - v2' = -e (v1 - v2)  with the momentum
/// kept (Newton, Principia, scholium to the laws).
inline std::array<double, 2> central_impact(double m1, double v1, double m2, double v2, double e) {
  const double mean = (m1 * v1 + m2 * v2) / (m1 + m2), approach = v1 - v2;
  return {mean - e * m2 / (m1 + m2) * approach, mean + e * m1 / (m1 + m2) * approach};
}

/// A ball of speed v hits the first of n - 1 equal balls that rest in a row and touch. Newton's law
/// is asked of every touching pair at once:  U_N + e min(V_N, 0) >= 0, with equality where they
/// press on each other. Pairs at rest stay together, so that the row moves as one body of mass
/// (n - 1) m: the first ball gets  v (1 - e (n - 1)) / n,  all others  v (1 + e) / n.  Momentum is
/// kept; energy is kept when e = 1. (Of real cradles only the last ball flies off: there the
/// impacts run through the row one after another, as they do here when the balls have gaps.)
struct TouchingRow {
  int count;
  double speed, restitution;

  double first() const { return speed * (1 - restitution * (count - 1)) / count; }
  double others() const { return speed * (1 + restitution) / count; }
};

/// A ball of radius r and mass m with velocity v and spin w hits a plane of normal n. The normal
/// impulse is  P_N = -(1 + e) m v_N;  the point of contact, of velocity U = v - r w x n, comes to
/// rest by the tangential impulse  P_T = -(2 / 7) m U_T  where friction allows it, otherwise it
/// slides all through the impact with P_T = -mu P_N U_T / |U_T|  (Goldsmith, Impact, chapter 2).
struct ObliqueImpact {
  double mass, radius, restitution, friction;
  Vec3 normal, velocity, spin;

  Vec3 slip() const {
    const Vec3 U = velocity - radius * spin.cross(normal);
    return U - U.dot(normal) * normal;
  }
  double normal_impulse() const { return -(1 + restitution) * mass * velocity.dot(normal); }
  bool sticks() const { return 2.0 / 7.0 * mass * slip().norm() <= friction * normal_impulse(); }
  Vec3 impulse() const {
    const Vec3 U = slip();
    const double size = sticks() ? 2.0 / 7.0 * mass : friction * normal_impulse() / U.norm();
    return normal_impulse() * normal - size * U;
  }
  Vec3 velocity_after() const { return velocity + impulse() / mass; }
  Vec3 spin_after() const {
    const double inertia = 0.4 * mass * radius * radius;
    return spin + (-radius * normal).cross(impulse()) / inertia;
  }
};

/// A point mass m hits, at speed v, a spring s and a damper d that push only:  m x'' = -s x - d x'
/// from the first touch until the force is back at zero.
struct DampedImpact {
  double mass, spring, dashpot, speed;

  double omega() const { return std::sqrt(spring / mass); }
  double damping_ratio() const { return dashpot / (2 * std::sqrt(spring * mass)); }  // below 1
  double damped_omega() const {
    const double z = damping_ratio();
    return omega() * std::sqrt(1 - z * z);
  }
  /// Of contact: half a period without damping; with it the force vanishes where
  /// tan(w_d t) = 2 z sqrt(1 - z^2) / (2 z^2 - 1).
  double duration() const {
    const double z = damping_ratio();
    return std::atan2(2 * z * std::sqrt(1 - z * z), 2 * z * z - 1) / damped_omega();
  }
  double depth_at(double t) const {
    const double w = damped_omega();
    return speed / w * std::exp(-damping_ratio() * omega() * t) * std::sin(w * t);
  }
  double velocity_at(double t) const {
    const double w = damped_omega(), c = damping_ratio() * omega();
    return speed * std::exp(-c * t) * (std::cos(w * t) - c / w * std::sin(w * t));
  }
  double rebound_speed() const { return -velocity_at(duration()); }
};

}  // namespace solfec::solutions
