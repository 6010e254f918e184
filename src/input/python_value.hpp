// Values on their way to Python.
#pragma once

#include <pybind11/pybind11.h>

#include <type_traits>

namespace solfec::input {

/// A C++ value, or one that is Python's already, as a Python object.
template <class T>
pybind11::object to_python(T value) {
  if constexpr (std::is_base_of_v<pybind11::object, T>)
    return value;
  else
    return pybind11::cast(value);
}

}  // namespace solfec::input
