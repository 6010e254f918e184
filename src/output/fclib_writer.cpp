#include "output/fclib_writer.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/error.hpp"
#include "output/hdf5_handle.hpp"
#include "output/output_file.hpp"

namespace solfec {
namespace {

using Handle = Hdf5Handle;

}  // namespace

FclibWriter::FclibWriter(std::string path) : path_(std::move(path)) {
  silence_hdf5();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "access list");
  check_hdf5(H5Pset_fapl_core(access, std::size_t{1} << 20, false), "file in memory");
  file_ = H5Fcreate("fclib", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  check_hdf5(file_ < 0 ? -1 : 0, "file in memory");
}

FclibWriter::~FclibWriter() { H5Fclose(file_); }

void FclibWriter::group(const std::string& name) {
  const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "creation list");
  check_hdf5(H5Pset_obj_track_times(creation, false), "times");
  const Handle made(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose,
                    "group");
}

void FclibWriter::write(const std::string& name, std::span<const double> values) {
  array(name, H5T_NATIVE_DOUBLE, values.size(), values.data());
}

void FclibWriter::write(const std::string& name, std::span<const int> values) {
  array(name, H5T_NATIVE_INT, values.size(), values.data());
}

void FclibWriter::write(const std::string& name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  check_hdf5(H5Tset_size(type, text.size() + 1), "text size");
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "space");
  set(name, type, space, text.c_str(), true);
}

void FclibWriter::write(const std::string& name, const CompressedMatrix& matrix) {
  if (matrix.index_.size() > std::numeric_limits<int>::max())
    throw RunError(
        fmt::format("cannot write '{}': '{}' has more entries than FCLib can count", path_, name));
  group(name);
  write(name + "/m", matrix.m_);
  write(name + "/n", matrix.n_);
  write(name + "/nz", matrix.by_ == CompressedMatrix::By::rows ? -2 : -1);
  write(name + "/nzmax", static_cast<int>(matrix.index_.size()));
  const std::vector<int> begin(matrix.begin_.begin(), matrix.begin_.end());
  write(name + "/p", begin);
  write(name + "/i", matrix.index_);
  write(name + "/x", matrix.value_);
}

void FclibWriter::publish() const {
  check_hdf5(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flush");
  const ssize_t size = H5Fget_file_image(file_, nullptr, 0);
  check_hdf5(size < 0 ? -1 : 0, "file image");
  std::vector<char> bytes(static_cast<std::size_t>(size));
  check_hdf5(H5Fget_file_image(file_, bytes.data(), bytes.size()) < 0 ? -1 : 0, "file image");
  publish_file(path_, std::as_bytes(std::span(bytes)));
}

void FclibWriter::array(const std::string& name, std::int64_t type, std::size_t size,
                        const void* values) {
  const hsize_t extent = size;
  const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose, "space");
  set(name, type, space, values, size > 0);
}

void FclibWriter::set(const std::string& name, std::int64_t type, std::int64_t space,
                      const void* values, bool any) {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "creation list");
  check_hdf5(H5Pset_obj_track_times(creation, false), "times");
  const Handle made(
      H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose,
      "array");
  if (any) check_hdf5(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "array");
}

}  // namespace solfec
