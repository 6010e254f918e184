// Where HDF5 composes files: in memory, and only what the library has written of them. Space that
// is set aside in a file and not written costs nothing here; so one rank can lay out a file whose
// numbers other ranks hold. The library never meets a disk, which may be full.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

namespace solfec {

/// Bytes of a file; those never written read as zero.
class SparseMemory {
 public:
  static constexpr std::size_t kPage = 4096;

  void write(std::uint64_t at, std::span<const std::byte> bytes);
  void read(std::uint64_t at, std::span<std::byte> bytes) const;

  /// End of the file, which may lie beyond what was written.
  std::uint64_t size() const { return size_; }
  void set_size(std::uint64_t size) { size_ = size; }

  /// Calls visit(position, bytes) for the pages that were written, in order; they end with the
  /// file.
  template <class Visit>
  void visit_pages(Visit&& visit) const {
    for (const auto& [number, page] : pages_) {
      const std::uint64_t begin = number * kPage;
      if (begin >= size_) return;
      visit(begin, std::span(page).first(size_ - begin < kPage ? size_ - begin : kPage));
    }
  }

 private:
  std::map<std::uint64_t, std::array<std::byte, kPage>> pages_;
  std::uint64_t size_ = 0;
};

/// A new file of the HDF5 library (its handle) that lives in `memory`, which has to outlive it.
/// Throws RunError when the library fails.
std::int64_t create_hdf5_file(SparseMemory& memory);

}  // namespace solfec
