// All numbers of tables of results, to compare them.
#pragma once

#include <vector>

#include "output/frame_data.hpp"

namespace solfec::testing {

/// Those of one column after the other, a separator after each.
inline std::vector<double> flat(const FrameData& data) {
  std::vector<double> all;
  data.visit_columns([&](const Column& column) {
    std::visit([&](const auto& numbers) { all.insert(all.end(), numbers.begin(), numbers.end()); },
               column.numbers);
    all.push_back(-12345.678);
  });
  return all;
}

/// So many rows in every table, all numbers different as far as their types allow.
inline FrameData numbered(std::size_t rows, int first) {
  FrameData data;
  int next = first;
  data.visit_columns([&](Column& column) {
    std::visit(
        [&](auto& numbers) {
          using T = typename std::remove_cvref_t<decltype(numbers)>::value_type;
          for (std::size_t k = 0; k < rows * column.width; k++)
            numbers.push_back(static_cast<T>(next++));
        },
        column.numbers);
  });
  return data;
}

}  // namespace solfec::testing
