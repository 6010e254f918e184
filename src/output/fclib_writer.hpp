// Writing FCLib files (the layout: fclib_file.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace solfec {

/// A sparse matrix of m x n by its rows, or its columns, each in turn.
class CompressedMatrix {
 public:
  enum class By { rows, columns };

  CompressedMatrix(By by, int m, int n) : by_(by), m_(m), n_(n) {}
  void add(int index, double value) {
    index_.push_back(index);
    value_.push_back(value);
  }
  void end_line() { begin_.push_back(index_.size()); }

 private:
  friend class FclibWriter;
  By by_;
  int m_, n_;
  std::vector<std::size_t> begin_ = {0};
  std::vector<int> index_;
  std::vector<double> value_;
};

/// A file composed in memory, so that a full disk meets plain system calls. Without times: equal
/// problems make equal files.
class FclibWriter {
 public:
  explicit FclibWriter(std::string path);
  ~FclibWriter();
  FclibWriter(const FclibWriter&) = delete;
  FclibWriter& operator=(const FclibWriter&) = delete;

  void group(const std::string& name);
  void write(const std::string& name, std::span<const double> values);
  void write(const std::string& name, std::span<const int> values);
  void write(const std::string& name, int value) { write(name, std::span(&value, 1)); }
  void write(const std::string& name, const std::string& text);
  /// A group of its own. Throws RunError for one that is too large for the layout.
  void write(const std::string& name, const CompressedMatrix& matrix);

  /// The file appears whole or not at all. Throws RunError that names it.
  void publish() const;

 private:
  void array(const std::string& name, std::int64_t type, std::size_t size, const void* values);
  void set(const std::string& name, std::int64_t type, std::int64_t space, const void* values,
           bool any);

  std::string path_;
  std::int64_t file_;
};

}  // namespace solfec
