// Writes frames: into memory first, to disk at least once a second.
//
// A rank takes the rows of its own bodies and constraints. When a batch of frames is published, its
// rows, in the order of frames, bodies and constraints, are cut into one block per rank, and each
// rank gets those of its block from wherever they are and writes them. So no rank holds all rows of
// a large frame, and the files do not depend on the number of ranks. One rank alone puts its rows
// into the block at once, and a very large frame goes to the file part by part. What a frame takes
// is given back when it is on disk.
#pragma once

#include <chrono>

#include "output/frame_rows.hpp"
#include "output/results_files.hpp"
#include "parallel/partitioner.hpp"

namespace solfec {

class ResultsWriter {
 public:
  enum class How {
    start,  ///< new results; the directory holds none
    go_on,  ///< frames follow those that are there
  };
  /// Results go to `directory`, which exists. Collective. Throws RunError.
  ResultsWriter(std::string directory, std::string analysis, const Communicator& communicator,
                How how = How::start);

  void set_compression(bool on) { compression_ = on; }

  /// What the results are of, for the index.
  const std::vector<ModelPart>& model() const { return index_.model; }
  void set_model(std::vector<ModelPart> parts) { index_.model = std::move(parts); }
  /// In place of the part of that name.
  void add_to_model(const ModelPart& part);

  /// Takes a frame: this rank's bodies and constraints as they are, and the division of space (no
  /// boxes on one rank). Obstacles are taken on the first rank. Bodies are marked as recorded. Not
  /// collective, but all ranks take the same frames. One rank publishes a very large frame at once,
  /// which throws as publish() does, and keeps nothing then.
  void add(const FrameHeader& header, Domain& domain, const Partition& partition = {});

  /// Whether this rank thinks that what is waiting should not wait longer: the oldest frame would
  /// be older than a second before the next call, expected after `seconds_to_next`, or much has
  /// gathered. Not collective; when one rank thinks so all should publish.
  bool is_due(double seconds_to_next) const;

  /// Publishes all frames taken so far. Collective; on any error (a full disk) all ranks throw
  /// the same RunError, what was published before stays whole, and the frames are kept.
  void publish();

  /// Whether frames wait to be published; the same on all ranks.
  bool waiting() const { return !headers_.empty(); }
  std::int64_t frames() const { return published_ + static_cast<std::int64_t>(headers_.size()); }

 private:
  using Clock = std::chrono::steady_clock;
  // Of a frame, on this rank.
  struct FrameCounts {
    double bodies = 0, constraints = 0, bonds = 0, definitions = 0;
    std::array<double, 3> mark{};  // see mark()

    bool same_bodies(const FrameCounts& other) const {
      return mark == other.mark && bodies == other.bodies;
    }
  };
  struct FrameTotals;
  FrameCounts count_rows(const Domain& domain) const;
  void begin_frame(const FrameHeader& header, const Domain& domain, const Partition& partition);
  bool goes_in_parts(const Domain& domain) const;
  void write_in_parts(Domain& domain);
  void take_part(const Domain& domain, std::size_t part, double* energies);
  void list_segment(const std::string& file);
  void forget_frames();
  bool takes(const Body& body) const;
  std::vector<FrameTotals> reduce_frames() const;
  void gather_block(const std::vector<FrameTotals>& totals);
  void append_frames(const std::vector<FrameTotals>& totals, const std::vector<double>& energies);
  std::vector<double> sum_energies(const std::vector<FrameTotals>& totals) const;
  void join_short_segments();

  Communicator communicator_;
  std::string directory_;
  bool compression_ = false;

  // Waiting: headers, and rows of this rank
  Clock::time_point oldest_;
  std::vector<FrameHeader> headers_;
  std::vector<FrameCounts> counts_;                              // by frame
  std::vector<std::pair<std::uint32_t, Partition>> partitions_;  // new ones, with their frame
  FrameData block_;  // rows of one rank alone; of several while they are written
  // Rows of several ranks
  std::vector<BodyRow> bodies_;
  std::size_t state_bytes_ = 0;  // of their velocities and nodes
  std::vector<ConstraintRow> constraints_;
  std::vector<DefinitionRow> definitions_;

  std::int64_t published_ = 0;
  ResultsIndex index_;      // on the first rank
  std::vector<int> joins_;  // by segment: how often its frames were joined
};

}  // namespace solfec
