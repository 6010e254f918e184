// Names of the files of results, and the index that lists them.
//
//   <dir>/<name>.h5                         index: format, segments in order
//   <dir>/<name>.frames-<first>-<last>.h5   a segment: consecutive frames
//   <dir>/<name>.py, <dir>/STATE            copy of the script, state of the run
//
// A segment is written under a temporary name, renamed, and then listed by a new index (renamed
// over the old one): readers follow the index and see whole segments only, whenever the writing
// process ends. Short segments are joined into longer ones, so that their number stays small; the
// joined ones are listed no more, and then removed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace solfec {

inline constexpr std::int64_t kResultsFormat = 7;

/// [bytes] Segments longer than this are never joined, nor removed while the results last.
inline constexpr std::uint64_t kShortSegment = 4 << 20;

struct Segment {
  std::string file;  ///< relative to the directory
  std::int64_t first = 0, frames = 0;

  bool operator==(const Segment&) const = default;
};

struct ResultsIndex {
  std::string analysis;  ///< 'DYNAMIC' or 'QUASI_STATIC'
  std::vector<Segment> segments;

  bool operator==(const ResultsIndex&) const = default;
};

std::string index_path(const std::string& directory);
std::string segment_name(const std::string& directory, std::int64_t first, std::int64_t last);

/// Whether results can be read in this directory.
bool results_exist(const std::string& directory);

/// Throws RunError when there is none or when it cannot be read.
ResultsIndex read_index(const std::string& directory);
void write_index(const std::string& directory, const ResultsIndex& index);

/// Removes the results of an earlier run, and nothing else.
void remove_results(const std::string& directory);
/// Removes files of frames that the index does not list: what a process that was killed was at.
void remove_unlisted(const std::string& directory, const ResultsIndex& index);

}  // namespace solfec
