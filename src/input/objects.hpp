// The objects that scripts hold.
#pragma once

#include "contact/detected_contact.hpp"
#include "core/time_series.hpp"
#include "geometry/shape.hpp"
#include "input/arguments.hpp"
#include "simulation/simulation.hpp"
#include "solver/automatic.hpp"
#include "solver/convex.hpp"
#include "solver/gauss_seidel.hpp"
#include "solver/newton.hpp"
#include "solver/nonsmooth.hpp"
#include "solver/penalty.hpp"

namespace solfec::input {

/// A collection of solids of one kind that a routine may empty.
template <class T>
struct SolidObject {
  std::vector<T> solids;
  bool emptied = false;
};

using ConvexObject = SolidObject<Polyhedron>;
using MeshObject = SolidObject<Mesh>;
using SphereObject = SolidObject<Sphere>;
using EllipObject = SolidObject<Ellipsoid>;

struct TimeSeriesObject {
  TimeSeries series;
};

struct SolfecObject {
  std::shared_ptr<Simulation> simulation;

  bool operator==(const SolfecObject&) const = default;
};

struct BulkMaterialObject {
  std::shared_ptr<Simulation> simulation;
  int index;
};

struct SurfaceMaterialObject {
  std::shared_ptr<Simulation> simulation;
  int index;
};

/// A body wherever it lives. Objects of one body share the handle when they come from one BODY
/// call: a callback's new body may change its number.
struct BodyObject {
  std::shared_ptr<Simulation> simulation;
  std::shared_ptr<BodyHandle> handle;
  bool emptied = false;

  BodyId id() const { return handle->id; }
};

struct ConstraintObject {
  std::shared_ptr<Simulation> simulation;
  ContactKey name;
  bool emptied = false;
  /// Of a joint that the script has made: its bodies, whose numbers may change (none: space).
  std::shared_ptr<BodyHandle> body1 = nullptr, body2 = nullptr;

  ContactKey key() const {
    ContactKey key = name;
    if (body1) key.body1 = body1->id;
    if (body2) key.body2 = body2->id;
    return key;
  }
};

struct GaussSeidelObject {
  std::shared_ptr<GaussSeidel> solver;
};

struct NewtonObject {
  std::shared_ptr<Newton> solver;
};

struct AutomaticObject {
  std::shared_ptr<Automatic> solver;
};

struct NonsmoothObject {
  std::shared_ptr<Nonsmooth> solver;
};

struct ConvexSolverObject {
  std::shared_ptr<Convex> solver;
};

struct PenaltyObject {
  std::shared_ptr<Penalty> solver;
};

/// The solver behind an object of the script; null for any other object.
std::shared_ptr<Solver> solver_in(py::handle object);
/// Its path as scripts read it: tuples (method, iterations, figure).
py::list stages_of(const Solver& solver);

/// The simulation behind a SOLFEC argument.
Simulation& simulation_of(const Value& value);
std::shared_ptr<Simulation> shared_simulation_of(const Value& value);

/// An object of an existing body.
BodyObject body_object(const std::shared_ptr<Simulation>& simulation, BodyId id);
/// Adds a body that every rank makes alike (in a callback: or one of them), by a command.
BodyObject new_body(const std::shared_ptr<Simulation>& simulation, const std::string& command,
                    Body body);
/// Throws ValueError for a body that was emptied.
void ensure_not_emptied(const BodyObject& body, const std::string& where);
/// Index of a body, or -1 when another rank has it. Throws ValueError for a body that was emptied
/// or deleted.
int body_index(const BodyObject& body, const std::string& where);
/// What is known of a body here, or null: its record, or until the first RUN that of its handle,
/// without loads. Throws like body_index.
const Body* body_record(const BodyObject& body, const std::string& where);
/// Changes a body where it lives (or its record in a handle), and notes down the command: `what` is
/// a fingerprint of its arguments. Throws like body_index.
void change_body(const BodyObject& body, const std::string& where, const std::string& command,
                 std::uint64_t what, const std::function<void(BodyStore&, int)>& change);
/// The body behind a BODY argument.
BodyObject& body_of(const Value& value);

/// Fails unless the shape of a body is one mesh with faces of this surface, the argument 'surfid';
/// `what` begins the message of the former, before "a BODY".
void check_faces(const Body& body, const Arguments& arguments, int surface, const char* what);

/// Index of the BULK_MATERIAL object or label of an argument.
int material_index(const Value& value, const Simulation& simulation);

/// Throws ValueError for a material that nothing deformable can be made of.
void check_deforms(const Value& value, const BulkMaterial& material);

/// A reference point of a body, which of a FINITE_ELEMENT body has to be in its mesh (checked where
/// the body is known).
Vec3 point_of(const Value& value, const BodyObject& body);

/// Command and line of the script that calls it.
std::string script_place(const std::string& command);
template <class... Values>
std::uint64_t fingerprint_of(const Values&... values) {
  ArchiveWriter archive;
  archive(values...);
  return fingerprint(archive.bytes());
}
/// Notes down a command that changes the model: on several ranks all must give it alike.
void record_common(const Simulation& simulation, const std::string& command, std::uint64_t what);

/// A number or a TIME_SERIES object.
TimeSeries series_of(const Value& value);

/// Three entries, each a number or a TIME_SERIES object, which are looked at one by one.
std::array<Value, 3> three_series(const Value& value);

/// Calls a Python callable with data: a tuple is expanded into arguments.
py::tuple data_arguments(const py::object& data);

/// Calls a function of the script. A note on what it raises tells whose function it is: the line of
/// the script is that of RUN.
template <class Call>
auto call_noting(const char* note, Call&& call) {
  try {
    return call();
  } catch (const py::error_already_set& error) {
    error.value().attr("add_note")(note);
    throw;
  }
}

/// What a callback returned: false only for the number zero (None goes on).
bool goes_on(const py::object& result);

/// All bodies or all constraints as a Python list.
py::list body_list(const std::shared_ptr<Simulation>& simulation);
py::list constraint_list(const std::shared_ptr<Simulation>& simulation,
                         std::optional<BodyId> of_body);

/// Read mode: until its first RUN (or results function) a script makes its model. Then the first
/// frame is shown, after a check that the bodies are those of the results.
void ensure_results_shown(Simulation& simulation);
/// From then on the results say what happens: commands that change bodies have no effect.
bool shows_results(const Simulation& simulation);
/// Whether a quasi-static analysis has no use for what `where` sets; warns of it once.
bool is_of_no_use(Simulation& simulation, const std::string& where);

/// Solids of a shape argument: an object, or a list (nested at will) of objects. Nothing is emptied
/// yet: `empty` does it, once all arguments have been checked.
class ShapeArgument {
 public:
  explicit ShapeArgument(const Value& value);

  Shape copy() const;
  /// Moves the solids out and marks the objects as emptied.
  Shape take();
  /// Changes the solids in place.
  void for_each(const std::function<void(Solid&)>& change);

 private:
  void collect(const py::handle& object, const Value& value);
  std::vector<py::object> objects_;
  std::vector<py::handle> lists_;  // that are being read, each in the one before
};

}  // namespace solfec::input
