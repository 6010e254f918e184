#include "core/time_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "core/regular_file.hpp"

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

namespace {

// For messages. Of a line of a file, which may be anything: its beginning, in printable ASCII.
std::string shortened_line(std::string line) {
  constexpr std::size_t kLongest = 60;
  const bool cut = line.size() > kLongest;
  line.resize(std::min(line.size(), kLongest));
  for (char& c : line)
    if (c < ' ' || c > '~') c = c == '\t' || c == '\r' ? ' ' : '?';
  return cut ? line + "..." : line;
}

// Of a path, which is UTF-8: its end, of whole characters.
std::string shortened_path(std::string path) {
  constexpr std::size_t kLongest = 200;
  for (char& c : path)
    if ((c >= 0 && c < ' ') || c == 0x7F) c = '?';
  if (path.size() <= kLongest) return path;
  std::size_t start = path.size() - kLongest;
  while (start < path.size() && (static_cast<unsigned char>(path[start]) & 0xC0) == 0x80) start++;
  return "..." + path.substr(start);
}

}  // namespace

TimeSeries read_time_series(const std::string& path) {
  const std::string name = shortened_path(path);
  if (const std::string reason = why_not_readable(path); !reason.empty())
    throw value_error(fmt::format("cannot read the time series file '{}': {}", name, reason));
  std::ifstream file(path);
  std::vector<double> times, values;
  std::string line;
  for (int number = 1; std::getline(file, line); number++) {
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // of Excel, Notepad
    std::istringstream columns(line.substr(0, line.find('#')));
    if ((columns >> std::ws).eof()) continue;  // blank or comment
    double time, value;
    std::string rest;
    if (columns >> time >> value && !(columns >> rest)) {
      times.push_back(time);
      values.push_back(value);
      continue;
    }
    throw value_error(fmt::format("line {} of '{}' must hold two numbers; got '{}'", number, name,
                                  shortened_line(line)));
  }
  try {
    return {std::move(times), std::move(values)};
  } catch (const InputError& error) {
    throw value_error(fmt::format("'{}': {}", name, error.what()));
  }
}

}  // namespace solfec
