#include "solver/sweep_stages.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace solfec {
namespace {

std::vector<int> adjacent_ranks(const Halo& halo) {
  std::vector<int> ranks;
  for (const Halo::Neighbour& neighbour : halo.neighbours) ranks.push_back(neighbour.rank);
  return ranks;
}

}  // namespace

bool SweepStages::has_new_neighbours(const Halo& halo) const {
  return adjacent_ranks(halo) != adjacent_;
}

void SweepStages::colour(const Halo& halo, Channel& channel, int rank) {
  adjacent_ = adjacent_ranks(halo);
  colours_ = colour_ranks(halo, channel, rank);
}

void SweepStages::plan(const LocalDynamics& p, bool several, GaussSeidelVariant variant,
                       bool backwards) {
  if (!several) {
    plan_all_rows(p.rows());
    return;
  }
  stages_[0] = make_stages(p.halo, colours_, p.rows(), variant, false);
  stages_[1].clear();
  if (backwards) stages_[1] = make_stages(p.halo, colours_, p.rows(), variant, true);
}

void SweepStages::prepare(const LocalDynamics& p, Channel& channel,
                          const Communicator& communicator, bool backwards) {
  if (communicator.any(has_new_neighbours(p.halo))) colour(p.halo, channel, communicator.rank());
  plan(p, communicator.size() > 1, GaussSeidelVariant::full, backwards);
}

// The stages of one rank, without asking for memory in every step.
void SweepStages::plan_all_rows(int rows) {
  for (std::vector<Stage>& stages : stages_) {
    stages.resize(1);
    stages[0].set = RowSet::inner;
    stages[0].receive.clear();
    stages[0].send.clear();
    stages[0].rows.resize(rows);
    std::iota(stages[0].rows.begin(), stages[0].rows.end(), 0);
  }
  std::ranges::reverse(stages_[1][0].rows);
}

}  // namespace solfec
