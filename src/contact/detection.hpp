// From bodies to contact points: broad phase, narrow phase, sparsification.
#pragma once

#include <functional>
#include <set>
#include <span>

#include "contact/manifold.hpp"
#include "contact/narrow_phase.hpp"
#include "contact/node_contact.hpp"
#include "contact/sparsification.hpp"
#include "geometry/box_tree.hpp"

namespace solfec {

/// What must not touch, by choice of the user.
class ContactExclusions {
 public:
  using Piece = std::pair<BodyId, int>;  ///< body and feature

  void exclude_bodies(BodyId a, BodyId b) { bodies_.insert(std::minmax(a, b)); }
  void exclude_surfaces(int a, int b) { surfaces_.insert(std::minmax(a, b)); }
  void exclude_pieces(BodyId body1, int feature1, BodyId body2, int feature2);
  /// Bodies that take the place of another one inherit what is excluded of it; `piece` tells which
  /// of their pieces was a piece of it.
  void inherit(BodyId from, std::span<const BodyId> heirs,
               const std::function<Piece(int feature)>& piece);

  bool bodies(BodyId a, BodyId b) const {
    return !bodies_.empty() && bodies_.contains(std::minmax(a, b));
  }
  bool surfaces(int a, int b) const {
    return !surfaces_.empty() && surfaces_.contains(std::minmax(a, b));
  }
  bool pieces(BodyId body1, int feature1, BodyId body2, int feature2) const;

  bool empty() const { return bodies_.empty() && surfaces_.empty() && pieces_.empty(); }
  /// Of bodies and of surfaces, which all ranks know; pieces are known to their owners.
  template <class Archive>
  void common(Archive& archive) const {
    for (const auto& [a, b] : bodies_) archive(a, b);
    archive(bodies_.size());
    for (const auto& [a, b] : surfaces_) archive(a, b);
  }

 private:
  std::set<std::pair<BodyId, BodyId>> bodies_;
  std::set<std::pair<int, int>> surfaces_;
  std::set<std::pair<Piece, Piece>> pieces_;
};

struct DetectionSettings {
  double epsilon = 1e-6;  ///< geometric epsilon [m]: gaps up to it count as contact
  ContactMode mode = ContactMode::many;
  Sparsification sparsification;
};

/// What decides which of two bodies that may touch owns their contacts.
struct ContactClaim {
  bool obstacle;
  double size;  ///< BodyExtent::size
  BodyId id;
};
/// The smaller one does, against an obstacle the other one: 0 or 1. The rank that owns this body
/// owns the contacts. Of equal bodies the lower id does where half of the sum of both ids is even:
/// with one rule for all pairs, ranks of lower ids would own all contacts between ranks, and answer
/// for all of their rows while the other ranks wait.
inline std::uint8_t owning_side(const ContactClaim& first, const ContactClaim& second) {
  if (first.obstacle || second.obstacle) return first.obstacle ? 1 : 0;
  if (first.size != second.size) return first.size < second.size ? 0 : 1;
  const bool lower = (first.id.value + second.id.value) / 2 % 2 == 0;
  return (first.id < second.id) == lower ? 0 : 1;
}
/// The same between bodies by index: index of the one that owns.
int owning_body(const BodyStore& bodies, int i, int j);

/// Finds contacts; keeps its memory between steps.
class ContactDetection {
 public:
  /// Contacts of owned bodies (owning_body) in the order of their keys. Of two bodies the one with
  /// the lower id is the first, but an obstacle is always the second; obstacles do not touch each
  /// other. The pieces have been placed with boxes grown by half of the epsilon.
  ///
  /// `lookahead`, if given: how far surfaces of each body may come until contacts are found next
  /// [m]; the boxes are grown by that, too. Pairs of bodies then have contacts before they touch,
  /// but for contacts of a body with itself and of bodies with node_contact.
  const std::vector<DetectedContact>& find(const BodyStore& bodies, PieceStore& pieces,
                                           const ContactExclusions& exclusions,
                                           const DetectionSettings& settings,
                                           std::span<const Lookahead> lookahead = {});

  /// Points dropped by sparsification in the last call.
  int sparsified() const { return sparsified_; }
  /// Box pairs tested by the narrow phase in the last call.
  int candidates() const { return static_cast<int>(pairs_.size()); }

 private:
  BoxTree tree_;
  NarrowPhase narrow_phase_;
  std::vector<NodeContact> node_contacts_;
  ManifoldReducer manifold_;
  Sparsifier sparsifier_;
  struct Candidate {
    BodyId id1, id2;
    int piece1, piece2;
    auto operator<=>(const Candidate&) const = default;
  };
  std::vector<Candidate> pairs_;
  std::vector<DetectedContact> contacts_;
  int sparsified_ = 0;
};

}  // namespace solfec
