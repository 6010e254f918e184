// Arrays and matrices of FCLib files, checked as they are read (the layout: fclib_file.hpp).
#pragma once

#include <string>
#include <vector>

#include "local_dynamics/global_problem.hpp"
#include "output/hdf5_reader.hpp"

namespace solfec {

/// A group of a file; names are relative to it. Complaints are InputErrors that name the file.
class FclibReader {
 public:
  /// Without a group it is the whole file.
  FclibReader(const Hdf5Reader& file, std::string group = "")
      : file_(file), prefix_(group.empty() ? "" : std::move(group) + "/") {}

  /// Throws InputError where the file cannot be read.
  static Hdf5Reader open(const std::string& path);

  [[noreturn]] void fail(const std::string& what) const { file_.fail(what); }
  bool has(const std::string& name) const { return file_.has(prefix_ + name); }

  std::int64_t integer(const std::string& name) const;
  /// Finite numbers.
  std::vector<double> reals(const std::string& name) const;
  /// `why`: where the size that is wanted comes from.
  std::vector<double> reals(const std::string& name, std::size_t size, const char* why) const;
  /// Empty where there is none.
  std::string text(const std::string& name) const;

  struct Extent {
    std::size_t size;
    const char* why;
  };
  /// All entries of a matrix of that size, in the order of the file.
  std::vector<MatrixEntry> matrix(const std::string& name, const Extent& rows,
                                  const Extent& columns) const;

 private:
  std::vector<std::int64_t> integers(const std::string& name) const {
    return file_.integers(prefix_ + name);
  }
  void demand_size(const std::string& name, std::size_t size, const Extent& wanted) const;
  int index(std::int64_t value, std::size_t bound, const std::string& name) const;
  std::vector<MatrixEntry> triplets(const std::string& name, std::size_t count, std::size_t rows,
                                    std::size_t columns) const;
  std::vector<MatrixEntry> compressed(const std::string& name, bool by_rows, std::size_t rows,
                                      std::size_t columns) const;

  const Hdf5Reader& file_;
  std::string prefix_;
};

}  // namespace solfec
