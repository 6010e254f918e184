// Contact points of a pair of pieces, whatever their kinds.
#pragma once

#include <optional>

#include "contact/contact_point.hpp"
#include "contact/pieces.hpp"
#include "contact/separated_pair.hpp"

namespace solfec {

/// How a piece has moved:  x -> c + translation + D (x - c).
struct Displacement {
  Vec3 center, translation;
  Mat3 gradient;  ///< D

  Vec3 operator()(const Vec3& x) const { return center + translation + gradient * (x - center); }
};

/// Whether one of the two pieces is a ball or an ellipsoid.
bool is_curved_pair(const PieceStore& pieces, int first, int second);

/// Where such a pair touches, however wide its gap is, after its pieces have moved; a polyhedron
/// has turned only. Surfaces are left out.
std::optional<ContactPoint> moved_contact(PieceStore& pieces, int first, int second,
                                          const Displacement& of_first,
                                          const Displacement& of_second);

/// The same of a contact on a face, of which `normal` is that of the contact: with the plane of the
/// face, which goes on beyond its edges, and may be strained. Nothing where no face has it.
std::optional<ContactPoint> moved_face_contact(PieceStore& pieces, int first, int second,
                                               const Vec3& normal, const Displacement& of_first,
                                               const Displacement& of_second);

class NarrowPhase {
 public:
  /// Points where the two pieces are nearer than `tolerance` or overlap; the normal is outward of
  /// the second piece. Of polyhedra that touch also corners of patches within `distance` of the
  /// other one. What is returned lasts until the next call.
  const ContactPoints& find(PieceStore& pieces, int first, int second, double tolerance,
                            ContactMode mode, double distance = 0,
                            const Surroundings& surroundings = {});

  struct Reach {
    double distance;  ///< within which pieces that do not touch are known to each other [m]
    double near;      ///< and if they pass each other
    double fall;      ///< part of their motion that contacts with others undo
  };
  /// Of pieces that do not touch: contacts where they touch, if they go on as motion(point) says at
  /// the nearest point, of the first one relative to the second; if they pass each other, contacts
  /// where they are if they are near.
  struct ContactsAhead {
    const ContactPoints& points;  ///< after the first piece has moved by the shift
    Vec3 shift;
    bool passes;
  };
  ContactsAhead find_ahead(PieceStore& pieces, int first, int second, const RelativeMotion& motion,
                           const Reach& reach, double tolerance, ContactMode mode,
                           const Surroundings& surroundings = {});

 private:
  const ContactPoints& touching_polyhedra(const ConvexView& first, const ConvexView& second,
                                          double tolerance, ContactMode mode, double distance,
                                          const Surroundings& surroundings);
  ContactsAhead curved_ahead(PieceStore& pieces, int first, int second,
                             const RelativeMotion& motion, const Reach& reach, double tolerance,
                             const Surroundings& surroundings);
  ContactsAhead polyhedra_ahead(const ConvexView& first, const ConvexView& second,
                                const RelativeMotion& motion, const Reach& reach, double tolerance,
                                ContactMode mode, const Surroundings& surroundings);
  void keep(const PieceStore& pieces, int first, int second, ContactPoint contact);
  PolyhedronPair polyhedra_;
  SeparatedPair separated_;
  ContactPoints one_;  // at most
};

}  // namespace solfec
