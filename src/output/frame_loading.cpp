// Frames into domains, on one rank or spread over all of them.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "output/frame_checks.hpp"
#include "output/results_reader.hpp"
#include "parallel/collective_errors.hpp"
#include "parallel/row_exchange.hpp"

namespace solfec {

// A definition and its place among all of them: later ones replace earlier ones.
struct ResultsReader::NumberedBody {
  std::uint64_t number = 0;
  Body body;

  template <class Archive>
  friend void visit_fields(Archive& archive, NumberedBody& b) {
    archive(b.number, b.body);
  }
};

namespace {

constexpr std::size_t kQ = BodyStore::kConfiguration;

void find_functions(std::vector<BodyState>& states, const ResultsReader::Functions& functions) {
  for (BodyState& state : states)
    for (Load& load : state.body.loads)
      if (auto* user = std::get_if<UserForce>(&load)) user->function = functions(user->number);
}

// Of the bodies that are here.
void check_elements(const BodyStore& bodies, const Constraint& c) {
  for (int side = 0; side < 2; side++) {
    const int i = c.body(side);
    if (i < 0) continue;
    const bool meshed = bodies.kind(i) == BodyKind::finite_element;
    const auto elements = meshed ? std::ssize(mesh_of(bodies[i]).elements) : 0;
    if (c.element[side] >= elements)
      throw RunError(fmt::format("a constraint acts on element {} of body {}, which has {}",
                                 c.element[side], bodies.id(i).value, elements));
  }
}

void fill(Domain& domain, std::vector<BodyState> states, std::vector<Constraint> contacts) {
  domain.bodies.clear();
  domain.bodies.insert(std::move(states));
  for (Constraint& c : contacts) c.partner_rank = Constraint::kUnknown;
  domain.constraints.all() = std::move(contacts);
  domain.constraints.locate(domain.bodies);
  for (const Constraint& c : domain.constraints.all()) check_elements(domain.bodies, c);
  domain.ghosts = {};
}

// States get the definitions of their bodies.
template <class NumberedBody>
void define_bodies(std::vector<BodyState>& states, const std::vector<NumberedBody>& definitions) {
  std::map<BodyId, const NumberedBody*> newest;
  for (const NumberedBody& d : definitions) {
    auto& entry = newest[d.body.id];
    if (!entry || entry->number < d.number) entry = &d;
  }
  for (BodyState& state : states) {
    const auto found = newest.find(state.body.id);
    if (found == newest.end())
      throw RunError(fmt::format("body {} is not defined", state.body.id.value));
    state.body = found->second->body;
    state.body.recorded = state.body.changes;
    check_state(state);
  }
}

// Of a joint's two bodies the first one holds it, unless it is an obstacle.
std::uint8_t joint_owner(bool first_is_obstacle) { return first_is_obstacle ? 1 : 0; }

// What the place where contacts are sorted has to know of a body.
struct Whereabouts {
  BodyId id;
  int asked_by = 0;
  bool obstacle = false;
  int owner = 0;
  double size = 0;

  ContactClaim claim() const { return {obstacle, size, id}; }
};
template <class Archive>
void visit_fields(Archive& archive, Whereabouts& p) {
  archive(p.id, p.asked_by, p.obstacle, p.owner, p.size);
}

}  // namespace

std::vector<ResultsReader::NumberedBody> ResultsReader::newest_definitions(
    int frame, const RowPart& part) const {
  std::map<BodyId, NumberedBody> newest;
  std::uint64_t before = 0;
  for (const SegmentView& s : segments_) {
    if (s.first > frame) break;
    const auto& bodies = definitions(s, part);
    const std::size_t rows = s.definition.back() + s.head.definitions.back();
    const int last = std::min(frame - s.first, s.frames() - 1);
    const std::size_t begin = part.begin(rows), end = s.definition[last] + s.head.definitions[last];
    for (std::size_t row = begin; row < std::min(end, part.end(rows)); row++)
      newest[bodies[row - begin].id] = {before + row, bodies[row - begin]};
    before += rows;
  }
  // Bodies that are gone stay behind.
  const SegmentView& s = segment_of(frame);
  const int k = frame - s.first;
  std::vector<NumberedBody> result;
  for (std::size_t i = 0; i < s.layout_size[k]; i++) {
    const auto found = newest.find(BodyId{s.head.layout_id[s.layout[k] + i]});
    if (found != newest.end()) result.push_back(std::move(found->second));
  }
  return result;
}

// States; of the bodies the identifiers only.
std::vector<BodyState> ResultsReader::read_states(int frame, const RowPart& part) const {
  const SegmentView& s = segment_of(frame);
  const int k = frame - s.first;
  const Hdf5Reader& h5 = open(s);
  const std::uint32_t* ids = &s.head.layout_id[s.layout[k]];
  const std::uint32_t* freedom = &s.head.layout_freedom[s.layout[k]];
  const std::uint32_t* nodes = &s.head.layout_nodes[s.layout[k]];
  const std::size_t begin = part.begin(s.layout_size[k]), end = part.end(s.layout_size[k]);
  const auto sum = [](const std::uint32_t* counts, std::size_t from, std::size_t to) {
    return std::accumulate(counts + from, counts + to, std::size_t{0});
  };
  const std::size_t count = end - begin;
  const auto q = h5.read<double>("body/q", 1, kQ * (s.body[k] + begin), kQ * count);
  const auto u =
      h5.read<double>("body/u", 1, s.u[k] + sum(freedom, 0, begin), sum(freedom, begin, end));
  const auto x =
      h5.read<double>("body/x", 1, s.x[k] + 3 * sum(nodes, 0, begin), 3 * sum(nodes, begin, end));
  const auto e = h5.read<double>("body/energy", 5, s.body[k] + begin, count);
  std::vector<BodyState> states(count);
  auto next_u = u.begin(), next_x = x.begin();
  const auto take = [](auto& next, std::size_t count) {
    const auto from = next;
    next += static_cast<std::ptrdiff_t>(count);
    return std::vector<double>(from, next);
  };
  for (std::size_t i = 0; i < count; i++) {
    BodyState& state = states[i];
    state.body.id = BodyId{ids[begin + i]};
    std::copy_n(&q[kQ * i], kQ, state.q.begin());
    state.u = take(next_u, freedom[begin + i]);
    state.x = take(next_x, 3 * std::size_t{nodes[begin + i]});
    state.work.internal = e[5 * i + 1];
    state.work.external = e[5 * i + 2];
    state.work.contact = e[5 * i + 3];
    state.work.friction = e[5 * i + 4];
  }
  return states;
}

std::vector<Constraint> ResultsReader::read_constraints(int frame, const RowPart& part) const {
  const SegmentView& s = segment_of(frame);
  const int k = frame - s.first;
  const Hdf5Reader& h5 = open(s);
  const std::size_t first = part.begin(s.head.constraints[k]),
                    count = part.share(s.head.constraints[k]);
  const std::size_t begin = s.contact[k] + first;
  const auto u32 = [&](const char* path) { return h5.read<std::uint32_t>(path, 1, begin, count); };
  const auto i32 = [&](const char* path) { return h5.read<std::int32_t>(path, 1, begin, count); };
  const auto f64 = [&](const char* path, std::size_t width) {
    return h5.read<double>(path, width, begin, count);
  };
  const auto body1 = u32("constraint/body1"), body2 = u32("constraint/body2"),
             feature1 = u32("constraint/feature1"), feature2 = u32("constraint/feature2"),
             number = u32("constraint/number");
  const auto point = f64("constraint/point", 3), normal = f64("constraint/normal", 3),
             gap = f64("constraint/gap", 1), area = f64("constraint/area", 1),
             R = f64("constraint/R", 3), U = f64("constraint/U", 3), V = f64("constraint/V", 3),
             merit = f64("constraint/merit", 1);
  const auto kind = h5.read<std::uint8_t>("constraint/kind", 1, begin, count);
  const auto arm = f64("constraint/arm", 3);
  const auto element1 = i32("constraint/element1"), element2 = i32("constraint/element2");
  const auto surface1 = i32("constraint/surface1"), surface2 = i32("constraint/surface2"),
             material = i32("constraint/material");
  const auto vector = [](const std::vector<double>& column, std::size_t row) -> Vec3 {
    return Eigen::Map<const Vec3>(&column[3 * row]);
  };
  std::vector<Constraint> contacts(count);
  for (std::size_t i = 0; i < count; i++) {
    Constraint& c = contacts[i];
    c.key = {BodyId{body1[i]}, BodyId{body2[i]}, feature1[i], feature2[i], number[i]};
    c.element = {element1[i], element2[i]};
    c.point = vector(point, i);
    c.kind = static_cast<ConstraintKind>(kind[i]);
    c.base = constraint_base(c.kind, vector(normal, i), vector(arm, i));
    if (c.kind != ConstraintKind::prescribed_motion3) c.arm = vector(arm, i);
    c.gap = gap[i];
    c.area = area[i];
    c.surface1 = surface1[i];
    c.surface2 = surface2[i];
    c.material = material[i];
    c.R = vector(R, i);
    c.U = vector(U, i);
    c.V = vector(V, i);
    c.merit = merit[i];
  }
  const auto checked = [&] {
    for (const Constraint& c : contacts)
      naming(s.path, [&] { check_constraint(c, body_ids(frame)); });
    return std::move(contacts);
  };
  if (s.head.bonds[k] == 0) return checked();
  const auto rows = h5.read<std::uint32_t>("bond/constraint", 1, s.bond[k], s.head.bonds[k]);
  if (std::ranges::adjacent_find(rows, std::greater_equal<>()) != rows.end() ||
      rows.back() >= s.head.constraints[k])
    Hdf5Reader::fail_results(s.path, "bonds are not those of contacts");
  const auto from = std::ranges::lower_bound(rows, first),
             to = std::ranges::lower_bound(rows, first + count);
  const std::size_t bond = s.bond[k] + static_cast<std::size_t>(from - rows.begin()),
                    bonds = static_cast<std::size_t>(to - from);
  const auto offsets = h5.read<double>("bond/offsets", 6, bond, bonds),
             bond_normal = h5.read<double>("bond/normal", 3, bond, bonds),
             bond_gap = h5.read<double>("bond/gap", 1, bond, bonds),
             bond_area = h5.read<double>("bond/area", 1, bond, bonds);
  for (std::size_t i = 0; i < bonds; i++)
    contacts[from[static_cast<std::ptrdiff_t>(i)] - first].bond =
        Bond{vector(offsets, 2 * i), vector(offsets, 2 * i + 1), vector(bond_normal, i),
             bond_gap[i], bond_area[i]};
  return checked();
}

void ResultsReader::load(int frame, Domain& domain, const Functions& functions) const {
  auto states = read_states(frame, {});
  const std::vector<NumberedBody> definitions = newest_definitions(frame, {});
  std::vector<Constraint> contacts = read_constraints(frame, {});
  naming(segment_of(frame).path, [&] {
    define_bodies(states, definitions);
    find_functions(states, functions);
    fill(domain, std::move(states), std::move(contacts));
  });
  BodyStore& bodies = domain.bodies;
  for (Constraint& c : domain.constraints.all()) {
    if (c.is_contact())
      c.owning = owning_body(bodies, c.body1, c.body2) == c.body1 ? 0 : 1;
    else
      c.owning = joint_owner(bodies.kind(c.body1) == BodyKind::obstacle);
  }
  domain.sparsified = header(frame).sparsified;
}

// Rows of a body meet on the rank that its id names, where it is joined and sent to its owner; that
// rank then answers those who have read contacts of the body.
void ResultsReader::load(int frame, Domain& domain, const Functions& functions,
                         const Distribution& to) const {
  const Communicator& world = to.communicator;
  if (world.size() == 1) return load(frame, domain, functions);
  const RowPart part{static_cast<std::size_t>(world.rank()),
                     static_cast<std::size_t>(world.size())};
  const auto meeting = [&](BodyId id) {
    return static_cast<int>(id.value % static_cast<std::uint32_t>(world.size()));
  };
  std::vector<BodyState> states;
  std::vector<NumberedBody> definitions;
  std::vector<Constraint> contacts;
  collectively(world, [&] {
    states = read_states(frame, part);
    definitions = newest_definitions(frame, part);
    contacts = read_constraints(frame, part);
  });
  states =
      send_rows(world, std::move(states), [&](const BodyState& s) { return meeting(s.body.id); });
  definitions = send_rows(world, std::move(definitions),
                          [&](const NumberedBody& d) { return meeting(d.body.id); });
  const std::string& path = segment_of(frame).path;
  std::map<BodyId, Whereabouts> places;
  collectively(world, [&] {
    naming(path, [&] { define_bodies(states, definitions); });
    for (const BodyState& s : states) {
      const Vec3 center = Eigen::Map<const Vec3>(&s.q[9]);
      const bool obstacle = s.body.kind == BodyKind::obstacle;
      places[s.body.id] = {s.body.id, 0, obstacle, obstacle ? 0 : to.owner(s.body.id, center),
                           half_diagonal(bounding_box(*s.body.shape))};
    }
  });
  std::map<BodyId, Whereabouts> wanted;
  for (const Constraint& c : contacts)
    for (BodyId id : {c.key.body1, c.key.body2})
      if (id.valid()) {
        Whereabouts& place = wanted[id];
        place.id = id;
        place.asked_by = world.rank();
      }
  std::vector<Whereabouts> questions;
  for (const auto& [id, place] : wanted) questions.push_back(place);
  questions =
      send_rows(world, std::move(questions), [&](const Whereabouts& p) { return meeting(p.id); });
  collectively(world, [&] {
    for (Whereabouts& place : questions) {
      const int asked_by = place.asked_by;
      DEMAND(places.contains(place.id));
      place = places[place.id];
      place.asked_by = asked_by;
    }
  });
  for (const Whereabouts& place :
       send_rows(world, std::move(questions), [](const Whereabouts& p) { return p.asked_by; }))
    wanted[place.id] = place;
  states = send_rows(world, std::move(states), [&](const BodyState& s) {
    const Whereabouts& place = places.at(s.body.id);
    return place.obstacle ? kEveryRank : place.owner;
  });
  std::ranges::sort(states, {}, [](const BodyState& s) { return s.body.id; });
  for (Constraint& c : contacts) {
    const Whereabouts& first = wanted.at(c.key.body1);
    c.owning = c.is_contact() ? owning_side(first.claim(), wanted.at(c.key.body2).claim())
                              : joint_owner(first.obstacle);
  }
  contacts = send_rows(world, std::move(contacts),
                       [&](const Constraint& c) { return wanted.at(c.owning_body()).owner; });
  std::ranges::sort(contacts, {}, &Constraint::key);

  collectively(world, [&] {
    find_functions(states, functions);
    naming(path, [&] { fill(domain, std::move(states), std::move(contacts)); });
  });
  domain.sparsified = world.rank() == 0 ? header(frame).sparsified : 0;
}

}  // namespace solfec
