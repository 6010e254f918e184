// Writes frames: into memory first, to disk at least once a second.
#pragma once

#include <chrono>
#include <unordered_map>

#include "output/frame_data.hpp"
#include "output/results_files.hpp"

namespace solfec {

class ResultsWriter {
 public:
  /// Results go to `directory`, which exists; `continue_after` frames are there already and stay.
  ResultsWriter(std::string directory, std::string analysis, std::int64_t continue_after = 0);

  void set_compression(bool on) { compression_ = on; }

  /// Takes a frame: the bodies and contacts of the domain as they are.
  void add(const FrameHeader& header, const Domain& domain);

  /// Publishes what is waiting when it should not wait longer: when the oldest frame would be
  /// older than a second before the next call, expected after `seconds_to_next`, or when much has
  /// gathered.
  void publish_if_due(double seconds_to_next);

  /// Publishes all frames taken so far. Throws RunError when the disk is full.
  void publish();

  std::int64_t frames() const { return published_ + static_cast<std::int64_t>(data_.frames()); }

 private:
  using Clock = std::chrono::steady_clock;
  void add_definitions(const Domain& domain);
  void add_layout(const Domain& domain);
  void join_short_segments();

  std::string directory_;
  bool compression_ = false;
  FrameData data_;
  Clock::time_point oldest_;
  std::int64_t published_ = 0;
  ResultsIndex index_;
  std::vector<int> joins_;  // by segment: how often its frames were joined
  std::uint64_t layout_revision_ = ~std::uint64_t{0};
  std::unordered_map<std::uint32_t, int> defined_;  // body -> changes when written
};

}  // namespace solfec
