#include "solver/gauss_seidel.hpp"

#include <cmath>

namespace solfec {
namespace {

constexpr DiagonalSolver kDiagonalSolvers[] = {
    DiagonalSolver::semismooth_newton, DiagonalSolver::projected_gradient,
    DiagonalSolver::de_saxce_feng, DiagonalSolver::projected_newton};

DiagonalStatus worse(DiagonalStatus a, DiagonalStatus b) { return std::max(a, b); }

}  // namespace

const char* name(SolveStatus status) {
  switch (status) {
    case SolveStatus::ok:
      return "OK";
    case SolveStatus::diverged:
      return "DIVERGED";
    case SolveStatus::diagonal_diverged:
      return "DIAGONAL_DIVERGED";
    case SolveStatus::diagonal_failed:
      return "DIAGONAL_FAILED";
  }
  return "";
}

template <class Form>
GaussSeidel::Sweep GaussSeidel::sweep(LocalDynamics& p, Form& form, bool backwards) const {
  Sweep result;
  const int n = p.rows();
  for (int k = 0; k < n; k++) {
    const int row = backwards ? n - 1 - k : k;
    const ContactLaw& law = p.law[row];
    const Mat3& W = p.W.diagonal(row);
    const Vec3 R = p.R[row];
    const Vec3 U = p.B[row] + form.row_times(row);
    Vec3 free = U - W * R;  // what the rest of the system gives to this row
    Vec3 next;
    if (law.kind == LawKind::spring_dashpot) {
      next = spring_dashpot_reaction(law, p.step(), W, free, p.V[row].z(), R, false);
      const Vec3 C = W * (R - next);
      result.merit += C.dot(p.W.diagonal_inverse(row) * C);
    } else {
      const Vec3 C = contact_residual(law, U, R, p.V[row].z());
      result.merit += C.dot(p.W.diagonal_inverse(row) * C);
      free -= law.cohesion * W.col(2);
      free.z() += law.restitution * std::min(p.V[row].z(), 0.0);
      const DiagonalProblem local{W, p.W.diagonal_inverse(row), free, law.friction};
      Vec3 S = shifted_reaction(law, R);
      DiagonalStatus status =
          solve_diagonal(settings.diagonal_solver, local, settings.diagonal_epsilon,
                         settings.diagonal_max_iterations, S);
      if (status != DiagonalStatus::ok) {
        const DiagonalStatus first = status;
        for (DiagonalSolver other : kDiagonalSolvers) {
          if (status == DiagonalStatus::ok) break;
          S = shifted_reaction(law, R);
          status = solve_diagonal(other, local, settings.diagonal_epsilon,
                                  settings.diagonal_max_iterations, S);
        }
        if (status != DiagonalStatus::ok) {
          S = shifted_reaction(law, R);
          result.status = worse(result.status, first);
        }
      }
      next = clip_to_friction_cone(S, law.friction);
      next.z() -= law.cohesion;
    }
    const Vec3 dR = next - R;
    if (!dR.isZero(0)) {
      p.R[row] = next;
      form.change(row, dR);
      result.change += dR.squaredNorm();
    }
    result.size += next.squaredNorm();
  }
  return result;
}

template <class Form>
void GaussSeidel::iterate(LocalDynamics& p, Form& form, const Communicator& communicator) {
  const double scale = merit_scale(p, communicator);
  DiagonalStatus diagonal = DiagonalStatus::ok;
  bool converged = false;
  while (!converged && iterations < settings.max_iterations) {
    const Sweep result = sweep(p, form, settings.reverse && iterations % 2 == 1);
    iterations++;
    diagonal = worse(diagonal, result.status);
    const double size = communicator.sum(result.size);
    const double change = communicator.sum(result.change);
    double merit_value = communicator.sum(result.merit) / scale;
    error_history.push_back(size > 0 ? std::sqrt(change / size) : 0.0);
    converged = error_history.back() <= settings.epsilon;
    if (converged && settings.merit_value < 1) {
      // The exact merit costs a sweep: ask for it only when it may pass.
      converged = merit_value <= 10 * settings.merit_value;
      if (converged) {
        for (int row = 0; row < p.rows(); row++) p.U[row] = p.B[row] + form.row_times(row);
        merit_value = merit(p, communicator);
        converged = merit_value <= settings.merit_value;
      }
    }
    merit_history.push_back(merit_value);
  }
  if (converged)
    status = SolveStatus::ok;
  else if (diagonal == DiagonalStatus::failed)
    status = SolveStatus::diagonal_failed;
  else if (diagonal == DiagonalStatus::diverged)
    status = SolveStatus::diagonal_diverged;
  else
    status = SolveStatus::diverged;
}

SolveResult GaussSeidel::solve(LocalDynamics& p, const Communicator& communicator) {
  iterations = 0;
  error_history.clear();
  merit_history.clear();
  p.W.iterate(p.R, [&](auto& form) { iterate(p, form, communicator); });
  if (recording) iteration_record->push_back(iterations);
  update_velocities(p);
  return {status, iterations, merit(p, communicator)};
}

}  // namespace solfec
