#include "contact/detection.hpp"

#include <algorithm>

#include "core/threads.hpp"

namespace solfec {

int owning_body(const BodyStore& bodies, int i, int j) {
  const auto claim = [&](int k) {
    return ContactClaim{is_obstacle(bodies.kind(k)), bodies.extent(k).size, bodies.id(k)};
  };
  return owning_side(claim(i), claim(j)) == 0 ? i : j;
}

namespace {

// Elements that share a node always touch.
bool touches_itself(const BodyStore& bodies, const PieceStore& pieces, int i, int a, int b) {
  if (!is_meshed(bodies.kind(i)) || bodies.is_ghost(i) || !bodies[i].self_contact) return false;
  return !std::ranges::binary_search(pieces.reference(i).adjacent(pieces.feature(a)),
                                     pieces.feature(b));
}

// Lists that are sorted, into one; they are left with anything.
void merge(std::vector<std::vector<CandidatePair>>& lists, std::vector<CandidatePair>& all) {
  if (lists.size() == 1) {
    all.swap(lists[0]);
    return;
  }
  std::vector<std::ptrdiff_t> ends{0};
  all.clear();
  for (const std::vector<CandidatePair>& list : lists) {
    all.insert(all.end(), list.begin(), list.end());
    ends.push_back(static_cast<std::ptrdiff_t>(all.size()));
  }
  for (; ends.size() > 2;) {
    std::vector<std::ptrdiff_t> merged{0};
    for (std::size_t k = 0; k + 1 < ends.size(); k += 2) {
      const std::size_t last = std::min(k + 2, ends.size() - 1);
      std::inplace_merge(all.begin() + ends[k], all.begin() + ends[k + 1],
                         all.begin() + ends[last]);
      merged.push_back(ends[last]);
    }
    ends = std::move(merged);
  }
}

}  // namespace

const std::vector<DetectedContact>& ContactDetection::find(const BodyStore& bodies,
                                                           PieceStore& pieces,
                                                           const ContactExclusions& exclusions,
                                                           const DetectionSettings& settings,
                                                           std::span<const Lookahead> lookahead) {
  const DetectionInput input{bodies, pieces, exclusions, settings, lookahead, tree_};
  tree_.build(pieces.boxes());
  find_candidates(input);
  if (threads().size() > 1) make_planes(pieces);
  find_contacts(input);
  return contacts_;
}

void ContactDetection::find_candidates(const DetectionInput& input) {
  constexpr int kShare = 256;  // boxes that are worth the start of a thread
  const auto& [bodies, pieces, exclusions, settings, lookahead, tree] = input;
  const auto add = [&](int a, int b, std::vector<CandidatePair>& pairs) {
    const int i = pieces.body(a), j = pieces.body(b);
    if (i == j) {
      if (touches_itself(bodies, pieces, i, a, b))
        pairs.push_back({bodies.id(i), bodies.id(i), std::min(a, b), std::max(a, b)});
      return;
    }
    const bool obstacle_i = is_obstacle(bodies.kind(i));
    const bool obstacle_j = is_obstacle(bodies.kind(j));
    if (obstacle_i && obstacle_j) return;
    if ((bodies.is_ghost(i) || bodies.is_ghost(j)) && bodies.is_ghost(owning_body(bodies, i, j)))
      return;
    if (exclusions.bodies(bodies.id(i), bodies.id(j))) return;
    if (exclusions.pieces(bodies.id(i), pieces.feature(a), bodies.id(j), pieces.feature(b))) return;
    const bool swap = obstacle_i || (!obstacle_j && bodies.id(j) < bodies.id(i));
    if (swap)
      pairs.push_back({bodies.id(j), bodies.id(i), b, a});
    else
      pairs.push_back({bodies.id(i), bodies.id(j), a, b});
  };
  found_.resize(part_count(tree.size(), kShare));
  if (found_.size() == 1) found_[0].swap(pairs_);  // the same memory in each step
  in_parts(tree.size(), kShare, [&](int part, int begin, int end) {
    std::vector<CandidatePair>& pairs = found_[part];
    pairs.clear();
    tree.overlaps(begin, end, [&](int a, int b) { add(a, b, pairs); });
    std::ranges::sort(pairs);  // pieces of a body grow with features: the order of the keys
  });
  merge(found_, pairs_);
}

// Threads would get in each other's way where they make those of one polyhedron.
void ContactDetection::make_planes(PieceStore& pieces) const {
  constexpr int kShare = 64;
  std::vector<bool> seen(pieces.count());
  std::vector<int> polyhedra;
  for (const CandidatePair& pair : pairs_)
    for (const int piece : {pair.piece1, pair.piece2}) {
      if (seen[piece] || pieces.kind(piece) != PieceKind::polyhedron) continue;
      seen[piece] = true;
      polyhedra.push_back(piece);
    }
  for_each_at_once(static_cast<int>(polyhedra.size()), kShare,
                   [&](int k) { pieces.polyhedron(polyhedra[k]); });
}

void ContactDetection::find_contacts(const DetectionInput& input) {
  constexpr int kShare = 32;
  const std::span<const CandidatePair> pairs = pairs_;
  const int count = static_cast<int>(pairs.size()), parts = part_count(count, kShare);
  // Pairs of the same bodies are in one part.
  const auto bound = [&](int at) {
    while (0 < at && at < count && pairs[at].same_bodies(pairs[at - 1])) at++;
    return at;
  };
  if (static_cast<int>(detections_.size()) < parts) detections_.resize(parts);
  if (parts == 1) detections_[0].swap(contacts_);  // the same memory in each step
  in_parts(count, kShare, [&](int part, int begin, int end) {
    const int first = bound(begin);
    detections_[part].find(input, pairs.subspan(first, bound(end) - first));
  });
  sparsified_ = 0;
  for (int part = 0; part < parts; part++) sparsified_ += detections_[part].sparsified();
  if (parts == 1) {
    detections_[0].swap(contacts_);
    return;
  }
  contacts_.clear();
  for (int part = 0; part < parts; part++) {
    const std::vector<DetectedContact>& found = detections_[part].contacts();
    contacts_.insert(contacts_.end(), found.begin(), found.end());
  }
}

}  // namespace solfec
