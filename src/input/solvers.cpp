#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "input/objects.hpp"
#include "input/session.hpp"

namespace solfec::input {
namespace {

const std::vector<std::pair<const char*, FailureAction>> kFailures = {
    {"CONTINUE", FailureAction::go_on},
    {"EXIT", FailureAction::exit},
    {"CALLBACK", FailureAction::callback}};

const std::vector<std::pair<const char*, DiagonalSolver>> kDiagonalSolvers = {
    {"SEMISMOOTH_NEWTON", DiagonalSolver::semismooth_newton},
    {"PROJECTED_GRADIENT", DiagonalSolver::projected_gradient},
    {"DE_SAXCE_FENG", DiagonalSolver::de_saxce_feng},
    {"PROJECTED_NEWTON", DiagonalSolver::projected_newton}};

template <class E>
const char* name_of(const std::vector<std::pair<const char*, E>>& names, E value) {
  for (const auto& [name, v] : names)
    if (v == value) return name;
  return "";
}

GaussSeidelObject make_gauss_seidel(const Arguments& a) {
  GaussSeidelSettings s;
  s.epsilon = a["epsilon"].positive();
  s.max_iterations = a["maxiter"].positive_integer();
  if (a["meritval"].given()) s.merit_value = a["meritval"].positive();
  if (a["failure"].given()) s.failure = a["failure"].choice(kFailures);
  s.diagonal_epsilon = a["diagepsilon"].given()
                           ? a["diagepsilon"].positive()
                           : std::max(2.2e-16, 0.01 * std::min({s.epsilon, s.merit_value, 1e-4}));
  s.diagonal_max_iterations = a["diagmaxiter"].given() ? a["diagmaxiter"].positive_integer()
                                                       : std::max(100, s.max_iterations / 100);
  if (a["diagsolver"].given()) s.diagonal_solver = a["diagsolver"].choice(kDiagonalSolvers);
  const Value callback = a["callback"];
  if (callback.given()) callback.function();
  if (s.failure == FailureAction::callback && !callback.given())
    callback.fail_value_saying("failure = 'CALLBACK' needs a callback");
  if (a["data"].given() && !callback.given())
    a["data"].fail_value_saying("data goes with a callback only");
  GaussSeidelObject object{std::make_shared<GaussSeidel>(s)};
  if (callback.given()) {
    const py::function function = callback.function();
    const py::tuple data = data_arguments(a["data"].object());
    // The callback gets the object itself; the solver must not keep itself alive through it.
    const std::weak_ptr<GaussSeidel> solver = object.solver;
    object.solver->on_failure = [function, data, solver] {
      return goes_on(function(GaussSeidelObject{solver.lock()}, *data));
    };
  }
  return object;
}

template <class T>
py::list list_of(const std::vector<T>& values) {
  py::list list;
  for (const T& v : values) list.append(v);
  return list;
}

void define_gauss_seidel(Commands& commands) {
  using Object = GaussSeidelObject;
  auto gs = commands.add_class<Object>(
      "GAUSS_SEIDEL_SOLVER",
      "epsilon, maxiter | meritval, failure, diagepsilon, diagmaxiter, diagsolver, data, callback",
      R"(Creates a nonlinear block Gauss-Seidel solver.

epsilon      relative change of the reactions in a sweep, > 0
maxiter      bound on the number of sweeps, > 0
meritval     value of the merit function, > 0 (default: 1E-3). A step has converged when the relative change
             is at most epsilon and the merit at most meritval; with 1 or more the merit is left out.
failure      what to do in a step that has not converged: 'CONTINUE' (default), 'EXIT' (RuntimeError) or
             'CALLBACK'
diagepsilon  relative accuracy of the diagonal solver (default: min (epsilon, meritval, 1E-4) / 100)
diagmaxiter  bound on its iterations (default: max (100, maxiter / 100))
diagsolver   'SEMISMOOTH_NEWTON' (default), 'PROJECTED_GRADIENT', 'DE_SAXCE_FENG' or 'PROJECTED_NEWTON'; a row
             whose solver fails is tried with the others, then keeps its reaction
data         data for the callback; a tuple is expanded into arguments
callback     value = callback (solver, data), for failure = 'CALLBACK'; when it returns 0 the run ends

Members, read only: failure; error, 'OK', 'DIVERGED', 'DIAGONAL_DIVERGED' or 'DIAGONAL_FAILED'; iters, sweeps
in the last step; rerhist and merhist, lists of the relative change and of the merit in each sweep of the last
step (the merit is exact where the criterion needed it, elsewhere that of the rows as the sweep met them).
Members, read and write: epsilon, maxiter, meritval, diagepsilon, diagmaxiter, diagsolver; reverse, 'ON' or
'OFF' (default): every other sweep runs backwards; itershist: assign 'ON' to record the number of sweeps of
each step, 'OFF' to stop; reads as the list (None when it was never switched on); variant ('FULL',
'MIDDLE_JACOBI', 'BOUNDARY_JACOBI', 'SIMPLIFIED') and innerloops concern parallel runs and change nothing in
serial ones.)",
      make_gauss_seidel);
  read_only(gs, "failure", "Failure action.",
            [](const Object& o) { return name_of(kFailures, o.solver->settings.failure); });
  read_only(gs, "error", "Outcome of the last step.",
            [](const Object& o) { return name(o.solver->status); });
  read_only(gs, "iters", "Sweeps in the last step.",
            [](const Object& o) { return o.solver->iterations; });
  read_only(gs, "rerhist", "Relative change in each sweep.",
            [](const Object& o) { return list_of(o.solver->error_history); });
  read_only(gs, "merhist", "Merit in each sweep.",
            [](const Object& o) { return list_of(o.solver->merit_history); });
  const auto real = [&](const char* member, const char* documentation,
                        double GaussSeidelSettings::*field) {
    read_write(
        gs, member, documentation, [field](const Object& o) { return o.solver->settings.*field; },
        [field](Object& o, const Value& v) { o.solver->settings.*field = v.positive(); });
  };
  const auto integer = [&](const char* member, const char* documentation,
                           int GaussSeidelSettings::*field) {
    read_write(
        gs, member, documentation, [field](const Object& o) { return o.solver->settings.*field; },
        [field](Object& o, const Value& v) { o.solver->settings.*field = v.positive_integer(); });
  };
  real("epsilon", "Relative change of the reactions.", &GaussSeidelSettings::epsilon);
  real("meritval", "Value of the merit function.", &GaussSeidelSettings::merit_value);
  real("diagepsilon", "Accuracy of the diagonal solver.", &GaussSeidelSettings::diagonal_epsilon);
  integer("maxiter", "Bound on the sweeps.", &GaussSeidelSettings::max_iterations);
  integer("diagmaxiter", "Bound on the iterations of the diagonal solver.",
          &GaussSeidelSettings::diagonal_max_iterations);
  integer("innerloops", "Inner sweeps per outer one in parallel runs.",
          &GaussSeidelSettings::inner_loops);
  read_write(
      gs, "diagsolver", "Diagonal solver.",
      [](const Object& o) { return name_of(kDiagonalSolvers, o.solver->settings.diagonal_solver); },
      [](Object& o, const Value& v) {
        o.solver->settings.diagonal_solver = v.choice(kDiagonalSolvers);
      });
  read_write(
      gs, "reverse", "Whether every other sweep runs backwards.",
      [](const Object& o) { return o.solver->settings.reverse ? "ON" : "OFF"; },
      [](Object& o, const Value& v) { o.solver->settings.reverse = v.flag(); });
  static const std::vector<std::pair<const char*, GaussSeidelVariant>> variants = {
      {"FULL", GaussSeidelVariant::full},
      {"MIDDLE_JACOBI", GaussSeidelVariant::middle_jacobi},
      {"BOUNDARY_JACOBI", GaussSeidelVariant::boundary_jacobi},
      {"SIMPLIFIED", GaussSeidelVariant::simplified}};
  read_write(
      gs, "variant", "Variant of parallel runs.",
      [](const Object& o) { return name_of(variants, o.solver->settings.variant); },
      [](Object& o, const Value& v) { o.solver->settings.variant = v.choice(variants); });
  read_write(
      gs, "itershist", "Sweeps of each step.",
      [](const Object& o) -> py::object {
        if (!o.solver->iteration_record) return py::none();
        return list_of(*o.solver->iteration_record);
      },
      [](Object& o, const Value& v) {
        const bool on = v.flag();
        if (on && !o.solver->recording) o.solver->iteration_record.emplace();
        o.solver->recording = on;
      });
}

}  // namespace

bool goes_on(const py::object& result) {
  if (result.is_none()) return true;
  const int truth = PyObject_IsTrue(result.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth != 0 || !PyNumber_Check(result.ptr());
}

void define_solvers(Commands& commands) {
  define_gauss_seidel(commands);
  auto penalty = commands.add_class<PenaltyObject>(
      "PENALTY_SOLVER", "| variant",
      R"(Creates a penalty solver: every contact is a spring and a dashpot of its own.

variant  'IMPLICIT' (default) or 'EXPLICIT': how the normal force is computed. IMPLICIT takes gap and velocity
         half way through the step, EXPLICIT at its start.

Contacts of model SIGNORINI_COULOMB are taken as SPRING_DASHPOT too: give their materials a spring.

Member, read only: variant.)",
      [](const Arguments& a) {
        bool is_explicit = false;
        if (a["variant"].given())
          is_explicit = a["variant"].choice<bool>({{"IMPLICIT", false}, {"EXPLICIT", true}});
        return PenaltyObject{std::make_shared<Penalty>(is_explicit)};
      });
  read_only(penalty, "variant", "'IMPLICIT' or 'EXPLICIT'.", [](const PenaltyObject& o) {
    return o.solver->explicit_normal() ? "EXPLICIT" : "IMPLICIT";
  });
}

}  // namespace solfec::input
