#include "simulation/recent_rate.hpp"

#include <algorithm>
#include <cmath>

namespace solfec {

void RecentRate::look(double time, double value) {
  const double passed = time - time_;
  if (!(passed > 0)) return;
  constexpr double kMemory = 0.2;  // of the time since the start
  // Weight of what has passed by now:  1 - exp (-passed / memory);  all of it at first.
  const double weight = time_ == 0 ? 1 : 1 - std::exp(-passed / (kMemory * time));
  rate_ += weight * ((value - value_) / passed - rate_);
  time_ = time;
  value_ = value;
}

}  // namespace solfec
