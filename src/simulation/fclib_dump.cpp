#include "simulation/fclib_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "local_dynamics/natural_map.hpp"
#include "output/fclib_file.hpp"
#include "parallel/row_exchange.hpp"
#include "simulation/simulation.hpp"
#include "synchronisation/sync_point.hpp"

namespace solfec {
namespace {

// What a row does to a body.
struct SentEnd {
  BodyId body;
  std::vector<double> G;
};

struct SentRow {
  ContactKey key;
  LawKind law = LawKind::signorini_coulomb;
  Vec3 q = Vec3::Zero(), R = Vec3::Zero();
  double friction = 0;
  // Of the local form:
  std::vector<ContactKey> columns;
  std::vector<Mat3> blocks;
  // Of the global one:
  std::vector<SentEnd> ends;
};

template <class Archive>
void visit_fields(Archive& archive, SentEnd& e) {
  archive(e.body, e.G);
}

template <class Archive>
void visit_fields(Archive& archive, SentRow& r) {
  archive(r.key, r.law, r.q, r.R, r.friction, r.columns, r.blocks, r.ends);
}

// A row of the file: a contact, or a component of a joint.
struct FileRow {
  static constexpr int kContact = -1;

  int sent;
  int component = kContact;

  Vec3 of(const Vec3& x) const { return component == kContact ? x : Vec3(0, 0, x[component]); }
};

// What W, q, mu and equality rows cannot say.
void demand_plain_rows(const Domain& d) {
  const auto count = [&](LawKind kind) {
    const auto here = std::ranges::count(d.local_dynamics.law, kind, &RowLaw::kind);
    return d.communicator.sum(static_cast<double>(here));
  };
  if (const double dashpots = count(LawKind::spring_dashpot); dashpots > 0)
    throw value_error(
        fmt::format("the contacts of an FCLib file are Signorini-Coulomb ones; in the last step "
                    "{:.0f} contacts were spring-dashpots",
                    dashpots));
  const double links = count(LawKind::rigid_link), springs = count(LawKind::spring);
  if (links + springs > 0)
    throw value_error(
        fmt::format("the joints of an FCLib file are fixed points and fixed directions; in the "
                    "last step {:.0f} constraints were rigid links by velocities (joint_correction "
                    "is 'OFF', or no step meets them by lengths), and {:.0f} were springs",
                    links, springs));
}

std::vector<SentEnd> ends_of(const Domain& d, int row) {
  const Delassus& W = d.local_dynamics.W;
  std::vector<SentEnd> ends;
  for (int side : {0, 1}) {
    const RowBlock& end = W.end(row, side);
    if (end.size == 0) continue;
    const double* G = W.end_block(end);
    ends.push_back({d.bodies.id(end.group), {G, G + 3 * end.size}});
  }
  return ends;
}

// All rows on the first rank, in the order of their keys.
std::vector<SentRow> gather_rows(const Domain& d, FclibForm form) {
  const LocalDynamics& p = d.local_dynamics;
  const std::vector<ContactKey> keys = row_keys(d);
  const std::vector<Vec3> q = natural_free_velocity(p, d.communicator);
  std::vector<SentRow> rows;
  for (int row = 0; row < p.rows(); row++) {
    const RowLaw& law = p.law[row];
    const Vec3 R = shifted_reaction(law, d.local_solution.R[row]);
    SentRow sent{keys[row], law.kind, q[row], R, law.friction, {}, {}, {}};
    if (form == FclibForm::global) {
      sent.ends = ends_of(d, row);
    } else {
      for (int column : p.W.neighbours(row)) {
        sent.columns.push_back(keys[column]);
        sent.blocks.push_back(p.W.block(row, column));
      }
    }
    rows.push_back(std::move(sent));
  }
  rows = send_rows(d.communicator, std::move(rows), [](const SentRow&) { return 0; });
  std::ranges::sort(rows, {}, &SentRow::key);
  return rows;
}

// Contacts, then joints; of a fixed point the components in the order of FCLib.
std::vector<FileRow> file_rows(const std::vector<SentRow>& sent) {
  std::vector<FileRow> contacts, equalities;
  for (int k = 0; k < static_cast<int>(sent.size()); k++) {
    if (sent[k].law == LawKind::fixed_point)
      for (int component : {2, 0, 1}) equalities.push_back({k, component});
    else if (sent[k].law == LawKind::fixed_direction)
      equalities.push_back({k, 2});
    else
      contacts.push_back({k});
  }
  contacts.insert(contacts.end(), equalities.begin(), equalities.end());
  return contacts;
}

// The part of a block between two rows that rows of the file take.
Mat3 part_of(const Mat3& W, const FileRow& row, const FileRow& column) {
  Mat3 rows = W, result;
  for (int k = 0; k < 3; k++) rows.col(k) = row.of(W.col(k));
  for (int k = 0; k < 3; k++) result.row(k) = column.of(rows.row(k).transpose()).transpose();
  return result;
}

BlockRows blocks_of_rows(const std::vector<SentRow>& sent, const std::vector<FileRow>& rows) {
  std::vector<std::vector<int>> places(sent.size());  // in the file
  for (int row = 0; row < static_cast<int>(rows.size()); row++)
    places[rows[row].sent].push_back(row);
  BlockRows W;
  W.begin.push_back(0);
  for (const FileRow& row : rows) {
    const SentRow& from = sent[row.sent];
    std::vector<std::pair<int, Mat3>> blocks;
    for (std::size_t k = 0; k < from.columns.size(); k++) {
      const auto found = std::ranges::lower_bound(sent, from.columns[k], {}, &SentRow::key);
      DEMAND(found != sent.end() && found->key == from.columns[k]);
      for (int column : places[found - sent.begin()])
        blocks.emplace_back(column, part_of(from.blocks[k], row, rows[column]));
    }
    std::ranges::sort(blocks, {}, [](const auto& block) { return block.first; });
    for (const auto& [column, block] : blocks) {
      W.column.push_back(column);
      W.value.push_back(block);
    }
    W.begin.push_back(W.column.size());
  }
  return W;
}

BodyRows bodies_of_rows(const std::vector<SentRow>& sent, const std::vector<FileRow>& rows,
                        double step) {
  std::vector<BodyId> ids;
  for (const SentRow& row : sent)
    for (const SentEnd& end : row.ends) ids.push_back(end.body);
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  BodyRows bodies;
  bodies.mass = 1 / step;
  bodies.sizes.resize(ids.size());
  for (const FileRow& row : rows) {
    auto& ends = bodies.rows.emplace_back();
    auto to = ends.begin();
    for (const SentEnd& from : sent[row.sent].ends) {
      const auto size = static_cast<int>(from.G.size() / 3);
      const auto body = static_cast<int>(std::ranges::lower_bound(ids, from.body) - ids.begin());
      bodies.sizes[body] = size;
      std::vector<double> G(from.G.size());
      for (int k = 0; k < size; k++) {
        const Vec3 column = row.of({from.G[k], from.G[size + k], from.G[2 * size + k]});
        for (int i : {0, 1, 2}) G[i * size + k] = column[i];
      }
      *to++ = {body, std::move(G)};
    }
  }
  return bodies;
}

ContactProblem problem_of(const std::vector<SentRow>& sent, const FclibContent& content,
                          double step) {
  const std::vector<FileRow> rows = file_rows(sent);
  ContactProblem problem;
  for (const FileRow& row : rows) {
    problem.q.push_back(row.of(sent[row.sent].q));
    if (row.component == FileRow::kContact) problem.friction.push_back(sent[row.sent].friction);
    if (content.guess) problem.guess.push_back(row.of(sent[row.sent].R));
  }
  if (content.form == FclibForm::global)
    problem.bodies = bodies_of_rows(sent, rows, step);
  else
    problem.W = blocks_of_rows(sent, rows);
  return problem;
}

void add_texts(const Simulation& s, FclibForm form, ContactProblem& problem) {
  problem.title = fmt::format(
      "{}, step {}", std::filesystem::path(s.results.directory).filename().string(), s.clock.steps);
  problem.description =
      fmt::format("Contacts of Solfec at time {:.17g} s, step {:.17g} s; R in N, U in m/s.",
                  s.clock.time, s.domain.local_dynamics.step());
  constexpr const char* kFree =
      "holds restitution, cohesion, gaps, and velocities that come with curved surfaces and with "
      "vibrations; R holds the cohesive force. Equality rows are fixed points (N, T1, T2) and "
      "fixed directions, in m/s and N.";
  problem.math_info =
      form == FclibForm::local
          ? fmt::format("U = W R + q with W = h H inv(A) H^T; q {}", kFree)
          : fmt::format(
                "M v = H R, U = H^T v + w with M = I / h: velocities v of a body, whose "
                "matrix is A = L L^T, are L^T times its own; w {}",
                kFree);
}

// On the first rank; what went wrong.
std::string write_problem(const Simulation& s, const std::vector<SentRow>& rows,
                          const std::string& path, const FclibContent& content) {
  ContactProblem problem = problem_of(rows, content, s.domain.local_dynamics.step());
  add_texts(s, content.form, problem);
  try {
    write_fclib(problem, path);
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

void dump_fclib(Simulation& s, const std::string& path, const FclibContent& content) {
  SyncRequest request;
  request.point = SyncPoint::fclib_dump;
  request.settings = {{"the form of FCLIB_DUMP", content.form == FclibForm::global ? 1U : 0U},
                      {"the guess of FCLIB_DUMP", content.guess ? 1U : 0U}};
  synchronise_alike(s.communicator, request, *s.script.command_log);
  if (s.mode == Mode::read)
    throw value_error("results do not hold the local dynamics: in 'READ' mode there are none");
  if (s.clock.steps == 0) throw value_error("no step has been made yet");
  if (s.communicator.any(!rows_are_known(s.domain)))
    throw value_error("bodies or constraints were made or deleted since the last step");
  demand_plain_rows(s.domain);
  const std::vector<SentRow> rows = gather_rows(s.domain, content.form);
  std::string failure;
  if (s.communicator.rank() == 0) failure = write_problem(s, rows, path, content);
  ArchiveWriter told;
  told(failure);
  const Bytes heard = s.communicator.broadcast(told.take(), 0);
  ArchiveReader archive(heard);
  archive(failure);
  if (!failure.empty()) throw RunError(failure);
}

}  // namespace solfec
