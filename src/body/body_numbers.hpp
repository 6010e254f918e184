// Numbers of all bodies in one array, so that loops over bodies run through memory in order.
#pragma once

#include <utility>
#include <vector>

namespace solfec {

/// Where the numbers of each body begin in such an array; one entry more than bodies.
using BodyOffsets = std::vector<int>;

/// The numbers of body i are count(i) ones at u(i), if u is such an array.
class BodyNumbers {
 public:
  explicit BodyNumbers(const BodyOffsets* offsets) : offsets_(offsets) {}
  BodyNumbers(const BodyNumbers&) = delete;
  BodyNumbers& operator=(const BodyNumbers&) = delete;

  double* operator()(int i) { return values_.data() + begin(i); }
  const double* operator()(int i) const { return values_.data() + begin(i); }
  int begin(int i) const { return (*offsets_)[i]; }
  int count(int i) const { return begin(i + 1) - begin(i); }
  void fill(double value) { values_.assign(values_.size(), value); }

 private:
  friend class BodyStore;  // it changes offsets and arrays together
  BodyNumbers(BodyNumbers&&) noexcept = default;
  BodyNumbers& operator=(BodyNumbers&&) noexcept = default;
  /// To the last offset; new numbers are zero.
  void resize() { values_.resize(offsets_->back(), 0.0); }
  /// Those of the bodies in `order`, in that order. The offsets are still those of before.
  void take(const std::vector<int>& order) {
    std::vector<double> taken;
    taken.reserve(values_.size());
    for (int i : order) taken.insert(taken.end(), (*this)(i), (*this)(i) + count(i));
    values_ = std::move(taken);
  }

  const BodyOffsets* offsets_;
  std::vector<double> values_;
};

}  // namespace solfec
