// Which commands a script has given, by script line: ranks compare it at synchronisation points.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/archive.hpp"

namespace solfec {

/// Commands of a script, one entry for each command and script line: counts and sums of
/// fingerprints, so that its size does not grow with the model.
class CommandLog {
 public:
  /// Commands that all ranks must give alike, and commands on a body: these act on the rank that
  /// owns it, and are ignored elsewhere.
  enum class Side : std::uint8_t { common, here, elsewhere };
  struct Entry {
    std::array<std::uint64_t, 3> count{}, sum{};  ///< by side
  };

  /// `place`: command and script line.
  void record(const std::string& place, Side side, std::span<const std::byte> what);
  void clear() { entries_.clear(); }
  std::uint64_t total() const;
  const std::map<std::string, Entry>& entries() const { return entries_; }

  template <class Archive>
  friend void visit_fields(Archive& archive, CommandLog& command_log) {
    command_log.visit(archive);
  }

 private:
  void visit(ArchiveWriter& archive);
  void visit(ArchiveReader& archive);

  std::map<std::string, Entry> entries_;
};

/// The first difference between the logs of the ranks, as text; none when they agree. They agree
/// when all are the same, and also when commands on bodies were given by the owners only.
std::optional<std::string> mismatch_of(const std::vector<CommandLog>& command_logs);

}  // namespace solfec
