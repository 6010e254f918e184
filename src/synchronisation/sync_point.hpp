// Every rank runs the same script; synchronisation points check that.
//
// Each collective command starts with one small reduction of the command and of a fingerprint of
// all commands before: when they differ, all ranks throw, instead of waiting for each other for
// ever.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parallel/communicator.hpp"
#include "synchronisation/command_log.hpp"

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
  indeterminacy,
  initialize_state,
  partition,
  results,
};

/// A setting that must be the same on all ranks.
struct Setting {
  std::string name;
  std::uint64_t value;  ///< fingerprint
};

template <class Archive>
void visit_fields(Archive& archive, Setting& s) {
  archive(s.name, s.value);
}

/// The first difference between the settings of the ranks, as text; none when they agree.
std::optional<std::string> mismatch_of(const std::vector<std::vector<Setting>>& settings);

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
