#include "core/time_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "core/error.hpp"

namespace solfec {

TimeSeries::TimeSeries(double value) : times_{0.0}, values_{value} {}

TimeSeries::TimeSeries(std::vector<double> times, std::vector<double> values)
    : times_(std::move(times)), values_(std::move(values)) {
  DEMAND(times_.size() == values_.size());
  if (times_.size() < 2)
    throw value_error(fmt::format("a time series needs at least 2 points; got {}", times_.size()));
  for (std::size_t i = 0; i < times_.size(); i++) {
    if (!std::isfinite(times_[i]) || !std::isfinite(values_[i]))
      throw value_error(fmt::format("point {} of a time series is not finite: ({}, {})", i,
                                    times_[i], values_[i]));
    if (i > 0 && times_[i] <= times_[i - 1])
      throw value_error(
          fmt::format("times of a time series must be strictly increasing; point {} has t = {} "
                      "after t = {}",
                      i, times_[i], times_[i - 1]));
  }
}

double TimeSeries::value(double time) const {
  if (time <= times_.front()) return values_.front();
  if (time >= times_.back()) return values_.back();
  const std::size_t j = static_cast<std::size_t>(
      std::upper_bound(times_.begin(), times_.end(), time) - times_.begin());
  const double s = (time - times_[j - 1]) / (times_[j] - times_[j - 1]);
  return values_[j - 1] + s * (values_[j] - values_[j - 1]);
}

TimeSeries TimeSeries::derivative() const {
  const std::size_t n = times_.size();
  TimeSeries result;
  result.times_ = times_;
  result.values_.assign(n, 0.0);
  const auto slope = [&](std::size_t k) {
    return (values_[k + 1] - values_[k]) / (times_[k + 1] - times_[k]);
  };
  for (std::size_t k = 0; n > 1 && k < n; k++)
    result.values_[k] = k == 0       ? slope(0)
                        : k + 1 == n ? slope(k - 1)
                                     : 0.5 * (slope(k - 1) + slope(k));
  return result;
}

TimeSeries TimeSeries::integral() const {
  TimeSeries result;
  result.times_ = times_;
  result.values_.assign(1, 0.0);
  for (std::size_t k = 1; k < times_.size(); k++)
    result.values_.push_back(result.values_.back() +
                             0.5 * (times_[k] - times_[k - 1]) * (values_[k - 1] + values_[k]));
  return result;
}

TimeSeries read_time_series(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw value_error(fmt::format("cannot open the time series file '{}'", path));
  std::vector<double> times, values;
  std::string line;
  for (int number = 1; std::getline(file, line); number++) {
    std::istringstream columns(line.substr(0, line.find('#')));
    if ((columns >> std::ws).eof()) continue;  // blank or comment
    double time, value;
    std::string rest;
    if (columns >> time >> value && !(columns >> rest)) {
      times.push_back(time);
      values.push_back(value);
      continue;
    }
    throw value_error(
        fmt::format("line {} of '{}' must hold two numbers; got '{}'", number, path, line));
  }
  try {
    return {std::move(times), std::move(values)};
  } catch (const InputError& error) {
    throw value_error(fmt::format("'{}': {}", path, error.what()));
  }
}

}  // namespace solfec
