// Rows that change ranks.
#pragma once

#include <vector>

#include "parallel/outbox.hpp"

namespace solfec {

/// For send_rows: a row for all ranks.
inline constexpr int kEveryRank = -1;

/// Sends each row to the rank that `rank_of(row)` names, or to all; returns those for this rank: in
/// the order of the ranks they come from, and of each in its order. Collective.
template <class Row, class RankOf>
std::vector<Row> send_rows(const Communicator& communicator, std::vector<Row> rows,
                           RankOf&& rank_of) {
  if (communicator.size() == 1) return rows;
  Outbox outbox;
  for (const Row& row : rows) {
    const int rank = rank_of(row);
    if (rank != kEveryRank)
      outbox.to(rank)(row);
    else
      for (int r = 0; r < communicator.size(); r++) outbox.to(r)(row);
  }
  rows.clear();
  for (const Message& m : communicator.exchange(outbox.take())) {
    ArchiveReader archive(m.data);
    while (!archive.done()) archive(rows.emplace_back());
  }
  return rows;
}

}  // namespace solfec
