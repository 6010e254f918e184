// Contacts as constraints: what is known of each, and how it passes from step to step.
#pragma once

#include <optional>
#include <vector>

#include "body/kinematics.hpp"
#include "contact/detected_contact.hpp"
#include "contact/surface_material.hpp"

namespace solfec {

/// Right-handed orthonormal base with columns (tangent 1, tangent 2, normal).
Mat3 local_base(const Vec3& normal);

/// The glue of a cohesive contact: it stays with the material points where it was made.
struct Bond {
  Vec3 offset1, offset2;  ///< material points relative to the mass centres
  Vec3 normal;            ///< carried by the second body
  double gap;             ///< when made [m]
  double area;            ///< when made [m^2]
};

struct Contact {
  ContactKey key;
  int body1 = -1, body2 = -1;  ///< indices, valid within a step
  Vec3 point;
  Mat3 base;  ///< columns (tangent 1, tangent 2, normal)
  double gap = 0, area = 0;
  int surface1 = 0, surface2 = 0;
  int material = 0;
  Vec3 R = Vec3::Zero();     ///< average reaction over the step, local [N]
  Vec3 U = Vec3::Zero();     ///< relative velocity at the end of the step, local [m/s]
  Vec3 V = Vec3::Zero();     ///< and at its start
  double merit = 0;          ///< share of the merit function
  std::optional<Bond> bond;  ///< present while the contact is cohesive
  std::uint8_t owning = 0;   ///< which of the two bodies brings the contact along: 0 or 1
  static constexpr int kHere = -1, kUnknown = -2;
  int partner_rank = kHere;  ///< owner of the other body when it was seen last

  BodyId owning_body() const { return owning == 0 ? key.body1 : key.body2; }
  BodyId other_body() const { return owning == 0 ? key.body2 : key.body1; }
};

template <class Archive>
void visit_fields(Archive& archive, Bond& b) {
  archive(b.offset1, b.offset2, b.normal, b.gap, b.area);
}
/// All but the indices.
template <class Archive>
void visit_fields(Archive& archive, Contact& c) {
  archive(c.key, c.point, c.base, c.gap, c.area, c.surface1, c.surface2, c.material, c.R, c.U, c.V,
          c.merit, c.bond, c.owning, c.partner_rank);
}

/// The contacts that a rank owns, in the order of their keys.
class ContactStore {
 public:
  const std::vector<Contact>& contacts() const { return contacts_; }
  std::vector<Contact>& contacts() { return contacts_; }
  int count() const { return static_cast<int>(contacts_.size()); }
  /// Index, or -1.
  int find(const ContactKey& key) const;

  /// Replaces the contacts by the detected ones (in the order of keys). A contact that goes on
  /// keeps its reaction (in global axes) and its bond; several points of one pair of pieces are
  /// matched by their distance. Bonded contacts stay when they are not detected and both bodies are
  /// there. When
  /// `make_bonds` is set, contacts of cohesive materials are glued.
  void update(std::span<const DetectedContact> detected, const BodyStore& bodies,
              const SurfaceMaterials& materials, bool make_bonds);

  /// Remembers the contacts as they are now, at no cost: restore() takes back an update and what
  /// came after it. The bodies have to be those of then.
  void save() { updated_ = false; }
  void restore(const BodyStore& bodies);

  void remove(int index) { contacts_.erase(contacts_.begin() + index); }
  /// Removes the contacts of bodies that are gone (ids rising).
  void remove_bodies(std::span<const BodyId> ids);
  /// Finds the bodies' indices anew; that of a body which is not on this rank is -1.
  void locate(const BodyStore& bodies);
  /// Adds contacts that came along with bodies from other ranks.
  void insert(std::vector<Contact> arrivals);

 private:
  std::vector<Contact> contacts_, previous_;
  std::vector<bool> taken_;  // which previous ones go on
  bool updated_ = false;     // since save(): the contacts of then are the previous ones
};

}  // namespace solfec
