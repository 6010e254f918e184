#include "simulation/origin.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/log.hpp"
#include "output/script_copy.hpp"
#include "parallel/collective_errors.hpp"
#include "simulation/settings.hpp"
#include "simulation/simulation.hpp"

namespace solfec {
namespace {

constexpr double kRoundOff = 1e-9;  // relative: another machine computes other last digits

bool same(std::span<const double> a, std::span<const double> b, double size) {
  return std::ranges::equal(a, b, [&](double x, double y) {
    return std::abs(x - y) <= kRoundOff * (size + std::abs(x));
  });
}

// What else than its state distinguishes a body of the script from the one in a frame of results,
// although it is of the same kind; nothing when they are the same.
std::string defined_difference(const Body& ours, const Body& theirs) {
  const Mat3 &tensor = ours.reference.tensor, &other = theirs.reference.tensor;
  if ((tensor - other).norm() > kRoundOff * tensor.norm()) return "shape";
  if (ours.material != theirs.material) return "material";
  if (ours.scheme != theirs.scheme) return "scheme";
  if (ours.damping != theirs.damping) return "damping";
  if (ours.self_contact != theirs.self_contact) return "selfcontact";
  if (ours.node_contact != theirs.node_contact) return "nodecontact";
  if (ours.loads.size() != theirs.loads.size()) return "loads";
  if (ours.joints.size() != theirs.joints.size()) return "joints";
  return "";
}

// The same with its place and velocity, in the first frame.
std::string difference(const BodyStore& ours, int i, const BodyStore& theirs, int k) {
  const double size = half_diagonal(bounding_box(*ours[i].shape));
  const auto state = [](const BodyStore& bodies, int j, int count, auto&& numbers) {
    return std::span<const double>(numbers(bodies, j), static_cast<std::size_t>(count));
  };
  const auto q = [](const BodyStore& bodies, int j) { return bodies.q(j); };
  const auto x = [](const BodyStore& bodies, int j) { return bodies.x(j); };
  const auto u = [](const BodyStore& bodies, int j) { return bodies.u(j); };
  const int nodes = ours.x.count(i), freedom = ours.dofs(i);
  if (!same(state(ours, i, BodyStore::kConfiguration, q),
            state(theirs, k, BodyStore::kConfiguration, q), size) ||
      !same(state(ours, i, nodes, x), state(theirs, k, nodes, x), size))
    return "place";
  if (std::string what = defined_difference(ours[i], theirs[k]); !what.empty()) return what;
  // Joints move obstacles from the start.
  if (!is_obstacle(ours.kind(i)) &&
      !same(state(ours, i, freedom, u), state(theirs, k, freedom, u), 1))
    return "velocity";
  return "";
}

constexpr double kNone = 1e12;  // no number of a body

// Of the body with the least number on any rank: "the loads of body 3"; nothing without one.
std::string first_of_all(const Communicator& communicator, double number, std::string what) {
  const double least = communicator.min(number);
  if (least == kNone) return "";
  ArchiveWriter mine;  // the rank that has it tells the others
  if (number == least) mine(what);
  for (const Bytes& bytes : communicator.gather(mine.bytes()))
    if (!bytes.empty()) what = ArchiveReader(bytes).get<std::string>();
  return fmt::format("the {} of body {}", what, least);
}

// Throws RunError when the bodies that the script has made are no more like those of the first
// frame than in name; returns how the first of those that differ does so. Collective.
std::string check_bodies(const Simulation& s, const ResultsReader& results) {
  Domain first;
  first.bulk_materials = s.domain.bulk_materials;
  results.load(
      0, first, [](int) { return ForceFunction(); }, distribution(s));
  const char* analysis = analysis_name(s.domain.analysis);
  const int made = static_cast<int>(body_count(s)),
            held = static_cast<int>(results.frame_column("bodies", 0, 1)[0]);
  const auto fail = [&](const std::string& what) {
    throw RunError(
        fmt::format("the results in '{}' are those of another model: {} (run with -w to "
                    "overwrite them)",
                    s.results.title, what));
  };
  if (results.index().analysis != analysis)
    fail(fmt::format("their analysis is '{}', that of the script '{}'", results.index().analysis,
                     analysis));
  if (made != held)
    fail(fmt::format("they hold {} bodies at first, the script makes {}", held, made));
  double number = kNone;
  std::string what;
  collectively(s.communicator, [&] {
    const BodyStore &ours = s.domain.bodies, &theirs = first.bodies;
    for (int i = 0; i < theirs.owned(); i++) {
      const auto id = theirs.id(i);
      const int k = ours.find(id);
      if (k < 0 || ours.kind(k) != theirs.kind(i) || ours[k].label != theirs[i].label)
        fail(fmt::format("{} is of another kind or label", theirs.name(i)));
      if (ours[k].nodes != theirs[i].nodes || ours[k].form != theirs[i].form ||
          ours[k].plain_elements != theirs[i].plain_elements)
        fail(fmt::format("{} has another mesh, form or kind of elements", theirs.name(i)));
      const double mass = ours[k].reference.mass;
      if (std::abs(mass - theirs[i].reference.mass) > kRoundOff * mass)
        fail(fmt::format("{} has a mass of {:g} kg, in the script of {:g} kg", theirs.name(i),
                         theirs[i].reference.mass, mass));
      if (number < kNone || s.script.state_replaced) continue;
      what = difference(ours, k, theirs, i);
      if (!what.empty()) number = id.value;
    }
  });
  return first_of_all(s.communicator, number, what);
}

// `body`: as first_of_all says it.
void tell_without_effect(const Simulation& s, const std::string& body) {
  if (!body.empty())
    log::warning(
        fmt::format("{}: {} in the script is not that of these results, which go on as they were; "
                    "run with -w to compute anew",
                    s.results.title, body));
}

bool is_run(const ModelPart& part) { return part.name.starts_with("RUN "); }

bool holds(const std::vector<ModelPart>& parts, const ModelPart& part) {
  return std::ranges::find(parts, part) != parts.end();
}

}  // namespace

std::vector<ModelPart> model_parts(const Simulation& s) {
  std::vector<ModelPart> parts;
  for (const Setting& setting : model_settings(s)) parts.push_back({setting.name, setting.value});
  if (const ContactExclusions& exclusions = s.domain.exclusions; !exclusions.empty()) {
    ArchiveWriter archive;
    exclusions.common(archive);
    parts.push_back({"CONTACT_EXCLUDE_*", fingerprint(archive.bytes())});
  }
  return parts;
}

ModelPart run_part(int number, const Solver& solver, double duration) {
  ArchiveWriter archive;
  archive(solver_setting(solver).value, duration);
  return {fmt::format("RUN number {}", number), fingerprint(archive.bytes())};
}

std::vector<std::string> changed_parts(const std::vector<ModelPart>& stored,
                                       const std::vector<ModelPart>& made) {
  std::vector<std::string> names;
  const auto compare = [&](const std::vector<ModelPart>& some, const std::vector<ModelPart>& all) {
    for (const ModelPart& part : some)
      if (!is_run(part) && !holds(all, part) && std::ranges::find(names, part.name) == names.end())
        names.push_back(part.name);
  };
  compare(made, stored);
  compare(stored, made);
  return names;
}

void tell_origin(Simulation& s, const ResultsReader& results) {
  const std::string body = check_bodies(s, results);
  const ResultsIndex& index = results.index();
  std::vector<std::string> changed = changed_parts(index.model, model_parts(s));
  if (!body.empty()) changed.push_back(body);
  if (!changed.empty()) {
    log::warning(
        fmt::format("{}: the results are those of an earlier script, which was another in: {}; run "
                    "with -w to compute anew",
                    s.results.title, fmt::join(changed, ", ")));
    return;
  }
  if (s.settings.verbosity != Verbosity::on) return;
  const int last = results.frames() - 1;
  std::string text = fmt::format(
      "{}: reading results of {}, {} frames from {:g} to {:g} s, now at {:g} s (SEEK goes to "
      "others); {}run with -w to compute anew",
      s.results.title, index.written, results.frames(), results.time(0), results.time(last),
      results.time(0),
      results.header(last).run_ended ? ""
                                     : "the last RUN has not ended: run with -c to go on, or ");
  const auto copy = read_script_copy(s.results.directory);
  if (s.results.script_text && copy && *copy != *s.results.script_text &&
      *copy != *s.results.script_text + "\n")
    text += " (the script has been edited since; no difference of its model was found)";
  log::info(text);
}

void compare_run(const Simulation& s, const ResultsReader& results, const ModelPart& run) {
  const std::vector<ModelPart>& model = results.index().model;
  const auto stored = std::ranges::find(model, run.name, &ModelPart::name);
  if (stored == model.end())
    log::warning(fmt::format(
        "{}: {} of the script is not in these results; run with -c to compute it, or with -w to "
        "compute all anew",
        s.results.title, run.name));
  else if (*stored != run)
    log::warning(fmt::format(
        "{}: {} of the script has another solver or duration than when these results were "
        "computed; {}",
        s.results.title, run.name,
        s.mode == Mode::read ? "run with -w to compute anew"
                             : "it was over and is not computed again, but with -w"));
}

void tell_changes(const Simulation& s, const ResultsReader& results,
                  const std::vector<ModelPart>& made) {
  const std::string body = check_bodies(s, results);
  const std::vector<std::string> changed = changed_parts(results.index().model, made);
  if (!changed.empty())
    log::warning(fmt::format("{}: goes on with other values than it began with: {}",
                             s.results.title, fmt::join(changed, ", ")));
  tell_without_effect(s, body);
}

void tell_changed_bodies(const Simulation& s, const ResultsReader& results, int frame) {
  Domain then;
  then.bulk_materials = s.domain.bulk_materials;
  results.load(
      frame, then, [](int) { return ForceFunction(); }, distribution(s));
  double number = kNone;
  std::string what;
  const BodyStore &ours = s.domain.bodies, &theirs = then.bodies;
  for (int i = 0; i < theirs.owned() && number == kNone; i++) {
    const int k = ours.find(theirs.id(i));
    if (k < 0 || ours.is_ghost(k) || ours.kind(k) != theirs.kind(i)) continue;
    what = defined_difference(ours[k], theirs[i]);
    if (!what.empty()) number = theirs.id(i).value;
  }
  tell_without_effect(s, first_of_all(s.communicator, number, what));
}

}  // namespace solfec
