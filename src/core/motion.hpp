// A motion along a line, prescribed by a time series of its displacement, velocity or acceleration.
#pragma once

#include <cstdint>

#include "core/time_series.hpp"

namespace solfec {

/// Exact integrals of the piecewise linear series, which holds its end values outside of its times.
/// Displacement and velocity that come from integration are zero at its first time; a constant is a
/// series that starts at time zero.
class Motion {
 public:
  enum class Given : std::uint8_t { displacement, velocity, acceleration };

  Motion() = default;
  /// `window` > 0: of a displacement, the interval about a time over which its velocity is a mean
  /// [s]. Slopes jump at the points of a series. Where these are as near to each other as steps,
  /// the slope at the end of a step would jump with where it lies between them.
  Motion(Given given, TimeSeries series, double window = 0);

  double displacement(double time) const;
  double velocity(double time) const;

  Given given() const { return given_; }
  double window() const { return window_; }
  const TimeSeries& series() const { return series_; }

  template <class Archive>
  friend void visit_fields(Archive& archive, Motion& m) {
    archive(m.given_, m.series_, m.window_, m.velocity_, m.displacement_);
  }

 private:
  // Acceleration and its change rate, velocity and displacement at the point before `time`.
  struct Piece {
    double after = 0;  // time since that point
    double d = 0, v = 0, a = 0, rate = 0;
  };
  Piece piece(double time) const;

  Given given_ = Given::velocity;
  TimeSeries series_;
  double window_ = 0;
  std::vector<double> velocity_,
      displacement_;  // at the points of the series, as far as integrated
};

}  // namespace solfec
