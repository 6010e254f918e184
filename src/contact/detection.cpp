#include "contact/detection.hpp"

#include <algorithm>

namespace solfec {

void ContactExclusions::exclude_pieces(BodyId body1, int feature1, BodyId body2, int feature2) {
  pieces_.insert(std::minmax(Piece{body1, feature1}, Piece{body2, feature2}));
}

void ContactExclusions::inherit(BodyId from, std::span<const BodyId> heirs,
                                const std::function<Piece(int feature)>& piece) {
  const auto bodies = bodies_;
  for (const auto& [a, b] : bodies) {
    if (a != from && b != from) continue;
    for (BodyId heir : heirs) exclude_bodies(heir, a == from ? b : a);
  }
  const auto pieces = pieces_;
  const auto heir_of = [&](const Piece& p) { return p.first == from ? piece(p.second) : p; };
  for (const auto& [a, b] : pieces)
    if (a.first == from || b.first == from) pieces_.insert(std::minmax(heir_of(a), heir_of(b)));
}

bool ContactExclusions::pieces(BodyId body1, int feature1, BodyId body2, int feature2) const {
  return !pieces_.empty() &&
         pieces_.contains(std::minmax(Piece{body1, feature1}, Piece{body2, feature2}));
}

int owning_body(const BodyStore& bodies, int i, int j) {
  const auto claim = [&](int k) {
    return ContactClaim{is_obstacle(bodies.kind(k)), bodies.extent(k).size, bodies.id(k)};
  };
  return owning_side(claim(i), claim(j)) == 0 ? i : j;
}

namespace {

// Contacts of the first piece's nodes are numbered from 0, those of the second one's from here.
constexpr int kMostNodes = 8;

// Elements that share a node always touch.
bool touches_itself(const BodyStore& bodies, const PieceStore& pieces, int i, int a, int b) {
  if (!is_meshed(bodies.kind(i)) || bodies.is_ghost(i) || !bodies[i].self_contact) return false;
  return !std::ranges::binary_search(pieces.reference(i).adjacent(pieces.feature(a)),
                                     pieces.feature(b));
}

// The points of bodies that move affinely are those of patches.
bool makes_patches(const BodyStore& bodies, int i, int j) {
  return !is_meshed(bodies.kind(i)) && !is_meshed(bodies.kind(j));
}

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

const std::vector<DetectedContact>& ContactDetection::find(const BodyStore& bodies,
                                                           PieceStore& pieces,
                                                           const ContactExclusions& exclusions,
                                                           const DetectionSettings& settings,
                                                           std::span<const Lookahead> lookahead) {
  // Within which points of two bodies are contacts.
  const auto distance_of = [&](int i, int j) {
    return settings.epsilon +
           (lookahead.empty() || i == j ? 0.0 : lookahead[i].distance + lookahead[j].distance);
  };
  tree_.build(pieces.boxes());
  pairs_.clear();
  tree_.overlaps([&](int a, int b) {
    const int i = pieces.body(a), j = pieces.body(b);
    if (i == j) {
      if (touches_itself(bodies, pieces, i, a, b))
        pairs_.push_back({bodies.id(i), bodies.id(i), std::min(a, b), std::max(a, b)});
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
      pairs_.push_back({bodies.id(j), bodies.id(i), b, a});
    else
      pairs_.push_back({bodies.id(i), bodies.id(j), a, b});
  });
  std::ranges::sort(pairs_);  // pieces of a body grow with features: the order of the keys

  contacts_.clear();
  // The number of hovering corners of polyhedra comes and goes: room for it saves allocations.
  const auto many_points = std::ranges::count_if(pairs_, [&](const Candidate& pair) {
    return settings.mode == ContactMode::many &&
           pieces.kind(pair.piece1) == PieceKind::polyhedron &&
           pieces.kind(pair.piece2) == PieceKind::polyhedron;
  });
  contacts_.reserve(pairs_.size() + 7 * static_cast<std::size_t>(many_points));
  for (const auto& [id1, id2, a, b] : pairs_) {
    const int i = pieces.body(a), j = pieces.body(b);
    const auto add = [&](int number, const ContactPoint& point, const Vec3& arm = Vec3::Zero(),
                         bool passes = false) {
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
    if (nodes1 || nodes2) continue;
    const bool patches = settings.mode == ContactMode::many && makes_patches(bodies, i, j);
    const ContactMode mode = patches ? ContactMode::patch : settings.mode;
    const double distance = distance_of(i, j);
    const ContactPoints& found =
        narrow_phase_.find(pieces, a, b, settings.epsilon, mode, distance - settings.epsilon);
    const bool ahead = distance > settings.epsilon;
    for (int k = 0; k < found.count; k++) {
      if (ahead && found.points[k].gap > settings.epsilon)
        add_apart(k, found.points[k], Vec3::Zero(), false);  // a corner that hovers
      else
        add(k, found.points[k]);
    }
    if (found.count > 0 || !ahead) continue;
    const double near = kNear * std::min(bodies.extent(i).size, bodies.extent(j).size);
    const RelativeMotion motion{lookahead[i], lookahead[j], bodies.center(i), bodies.center(j)};
    const auto [points, shift, passes] = narrow_phase_.find_ahead(
        pieces, a, b, motion, {distance, near, lookahead[i].fall + lookahead[j].fall},
        settings.epsilon, mode);
    for (int k = 0; k < points.count; k++) add_apart(k, points.points[k], shift, passes);
  }

  if (settings.mode == ContactMode::many) {
    for_each_pair(contacts_, [&](std::span<DetectedContact> pair) {
      if (makes_patches(bodies, pair[0].body1, pair[0].body2))
        manifold_.reduce(pair, distance_of(pair[0].body1, pair[0].body2), settings.epsilon);
    });
    std::erase_if(contacts_, [](const DetectedContact& c) { return c.dropped; });
  }
  const Sparsification& sparsification = settings.sparsification;
  const double distance = sparsification.min_distance.value_or(settings.epsilon);
  sparsified_ = 0;
  for_each_pair(contacts_, [&](std::span<DetectedContact> pair) {
    const bool nodes = bodies[pair[0].body1].node_contact || bodies[pair[0].body2].node_contact;
    sparsified_ += sparsifier_.mark(pair, pieces, sparsification, distance, !nodes);
  });
  if (sparsified_ > 0) std::erase_if(contacts_, [](const auto& c) { return c.dropped; });
  return contacts_;
}

}  // namespace solfec
