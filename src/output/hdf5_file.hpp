// A thin layer over the HDF5 library: arrays with units in, arrays out. Files are composed in
// memory and put on disk in one go, so that a full disk meets plain system calls and never leaves
// the library with a half-written file. Arrays can also be laid out only: then the composed file
// has room for their numbers, which are written into the file on disk, by any process.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "output/sparse_memory.hpp"

namespace solfec {

/// Number types that results hold.
enum class NumberType { f64, i32, u32, i64, u8 };

template <class T>
constexpr NumberType number_type();
template <>
constexpr NumberType number_type<double>() {
  return NumberType::f64;
}
template <>
constexpr NumberType number_type<std::int32_t>() {
  return NumberType::i32;
}
template <>
constexpr NumberType number_type<std::uint32_t>() {
  return NumberType::u32;
}
template <>
constexpr NumberType number_type<std::int64_t>() {
  return NumberType::i64;
}
template <>
constexpr NumberType number_type<std::uint8_t>() {
  return NumberType::u8;
}

/// A file being composed in memory.
class Hdf5Composer {
 public:
  Hdf5Composer();
  ~Hdf5Composer();
  Hdf5Composer(const Hdf5Composer&) = delete;
  Hdf5Composer& operator=(const Hdf5Composer&) = delete;

  void attribute(const std::string& name, const std::string& value);
  void attribute(const std::string& name, std::int64_t value);
  /// An array of rows x width numbers (width 1: one-dimensional) at "group/name".
  template <class T>
  void write(const std::string& path, std::span<const T> data, std::size_t width,
             const std::string& unit, const std::string& meaning) {
    create(path, number_type<T>(), data.size() / width, width, unit, meaning, 0);
    append(data);
  }
  /// An array whose numbers are to be written into the file on disk, one after the other from the
  /// byte that is returned (0 when there are none).
  std::uint64_t lay_out(const std::string& path, NumberType type, std::size_t rows,
                        std::size_t width, const std::string& unit, const std::string& meaning);
  /// An array whose numbers come by append(): compressed in chunks of so many rows.
  void compress(const std::string& path, NumberType type, std::size_t rows, std::size_t width,
                const std::string& unit, const std::string& meaning, std::size_t chunk_rows);
  /// The next numbers, whole rows, of the `number`th array made (by default the last one).
  template <class T>
  void append(std::span<const T> data, std::size_t number = kLast) {
    append(number_type<T>(), data.data(), data.size(), number);
  }
  void write_strings(const std::string& path, const std::vector<std::string>& strings,
                     const std::string& meaning);

  /// Writes the file to `path`, with room for the arrays laid out. Throws RunError when the disk is
  /// full or the directory cannot be written.
  void write_file(const std::string& path);
  /// The same under a temporary name beside `path`, which is then renamed. When it throws nothing
  /// is left behind.
  void publish(const std::string& path);

  static constexpr std::size_t kLast = ~std::size_t{0};

 private:
  struct Array {
    std::int64_t set;
    std::size_t rows, width, filled;
  };
  std::int64_t create(const std::string& path, NumberType type, std::size_t rows, std::size_t width,
                      const std::string& unit, const std::string& meaning, std::size_t chunk_rows);
  void append(NumberType type, const void* data, std::size_t count, std::size_t number);

  SparseMemory memory_;
  std::int64_t file_;
  std::vector<Array> arrays_;
};

/// A file on disk that is being written by plain system calls. Throws RunError naming it.
class OutputFile {
 public:
  enum class How { create, existing };
  OutputFile(const std::string& path, How how);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void resize(std::uint64_t size);
  void write(std::uint64_t at, const void* data, std::size_t size);
  /// Some file systems tell only now that they could not write.
  void close();

 private:
  [[noreturn]] void fail(int reason) const;
  std::string path_;
  int file_;
};

/// Renames a file that was written under the name temporary_name(path).
void put_in_place(const std::string& path);
std::string temporary_name(const std::string& path);
void remove_temporary(const std::string& path);

/// A file open for reading. Throws RunError naming the file on any trouble.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(const std::string& path);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  /// Bytes of the file.
  std::uint64_t size() const;
  std::int64_t attribute(const std::string& name) const;
  std::string text_attribute(const std::string& name) const;
  std::vector<std::string> read_strings(const std::string& path) const;

  /// Rows [begin, begin + count), all columns; the whole array by default.
  template <class T>
  std::vector<T> read(const std::string& path, std::size_t begin = 0,
                      std::size_t count = kAll) const {
    std::vector<T> data;
    read_rows(path, number_type<T>(), begin, count, [&](std::size_t n) {
      data.resize(n);
      return static_cast<void*>(data.data());
    });
    return data;
  }
  /// From a one-dimensional array: `repeats` blocks of `block` numbers, `stride` apart.
  template <class T>
  std::vector<T> read_strided(const std::string& path, std::size_t begin, std::size_t stride,
                              std::size_t repeats, std::size_t block) const {
    std::vector<T> data(repeats * block);
    read_blocks(path, number_type<T>(), begin, stride, repeats, block, data.data());
    return data;
  }
  static constexpr std::size_t kAll = ~std::size_t{0};

 private:
  template <class Allocate>
  void read_rows(const std::string& path, NumberType type, std::size_t begin, std::size_t count,
                 Allocate&& allocate) const {
    std::size_t rows, width;
    shape(path, rows, width);
    if (count == kAll) count = rows - begin;
    void* data = allocate(count * width);
    if (count > 0) read_slab(path, type, begin, count, width, data);
  }
  void shape(const std::string& path, std::size_t& rows, std::size_t& width) const;
  void read_slab(const std::string& path, NumberType type, std::size_t begin, std::size_t count,
                 std::size_t width, void* data) const;
  void read_blocks(const std::string& path, NumberType type, std::size_t begin, std::size_t stride,
                   std::size_t repeats, std::size_t block, void* data) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  std::int64_t file_;
};

}  // namespace solfec
