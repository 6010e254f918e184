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

// The arguments failure, data and callback of a solver.
FailureAction failure_action(const Arguments& a) {
  const FailureAction failure =
      a["failure"].given() ? a["failure"].choice(kFailures) : FailureAction::go_on;
  const Value callback = a["callback"];
  if (callback.given()) callback.function();
  if (failure == FailureAction::callback && !callback.given())
    callback.fail_value_saying("failure = 'CALLBACK' needs a callback");
  if (failure != FailureAction::callback && callback.given())
    callback.fail_value_saying("a callback goes with failure = 'CALLBACK' only");
  if (a["data"].given() && !callback.given())
    a["data"].fail_value_saying("data goes with a callback only");
  return failure;
}

// The arguments that all iterative solvers have.
template <class Settings>
void take_common(const Arguments& a, Settings& s) {
  if (a["meritval"].given()) s.merit_value = a["meritval"].positive();
  if (a["maxiter"].given()) s.max_iterations = a["maxiter"].positive_integer();
  s.failure = failure_action(a);
}

// A solver with its failure callback.
template <class Object, class Settings>
Object solver_object(const Arguments& a, const Settings& settings) {
  using SolverType = typename decltype(Object::solver)::element_type;
  Object object{std::make_shared<SolverType>(settings)};
  if (!a["callback"].given()) return object;
  const py::function function = a["callback"].function();
  const py::tuple data = data_arguments(a["data"].object());
  // The callback gets the object itself; the solver must not keep itself alive through it.
  const std::weak_ptr solver = object.solver;
  object.solver->on_failure = [function, data, solver] {
    return call_noting("raised by the solver's callback, which gets the solver, and data, if given",
                       [&] { return goes_on(function(Object{solver.lock()}, *data)); });
  };
  return object;
}

GaussSeidelObject make_gauss_seidel(const Arguments& a) {
  GaussSeidelSettings s;
  if (a["epsilon"].given()) {
    s.epsilon = a["epsilon"].positive();
  } else {  // the merit alone
    s.epsilon = 1;
    s.merit_value = 1e-6;
  }
  take_common(a, s);
  s.diagonal_max_iterations = a["diagmaxiter"].given() ? a["diagmaxiter"].positive_integer()
                                                       : std::max(100, s.max_iterations / 100);
  if (a["diagsolver"].given()) s.diagonal_solver = a["diagsolver"].choice(kDiagonalSolvers);
  if (a["diagepsilon"].given())
    s.diagonal_epsilon = a["diagepsilon"].positive();
  else if (s.diagonal_solver != DiagonalSolver::semismooth_newton)
    s.diagonal_epsilon = std::max(kRowRoundOff, 0.01 * std::min({s.epsilon, s.merit_value, 1e-4}));
  return solver_object<GaussSeidelObject>(a, s);
}

template <class T>
py::list list_of(const std::vector<T>& values) {
  py::list list;
  for (const T& v : values) list.append(v);
  return list;
}

// Members of solver objects that are settings, > 0.
template <class Object, class Settings>
void real_member(py::class_<Object>& solver, const char* name, const char* documentation,
                 double Settings::*field) {
  read_write(
      solver, name, documentation, [field](const Object& o) { return o.solver->settings.*field; },
      [field](Object& o, const Value& v) { o.solver->settings.*field = v.positive(); });
}

template <class Object, class Settings>
void integer_member(py::class_<Object>& solver, const char* name, const char* documentation,
                    int Settings::*field) {
  read_write(
      solver, name, documentation, [field](const Object& o) { return o.solver->settings.*field; },
      [field](Object& o, const Value& v) { o.solver->settings.*field = v.positive_integer(); });
}

// What all iterative solvers have; `iterations` names what they count.
template <class Object>
void common_members(py::class_<Object>& solver, const std::string& iterations) {
  const auto settings = [](const Object& o) -> auto& { return o.solver->settings; };
  using Settings = std::remove_reference_t<decltype(settings(std::declval<const Object&>()))>;
  const std::string kind = solver.attr("__name__").template cast<std::string>();
  solver.def("__repr__", [kind, settings](const Object& o) {
    std::string who = kind;
    if constexpr (std::is_same_v<Object, NonsmoothObject>)
      who = fmt::format("{} {}", kind, o.solver->short_name());
    if constexpr (std::is_same_v<Object, ConvexSolverObject>)
      who = fmt::format("{} {}", kind, entry_of(o.solver->settings.method).name);
    return fmt::format("<{}, meritval {:g}, maxiter {}>", who, settings(o).merit_value,
                       settings(o).max_iterations);
  });
  read_only(solver, "failure", "Failure action.",
            [settings](const Object& o) { return name_of(kFailures, settings(o).failure); });
  read_only(solver, "error", "Outcome of the last step.",
            [](const Object& o) { return name(o.solver->status); });
  read_only(solver, "iters", (iterations + " in the last step.").c_str(),
            [](const Object& o) { return o.solver->step_iterations; });
  real_member(solver, "meritval", "Value of the merit function.", &Settings::merit_value);
  integer_member(solver, "maxiter", "Bound on the iterations.", &Settings::max_iterations);
  read_write(
      solver, "itershist", (iterations + " of each step.").c_str(),
      [](const Object& o) -> py::object {
        const auto& counts = o.solver->record.counts();
        if (!counts) return py::none();
        return list_of(*counts);
      },
      [](Object& o, const Value& v) { o.solver->record.turn(v.flag()); });
}

void define_gauss_seidel(Commands& commands) {
  using Object = GaussSeidelObject;
  auto gs = commands.add_class<Object>(
      "GAUSS_SEIDEL_SOLVER",
      "| epsilon, maxiter, meritval, failure, diagepsilon, diagmaxiter, diagsolver, data, callback",
      R"(Creates a nonlinear block Gauss-Seidel solver.

epsilon      relative change of the reactions in a sweep, > 0 (default: 1, so that the merit alone decides)
maxiter      bound on the number of sweeps of a solve, > 0 (default: 1000);
             steps with joints may take several
meritval     value of the merit function, > 0 (default: 1E-3 where epsilon is given, otherwise 1E-6). Sweeps end when
             the relative change is at most epsilon and the merit at most meritval. When they end at maxiter the
             step has still converged if the merit is at most meritval; with 1 or more the merit is not evaluated.
failure      what to do in a step that has not converged: 'CONTINUE' (default), 'EXIT' (RuntimeError) or
             'CALLBACK'
diagepsilon  relative accuracy of the diagonal solver (default: 1E-14, that is round-off, for SEMISMOOTH_NEWTON;
             min (epsilon, meritval, 1E-4) / 100 for the others)
diagmaxiter  bound on its iterations (default: max (100, maxiter / 100))
diagsolver   'SEMISMOOTH_NEWTON' (default), 'PROJECTED_GRADIENT', 'DE_SAXCE_FENG' or 'PROJECTED_NEWTON'; if it fails
             in a row the others are tried, and if all fail the row keeps its reaction
data         data for the callback; a tuple is expanded into arguments
callback     value = callback (solver, data), for failure = 'CALLBACK'; when it returns 0 the run ends

Members, read only: failure; error, 'OK', 'DIVERGED', 'DIAGONAL_DIVERGED' or 'DIAGONAL_FAILED'; iters, sweeps
in the last step; rerhist and merhist, lists of the relative change and of the merit in each sweep of the last
solve, of which steps with joints may take several (the merit is exact where the criterion needed it, elsewhere an
estimate computed within the sweep).
Members, read and write: epsilon, maxiter, meritval, diagepsilon, diagmaxiter, diagsolver; reverse, 'ON' or
'OFF' (default): every other sweep runs backwards; memory, the number of pairs of sweeps that Anderson acceleration
looks back on, from 0 (default: none) to 50: with 5 problems that converge slowly take many times fewer sweeps
('SIMPLIFIED' takes contacts once in parallel runs, and has no use for it);
itershist: assign 'ON' to record the number of sweeps of each step, 'OFF' to stop; reads as the list (None when it was
never switched on); variant ('FULL', 'MIDDLE_JACOBI', 'BOUNDARY_JACOBI', 'SIMPLIFIED') and innerloops concern parallel
runs and change nothing in serial ones.)",
      make_gauss_seidel);
  common_members(gs, "Sweeps");
  read_only(gs, "rerhist", "Relative change in each sweep.",
            [](const Object& o) { return list_of(o.solver->error_history); });
  read_only(gs, "merhist", "Merit in each sweep.",
            [](const Object& o) { return list_of(o.solver->merit_history); });
  using Settings = GaussSeidelSettings;
  real_member(gs, "epsilon", "Relative change of the reactions.", &Settings::epsilon);
  real_member(gs, "diagepsilon", "Accuracy of the diagonal solver.", &Settings::diagonal_epsilon);
  integer_member(gs, "diagmaxiter", "Bound on the iterations of the diagonal solver.",
                 &Settings::diagonal_max_iterations);
  integer_member(gs, "innerloops", "Inner sweeps per outer one in parallel runs.",
                 &Settings::inner_loops);
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
      gs, "memory", "Pairs of sweeps that Anderson acceleration looks back on.",
      [](const Object& o) { return o.solver->settings.memory; },
      [](Object& o, const Value& v) {
        const int memory = v.integer();
        if (memory < 0 || memory > 50) v.fail_value("an integer from 0 to 50");
        o.solver->settings.memory = memory;
      });
}

const std::vector<std::pair<const char*, LinearMethod>> kLinearMethods = {
    {"GMRES", LinearMethod::gmres}, {"DIAG", LinearMethod::diagonal}};

const std::vector<std::pair<const char*, DeltaUnit>> kDeltaUnits = {{"OFF", DeltaUnit::absolute},
                                                                    {"avgWii", DeltaUnit::average},
                                                                    {"minWii", DeltaUnit::smallest},
                                                                    {"maxWii", DeltaUnit::largest}};

int smoothing_sweeps(const Value& value) {
  const int sweeps = value.integer();
  if (sweeps < 0) value.fail_value("an integer >= 0");
  return sweeps;
}

double relaxation(const Value& value, double most) {
  const double theta = value.positive();
  if (theta > most) value.fail_value(fmt::format("a number > 0, at most {:g}", most));
  return theta;
}

NewtonObject make_newton(const Arguments& a) {
  NewtonSettings s;
  take_common(a, s);
  if (a["locdyn"].given()) s.matrix_free = !a["locdyn"].flag();
  if (a["linver"].given()) s.linear_method = a["linver"].choice(kLinearMethods);
  if (a["linmaxiter"].given()) s.linear_max_iterations = a["linmaxiter"].positive_integer();
  if (a["maxmatvec"].given()) s.max_products = a["maxmatvec"].positive_integer();
  if (a["epsilon"].given()) s.epsilon = a["epsilon"].positive();
  if (a["delta"].given()) s.delta = a["delta"].non_negative();
  if (a["theta"].given()) s.theta = relaxation(a["theta"], 1);
  s.omega = a["omega"].given() ? a["omega"].positive() : 1e-3 * s.merit_value;
  if (a["gsflag"].given()) s.falls_back = a["gsflag"].flag();
  if (a["reldelta"].given()) s.delta_unit = a["reldelta"].choice(kDeltaUnits);
  if (a["smooth"].given()) s.smoothing = smoothing_sweeps(a["smooth"]);
  return solver_object<NewtonObject>(a, s);
}

void define_newton(Commands& commands) {
  using Object = NewtonObject;
  using Settings = NewtonSettings;
  auto newton = commands.add_class<Object>(
      "NEWTON_SOLVER",
      "| meritval, maxiter, locdyn, linver, linmaxiter, maxmatvec, epsilon, delta, theta, omega, "
      "gsflag, reldelta, smooth/presmooth, failure, data, callback",
      R"(Creates a projected quasi-Newton solver (report of 2019, Algorithm 1).

meritval    value of the merit function at which a step has converged, > 0 (default: 1E-8)
maxiter     bound on the number of iterations of a solve, > 0 (default: 1000);
            steps with joints may take several
locdyn      'ON' (default) or 'OFF': without blocks of W, which is applied through the velocities of bodies
linver      'GMRES' (default), or 'DIAG': rows one by one, under-relaxed, without products with W
linmaxiter  bound on the iterations of GMRES, m, > 0 (default: 10)
maxmatvec   bound on the products of all linear steps with W in a step, > 0 (default: 100000)
epsilon     residual of a linear step over the norm of its right hand side, > 0 (default: 0.25)
delta       added to the diagonal of linear steps, >= 0 (default: 0) [m/(s N)]. A multiple of 0.01 of the
            average diagonal entry of W (reldelta) suits many models of rigid bodies.
theta       share of a new step in 'DIAG', > 0, at most 1 (default: 0.25); halved when iterations get worse
omega       smoothing of the law of contact, > 0 (default: meritval / 1000) [m/s]
gsflag      'ON' (default) or 'OFF': when the iterations fail, Gauss-Seidel continues from their best reactions,
            with up to maxiter sweeps
reldelta    'OFF' (default), 'avgWii', 'minWii', 'maxWii': delta is a multiple of the average, the smallest,
            the largest diagonal entry of W
smooth      Gauss-Seidel sweeps before and after the iterations, >= 0 (default: 0); also named presmooth
failure     what to do in a step that has not converged: 'CONTINUE' (default), 'EXIT' (RuntimeError) or 'CALLBACK'
data        data for the callback; a tuple is expanded into arguments
callback    value = callback (solver, data), for failure = 'CALLBACK'; when it returns 0 the run ends

Members, read only: error, 'OK', 'DIVERGED', 'DIAGONAL_DIVERGED' or 'DIAGONAL_FAILED' (the last two of the
sweeps that follow a failure); failure; iters, iterations in the last step; merhist and mvhist, lists of the merit and
of the number of products with W after each one of the last solve, of which steps with joints may take several;
gssweeps, sweeps that followed a failure.
Members, read and write: all arguments but reldelta, failure, data and callback; theta is at most 0.5 here; itershist:
assign 'ON' to record the number of iterations of each step, 'OFF' to stop; reads as the list (None when it was never
switched on).)",
      make_newton);
  common_members(newton, "Iterations");
  read_only(newton, "merhist", "Merit after each iteration.",
            [](const Object& o) { return list_of(o.solver->merit_history); });
  read_only(newton, "mvhist", "Products with W of each iteration.",
            [](const Object& o) { return list_of(o.solver->product_history); });
  read_only(newton, "gssweeps", "Sweeps of Gauss-Seidel after a failure.",
            [](const Object& o) { return o.solver->fallback_sweeps; });
  real_member(newton, "epsilon", "Accuracy of linear steps.", &Settings::epsilon);
  real_member(newton, "omega", "Smoothing [m/s].", &Settings::omega);
  integer_member(newton, "linmaxiter", "Bound on the iterations of GMRES.",
                 &Settings::linear_max_iterations);
  integer_member(newton, "maxmatvec", "Bound on products with W.", &Settings::max_products);
  read_write(
      newton, "delta", "Added to the diagonal.",
      [](const Object& o) { return o.solver->settings.delta; },
      [](Object& o, const Value& v) { o.solver->settings.delta = v.non_negative(); });
  read_write(
      newton, "theta", "Share of a new step.",
      [](const Object& o) { return o.solver->settings.theta; },
      [](Object& o, const Value& v) { o.solver->settings.theta = relaxation(v, 0.5); });
  read_write(
      newton, "smooth", "Sweeps before and after.",
      [](const Object& o) { return o.solver->settings.smoothing; },
      [](Object& o, const Value& v) { o.solver->settings.smoothing = smoothing_sweeps(v); });
  read_write(
      newton, "locdyn", "Whether W has blocks.",
      [](const Object& o) { return o.solver->settings.matrix_free ? "OFF" : "ON"; },
      [](Object& o, const Value& v) { o.solver->settings.matrix_free = !v.flag(); });
  read_write(
      newton, "gsflag", "Whether Gauss-Seidel follows a failure.",
      [](const Object& o) { return o.solver->settings.falls_back ? "ON" : "OFF"; },
      [](Object& o, const Value& v) { o.solver->settings.falls_back = v.flag(); });
  read_write(
      newton, "linver", "Linear method.",
      [](const Object& o) { return name_of(kLinearMethods, o.solver->settings.linear_method); },
      [](Object& o, const Value& v) {
        o.solver->settings.linear_method = v.choice(kLinearMethods);
      });
}

void define_automatic(Commands& commands) {
  using Object = AutomaticObject;
  auto automatic = commands.add_class<Object>(
      "AUTO_SOLVER", "| meritval, maxiter, failure, data, callback",
      R"(Creates a solver that needs no tuning: accelerated Gauss-Seidel, and where that is slow Newton's methods.

meritval  value of the merit function at which a step has converged, > 0 (default: 1E-8)
maxiter   bound on the number of sweeps and Newton steps together of a solve, > 0 (default: 1000);
          steps with joints may take several
failure   what to do in a step that has not converged: 'CONTINUE' (default), 'EXIT' (RuntimeError) or 'CALLBACK'
data      data for the callback; a tuple is expanded into arguments
callback  value = callback (solver, data), for failure = 'CALLBACK'; when it returns 0 the run ends

Accelerated sweeps, a quasi-Newton method and a proximal Newton method take turns, each from where it was left, as
long as it gets on; the proximal one, and interior points before it, where a few of its steps take less work than all
before them. A step that does not converge takes the best reactions found.

Members, read only: error, 'OK', 'DIVERGED', 'DIAGONAL_DIVERGED' or 'DIAGONAL_FAILED' (the last two of the last
sweeps); failure; iters, sweeps and Newton steps in the last step; ntsteps and path are of its last solve, of which
steps with joints may take several: Newton steps, and what was done, tuples (method, iterations, merit at their end)
with the methods 'GS-AA' (accelerated sweeps), 'BB' (projected gradients), 'PQN' (quasi-Newton), 'PROXIMAL', 'IPM'
(interior points), and 'BALANCE' (of quasi-static steps of deformable bodies).
Some more sweeps follow where the first ones reach meritval, so that reactions of contacts that last do not drift.
Quasi-static steps go on to 1E-10 of meritval where that takes little work; they are 'OK' without it, too.
Members, read and write: meritval, maxiter; itershist: assign 'ON' to record iters of each step, 'OFF' to stop;
reads as the list (None when it was never switched on).)",
      [](const Arguments& a) {
        AutomaticSettings s;
        take_common(a, s);
        return solver_object<Object>(a, s);
      });
  common_members(automatic, "Sweeps and Newton steps");
  read_only(automatic, "ntsteps", "Newton steps in the last step.",
            [](const Object& o) { return o.solver->newton_steps; });
  read_only(automatic, "path",
            "What was done in the last step: tuples (method, iterations, merit at their end).",
            [](const Object& o) { return stages_of(*o.solver); });
}

bool has_parameter(int method, const NonsmoothParameter& parameter) {
  const auto names = nonsmooth_methods()[method].parameters();
  return std::ranges::find(names, parameter.name) != names.end();
}

std::string no_parameter(const NonsmoothEntry& method, const char* name) {
  const auto names = method.parameters();
  if (names.empty()) return fmt::format("{} has no parameters", method.name);
  return fmt::format("{} has no parameter {}, only {}", method.name, name, fmt::join(names, ", "));
}

// Parameters of a method, by name; one that it does not have is an error.
void take_parameters(const Arguments& a, NonsmoothSettings& s) {
  const NonsmoothEntry& method = nonsmooth_methods()[s.method];
  for (const NonsmoothParameter& parameter : nonsmooth_parameters()) {
    const Value value = a[parameter.name];
    if (!value.given()) continue;
    s.*parameter.value = value.positive();
    if (s.*parameter.value >= parameter.below)
      value.fail_value(fmt::format("a number > 0 and < {:g}", parameter.below));
    if (!has_parameter(s.method, parameter))
      value.fail_value_saying(no_parameter(method, parameter.name));
  }
  if (!a["Lmin"].given()) s.L_min = std::min(s.L_min, s.L / 3);
  if (s.L_min >= s.L) a["Lmin"].fail_value(fmt::format("a number less than L = {:g}", s.L));
}

NonsmoothObject make_nonsmooth(const Arguments& a) {
  NonsmoothSettings s;
  std::vector<std::pair<const char*, int>> names;
  for (const NonsmoothEntry& entry : nonsmooth_methods())
    names.emplace_back(entry.name, nonsmooth_method(entry.name));
  s.method = a["method"].choice(names);
  take_common(a, s);
  take_parameters(a, s);
  return solver_object<NonsmoothObject>(a, s);
}

void define_nonsmooth(Commands& commands) {
  using Object = NonsmoothObject;
  using Settings = NonsmoothSettings;
  auto nonsmooth = commands.add_class<Object>(
      "NONSMOOTH_SOLVER",
      "method | meritval, maxiter, rho, nu, L, Lmin, tollocal, omega, alpha, sigma, exponent, "
      "failure, data, callback",
      R"(Creates a solver of the comparison of 2018 (Acary, Bremond, Huber), under the name it has there.

method    string, one of the names below
meritval  value of the merit function at which a step has converged, > 0 (default: 1E-8)
maxiter   bound on the number of iterations of a solve, > 0 (default: 10000);
          steps with joints may take several
rho       of projections: the step, or the first one, > 0 (default: 1, as in the paper) [N s/m]. 'FP-DS' converges for
          a rho below about 2 over the largest eigenvalue of W only.
nu        of adaptive projections: factor by which a step is made shorter, > 0 and < 1 (default: 0.667, which is 2/3)
L         of adaptive projections: a step is made shorter until F changes by no more than L / rho times the change of R,
          > 0 and < 1 (default: 0.9)
Lmin      of adaptive projections: after a step with less than Lmin in place of L the next one is longer, by 1 / nu, > 0
          and < L (default: 0.3, or L / 3 if that is less)
tollocal  of sweeps: relative accuracy of a row, > 0 and < 1 (default: 1E-14)
omega     of PSOR: relaxation, > 0 and < 2 (default: 1.3); 1 is Gauss-Seidel
alpha     of proximal points by success: the first alpha, > 0 and < 1E6 (default: 1)
sigma, exponent  of proximal points by error: alpha = sigma error^exponent, > 0 (default: 5, 1)
failure   what to do in a step that has not converged: 'CONTINUE' (default), 'EXIT' (RuntimeError) or 'CALLBACK'
data      data for the callback; a tuple is expanded into arguments
callback  value = callback (solver, data), for failure = 'CALLBACK'; when it returns 0 the run ends

Projections: 'FP-DS', fixed-point iterations with a constant step; 'FP-VI-UPK' and 'FP-VI-UPTS', with a step that
follows the rate of change of velocities, by the rules of Khobotov and of Solodov and Tseng; 'EG-VI-UPK' and
'EG-VI-UPTS', extragradient steps with the same rules; 'FP2-VI-UPK', two fixed-point steps with each rho, which take as
many iterations as the extragradient solver of Siconos 4.4.

Newton's method on the law as an equation: 'NSN-NM' (natural map), 'NSN-AC' (Alart and Curnier), 'NSN-JM' (Jean and
Moreau), 'NSN-FB' (Fischer and Burmeister); with '-GP' behind it the line search of Goldstein and Price, with '-A' that
of Armijo; 'NSN-AC-HYBRID' begins with 100 iterations of 'EG-VI-UPK'. For a W of full rank.

Sweeps: 'NSGS-AC', 'NSGS-JM', 'NSGS-AC-GP', 'NSGS-JM-GP', 'NSGS-FP-DS-ONE' (one projection), 'NSGS-FP-VI-UPK' and
'NSGS-EXACT', by the method for one contact. With '-ADAPTIVE' behind 'NSGS-AC-GP' and 'NSGS-FP-VI-UPK' a contact is
solved to a tenth of the error of all;
'NSGS-AC-GP-SHUFFLED' takes the rows in an order by chance, 'NSGS-AC-GP-FULLY-SHUFFLED' in another one in each sweep
(the same ones in each solve). 'PSOR-AC' and 'PSOR-AC-GP' relax.

Proximal points, with problems solved by Newton's method or sweeps: 'PPA-NSN-AC', 'PPA-NSN-AC-GP', 'PPA-NSGS-AC', where
alpha falls with success; the same with '-SIGMA' behind it, where it follows the error.

Problems with a part of the law held, one after the other. Panagiotopoulos, normal and tangential reactions in turn:
'PANA-PGS-FP-VI-UPK', 'PANA-PGS-EG-VI-UPK', 'PANA-PGS-CONVEXQP-PG', 'PANA-CONVEXQP-PG'. The threshold of friction held:
'TRESCA-NSGS-FP-VI-UPK', 'TRESCA-FP-VI-UPK', 'TRESCA-EG-VI-UPK', 'TRESCA-CONVEXQP-PG'; the slip in the normal component
held: 'ACLM-NSGS-FP-VI-UPK', 'ACLM-FP-VI-UPK', 'ACLM-EG-VI-UPK', 'ACLM-CONVEXQP-PG'. Iterations are those of the outer
loop.

Newer ones: 'IPM', an interior-point method, takes 5 to 50 iterations on nearly any problem, each with a sparse
factorisation, and starts from zero always; 'BB', projected gradients with the steps of Barzilai and Borwein.

These methods are for comparisons; AUTO_SOLVER is faster nearly everywhere. Contacts of model SPRING_DASHPOT, springs
(PUT_SPRING) and, without SOLFEC.joint_correction, links (PUT_RIGID_LINK) end a RUN with an error.

Members, read only: method; all parameters from rho to exponent, None where the method has no such parameter; error,
'OK' or 'DIVERGED'; failure; iters, iterations in the last step.
Members, read and write: meritval, maxiter; itershist: assign 'ON' to record iters of each step, 'OFF' to stop;
reads as the list (None when it was never switched on).)",
      make_nonsmooth);
  common_members(nonsmooth, "Iterations");
  read_only(nonsmooth, "method", "Name of the method.",
            [](const Object& o) { return o.solver->short_name(); });
  for (const NonsmoothParameter& parameter : nonsmooth_parameters())
    read_only(nonsmooth, parameter.name, "Parameter of the method, or None.",
              [&parameter](const Object& o) -> py::object {
                const Settings& s = o.solver->settings;
                if (!has_parameter(s.method, parameter)) return py::none();
                return py::float_(s.*parameter.value);
              });
}

ConvexSolverObject make_convex_solver(const Arguments& a) {
  ConvexSettings s;
  std::vector<std::pair<const char*, ConvexMethod>> names;
  for (const ConvexEntry& entry : convex_methods()) names.emplace_back(entry.name, entry.method);
  if (a["method"].given()) s.method = a["method"].choice(names);
  const ConvexEntry& method = entry_of(s.method);
  for (const char* argument : {"omega", "lam"})
    if (a[argument].given() && method.omega == 0)
      a[argument].fail_value_saying(
          fmt::format("{} has no such parameter: its steps follow W", method.name));
  if (method.omega > 0) s.omega = a["omega"].given() ? a["omega"].positive() : method.omega;
  if (a["lam"].given()) {
    s.lambda = a["lam"].positive();
    if (s.lambda > 1) a["lam"].fail_value("a number > 0 and <= 1");
  }
  take_common(a, s);
  return solver_object<ConvexSolverObject>(a, s);
}

void define_convex_solver(Commands& commands) {
  using Object = ConvexSolverObject;
  auto convex = commands.add_class<Object>(
      "CONVEX_SOLVER", "| method, omega, lam, meritval, maxiter, failure, data, callback",
      R"(Creates a solver of the convex problem of a step (cone complementarity problem, CCP; Anitescu and Tasora).

method    'APGD' (default), accelerated projected gradients with restarts; 'GS', projected Gauss-Seidel; 'SSOR', the
          same forwards and backwards in turns; 'JACOBI', with the reactions of the sweep before; 'IPM', an
          interior-point method, of few iterations with a sparse factorisation each, which starts from zero always;
          'BB', projected gradients with the steps of Barzilai and Borwein
omega     length of a step, over 3 / trace (W_aa) of each contact, > 0 (default: 1, for 'JACOBI' 0.2); with 'GS' and
          omega > 1 sweeps are over-relaxed (SOR). Too great a value diverges: below 2/3 'GS' and 'SSOR' never do,
          'JACOBI' needs less than about 2 over the largest number of contacts of a body. Of 'GS', 'SSOR' and 'JACOBI'.
lam       share of a step that is taken (lambda), > 0 and <= 1 (default: 1); likewise
meritval  value of the merit function, of the convex law, at which a step has converged, > 0 (default: 1E-8)
maxiter   bound on the number of iterations of a solve, > 0 (default: 10000);
          steps with joints may take several
failure   what to do in a step that has not converged: 'CONTINUE' (default), 'EXIT' (RuntimeError) or 'CALLBACK'
data      data for the callback; a tuple is expanded into arguments
callback  value = callback (solver, data), for failure = 'CALLBACK'; when it returns 0 the run ends

Contacts have another law than that of Coulomb, by which a step is a convex programme: one that slides at the velocity
U_T opens at mu |U_T|. Bodies that slide are lifted, beds that are sheared dilate: docs/convex.md says by how much, and
when this solver is the better choice. Joints are rows of the same problem. Contacts of model SPRING_DASHPOT, springs
(PUT_SPRING) and, without SOLFEC.joint_correction, links (PUT_RIGID_LINK) end a RUN with an error.

Members, read only: method; omega and lam, None where the method has none; error, 'OK' or 'DIVERGED'; failure; iters,
iterations in the last step.
Members, read and write: meritval, maxiter; itershist: assign 'ON' to record iters of each step, 'OFF' to stop;
reads as the list (None when it was never switched on).)",
      make_convex_solver);
  common_members(convex, "Iterations");
  read_only(convex, "method", "Name of the method.",
            [](const Object& o) { return entry_of(o.solver->settings.method).name; });
  const auto member = [&](const char* name, const char* documentation,
                          double ConvexSettings::*field) {
    read_only(convex, name, documentation, [field](const Object& o) -> py::object {
      if (entry_of(o.solver->settings.method).omega == 0) return py::none();
      return py::float_(o.solver->settings.*field);
    });
  };
  member("omega", "Length of a step, or None.", &ConvexSettings::omega);
  member("lam", "Share of a step that is taken, or None.", &ConvexSettings::lambda);
}

}  // namespace

py::list stages_of(const Solver& solver) {
  py::list stages;
  for (const SolveStage& stage : solver.path())
    stages.append(py::make_tuple(stage.method, stage.iterations, stage.figure));
  return stages;
}

std::shared_ptr<Solver> solver_in(py::handle object) {
  std::shared_ptr<Solver> solver;
  const auto try_objects = [&]<class... Objects>() {
    ((py::isinstance<Objects>(object) ? void(solver = object.cast<Objects&>().solver) : void()),
     ...);
  };
  try_objects.template operator()<GaussSeidelObject, NewtonObject, AutomaticObject, NonsmoothObject,
                                  ConvexSolverObject, PenaltyObject>();
  return solver;
}

bool goes_on(const py::object& result) {
  if (result.is_none()) return true;
  const int truth = PyObject_IsTrue(result.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth != 0 || !PyNumber_Check(result.ptr());
}

void define_solvers(Commands& commands) {
  define_gauss_seidel(commands);
  define_newton(commands);
  define_automatic(commands);
  define_nonsmooth(commands);
  define_convex_solver(commands);
  auto penalty = commands.add_class<PenaltyObject>(
      "PENALTY_SOLVER", "| variant",
      R"(Creates a penalty solver: every contact is a spring and a dashpot of its own.

variant  'IMPLICIT' (default) or 'EXPLICIT': how the normal force is computed. IMPLICIT takes gap and velocity
         half way through the step, EXPLICIT the gap that is found there, without reactions, and the velocity at the
         start of the step: the dashpot is of first order then, and stable in short steps only.

Contacts of model SIGNORINI_COULOMB are taken as SPRING_DASHPOT too: give their materials a spring. Bodies
that friction should hold creep, the slower the shorter the step.

Member, read only: variant.)",
      [](const Arguments& a) {
        bool is_explicit = false;
        if (a["variant"].given())
          is_explicit = a["variant"].choice<bool>({{"IMPLICIT", false}, {"EXPLICIT", true}});
        return PenaltyObject{std::make_shared<Penalty>(is_explicit)};
      });
  penalty.def("__repr__", [](const PenaltyObject& o) {
    return fmt::format("<PENALTY_SOLVER, {}>",
                       o.solver->explicit_normal() ? "EXPLICIT" : "IMPLICIT");
  });
  read_only(penalty, "variant", "'IMPLICIT' or 'EXPLICIT'.", [](const PenaltyObject& o) {
    return o.solver->explicit_normal() ? "EXPLICIT" : "IMPLICIT";
  });
}

}  // namespace solfec::input
