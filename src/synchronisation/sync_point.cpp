#include "synchronisation/sync_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/error.hpp"
#include "synchronisation/first_other.hpp"

namespace solfec {
namespace {

const char* action(SyncPoint point) {
  switch (point) {
    case SyncPoint::end_of_script:
      return "ends its script";
    case SyncPoint::solfec:
      return "makes a SOLFEC object";
    case SyncPoint::barrier:
      return "is at a BARRIER";
    case SyncPoint::run:
      return "is about to RUN";
    case SyncPoint::callback:
      return "ends a callback";
    case SyncPoint::locdyn_dump:
      return "is at LOCDYN_DUMP";
    case SyncPoint::fclib_dump:
      return "is at FCLIB_DUMP";
    case SyncPoint::indeterminacy:
      return "is at INDETERMINACY";
    case SyncPoint::initialize_state:
      return "is at INITIALIZE_STATE";
    case SyncPoint::partition:
      return "is at PARTITION";
    case SyncPoint::results:
      return "looks at results";
  }
  return "";
}

// What a rank sends after a failure or a mismatch.
struct RankReport {
  SyncPoint point;
  std::vector<Setting> settings;
  std::optional<std::string> failure;
  CommandLog command_log;
};

template <class Archive>
void visit_fields(Archive& archive, RankReport& r) {
  archive(r.point, r.settings, r.failure, r.command_log);
}

}  // namespace

// Names need not be unique: two materials may have one label.
std::optional<std::string> mismatch_of(const std::vector<std::vector<Setting>>& settings) {
  std::size_t shared = settings[0].size();
  for (const auto& list : settings) shared = std::min(shared, list.size());
  for (std::size_t k = 0; k < shared; k++) {
    const std::string& name = settings[0][k].name;
    const int other = first_other(settings.size(), [&](std::size_t r) {
      return std::tie(settings[r][k].name, settings[r][k].value);
    });
    if (other > 0) return fmt::format("{} differs between rank 0 and rank {}", name, other);
  }
  const int other = first_other(settings.size(), [&](std::size_t r) { return settings[r].size(); });
  if (other > 0) return fmt::format("settings differ between rank 0 and rank {}", other);
  return std::nullopt;
}

SyncResult synchronise(const Communicator& communicator, const SyncRequest& request,
                       CommandLog& command_log) {
  SyncResult result{request.stop, request.changed, request.failure, std::nullopt};
  if (communicator.size() == 1) {
    command_log.clear();
    return result;
  }
  ArchiveWriter settings;
  settings(request.settings);
  const std::uint64_t total = command_log.total() + fingerprint(settings.bytes());
  // Halves of a fingerprint are whole numbers that a double holds. All ranks have the same x when
  // max(x) = -max(-x).
  const double same[3] = {static_cast<double>(request.point), static_cast<double>(total >> 32),
                          static_cast<double>(total & 0xFFFFFFFFu)};
  double v[9] = {same[0],
                 same[1],
                 same[2],
                 -same[0],
                 -same[1],
                 -same[2],
                 request.stop ? 1.0 : 0.0,
                 request.changed ? 1.0 : 0.0,
                 request.failure ? 1.0 : 0.0};
  communicator.max_all(v);
  result.stop = v[6] > 0;
  result.changed = v[7] > 0;
  const bool alike = v[0] == -v[3] && v[1] == -v[4] && v[2] == -v[5];
  if (alike && v[8] == 0) {
    command_log.clear();
    return result;
  }

  ArchiveWriter mine;
  mine(RankReport{request.point, request.settings, request.failure, command_log});
  std::vector<RankReport> reports;
  for (const Bytes& bytes : communicator.gather(mine.bytes()))
    reports.push_back(ArchiveReader(bytes).get<RankReport>());
  result.failure.reset();
  for (std::size_t r = 0; r < reports.size() && !result.failure; r++)
    if (reports[r].failure) result.failure = fmt::format("on rank {}: {}", r, *reports[r].failure);
  const int other = first_other(reports.size(), [&](std::size_t r) { return reports[r].point; });
  if (other > 0)
    throw RunError(fmt::format("the scripts of the ranks differ: rank 0 {} while rank {} {}{}",
                               action(reports[0].point), other, action(reports[other].point),
                               result.failure ? " with a failure " + *result.failure : ""));
  std::vector<CommandLog> command_logs;
  std::vector<std::vector<Setting>> settings_of_ranks;
  for (RankReport& report : reports) {
    command_logs.push_back(std::move(report.command_log));
    settings_of_ranks.push_back(std::move(report.settings));
  }
  result.mismatch = mismatch_of(command_logs);
  if (!result.mismatch) result.mismatch = mismatch_of(settings_of_ranks);
  if (result.mismatch)
    result.mismatch =
        "every rank must run the same script with the same values: " + *result.mismatch;
  else
    command_log.clear();
  return result;
}

SyncResult synchronise_alike(const Communicator& communicator, const SyncRequest& request,
                             CommandLog& command_log) {
  const SyncResult result = synchronise(communicator, request, command_log);
  if (result.mismatch) throw RunError(*result.mismatch);
  return result;
}

}  // namespace solfec
