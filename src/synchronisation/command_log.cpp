#include "synchronisation/command_log.hpp"

#include <fmt/format.h>

#include <set>

#include "synchronisation/first_other.hpp"

namespace solfec {
namespace {

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

}  // namespace

void CommandLog::record(const std::string& place, Side side, std::span<const std::byte> what) {
  Entry& entry = entries_[place];
  entry.count[static_cast<std::size_t>(side)]++;
  entry.sum[static_cast<std::size_t>(side)] += fingerprint(what);
}

std::uint64_t CommandLog::total() const {
  std::uint64_t total = 0;
  for (const auto& [place, entry] : entries_) {
    ArchiveWriter archive;
    std::uint64_t count = 0, sum = 0;
    for (std::size_t side = 0; side < 3; side++) {
      count += entry.count[side];
      sum += entry.sum[side];
    }
    archive(place, count, sum);
    total += fingerprint(archive.bytes());
  }
  return total;
}

void CommandLog::visit(ArchiveWriter& archive) {
  archive(entries_.size());
  for (const auto& [place, entry] : entries_) archive(place, entry.count, entry.sum);
}

void CommandLog::visit(ArchiveReader& archive) {
  entries_.clear();
  const auto count = archive.get<std::size_t>();
  for (std::size_t k = 0; k < count; k++) {
    const auto place = archive.get<std::string>();
    archive(entries_[place].count, entries_[place].sum);
  }
}

std::optional<std::string> mismatch_of(const std::vector<CommandLog>& command_logs) {
  std::set<std::string> places;
  for (const CommandLog& command_log : command_logs)
    for (const auto& [place, entry] : command_log.entries()) places.insert(place);
  for (const std::string& place : places) {
    std::vector<Given> common, of_bodies;
    std::uint64_t ignored = 0;
    for (const CommandLog& command_log : command_logs) {
      const auto found = command_log.entries().find(place);
      const CommandLog::Entry a =
          found == command_log.entries().end() ? CommandLog::Entry() : found->second;
      common.push_back({a.count[0], a.sum[0]});
      of_bodies.push_back({a.count[1] + a.count[2], a.sum[1] + a.sum[2]});
      ignored += a.count[2];
    }
    for (const auto* given : {&common, &of_bodies}) {
      // Commands that only the owners gave have acted where they should.
      if (given == &of_bodies && ignored == 0) continue;
      const int other = first_other(command_logs.size(), [&](std::size_t r) {
        return std::pair((*given)[r].count, (*given)[r].sum);
      });
      if (other > 0) return difference(place, (*given)[0], (*given)[other], other);
    }
  }
  return std::nullopt;
}

}  // namespace solfec
