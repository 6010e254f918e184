#include <fmt/format.h>
#include <pybind11/stl.h>

#include "input/objects.hpp"
#include "input/session.hpp"
#include "output/fclib_file.hpp"
#include "simulation/fclib_dump.hpp"
#include "solver/graded_solve.hpp"
#include "solver/registry.hpp"

namespace solfec::input {
namespace {

py::object dump(const Arguments& a) {
  Simulation& simulation = simulation_of(a["solfec"]);
  const std::string path = a["path"].path();
  FclibContent content;
  if (a["form"].given())
    content.form =
        a["form"].choice<FclibForm>({{"LOCAL", FclibForm::local}, {"GLOBAL", FclibForm::global}});
  if (a["guess"].given()) content.guess = a["guess"].flag();
  try {
    dump_fclib(simulation, path, content);
  } catch (const InputError& error) {
    a["solfec"].fail_value_saying(error.what());
  }
  return py::none();
}

// A solver of its own with the settings of the given one, so that what the script's object tells of
// its last step stays.
std::unique_ptr<Solver> solver_of(const Value& value, const ErrorTarget& target) {
  if (const auto given = solver_in(value.object()))
    if (auto solver = given->with_target(target)) return solver;
  std::vector<std::string> commands;
  for (const SolverEntry& entry : solvers())
    if (entry.make) commands.emplace_back(entry.command);
  value.fail_type(fmt::format(
      "a {} or {} object", fmt::join(commands.begin(), commands.end() - 1, ", "), commands.back()));
}

py::object solve(const Arguments& a) {
  const std::string path = a["path"].path();
  ErrorTarget target{ErrorTarget::kUsualError, ErrorTarget::kUsualTime};
  if (a["tol"].given()) target.error = a["tol"].positive();
  if (a["time_limit"].given()) target.time_limit = a["time_limit"].positive();
  const bool is_cold = a["cold"].given() && a["cold"].flag();
  const auto solver = solver_of(a["solver"], target);
  const ContactProblem given = charged_to(
      a["path"], [&] { return read_fclib(path, is_cold ? FileGuess::ignore : FileGuess::take); });
  LocalSolution solution;
  const GradedSolve solved =
      solve_graded(local_dynamics_of(given), solution, *solver, target.error, given.guess);
  py::list reactions, multipliers;
  for (int row = 0; row < given.contacts(); row++) reactions.append(tuple3(solution.R[row]));
  for (int row = given.contacts(); row < given.rows(); row++)
    multipliers.append(solution.R[row].z());
  py::dict result;
  result["file"] = path;
  result["contacts"] = given.contacts();
  result["equalities"] = given.equalities();
  result["solver"] = solver->short_name();
  result["tol"] = target.error;
  result["seconds"] = solved.seconds;
  result["iterations"] = solved.iterations;
  result["status"] = name(solved.grade);
  result["error"] = solved.error;
  result["R"] = reactions;
  result["l"] = multipliers;
  if (!solver->path().empty()) result["path"] = stages_of(*solver);
  return result;
}

}  // namespace

void define_fclib(Commands& commands) {
  commands.add("FCLIB_DUMP", "solfec, path | form, guess",
               R"(Writes contacts and joints of the last step to a file of the FCLib layout (HDF5).

solfec  SOLFEC object
path    file path; a file that is there is replaced
form    'LOCAL' (default): W between all constraints; 'GLOBAL': how constraints act on bodies, of which W is made
guess   'ON': the reactions of the step too, for solvers to begin with; 'OFF' (default)

The file has W, q and mu of U = W R + q, with U in m/s and R in N. Restitution, cohesion and gaps are part of q; a
cohesive force is part of the R that solves it. Joints are equality rows after the contacts: three of a fixed point (N,
T1, T2), one of a fixed direction, a prescribed motion and a link (PUT_RIGID_LINK) in it. The global form is smaller for
rigid bodies, and larger for finite elements with few contacts. Its velocities v are those of the bodies on which
constraints act, scaled such that M = I / h, with the time step h; f is zero. Rows and bodies stand in the same order on
any number of ranks. With joint_correction a target is the velocity with which the joint was closed in the step: it is
as exact as the solver.

ValueError for what the form cannot express: springs (PUT_SPRING), links without joint_correction, and contacts of model
SPRING_DASHPOT (all those of PENALTY_SOLVER). The same before the first step, and in 'READ' mode: results do not hold
the local dynamics.)",
               dump);
  commands.add("FCLIB_SOLVE", "path, solver | tol, time_limit, cold",
               R"(Solves a problem file of the FCLib layout; the program solfec-solve does the same.

path        file path
solver      GAUSS_SEIDEL_SOLVER, NEWTON_SOLVER, AUTO_SOLVER, NONSMOOTH_SOLVER or CONVEX_SOLVER object; tol replaces
            epsilon (of the first), meritval and failure; diagepsilon is 1E-14, and locdyn is ignored; all other
            settings apply; the solver object is left unchanged
tol         error to be reached, > 0 (default: 1E-4), that of the natural map: with K the cones of friction, n the
            normals and |.| the norm over all rows, |R - P_K (R - U - mu |U_T| n)| / |q|; of CONVEX_SOLVER that of
            the convex law, without mu |U_T| n; of an equality row it is the velocity by which it misses
time_limit  bound of the time in the solver, > 0 (default: 60) [s]
cold        'ON': it begins with zero reactions; 'OFF' (default): with the first guess of the file, if there is one

Returns a dictionary:

file, contacts, equalities (number of equality rows), solver ('GS', 'PQN', 'AUTO', the name of a method of
NONSMOOTH_SOLVER, or 'CCP-' with that of a method of CONVEX_SOLVER), tol
seconds     time in the solver, the median over solves that take 0.1 s together
iterations  sweeps of the first, iterations of the second, both of the third, iterations of the last
status      'OK': the error is at most tol; 'TIME': the time limit was reached; 'DIVERGED': neither
error       the error reached
R           reactions (T1, T2, N) of all contacts; components of the file are in the order (N, T1, T2)
l           reactions of all equality rows
path        of AUTO_SOLVER, what was done: tuples (method, iterations, error at their end)

A file that cannot be read raises ValueError. On several ranks each rank solves it.)",
               solve);
}

}  // namespace solfec::input
