#include "output/sparse_memory.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>

#include "core/error.hpp"

namespace solfec {
namespace {

// A file driver of the library: the library allocates one of these for each open file, as its base.
struct File {
  H5FD_t base;  // first, filled by the library
  SparseMemory* memory;
  haddr_t allocated;
};

SparseMemory& memory_of(const H5FD_t* file) { return *reinterpret_cast<const File*>(file)->memory; }

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const void* info = H5Pget_driver_info(access);
  if (!info) return nullptr;
  auto* file = new File{};
  file->memory = *static_cast<SparseMemory* const*>(info);
  return &file->base;
}

herr_t close_file(H5FD_t* file) {
  delete reinterpret_cast<File*>(file);
  return 0;
}

// Small pieces are gathered into blocks, as in files on disk.
herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t get_allocated(const H5FD_t* file, H5FD_mem_t) {
  return reinterpret_cast<const File*>(file)->allocated;
}

herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  reinterpret_cast<File*>(file)->allocated = end;
  return 0;
}

haddr_t get_end(const H5FD_t* file, H5FD_mem_t) { return memory_of(file).size(); }

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, size_t size, void* buffer) {
  memory_of(file).read(at, {static_cast<std::byte*>(buffer), size});
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, size_t size, const void* buffer) {
  try {
    memory_of(file).write(at, {static_cast<const std::byte*>(buffer), size});
  } catch (const std::bad_alloc&) {  // not through the library, which is C
    return -1;
  }
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  memory_of(file).set_size(reinterpret_cast<const File*>(file)->allocated);
  return 0;
}

hid_t register_driver() {
  H5FD_class_t driver{};
  driver.name = "sparse memory";
  driver.maxaddr = HADDR_MAX;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(SparseMemory*);  // copied with the access list
  driver.open = open_file;
  driver.close = close_file;
  driver.query = query;
  driver.get_eoa = get_allocated;
  driver.set_eoa = set_allocated;
  driver.get_eof = get_end;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  constexpr H5FD_mem_t kFreeLists[] = H5FD_FLMAP_DICHOTOMY;
  std::ranges::copy(kFreeLists, driver.fl_map);
  // The library keeps a copy.
  return H5FDregister(&driver);
}

}  // namespace

void SparseMemory::write(std::uint64_t at, std::span<const std::byte> bytes) {
  size_ = std::max(size_, at + bytes.size());
  while (!bytes.empty()) {
    const std::size_t begin = at % kPage, count = std::min(bytes.size(), kPage - begin);
    auto& page = pages_[at / kPage];  // zeros at first
    std::copy_n(bytes.begin(), count, page.begin() + static_cast<std::ptrdiff_t>(begin));
    bytes = bytes.subspan(count);
    at += count;
  }
}

void SparseMemory::read(std::uint64_t at, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const std::size_t begin = at % kPage, count = std::min(bytes.size(), kPage - begin);
    const auto page = pages_.find(at / kPage);
    if (page == pages_.end())
      std::fill_n(bytes.begin(), count, std::byte{});
    else
      std::copy_n(page->second.begin() + static_cast<std::ptrdiff_t>(begin), count, bytes.begin());
    bytes = bytes.subspan(count);
    at += count;
  }
}

std::int64_t create_hdf5_file(SparseMemory& memory) {
  static const hid_t driver = register_driver();
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  SparseMemory* const info = &memory;
  hid_t file = -1;
  if (driver >= 0 && access >= 0 && H5Pset_driver(access, driver, &info) >= 0) {
    // The library takes files of one name for one file.
    const std::string name = fmt::format("memory {}", fmt::ptr(&memory));
    file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  }
  if (access >= 0) H5Pclose(access);
  if (file < 0) throw RunError("HDF5: cannot create a file in memory");
  return file;
}

}  // namespace solfec
