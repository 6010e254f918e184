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

double Goal::time_left() const {
  return std::chrono::duration<double>(deadline_ - Clock::now()).count();
}

double Goal::share(const LocalDynamics& p, int row, const Vec3& U, const Vec3& R) const {
  if (by_error_) return natural_map_share(p, row, U, R);
  return merit_share(p, row, U, R);
}

double Goal::of_sum(double sum) const { return (by_error_ ? std::sqrt(sum) : sum) / scale_; }

double Goal::error(double figure) const { return by_error_ ? figure : std::sqrt(figure); }

double Goal::figure(const LocalDynamics& p, LocalSolution& s) const {
  if (by_error_) return of_sum(communicator_.sum(natural_map_sum(p, s)));
  return merit(p, s, scale_, communicator_);
}

bool Goal::is_late() const { return by_error_ && communicator_.any(Clock::now() > deadline_); }

}  // namespace solfec
