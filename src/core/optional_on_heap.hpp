// An optional value that few have: where it is not there it takes the room of a pointer.
#pragma once

#include <memory>
#include <utility>

namespace solfec {

/// Used as std::optional.
template <class T>
class OptionalOnHeap {
 public:
  OptionalOnHeap() = default;
  OptionalOnHeap(T value) : value_(std::make_unique<T>(std::move(value))) {}
  OptionalOnHeap(const OptionalOnHeap& other) : value_(copy(other)) {}
  OptionalOnHeap(OptionalOnHeap&&) noexcept = default;
  OptionalOnHeap& operator=(const OptionalOnHeap& other) {
    value_ = copy(other);
    return *this;
  }
  OptionalOnHeap& operator=(OptionalOnHeap&&) noexcept = default;

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }
  void reset() { value_.reset(); }

 private:
  static std::unique_ptr<T> copy(const OptionalOnHeap& other) {
    return other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
  }

  std::unique_ptr<T> value_;
};

/// As std::optional is written and read.
template <class Archive, class T>
void visit_fields(Archive& archive, OptionalOnHeap<T>& value) {
  bool there = value.has_value();
  archive(there);
  if (!there)
    value.reset();
  else if (!value)
    value = T{};
  if (there) archive(*value);
}

}  // namespace solfec
