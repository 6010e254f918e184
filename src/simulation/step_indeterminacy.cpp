#include "simulation/step_indeterminacy.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "domain/supports.hpp"
#include "local_dynamics/reaction_components.hpp"
#include "parallel/collective_errors.hpp"
#include "parallel/row_exchange.hpp"
#include "simulation/simulation.hpp"
#include "synchronisation/sync_point.hpp"

namespace solfec {
namespace {

// Of the largest reaction: a normal reaction of less is none.
constexpr double kLeast = 1e-12;

// Components of a reaction, G^T E of both ends column by column.
struct SentComponents {
  ContactKey key;
  int rank = 0, row = 0, count = 0;
  std::array<BodyId, 2> bodies;
  std::array<std::vector<double>, 2> columns;  // empty: the end does not move
};

// Redundancies of the components of a reaction, on their way back.
struct SentRedundancy {
  int rank = 0, row = 0, cluster = Indeterminacy::kNoCluster;
  std::vector<double> redundancy;
};

template <class Archive>
void visit_fields(Archive& archive, SentComponents& c) {
  archive(c.key, c.rank, c.row, c.count, c.bodies, c.columns);
}
template <class Archive>
void visit_fields(Archive& archive, SentRedundancy& f) {
  archive(f.rank, f.row, f.cluster, f.redundancy);
}

// Whether the local dynamics are those of the constraints.
bool is_of_last_step(const Domain& d) {
  bool same = rows_are_known(d);
  if (same) {
    const std::vector<const Constraint*> constraints = row_constraints(d);
    for (int row = 0; same && row < d.local_dynamics.rows(); row++)
      same = !constraints[row]->is_contact() || constraints[row]->R == d.local_solution.R[row];
  }
  return !d.communicator.any(!same);
}

std::vector<ReactionComponents> components_of(const Domain& d) {
  const LocalDynamics& p = d.local_dynamics;
  const std::vector<Vec3>& R = d.local_solution.R;
  double largest = 0;
  for (int row = 0; row < p.rows(); row++) largest = std::max(largest, R[row].norm());
  const double least = kLeast * d.communicator.max(largest);
  std::vector<ReactionComponents> components;
  for (int row = 0; row < p.rows(); row++)
    components.push_back(reaction_components(p.law[row], R[row], least));
  return components;
}

SentComponents sent_components(const Domain& d, int row, const ContactKey& key,
                               const ReactionComponents& components) {
  using Block = Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>>;
  const Delassus& W = d.local_dynamics.W;
  SentComponents sent{key, d.communicator.rank(), row, components.count, {key.body1, key.body2},
                      {}};
  for (int side : {0, 1}) {
    const RowBlock& end = W.end(row, side);
    if (end.size == 0) continue;
    const Eigen::MatrixXd columns = Block(W.end_block(end), 3, end.size).transpose() *
                                    components.directions.leftCols(components.count);
    sent.columns[side].assign(columns.data(), columns.data() + columns.size());
  }
  return sent;
}

// Bodies are numbered in the order of their identifiers.
Indeterminacy indeterminacy_of(std::vector<SentComponents>& rows) {
  std::vector<BodyId> moving;
  for (const SentComponents& row : rows)
    for (int side : {0, 1})
      if (!row.columns[side].empty()) moving.push_back(row.bodies[side]);
  std::ranges::sort(moving);
  moving.erase(std::unique(moving.begin(), moving.end()), moving.end());
  std::vector<EquilibriumColumns> constraints;
  for (SentComponents& row : rows) {
    EquilibriumColumns& c = constraints.emplace_back();
    c.count = row.count;
    for (int side : {0, 1}) {
      const auto numbers = std::exchange(row.columns[side], {});
      if (numbers.empty()) continue;
      const auto body = std::ranges::lower_bound(moving, row.bodies[side]);
      c.ends[side].body = static_cast<int>(body - moving.begin());
      c.ends[side].columns = Eigen::Map<const Eigen::MatrixXd>(
          numbers.data(), static_cast<Eigen::Index>(numbers.size()) / row.count, row.count);
    }
  }
  return indeterminacy(std::move(constraints), static_cast<int>(moving.size()));
}

StepIndeterminacy find_and_note(Domain& d) {
  const Communicator& communicator = d.communicator;
  const std::vector<ReactionComponents> components = components_of(d);
  const std::vector<const Constraint*> constraints = row_constraints(d);
  std::vector<SentComponents> sent;
  for (int row = 0; row < d.local_dynamics.rows(); row++)
    if (components[row].count > 0)
      sent.push_back(sent_components(d, row, constraints[row]->key, components[row]));
  sent = send_rows(communicator, std::move(sent), [](const SentComponents&) { return 0; });
  std::ranges::sort(sent, {}, &SentComponents::key);

  Indeterminacy found;
  collectively(communicator, [&] {
    if (communicator.rank() == 0) found = indeterminacy_of(sent);
  });
  std::vector<SentRedundancy> answers;
  for (std::size_t k = 0; k < found.cluster.size(); k++)
    answers.push_back(
        {sent[k].rank, sent[k].row, found.cluster[k], std::move(found.redundancy[k])});
  answers =
      send_rows(communicator, std::move(answers), [](const SentRedundancy& f) { return f.rank; });

  StepIndeterminacy result;
  ArchiveWriter writer;
  writer(found.clusters);
  const Bytes heard = communicator.broadcast(writer.take(), 0);
  ArchiveReader reader(heard);
  reader(result.clusters);
  result.constraints.resize(static_cast<std::size_t>(d.constraints.count()));
  for (const SentRedundancy& f : answers)
    result.constraints[constraints[f.row] - d.constraints.all().data()] = {
        reaction_determinacy(components[f.row].directions, f.redundancy), f.cluster};
  for (const Constraint* c : constraints) {
    const auto place = c - d.constraints.all().data();
    d.constraints.all()[place].determinacy = result.constraints[place].reaction.both();
  }
  return result;
}

}  // namespace

StepIndeterminacy step_indeterminacy(Simulation& s) {
  SyncRequest request;
  request.point = SyncPoint::indeterminacy;
  synchronise_alike(s.communicator, request, *s.script.command_log);
  if (s.mode == Mode::read)
    throw value_error(
        "results do not hold the local dynamics: in 'READ' mode there are none; OUTPUT (solfec, "
        "interval, determinacy = 'ON') of the run writes which reactions are determined");
  if (s.clock.steps == 0) throw value_error("no step has been made yet");
  if (!is_of_last_step(s.domain))
    throw value_error("bodies or constraints were made or deleted since the last step");
  return find_and_note(s.domain);
}

void note_determinacy(Simulation& s) {
  if (is_of_last_step(s.domain)) find_and_note(s.domain);
}

}  // namespace solfec
