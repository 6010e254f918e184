#include "output/fclib_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "output/fclib_reader.hpp"
#include "output/fclib_writer.hpp"

namespace solfec {
namespace {

// Place in (T1, T2, N) of FCLib's components (N, T1, T2): a cyclic permutation, so that a
// right-handed base stays one.
constexpr int kOurs[3] = {2, 0, 1};
constexpr int kNormal = 2;

constexpr const char* kSizeOfQ = "the size of vectors/q";
constexpr const char* kOfContacts = "3 x that of vectors/mu";

// Component `k` of the contacts of a file among ours of all rows, and that of an equality row.
int contact_component(int k) { return 3 * (k / 3) + kOurs[k % 3]; }
int equality_component(int contacts, int k) { return 3 * (contacts + k) + kNormal; }

// Free velocities, friction and texts; names are those of the vectors over contacts and over
// equality rows.
ContactProblem problem_of_vectors(const FclibReader& in, const char* free, const char* target,
                                  bool has_equalities) {
  if (const std::int64_t dimension = in.integer("spacedim"); dimension != 3)
    in.fail(fmt::format("spacedim must be 3; it is {}", dimension));
  ContactProblem problem;
  problem.friction = in.reals("vectors/mu");
  const std::size_t contacts = problem.friction.size();
  const std::vector<double> q = in.reals(free, 3 * contacts, kOfContacts);
  for (double mu : problem.friction)
    if (mu < 0) in.fail(fmt::format("'vectors/mu' must be >= 0; there is {:g}", mu));
  const std::vector<double> s = has_equalities ? in.reals(target) : std::vector<double>();
  problem.q.assign(contacts + s.size(), Vec3::Zero());
  for (std::size_t k = 0; k < q.size(); k++) problem.q[k / 3][kOurs[k % 3]] = q[k];
  for (std::size_t k = 0; k < s.size(); k++) problem.q[contacts + k][kNormal] = s[k];
  problem.title = in.text("info/title");
  problem.description = in.text("info/description");
  problem.math_info = in.text("info/math_info");
  return problem;
}

// Of entries between components of rows.
BlockRows blocks_of(int rows, const std::vector<MatrixEntry>& entries) {
  std::vector<std::vector<int>> columns(rows);
  for (int row = 0; row < rows; row++) columns[row].push_back(row);
  for (const MatrixEntry& e : entries)
    if (columns[e.row / 3].back() != e.column / 3) columns[e.row / 3].push_back(e.column / 3);
  BlockRows W;
  W.begin.push_back(0);
  for (std::vector<int>& list : columns) {
    std::ranges::sort(list);
    list.erase(std::ranges::unique(list).begin(), list.end());
    W.column.insert(W.column.end(), list.begin(), list.end());
    W.begin.push_back(W.column.size());
  }
  W.value.assign(W.column.size(), Mat3::Zero());
  for (const MatrixEntry& e : entries) {
    const std::vector<int>& list = columns[e.row / 3];
    const auto place = std::ranges::lower_bound(list, e.column / 3) - list.begin();
    W.value[W.begin[e.row / 3] + static_cast<std::size_t>(place)](e.row % 3, e.column % 3) +=
        e.value;
  }
  return W;
}

ContactProblem local_problem(const FclibReader& in) {
  const bool has_equalities = in.has("V") || in.has("R") || in.has("vectors/s");
  ContactProblem problem = problem_of_vectors(in, "vectors/q", "vectors/s", has_equalities);
  const int contacts = problem.contacts();
  const FclibReader::Extent m = {static_cast<std::size_t>(3 * contacts), kSizeOfQ};
  const FclibReader::Extent p = {static_cast<std::size_t>(problem.equalities()),
                                 "the size of vectors/s"};
  const auto equality = [&](int k) { return equality_component(contacts, k); };
  std::vector<MatrixEntry> all;
  for (const MatrixEntry& e : in.matrix("W", m, m))
    all.push_back({contact_component(e.row), contact_component(e.column), e.value});
  if (p.size > 0 || in.has("V"))
    for (const MatrixEntry& e : in.matrix("V", m, p)) {
      all.push_back({contact_component(e.row), equality(e.column), e.value});
      all.push_back({equality(e.column), contact_component(e.row), e.value});
    }
  std::vector<double> diagonal(p.size);
  if (p.size > 0 || in.has("R"))
    for (const MatrixEntry& e : in.matrix("R", p, p)) {
      all.push_back({equality(e.row), equality(e.column), e.value});
      if (e.row == e.column) diagonal[e.row] += e.value;
    }
  for (double w : diagonal)
    if (!(w > 0)) in.fail(fmt::format("the diagonal of 'R' must be > 0; there is {:g}", w));
  problem.W = blocks_of(problem.rows(), all);
  return problem;
}

// Whether the normal row of any end of a row has a number.
bool moves_something(const std::array<BodyRows::End, 2>& ends) {
  return std::ranges::any_of(ends, [](const BodyRows::End& end) {
    const std::size_t size = end.G.size() / 3;
    return std::any_of(end.G.end() - static_cast<std::ptrdiff_t>(size), end.G.end(),
                       [](double x) { return x != 0; });
  });
}

ContactProblem global_problem(const FclibReader& in) {
  const bool has_equalities = in.has("G") || in.has("vectors/b");
  ContactProblem problem = problem_of_vectors(in, "vectors/w", "vectors/b", has_equalities);
  const int contacts = problem.contacts();
  GlobalProblem global;
  global.f = in.reals("vectors/f");
  global.velocities = static_cast<int>(global.f.size());
  global.rows = problem.rows();
  const FclibReader::Extent n = {global.f.size(), "the size of vectors/f"};
  const FclibReader::Extent m = {static_cast<std::size_t>(3 * contacts), "the size of vectors/w"};
  const FclibReader::Extent p = {static_cast<std::size_t>(problem.equalities()),
                                 "the size of vectors/b"};
  global.M = in.matrix("M", n, n);
  global.H = in.matrix("H", n, m);
  for (MatrixEntry& e : global.H) e.column = contact_component(e.column);
  if (p.size > 0 || in.has("G"))
    for (const MatrixEntry& e : in.matrix("G", n, p))
      global.H.push_back({e.row, equality_component(contacts, e.column), e.value});
  try {
    problem.bodies = bodies_of(global, problem.q);
  } catch (const RunError& error) {
    in.fail(error.what());
  }
  for (int row = contacts; row < problem.rows(); row++)
    if (!moves_something(problem.bodies->rows[row]))
      in.fail(fmt::format("column {} of 'G' must not be zero", row - contacts));
  return problem;
}

std::vector<Vec3> guess_of(const FclibReader& in, const ContactProblem& problem) {
  if (!in.has("guesses")) return {};
  const std::int64_t count = in.integer("guesses/number_of_guesses");
  if (count < 0) in.fail(fmt::format("'guesses/number_of_guesses' must be >= 0; it is {}", count));
  if (count == 0) return {};
  const auto contacts = static_cast<std::size_t>(problem.contacts());
  const auto equalities = static_cast<std::size_t>(problem.equalities());
  const std::vector<double> r = in.reals("guesses/1/r", 3 * contacts, kOfContacts);
  std::vector<double> l;
  if (equalities > 0) l = in.reals("guesses/1/l", equalities, "the number of equality rows");
  std::vector<Vec3> R(problem.q.size(), Vec3::Zero());
  for (std::size_t k = 0; k < r.size(); k++) R[k / 3][kOurs[k % 3]] = r[k];
  for (std::size_t k = 0; k < l.size(); k++) R[contacts + k][kNormal] = l[k];
  return R;
}

// Vectors over rows in the order of FCLib.
std::vector<double> of_contacts(const ContactProblem& problem, const std::vector<Vec3>& x) {
  std::vector<double> result;
  for (int row = 0; row < problem.contacts(); row++)
    for (int component : kOurs) result.push_back(x[row][component]);
  return result;
}

std::vector<double> of_equalities(const ContactProblem& problem, const std::vector<Vec3>& x) {
  std::vector<double> result;
  for (int row = problem.contacts(); row < problem.rows(); row++) result.push_back(x[row][kNormal]);
  return result;
}

// The components that FCLib has of a row, as ours.
std::span<const int> components_of(const ContactProblem& problem, int row) {
  return row < problem.contacts() ? std::span(kOurs) : std::span(&kNormal, 1);
}

// W, V or R: blocks of some rows and columns, from the first one on.
CompressedMatrix matrix_of_blocks(const ContactProblem& problem, bool contact_rows,
                                  bool contact_columns) {
  const int contacts = problem.contacts(), equalities = problem.equalities();
  CompressedMatrix matrix(CompressedMatrix::By::rows, contact_rows ? 3 * contacts : equalities,
                          contact_columns ? 3 * contacts : equalities);
  const BlockRows& W = problem.W;
  for (int row = contact_rows ? 0 : contacts; row < (contact_rows ? contacts : problem.rows());
       row++)
    for (int i : components_of(problem, row)) {
      for (std::size_t k = W.begin[row]; k < W.begin[row + 1]; k++) {
        const int column = W.column[k];
        if ((column < contacts) != contact_columns) continue;
        int place = contact_columns ? 3 * column : column - contacts;
        for (int j : components_of(problem, column)) matrix.add(place++, W.value[k](i, j));
      }
      matrix.end_line();
    }
  return matrix;
}

void write_local(const ContactProblem& problem, FclibWriter& file) {
  file.write("fclib_local/W", matrix_of_blocks(problem, true, true));
  file.write("fclib_local/vectors/q", of_contacts(problem, problem.q));
  if (problem.equalities() == 0) return;
  file.write("fclib_local/V", matrix_of_blocks(problem, true, false));
  file.write("fclib_local/R", matrix_of_blocks(problem, false, false));
  file.write("fclib_local/vectors/s", of_equalities(problem, problem.q));
}

std::vector<int> first_velocities(const BodyRows& bodies) {
  std::vector<int> first(bodies.sizes.size() + 1, 0);
  std::partial_sum(bodies.sizes.begin(), bodies.sizes.end(), first.begin() + 1);
  return first;
}

CompressedMatrix mass_matrix(const BodyRows& bodies) {
  const std::vector<int> first = first_velocities(bodies);
  CompressedMatrix M(CompressedMatrix::By::rows, first.back(), first.back());
  for (std::size_t body = 0; body < bodies.sizes.size(); body++)
    for (int row = first[body]; row < first[body + 1]; row++) {
      for (int column = first[body]; column < first[body + 1]; column++)
        M.add(column, row == column ? bodies.mass : 0);
      M.end_line();
    }
  return M;
}

// H or G.
CompressedMatrix matrix_of_ends(const ContactProblem& problem, bool contacts) {
  const BodyRows& bodies = *problem.bodies;
  const std::vector<int> first = first_velocities(bodies);
  CompressedMatrix matrix(CompressedMatrix::By::columns, first.back(),
                          contacts ? 3 * problem.contacts() : problem.equalities());
  const int begin = contacts ? 0 : problem.contacts();
  const int end = contacts ? problem.contacts() : problem.rows();
  for (int row = begin; row < end; row++) {
    const auto& ends = bodies.rows[row];
    const int lower = ends[1].body >= 0 && ends[1].body < ends[0].body ? 1 : 0;
    for (int component : components_of(problem, row)) {
      for (const BodyRows::End* e : {&ends[lower], &ends[1 - lower]}) {
        if (e->body < 0) continue;
        const int size = bodies.sizes[e->body];
        for (int k = 0; k < size; k++)
          matrix.add(first[e->body] + k, e->G[static_cast<std::size_t>(component * size + k)]);
      }
      matrix.end_line();
    }
  }
  return matrix;
}

void write_global(const ContactProblem& problem, FclibWriter& file) {
  const CompressedMatrix M = mass_matrix(*problem.bodies);
  file.write("fclib_global/M", M);
  file.write("fclib_global/H", matrix_of_ends(problem, true));
  file.write(
      "fclib_global/vectors/f",
      std::vector<double>(static_cast<std::size_t>(first_velocities(*problem.bodies).back())));
  file.write("fclib_global/vectors/w", of_contacts(problem, problem.q));
  if (problem.equalities() == 0) return;
  file.write("fclib_global/G", matrix_of_ends(problem, false));
  file.write("fclib_global/vectors/b", of_equalities(problem, problem.q));
}

// v = M^-1 (H r + G l)
std::vector<double> velocities_of(const BodyRows& bodies, const std::vector<Vec3>& R) {
  const std::vector<int> first = first_velocities(bodies);
  std::vector<double> v(static_cast<std::size_t>(first.back()));
  for (std::size_t row = 0; row < bodies.rows.size(); row++)
    for (const BodyRows::End& end : bodies.rows[row])
      for (std::size_t k = 0; k < end.G.size(); k++) {
        const std::size_t size = end.G.size() / 3;
        v[static_cast<std::size_t>(first[end.body]) + k % size] +=
            end.G[k] * R[row][static_cast<int>(k / size)] / bodies.mass;
      }
  return v;
}

void write_guess(const ContactProblem& problem, FclibWriter& file) {
  const LocalDynamics p = local_dynamics_of(problem);
  LocalSolution s;
  s.R = problem.guess;
  s.start(p);
  update_velocities(p, s);
  for (const char* group : {"guesses", "guesses/1"}) file.group(group);
  file.write("guesses/number_of_guesses", 1);
  if (problem.bodies)
    if (const auto v = velocities_of(*problem.bodies, s.R); !v.empty())
      file.write("guesses/1/v", v);
  file.write("guesses/1/u", of_contacts(problem, s.U));
  file.write("guesses/1/r", of_contacts(problem, s.R));
  if (problem.equalities() > 0) file.write("guesses/1/l", of_equalities(problem, s.R));
}

}  // namespace

ContactProblem read_fclib(const std::string& path, FileGuess guess) {
  const Hdf5Reader file = FclibReader::open(path);
  const bool is_local = file.has("fclib_local");
  if (!is_local && !file.has("fclib_global"))
    file.fail("it has no group 'fclib_local' or 'fclib_global'");
  ContactProblem problem =
      is_local ? local_problem({file, "fclib_local"}) : global_problem({file, "fclib_global"});
  if (guess == FileGuess::take) problem.guess = guess_of(file, problem);
  return problem;
}

void write_fclib(const ContactProblem& problem, const std::string& path) {
  const std::string group = problem.bodies ? "fclib_global" : "fclib_local";
  FclibWriter file(path);
  for (const char* part : {"", "/vectors", "/info"}) file.group(group + part);
  file.write(group + "/spacedim", 3);
  if (problem.bodies)
    write_global(problem, file);
  else
    write_local(problem, file);
  file.write(group + "/vectors/mu", problem.friction);
  file.write(group + "/info/title", problem.title);
  file.write(group + "/info/description", problem.description);
  file.write(group + "/info/math_info", problem.math_info);
  if (!problem.guess.empty()) write_guess(problem, file);
  file.publish();
}

}  // namespace solfec
