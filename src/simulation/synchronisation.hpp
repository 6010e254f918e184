// Every rank runs the same script; synchronisation points check that.
//
// Each collective command starts with one small reduction of the command and of a fingerprint of
// all commands before: when they differ, all ranks throw, instead of waiting for each other for
// ever.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "parallel/communicator.hpp"

namespace solfec {

/// Collective commands.
enum class SyncPoint {
  end_of_script,
  solfec,
  barrier,
  run,
  callback,
  locdyn_dump,
  fclib_dump,
  initialize_state,
  partition,
  results,
};

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

/// A setting that must be the same on all ranks.
struct Setting {
  std::string name;
  std::uint64_t value;  ///< fingerprint
};

template <class Archive>
void visit_fields(Archive& archive, Setting& s) {
  archive(s.name, s.value);
}

/// What a rank sends to a synchronisation point.
struct SyncRequest {
  SyncPoint point = SyncPoint::barrier;
  std::vector<Setting> settings;
  bool stop = false;     ///< end the run
  bool changed = false;  ///< it has changes for the others
  std::optional<std::string> failure;
};

/// What all ranks get from it.
struct SyncResult {
  bool stop = false, changed = false;   ///< requested by some rank
  std::optional<std::string> failure;   ///< of the first rank that has one, with its number
  std::optional<std::string> mismatch;  ///< how logs or settings of the ranks differ
};

/// Throws RunError on all ranks when they are at different points. Clears the log when they agree.
/// One reduction when all is well. Collective.
SyncResult synchronise(const Communicator& communicator, const SyncRequest& request,
                       CommandLog& command_log);

/// The same; throws RunError on all ranks for any mismatch.
SyncResult synchronise_alike(const Communicator& communicator, const SyncRequest& request,
                             CommandLog& command_log);

}  // namespace solfec
