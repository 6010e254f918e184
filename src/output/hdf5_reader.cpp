#include "output/hdf5_reader.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/error.hpp"
#include "core/regular_file.hpp"
#include "output/global_heap.hpp"
#include "output/hdf5_handle.hpp"
#include "output/utf8.hpp"

namespace solfec {
namespace {

using Handle = Hdf5Handle;

// Deflate makes zeros shorter by this factor at most.
constexpr std::uint64_t kMostCompression = 1032;
constexpr std::size_t kLongestText = 1 << 16;  // of an attribute [bytes]
constexpr hsize_t kLargestChunk = 1 << 26;     // [bytes]: the library holds it in memory

hid_t open_file(const std::string& path) {
  silence_hdf5();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "access list");
  // Histories read little pieces far apart: no read-ahead.
  check_hdf5(H5Pset_sieve_buf_size(access, 4096), "buffer size");
  return H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
}

bool same_kind(hid_t stored, hid_t wanted) {
  const H5T_class_t kind = H5Tget_class(wanted);
  return H5Tget_class(stored) == kind && H5Tget_size(stored) == H5Tget_size(wanted) &&
         (kind != H5T_INTEGER || H5Tget_sign(stored) == H5Tget_sign(wanted));
}

std::string quoted(const std::string& name) { return "'" + name + "'"; }

// Numbers in the file itself, deflated at most. Null: it is so.
const char* why_not_plain(hid_t creation) {
  if (H5Pget_external_count(creation) > 0) return "is stored outside of the file";
  const H5D_layout_t layout = H5Pget_layout(creation);
  if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED && layout != H5D_COMPACT)
    return "is put together from elsewhere";
  const int filters = H5Pget_nfilters(creation);
  for (int k = 0; k < filters; k++) {
    std::size_t parameters = 0;
    const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(k), nullptr,
                                               &parameters, nullptr, 0, nullptr, nullptr);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE)
      return "is compressed in a way that is not known here";
  }
  return nullptr;
}

bool has_small_chunks(hid_t creation, std::size_t entry) {
  if (H5Pget_layout(creation) != H5D_CHUNKED) return true;
  std::array<hsize_t, H5S_MAX_RANK> chunk{};
  const int rank = H5Pget_chunk(creation, H5S_MAX_RANK, chunk.data());
  hsize_t bytes = entry;
  for (int k = 0; k < rank && bytes <= kLargestChunk; k++)
    bytes = chunk[k] > kLargestChunk ? chunk[k] : bytes * chunk[k];
  return rank > 0 && bytes <= kLargestChunk;
}

// An open attribute that is one value of the kind that `fits` accepts.
template <class Fits>
bool is_single(hid_t attribute, Fits&& fits) {
  const Handle type(H5Aget_type(attribute), H5Tclose, "type");
  const Handle space(H5Aget_space(attribute), H5Sclose, "space");
  return H5Sget_simple_extent_npoints(space) == 1 && fits(type);
}

}  // namespace

void Hdf5Reader::fail_results(const std::string& path, const std::string& what) {
  throw RunError(
      fmt::format("the results file '{}' is damaged or of another version: {}", path, what));
}

void Hdf5Reader::fail(const std::string& what) const {
  fail_(path_, what);
  throw RunError(what);  // it has thrown
}

Hdf5Reader::Hdf5Reader(const std::string& path, Fail fail)
    : path_(path), fail_(std::move(fail)), file_(-1) {
  if (const std::string reason = why_not_readable(path); !reason.empty())
    throw RunError(fmt::format("cannot read '{}': {}", path, reason));
  file_ = open_file(path);
  if (file_ < 0) this->fail("it is no HDF5 file, or not a whole one");
  hsize_t bytes = 0;
  H5Fget_filesize(file_, &bytes);
  size_ = bytes;
}

Hdf5Reader::~Hdf5Reader() { H5Fclose(file_); }

bool Hdf5Reader::has(const std::string& path) const {
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (H5Lexists(file_, part.c_str(), H5P_DEFAULT) <= 0) return false;
    H5L_info_t link;
    if (H5Lget_info(file_, part.c_str(), &link, H5P_DEFAULT) < 0) return false;
    if (link.type != H5L_TYPE_HARD) fail(quoted(part) + " is a link to another place");
    if (end == std::string::npos) return true;
  }
}

// Type, layout and filters of arrays are looked at here, and nowhere else.
std::int64_t Hdf5Reader::open_array(const std::string& path) const {
  if (!has(path)) fail("there is no " + quoted(path));
  const hid_t set = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
  if (set < 0) fail(quoted(path) + " is not an array");
  return set;
}

// Number of entries, after a check that the file has room for so many.
std::size_t Hdf5Reader::demand_room(std::int64_t set, const std::string& path) const {
  const Handle type(H5Dget_type(set), H5Tclose, "type");
  const Handle space(H5Dget_space(set), H5Sclose, "space");
  const Handle creation(H5Dget_create_plist(set), H5Pclose, "creation list");
  if (const char* reason = why_not_plain(creation)) fail(fmt::format("'{}' {}", path, reason));
  const std::size_t bytes = H5Tget_size(type);
  if (!has_small_chunks(creation, bytes)) fail(quoted(path) + " has chunks that are too large");
  const hssize_t entries = H5Sget_simple_extent_npoints(space);
  const bool filtered = H5Pget_nfilters(creation) > 0;
  const std::uint64_t room = std::min<std::uint64_t>(
      H5Pget_layout(creation) == H5D_CHUNKED ? H5Dget_storage_size(set) : size_, size_);
  if (entries < 0 || bytes == 0 ||
      static_cast<std::uint64_t>(entries) / (filtered ? kMostCompression : 1) > room / bytes)
    fail(fmt::format("'{}' has {} entries, more than the file can hold", path, entries));
  return static_cast<std::size_t>(entries);
}

std::size_t Hdf5Reader::rows(const std::string& path, NumberType type, std::size_t width) const {
  if (const auto known = checked_.find(path); known != checked_.end()) {
    DEMAND(known->second.type == type && known->second.width == width);
    return known->second.rows;
  }
  const Handle set(open_array(path), H5Dclose, "array");
  const Handle stored(H5Dget_type(set), H5Tclose, "type");
  if (!same_kind(stored, native_hdf5(type))) fail(quoted(path) + " holds numbers of another type");
  const Handle space(H5Dget_space(set), H5Sclose, "space");
  const std::size_t entries = demand_room(set, path);
  const int rank = width > 1 ? 2 : 1;
  hsize_t size[2] = {0, 1};
  if (H5Sget_simple_extent_ndims(space) != rank ||
      H5Sget_simple_extent_dims(space, size, nullptr) < 0 || size[1] != width)
    fail(fmt::format("'{}' must have {} column{}", path, width, width > 1 ? "s" : ""));
  DEMAND(width * size[0] == entries);
  checked_[path] = {type, width, size[0]};
  return size[0];
}

void Hdf5Reader::demand_rows(const std::string& path, std::size_t rows, std::size_t begin,
                             std::size_t count) const {
  if (begin > rows || count > rows - begin)
    fail(
        fmt::format("'{}' has {} rows; {} from row {} on are asked for", path, rows, count, begin));
}

void Hdf5Reader::demand_blocks(const std::string& path, std::size_t rows, std::size_t begin,
                               std::size_t stride, std::size_t repeats, std::size_t block) const {
  if (repeats * block == 0) return;
  const bool fits =
      begin <= rows && block <= rows - begin &&
      (repeats == 1 || (stride >= block && stride <= (rows - begin - block) / (repeats - 1)));
  if (!fits)
    fail(fmt::format("'{}' has {} rows; {} times {}, {} apart, from row {} on are asked for", path,
                     rows, repeats, block, stride, begin));
}

void Hdf5Reader::read_slab(const std::string& path, NumberType type, std::size_t begin,
                           std::size_t count, std::size_t width, void* data) const {
  if (count == 0) return;
  const Handle set(open_array(path), H5Dclose, "array");
  const Handle space(H5Dget_space(set), H5Sclose, "space");
  const hsize_t start[2] = {begin, 0}, size[2] = {count, width};
  const Handle memory(H5Screate_simple(width > 1 ? 2 : 1, size, nullptr), H5Sclose, "space");
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, size, nullptr) < 0 ||
      H5Dread(set, native_hdf5(type), memory, space, H5P_DEFAULT, data) < 0)
    fail(quoted(path) + " cannot be read");
}

void Hdf5Reader::read_blocks(const std::string& path, NumberType type, std::size_t begin,
                             std::size_t stride, std::size_t repeats, std::size_t block,
                             void* data) const {
  if (repeats * block == 0) return;
  const Handle set(open_array(path), H5Dclose, "array");
  const Handle space(H5Dget_space(set), H5Sclose, "space");
  const hsize_t start = begin, step = std::max(stride, block), count = repeats, size = block;
  const hsize_t total = repeats * block;
  const Handle memory(H5Screate_simple(1, &total, nullptr), H5Sclose, "space");
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &step, &count, &size) < 0 ||
      H5Dread(set, native_hdf5(type), memory, space, H5P_DEFAULT, data) < 0)
    fail(quoted(path) + " cannot be read");
}

std::int64_t Hdf5Reader::open_attribute(const std::string& name) const {
  const hid_t attribute = H5Aexists(file_, name.c_str()) > 0
                              ? H5Aopen(file_, name.c_str(), H5P_DEFAULT)
                              : H5I_INVALID_HID;
  if (attribute < 0) fail("there is no attribute " + quoted(name));
  return attribute;
}

std::int64_t Hdf5Reader::attribute(const std::string& name) const {
  const Handle attribute(open_attribute(name), H5Aclose, "attribute");
  std::int64_t value = 0;
  if (!is_single(attribute, [](hid_t type) { return same_kind(type, H5T_NATIVE_INT64); }) ||
      H5Aread(attribute, H5T_NATIVE_INT64, &value) < 0)
    fail(fmt::format("the attribute '{}' must be one integer", name));
  return value;
}

std::string Hdf5Reader::text_attribute(const std::string& name) const {
  const Handle attribute(open_attribute(name), H5Aclose, "attribute");
  const Handle type(H5Aget_type(attribute), H5Tclose, "type");
  const auto is_short_text = [](hid_t t) {
    return H5Tget_class(t) == H5T_STRING && H5Tis_variable_str(t) == 0 &&
           H5Tget_size(t) <= kLongestText;
  };
  std::string value;
  if (is_single(attribute, is_short_text)) {
    value.assign(H5Tget_size(type), '\0');
    if (H5Aread(attribute, type, value.data()) >= 0) return as_utf8(value.c_str());
  }
  fail(fmt::format("the attribute '{}' must be one text", name));
}

std::vector<std::string> Hdf5Reader::read_strings(const std::string& path) const {
  const Handle set(open_array(path), H5Dclose, "array");
  const Handle type(H5Dget_type(set), H5Tclose, "type");
  if (H5Tget_class(type) != H5T_STRING) fail(quoted(path) + " must hold strings");
  const std::size_t count = demand_room(set, path);
  std::vector<std::string> strings;
  if (count == 0) return strings;
  if (H5Tis_variable_str(type) == 0) {
    const std::size_t length = H5Tget_size(type);
    std::vector<char> text(count * length);
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0)
      fail(quoted(path) + " cannot be read");
    for (std::size_t k = 0; k < count; k++)
      strings.push_back(as_utf8({&text[k * length], strnlen(&text[k * length], length)}));
    return strings;
  }
  return heap_strings(set, path, count);
}

// An array of strings of variable length.
std::vector<std::string> Hdf5Reader::heap_strings(std::int64_t set, const std::string& path,
                                                  std::size_t count) const {
  const Handle creation(H5Fget_create_plist(file_), H5Pclose, "creation list");
  hsize_t user_block = 0;
  std::size_t address_size = 0, length_size = 0;
  H5Pget_userblock(creation, &user_block);
  H5Pget_sizes(creation, &address_size, &length_size);
  const haddr_t begin = H5Dget_offset(set);
  if (begin == HADDR_UNDEF || user_block > 0 || address_size != 8 || length_size != 8)
    fail(quoted(path) + " holds strings that are stored in an unusual way");
  try {
    std::vector<std::string> strings = read_heap_strings(path_, size_, begin, count);
    for (std::string& text : strings) text = as_utf8(text);
    return strings;
  } catch (const RunError& error) {
    fail(fmt::format("'{}': {}", path, error.what()));
  }
}

std::string Hdf5Reader::text(const std::string& path) const {
  const std::vector<std::string> strings = read_strings(path);
  if (strings.size() != 1) fail(quoted(path) + " must be one text");
  return strings[0];
}

template <class T>
std::vector<T> Hdf5Reader::read_all(const std::string& path, std::int64_t type,
                                    bool integers) const {
  const Handle set(open_array(path), H5Dclose, "array");
  const Handle stored(H5Dget_type(set), H5Tclose, "type");
  const H5T_class_t kind = H5Tget_class(stored);
  if (kind != H5T_INTEGER && (integers || kind != H5T_FLOAT))
    fail(fmt::format("'{}' must hold {}", path, integers ? "integers" : "numbers"));
  std::vector<T> values(demand_room(set, path));
  if (!values.empty() && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail(quoted(path) + " cannot be read");
  return values;
}

std::vector<std::int64_t> Hdf5Reader::integers(const std::string& path) const {
  return read_all<std::int64_t>(path, H5T_NATIVE_INT64, true);
}

std::vector<double> Hdf5Reader::numbers(const std::string& path) const {
  return read_all<double>(path, H5T_NATIVE_DOUBLE, false);
}

}  // namespace solfec
