// A contact as the detection reports it.
#pragma once

#include <compare>
#include <cstdint>

#include "contact/contact_point.hpp"
#include "core/ids.hpp"

namespace solfec {

/// Names a contact for as long as it lasts: bodies, pieces of theirs, number of the point. The
/// order of keys keeps the contacts of a pair of bodies together.
struct ContactKey {
  BodyId body1, body2;
  std::uint32_t feature1 = 0, feature2 = 0;
  std::uint32_t point = 0;

  auto operator<=>(const ContactKey&) const = default;
};

template <class Archive>
void visit_fields(Archive& archive, ContactKey& k) {
  archive(k.body1, k.body2, k.feature1, k.feature2, k.point);
}

struct DetectedContact {
  ContactKey key;
  int body1, body2;        ///< indices
  int element1, element2;  ///< of finite-element bodies, else -1
  ContactPoint geometry;
  /// From where it will be on the second body to where it will be on the first one, of pieces that
  /// do not touch yet; 0 if they do [m].
  Vec3 arm = Vec3::Zero();
  bool passes = false;   ///< pieces that are near, and would pass each other as they move
  bool dropped = false;  ///< by sparsification
};

}  // namespace solfec
