// A block that slides or sticks on a plane, by Coulomb's law with one coefficient of friction.
#pragma once

#include <algorithm>
#include <cmath>

namespace solfec::solutions {

/// A block put at rest on a plane inclined by `angle`:  x'' = g (sin a - mu cos a), or 0 when
/// tan a <= mu.
struct InclinedPlane {
  double angle, friction, gravity;

  double acceleration() const {
    return gravity * std::max(0.0, std::sin(angle) - friction * std::cos(angle));
  }
  double normal_force(double mass) const { return mass * gravity * std::cos(angle); }
};

/// A block put at rest on a level belt of speed v:  x'' = mu g until it is as fast as the belt.
struct ConveyorBelt {
  double speed, friction, gravity;

  double sliding_time() const { return speed / (friction * gravity); }
  double velocity_at(double t) const { return std::min(speed, friction * gravity * t); }
  double position_at(double t) const {
    const double s = std::min(t, sliding_time());
    return 0.5 * friction * gravity * s * s + speed * (t - s);
  }
};

/// A block thrown along a level plane stops after v^2 / (2 mu g).
inline double stopping_distance(double speed, double friction, double gravity) {
  return speed * speed / (2 * friction * gravity);
}

}  // namespace solfec::solutions
