// Reads frames back: one at a time into a domain, or columns over many frames for histories.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>

#include "output/hdf5_reader.hpp"
#include "output/result_rows.hpp"
#include "output/results_files.hpp"
#include "parallel/partitioner.hpp"

namespace solfec {

/// Of an interval of time: frames nearer to each other are one.
inline constexpr double kSameFrame = 1e-9;

/// Numbers of a body's configuration q in a frame.
inline constexpr std::size_t kConfigurationSize = BodyStore::kConfiguration;

/// How the bodies of a frame go to the ranks. Obstacles go to all; a contact goes to the owner of
/// its smaller body (owning_body).
struct Distribution {
  Communicator communicator;
  std::function<int(BodyId id, const Vec3& center)> owner;  ///< rank
};

/// One of several equal parts of rows.
struct RowPart {
  std::size_t rank = 0, ranks = 1;

  std::size_t begin(std::size_t rows) const { return rows * rank / ranks; }
  std::size_t end(std::size_t rows) const { return rows * (rank + 1) / ranks; }
  std::size_t share(std::size_t rows) const { return end(rows) - begin(rows); }
  auto operator<=>(const RowPart&) const = default;
};

/// It stays with the frames that were there when it was made, whatever another process, or this
/// one, adds and joins meanwhile.
class ResultsReader {
 public:
  /// Throws RunError when there are no results in the directory.
  explicit ResultsReader(std::string directory);

  const ResultsIndex& index() const { return index_; }
  int frames() const { return static_cast<int>(time_.size()); }
  double time(int frame) const { return time_[frame]; }
  /// The last frame not after `time` (up to round-off), or the first one.
  int frame_at(double time) const;
  FrameHeader header(int frame) const;
  /// Division of space between the ranks that wrote the frame; no boxes when it was one rank.
  Partition partition(int frame) const;

  /// Bodies of a frame, rising.
  std::span<const LayoutRow> layout(int frame) const;
  bool holds(int frame, BodyId id) const;

  /// Gives a user force its function by its number.
  using Functions = std::function<ForceFunction(int)>;
  /// Bodies, states and contacts of the frame replace those of the domain; materials and settings
  /// of the domain stay. The whole frame on this rank, alone: not collective.
  void load(int frame, Domain& domain, const Functions& functions) const;
  /// The same, each rank getting its part only; every rank reads an equal part of the rows and
  /// sends them where they belong. Collective; any error is RunError on all ranks.
  void load(int frame, Domain& domain, const Functions& functions,
            const Distribution& distribution) const;

  /// How a body is defined, each with the first frame it holds for; in the order of frames.
  std::vector<std::pair<int, Body>> definitions_of(BodyId id) const;

  /// Rows of one per-frame column.
  std::vector<double> frame_column(const std::string& name, int begin, int end) const;

  /// The body in each frame of [begin, end); q starts with NaN where it is absent.
  struct BodyStates {
    std::size_t freedom = 0, positions = 0;  ///< numbers of u and x in a frame
    std::vector<double> q, u, x;
  };
  BodyStates body_states(BodyId id, int begin, int end) const;
  /// Per frame of [begin, end) the body's five energies, zero where it is absent.
  std::vector<double> body_energies(BodyId id, int begin, int end) const;

  /// Contacts of consecutive frames: visit(frame, rows) per frame, in order; `rows` holds the
  /// columns of that frame's contacts.
  struct ConstraintRows {
    std::size_t count = 0;
    const std::uint8_t* kind = nullptr;
    const std::uint32_t *body1 = nullptr, *body2 = nullptr;
    const double *gap = nullptr, *normal = nullptr, *arm = nullptr, *R = nullptr, *U = nullptr;
    const std::int32_t *surface1 = nullptr, *surface2 = nullptr;
  };
  void visit_constraints(
      int begin, int end,
      const std::function<void(int frame, const ConstraintRows& rows)>& visit) const;

 private:
  struct SegmentView {
    std::string path;
    int first = 0;  // frame
    std::vector<FrameRow> frame;
    std::vector<LayoutRow> body_rows;
    std::vector<CutRow> cuts;
    // Per frame of the segment: where its rows start in the other columns.
    std::vector<std::size_t> layout, partition, partition_size, body, u, x, contact, bond,
        definition;
    std::vector<std::size_t> layout_size;
    // Short segments stay open from the start: they may be joined and removed. Of the long ones,
    // which may be many, only the last one used is open.
    mutable std::unique_ptr<Hdf5Reader> file;

    int frames() const { return static_cast<int>(frame.size()); }
    std::size_t definitions() const { return definition.back() + frame.back().definitions; }
  };
  /// Frames of a segment that share a layout, for strided reading.
  struct Run {
    int begin, end;            // frames within the segment
    std::size_t layout, size;  // rows of the layout
  };
  void open_segments(const std::string& directory, const ResultsIndex& index);
  void index_segment(SegmentView& segment) const;
  /// The file of a segment, open until the next call.
  const Hdf5Reader& open(const SegmentView& segment) const;
  const SegmentView& segment_of(int frame) const;
  std::vector<Run> runs(const SegmentView& segment, int begin, int end) const;
  template <class Visit>
  void visit_runs(BodyId id, int begin, int end, Visit&& visit) const;
  struct NumberedBody;
  std::vector<NumberedBody> newest_definitions(int frame, const RowPart& part) const;
  std::vector<BodyState> read_states(int frame, const RowPart& part) const;
  std::vector<Constraint> read_constraints(int frame, const RowPart& part) const;
  const std::vector<Body>& definitions(const SegmentView& segment, const RowPart& part = {}) const;

  ResultsIndex index_;
  std::vector<SegmentView> segments_;
  std::vector<double> time_;
  mutable const SegmentView* open_long_ = nullptr;
  mutable std::map<std::pair<const SegmentView*, RowPart>, std::vector<Body>> definitions_;
};

}  // namespace solfec
