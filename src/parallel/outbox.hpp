// Bytes for other ranks, collected by rank.
#pragma once

#include <map>
#include <vector>

#include "parallel/communicator.hpp"

namespace solfec {

/// What Communicator::exchange sends: one message to each rank that something was written for.
class Outbox {
 public:
  ArchiveWriter& to(int rank) { return writers_[rank]; }

  /// Leaves nothing behind.
  std::vector<Message> take() {
    std::vector<Message> messages;
    for (auto& [rank, writer] : writers_) messages.push_back({rank, writer.take()});
    writers_.clear();
    return messages;
  }

 private:
  std::map<int, ArchiveWriter> writers_;
};

}  // namespace solfec
