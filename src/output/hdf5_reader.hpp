// Reading HDF5 files that anybody may have made: what a name leads to, its type, rank and extent
// are checked before memory is asked for and before a number is read. Links to other places,
// storage outside of the file and filters from plug-ins are refused.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "output/number_type.hpp"

namespace solfec {

/// A file open for reading, a regular one.
class Hdf5Reader {
 public:
  /// Throws an exception that names the file; `what` is wrong with it.
  using Fail = std::function<void(const std::string& path, const std::string& what)>;
  /// RunError: a results file.
  [[noreturn]] static void fail_results(const std::string& path, const std::string& what);

  explicit Hdf5Reader(const std::string& path, Fail fail = fail_results);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  /// Throws: `what` is wrong with the file.
  [[noreturn]] void fail(const std::string& what) const;

  /// Bytes of the file.
  std::uint64_t size() const { return size_; }
  /// Whether the file holds something of that name, reached without links to other places.
  bool has(const std::string& path) const;

  std::int64_t attribute(const std::string& name) const;
  std::string text_attribute(const std::string& name) const;
  std::vector<std::string> read_strings(const std::string& path) const;

  /// Rows of an array of T in so many columns (1: it has one dimension).
  std::size_t rows(const std::string& path, NumberType type, std::size_t width) const;
  /// Rows [begin, begin + count) of such an array.
  template <class T>
  std::vector<T> read(const std::string& path, std::size_t width, std::size_t begin,
                      std::size_t count) const {
    demand_rows(path, rows(path, number_type<T>(), width), begin, count);
    std::vector<T> data(count * width);
    read_slab(path, number_type<T>(), begin, count, width, data.data());
    return data;
  }
  template <class T>
  std::vector<T> read(const std::string& path, std::size_t width = 1) const {
    return read<T>(path, width, 0, rows(path, number_type<T>(), width));
  }
  /// From a one-dimensional array: `repeats` blocks of `block` numbers, `stride` apart.
  template <class T>
  std::vector<T> read_strided(const std::string& path, std::size_t begin, std::size_t stride,
                              std::size_t repeats, std::size_t block) const {
    demand_blocks(path, rows(path, number_type<T>(), 1), begin, stride, repeats, block);
    std::vector<T> data(repeats * block);
    read_blocks(path, number_type<T>(), begin, stride, repeats, block, data.data());
    return data;
  }

  // Of other programs: any number of dimensions, numbers of any size.
  std::vector<std::int64_t> integers(const std::string& path) const;
  /// Integers or floating-point numbers.
  std::vector<double> numbers(const std::string& path) const;
  /// One string.
  std::string text(const std::string& path) const;

 private:
  void demand_rows(const std::string& path, std::size_t rows, std::size_t begin,
                   std::size_t count) const;
  void demand_blocks(const std::string& path, std::size_t rows, std::size_t begin,
                     std::size_t stride, std::size_t repeats, std::size_t block) const;
  void read_slab(const std::string& path, NumberType type, std::size_t begin, std::size_t count,
                 std::size_t width, void* data) const;
  void read_blocks(const std::string& path, NumberType type, std::size_t begin, std::size_t stride,
                   std::size_t repeats, std::size_t block, void* data) const;
  std::int64_t open_array(const std::string& path) const;
  std::size_t demand_room(std::int64_t set, const std::string& path) const;
  std::vector<std::string> heap_strings(std::int64_t set, const std::string& path,
                                        std::size_t count) const;
  std::int64_t open_attribute(const std::string& name) const;
  template <class T>
  std::vector<T> read_all(const std::string& path, std::int64_t type, bool integers) const;

  std::string path_;
  Fail fail_;
  std::int64_t file_;
  std::uint64_t size_ = 0;
  struct Checked {
    NumberType type;
    std::size_t width, rows;
  };
  mutable std::map<std::string, Checked> checked_;
};

}  // namespace solfec
