// Number types that results hold.
#pragma once

#include <cstddef>
#include <cstdint>

namespace solfec {

enum class NumberType { f64, i32, u32, i64, u8 };

template <class T>
constexpr NumberType number_type();
template <>
constexpr NumberType number_type<double>() {
  return NumberType::f64;
}
template <>
constexpr NumberType number_type<std::int32_t>() {
  return NumberType::i32;
}
template <>
constexpr NumberType number_type<std::uint32_t>() {
  return NumberType::u32;
}
template <>
constexpr NumberType number_type<std::int64_t>() {
  return NumberType::i64;
}
template <>
constexpr NumberType number_type<std::uint8_t>() {
  return NumberType::u8;
}

/// Bytes of one.
constexpr std::size_t number_size(NumberType type) {
  switch (type) {
    case NumberType::f64:
    case NumberType::i64:
      return 8;
    case NumberType::i32:
    case NumberType::u32:
      return 4;
    case NumberType::u8:
      return 1;
  }
  return 0;
}

}  // namespace solfec
