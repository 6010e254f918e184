#include "simulation/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"

namespace solfec {
namespace {

const char* doing(Meeting meeting) {
  switch (meeting) {
    case Meeting::end_of_script:
      return "ends its script";
    case Meeting::solfec:
      return "makes a SOLFEC object";
    case Meeting::barrier:
      return "is at a BARRIER";
    case Meeting::run:
      return "is about to RUN";
    case Meeting::callback:
      return "ends a callback";
    case Meeting::locdyn_dump:
      return "is at LOCDYN_DUMP";
    case Meeting::fclib_dump:
      return "is at FCLIB_DUMP";
    case Meeting::initialize_state:
      return "is at INITIALIZE_STATE";
    case Meeting::partition:
      return "is at PARTITION";
    case Meeting::results:
      return "looks at results";
  }
  return "";
}

// The first rank that differs from rank 0, or -1.
template <class Of>
int first_other(std::size_t ranks, Of of) {
  for (std::size_t r = 1; r < ranks; r++)
    if (of(r) != of(0)) return static_cast<int>(r);
  return -1;
}

std::string times(std::uint64_t count) {
  return fmt::format("{} time{}", count, count == 1 ? "" : "s");
}

struct Given {
  std::uint64_t count = 0, sum = 0;
};

// Rank 0 and rank `other` have given a command differently.
std::string difference(const std::string& place, const Given& first, const Given& second,
                       int other) {
  if (first.count != second.count)
    return fmt::format("{} was called {} on rank 0 and {} on rank {}", place, times(first.count),
                       times(second.count), other);
  return fmt::format("{} had other arguments on rank {} than on rank 0", place, other);
}

// What a rank sends when something is amiss.
struct Papers {
  Meeting meeting;
  std::vector<Setting> settings;
  std::optional<std::string> failure;
  Ledger ledger;
};

template <class Archive>
void visit_fields(Archive& archive, Papers& p) {
  archive(p.meeting, p.settings, p.failure, p.ledger);
}

std::optional<std::string> parting_settings(const std::vector<Papers>& papers) {
  for (const Setting& setting : papers[0].settings) {
    const int other = first_other(papers.size(), [&](std::size_t r) {
      const auto found = std::ranges::find(papers[r].settings, setting.name, &Setting::name);
      return found == papers[r].settings.end() ? 0 : found->value;
    });
    if (other > 0) return fmt::format("{} differs between rank 0 and rank {}", setting.name, other);
  }
  const int other =
      first_other(papers.size(), [&](std::size_t r) { return papers[r].settings.size(); });
  if (other > 0) return fmt::format("settings differ between rank 0 and rank {}", other);
  return std::nullopt;
}

}  // namespace

void Ledger::note(const std::string& place, Side side, std::span<const std::byte> what) {
  Account& account = accounts_[place];
  account.count[static_cast<std::size_t>(side)]++;
  account.sum[static_cast<std::size_t>(side)] += fingerprint(what);
}

std::uint64_t Ledger::total() const {
  std::uint64_t total = 0;
  for (const auto& [place, account] : accounts_) {
    ArchiveWriter archive;
    std::uint64_t count = 0, sum = 0;
    for (std::size_t side = 0; side < 3; side++) {
      count += account.count[side];
      sum += account.sum[side];
    }
    archive(place, count, sum);
    total += fingerprint(archive.bytes());
  }
  return total;
}

void Ledger::visit(ArchiveWriter& archive) {
  archive(accounts_.size());
  for (const auto& [place, account] : accounts_) archive(place, account.count, account.sum);
}

void Ledger::visit(ArchiveReader& archive) {
  accounts_.clear();
  const auto count = archive.get<std::size_t>();
  for (std::size_t k = 0; k < count; k++) {
    const auto place = archive.get<std::string>();
    archive(accounts_[place].count, accounts_[place].sum);
  }
}

std::optional<std::string> parting(const std::vector<Ledger>& ledgers) {
  std::set<std::string> places;
  for (const Ledger& ledger : ledgers)
    for (const auto& [place, account] : ledger.accounts()) places.insert(place);
  for (const std::string& place : places) {
    std::vector<Given> common, of_bodies;
    std::uint64_t ignored = 0;
    for (const Ledger& ledger : ledgers) {
      const auto found = ledger.accounts().find(place);
      const Ledger::Account a =
          found == ledger.accounts().end() ? Ledger::Account() : found->second;
      common.push_back({a.count[0], a.sum[0]});
      of_bodies.push_back({a.count[1] + a.count[2], a.sum[1] + a.sum[2]});
      ignored += a.count[2];
    }
    for (const auto* given : {&common, &of_bodies}) {
      // What only owners have said was heard by those it concerns.
      if (given == &of_bodies && ignored == 0) continue;
      const int other = first_other(ledgers.size(), [&](std::size_t r) {
        return std::pair((*given)[r].count, (*given)[r].sum);
      });
      if (other > 0) return difference(place, (*given)[0], (*given)[other], other);
    }
  }
  return std::nullopt;
}

Decision meet(const Communicator& communicator, const Arrival& arrival, Ledger& ledger) {
  Decision decision{arrival.stop, arrival.changed, arrival.failure, std::nullopt};
  if (communicator.size() == 1) {
    ledger.clear();
    return decision;
  }
  ArchiveWriter settings;
  settings(arrival.settings);
  const std::uint64_t total = ledger.total() + fingerprint(settings.bytes());
  // Halves of a fingerprint are whole numbers that a double holds. All ranks have the same x when
  // max(x) = -max(-x).
  const double same[3] = {static_cast<double>(arrival.meeting), static_cast<double>(total >> 32),
                          static_cast<double>(total & 0xFFFFFFFFu)};
  double v[9] = {same[0],
                 same[1],
                 same[2],
                 -same[0],
                 -same[1],
                 -same[2],
                 arrival.stop ? 1.0 : 0.0,
                 arrival.changed ? 1.0 : 0.0,
                 arrival.failure ? 1.0 : 0.0};
  communicator.max_all(v);
  decision.stop = v[6] > 0;
  decision.changed = v[7] > 0;
  const bool alike = v[0] == -v[3] && v[1] == -v[4] && v[2] == -v[5];
  if (alike && v[8] == 0) {
    ledger.clear();
    return decision;
  }

  ArchiveWriter mine;
  mine(Papers{arrival.meeting, arrival.settings, arrival.failure, ledger});
  std::vector<Papers> papers;
  for (const Bytes& bytes : communicator.gather(mine.bytes()))
    papers.push_back(ArchiveReader(bytes).get<Papers>());
  decision.failure.reset();
  for (std::size_t r = 0; r < papers.size() && !decision.failure; r++)
    if (papers[r].failure) decision.failure = fmt::format("on rank {}: {}", r, *papers[r].failure);
  const int other = first_other(papers.size(), [&](std::size_t r) { return papers[r].meeting; });
  if (other > 0)
    throw RunError(fmt::format("the ranks part: rank 0 {} while rank {} {}{}",
                               doing(papers[0].meeting), other, doing(papers[other].meeting),
                               decision.failure ? " with a failure " + *decision.failure : ""));
  std::vector<Ledger> ledgers;
  for (const Papers& p : papers) ledgers.push_back(p.ledger);
  decision.parted = parting(ledgers);
  if (!decision.parted) decision.parted = parting_settings(papers);
  if (decision.parted)
    decision.parted =
        "every rank must run the same script with the same values: " + *decision.parted;
  else
    ledger.clear();
  return decision;
}

Decision meet_alike(const Communicator& communicator, const Arrival& arrival, Ledger& ledger) {
  const Decision decision = meet(communicator, arrival, ledger);
  if (decision.parted) throw RunError(*decision.parted);
  return decision;
}

}  // namespace solfec
