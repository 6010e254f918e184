// Filtering of redundant contact points (manual, algorithm 6.1).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "contact/detected_contact.hpp"
#include "contact/pieces.hpp"

namespace solfec {

/// Settings of CONTACT_SPARSIFY.
struct Sparsification {
  double threshold = 0.01;             ///< ratio of areas, in [0, 1]
  double min_area = 0;                 ///< [m^2]
  std::optional<double> min_distance;  ///< [m]; nothing: the geometric epsilon
};

/// Decides which contacts of one pair of bodies to keep, in the order of falling area (then rising
/// key), so that the outcome depends neither on history nor on anything outside of the pair. A
/// contact is dropped when its area is below `min_area`, or below `threshold` times that of a kept
/// contact that is as near to touching, whose piece, on either body, is the same or a neighbour
/// (polyhedra only): contacts known ahead have areas of another moment. It is also dropped when its
/// point lies nearer than twice the distance (max norm) to that of a kept one which pushes about
/// the same way (in a corner a vertex touches the floor and the walls); that one takes over its
/// area, so that elements which share a node add up their parts there. Linear in the contacts but
/// for their sorting; keeps its memory between calls.
class Sparsifier {
 public:
  /// Sets `dropped` in the contacts to remove and returns how many they are. `add_areas`: contacts
  /// at one place have parts of the area there; else those of a node have all of it, each, and the
  /// areas of two nodes add up. Gaps up to `epsilon` touch.
  int mark(std::span<DetectedContact> contacts, const PieceStore& pieces,
           const Sparsification& settings, double min_distance, double epsilon, bool add_areas);

 private:
  struct PieceArea {
    std::uint64_t call = 0;  // in which call it was set
    double area = 0, gap = 0;
  };
  void start(std::size_t contacts, const ReferencePieces& first, const ReferencePieces& second,
             double distance);
  double neighbour_area(const DetectedContact& contact, double epsilon) const;
  double neighbour_area(int side, std::uint32_t feature, double gap) const;
  DetectedContact* kept_at(const ContactPoint& contact) const;
  void keep(DetectedContact& contact);
  bool joins(const DetectedContact& kept, const DetectedContact& contact, std::size_t place);
  std::size_t bucket(std::int64_t x, std::int64_t y, std::int64_t z) const;

  std::vector<DetectedContact*> order_;
  std::uint64_t call_ = 0;
  const ReferencePieces* reference_[2] = {};
  std::vector<PieceArea> area_[2];  // by feature
  // Kept contacts, hashed by cells of twice the distance.
  double cell_ = 0;
  std::vector<int> head_, next_;
  std::vector<DetectedContact*> kept_;
  std::vector<std::uint8_t> joined_;  // of each contact: whether a node of the other body is there
};

}  // namespace solfec
