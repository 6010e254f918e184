// A piecewise linear function of time.
#pragma once

#include <string>
#include <vector>

namespace solfec {

/// Linear interpolation between points (t_i, v_i), t_i strictly increasing; the end values are held
/// outside of [t_0, t_n]. A constant is a series of one point.
class TimeSeries {
 public:
  /// A constant function.
  explicit TimeSeries(double value = 0.0);
  /// Throws InputError unless there are two points or more with finite, strictly increasing times.
  TimeSeries(std::vector<double> times, std::vector<double> values);

  double value(double time) const;

  const std::vector<double>& times() const { return times_; }
  const std::vector<double>& values() const { return values_; }

  template <class Archive>
  friend void visit_fields(Archive& archive, TimeSeries& series) {
    archive(series.times_, series.values_);
  }

 private:
  std::vector<double> times_, values_;
};

/// Reads two columns "t v" per line; '#' starts a comment. Throws InputError naming file and line.
TimeSeries read_time_series(const std::string& path);

}  // namespace solfec
