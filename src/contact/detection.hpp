// From bodies to contact points: broad phase, narrow phase, sparsification.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/pair_detection.hpp"
#include "geometry/box_tree.hpp"

namespace solfec {

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
  void find_candidates(const DetectionInput& input);
  void make_planes(PieceStore& pieces) const;
  void find_contacts(const DetectionInput& input);

  BoxTree tree_;
  std::vector<CandidatePair> pairs_;
  std::vector<DetectedContact> contacts_;
  int sparsified_ = 0;
  // Of parts of the work:
  std::vector<std::vector<CandidatePair>> found_;
  std::vector<PairDetection> detections_;
};

}  // namespace solfec
