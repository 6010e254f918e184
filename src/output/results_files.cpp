#include "output/results_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <regex>

#include "core/error.hpp"
#include "core/version.hpp"
#include "output/hdf5_file.hpp"
#include "output/hdf5_reader.hpp"

namespace fs = std::filesystem;

namespace solfec {
namespace {

// Last component of the directory's path, the base name of all files in it.
std::string base_name(const std::string& directory) {
  const fs::path path = fs::path(directory).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

std::string in(const std::string& directory, const std::string& file) {
  return (fs::path(directory) / file).string();
}

constexpr std::int64_t kMostFrames = std::numeric_limits<int>::max();

// <name>.frames-<first>-<last>.h5, in the directory of the index.
bool is_segment_name(const std::string& file) {
  static const std::regex form(R"([^/]+\.frames-[0-9]{8,20}-[0-9]{8,20}\.h5)");
  return std::regex_match(file, form);
}

}  // namespace

std::string index_path(const std::string& directory) {
  return in(directory, base_name(directory) + ".h5");
}

std::string segment_name(const std::string& directory, std::int64_t first, std::int64_t last) {
  return fmt::format("{}.frames-{:08}-{:08}.h5", base_name(directory), first, last);
}

bool results_exist(const std::string& directory) { return fs::exists(index_path(directory)); }

ResultsIndex read_index(const std::string& directory) {
  const std::string path = index_path(directory);
  const Hdf5Reader file(path);
  const std::int64_t format = file.attribute("format");
  if (format != kResultsFormat)
    throw RunError(fmt::format("'{}' holds results in format {}; this program reads format {}",
                               path, format, kResultsFormat));
  const auto demand = [&](bool good, const std::string& what) {
    if (!good) Hdf5Reader::fail_results(path, what);
  };
  ResultsIndex index;
  index.analysis = file.text_attribute("analysis");
  demand(index.analysis == "DYNAMIC" || index.analysis == "QUASI_STATIC",
         "its analysis is unknown");
  const auto names = file.read_strings("segment/file");
  const auto first = file.read<std::int64_t>("segment/first");
  const auto frames = file.read<std::int64_t>("segment/frames");
  demand(first.size() == names.size() && frames.size() == names.size(),
         "its list of files has columns of different lengths");
  std::int64_t next = 0;
  for (std::size_t i = 0; i < names.size(); i++) {
    demand(is_segment_name(names[i]), fmt::format("'{}' is no name of a file of frames", names[i]));
    demand(first[i] == next && frames[i] > 0 && frames[i] < kMostFrames - next,
           "its files of frames do not follow each other");
    next += frames[i];
    index.segments.push_back({names[i], first[i], frames[i]});
  }
  return index;
}

void write_index(const std::string& directory, const ResultsIndex& index) {
  Hdf5Composer file;
  file.attribute("content", std::string("Solfec results: index of segments"));
  file.attribute("format", kResultsFormat);
  file.attribute("program", fmt::format("Solfec {}", kVersion));
  file.attribute("units", std::string("SI"));
  file.attribute("analysis", index.analysis);
  std::vector<std::string> names;
  std::vector<std::int64_t> first, frames;
  for (const Segment& s : index.segments) {
    names.push_back(s.file);
    first.push_back(s.first);
    frames.push_back(s.frames);
  }
  file.write_strings("segment/file", names, "files of frames, in order");
  file.write<std::int64_t>("segment/first", first, 1, "", "number of the first frame");
  file.write<std::int64_t>("segment/frames", frames, 1, "", "number of frames");
  file.publish(index_path(directory));
}

void remove_results(const std::string& directory) {
  std::error_code ignored;
  fs::remove(index_path(directory), ignored);  // first: half-removed results are not read
  remove_unlisted(directory, {});
}

void remove_unlisted(const std::string& directory, const ResultsIndex& index) {
  std::error_code ignored;
  const std::string prefix = base_name(directory) + ".frames-";
  std::vector<fs::path> doomed;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) &&
        std::ranges::find(index.segments, name, &Segment::file) == index.segments.end())
      doomed.push_back(entry.path());
  }
  for (const fs::path& path : doomed) fs::remove(path, ignored);
}

}  // namespace solfec
