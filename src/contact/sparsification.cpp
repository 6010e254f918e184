#include "contact/sparsification.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace solfec {
namespace {

// Cosine of the angle within which two normals are about the same.
constexpr double kSameWay = 0.7;

// Number of the cell that a coordinate lies in. Cells far out, or much smaller than the coordinate,
// have no number: all of them are one.
std::int64_t cell_of(double x, double cell) {
  constexpr double kFar = 9e15;  // integers below are exact
  const double number = std::floor(x / cell);
  return std::abs(number) < kFar ? static_cast<std::int64_t>(number) : 0;
}

}  // namespace

int Sparsifier::mark(std::span<DetectedContact> contacts, const PieceStore& pieces,
                     const Sparsification& settings, double min_distance, double epsilon,
                     bool add_areas) {
  if (contacts.size() == 1) {  // nothing to compare with
    contacts[0].dropped = contacts[0].geometry.area < settings.min_area;
    return contacts[0].dropped ? 1 : 0;
  }
  order_.clear();
  for (DetectedContact& c : contacts) order_.push_back(&c);
  std::ranges::sort(order_, [](const DetectedContact* a, const DetectedContact* b) {
    if (a->geometry.area != b->geometry.area) return a->geometry.area > b->geometry.area;
    return a->key < b->key;
  });
  start(contacts.size(), pieces.reference(contacts[0].body1), pieces.reference(contacts[0].body2),
        min_distance);
  int dropped = 0;
  for (DetectedContact* c : order_) {
    const double area = c->geometry.area;
    c->dropped =
        area < settings.min_area || area < settings.threshold * neighbour_area(*c, epsilon);
    if (DetectedContact* kept = c->dropped ? nullptr : kept_at(c->geometry)) {
      if (add_areas || joins(*kept, *c, static_cast<std::size_t>(kept - contacts.data())))
        kept->geometry.area += area;
      c->dropped = true;
    }
    if (c->dropped)
      dropped++;
    else
      keep(*c);
  }
  return dropped;
}

// Whether they are the first ones of two nodes, one of each body.
bool Sparsifier::joins(const DetectedContact& kept, const DetectedContact& contact,
                       std::size_t place) {
  return kept.geometry.vertex != contact.geometry.vertex && !std::exchange(joined_[place], 1);
}

void Sparsifier::start(std::size_t contacts, const ReferencePieces& first,
                       const ReferencePieces& second, double distance) {
  call_++;
  reference_[0] = &first;
  reference_[1] = &second;
  for (int side : {0, 1})
    if (area_[side].size() < reference_[side]->items().size())
      area_[side].resize(reference_[side]->items().size());
  cell_ = 2 * distance;
  kept_.clear();
  next_.clear();
  head_.assign(std::bit_ceil(2 * contacts), -1);
  joined_.assign(contacts, 0);
}

double Sparsifier::neighbour_area(const DetectedContact& contact, double epsilon) const {
  const double gap = std::max(contact.geometry.gap, epsilon);
  return std::max(neighbour_area(0, contact.key.feature1, gap),
                  neighbour_area(1, contact.key.feature2, gap));
}

// Of those kept whose gap is at most this.
double Sparsifier::neighbour_area(int side, std::uint32_t feature, double gap) const {
  // Balls and ellipsoids have no neighbours and are not their own.
  const ReferencePieces& pieces = *reference_[side];
  if (pieces.items()[feature].kind != PieceKind::polyhedron) return 0;
  const auto kept_area = [&](std::uint32_t piece) {
    const PieceArea& entry = area_[side][piece];
    return entry.call == call_ && entry.gap <= gap ? entry.area : 0.0;
  };
  double area = kept_area(feature);
  for (int neighbour : pieces.adjacent(static_cast<int>(feature)))
    area = std::max(area, kept_area(static_cast<std::uint32_t>(neighbour)));
  return area;
}

std::size_t Sparsifier::bucket(std::int64_t x, std::int64_t y, std::int64_t z) const {
  const std::uint64_t hash = static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15u ^
                             static_cast<std::uint64_t>(y) * 0xC2B2AE3D27D4EB4Fu ^
                             static_cast<std::uint64_t>(z) * 0x165667B19E3779F9u;
  return (hash ^ hash >> 32) & (head_.size() - 1);
}

DetectedContact* Sparsifier::kept_at(const ContactPoint& contact) const {
  constexpr std::size_t kFew = 8;
  if (!(cell_ > 0)) return nullptr;
  const auto is_near = [&](const ContactPoint& kept) {
    return (kept.point - contact.point).cwiseAbs().maxCoeff() < cell_ &&
           kept.normal.dot(contact.normal) > kSameWay;
  };
  if (kept_.size() <= kFew) {
    const auto found =
        std::ranges::find_if(kept_, [&](const DetectedContact* c) { return is_near(c->geometry); });
    return found == kept_.end() ? nullptr : *found;
  }
  const Vec3& p = contact.point;
  const std::int64_t at[3] = {cell_of(p.x(), cell_), cell_of(p.y(), cell_), cell_of(p.z(), cell_)};
  for (int dx = -1; dx <= 1; dx++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dz = -1; dz <= 1; dz++)
        for (int k = head_[bucket(at[0] + dx, at[1] + dy, at[2] + dz)]; k >= 0; k = next_[k])
          if (is_near(kept_[k]->geometry)) return kept_[k];
  return nullptr;
}

void Sparsifier::keep(DetectedContact& contact) {
  const std::uint32_t feature[2] = {contact.key.feature1, contact.key.feature2};
  for (int side : {0, 1}) {
    // Areas come in falling order: the first one at a piece is its largest.
    PieceArea& entry = area_[side][feature[side]];
    if (entry.call != call_) entry = {call_, contact.geometry.area, contact.geometry.gap};
  }
  if (!(cell_ > 0)) return;
  const Vec3& p = contact.geometry.point;
  int& head = head_[bucket(cell_of(p.x(), cell_), cell_of(p.y(), cell_), cell_of(p.z(), cell_))];
  next_.push_back(head);
  head = static_cast<int>(kept_.size());
  kept_.push_back(&contact);
}

}  // namespace solfec
