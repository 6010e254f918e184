// A body in free flight.
#pragma once

#include <cmath>

#include "core/vector.hpp"

namespace solfec::solutions {

/// m x'' = m g (Galilei).
struct Projectile {
  Vec3 position, velocity, gravity;

  Vec3 position_at(double t) const { return position + t * velocity + 0.5 * t * t * gravity; }
  Vec3 velocity_at(double t) const { return velocity + t * gravity; }
};

/// x'' = a cos(omega t), from rest at 0: integrated twice.
struct HarmonicForcing {
  double acceleration, omega;

  double position_at(double t) const {
    return acceleration / (omega * omega) * (1 - std::cos(omega * t));
  }
  double velocity_at(double t) const { return acceleration / omega * std::sin(omega * t); }
};

/// x'' = j t, from rest at 0: integrated twice. A step that takes the force at its middle has exact
/// velocities, and positions that run ahead by j h^3 / 12 each step, so by j t h^2 / 12 in all.
struct RampForcing {
  double jerk;

  double position_at(double t) const { return jerk * t * t * t / 6; }
  double velocity_at(double t) const { return jerk * t * t / 2; }
  double midpoint_position_at(double t, double h) const {
    return position_at(t) + jerk * t * h * h / 12;
  }
};

}  // namespace solfec::solutions
