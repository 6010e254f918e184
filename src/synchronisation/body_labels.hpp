// What scripts know bodies by: handles and labels.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "body/body_store.hpp"
#include "core/id_ranges.hpp"

namespace solfec {

/// What objects of a script hold of a body.
struct BodyHandle {
  BodyId id;
  /// On several ranks, while a script holds the object: the body as it was made (without shape and
  /// loads), wherever it lives. Its state is of use until the first RUN only.
  std::unique_ptr<BodyState> record;
};

/// Labelled bodies of all ranks, on every rank.
class BodyLabels {
 public:
  void add(const std::string& label, std::shared_ptr<BodyHandle> handle) {
    if (!label.empty()) table_.emplace(label, std::move(handle));
  }
  bool knows(const std::string& label, BodyId id) const;
  /// The one with the lowest id that is not gone, or null.
  std::shared_ptr<BodyHandle> find(const std::string& label, const IdRanges& gone) const;
  /// A RUN comes: records that no object of the script holds are not needed any more.
  void drop_records();

 private:
  std::unordered_multimap<std::string, std::shared_ptr<BodyHandle>> table_;
};

}  // namespace solfec
