#include "solver/goal.hpp"

#include <cmath>

#include "local_dynamics/natural_map.hpp"

namespace solfec {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

Goal::Goal(double merit_value, const std::optional<ErrorTarget>& target, const LocalDynamics& p,
           const Communicator& communicator)
    : communicator_(communicator),
      by_error_(target.has_value()),
      value_(target ? target->error : merit_value),
      scale_(target ? natural_map_scale(p, communicator) : merit_scale(p, communicator)),
      deadline_(target ? target->deadline() : Clock::time_point::max()) {}

double Goal::needed_decrease(double figure) const {
  return by_error_ ? value_ / figure : std::sqrt(value_ / figure);  // the merit is a square
}

double Goal::time_left() const {
  return std::chrono::duration<double>(deadline_ - Clock::now()).count();
}

double Goal::measure(const LocalDynamics& p, LocalSolution& s, Channel& channel) const {
  refresh(p.halo, channel, s.R);
  update_velocities(p, s);
  return figure(p, s);
}

double Goal::figure(const LocalDynamics& p, LocalSolution& s) const {
  if (by_error_) return std::sqrt(communicator_.sum(natural_map_sum(p, s))) / scale_;
  return merit(p, s, scale_, communicator_);
}

bool Goal::is_late() const { return by_error_ && communicator_.any(Clock::now() > deadline_); }

}  // namespace solfec
