// Rows that change ranks.
#pragma once

#include <map>
#include <vector>

#include "parallel/communicator.hpp"

namespace solfec {

/// For send_rows: a row for all ranks.
inline constexpr int kEveryRank = -1;

/// Sends each row to the rank that `rank_of(row)` names, or to all; returns those for this rank: in
/// the order of the ranks they come from, and of each in its order. Collective.
template <class Row, class RankOf>
std::vector<Row> send_rows(const Communicator& communicator, std::vector<Row> rows,
                           RankOf&& rank_of) {
  if (communicator.size() == 1) return rows;
  std::map<int, ArchiveWriter> outgoing;
  for (const Row& row : rows) {
    const int rank = rank_of(row);
    if (rank != kEveryRank)
      outgoing[rank](row);
    else
      for (int r = 0; r < communicator.size(); r++) outgoing[r](row);
  }
  rows.clear();
  std::vector<Message> messages;
  for (auto& [rank, archive] : outgoing) messages.push_back({rank, archive.take()});
  for (const Message& m : communicator.exchange(std::move(messages))) {
    ArchiveReader archive(m.data);
    while (!archive.done()) archive(rows.emplace_back());
  }
  return rows;
}

}  // namespace solfec
