#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "body/integration.hpp"
#include "body/kinematics.hpp"
#include "core/log.hpp"
#include "input/objects.hpp"
#include "input/session.hpp"
#include "output/history.hpp"

namespace solfec::input {
namespace {

const std::vector<std::pair<const char*, Phase>> kTimings = {
    {"TIMINT", Phase::integration}, {"CONUPD", Phase::constraint_update},
    {"CONDET", Phase::detection},   {"LOCDYN", Phase::local_dynamics},
    {"CONSOL", Phase::solution},    {"PARBAL", Phase::balancing}};

const std::vector<std::pair<const char*, PointEntity>> kPointEntities = {
    {"DX", PointEntity::DX},      {"DY", PointEntity::DY},   {"DZ", PointEntity::DZ},
    {"VX", PointEntity::VX},      {"VY", PointEntity::VY},   {"VZ", PointEntity::VZ},
    {"SX", PointEntity::SX},      {"SY", PointEntity::SY},   {"SZ", PointEntity::SZ},
    {"SXY", PointEntity::SXY},    {"SXZ", PointEntity::SXZ}, {"SYZ", PointEntity::SYZ},
    {"MISES", PointEntity::MISES}};

const std::vector<std::pair<const char*, EnergyKind>> kEnergies = {
    {"KINETIC", EnergyKind::kinetic},
    {"INTERNAL", EnergyKind::internal},
    {"EXTERNAL", EnergyKind::external},
    {"CONTACT", EnergyKind::contact},
    {"FRICTION", EnergyKind::friction}};

const std::vector<std::pair<const char*, ConstraintEntity>> kConstraintEntities = {
    {"GAP", ConstraintEntity::GAP},
    {"R", ConstraintEntity::R},
    {"U", ConstraintEntity::U},
    {"CR", ConstraintEntity::CR},
    {"CU", ConstraintEntity::CU}};

constexpr const char* kSolverRows[] = {"GSBOT", "GSMID", "GSTOP", "GSINN"};
constexpr const char* kSolverTimes[] = {"GSINIT", "GSRUN", "GSCOM", "GSMCOM"};

// Strings that name a column of the frames.
const std::vector<std::pair<const char*, FrameItem>>& frame_items() {
  static const std::vector<std::pair<const char*, FrameItem>> items = [] {
    std::vector<std::pair<const char*, FrameItem>> list = {
        {"STEP", {"step", 0, 1, {}}},
        {"CONS", {"constraints", 0, 1, {}}},
        {"BODS", {"bodies", 0, 1, {}}},
        {"NEWBODS", {"new_bodies", 0, 1, {}}},
        {"DELBODS", {"deleted_bodies", 0, 1, {}}},
        {"MERIT", {"merit", 0, 1, {}}},
        {"GSITERS", {"iterations", 0, 1, SolverKind::gauss_seidel}},
        {"NTITERS", {"iterations", 0, 1, SolverKind::newton}},
        {"ASITERS", {"iterations", 0, 1, SolverKind::automatic}},
        {"FCITERS", {"iterations", 0, 1, SolverKind::nonsmooth}},
        {"CVITERS", {"iterations", 0, 1, SolverKind::convex}}};
    list.push_back({"GSCOLORS", {"gs_colors", 0, 1, {}}});
    for (int k = 0; k < 4; k++) {
      list.push_back({kSolverRows[k], {"gs_rows", k, 4, {}}});
      list.push_back({kSolverTimes[k], {"gs_seconds", k, 4, {}}});
    }
    for (const auto& [name, phase] : kTimings)
      list.push_back({name, {"timing", static_cast<int>(phase), static_cast<int>(kPhases), {}}});
    return list;
  }();
  return items;
}

template <class E>
std::optional<E> lookup(const std::vector<std::pair<const char*, E>>& list,
                        const std::string& name) {
  for (const auto& [key, value] : list)
    if (name == key) return value;
  return std::nullopt;
}

// The bodies an item is about: nothing for a SOLFEC object (all bodies). Results remember those
// that have been deleted since.
enum class Bodies : std::uint8_t { present, of_results };
std::optional<std::vector<BodyId>> bodies_of(const Value& value, const Simulation& simulation,
                                             Bodies which) {
  const py::object& object = value.object();
  if (py::isinstance<SolfecObject>(object)) {
    if (object.cast<SolfecObject&>().simulation.get() != &simulation)
      value.fail_value_saying("this is another SOLFEC object than the first argument");
    return std::nullopt;
  }
  std::vector<BodyId> ids;
  const auto add = [&](const py::handle& item) {
    if (!py::isinstance<BodyObject>(item))
      value.fail_type("a SOLFEC object, a BODY object or a list of BODY objects");
    const auto& body = item.cast<BodyObject&>();
    if (which == Bodies::present) ensure_not_emptied(body, value.where());
    if (body.simulation.get() != &simulation)
      value.fail_value_saying("this BODY belongs to another SOLFEC object");
    if (std::ranges::find(ids, body.id()) == ids.end()) ids.push_back(body.id());
  };
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object))
    for (const py::object item : py::reinterpret_borrow<py::sequence>(object)) add(item);
  else
    add(object);
  if (ids.empty()) value.fail_value("a list with at least one BODY object");
  return ids;
}

HistoryItem text_item(const Value& value) {
  const std::string name = value.text();
  if (const auto item = lookup(frame_items(), name)) return *item;
  value.fail_value(
      "the name of a history (TIMINT ..., STEP, CONS, BODS, NEWBODS, DELBODS, MERIT, "
      "GSITERS, ...)");
}

HistoryItem tuple_item(const Value& value, const Simulation& simulation) {
  const auto tuple = py::reinterpret_borrow<py::tuple>(value.object());
  const auto entry = [&](std::size_t k) {
    return Value(fmt::format("{}, entry {}", value.where(), k), tuple[k]);
  };
  const std::size_t n = tuple.size();
  if (n < 2 || n > 4) value.fail_value("a tuple of 2, 3 or 4 entries");
  const Value last = entry(n - 1);
  const std::string name = last.text();
  if (n == 3) {
    const auto bodies = bodies_of(entry(0), simulation, Bodies::of_results);
    if (!bodies || bodies->size() != 1) entry(0).fail_type("a BODY object");
    return PointItem{(*bodies)[0], entry(1).vector(), last.choice(kPointEntities)};
  }
  const auto bodies = bodies_of(entry(0), simulation, Bodies::of_results);
  if (n == 2) {
    if (const auto kind = lookup(kEnergies, name)) return EnergyItem{bodies, *kind};
    if (const auto entity = lookup(kConstraintEntities, name))
      return ConstraintItem{bodies, std::nullopt, std::nullopt, *entity};
    last.fail_value("one of KINETIC, INTERNAL, EXTERNAL, CONTACT, FRICTION, GAP, R, U, CR, CU");
  }
  ConstraintItem item{bodies, std::nullopt, std::nullopt, last.choice(kConstraintEntities)};
  if (entry(1).given()) item.direction = entry(1).direction();
  if (entry(2).given()) {
    const std::vector<int> pair = entry(2).integers(2);
    if (pair.size() != 2) entry(2).fail_value("a tuple (surf1, surf2)");
    item.surfaces = {pair[0], pair[1]};
  }
  return item;
}

HistoryItem item_of(const Value& value, const Simulation& simulation) {
  if (py::isinstance<py::str>(value.object())) return text_item(value);
  if (py::isinstance<py::tuple>(value.object())) return tuple_item(value, simulation);
  value.fail_type("a string or a tuple");
}

// One item stands alone when it is a string, or a tuple that starts with an object.
bool is_single_item(const py::object& list) {
  if (py::isinstance<py::str>(list)) return true;
  if (!py::isinstance<py::tuple>(list)) return false;
  const auto tuple = py::reinterpret_borrow<py::tuple>(list);
  return tuple.size() > 0 && !py::isinstance<py::tuple>(tuple[0]) &&
         !py::isinstance<py::str>(tuple[0]);
}

std::vector<HistoryItem> items_of(const Value& value, const Simulation& simulation) {
  if (is_single_item(value.object())) return {item_of(value, simulation)};
  if (!py::isinstance<py::list>(value.object()) && !py::isinstance<py::tuple>(value.object()))
    value.fail_type("a list of strings and tuples");
  std::vector<HistoryItem> items;
  for (const py::object item : py::reinterpret_borrow<py::sequence>(value.object()))
    items.push_back(
        item_of(Value(fmt::format("{}, item {}", value.where(), items.size()), item), simulation));
  if (items.empty()) value.fail_value("a list with at least one item");
  return items;
}

py::object read_history(const Arguments& a) {
  Simulation& simulation = simulation_of(a["solfec"]);
  ensure_results_shown(simulation);
  const std::vector<HistoryItem> items = items_of(a["list"], simulation);
  const double t0 = a["t0"].real(), t1 = a["t1"].real();
  const int skip = a["skip"].given() ? a["skip"].positive_integer() : 1;
  const bool progress = a["progress"].given() && a["progress"].flag();
  if (t1 < t0) a["t1"].fail_value("a time not before t0");

  const ResultsReader& results = open_results(simulation);
  const double slack = kSameFrame * (results.time(results.frames() - 1) - results.time(0));
  int begin = 0, end = results.frames();
  while (begin < end && results.time(begin) < t0 - slack) begin++;
  while (end > begin && results.time(end - 1) > t1 + slack) end--;
  if (begin == end)
    log::warning(fmt::format(
        "HISTORY: there is no frame from {:g} to {:g} s; results reach from {:g} to {:g} s", t0, t1,
        results.time(0), results.time(results.frames() - 1)));

  py::tuple answer(items.size() + 1);
  const auto values_of = [&](const HistoryItem& item) {
    return begin == end
               ? std::vector<double>()
               : history(results, simulation.domain.bulk_materials, item, begin, end, skip);
  };
  const std::vector<double> times = values_of(FrameItem{"time", 0, 1, {}});
  answer[0] = py::cast(times);
  for (std::size_t k = 0; k < items.size(); k++) {
    answer[k + 1] = py::cast(values_of(items[k]));
    if (progress) py::print("HISTORY:", 100 * (k + 1) / items.size(), "%");
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  return answer;
}

// Moves through frames, with all ranks; ignored in write mode.
void go_to(const Arguments& a, std::uint64_t what,
           const std::function<int(const ResultsReader&)>& frame) {
  Simulation& simulation = simulation_of(a["solfec"]);
  if (simulation.mode == Mode::write) return;
  record_common(simulation, a.command(), what);
  ensure_results_shown(simulation);
  const ResultsReader& results = *simulation.results.reader;
  show_frame(simulation, std::clamp(frame(results), 0, results.frames() - 1));
}

py::object show_at(const Arguments& a) {
  const double time = a["time"].real();
  go_to(a, fingerprint_of(time),
        [&](const ResultsReader& results) { return results.frame_at(time); });
  return py::none();
}

py::object move_by(const Arguments& a, int sense) {
  const int steps = a["steps"].positive_integer();
  go_to(a, fingerprint_of(steps), [&](const ResultsReader&) {
    return simulation_of(a["solfec"]).results.frame + sense * steps;
  });
  return py::none();
}

py::object duration(const Arguments& a) {
  Simulation& simulation = simulation_of(a["solfec"]);
  if (simulation.mode == Mode::write) return py::float_(simulation.clock.time);
  const ResultsReader& results = open_results(simulation);
  return py::make_tuple(results.time(0), results.time(results.frames() - 1));
}

struct PointAt {
  const BodyStore& bodies;
  const Domain& domain;
  int index;
  Vec3 point;
};

// Nothing on a rank that does not have the body.
std::optional<PointAt> point_at(const Arguments& a) {
  const BodyObject& body = body_of(a["body"]);
  const Vec3 point = point_of(a["point"], body);
  const Domain& domain = body.simulation->domain;
  const int index = body_index(body, a["body"].where());
  if (index < 0) return std::nullopt;
  return PointAt{domain.bodies, domain, index, point};
}

py::object energy_of(const Arguments& a) {
  Simulation& simulation = simulation_of(a["solfec"]);
  std::optional<std::vector<BodyId>> ids;
  if (a["object"].given()) ids = bodies_of(a["object"], simulation, Bodies::present);
  const Domain& domain = simulation.domain;
  Energy sum;
  if (ids) {
    for (BodyId id : *ids)
      if (lives_elsewhere(simulation, id)) return py::none();
    for (int i = 0; i < domain.bodies.owned(); i++)
      if (std::ranges::find(*ids, domain.bodies.id(i)) != ids->end())
        sum += energy(domain.bodies, domain.bulk_materials, i);
  } else {
    const auto total = total_energy(simulation);
    if (!total)
      throw RunError(simulation.stepping
                         ? "within a step the sum over all ranks is not known: ask in a CALLBACK"
                         : "velocities were set after INITIALIZE_STATE: the sum over all ranks is "
                           "known again when a RUN has begun");
    sum = *total;
  }
  return py::make_tuple(sum.kinetic, sum.internal, sum.external, sum.contact, sum.friction);
}

}  // namespace

void ensure_results_shown(Simulation& simulation) {
  if (simulation.mode == Mode::write || shows_results(simulation)) return;
  show_first_frame(simulation);
}

bool shows_results(const Simulation& simulation) {
  return simulation.mode == Mode::read && simulation.results.frame >= 0;
}

void define_results(Commands& commands) {
  commands.add_query("DURATION", "solfec", R"(Time limits of the results.

solfec  SOLFEC object

Returns (t0, t1) in 'READ' mode, the current time in 'WRITE' mode [s].)",
                     duration);

  commands.add("FORWARD", "solfec, steps",
               R"(Steps forward through the frames of results. Ignored in 'WRITE' mode.

solfec  SOLFEC object
steps   number of frames, > 0)",
               [](const Arguments& a) { return move_by(a, 1); });

  commands.add("BACKWARD", "solfec, steps",
               R"(Steps backward through the frames of results. Ignored in 'WRITE' mode.

solfec  SOLFEC object
steps   number of frames, > 0)",
               [](const Arguments& a) { return move_by(a, -1); });

  commands.add("SEEK", "solfec, time",
               R"(Goes to the last frame not after a time. Ignored in 'WRITE' mode.

solfec  SOLFEC object
time    [s])",
               show_at);

  commands.add_query("DISPLACEMENT", "body, point", R"(Displacement of a referential point.

body   BODY object
point  (x, y, z) [m]

Returns (dx, dy, dz) [m].)",
                     [](const Arguments& a) -> py::object {
                       const auto p = point_at(a);
                       if (!p) return py::none();
                       return tuple3(current_point(p->bodies, p->index, p->point) - p->point);
                     });

  commands.add_query("VELOCITY", "body, point", R"(Velocity of a referential point.

body   BODY object
point  (x, y, z) [m]

Returns (vx, vy, vz) [m/s].)",
                     [](const Arguments& a) -> py::object {
                       const auto p = point_at(a);
                       if (!p) return py::none();
                       const Place x = place_of(p->bodies, p->index, p->point);
                       return tuple3(velocity_at(p->bodies, p->index, x, p->bodies.u(p->index)));
                     });

  commands.add_query("STRESS", "body, point",
                     R"(Cauchy stress at a referential point; zero for rigid bodies.

body   BODY object
point  (x, y, z) [m]

Returns (sx, sy, sz, sxy, sxz, syz, von Mises norm) [Pa].)",
                     [](const Arguments& a) -> py::object {
                       const auto p = point_at(a);
                       if (!p) return py::none();
                       const auto s = stress_components(
                           cauchy_stress(p->bodies, p->domain.bulk_materials, p->index, p->point));
                       return py::make_tuple(s[0], s[1], s[2], s[3], s[4], s[5], s[6]);
                     });

  commands.add_query("ENERGY", "solfec | object", R"(Energies.

solfec  SOLFEC object
object  SOLFEC object (default), BODY object, or list of BODY objects

Returns (kinetic, internal, external, contact, friction) [J]: kinetic energy, stored elastic energy, work of
external forces and of all reactions; the last two are the parts of it done by the normal and by the tangential
contact reactions. Obstacles have none.)",
                     energy_of);

  commands.add_query("TIMING", "solfec, kind", R"(Wall time of an action in the last step.

solfec  SOLFEC object
kind    'TIMINT' (time integration), 'CONUPD' (constraints update), 'CONDET' (contact detection), 'LOCDYN' (local
        dynamics), 'CONSOL' (constraints solution) or 'PARBAL' (parallel balancing)

Returns seconds.)",
                     [](const Arguments& a) -> py::object {
                       Simulation& simulation = simulation_of(a["solfec"]);
                       const Phase phase = a["kind"].choice(kTimings);
                       return py::float_(simulation.last.timing[phase]);
                     });

  commands.add("HISTORY", "solfec, list, t0, t1 | skip, progress",
               R"(Time histories from results, in 'READ' mode or after a RUN.

solfec    SOLFEC object
list      list of items, or one item:
          (body, point, entity)   entity of a referential point: 'DX', 'DY', 'DZ' [m], 'VX', 'VY', 'VZ' [m/s],
                                  'SX', 'SY', 'SZ', 'SXY', 'SXZ', 'SYZ', 'MISES' [Pa]; NaN while the body is
                                  absent
          (object, kind)          energy: 'KINETIC', 'INTERNAL', 'EXTERNAL', 'CONTACT', 'FRICTION' [J]
          (object, entity), (object, direction, pair, entity)
                                  of constraints: 'GAP' smallest gap (0 without contact) [m], 'R' resultant
                                  reaction [N], 'U' average relative velocity [m/s], 'CR' and 'CU' the same of
                                  contacts only; normal components, or along the direction (x, y, z) when it is
                                  not None; between the surfaces pair = (surf1, surf2) when it is not None. Along
                                  a direction the R of bodies is the force that acts on them: (floor, (0, 0, 1),
                                  None, 'CR') is the force by which all bodies press on it. Of a SOLFEC object it is a
                                  sum of reactions on the first body of each pair, which depends on their order.
          'TIMINT', 'CONUPD', 'CONDET', 'LOCDYN', 'CONSOL', 'PARBAL'   timings [s]
          'STEP' [s], 'CONS', 'BODS', 'NEWBODS', 'DELBODS', 'MERIT'
          'GSITERS'               Gauss-Seidel iterations
          'GSCOLORS', 'GSBOT', 'GSMID', 'GSTOP', 'GSINN', 'GSINIT', 'GSRUN', 'GSCOM', 'GSMCOM'
                                  of parallel Gauss-Seidel; zero in serial runs
          'NTITERS'               iterations of the NEWTON_SOLVER; zero for other solvers
          'ASITERS'               sweeps and Newton steps of the AUTO_SOLVER; zero for other solvers
          'FCITERS'               iterations of the NONSMOOTH_SOLVER; zero for other solvers
          'CVITERS'               iterations of the CONVEX_SOLVER; zero for other solvers
          object is a SOLFEC object, a BODY object or a list of BODY objects; also of bodies that were deleted.
t0, t1    time interval, both ends included; clipped to that of the results [s]. Of one without a frame lists are
          empty, and a warning says so.
skip      take every skip-th frame, > 0 (default: 1)
progress  'ON' or 'OFF' (default)

Returns a tuple of lists (times, values1, values2, ...).)",
               read_history);
}

}  // namespace solfec::input
