// One file of consecutive frames.
#pragma once

#include <optional>

#include "output/frame_data.hpp"
#include "output/output_file.hpp"
#include "parallel/communicator.hpp"

namespace solfec {

/// Writes a file whose columns are those of all ranks, one after the other. The first rank lays it
/// out, then each writes its own part by plain system calls; compressed columns pass through the
/// first rank, which gets the parts of the others one by one. Collective: on any error all ranks
/// throw the same RunError, and nothing is left behind.
void write_segment_file(const FrameData& part, const std::string& directory,
                        const std::string& file, bool compressed, const Communicator& communicator);

/// The same by one rank alone, which holds all; not collective.
void write_segment_file(const FrameData& data, const std::string& directory,
                        const std::string& file, bool compressed);

/// The same, where not even that rank has room for all: parts follow each other, in each column.
/// Not compressed.
class SegmentInParts {
 public:
  /// `counts`: numbers in each column of the whole file.
  SegmentInParts(const std::string& directory, const std::string& file,
                 const std::vector<std::uint64_t>& counts);
  /// Removes what was written unless the file is finished.
  ~SegmentInParts();
  SegmentInParts(const SegmentInParts&) = delete;
  SegmentInParts& operator=(const SegmentInParts&) = delete;

  void append(const FrameData& part);
  /// All parts are there: the file appears.
  void finish();

 private:
  std::string path_;
  std::vector<std::uint64_t> next_;  // of each column: where in the file its next numbers go
  std::optional<OutputFile> output_;
};

/// Reads a whole file, on one rank.
FrameData read_segment_file(const std::string& directory, const std::string& file);

}  // namespace solfec
