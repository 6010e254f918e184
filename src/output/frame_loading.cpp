// Frames into domains, on one rank or spread over all of them.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "output/frame_checks.hpp"
#include "output/results_reader.hpp"
#include "output/table_reading.hpp"
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
    const bool meshed = is_meshed(bodies.kind(i));
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

// Constraints are those of a frame from row `first` on, bonds those of all of its `rows`.
void add_bonds(std::vector<Constraint>& constraints, const std::vector<BondRow>& bonds,
               std::size_t first, std::size_t rows) {
  for (std::size_t i = 0; i < bonds.size(); i++) {
    const std::size_t row = bonds[i].constraint;
    if (row >= rows || (i > 0 && row <= bonds[i - 1].constraint))
      throw RunError("bonds are not those of contacts");
    if (row >= first && row - first < constraints.size())
      constraints[row - first].bond = bonds[i].bond;
  }
}

// Of a joint's two bodies the first one holds it, unless it is an obstacle.
std::uint8_t joint_owner(const Constraint& joint, bool first_is_obstacle) {
  if (first_is_obstacle && !joint.key.body2.valid())
    throw RunError("a joint holds nothing but an obstacle");
  return first_is_obstacle ? 1 : 0;
}

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
    const std::size_t rows = s.definitions();
    const int last = std::min(frame - s.first, s.frames() - 1);
    const std::size_t begin = part.begin(rows),
                      end = s.definition[last] + s.frame[last].definitions;
    for (std::size_t row = begin; row < std::min(end, part.end(rows)); row++)
      newest[bodies[row - begin].id] = {before + row, bodies[row - begin]};
    before += rows;
  }
  // Bodies that are gone stay behind.
  std::vector<NumberedBody> result;
  for (const LayoutRow& row : layout(frame)) {
    const auto found = newest.find(BodyId{row.id});
    if (found != newest.end()) result.push_back(std::move(found->second));
  }
  return result;
}

// States; of the bodies the identifiers only.
std::vector<BodyState> ResultsReader::read_states(int frame, const RowPart& part) const {
  const SegmentView& s = segment_of(frame);
  const int k = frame - s.first;
  const Hdf5Reader& h5 = open(s);
  const std::span<const LayoutRow> rows = layout(frame);
  const std::size_t begin = part.begin(rows.size()), count = part.share(rows.size());
  const auto before = rows.first(begin), here = rows.subspan(begin, count);
  const auto sum = [](std::span<const LayoutRow> of, std::uint32_t LayoutRow::*counts) {
    return std::accumulate(of.begin(), of.end(), std::size_t{0},
                           [&](std::size_t n, const LayoutRow& row) { return n + row.*counts; });
  };
  const auto q = h5.read<double>("body/q", 1, kConfigurationSize * (s.body[k] + begin),
                                 kConfigurationSize * count);
  const auto u = h5.read<double>("body/u", 1, s.u[k] + sum(before, &LayoutRow::dofs),
                                 sum(here, &LayoutRow::dofs));
  const auto x = h5.read<double>("body/x", 1, s.x[k] + 3 * sum(before, &LayoutRow::nodes),
                                 3 * sum(here, &LayoutRow::nodes));
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
    state.body.id = BodyId{here[i].id};
    std::copy_n(&q[kConfigurationSize * i], kConfigurationSize, state.q.begin());
    state.u = take(next_u, here[i].dofs);
    state.x = take(next_x, 3 * std::size_t{here[i].nodes});
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
  const FrameRow& row = s.frame[k];
  const std::size_t first = part.begin(row.constraints), count = part.share(row.constraints);
  const std::size_t begin = s.contact[k] + first;
  const FrameData rows = read_rows(h5, TableId::constraint, begin, begin + count);
  const FrameData bonds = read_rows(h5, TableId::bond, s.bond[k], s.bond[k] + row.bonds);
  return naming(s.path, [&] {
    std::vector<Constraint> result;
    for (ConstraintRow& r : rows_of<ConstraintRow>(rows)) result.push_back(std::move(r.constraint));
    add_bonds(result, rows_of<BondRow>(bonds), first, row.constraints);
    for (const Constraint& c : result) check_constraint(c, layout(frame));
    return result;
  });
}

void ResultsReader::load(int frame, Domain& domain, const Functions& functions) const {
  auto states = read_states(frame, {});
  const std::vector<NumberedBody> definitions = newest_definitions(frame, {});
  std::vector<Constraint> contacts = read_constraints(frame, {});
  naming(segment_of(frame).path, [&] {
    define_bodies(states, definitions);
    find_functions(states, functions);
    fill(domain, std::move(states), std::move(contacts));
    const BodyStore& bodies = domain.bodies;
    for (Constraint& c : domain.constraints.all()) {
      if (c.is_contact())
        c.owning = owning_body(bodies, c.body1, c.body2) == c.body1 ? 0 : 1;
      else
        c.owning = joint_owner(c, is_obstacle(bodies.kind(c.body1)));
    }
  });
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
      const Vec3 center = center_part(s.q.data());
      const bool obstacle = is_obstacle(s.body.kind);
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
  collectively(world, [&] {
    naming(path, [&] {
      for (Constraint& c : contacts) {
        const Whereabouts& first = wanted.at(c.key.body1);
        c.owning = c.is_contact() ? owning_side(first.claim(), wanted.at(c.key.body2).claim())
                                  : joint_owner(c, first.obstacle);
      }
    });
  });
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
