#include "output/frame_data.hpp"

#include <fmt/format.h>

namespace solfec {

Column& FrameData::column(const std::string& path) {
  for (Table& table : tables)
    for (Column& column : table.columns)
      if (path == column.path) return column;
  broken_invariant(("results have a column " + path).c_str(), __FILE__, __LINE__);
}

void FrameData::clear() {
  for (Table& table : tables) table.clear();
}

std::size_t FrameData::bytes() const {
  std::size_t bytes = 0;
  visit_columns([&](const Column& column) {
    bytes += std::visit([](const auto& n) { return n.size() * sizeof(n[0]); }, column.numbers);
  });
  return bytes;
}

void FrameData::append(const FrameData& next) {
  for (std::size_t t = 0; t < kTables; t++)
    for (std::size_t k = 0; k < tables[t].columns.size(); k++)
      std::visit(
          [&](auto& numbers) {
            const auto& more =
                std::get<std::remove_cvref_t<decltype(numbers)>>(next.tables[t].columns[k].numbers);
            numbers.insert(numbers.end(), more.begin(), more.end());
          },
          tables[t].columns[k].numbers);
}

void fail_unknown_kind(const char* path, int value) {
  throw RunError(fmt::format("'{}' holds {}, an unknown kind", path, value));
}

}  // namespace solfec
