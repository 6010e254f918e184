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

struct SentRow {
  ContactKey key;
  Vec3 q = Vec3::Zero();
  double friction = 0;
  std::vector<ContactKey> columns;
  std::vector<Mat3> blocks;
};

template <class Archive>
void visit_fields(Archive& archive, SentRow& r) {
  archive(r.key, r.q, r.friction, r.columns, r.blocks);
}

// What W, q and mu cannot say.
void demand_plain_contacts(const Domain& d) {
  double joints = 0, springs = 0;
  for (const RowLaw& law : d.local_dynamics.law) {
    joints += law.is_contact() ? 0 : 1;
    springs += law.kind == LawKind::spring_dashpot ? 1 : 0;
  }
  joints = d.communicator.sum(joints);
  springs = d.communicator.sum(springs);
  if (joints > 0)
    throw value_error(fmt::format(
        "an FCLib file holds contacts only; in the last step {:.0f} constraints were joints",
        joints));
  if (springs > 0)
    throw value_error(
        fmt::format("an FCLib file holds Signorini-Coulomb contacts only; in the last step {:.0f} "
                    "contacts were "
                    "spring-dashpots",
                    springs));
}

// All rows on the first rank, in the order of their keys.
std::vector<SentRow> gather_rows(const Domain& d) {
  const LocalDynamics& p = d.local_dynamics;
  const std::vector<ContactKey> keys = row_keys(d);
  const std::vector<Vec3> q = natural_free_velocity(p, d.communicator);
  std::vector<SentRow> rows;
  for (int row = 0; row < p.rows(); row++) {
    SentRow sent{keys[row], q[row], p.law[row].friction, {}, {}};
    for (int column : p.W.neighbours(row)) {
      sent.columns.push_back(keys[column]);
      sent.blocks.push_back(p.W.block(row, column));
    }
    rows.push_back(std::move(sent));
  }
  rows = send_rows(d.communicator, std::move(rows), [](const SentRow&) { return 0; });
  std::ranges::sort(rows, {}, &SentRow::key);
  return rows;
}

ContactProblem problem_of(const std::vector<SentRow>& rows) {
  ContactProblem problem;
  problem.W.begin.push_back(0);
  for (const SentRow& row : rows) {
    problem.q.push_back(row.q);
    problem.friction.push_back(row.friction);
    for (std::size_t k = 0; k < row.columns.size(); k++) {
      const auto place = std::ranges::lower_bound(rows, row.columns[k], {}, &SentRow::key);
      DEMAND(place != rows.end() && place->key == row.columns[k]);
      problem.W.column.push_back(static_cast<int>(place - rows.begin()));
      problem.W.value.push_back(row.blocks[k]);
    }
    problem.W.begin.push_back(problem.W.column.size());
  }
  return problem;
}

}  // namespace

void dump_fclib(Simulation& s, const std::string& path) {
  SyncRequest request;
  request.point = SyncPoint::fclib_dump;
  synchronise_alike(s.communicator, request, *s.script.command_log);
  if (s.mode == Mode::read)
    throw value_error("results do not hold the local dynamics: in 'READ' mode there are none");
  if (s.clock.steps == 0) throw value_error("no step has been made yet");
  if (s.communicator.any(!rows_are_known(s.domain)))
    throw value_error("bodies or constraints were made or deleted since the last step");
  demand_plain_contacts(s.domain);
  const std::vector<SentRow> rows = gather_rows(s.domain);
  std::string failure;
  if (s.communicator.rank() == 0) {
    ContactProblem problem = problem_of(rows);
    problem.title =
        fmt::format("{}, step {}", std::filesystem::path(s.results.directory).filename().string(),
                    s.clock.steps);
    problem.description =
        fmt::format("Contacts of Solfec at time {:.17g} s, step {:.17g} s; R in N, U in m/s.",
                    s.clock.time, s.domain.local_dynamics.step());
    problem.math_info =
        "U = W R + q with W = h H inv(A) H^T; q holds restitution, cohesion, gaps, and velocities "
        "that come with curved surfaces and with vibrations; R holds the cohesive force.";
    try {
      write_fclib(problem, path);
    } catch (const RunError& error) {
      failure = error.what();
    }
  }
  ArchiveWriter told;
  told(failure);
  const Bytes heard = s.communicator.broadcast(told.take(), 0);
  ArchiveReader archive(heard);
  archive(failure);
  if (!failure.empty()) throw RunError(failure);
}

}  // namespace solfec
