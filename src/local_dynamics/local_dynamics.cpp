#include "local_dynamics/local_dynamics.hpp"

#include <fmt/os.h>

#include <limits>

#include "core/error.hpp"
#include "local_dynamics/joint_law.hpp"

namespace solfec {

void LocalDynamics::clear(double h, std::span<const int> group_sizes) {
  W.clear(h, group_sizes);
  for (auto* rows : {&B, &V}) rows->clear();
  law.clear();
  halo.neighbours.clear();
}

void LocalSolution::start(const LocalDynamics& problem) {
  R.resize(static_cast<std::size_t>(problem.W.all_rows()), Vec3::Zero());
  U = problem.B;
  merit.assign(problem.law.size(), 0.0);
  least_norm = true;  // as the last step left it
}

void select_rows(const LocalDynamics& from, const std::vector<bool>& chosen,
                 const Communicator& communicator, RowSelection& selection) {
  // Which external ones are chosen their owners know.
  std::vector<Vec3> flags(static_cast<std::size_t>(from.W.all_rows()), Vec3::Zero());
  for (int row = 0; row < from.rows(); row++) flags[row].x() = chosen[row] ? 1 : 0;
  Channel channel(communicator);
  refresh(from.halo, channel, flags);
  std::vector<bool> taken;
  std::vector<int> position;
  int count = 0;
  for (const Vec3& flag : flags) {
    taken.push_back(flag.x() > 0);
    position.push_back(count);
    count += taken.back();
  }
  LocalDynamics& p = selection.problem;
  p.W.take_rows(from.W, taken);
  p.W.choose(DelassusForm::assembled);
  selection.rows.clear();
  for (auto* rows : {&p.B, &p.V}) rows->clear();
  p.law.clear();
  for (int row = 0; row < from.rows(); row++) {
    if (!taken[row]) continue;
    selection.rows.push_back(row);
    p.B.push_back(from.B[row]);
    p.V.push_back(from.V[row]);
    p.law.push_back(from.law[row]);
  }
  p.halo.neighbours.clear();
  for (const Halo::Neighbour& neighbour : from.halo.neighbours) {
    Halo::Neighbour some{neighbour.rank, {}, {}};
    for (int row : neighbour.send)
      if (taken[row]) some.send.push_back(position[row]);
    for (int row : neighbour.receive)
      if (taken[row]) some.receive.push_back(position[row]);
    if (!some.send.empty() || !some.receive.empty()) p.halo.neighbours.push_back(std::move(some));
  }
}

void send_rows(const Halo::Neighbour& neighbour, Channel& channel, std::span<const Vec3> x) {
  std::vector<double> numbers;
  numbers.reserve(3 * neighbour.send.size());
  for (int row : neighbour.send) numbers.insert(numbers.end(), x[row].begin(), x[row].end());
  channel.send(neighbour.rank, numbers);
}

void receive_rows(const Halo::Neighbour& neighbour, Channel& channel, std::vector<Vec3>& values) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  values.resize(neighbour.receive.size());
  channel.receive(neighbour.rank, {reinterpret_cast<double*>(values.data()), 3 * values.size()});
}

void refresh(const Halo& halo, Channel& channel, std::span<Vec3> x) {
  for (const Halo::Neighbour& neighbour : halo.neighbours) send_rows(neighbour, channel, x);
  std::vector<Vec3> values;
  for (const Halo::Neighbour& neighbour : halo.neighbours) {
    receive_rows(neighbour, channel, values);
    for (std::size_t k = 0; k < values.size(); k++) x[neighbour.receive[k]] = values[k];
  }
  channel.finish();
}

void update_velocities(const LocalDynamics& p, LocalSolution& s) {
  s.U.resize(p.law.size());
  p.W.iterate(s.R, [&](auto& form) { velocities(p, form, s.U); });
}

Vec3 residual(const LocalDynamics& p, int row, const Vec3& U, const Vec3& R) {
  const RowLaw& law = p.law[row];
  const Mat3& W = p.W.diagonal(row);
  if (!law.is_contact()) return joint_residual(law, W, U, R);
  if (law.has_friction_cone()) return contact_residual(law, U, R, p.V[row], reaction_scale(W));
  return W * (R - spring_dashpot_reaction(law, p.step(), W, U - W * R, p.V[row].z(), R, false));
}

double merit_share(const LocalDynamics& p, int row, const Vec3& U, const Vec3& R) {
  return law_norm(p.law[row], p.W.diagonal(row), p.W.diagonal_inverse(row), residual(p, row, U, R));
}

double merit_scale_sum(const LocalDynamics& p) {
  return sum_at_once(p.rows(), [&](int row) {
    return law_scale(p.law[row], p.W.diagonal(row), p.W.diagonal_inverse(row), p.B[row]);
  });
}

double merit_scale(double sum) { return sum < std::numeric_limits<double>::epsilon() ? 1.0 : sum; }

double merit_scale(const LocalDynamics& p, const Communicator& communicator) {
  return merit_scale(communicator.sum(merit_scale_sum(p)));
}

double merit(const LocalDynamics& p, LocalSolution& s, const Communicator& communicator) {
  return merit(p, s, merit_scale(p, communicator), communicator);
}

double merit(const LocalDynamics& p, LocalSolution& s, double scale,
             const Communicator& communicator) {
  s.merit.resize(p.law.size());
  return communicator.sum(sum_at_once(p.rows(), [&](int row) {
    return s.merit[row] = merit_share(p, row, s.U[row], s.R[row]) / scale;
  }));
}

double average_reaction_scale(const LocalDynamics& p, const Communicator& communicator) {
  double sums[] = {0, static_cast<double>(p.rows())};
  for (int row = 0; row < p.rows(); row++) sums[0] += reaction_scale(p.W.diagonal(row));
  communicator.sum_all(sums);
  return sums[0] > 0 ? sums[0] / sums[1] : 1;
}

std::string dump_head(std::int64_t rows, double step) {
  return fmt::format("# local dynamics: {} rows, step {:.17g}\n", rows, step);
}

std::string dump_row(const LocalDynamics& p, const LocalSolution& s,
                     const std::vector<std::string>& names, int row) {
  DEMAND(static_cast<int>(names.size()) == p.W.all_rows());
  std::string text = fmt::format("row {}\n", names[row]);
  const auto vector = [&](const char* letter, const Vec3& v) {
    text += fmt::format("  {} {:.17g} {:.17g} {:.17g}\n", letter, v.x(), v.y(), v.z());
  };
  vector("B", p.B[row]);
  vector("V", p.V[row]);
  vector("U", s.U[row]);
  vector("R", s.R[row]);
  for (int column : p.W.neighbours(row)) {
    const Mat3 W = p.W.block(row, column);
    text += "  W " + names[column];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) text += fmt::format(" {:.17g}", W(i, j));
    text += "\n";
  }
  return text;
}

void dump(const LocalDynamics& p, const LocalSolution& s, const std::vector<std::string>& names,
          const std::string& path) {
  DEMAND(static_cast<int>(names.size()) == p.W.all_rows());
  auto file = fmt::output_file(path);
  file.print("{}", dump_head(p.rows(), p.step()));
  for (int row = 0; row < p.rows(); row++) file.print("{}", dump_row(p, s, names, row));
}

}  // namespace solfec
