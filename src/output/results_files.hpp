// Names of the files of results, and the index that lists them. <name> is the last part of <dir>;
// of a directory that was renamed, what that was when the results were begun.
//
//   <dir>/<name>.h5                         index: format, segments in order
//   <dir>/<name>.frames-<first>-<last>.h5   a segment: consecutive frames
//   <dir>/<name>.py, <dir>/STATE            copy of the script (script_copy.hpp), state of the run
//
// A segment is written under a temporary name, renamed, and then listed by a new index (renamed
// over the old one): readers follow the index and see whole segments only, whenever the writing
// process ends. Short segments are joined into longer ones, so that their number stays small; the
// joined ones are listed no more, and then removed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "body/bulk_material.hpp"

namespace solfec {

inline constexpr std::int64_t kResultsFormat = 12;

/// What a segment says of itself.
inline constexpr const char* kSegmentMark = "Solfec results: consecutive frames";

/// [bytes] Segments longer than this are never joined, nor removed while the results last.
inline constexpr std::uint64_t kShortSegment = 4 << 20;

struct Segment {
  std::string file;  ///< relative to the directory
  std::int64_t first = 0, frames = 0;

  bool operator==(const Segment&) const = default;
};

/// A part of the model, by the name that the script gives it.
struct ModelPart {
  std::string name;
  std::uint64_t fingerprint = 0;

  bool operator==(const ModelPart&) const = default;
};

struct ResultsIndex {
  std::string analysis;  ///< 'DYNAMIC' or 'QUASI_STATIC'
  std::vector<Segment> segments;
  std::vector<ModelPart> model = {};              ///< that the results are of
  std::vector<BulkMaterial> bulk_materials = {};  ///< as they were when it was written
  std::string written = {};                       ///< date and time when it was, by write_index
  std::string started = {};  ///< when the results were begun, to the nanosecond: no others have it

  bool operator==(const ResultsIndex&) const = default;
};

/// The present date and time, to the nanosecond.
std::string precise_time();

std::string index_path(const std::string& directory);
std::string segment_name(const std::string& directory, std::int64_t first, std::int64_t last);

/// Whether results can be read in this directory.
bool results_exist(const std::string& directory);

/// Throws RunError when there is none or when it cannot be read.
ResultsIndex read_index(const std::string& directory);
void write_index(const std::string& directory, const ResultsIndex& index);

/// Throws RunError when the directory holds a file with the name of one of results, or of STATE,
/// that is none: results would be written over it.
void demand_no_other_files(const std::string& directory);
/// Removes the results of an earlier run, and nothing else.
void remove_results(const std::string& directory);
/// Removes files of frames that the index does not list: what a process that was killed was at.
void remove_unlisted(const std::string& directory, const ResultsIndex& index);

}  // namespace solfec
