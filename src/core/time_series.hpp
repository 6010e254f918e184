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

  /// A series with the same times whose values are the slopes, the mean of both sides at inner
  /// points; zero for a constant.
  TimeSeries derivative() const;
  /// The exact integral at the same times, zero at the first one (its end values are held, too).
  TimeSeries integral() const;

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
