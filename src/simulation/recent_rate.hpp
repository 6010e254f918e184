// The rate of something that grows, as of late.
#pragma once

namespace solfec {

/// Mean of the rate over the past, in which what is older than a fifth of the time since the start
/// counts less and less: a run that slows down as bodies meet is known to within some percents
/// before its first part is forgotten, and the few first seconds do not tell for ever.
class RecentRate {
 public:
  explicit RecentRate(double value) : value_(value) {}

  /// The value at a time [s] since the start, later than that of the call before.
  void look(double time, double value);
  /// Growth per second; 0 before the first look.
  double per_second() const { return rate_; }

 private:
  double time_ = 0, value_, rate_ = 0;
};

}  // namespace solfec
