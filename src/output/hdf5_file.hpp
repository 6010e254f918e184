// Writing HDF5 files: arrays with units. Files are composed in
// memory and put on disk in one go, so that a full disk meets plain system calls and never leaves
// the library with a half-written file. Arrays can also be laid out only: then the composed file
// has room for their numbers, which are written into the file on disk, by any process.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "output/number_type.hpp"
#include "output/output_file.hpp"
#include "output/sparse_memory.hpp"

namespace solfec {

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

}  // namespace solfec
