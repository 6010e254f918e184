#include "output/hdf5_file.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>

#include "core/error.hpp"
#include "output/hdf5_handle.hpp"

namespace solfec {
namespace {

using Handle = Hdf5Handle;

void write_text_attribute(hid_t object, const std::string& name, const std::string& value) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "string type");
  check_hdf5(H5Tset_size(type, std::max<std::size_t>(value.size(), 1)), "string size");
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "scalar space");
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, "attribute");
  check_hdf5(H5Awrite(attribute, type, value.c_str()), "attribute write");
}

}  // namespace

Hdf5Composer::Hdf5Composer() {
  silence_hdf5();
  file_ = create_hdf5_file(memory_);
}

Hdf5Composer::~Hdf5Composer() {
  for (const Array& array : arrays_) H5Dclose(array.set);
  H5Fclose(file_);
}

void Hdf5Composer::attribute(const std::string& name, const std::string& value) {
  write_text_attribute(file_, name, value);
}

void Hdf5Composer::attribute(const std::string& name, std::int64_t value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "scalar space");
  const Handle attribute(
      H5Acreate2(file_, name.c_str(), H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
      "attribute");
  check_hdf5(H5Awrite(attribute, H5T_NATIVE_INT64, &value), "attribute write");
}

std::int64_t Hdf5Composer::create(const std::string& path, NumberType type, std::size_t rows,
                                  std::size_t width, const std::string& unit,
                                  const std::string& meaning, std::size_t chunk_rows) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "link list");
  check_hdf5(H5Pset_create_intermediate_group(links, 1), "groups");
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "creation list");
  const hsize_t shape[2] = {rows, width};
  if (chunk_rows > 0 && rows > 0) {
    const hsize_t chunk[2] = {std::min<hsize_t>(chunk_rows, rows), width};
    check_hdf5(H5Pset_chunk(creation, width > 1 ? 2 : 1, chunk), "chunks");
    check_hdf5(H5Pset_shuffle(creation), "shuffle");
    check_hdf5(H5Pset_deflate(creation, 1), "compression");
  } else {
    check_hdf5(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY), "allocation");
    check_hdf5(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), "filling");
  }
  const Handle space(H5Screate_simple(width > 1 ? 2 : 1, shape, nullptr), H5Sclose, "space");
  const hid_t set =
      H5Dcreate2(file_, path.c_str(), native_hdf5(type), space, links, creation, H5P_DEFAULT);
  check_hdf5(set < 0 ? -1 : 0, "array creation");
  arrays_.push_back({set, rows, width, 0});
  if (!unit.empty()) write_text_attribute(set, "unit", unit);
  write_text_attribute(set, "meaning", meaning);
  return set;
}

std::uint64_t Hdf5Composer::lay_out(const std::string& path, NumberType type, std::size_t rows,
                                    std::size_t width, const std::string& unit,
                                    const std::string& meaning) {
  const hid_t set = create(path, type, rows, width, unit, meaning, 0);
  if (rows == 0) return 0;
  const haddr_t at = H5Dget_offset(set);
  check_hdf5(at == HADDR_UNDEF ? -1 : 0, "array allocation");
  return at;
}

void Hdf5Composer::compress(const std::string& path, NumberType type, std::size_t rows,
                            std::size_t width, const std::string& unit, const std::string& meaning,
                            std::size_t chunk_rows) {
  create(path, type, rows, width, unit, meaning, chunk_rows);
}

void Hdf5Composer::append(NumberType type, const void* data, std::size_t count,
                          std::size_t number) {
  if (count == 0) return;
  Array& array = number == kLast ? arrays_.back() : arrays_[number];
  const hsize_t start[2] = {array.filled, 0}, size[2] = {count / array.width, array.width};
  DEMAND(array.filled + size[0] <= array.rows);
  const Handle space(H5Dget_space(array.set), H5Sclose, "space");
  check_hdf5(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, size, nullptr), "rows");
  const Handle memory(H5Screate_simple(array.width > 1 ? 2 : 1, size, nullptr), H5Sclose, "space");
  check_hdf5(H5Dwrite(array.set, native_hdf5(type), memory, space, H5P_DEFAULT, data),
             "array write");
  array.filled += size[0];
}

void Hdf5Composer::write_strings(const std::string& path, const std::vector<std::string>& strings,
                                 const std::string& meaning) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "link list");
  check_hdf5(H5Pset_create_intermediate_group(links, 1), "groups");
  // All as long as the longest one: others would stand in a heap that readers of HDF5 trust.
  std::size_t length = 1;
  for (const std::string& s : strings) length = std::max(length, s.size());
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "string type");
  check_hdf5(H5Tset_size(type, length), "string size");
  check_hdf5(H5Tset_strpad(type, H5T_STR_NULLPAD), "string end");
  check_hdf5(H5Tset_cset(type, H5T_CSET_UTF8), "string characters");
  const hsize_t rows = strings.size();
  const Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose, "space");
  const Handle set(H5Dcreate2(file_, path.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose, "string array");
  std::string all;
  for (const std::string& s : strings) all += s + std::string(length - s.size(), '\0');
  if (rows > 0)
    check_hdf5(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), "strings");
  write_text_attribute(set, "meaning", meaning);
}

void Hdf5Composer::write_file(const std::string& path) {
  check_hdf5(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flush");
  OutputFile file(path, OutputFile::How::create);
  file.resize(memory_.size());
  memory_.visit_pages([&](std::uint64_t at, std::span<const std::byte> bytes) {
    file.write(at, bytes.data(), bytes.size());
  });
  file.close();
}

void Hdf5Composer::publish(const std::string& path) {
  try {
    write_file(temporary_name(path));
  } catch (...) {
    remove_temporary(path);
    throw;
  }
  put_in_place(path);
}

}  // namespace solfec
