#include "contact/pair_detection.hpp"

#include <algorithm>
#include <utility>

namespace solfec {
namespace {

// Contacts of the first piece's nodes are numbered from 0, those of the second one's from here.
constexpr int kMostNodes = 8;

// The points of bodies that move affinely are those of patches.
bool makes_patches(const BodyStore& bodies, int i, int j) {
  return !is_meshed(bodies.kind(i)) && !is_meshed(bodies.kind(j));
}

// Whether a piece of another body, one that the toucher would meet, fills a place beside the piece
// of the pair that it touches.
bool is_filled(const DetectionInput& input, const CandidatePair& pair, const Vec3& x, int toucher,
               Surroundings::By by) {
  const PieceStore& pieces = input.pieces;
  const double tolerance = 0.5 * input.settings.epsilon;
  const BodyId mine = toucher == 0 ? pair.id1 : pair.id2;
  const BodyId other = toucher == 0 ? pair.id2 : pair.id1;
  const int touched = toucher == 0 ? pair.piece2 : pair.piece1;
  Box place;
  place.extend(x);
  bool filled = false;
  input.tree.overlapping(place, [&](int piece) {
    const BodyId id = pieces.body_id(piece);
    filled = filled ||
             (pieces.kind(piece) == PieceKind::polyhedron && id != mine && piece != touched &&
              (by == Surroundings::By::touched_body_too || id != other) &&
              pieces.polyhedron_holds(piece, x, tolerance) && !input.exclusions.bodies(mine, id));
  });
  return filled;
}

// What functions that are asked about surroundings refer to: one reference fits in them.
struct PairOfPieces {
  const DetectionInput& input;
  const CandidatePair& pair;
  DepthOfBodies& depth;
  bool is_taken = false;  // by that
};

// Contacts in the order of keys, all those of two bodies at a time.
template <class Work>
void for_each_pair(std::vector<DetectedContact>& contacts, const Work& work) {
  for (std::size_t begin = 0, end; begin < contacts.size(); begin = end) {
    const DetectedContact& first = contacts[begin];
    for (end = begin + 1; end < contacts.size() && contacts[end].body1 == first.body1 &&
                          contacts[end].body2 == first.body2;)
      end++;
    work(std::span(&contacts[begin], end - begin));
  }
}

}  // namespace

void PairDetection::find(const DetectionInput& input, std::span<const CandidatePair> pairs) {
  const PieceStore& pieces = input.pieces;
  const bool many = input.settings.mode == ContactMode::many;
  contacts_.clear();
  // The number of hovering corners of polyhedra comes and goes: room for it saves allocations.
  const auto many_points = std::ranges::count_if(pairs, [&](const CandidatePair& pair) {
    return many && pieces.kind(pair.piece1) == PieceKind::polyhedron &&
           pieces.kind(pair.piece2) == PieceKind::polyhedron;
  });
  contacts_.reserve(pairs.size() + 7 * static_cast<std::size_t>(many_points));
  for (std::size_t begin = 0, end; begin < pairs.size(); begin = end) {
    for (end = begin + 1; end < pairs.size() && pairs[end].same_bodies(pairs[begin]);) end++;
    find_points(input, pairs.subspan(begin, end - begin));
  }
  if (many) reduce_patches(input);
  sparsify(input);
}

// Of two bodies. If all elements have left a contact to their neighbours, none of which has it,
// they are asked again.
void PairDetection::find_points(const DetectionInput& input, std::span<const CandidatePair> pairs) {
  touches_ = left_ = false;
  for (const CandidatePair& pair : pairs) find_points(input, pair, false);
  if (touches_ || !left_) return;
  for (const CandidatePair& pair : pairs) find_points(input, pair, true);
}

void PairDetection::find_points(const DetectionInput& input, const CandidatePair& pair,
                                bool neighbours_missed_it) {
  const auto& [bodies, pieces, exclusions, settings, lookahead, tree] = input;
  const auto& [id1, id2, a, b] = pair;
  const int i = pieces.body(a), j = pieces.body(b);
  const auto add = [&](int number, const ContactPoint& point, const Vec3& arm = Vec3::Zero(),
                       bool passes = false) {
    touches_ = true;  // on an excluded surface, too: no element is to be asked for another one
    if (exclusions.surfaces(point.surface1, point.surface2)) return;
    const ContactKey key{id1, id2, static_cast<std::uint32_t>(pieces.feature(a)),
                         static_cast<std::uint32_t>(pieces.feature(b)),
                         static_cast<std::uint32_t>(number)};
    contacts_.push_back({key, i, j, pieces.element_at(bodies, a, point.point),
                         pieces.element_at(bodies, b, point.point - arm), point, arm, passes,
                         false});
  };
  // Found after the first piece has moved by `shift`: gap and point are those of where it is.
  const auto add_apart = [&](int number, ContactPoint c, const Vec3& shift, bool passes) {
    const Vec3 open = std::max(c.gap, 0.0) * c.normal;
    c.point += 0.5 * open - shift;
    c.gap -= shift.dot(c.normal);
    add(number, c, open - shift, passes);
  };
  const bool nodes1 = bodies[i].node_contact, nodes2 = bodies[j].node_contact;
  if (nodes1) {
    find_node_contacts(bodies, pieces, a, b, settings.epsilon, node_contacts_);
    for (const NodeContact& c : node_contacts_) add(c.corner, c.point);
  }
  if (nodes2) {
    find_node_contacts(bodies, pieces, b, a, settings.epsilon, node_contacts_);
    for (const NodeContact& c : node_contacts_) add(kMostNodes + c.corner, exchanged(c.point));
  }
  if (nodes1 || nodes2) return;
  const bool patches = settings.mode == ContactMode::many && makes_patches(bodies, i, j);
  const ContactMode mode = patches ? ContactMode::patch : settings.mode;
  const double distance = input.distance(i, j);
  PairOfPieces at_hand{input, pair, depth_};
  Surroundings surroundings;
  surroundings.filled = [&at_hand](const Vec3& x, int toucher, Surroundings::By by) {
    return is_filled(at_hand.input, at_hand.pair, x, toucher, by);
  };
  surroundings.depth = [&at_hand](const Parting& parting) {
    auto& [input, pair, depth, is_taken] = at_hand;
    if (!std::exchange(is_taken, true))
      depth.take({input.pieces, input.tree, input.exclusions}, pair.piece1, pair.piece2);
    return depth.along(parting);
  };
  surroundings.neighbours_missed_it = neighbours_missed_it;
  const ContactPoints& found = narrow_phase_.find(pieces, a, b, settings.epsilon, mode,
                                                  distance - settings.epsilon, surroundings);
  const bool ahead = distance > settings.epsilon;
  for (int k = 0; k < found.count; k++) {
    if (ahead && found.points[k].gap > settings.epsilon)
      add_apart(k, found.points[k], Vec3::Zero(), false);  // a corner that hovers
    else
      add(k, found.points[k]);
  }
  left_ = left_ || found.left_to_neighbour;
  if (found.count > 0 || !ahead) return;
  const double near = kNear * std::min(bodies.extent(i).size, bodies.extent(j).size);
  const RelativeMotion motion{lookahead[i], lookahead[j], bodies.center(i), bodies.center(j)};
  const auto [points, shift, passes] = narrow_phase_.find_ahead(
      pieces, a, b, motion, {distance, near, lookahead[i].fall + lookahead[j].fall},
      settings.epsilon, mode, surroundings);
  // The nearest ones may pass where others come down.
  const auto comes_down = [&, shift = shift](const ContactPoint& c) {
    return (motion(c.point - shift) - shift).dot(c.normal) < -c.gap;
  };
  for (int k = 0; k < points.count; k++)
    add_apart(k, points.points[k], shift, passes && !comes_down(points.points[k]));
}

void PairDetection::reduce_patches(const DetectionInput& input) {
  for_each_pair(contacts_, [&](std::span<DetectedContact> pair) {
    const int i = pair[0].body1, j = pair[0].body2;
    if (makes_patches(input.bodies, i, j))
      manifold_.reduce(pair, input.distance(i, j), input.settings.epsilon);
  });
  std::erase_if(contacts_, [](const DetectedContact& c) { return c.dropped; });
}

void PairDetection::sparsify(const DetectionInput& input) {
  const BodyStore& bodies = input.bodies;
  const Sparsification& sparsification = input.settings.sparsification;
  const double distance = sparsification.min_distance.value_or(input.settings.epsilon);
  sparsified_ = 0;
  for_each_pair(contacts_, [&](std::span<DetectedContact> pair) {
    const bool nodes = bodies[pair[0].body1].node_contact || bodies[pair[0].body2].node_contact;
    sparsified_ += sparsifier_.mark(pair, input.pieces, sparsification, distance,
                                    input.settings.epsilon, !nodes);
  });
  if (sparsified_ > 0) std::erase_if(contacts_, [](const auto& c) { return c.dropped; });
}

}  // namespace solfec
