// Values as bytes, for messages between ranks and for fingerprints. What a type consists of is
// listed once, in a function  visit_fields(archive, value)  beside the type; writing and reading
// both go through it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/vector.hpp"

namespace solfec {

using Bytes = std::vector<std::byte>;

template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Appends values.
class ArchiveWriter {
 public:
  template <class T>
  ArchiveWriter& operator()(const T& value) {
    write(value);
    return *this;
  }
  template <class T, class... Rest>
  ArchiveWriter& operator()(const T& value, const Rest&... rest) {
    write(value);
    return (*this)(rest...);
  }

  const Bytes& bytes() const { return bytes_; }
  Bytes take() { return std::exchange(bytes_, {}); }

 private:
  void append(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  template <class T>
  void write(const T& value) {
    if constexpr (Number<T>)
      append(&value, sizeof(value));
    else
      visit_fields(*this, const_cast<T&>(value));  // it only reads for this archive
  }
  template <class S, int rows, int columns, int options>
  void write(const Eigen::Matrix<S, rows, columns, options>& m) {
    static_assert(rows > 0 && columns > 0);
    append(m.data(), sizeof(S) * rows * columns);
  }
  template <class T, std::size_t n>
  void write(const std::array<T, n>& values) {
    for (const T& value : values) write(value);
  }
  template <class T>
  void write(const std::vector<T>& values) {
    write(static_cast<std::uint64_t>(values.size()));
    if constexpr (Number<T>)
      append(values.data(), values.size() * sizeof(T));
    else
      for (const T& value : values) write(value);
  }
  void write(const std::string& text) {
    write(static_cast<std::uint64_t>(text.size()));
    append(text.data(), text.size());
  }
  template <class T>
  void write(const std::optional<T>& value) {
    write(value.has_value());
    if (value) write(*value);
  }
  template <class... T>
  void write(const std::variant<T...>& value) {
    write(static_cast<std::uint8_t>(value.index()));
    std::visit([this](const auto& alternative) { write(alternative); }, value);
  }
  template <class T>
  void write(const std::shared_ptr<T>& pointer) {
    write(pointer != nullptr);
    if (pointer) write(*pointer);
  }

  Bytes bytes_;
};

/// Reads values back in the order they were written.
class ArchiveReader {
 public:
  explicit ArchiveReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  T get() {
    T value{};
    read(value);
    return value;
  }
  template <class T>
  ArchiveReader& operator()(T& value) {
    read(value);
    return *this;
  }
  template <class T, class... Rest>
  ArchiveReader& operator()(T& value, Rest&... rest) {
    read(value);
    return (*this)(rest...);
  }

  bool done() const { return rest_.empty(); }

 private:
  void extract(void* data, std::size_t size) {
    DEMAND(size <= rest_.size());
    if (size > 0) std::memcpy(data, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }
  template <class T>
  void read(T& value) {
    if constexpr (Number<T>)
      extract(&value, sizeof(value));
    else
      visit_fields(*this, value);
  }
  template <class S, int rows, int columns, int options>
  void read(Eigen::Matrix<S, rows, columns, options>& m) {
    extract(m.data(), sizeof(S) * rows * columns);
  }
  template <class T, std::size_t n>
  void read(std::array<T, n>& values) {
    for (T& value : values) read(value);
  }
  template <class T>
  void read(std::vector<T>& values) {
    values.clear();
    const std::size_t count = get<std::uint64_t>();
    if constexpr (Number<T>) {
      DEMAND(count <= rest_.size() / sizeof(T));
      values.resize(count);
      extract(values.data(), count * sizeof(T));
    } else {
      for (std::size_t k = 0; k < count; k++) read(values.emplace_back());
    }
  }
  void read(std::string& text) {
    const std::size_t size = get<std::uint64_t>();
    DEMAND(size <= rest_.size());
    text.resize(size);
    extract(text.data(), size);
  }
  template <class T>
  void read(std::optional<T>& value) {
    value.reset();
    if (get<bool>()) read(value.emplace());
  }
  template <class... T>
  void read(std::variant<T...>& value) {
    const std::size_t index = get<std::uint8_t>();
    DEMAND(index < sizeof...(T));
    std::size_t k = 0;
    ((k++ == index ? read(value.template emplace<T>()) : void()), ...);
  }
  template <class T>
  void read(std::shared_ptr<T>& pointer) {
    pointer.reset();
    if (!get<bool>()) return;
    auto value = std::make_shared<std::remove_const_t<T>>();
    read(*value);
    pointer = std::move(value);
  }

  std::span<const std::byte> rest_;
};

/// A 64-bit fingerprint (FNV-1a) of bytes, to be continued from an earlier one.
inline std::uint64_t fingerprint(std::span<const std::byte> bytes,
                                 std::uint64_t start = 0xCBF29CE484222325u) {
  for (std::byte b : bytes) start = (start ^ static_cast<std::uint64_t>(b)) * 0x100000001B3u;
  return start;
}

}  // namespace solfec
