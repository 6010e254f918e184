// Tables of results in memory: named columns of numbers with as many rows each.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "output/number_type.hpp"

namespace solfec {

/// Numbers of one of the types that results hold, in the order of NumberType.
using Numbers =
    std::variant<std::vector<double>, std::vector<std::int32_t>, std::vector<std::uint32_t>,
                 std::vector<std::int64_t>, std::vector<std::uint8_t>>;

struct Column {
  const char* path;   ///< in a file
  std::size_t width;  ///< numbers in a row
  const char* unit;
  const char* meaning;
  Numbers numbers;

  NumberType type() const { return static_cast<NumberType>(numbers.index()); }
  /// How many numbers it holds.
  std::size_t size() const {
    return std::visit([](const auto& n) { return n.size(); }, numbers);
  }
};

/// The tables of results. Rows of the second group belong to rows of another table, which says how
/// many of them are its own.
enum class TableId : std::uint8_t {
  frame,
  layout,
  cut,
  configuration,
  velocity,
  position,
  energy,
  constraint,
  bond,
  definition,
  label,
  volume_material,
  solid,
  solid_point,
  solid_real,
  solid_integer,
  load,
  load_series,
  joint,
  joint_series,
  across,
  across_series
};
inline constexpr std::size_t kTables = 22;

struct Table {
  std::vector<Column> columns;
  // Of a table whose rows belong to rows of another one: that table, and its column of counts
  TableId owner = TableId::frame;
  const char* counts = nullptr;

  /// Removes all rows, keeps the memory.
  void clear() {
    for (Column& column : columns)
      std::visit([](auto& numbers) { numbers.clear(); }, column.numbers);
  }
  /// By its first column; all have as many, unless a file says otherwise.
  std::size_t rows() const {
    return columns.empty() ? 0 : columns.front().size() / columns.front().width;
  }
};

}  // namespace solfec
