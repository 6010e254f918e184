#include "output/fclib_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/regular_file.hpp"

namespace solfec {
namespace {

void fail_problem(const std::string& path, const std::string& what) {
  throw value_error(fmt::format("'{}' holds no problem that can be read: {}", path, what));
}

}  // namespace

Hdf5Reader FclibReader::open(const std::string& path) {
  if (const std::string reason = why_not_readable(path); !reason.empty())
    throw value_error(fmt::format("cannot read '{}': {}", path, reason));
  return Hdf5Reader(path, fail_problem);
}

std::int64_t FclibReader::integer(const std::string& name) const {
  const std::vector<std::int64_t> values = integers(name);
  if (values.size() != 1)
    fail(fmt::format("'{}' must be one integer; there are {}", name, values.size()));
  return values[0];
}

std::vector<double> FclibReader::reals(const std::string& name) const {
  std::vector<double> values = file_.numbers(prefix_ + name);
  for (double value : values)
    if (!std::isfinite(value)) fail(fmt::format("'{}' holds {:g}", name, value));
  return values;
}

std::vector<double> FclibReader::reals(const std::string& name, std::size_t size,
                                       const char* why) const {
  std::vector<double> values = reals(name);
  demand_size(name, values.size(), {size, why});
  return values;
}

std::string FclibReader::text(const std::string& name) const {
  return has(name) ? file_.text(prefix_ + name) : "";
}

void FclibReader::demand_size(const std::string& name, std::size_t size,
                              const Extent& wanted) const {
  if (size != wanted.size)
    fail(fmt::format("the size of '{}' must be {} ({}); it is {}", name, wanted.size, wanted.why,
                     size));
}

int FclibReader::index(std::int64_t value, std::size_t bound, const std::string& name) const {
  const auto size = static_cast<std::int64_t>(bound);
  if (value < 0 || value >= size)
    fail(fmt::format("'{}' must hold indices from 0 to {}; there is {}", name, size - 1, value));
  return static_cast<int>(value);
}

std::vector<MatrixEntry> FclibReader::matrix(const std::string& name, const Extent& rows,
                                             const Extent& columns) const {
  const auto demand_extent = [&](const std::string& extent, const Extent& wanted) {
    const std::int64_t given = integer(extent);
    if (given != static_cast<std::int64_t>(wanted.size))
      fail(fmt::format("'{}' must be {} ({}); it is {}", extent, wanted.size, wanted.why, given));
  };
  demand_extent(name + "/m", rows);
  demand_extent(name + "/n", columns);
  const std::int64_t nz = integer(name + "/nz");
  if (nz < -2)
    fail(
        fmt::format("'{}/nz' must be -2 (compressed rows), -1 (compressed columns) or the number "
                    "of triplets; it is {}",
                    name, nz));
  if (nz >= 0) return triplets(name, static_cast<std::size_t>(nz), rows.size, columns.size);
  return compressed(name, nz == -2, rows.size, columns.size);
}

std::vector<MatrixEntry> FclibReader::triplets(const std::string& name, std::size_t count,
                                               std::size_t rows, std::size_t columns) const {
  const std::vector<std::int64_t> p = integers(name + "/p"), i = integers(name + "/i");
  const std::vector<double> x = reals(name + "/x");
  if (count > std::min({p.size(), i.size(), x.size()}))
    fail(
        fmt::format("'{0}/p', '{0}/i' and '{0}/x' must have {1} entries ({0}/nz); they have {2}, "
                    "{3} and {4}",
                    name, count, p.size(), i.size(), x.size()));
  std::vector<MatrixEntry> result;
  for (std::size_t k = 0; k < count; k++)
    result.push_back({index(p[k], rows, name + "/p"), index(i[k], columns, name + "/i"), x[k]});
  return result;
}

std::vector<MatrixEntry> FclibReader::compressed(const std::string& name, bool by_rows,
                                                 std::size_t rows, std::size_t columns) const {
  const std::vector<std::int64_t> p = integers(name + "/p"), i = integers(name + "/i");
  const std::vector<double> x = reals(name + "/x");
  const std::size_t lines = by_rows ? rows : columns, across = by_rows ? columns : rows;
  const std::string why = name + (by_rows ? "/m + 1" : "/n + 1");
  demand_size(name + "/p", p.size(), {lines + 1, why.c_str()});
  if (p[0] != 0 || !std::ranges::is_sorted(p))
    fail(fmt::format("'{}/p' must start at 0 and not fall", name));
  if (p.back() > static_cast<std::int64_t>(std::min(i.size(), x.size())))
    fail(
        fmt::format("'{0}/i' and '{0}/x' must have {1} entries (the last of {0}/p); they have {2} "
                    "and {3}",
                    name, p.back(), i.size(), x.size()));
  std::vector<MatrixEntry> result;
  for (int line = 0; line < static_cast<int>(lines); line++)
    for (std::int64_t k = p[line]; k < p[line + 1]; k++) {
      const int other = index(i[k], across, name + "/i");
      result.push_back(by_rows ? MatrixEntry{line, other, x[k]} : MatrixEntry{other, line, x[k]});
    }
  return result;
}

}  // namespace solfec
