#include "synchronisation/body_labels.hpp"

#include <algorithm>

namespace solfec {

bool BodyLabels::knows(const std::string& label, BodyId id) const {
  const auto [begin, end] = table_.equal_range(label);
  return std::any_of(begin, end, [&](const auto& entry) { return entry.second->id == id; });
}

std::shared_ptr<BodyHandle> BodyLabels::find(const std::string& label, const IdRanges& gone) const {
  std::shared_ptr<BodyHandle> found;
  const auto [begin, end] = table_.equal_range(label);
  for (auto entry = begin; entry != end; ++entry)
    if (!gone.contains(entry->second->id) && (!found || entry->second->id < found->id))
      found = entry->second;
  return found;
}

void BodyLabels::drop_records() {
  for (auto& [label, handle] : table_)
    if (handle.use_count() == 1) handle->record.reset();
}

}  // namespace solfec
