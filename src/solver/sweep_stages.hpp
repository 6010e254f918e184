// The stages of sweeps over the rows of a problem (rank_sets.hpp), kept from solve to solve, and
// what passes between ranks in them.
#pragma once

#include "local_dynamics/local_dynamics.hpp"
#include "solver/rank_sets.hpp"

namespace solfec {

class SweepStages {
 public:
  /// Whether this rank has other neighbours than at the last `colour`.
  bool has_new_neighbours(const Halo& halo) const;
  /// Colours the ranks; asked for when one of them has new neighbours. Collective.
  void colour(const Halo& halo, Channel& channel, int rank);
  const RankColours& colours() const { return colours_; }

  /// Plans sweeps over all rows, of one rank or of several; backward ones too if they are wanted.
  void plan(const LocalDynamics& problem, bool several, GaussSeidelVariant variant, bool backwards);
  /// The two of them for sweeps of the variant FULL. Collective.
  void prepare(const LocalDynamics& problem, Channel& channel, const Communicator& communicator,
               bool backwards);
  std::vector<Stage>& of(bool backwards) { return stages_[backwards]; }
  const std::vector<Stage>& of(bool backwards) const { return stages_[backwards]; }

 private:
  void plan_all_rows(int rows);

  // Colours stay while no rank has got or lost a neighbour.
  std::vector<int> adjacent_;
  RankColours colours_;
  std::vector<Stage> stages_[2];  // forward, backward
};

/// Waits for the rows that a stage needs; their changes enter the iteration form and R.
template <class Form>
void receive_reactions(const Halo& halo, const Stage& stage, Channel& channel, std::vector<Vec3>& R,
                       Form& form) {
  std::vector<Vec3> values;
  for (int k : stage.receive) {
    const Halo::Neighbour& neighbour = halo.neighbours[k];
    receive_rows(neighbour, channel, values);
    for (std::size_t i = 0; i < values.size(); i++) {
      const int row = neighbour.receive[i];
      const Vec3 dR = values[i] - R[row];
      if (dR.isZero(0)) continue;
      R[row] = values[i];
      form.change(row, dR);
    }
  }
}

}  // namespace solfec
