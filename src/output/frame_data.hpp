// The tables of a batch of frames. What a row of each consists of is said once, in a function
// columns(archive, row) beside the type of the row (result_rows.hpp); listing, writing and reading
// all go through it.
#pragma once

#include <array>
#include <concepts>
#include <cstring>
#include <type_traits>

#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/vector.hpp"
#include "output/table.hpp"

namespace solfec {

/// Consecutive frames. Where rows of a frame begin follows from counts, so that batches join by
/// plain concatenation.
struct FrameData {
  std::array<Table, kTables> tables;

  /// All tables, with their columns and without rows.
  FrameData();

  Table& operator[](TableId id) { return tables[static_cast<std::size_t>(id)]; }
  const Table& operator[](TableId id) const { return tables[static_cast<std::size_t>(id)]; }

  /// Of the column of that name; T is the type of its numbers.
  template <class T>
  std::vector<T>& numbers(const char* path) {
    return std::get<std::vector<T>>(column(path).numbers);
  }
  template <class T>
  const std::vector<T>& numbers(const char* path) const {
    return std::get<std::vector<T>>(const_cast<FrameData&>(*this).column(path).numbers);
  }
  Column& column(const std::string& path);

  template <class Visit>
  void visit_columns(Visit&& visit) {
    for (Table& table : tables)
      for (Column& column : table.columns) visit(column);
  }
  template <class Visit>
  void visit_columns(Visit&& visit) const {
    for (const Table& table : tables)
      for (const Column& column : table.columns) visit(column);
  }

  void clear();  ///< Removes all rows, keeps the memory.
  std::size_t bytes() const;
  /// Adds the rows of `next`, whose frames follow.
  void append(const FrameData& next);
};

/// The last value of an enumeration that results hold, as a number of eight bits.
template <class Enum>
constexpr Enum last_of() = delete;

/// How a value is kept in a column: as how many numbers of what type.
template <class T>
struct Stored {
  using Number = T;
  static constexpr std::size_t kWidth = 1;
  static void put(std::vector<T>& column, T value) { column.push_back(value); }
  static void get(const T* at, T& value, const char*) { value = *at; }
};

template <class T, class As>
struct StoredAs {
  using Number = As;
  static constexpr std::size_t kWidth = 1;
  static void put(std::vector<As>& column, T value) { column.push_back(static_cast<As>(value)); }
  static void get(const As* at, T& value, const char*) { value = static_cast<T>(*at); }
};
template <>
struct Stored<bool> : StoredAs<bool, std::uint8_t> {
  static void get(const std::uint8_t* at, bool& value, const char*) { value = *at != 0; }
};
template <>
struct Stored<char> : StoredAs<char, std::uint8_t> {};

[[noreturn]] void fail_unknown_kind(const char* path, int value);

template <class Enum>
requires std::is_enum_v<Enum>
struct Stored<Enum> : StoredAs<Enum, std::uint8_t> {
  static void get(const std::uint8_t* at, Enum& value, const char* path) {
    if (*at > static_cast<std::uint8_t>(last_of<Enum>())) fail_unknown_kind(path, *at);
    value = static_cast<Enum>(*at);
  }
};

template <>
struct Stored<BodyId> {
  using Number = std::uint32_t;
  static constexpr std::size_t kWidth = 1;
  static void put(std::vector<Number>& column, BodyId id) { column.push_back(id.value); }
  static void get(const Number* at, BodyId& id, const char*) { id.value = *at; }
};

/// Matrices column by column.
template <int rows, int columns>
struct Stored<Eigen::Matrix<double, rows, columns>> {
  using Matrix = Eigen::Matrix<double, rows, columns>;
  using Number = double;
  static constexpr std::size_t kWidth = static_cast<std::size_t>(rows * columns);
  static void put(std::vector<double>& column, const Matrix& m) {
    column.insert(column.end(), m.data(), m.data() + kWidth);
  }
  static void get(const double* at, Matrix& m, const char*) {
    std::memcpy(m.data(), at, sizeof(double) * kWidth);
  }
};

template <class T, std::size_t n>
struct Stored<std::array<T, n>> {
  using Number = typename Stored<T>::Number;
  static constexpr std::size_t kWidth = n * Stored<T>::kWidth;
  static void put(std::vector<Number>& column, const std::array<T, n>& values) {
    for (const T& value : values) Stored<T>::put(column, value);
  }
  static void get(const Number* at, std::array<T, n>& values, const char* path) {
    for (std::size_t k = 0; k < n; k++) Stored<T>::get(at + k * Stored<T>::kWidth, values[k], path);
  }
};

/// Archives call columns(archive, row); it calls
///   archive(path, value, unit, meaning)                          for each column of its table,
///   archive.rows(path, meaning, table, values, columns_of_one)   for rows of another table that
/// belong to this row: their number is a column of its own. kReads: values come from the archive;
/// kWrites: they go into it.

/// Makes the columns.
class ColumnLister {
 public:
  static constexpr bool kReads = false, kWrites = false;
  ColumnLister(FrameData& data, TableId table) : data_(data), table_(table) {}

  template <class T>
  void operator()(const char* path, const T&, const char* unit, const char* meaning) {
    data_[table_].columns.push_back(
        {path, Stored<T>::kWidth, unit, meaning, std::vector<typename Stored<T>::Number>()});
  }
  template <class Values, class Columns>
  void rows(const char* path, const char* meaning, TableId table, Values&, Columns&& columns_of) {
    (*this)(path, std::uint32_t{}, "", meaning);
    data_[table].owner = table_;
    data_[table].counts = path;
    ColumnLister inner(data_, table);
    typename Values::value_type one{};
    columns_of(inner, one);
  }

 private:
  FrameData& data_;
  TableId table_;
};

/// Appends a row, and what belongs to it.
class RowWriter {
 public:
  static constexpr bool kReads = false, kWrites = true;
  RowWriter(FrameData& data, TableId table) : data_(data), next_(data[table].columns.begin()) {}

  template <class T>
  void operator()(const char*, const T& value, const char*, const char*) {
    Stored<T>::put(std::get<std::vector<typename Stored<T>::Number>>((next_++)->numbers), value);
  }
  template <class Values, class Columns>
  void rows(const char*, const char*, TableId table, Values& values, Columns&& columns_of) {
    (*this)("", static_cast<std::uint32_t>(values.size()), "", "");
    for (auto& one : values) {
      RowWriter inner(data_, table);
      columns_of(inner, one);
    }
  }

 private:
  FrameData& data_;
  std::vector<Column>::iterator next_;
};

/// Reads rows of a table one after the other, with what belongs to them. All tables begin with what
/// belongs to the first row. Throws RunError for a value that no program writes.
class RowReader {
 public:
  static constexpr bool kReads = true, kWrites = false;
  RowReader(const FrameData& data, TableId table) : data_(data), table_(table) {}

  /// The next row of the table.
  template <class Row>
  Row next() {
    Row row{};
    read_one([&](RowReader& archive) { columns(archive, row); });
    return row;
  }
  bool done() const { return at(table_) == data_[table_].rows(); }

  template <class T>
  void operator()(const char* path, T& value, const char*, const char*) {
    using S = Stored<T>;
    const Column& column = data_[table_].columns[column_++];
    const auto& numbers = std::get<std::vector<typename S::Number>>(column.numbers);
    DEMAND((at(table_) + 1) * S::kWidth <= numbers.size());
    S::get(&numbers[at(table_) * S::kWidth], value, path);
  }
  template <class Values, class Columns>
  void rows(const char* path, const char*, TableId table, Values& values, Columns&& columns_of) {
    std::uint32_t count = 0;
    (*this)(path, count, "", "");
    DEMAND(count <= data_[table].rows() - at(table));
    values.clear();
    const auto [outer, column] = std::pair(table_, column_);
    table_ = table;
    for (std::uint32_t k = 0; k < count; k++) {
      typename Values::value_type one{};
      read_one([&](RowReader& archive) { columns_of(archive, one); });
      values.push_back(std::move(one));
    }
    table_ = outer;
    column_ = column;
  }

 private:
  template <class Read>
  void read_one(Read&& read) {
    column_ = 0;
    read(*this);
    at(table_)++;
  }
  std::size_t& at(TableId table) { return at_[static_cast<std::size_t>(table)]; }
  std::size_t at(TableId table) const { return at_[static_cast<std::size_t>(table)]; }

  const FrameData& data_;
  TableId table_;
  std::size_t column_ = 0;
  std::array<std::size_t, kTables> at_{};  // rows read, by table
};

}  // namespace solfec
