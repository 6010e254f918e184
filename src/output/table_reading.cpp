#include "output/table_reading.hpp"

#include <fmt/format.h>

#include <numeric>

namespace solfec {
namespace {

struct Range {
  std::size_t begin = 0, end = 0;
};

// Rows that belong to those of an owner, by its column of counts.
Range owned_rows(const Hdf5Reader& file, const char* counts, Range owners) {
  const auto n = file.read<std::uint32_t>(counts, 1, 0, owners.end);
  const auto middle = n.begin() + static_cast<std::ptrdiff_t>(owners.begin);
  const std::size_t begin = std::accumulate(n.begin(), middle, std::size_t{0});
  return {begin, std::accumulate(middle, n.end(), begin)};
}

}  // namespace

void read_column(const Hdf5Reader& file, Column& column, std::size_t begin, std::size_t count) {
  std::visit(
      [&](auto& numbers) {
        using T = typename std::remove_cvref_t<decltype(numbers)>::value_type;
        numbers = file.read<T>(column.path, column.width, begin, count);
      },
      column.numbers);
}

void read_table(const Hdf5Reader& file, FrameData& data, TableId table) {
  auto& columns = data[table].columns;
  const auto rows_in = [&](const Column& c) { return file.rows(c.path, c.type(), c.width); };
  const std::size_t rows = rows_in(columns.front());
  for (Column& column : columns) {
    if (const std::size_t found = rows_in(column); found != rows)
      file.fail(
          fmt::format("'{}' has {} rows, '{}' {}", column.path, found, columns.front().path, rows));
    read_column(file, column, 0, rows);
  }
}

FrameData read_rows(const Hdf5Reader& file, TableId root, std::size_t begin, std::size_t end) {
  FrameData data;
  std::array<std::optional<Range>, kTables> ranges;
  ranges[static_cast<std::size_t>(root)] = {begin, end};
  for (std::size_t t = 0; t < kTables; t++) {  // owners come before what they own
    Table& table = data.tables[t];
    if (table.counts)
      if (const auto& owners = ranges[static_cast<std::size_t>(table.owner)])
        ranges[t] = owned_rows(file, table.counts, *owners);
    if (!ranges[t]) continue;
    for (Column& column : table.columns)
      read_column(file, column, ranges[t]->begin, ranges[t]->end - ranges[t]->begin);
  }
  return data;
}

}  // namespace solfec
