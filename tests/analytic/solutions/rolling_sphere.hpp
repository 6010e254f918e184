// A solid sphere thrown along a level plane.
#pragma once

#include <algorithm>

namespace solfec::solutions {

/// Starts with speed v0 and spin w0 about the level axis across it, positive where it rolls along.
/// Friction mu m g acts on the point of contact until it is at rest, v = r w; the angular momentum
/// about a line of the plane is kept:  v = (5 v0 + 2 r w0) / 7  (Coriolis, 1835).
struct RollingSphere {
  double radius, speed, spin, friction, gravity;

  double rolling_speed() const { return (5 * speed + 2 * radius * spin) / 7; }
  double sliding_time() const {
    return 2.0 / 7.0 * std::abs(speed - radius * spin) / (friction * gravity);
  }
  double speed_at(double t) const {
    const double s = std::min(1.0, t / sliding_time());
    return speed + s * (rolling_speed() - speed);
  }
  double spin_at(double t) const {
    const double s = std::min(1.0, t / sliding_time());
    return spin + s * (rolling_speed() / radius - spin);
  }
  double position_at(double t) const {
    const double s = std::min(t, sliding_time());
    return 0.5 * (speed + speed_at(s)) * s + rolling_speed() * (t - s);
  }
};

}  // namespace solfec::solutions
