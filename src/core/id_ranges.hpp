#pragma once

#include <cstdint>
#include <map>

#include "core/ids.hpp"

namespace solfec {

/// A set of bodies' identifiers; memory and time go with the number of gaps, not of members.
class IdRanges {
 public:
  void insert(BodyId id) { insert(id.value, std::uint64_t{id.value} + 1); }
  /// All of first <= id < end.
  void insert(std::uint64_t first, std::uint64_t end);
  void clear() { ends_.clear(); }
  bool contains(BodyId id) const;
  /// Number of members below an identifier.
  std::int64_t count_below(BodyId id) const;

 private:
  std::map<std::uint64_t, std::uint64_t> ends_;  // of ranges that do not touch, by where they begin
};

}  // namespace solfec
