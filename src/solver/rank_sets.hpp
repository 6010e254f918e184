// How the sweeps of several ranks fit together (manual, section 9.1).
//
// Ranks that share rows (neighbours) have different colours. In a sweep a row sees the new
// reactions of the rows that it shares with ranks of higher colour, and the old ones of those of
// lower colour, as if ranks worked one after the other by falling colour. They work at the same
// time: rows are taken in an order that waits as late as possible and has something to do while
// messages travel. One message goes from each rank to each neighbour per sweep, as soon as the last
// row for it is done.
#pragma once

#include <vector>

#include "local_dynamics/halo.hpp"
#include "parallel/communicator.hpp"

namespace solfec {

/// How sweeps of several ranks interact (manual, table 4.8); one rank knows one way only.
enum class GaussSeidelVariant { full, middle_jacobi, boundary_jacobi, simplified };

/// Colours count from 1.
struct RankColours {
  int own = 1;
  std::vector<int> neighbours;  ///< in the order of Halo::neighbours

  bool operator==(const RankColours&) const = default;
};

/// First-fit in the order of ranks (manual, algorithm 9.2): each rank waits for the colours of its
/// lower neighbours, takes the least one that is left, and tells all neighbours. Nobody gets to
/// know more than its neighbours. Collective among neighbours; the longest wait is the longest
/// chain of neighbours with rising ranks.
RankColours colour_ranks(const Halo& halo, Channel& channel, int rank);

/// Sets of rows by the colours of the other ranks that share them: none (inner), all lower (top),
/// all higher (bottom), some lower and some higher (middle).
enum class RowSet { inner, top, middle, bottom };

/// Set of each of the owned rows.
std::vector<RowSet> row_sets(const Halo& halo, const RankColours& colours, int rows);

/// A part of a sweep: wait for the rows of some neighbours, solve own rows in the order given, send
/// to the neighbours for which all is done. Neighbours are indices into Halo::neighbours.
struct Stage {
  RowSet set;
  std::vector<int> receive, rows, send;
};

/// The stages of a sweep, run by each rank one after the other. Every row is in it once, and every
/// neighbour is sent to and received from once. Backwards, rows go from the last to the first and
/// colours rise.
///   full             new reactions of all ranks of higher colour, old ones of lower colour
///   middle_jacobi    middle rows see the old reactions of all other ranks: no waits in a chain
///   boundary_jacobi, simplified   so do all rows
std::vector<Stage> make_stages(const Halo& halo, const RankColours& colours, int rows,
                               GaussSeidelVariant variant, bool backwards);

}  // namespace solfec
