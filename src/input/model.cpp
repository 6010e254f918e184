#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <filesystem>

#include "core/launcher.hpp"
#include "core/log.hpp"
#include "input/objects.hpp"
#include "input/session.hpp"

namespace fs = std::filesystem;

namespace solfec::input {
namespace {

enum class Disk : std::uint8_t { free, results, file };

Disk state_of(const fs::path& directory) {
  if (fs::exists(directory) && !fs::is_directory(directory)) return Disk::file;
  return results_exist(directory.string()) ? Disk::results : Disk::free;
}

// The first rank looks, so that all see the same; also what it cannot look at.
Disk look_at(const fs::path& directory, const Communicator& communicator, const Value& output) {
  Disk disk = Disk::free;
  std::string failure;
  if (communicator.rank() == 0) {
    try {
      disk = state_of(directory);
    } catch (const fs::filesystem_error& error) {
      failure = fmt::format("cannot look at the directory: {}", error.code().message());
    } catch (const std::exception& error) {
      failure = error.what();
    }
  }
  ArchiveWriter archive;
  archive(disk, failure);
  const Bytes bytes = communicator.broadcast(archive.take(), 0);
  ArchiveReader reader(bytes);
  reader(disk, failure);
  if (!failure.empty()) output.fail_value_saying(failure);
  return disk;
}

// The programs have found out before.
void check_launch(const std::string& command, int ranks) {
  if (const int processes = launched_processes(); processes > ranks)
    throw RunError(
        fmt::format("{}: this Python was started on {} ranks that pass no messages; run the script "
                    "by solfec-mpi",
                    command, processes));
}

SolfecObject make_solfec(const Arguments& a, const std::shared_ptr<Session>& session) {
  check_launch(a.command(), session->communicator.size());
  const auto analysis = a["analysis"].choice<Analysis>(
      {{"DYNAMIC", Analysis::dynamic}, {"QUASI_STATIC", Analysis::quasi_static}});
  const double step = a["step"].positive();
  const Value output = a["output"];
  fs::path directory = output.path();
  if (directory.empty()) output.fail_value("the path of a directory");
  if (session->subdirectory) directory /= *session->subdirectory;
  constexpr std::size_t kLongestPath = 4095;  // bytes, on Linux
  if (directory.string().size() > kLongestPath)
    output.fail_value_saying("with the subdirectory of the command line the path is too long");
  directory = directory.lexically_normal();
  if (!directory.has_filename()) directory = directory.parent_path();
  const std::string title = directory.string();
  std::error_code failure;
  directory = fs::absolute(directory, failure).lexically_normal();  // '.' has a name then
  if (failure)
    output.fail_value_saying("the working directory cannot be found: " + failure.message());
  if (!directory.has_filename()) directory = directory.parent_path();
  if (!directory.has_filename()) output.fail_value("a directory below the root");
  demand_no_step(*session, "SOLFEC: cannot be called");
  synchronise_at(*session, SyncPoint::solfec,
                 {{"SOLFEC", fingerprint_of(analysis, step, directory.string())}});
  const Disk disk = look_at(directory, session->communicator, output);
  if (disk == Disk::file) output.fail_value("the path of a directory, and not of a file");
  const bool exist = disk == Disk::results && !session->overwrite;
  const Mode mode = exist && !session->resume ? Mode::read : Mode::write;
  for (const auto& other : session->simulations)
    if (const auto s = other.lock();
        s && mode == Mode::write && s->results.directory == directory.string())
      output.fail_value(
          "a directory of its own (another SOLFEC object has this one, as long as a variable holds "
          "it, a body or a material of it)");

  auto simulation = std::make_shared<Simulation>(session->communicator);
  simulation->script.command_log = session->command_log;
  simulation->domain.analysis = analysis;
  simulation->settings.step = step;
  simulation->results.directory = directory.string();
  simulation->results.title = title;
  simulation->results.script_text = session->script;
  simulation->domain.detection_settings.epsilon = session->geometric_epsilon;
  simulation->mode = mode;
  simulation->results.resume = exist && session->resume;
  std::erase_if(session->simulations, [](const auto& s) { return s.expired(); });
  session->simulations.push_back(simulation);
  return {simulation};
}

// Whether a body deforms with a material: one of those that the script has made, which all ranks
// know, or one that came otherwise and is here.
bool has_deformable_body(const Simulation& s, int material) {
  if (s.script.deforming.contains(material)) return true;
  const auto of_volume = [&](const VolumeMaterial& m) { return m.material == material; };
  for (int i = 0; i < s.domain.bodies.owned(); i++) {
    const Body& body = s.domain.bodies[i];
    const bool elements = is_meshed(body.kind);
    if ((elements || is_affine(body.kind)) && body.material == material) return true;
    if (elements && std::ranges::any_of(body.volume_materials, of_volume)) return true;
  }
  return false;
}

double density_of(const Value& value) {
  constexpr double kLeast = 1e-100;  // so that masses of nodes are numbers above zero
  const double density = value.positive();
  if (density < kLeast) value.fail_value(fmt::format("at least {:g}", kLeast));
  return density;
}

// Of a material that has the number `material` already, or -1.
double poisson_of(const Value& value, const Simulation& s, int material) {
  const double poisson = value.real();
  if (!(poisson > -1 && poisson <= 0.5)) value.fail_value("a number above -1 and at most 0.5");
  if (poisson == 0.5 && has_deformable_body(s, material))
    value.fail_value("a number below 0.5 (a body that deforms was made of this material)");
  return poisson;
}

BulkMaterialObject make_bulk_material(const Arguments& a) {
  const auto simulation = shared_simulation_of(a["solfec"]);
  BulkMaterials& materials = simulation->domain.bulk_materials;
  if (a["model"].given()) a["model"].choice<bool>({{"KIRCHHOFF", true}});
  BulkMaterial material;
  material.label =
      a["label"].given() ? a["label"].text() : fmt::format("BULK_MATERIAL_{}", materials.count());
  if (a["young"].given()) material.young = a["young"].positive();
  if (a["poisson"].given()) {
    material.poisson = poisson_of(a["poisson"], *simulation, materials.find(material.label));
  }
  if (a["density"].given()) material.density = density_of(a["density"]);
  record_common(*simulation, a.command(),
                fingerprint_of(material.label, material.young, material.poisson, material.density));
  return {simulation, materials.store(material)};
}

const std::vector<std::pair<const char*, ContactModel>> kContactModels = {
    {"SIGNORINI_COULOMB", ContactModel::signorini_coulomb},
    {"SPRING_DASHPOT", ContactModel::spring_dashpot}};

double restitution_of(const Value& value, ContactModel model) {
  const double restitution = value.between(0, 1);
  if (model == ContactModel::spring_dashpot && restitution > 0)
    value.fail_value("0 of 'SPRING_DASHPOT', whose dashpot damps rebounds");
  return restitution;
}

// Of a contact that slides and sinks in, R = 0 misses the equation of its law by |U_N| / friction.
void tell_large_friction(double friction) {
  constexpr double kLarge = 20;
  if (friction > kLarge)
    log::warning(fmt::format(
        "SURFACE_MATERIAL: 'friction': with {:g} contacts that slide may sink in while steps count "
        "as converged; 10 holds nearly all that friction can hold",
        friction));
}

SurfaceMaterialObject make_surface_material(const Arguments& a) {
  const auto simulation = shared_simulation_of(a["solfec"]);
  SurfaceMaterials& materials = simulation->domain.surface_materials;
  SurfaceMaterial m;
  if (a["surf1"].given()) m.surface1 = a["surf1"].integer();
  if (a["surf2"].given()) m.surface2 = a["surf2"].integer();
  if (a["model"].given()) m.model = a["model"].choice<ContactModel>(kContactModels);
  m.label =
      a["label"].given() ? a["label"].text() : fmt::format("SURFACE_MATERIAL_{}", materials.made());
  if (a["friction"].given()) m.friction = a["friction"].non_negative();
  tell_large_friction(m.friction);
  if (a["cohesion"].given()) m.cohesion = a["cohesion"].non_negative();
  if (a["fracture_energy"].given()) m.fracture_energy = a["fracture_energy"].non_negative();
  if (m.fracture_energy > 0 && m.cohesion == 0)
    a["fracture_energy"].fail_value("0 without a cohesion, whose glue it is to break");
  if (a["restitution"].given()) m.restitution = restitution_of(a["restitution"], m.model);
  if (a["tangential_restitution"].given())
    m.tangential_restitution = restitution_of(a["tangential_restitution"], m.model);
  if (a["spring"].given()) m.spring = a["spring"].non_negative();
  if (a["dashpot"].given()) m.dashpot = a["dashpot"].non_negative();
  record_common(*simulation, a.command(),
                fingerprint_of(m.surface1, m.surface2, m.model, m.label, m.friction, m.cohesion,
                               m.fracture_energy, m.restitution, m.tangential_restitution, m.spring,
                               m.dashpot));
  return {simulation, materials.store(std::move(m))};
}

TimeSeriesObject make_time_series(const Arguments& a) {
  const Value points = a["points"];
  try {
    if (py::isinstance<py::str>(points.object())) return {read_time_series(points.path())};
    std::vector<double> times, values;
    const bool pairs =
        points.is_list() && py::len(points.object()) > 0 &&
        py::isinstance<py::sequence>(py::reinterpret_borrow<py::sequence>(points.object())[0]);
    if (pairs) {
      for (const py::object item : py::reinterpret_borrow<py::sequence>(points.object())) {
        const auto pair = Value(points.where(), item).reals();
        if (pair.size() != 2) points.fail_value("a list of pairs (time, value)");
        times.push_back(pair[0]);
        values.push_back(pair[1]);
      }
    } else {
      const std::vector<double> list = points.reals(4, 2);
      for (std::size_t k = 0; k < list.size(); k += 2) {
        times.push_back(list[k]);
        values.push_back(list[k + 1]);
      }
    }
    return {TimeSeries(std::move(times), std::move(values))};
  } catch (const InputError& error) {
    if (std::string(error.what()).starts_with("TIME_SERIES")) throw;
    points.fail_value_saying(error.what());
  }
}

const SurfaceMaterial& surface_material(const SurfaceMaterialObject& o) {
  return o.simulation->domain.surface_materials[o.index];
}

// What repr says: of the numbers those that the model uses.
std::string surface_text(const SurfaceMaterialObject& o) {
  const SurfaceMaterial& m = surface_material(o);
  const auto id = [](const std::optional<int>& surface) {
    return surface ? std::to_string(*surface) : "any";
  };
  const std::string head = fmt::format("<SURFACE_MATERIAL {} of {} and {}", quoted(m.label),
                                       id(m.surface1), id(m.surface2));
  if (m.model == ContactModel::spring_dashpot)
    return fmt::format("{}, SPRING_DASHPOT, friction {:g}, spring {:g}, dashpot {:g}>", head,
                       m.friction, m.spring, m.dashpot);
  return fmt::format("{}, SIGNORINI_COULOMB, friction {:g}, restitution {:g}>", head, m.friction,
                     m.restitution);
}

template <class Set>
void writable_number(py::class_<SurfaceMaterialObject>& type, const char* name,
                     const char* documentation, double SurfaceMaterial::*member, Set check) {
  read_write(
      type, name, documentation,
      [member](const SurfaceMaterialObject& o) { return surface_material(o).*member; },
      [member, check](SurfaceMaterialObject& o, const Value& v) {
        SurfaceMaterial& material = o.simulation->domain.surface_materials[o.index];
        material.*member = check(v, material);
      });
}

void define_solfec(Commands& commands) {
  const auto session = commands.session();
  auto solfec = commands.add_class<SolfecObject>(
      "SOLFEC", "analysis, step, output", R"(Creates an analysis.

analysis  'DYNAMIC', or 'QUASI_STATIC': each step starts from rest, and bodies come to rest where forces
          are in balance
step      time step [s], an upper bound: explicit bodies may need a smaller one; QUASI_STATIC: the longer
          it is, the fewer steps are needed to reach equilibrium
output    directory of results. When it holds results already (and -w is not given) the object is in
          'READ' mode: RUN returns at once and the results can be read. Otherwise it is in 'WRITE'
          mode; with -c RUN continues from existing results.

Members, read only: analysis, time [s], mode ('READ' or 'WRITE'), bodies and constraints (lists), nbod,
ncon, outpath (directory of results), traffic (messages, bytes and collective operations that this rank
has sent or taken part in since the start of the script).
Members, read and write: step [s]; verbose, 'ON', 'OFF' or '%' (progress only); contact_points, 'MANY'
(default) or 'ONE': contact points of polyhedra and meshes. 'MANY': all corners at which two pieces touch; of
RIGID, PSEUDO_RIGID and OBSTACLE bodies those that span each flat patch, up to eight, however many pieces the
bodies have. 'ONE': one point per pair of pieces, on which a block tilts freely; for comparisons with the
original program. joint_correction, 'ON' (default) or 'OFF': whether joints correct positions, or act on
velocities only as those of the manual. contact_correction, 'ON' (default), 'OFF' or 'AHEAD': whether contacts of
bodies that roll, rock, tip or are carried round meet their laws where they are at the end of the step, and overlap of
RIGID bodies is corrected; 'OFF' as in the manual: bodies that rock sink. 'AHEAD': as 'ON', and contacts are known
before bodies touch: fast bodies do not pass through thin ones, unless impacts off their centres make them spin by
tenths of a radian in a step, and impacts leave little overlap (limits: theory.md, section 8); for DYNAMIC analyses, at
the price of more constraints. In QUASI_STATIC ones those of RIGID bodies that are near are known ahead unless it is
'OFF'. It may be another one in the next RUN.

On several ranks bodies and constraints are those of this rank, nbod and ncon count those of all.)",
      [session](const Arguments& a) { return make_solfec(a, session); });
  solfec.def("__eq__", &SolfecObject::operator==, py::is_operator());
  solfec.def("__repr__", [](const SolfecObject& o) {
    const Simulation& s = *o.simulation;
    return fmt::format("<SOLFEC {}, {}, {}, time {:g} s, bodies {}>", quoted(s.results.directory),
                       analysis_name(s.domain.analysis), s.mode == Mode::read ? "READ" : "WRITE",
                       s.clock.time, body_count(s));
  });
  solfec.def("__hash__",
             [](const SolfecObject& o) { return std::hash<const void*>()(o.simulation.get()); });
  read_only(solfec, "analysis", "Kind of analysis.",
            [](const SolfecObject& o) { return analysis_name(o.simulation->domain.analysis); });
  read_only(solfec, "time", "Current time [s].",
            [](const SolfecObject& o) { return o.simulation->clock.time; });
  read_only(solfec, "mode", "'READ' or 'WRITE'.", [](const SolfecObject& o) {
    return o.simulation->mode == Mode::read ? "READ" : "WRITE";
  });
  read_only(solfec, "outpath", "Directory of results, as the script named it.",
            [](const SolfecObject& o) { return o.simulation->results.title; });
  read_only(solfec, "bodies", "List of BODY objects.",
            [](const SolfecObject& o) { return body_list(o.simulation); });
  read_only(solfec, "nbod", "Number of bodies.",
            [](const SolfecObject& o) { return body_count(*o.simulation); });
  read_only(solfec, "constraints", "List of CONSTRAINT objects.",
            [](const SolfecObject& o) { return constraint_list(o.simulation, std::nullopt); });
  read_only(solfec, "ncon", "Number of constraints.",
            [](const SolfecObject& o) { return constraint_count(*o.simulation); });
  read_only(solfec, "traffic", "(messages, bytes, collective operations) of this rank.",
            [](const SolfecObject& o) {
              const Traffic& t = o.simulation->communicator.traffic();
              return py::make_tuple(t.messages, t.bytes, t.collectives);
            });
  read_write(
      solfec, "step", "Time step, an upper bound [s].",
      [](const SolfecObject& o) { return o.simulation->settings.step; },
      [](SolfecObject& o, const Value& v) { o.simulation->settings.step = v.positive(); });
  static const std::vector<std::pair<const char*, Verbosity>> verbosities = {
      {"ON", Verbosity::on}, {"OFF", Verbosity::off}, {"%", Verbosity::percent}};
  read_write(
      solfec, "verbose", "'ON', 'OFF' or '%' (progress only).",
      [](const SolfecObject& o) {
        for (const auto& [name, value] : verbosities)
          if (value == o.simulation->settings.verbosity) return name;
        return "";
      },
      [](SolfecObject& o, const Value& v) {
        o.simulation->settings.verbosity = v.choice(verbosities);
      });
  read_write(
      solfec, "contact_points", "'MANY' or 'ONE': contact points of polyhedra.",
      [](const SolfecObject& o) {
        return o.simulation->domain.detection_settings.mode == ContactMode::one ? "ONE" : "MANY";
      },
      [](SolfecObject& o, const Value& v) {
        o.simulation->domain.detection_settings.mode =
            v.choice<ContactMode>({{"ONE", ContactMode::one}, {"MANY", ContactMode::many}});
      });
  read_write(
      solfec, "joint_correction", "'ON' or 'OFF': joints correct positions.",
      [](const SolfecObject& o) { return o.simulation->domain.correct_joints ? "ON" : "OFF"; },
      [](SolfecObject& o, const Value& v) { o.simulation->domain.correct_joints = v.flag(); });
  static const std::vector<std::pair<const char*, ContactCorrection>> corrections = {
      {"ON", ContactCorrection::on},
      {"OFF", ContactCorrection::off},
      {"AHEAD", ContactCorrection::ahead}};
  read_write(
      solfec, "contact_correction",
      "'ON', 'OFF' or 'AHEAD': contacts follow curved surfaces, overlap goes, gaps are bounded.",
      [](const SolfecObject& o) {
        for (const auto& [name, value] : corrections)
          if (value == o.simulation->domain.contact_correction) return name;
        return "";
      },
      [](SolfecObject& o, const Value& v) {
        o.simulation->domain.contact_correction = v.choice(corrections);
      });
}

void define_materials(Commands& commands) {
  auto bulk = commands.add_class<BulkMaterialObject>(
      "BULK_MATERIAL", "solfec | model, label, young, poisson, density", R"(Creates a bulk material.

solfec   SOLFEC object
model    'KIRCHHOFF' (default): Saint Venant-Kirchhoff
label    string (default: 'BULK_MATERIAL_i'); a material with this label is overwritten, and bodies
         that use it follow (their masses stay)
young    Young's modulus, > 0 (default: 1E6) [Pa]
poisson  Poisson's coefficient, above -1 and at most 0.5 (default: 0.25); below 0.5 for bodies that deform
density  at least 1E-100 (default: 1E3) [kg/m^3]

Members, read only: model, label. Read and write: young, poisson, density (of bodies made later). Stresses that
are asked for are those of the present young and poisson, in frames of before a change, too; with MATERIAL, which
gives a body another material, each frame keeps its own.)",
      make_bulk_material);
  const auto material = [](const BulkMaterialObject& o) -> const BulkMaterial& {
    return o.simulation->domain.bulk_materials[o.index];
  };
  const auto changed = [](const BulkMaterialObject& o) -> BulkMaterial& {
    return o.simulation->domain.bulk_materials[o.index];
  };
  bulk.def("__repr__", [=](const BulkMaterialObject& o) {
    const BulkMaterial& m = material(o);
    return fmt::format("<BULK_MATERIAL {}, young {:g}, poisson {:g}, density {:g}>",
                       quoted(m.label), m.young, m.poisson, m.density);
  });
  read_only(bulk, "model", "'KIRCHHOFF'.", [](const BulkMaterialObject&) { return "KIRCHHOFF"; });
  read_only(bulk, "label", "Label.",
            [=](const BulkMaterialObject& o) { return material(o).label; });
  read_write(
      bulk, "young", "Young's modulus [Pa].",
      [=](const BulkMaterialObject& o) { return material(o).young; },
      [=](BulkMaterialObject& o, const Value& v) { changed(o).young = v.positive(); });
  read_write(
      bulk, "poisson", "Poisson's coefficient.",
      [=](const BulkMaterialObject& o) { return material(o).poisson; },
      [=](BulkMaterialObject& o, const Value& v) {
        changed(o).poisson = poisson_of(v, *o.simulation, o.index);
      });
  read_write(
      bulk, "density", "Density [kg/m^3].",
      [=](const BulkMaterialObject& o) { return material(o).density; },
      [=](BulkMaterialObject& o, const Value& v) { changed(o).density = density_of(v); });

  auto surface = commands.add_class<SurfaceMaterialObject>(
      "SURFACE_MATERIAL",
      "solfec | surf1, surf2, model, label, friction, cohesion, restitution, spring, dashpot, "
      "tangential_restitution, fracture_energy",
      R"(Creates a surface material: the law of contact of two surfaces.

solfec        SOLFEC object
surf1, surf2  surface identifiers. With one of them only, the material holds for this surface against any
              other; with none it is the default. A contact takes the material of its pair, else that
              of its smaller surface identifier, else of the larger one, else the default.
model         'SIGNORINI_COULOMB' (default) or 'SPRING_DASHPOT'
label         string (default: 'SURFACE_MATERIAL_i')
friction      coefficient of friction, >= 0 (default: 0)
cohesion      cohesive force per area, >= 0 (default: 0) [Pa]; glues contacts that exist in the first
              step, until they break
restitution   velocity restitution, from 0 to 1 (default: 0); SIGNORINI_COULOMB only
spring        stiffness of each contact, >= 0 (default: 0) [N/m]; SPRING_DASHPOT, and all by PENALTY_SOLVER
dashpot       damping, >= 0 (default: 0) [N s/m]; the same
tangential_restitution
              the same of the tangential velocity, which friction then opposes together with that before the
              impact, from 0 to 1 (default: 0); SIGNORINI_COULOMB only. It acts where a contact did not press in
              the step before. If it equals restitution, impacts never create energy; with 0, impacts with friction
              and a large restitution may.
fracture_energy
              what it takes to break glue, >= 0 (default: 0) [J/m^2]; needs a cohesion. Glue at its limit opens
              or slips with the force of the limit, and breaks when this is dissipated, after an opening of
              fracture_energy / cohesion: joints of bodies that deform have a strength that does not depend on
              the step. With 0 it breaks as soon as all that share its load yield.

A material for the same surfaces is overwritten.

Members, read only: surf1, surf2, label. Read and write: model and the numbers.)",
      make_surface_material);
  surface.def("__repr__", surface_text);
  read_only(surface, "surf1", "First surface identifier, or None for any.",
            [](const SurfaceMaterialObject& o) { return surface_material(o).surface1; });
  read_only(surface, "surf2", "Second surface identifier, or None for any.",
            [](const SurfaceMaterialObject& o) { return surface_material(o).surface2; });
  read_only(surface, "label", "Label.",
            [](const SurfaceMaterialObject& o) { return surface_material(o).label; });
  read_write(
      surface, "model", "'SIGNORINI_COULOMB' or 'SPRING_DASHPOT'.",
      [](const SurfaceMaterialObject& o) {
        return surface_material(o).model == ContactModel::spring_dashpot ? "SPRING_DASHPOT"
                                                                         : "SIGNORINI_COULOMB";
      },
      [](SurfaceMaterialObject& o, const Value& v) {
        SurfaceMaterial& material = o.simulation->domain.surface_materials[o.index];
        const auto model = v.choice<ContactModel>(kContactModels);
        if (model == ContactModel::spring_dashpot &&
            (material.restitution > 0 || material.tangential_restitution > 0))
          v.fail_value_saying(
              "of 'SPRING_DASHPOT' the dashpot damps rebounds: set restitution and "
              "tangential_restitution to 0 before");
        material.model = model;
      });
  const auto non_negative = [](const Value& v, const SurfaceMaterial&) { return v.non_negative(); };
  const auto restitution = [](const Value& v, const SurfaceMaterial& material) {
    return restitution_of(v, material.model);
  };
  writable_number(surface, "friction", "Coefficient of friction.", &SurfaceMaterial::friction,
                  non_negative);
  writable_number(surface, "cohesion", "Cohesive force per area [Pa].", &SurfaceMaterial::cohesion,
                  non_negative);
  writable_number(surface, "fracture_energy", "Energy that breaks glue, per area [J/m^2].",
                  &SurfaceMaterial::fracture_energy, non_negative);
  writable_number(surface, "restitution", "Velocity restitution.", &SurfaceMaterial::restitution,
                  restitution);
  writable_number(surface, "tangential_restitution", "Restitution of the tangential velocity.",
                  &SurfaceMaterial::tangential_restitution, restitution);
  writable_number(surface, "spring", "Stiffness [N/m].", &SurfaceMaterial::spring, non_negative);
  writable_number(surface, "dashpot", "Damping [N s/m].", &SurfaceMaterial::dashpot, non_negative);
}

}  // namespace

Simulation& simulation_of(const Value& value) { return *shared_simulation_of(value); }

std::shared_ptr<Simulation> shared_simulation_of(const Value& value) {
  return value.instance<SolfecObject>("SOLFEC").simulation;
}

TimeSeries series_of(const Value& value) {
  if (py::isinstance<TimeSeriesObject>(value.object()))
    return value.object().cast<TimeSeriesObject&>().series;
  if (py::isinstance<py::str>(value.object()) || !PyNumber_Check(value.object().ptr()))
    value.fail_type("a number or a TIME_SERIES object");
  return TimeSeries(value.real());
}

std::array<Value, 3> three_series(const Value& value) {
  if (!value.is_list() || py::len(value.object()) != 3)
    value.fail_type("a tuple of three entries, each a number or a TIME_SERIES object");
  const auto list = py::reinterpret_borrow<py::sequence>(value.object());
  const auto entry = [&](std::size_t k) {
    return Value(fmt::format("{}, entry {}", value.where(), k), py::object(list[k]));
  };
  return {entry(0), entry(1), entry(2)};
}

void define_model(Commands& commands) {
  define_solfec(commands);
  define_materials(commands);
  auto series = commands.add_class<TimeSeriesObject>("TIME_SERIES", "points",
                                                     R"(Creates a piecewise linear function of time.

points  list [t0, v0, t1, v1, ...] or [[t0, v0], [t1, v1], ...] of at least two points with increasing
        times, or the path of a text file with two columns ('#' starts a comment)

The first and the last value hold outside of the times given.

Members, read only: times, values (lists); derivative (the slope, at inner points the mean of both sides) and
integral (zero at the first time), new TIME_SERIES objects with the same times.)",
                                                     make_time_series);
  series.def("__repr__", [](const TimeSeriesObject& o) {
    const std::vector<double>& times = o.series.times();
    return fmt::format("<TIME_SERIES, {} points, from {:g} to {:g} s>", times.size(), times.front(),
                       times.back());
  });
  read_only(series, "times", "List of times [s].",
            [](const TimeSeriesObject& o) { return py::cast(o.series.times()).cast<py::list>(); });
  read_only(series, "values", "List of values.",
            [](const TimeSeriesObject& o) { return py::cast(o.series.values()).cast<py::list>(); });
  read_only(series, "derivative", "Series of the slope.",
            [](const TimeSeriesObject& o) { return TimeSeriesObject{o.series.derivative()}; });
  read_only(series, "integral", "Series of the integral.",
            [](const TimeSeriesObject& o) { return TimeSeriesObject{o.series.integral()}; });
}

}  // namespace solfec::input
