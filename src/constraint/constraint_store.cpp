#include "constraint/constraint_store.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>

#include "contact/detection.hpp"
#include "core/room.hpp"

namespace solfec {
namespace {

// Pairs of pieces, in the order of keys.
auto pieces_of(const ContactKey& k) { return std::tie(k.body1, k.body2, k.feature1, k.feature2); }

int partner_rank(const BodyStore& bodies, int i) {
  return bodies.is_ghost(i) ? bodies.owner(i) : Constraint::kHere;
}

Constraint from_detection(const DetectedContact& d, const BodyStore& bodies,
                          const SurfaceMaterials& materials) {
  Constraint c;
  c.key = d.key;
  c.body1 = d.body1;
  c.body2 = d.body2;
  c.element = {d.element1, d.element2};
  c.owning = owning_body(bodies, d.body1, d.body2) == d.body1 ? 0 : 1;
  c.partner_rank = partner_rank(bodies, c.owning == 0 ? d.body2 : d.body1);
  c.point = d.geometry.point;
  c.set_base(local_base(d.geometry.normal));
  c.gap = d.geometry.gap;
  c.arm = d.arm;
  c.vertex = d.geometry.vertex;
  c.passes = d.passes;
  c.area = d.geometry.area;
  c.surface1 = d.geometry.surface1;
  c.surface2 = d.geometry.surface2;
  c.material = materials.find_pair(c.surface1, c.surface2);
  return c;
}

Vec3 image(const BodyStore& bodies, int i, const Vec3& offset, int element) {
  return current_point(bodies, i, bodies[i].reference.center + offset, element);
}

void make_bond(Constraint& c, const BodyStore& bodies) {
  c.bond = Bond{material_offset(bodies, c.body1, place_on(bodies, c, 0)),
                material_offset(bodies, c.body2, place_on(bodies, c, 1)),
                bodies.gradient(c.body2).transpose() * c.normal, c.gap, c.area};
}

// A bonded contact stays at its material points; its normal is the detected one while there is an
// overlap, else it turns with the second body.
void follow_bond(Constraint& c, const BodyStore& bodies, bool detected) {
  const Bond& bond = *c.bond;
  const Vec3 x1 = image(bodies, c.body1, bond.offset1, c.element[0]),
             x2 = image(bodies, c.body2, bond.offset2, c.element[1]);
  c.point = 0.5 * (x1 + x2);
  c.arm.setZero();
  c.passes = false;
  c.area = bond.area;
  if (detected) return;
  const Mat3 G = bodies.gradient(c.body2);
  c.set_base(local_base((G.inverse().transpose() * bond.normal).normalized()));
  c.gap = bond.gap + (x1 - x2).dot(c.normal);
}

// The reaction of an old contact, and its drift, the same in space.
void take_over(Constraint& c, const Constraint& old) {
  const Mat3 turn = c.base().transpose() * old.base();
  c.R = turn * old.R;
  c.drift = turn * old.drift;
  c.lasts = true;
}

// A contact that was there in the step before.
void go_on(Constraint& c, const Constraint& old, const BodyStore& bodies) {
  take_over(c, old);
  c.bond = old.bond;
  if (shows_drift(c)) c.drift.z() += std::max(c.gap, 0.0) - std::max(old.gap, 0.0);
  if (!c.bond) return;
  c.key = old.key;
  c.element = old.element;  // where it is glued
  follow_bond(c, bodies, true);
}

// Points of one pair of pieces, some of which are glued and keep their numbers.
void number_points(std::span<Constraint> points) {
  std::uint32_t next = 0;
  for (const Constraint& c : points)
    if (c.bond) next = std::max(next, c.key.point + 1);
  for (Constraint& c : points)
    if (!c.bond) c.key.point = next++;
  std::ranges::sort(points, {}, &Constraint::key);
}

// How far a contact of the same pieces is from where one was; the points of a bond slide apart.
double squared_distance(const Constraint& c, const Constraint& old, const BodyStore& bodies) {
  if (!old.bond) return (old.point - c.point).squaredNorm();
  const Vec3 x1 = image(bodies, c.body1, old.bond->offset1, old.element[0]),
             x2 = image(bodies, c.body2, old.bond->offset2, old.element[1]);
  return std::min((x1 - c.point).squaredNorm(), (x2 - c.point).squaredNorm());
}

}  // namespace

Mat3 constraint_base(ConstraintKind kind, const Vec3& normal, const Vec3& tangent) {
  if (fixes_point(kind)) return Mat3::Identity();
  if (!prescribes_all_directions(kind)) return local_base(normal);
  Mat3 base;
  base << tangent, normal.cross(tangent), normal;
  return base;
}

Mat3 local_base(const Vec3& normal) {
  constexpr double kParallel = 1e-12;  // square of the sine of an angle
  Vec3 t1 = Vec3::UnitX().cross(normal);
  if (t1.squaredNorm() < kParallel) t1 = Vec3::UnitY().cross(normal);
  t1.normalize();
  Mat3 base;
  base << t1, normal.cross(t1), normal;
  return base;
}

Place place_on(const BodyStore& bodies, const Constraint& c, int side) {
  const int i = c.body(side), element = c.element[side];
  if (c.bond && element >= 0)
    return place_of(bodies, i,
                    bodies[i].reference.center + (side == 0 ? c.bond->offset1 : c.bond->offset2),
                    element);
  return place_at(bodies, i, c.point_of(side), element);
}

RowPlaces places_of(const BodyStore& bodies, const Constraint& c) {
  const auto place = [&](int side) {
    return c.body(side) < 0 ? Place(Vec3::Zero()) : place_on(bodies, c, side);
  };
  return {place(0), place(1)};
}

void ConstraintPlaces::find(const BodyStore& bodies, std::span<const Constraint> constraints) {
  const auto meshed = [&](int i) { return i >= 0 && is_meshed(bodies.kind(i)); };
  slot_.assign(constraints.size(), -1);
  kept_.clear();
  for (std::size_t row = 0; row < constraints.size(); row++) {
    const Constraint& c = constraints[row];
    if (!meshed(c.body1) && !meshed(c.body2)) continue;
    slot_[row] = static_cast<int>(kept_.size());
    kept_.push_back(places_of(bodies, c));
  }
}

int ConstraintStore::find(const ContactKey& key) const {
  const auto found = std::ranges::lower_bound(constraints_, key, {}, &Constraint::key);
  return found != constraints_.end() && found->key == key
             ? static_cast<int>(found - constraints_.begin())
             : -1;
}

void ConstraintStore::remove_joints(std::span<const int> rows) {
  if (rows.empty()) return;
  int kept = rows[0];
  std::size_t next = 0;
  for (int row = kept; row < count(); row++)
    if (next < rows.size() && row == rows[next])
      next++;
    else
      constraints_[kept++] = std::move(constraints_[row]);
  constraints_.resize(kept);
  list_joints();
}

void ConstraintStore::remove_contacts(const std::function<bool(const Constraint&)>& goes) {
  if (std::erase_if(constraints_, [&](const Constraint& c) { return c.is_contact() && goes(c); }) >
      0)
    list_joints();
}

void ConstraintStore::list_joints() {
  joint_rows_.clear();
  for (int row = 0; row < count(); row++)
    if (!constraints_[row].is_contact()) joint_rows_.push_back(row);
}

std::vector<Constraint> ConstraintStore::take_eliminated() {
  std::vector<Constraint> taken;
  for (Constraint& c : constraints_)
    if (c.eliminated) taken.push_back(std::move(c));
  if (!taken.empty()) std::erase_if(constraints_, [](const Constraint& c) { return c.eliminated; });
  return taken;
}

void ConstraintStore::remove_bodies(std::span<const BodyId> ids) {
  const auto gone = [&](BodyId id) { return std::ranges::binary_search(ids, id); };
  std::erase_if(constraints_,
                [&](const Constraint& c) { return gone(c.key.body1) || gone(c.key.body2); });
}

void ConstraintStore::locate(const BodyStore& bodies) {
  for (Constraint& c : constraints_) {
    c.body1 = bodies.find(c.key.body1);
    c.body2 = bodies.find(c.key.body2);
  }
}

void ConstraintStore::insert(std::vector<Constraint> arrivals) {
  if (arrivals.empty()) return;
  std::ranges::sort(arrivals, {}, &Constraint::key);
  const bool in_order = constraints_.empty() || constraints_.back().key < arrivals[0].key;
  const auto before = std::ssize(constraints_);
  std::ranges::move(arrivals, std::back_inserter(constraints_));
  if (!in_order)
    std::ranges::inplace_merge(constraints_, constraints_.begin() + before, {}, &Constraint::key);
}

void ConstraintStore::restore(const BodyStore& bodies) {
  if (updated_) std::swap(constraints_, previous_);
  updated_ = false;
  locate(bodies);
  // Bodies have moved to other ranks at the start of the step, and stay there.
  for (Constraint& c : constraints_)
    if (c.persists()) c.partner_rank = Constraint::kUnknown;
}

void ConstraintStore::match_in_order(std::span<const Constraint> fresh, std::size_t begin,
                                     std::size_t end, const BodyStore& bodies) {
  match_.assign(fresh.size(), -1);
  for (std::size_t k = 0; k < fresh.size(); k++) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = begin; i < end; i++) {
      if (taken_[i]) continue;
      const double distance = squared_distance(fresh[k], previous_[i], bodies);
      if (distance < nearest) {
        nearest = distance;
        match_[k] = static_cast<int>(i);
      }
    }
    if (match_[k] >= 0) taken_[match_[k]] = true;
  }
}

void ConstraintStore::match_closest_first(std::span<const Constraint> fresh, std::size_t begin,
                                          std::size_t end, const BodyStore& bodies) {
  candidates_.clear();
  for (std::size_t k = 0; k < fresh.size(); k++)
    for (std::size_t i = begin; i < end; i++)
      candidates_.push_back({squared_distance(fresh[k], previous_[i], bodies), k, i});
  std::ranges::sort(candidates_);
  match_.assign(fresh.size(), -1);
  for (const auto& [distance, k, i] : candidates_)
    if (match_[k] < 0 && !taken_[i]) {
      match_[k] = static_cast<int>(i);
      taken_[i] = true;
    }
}

void ConstraintStore::update(std::span<const DetectedContact> detected, const BodyStore& bodies,
                             const SurfaceMaterials& materials, bool make_bonds) {
  std::swap(constraints_, previous_);
  clear_for(constraints_, detected.size());
  joint_rows_.clear();
  updated_ = true;
  taken_.assign(previous_.size(), false);
  // The previous contacts stay as they were, for restore().
  const auto keep_linked = [&](const Constraint& old) {
    if (old.is_contact() && !old.bond) return;
    const int i = bodies.find(old.key.body1), j = bodies.find(old.key.body2);
    if (old.persists() && (i < 0 || j < 0)) return;
    Constraint& c = constraints_.emplace_back(old);
    c.body1 = i;
    c.body2 = j;
    if (old.persists()) c.partner_rank = partner_rank(bodies, c.owning == 0 ? j : i);
    if (!old.is_contact()) {
      joint_rows_.push_back(count() - 1);
      return;
    }
    follow_bond(c, bodies, false);
    take_over(c, old);
  };

  std::size_t o = 0;
  for (std::size_t d = 0, d_end; d < detected.size(); d = d_end) {
    const auto pieces = pieces_of(detected[d].key);
    for (d_end = d + 1; d_end < detected.size() && pieces_of(detected[d_end].key) == pieces;)
      d_end++;
    for (; o < previous_.size() && pieces_of(previous_[o].key) < pieces; o++)
      keep_linked(previous_[o]);
    const std::size_t o_begin = o;
    while (o < previous_.size() && pieces_of(previous_[o].key) == pieces) o++;

    const bool bonded = std::any_of(previous_.begin() + o_begin, previous_.begin() + o,
                                    [](const Constraint& old) { return old.bond; });
    const auto begin = std::ssize(constraints_);
    for (std::size_t k = d; k < d_end; k++)
      constraints_.push_back(from_detection(detected[k], bodies, materials));
    const std::span fresh(constraints_.begin() + begin, constraints_.end());
    // A contact that comes beside one that stays, before it in order, must not take its place.
    if (bonded || fresh.size() != o - o_begin)
      match_closest_first(fresh, o_begin, o, bodies);
    else
      match_in_order(fresh, o_begin, o, bodies);
    for (std::size_t k = 0; k < fresh.size(); k++) {
      Constraint& c = fresh[k];
      if (match_[k] >= 0) {
        go_on(c, previous_[match_[k]], bodies);
      } else if (make_bonds && c.arm.isZero() && materials[c.material].cohesion > 0) {
        make_bond(c, bodies);
      }
    }
    if (!bonded) continue;
    for (std::size_t i = o_begin; i < o; i++)
      if (!taken_[i]) keep_linked(previous_[i]);
    number_points(std::span(constraints_.begin() + begin, constraints_.end()));
  }
  for (; o < previous_.size(); o++) keep_linked(previous_[o]);
}

}  // namespace solfec
