// Writing files by plain system calls, which tell of a full disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace solfec {

/// A file on disk that is being written by plain system calls. Throws RunError naming it.
class OutputFile {
 public:
  enum class How {
    create,   ///< in place of one of that name, which is not followed when it is a link
    existing  ///< which `create` has made
  };
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

/// A name that only this program gives, so that what has it may be replaced.
std::string temporary_name(const std::string& path);
/// Renames a file that was written under the name temporary_name(path).
void put_in_place(const std::string& path);
void remove_temporary(const std::string& path);

/// Writes a whole file, which appears at once; when it throws nothing is left behind.
void publish_file(const std::string& path, std::span<const std::byte> bytes);

}  // namespace solfec
