// Constraints: what is known of each contact and joint, and how it passes from step to step.
#pragma once

#include <functional>
#include <vector>

#include "body/kinematics.hpp"
#include "contact/detected_contact.hpp"
#include "contact/surface_material.hpp"
#include "core/optional_on_heap.hpp"
#include "local_dynamics/determinacy.hpp"

namespace solfec {

/// Right-handed orthonormal base with columns (tangent 1, tangent 2, normal).
Mat3 local_base(const Vec3& normal);

/// The glue of a cohesive contact: it stays with the material points where it was made.
struct Bond {
  Vec3 offset1 = Vec3::Zero(), offset2 = Vec3::Zero();  ///< material points, from the mass centres
  Vec3 normal = Vec3::UnitZ();                          ///< carried by the second body
  double gap = 0;                                       ///< when made [m]
  double area = 0;                                      ///< when made [m^2]
  double work = 0;                                      ///< dissipated since then [J]
};

/// Feature of the first body in the key of a joint; the second one is its number.
inline constexpr std::uint32_t kJointFeature = 0xFFFFFFFFu;
inline bool is_joint(const ContactKey& key) { return key.feature1 == kJointFeature; }

/// Base of a constraint with this normal: of a fixed point the axes of space. Where three
/// directions are bound that are not those, `tangent` is the first one.
Mat3 constraint_base(ConstraintKind kind, const Vec3& normal, const Vec3& tangent = Vec3::UnitX());

/// A contact between two bodies, or a joint: between two bodies, or of the first one with space
/// (the second id is none then). There are several of them per body, and those of the step before:
/// a field more is memory of large runs (tests/parallel/test_scale.py).
struct Constraint {
  ContactKey key;
  ConstraintKind kind = {};  ///< contact
  std::uint8_t owning = 0;   ///< which of the two bodies brings it along: 0 or 1
  bool passes = false;  ///< a contact whose bodies would pass each other: it acts if others push
  bool lasts = false;   ///< a contact that was there in the step before
  bool eliminated = false;                ///< a support in the step, not a row
  Vertex vertex = Vertex::none;           ///< of the step
  int body1 = -1, body2 = -1;             ///< indices, valid within a step; -1: space
  std::array<int, 2> element = {-1, -1};  ///< that it acts on, of finite-element bodies
  int surface1 = 0, surface2 = 0;
  int material = 0;
  static constexpr int kNoNode = -1, kUnseen = -2;
  int node = kUnseen;  ///< of a mesh, that a joint supports (domain/supports.hpp)
  static constexpr int kHere = -1, kUnknown = -2;
  int partner_rank = kHere;  ///< owner of the other body when it was seen last
  Determinacy determinacy = Determinacy::unknown;  ///< of R; unknown again after each step
  Vec3 point;                                      ///< where R acts on the first body
  /// From the point on the second body to that on the first [m], of a joint of two points, and of a
  /// contact whose bodies do not touch yet; 0 of others.
  Vec3 arm = Vec3::Zero();
  Vec3 tangent = Vec3::UnitX(), normal = Vec3::UnitZ();  ///< T1, N; T2 = N x T1
  double gap = 0, area = 0;
  Vec3 R = Vec3::Zero();      ///< average reaction over the step, local [N]
  Vec3 U = Vec3::Zero();      ///< relative velocity at the end of the step, local [m/s]
  Vec3 V = Vec3::Zero();      ///< and at its start
  Vec3 drift = Vec3::Zero();  ///< of a contact: what steps left of its law, local [m]
  double merit = 0;           ///< share of the merit function
  OptionalOnHeap<Bond> bond;  ///< present while the contact is cohesive

  /// Columns (tangent 1, tangent 2, normal), right-handed.
  Mat3 base() const {
    Mat3 base;
    base << tangent, normal.cross(tangent), normal;
    return base;
  }
  void set_base(const Mat3& base) {
    tangent = base.col(0);
    normal = base.col(2);
  }
  bool is_contact() const { return solfec::is_contact(kind); }
  /// It stays when the bodies are apart.
  bool persists() const { return bond || (!is_contact() && other_body().valid()); }
  /// Of a body with itself.
  bool is_self_contact() const { return body1 >= 0 && body1 == body2; }
  int body(int side) const { return side == 0 ? body1 : body2; }
  Vec3 point_of(int side) const { return side == 0 ? point : Vec3(point - arm); }
  /// Index of the body that brings it along, and of the other one.
  int holder() const { return body(owning); }
  int other() const { return body(1 - owning); }
  BodyId owning_body() const { return owning == 0 ? key.body1 : key.body2; }
  BodyId other_body() const { return owning == 0 ? key.body2 : key.body1; }
};

/// Whether the gap of a contact shows what steps leave of its law along the normal.
inline bool shows_drift(const Constraint& c) {
  return c.vertex != Vertex::none && c.R.z() > 0 && !c.bond;
}

/// What results keep of a constraint beside its point and normal: its arm or, of three prescribed
/// directions, the tangent of constraint_base.
inline Vec3 arm_or_tangent(const Constraint& c) {
  return prescribes_all_directions(c.kind) ? c.tangent : c.arm;
}

template <class Archive>
void visit_fields(Archive& archive, Bond& b) {
  archive(b.offset1, b.offset2, b.normal, b.gap, b.area, b.work);
}
/// All but the indices, and what each step makes anew.
template <class Archive>
void visit_fields(Archive& archive, Constraint& c) {
  archive(c.kind, c.key, c.element, c.point, c.arm, c.tangent, c.normal, c.gap, c.area, c.surface1,
          c.surface2, c.material, c.R, c.U, c.V, c.drift, c.merit, c.determinacy, c.bond, c.node,
          c.eliminated, c.owning, c.partner_rank);
}

/// Where a constraint acts on its first (0) or second (1) body. A bond holds a material point of a
/// mesh, wherever the two points are: outside of their elements shape functions grow.
Place place_on(const BodyStore& bodies, const Constraint& c, int side);
/// The same of both bodies. Where there is no body (a joint to space) the place has no meaning.
using RowPlaces = std::array<Place, 2>;
/// Throws RunError where an element is so distorted that the point is not found in it.
RowPlaces places_of(const BodyStore& bodies, const Constraint& c);

/// The places of constraints, by row. Those on meshes are kept; a constraint itself says the
/// others.
class ConstraintPlaces {
 public:
  /// At the present configuration. Throws RunError as places_of does.
  void find(const BodyStore& bodies, std::span<const Constraint> constraints);
  /// Constraints that they are of.
  std::size_t count() const { return slot_.size(); }
  /// Of the constraint in this row.
  Place of(const Constraint& c, std::size_t row, int side) const {
    return slot_[row] < 0 ? Place(c.point_of(side)) : kept_[slot_[row]][side];
  }

 private:
  std::vector<int> slot_;  // -1: not kept
  std::vector<RowPlaces> kept_;
};

/// Constraints, and where each of them acts on its bodies.
struct PlacedRows {
  std::span<const Constraint> constraints;
  const ConstraintPlaces& places;

  Place place(std::size_t row, int side) const { return places.of(constraints[row], row, side); }
};

/// The constraints that a rank owns, in the order of their keys.
class ConstraintStore {
 public:
  const std::vector<Constraint>& all() const { return constraints_; }
  std::vector<Constraint>& all() { return constraints_; }
  int count() const { return static_cast<int>(constraints_.size()); }
  /// Index, or -1.
  int find(const ContactKey& key) const;

  /// Replaces the contacts by the detected ones (in the order of keys). A contact that goes on
  /// keeps its reaction (in global axes) and its bond; several points of one pair of pieces are
  /// matched by their distance. Bonded contacts stay when their points are not detected and both
  /// bodies are there. When `make_bonds` is set, contacts of cohesive materials are glued. Joints
  /// stay as they are.
  void update(std::span<const DetectedContact> detected, const BodyStore& bodies,
              const SurfaceMaterials& materials, bool make_bonds);

  /// Joints among them, rising; after update() only.
  const std::vector<int>& joint_rows() const { return joint_rows_; }

  /// Remembers the constraints as they are now, at no cost: restore() undoes an update and what
  /// came after it. The bodies have to be those of then.
  void save() { updated_ = false; }
  void restore(const BodyStore& bodies);

  void remove(int index) { constraints_.erase(constraints_.begin() + index); }
  /// Removes joints within a step, of rows that rise.
  void remove_joints(std::span<const int> rows);
  /// Removes contacts within a step, those of which `goes` is true.
  void remove_contacts(const std::function<bool(const Constraint&)>& goes);
  /// Takes the supports of a step out.
  std::vector<Constraint> take_eliminated();
  /// Removes the constraints of bodies that are gone (ids rising).
  void remove_bodies(std::span<const BodyId> ids);
  /// Finds the bodies' indices anew; that of a body which is not on this rank is -1.
  void locate(const BodyStore& bodies);
  /// Adds new ones, as those that came along with bodies from other ranks.
  void insert(std::vector<Constraint> arrivals);

 private:
  void list_joints();
  /// Which previous ones of begin ... end go on as the new ones of the same pieces: match_, -1 for
  /// none, and taken_. Each takes the nearest one that is left, or the closest pairs come first: a
  /// bond must not go to a point beside another one.
  void match_in_order(std::span<const Constraint> fresh, std::size_t begin, std::size_t end,
                      const BodyStore& bodies);
  void match_closest_first(std::span<const Constraint> fresh, std::size_t begin, std::size_t end,
                           const BodyStore& bodies);

  struct Candidate {
    double distance;   // squared
    std::size_t k, i;  // of the new and the previous one
    auto operator<=>(const Candidate&) const = default;
  };

  std::vector<Constraint> constraints_, previous_;
  std::vector<int> joint_rows_;
  std::vector<bool> taken_;  // which previous ones go on
  std::vector<Candidate> candidates_;
  std::vector<int> match_;  // which of them as the new ones of a pair of pieces
  bool updated_ = false;    // since save(): those of then are the previous ones
};

}  // namespace solfec
