// Every rank runs the same script; here the ranks find out whether they did.
//
// What ranks do together starts with one small reduction, in which each of them says what it is
// about to do and gives a fingerprint of what it has done: when they part, all of them learn it at
// once, and nobody waits for ever.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "parallel/communicator.hpp"

namespace solfec {

/// What ranks do together.
enum class Meeting {
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

/// What the commands of a script have done, one account for each command and script line: counts
/// and sums of fingerprints, so that its size does not grow with the model.
class Ledger {
 public:
  /// Commands that all ranks give alike, and commands on a body that one rank owns: these act
  /// there, and are ignored elsewhere.
  enum class Side : std::uint8_t { common, here, elsewhere };
  struct Account {
    std::array<std::uint64_t, 3> count{}, sum{};  ///< by side
  };

  /// `place` tells command and script line.
  void note(const std::string& place, Side side, std::span<const std::byte> what);
  void clear() { accounts_.clear(); }
  std::uint64_t total() const;
  const std::map<std::string, Account>& accounts() const { return accounts_; }

  template <class Archive>
  friend void visit_fields(Archive& archive, Ledger& ledger) {
    ledger.visit(archive);
  }

 private:
  void visit(ArchiveWriter& archive);
  void visit(ArchiveReader& archive);

  std::map<std::string, Account> accounts_;
};

/// Where the ledgers of the ranks part, as text; nothing when they agree. They do when all have the
/// same, and also when commands on owned bodies were given by the owners only.
std::optional<std::string> parting(const std::vector<Ledger>& ledgers);

/// A setting that all ranks must have alike.
struct Setting {
  std::string name;
  std::uint64_t value;  ///< fingerprint
};

template <class Archive>
void visit_fields(Archive& archive, Setting& s) {
  archive(s.name, s.value);
}

/// What a rank brings to a meeting.
struct Arrival {
  Meeting meeting = Meeting::barrier;
  std::vector<Setting> settings;
  bool stop = false;     ///< end the run
  bool changed = false;  ///< it has changes to tell of
  std::optional<std::string> failure;
};

/// What all ranks take away from it.
struct Decision {
  bool stop = false, changed = false;  ///< said by some rank
  std::optional<std::string> failure;  ///< of the first rank that has one, with its number
  std::optional<std::string> parted;   ///< how ledgers or settings of the ranks differ
};

/// Meets all other ranks; throws RunError on all of them when they came for different things. The
/// ledger is cleared when they agree. One reduction when all is well. Collective.
Decision meet(const Communicator& communicator, const Arrival& arrival, Ledger& ledger);

/// The same; throws RunError on all ranks when they part in any way.
Decision meet_alike(const Communicator& communicator, const Arrival& arrival, Ledger& ledger);

}  // namespace solfec
