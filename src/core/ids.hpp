// Strong identifiers. An id names one thing for the whole of a run, on every rank; an index is a
// position in an array inside one loop. Ids are never reused.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace solfec {

template <class Tag>
struct Id {
  std::uint32_t value = 0xFFFFFFFFu;

  bool valid() const { return value != 0xFFFFFFFFu; }
  auto operator<=>(const Id&) const = default;
};

template <class Archive, class Tag>
void visit_fields(Archive& archive, Id<Tag>& id) {
  archive(id.value);
}

using BodyId = Id<struct BodyTag>;

}  // namespace solfec

template <class Tag>
struct std::hash<solfec::Id<Tag>> {
  std::size_t operator()(solfec::Id<Tag> id) const noexcept { return id.value; }
};
