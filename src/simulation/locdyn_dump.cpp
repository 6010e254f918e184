#include "simulation/locdyn_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/error.hpp"
#include "parallel/row_exchange.hpp"
#include "simulation/simulation.hpp"
#include "synchronisation/sync_point.hpp"

namespace solfec {
namespace {

struct RowText {
  std::array<std::uint32_t, 5> key{};
  std::string text;
};

template <class Archive>
void visit_fields(Archive& archive, RowText& r) {
  archive(r.key, r.text);
}

// Each rank gets the rows of a block of first bodies, sorted by key.
std::vector<RowText> block_of_rows(const Simulation& s) {
  const auto block = [&](std::uint64_t first_body) {
    return static_cast<int>(first_body * static_cast<std::uint64_t>(s.communicator.size()) /
                            s.script.next_body);
  };
  std::vector<RowText> rows;
  const LocalDynamics& p = s.domain.local_dynamics;
  const std::vector<std::string> names = row_names(s.domain);
  const std::vector<ContactKey> keys = row_keys(s.domain);
  for (int row = 0; row < p.rows(); row++) {
    const ContactKey& k = keys[row];
    rows.push_back({{k.body1.value, k.body2.value, k.feature1, k.feature2, k.point},
                    dump_row(p, s.domain.local_solution, names, row)});
  }
  rows = send_rows(s.communicator, std::move(rows),
                   [&](const RowText& row) { return block(row.key[0]); });
  std::ranges::sort(rows, {}, &RowText::key);
  return rows;
}

}  // namespace

void dump_local_dynamics(Simulation& s, const std::string& path) {
  SyncRequest request;
  request.point = SyncPoint::locdyn_dump;
  synchronise_alike(s.communicator, request, *s.script.command_log);
  if (s.mode == Mode::read)
    throw value_error("results do not hold the local dynamics: in 'READ' mode there are none");
  if (s.clock.steps == 0) throw value_error("no step has been made yet");
  const LocalDynamics& p = s.domain.local_dynamics;
  if (s.communicator.any(!rows_are_known(s.domain)))
    throw value_error("bodies or constraints were made or deleted since the last step");

  std::string block;
  for (const RowText& row : block_of_rows(s)) block += row.text;
  const auto rows = static_cast<std::int64_t>(s.communicator.sum(p.rows()));
  std::ofstream file;
  int failure = 0;
  const auto write = [&](const std::string& text) {
    errno = 0;
    if (failure == 0 && !(file << text << std::flush)) failure = errno != 0 ? errno : EIO;
  };
  const bool writes = s.communicator.rank() == 0;
  if (writes) {
    errno = 0;
    file.open(path, std::ios::trunc);
    if (!file) failure = errno;
    write(dump_head(rows, p.step()) + block);
  }
  // One rank after another, so that the first one holds one block at a time.
  for (int r = 1; r < s.communicator.size(); r++) {
    std::vector<Message> messages;
    if (s.communicator.rank() == r) {
      const auto bytes = std::as_bytes(std::span(block));
      messages.push_back({0, Bytes(bytes.begin(), bytes.end())});
    }
    for (const Message& m : s.communicator.exchange(std::move(messages)))
      write(std::string(reinterpret_cast<const char*>(m.data.data()), m.data.size()));
  }
  const int worst = static_cast<int>(s.communicator.max(failure));
  if (worst != 0) throw RunError(fmt::format("cannot write '{}': {}", path, std::strerror(worst)));
}

}  // namespace solfec
