#include "core/motion.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace solfec {

Motion::Motion(Given given, TimeSeries series, double window)
    : given_(given), series_(std::move(series)), window_(window) {
  DEMAND(given_ != Given::displacement || window_ > 0);
  const auto &t = series_.times(), &x = series_.values();
  if (given_ == Given::displacement) return;
  if (given_ == Given::acceleration) velocity_.assign(1, 0.0);
  displacement_.assign(1, 0.0);
  for (std::size_t k = 1; k < t.size(); k++) {
    const double s = t[k] - t[k - 1];
    if (given_ == Given::velocity) {
      displacement_.push_back(displacement_.back() + 0.5 * s * (x[k - 1] + x[k]));
      continue;
    }
    displacement_.push_back(displacement_.back() + s * velocity_.back() +
                            s * s * (2 * x[k - 1] + x[k]) / 6);
    velocity_.push_back(velocity_.back() + 0.5 * s * (x[k - 1] + x[k]));
  }
}

Motion::Piece Motion::piece(double time) const {
  const auto &t = series_.times(), &x = series_.values();
  // Before the first point as after it, with the value held.
  const auto next = std::ranges::upper_bound(t, time);
  const std::size_t k = next == t.begin() ? 0 : static_cast<std::size_t>(next - t.begin()) - 1;
  const bool inside = next != t.begin() && next != t.end();
  const double slope = inside ? (x[k + 1] - x[k]) / (t[k + 1] - t[k]) : 0.0;
  Piece p;
  p.after = time - t[k];
  p.d = displacement_[k];
  if (given_ == Given::velocity) {
    p.v = x[k];
    p.a = slope;
  } else {
    p.v = velocity_[k];
    p.a = x[k];
    p.rate = slope;
  }
  return p;
}

double Motion::displacement(double time) const {
  if (given_ == Given::displacement) return series_.value(time);
  const Piece p = piece(time);
  return p.d + p.after * (p.v + p.after * (p.a / 2 + p.after * p.rate / 6));
}

double Motion::velocity(double time) const {
  if (given_ == Given::displacement)
    return (displacement(time + window_ / 2) - displacement(time - window_ / 2)) / window_;
  const Piece p = piece(time);
  return p.v + p.after * (p.a + p.after * p.rate / 2);
}

}  // namespace solfec
