// Contacts of pairs of pieces whose boxes overlap: narrow phase, manifolds, sparsification.
#pragma once

#include <span>
#include <vector>

#include "contact/depth_of_bodies.hpp"
#include "contact/exclusions.hpp"
#include "contact/lookahead.hpp"
#include "contact/manifold.hpp"
#include "contact/narrow_phase.hpp"
#include "contact/node_contact.hpp"
#include "contact/sparsification.hpp"
#include "geometry/box_tree.hpp"

namespace solfec {

struct DetectionSettings {
  double epsilon = 1e-6;  ///< geometric epsilon [m]: gaps up to it count as contact
  ContactMode mode = ContactMode::many;
  Sparsification sparsification;
};

/// What contacts follow from.
struct DetectionInput {
  const BodyStore& bodies;
  PieceStore& pieces;
  const ContactExclusions& exclusions;
  const DetectionSettings& settings;
  std::span<const Lookahead> lookahead;
  const BoxTree& tree;  ///< of all pieces

  /// Within which points of two bodies are contacts.
  double distance(int i, int j) const {
    if (lookahead.empty() || i == j) return settings.epsilon;
    return settings.epsilon + lookahead[i].distance + lookahead[j].distance;
  }
};

struct CandidatePair {
  BodyId id1, id2;
  int piece1, piece2;
  auto operator<=>(const CandidatePair&) const = default;

  bool same_bodies(const CandidatePair& other) const {
    return id1 == other.id1 && id2 == other.id2;
  }
};

/// Work spaces, kept between steps; one for each thread that works on pairs.
class PairDetection {
 public:
  /// Of pairs in their order, with all those of two bodies among them. Contacts are in the order of
  /// their keys.
  void find(const DetectionInput& input, std::span<const CandidatePair> pairs);

  const std::vector<DetectedContact>& contacts() const { return contacts_; }
  /// Hands them over.
  void swap(std::vector<DetectedContact>& contacts) { contacts_.swap(contacts); }
  /// Points dropped by sparsification.
  int sparsified() const { return sparsified_; }

 private:
  void find_points(const DetectionInput& input, std::span<const CandidatePair> pairs);
  void find_points(const DetectionInput& input, const CandidatePair& pair,
                   bool neighbours_missed_it);
  void reduce_patches(const DetectionInput& input);
  void sparsify(const DetectionInput& input);

  NarrowPhase narrow_phase_;
  DepthOfBodies depth_;
  std::vector<NodeContact> node_contacts_;
  ManifoldReducer manifold_;
  Sparsifier sparsifier_;
  std::vector<DetectedContact> contacts_;
  // Of the bodies at hand: whether they touch, and whether elements have left that to others.
  bool touches_ = false, left_ = false;
  int sparsified_ = 0;
};

}  // namespace solfec
