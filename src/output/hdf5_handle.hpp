// What the files that call the HDF5 library share.
#pragma once

#include <fmt/format.h>
#include <hdf5.h>

#include "core/error.hpp"
#include "output/number_type.hpp"

namespace solfec {

/// Closes an HDF5 handle at the end of its scope.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  /// Throws RunError when `id` is none: `what` was to make it.
  Hdf5Handle(hid_t id, Close close, const char* what) : id_(id), close_(close) {
    if (id < 0) throw RunError(fmt::format("HDF5: {} failed", what));
  }
  ~Hdf5Handle() { close_(id_); }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

/// Throws RunError when the library says that `what` failed.
inline void check_hdf5(herr_t status, const char* what) {
  if (status < 0) throw RunError(fmt::format("HDF5: {} failed", what));
}

inline hid_t native_hdf5(NumberType type) {
  switch (type) {
    case NumberType::f64:
      return H5T_NATIVE_DOUBLE;
    case NumberType::i32:
      return H5T_NATIVE_INT32;
    case NumberType::u32:
      return H5T_NATIVE_UINT32;
    case NumberType::i64:
      return H5T_NATIVE_INT64;
    case NumberType::u8:
      return H5T_NATIVE_UINT8;
  }
  return H5I_INVALID_HID;
}

/// Errors are reported through exceptions, not on the library's own terms.
inline void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

}  // namespace solfec
