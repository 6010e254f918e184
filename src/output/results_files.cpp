#include "output/results_files.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <regex>
#include <set>

#include "core/error.hpp"
#include "core/version.hpp"
#include "output/hdf5_file.hpp"
#include "output/hdf5_reader.hpp"

namespace fs = std::filesystem;

namespace solfec {
namespace {

constexpr const char* kIndexMark = "Solfec results: index of segments";

bool has_mark(const Hdf5Reader& file, const char* mark) {
  try {
    return file.text_attribute("content") == mark;
  } catch (const RunError&) {
    return false;
  }
}

bool has_mark(const std::string& path, const char* mark) {
  try {
    return has_mark(Hdf5Reader(path), mark);
  } catch (const RunError&) {
    return false;
  }
}

bool is_state(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  for (int number = 0; number < 4 && std::getline(file, line); number++)
    if (line.starts_with("TIME: ")) return true;
  return false;
}

// Whether there is anything of that name: a link may lead nowhere.
bool is_taken(const std::string& path) {
  return fs::symlink_status(path).type() != fs::file_type::not_found;
}

bool is_regular(const std::string& path) {
  return fs::symlink_status(path).type() == fs::file_type::regular;
}

std::string in(const std::string& directory, const std::string& file) {
  return (fs::path(directory) / file).string();
}

// The part of a file's name before .frames-<first>-<last>.h5; empty when it has none.
std::string name_before_frames(const std::string& file) {
  constexpr std::size_t kLongest = 255;  // of file systems; regular expressions are recursive
  if (file.size() > kLongest) return "";
  static const std::regex form(R"(([^/]+)\.frames-[0-9]{8,20}-[0-9]{8,20}\.h5)");
  std::smatch match;
  return std::regex_match(file, match, form) ? match[1].str() : "";
}

// The base name of all files in a directory: its own; after the directory was renamed, that of the
// only index with files of frames.
std::string base_name(const std::string& directory) {
  const fs::path path = fs::path(directory).lexically_normal();
  const std::string own = (path.has_filename() ? path : path.parent_path()).filename().string();
  if (is_taken(in(directory, own + ".h5"))) return own;
  std::error_code ignored;
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    const std::string name = name_before_frames(entry.path().filename().string());
    if (!name.empty() && is_taken(in(directory, name + ".h5"))) names.insert(name);
  }
  return names.size() == 1 ? *names.begin() : own;
}

constexpr std::int64_t kMostFrames = std::numeric_limits<int>::max();

bool is_segment_name(const std::string& file) { return !name_before_frames(file).empty(); }

// Segments of that base name, and those that were being written.
std::vector<std::string> files_of_frames(const std::string& directory, const std::string& base) {
  std::error_code ignored;
  const std::string prefix = base + ".frames-", part = temporary_name("");
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().string();
    const std::string whole =
        name.ends_with(part) ? name.substr(0, name.size() - part.size()) : name;
    if (name.starts_with(prefix) && is_segment_name(whole)) names.push_back(name);
  }
  return names;
}

// Those of a base name that the index does not list.
void remove_unlisted(const std::string& directory, const std::string& base,
                     const ResultsIndex& index) {
  std::error_code ignored;
  for (const std::string& name : files_of_frames(directory, base)) {
    const std::string path = in(directory, name);
    const bool listed =
        std::ranges::find(index.segments, name, &Segment::file) != index.segments.end();
    // One that was being written has the name that only this program gives.
    if (!listed && is_regular(path) && (!is_segment_name(name) || has_mark(path, kSegmentMark)))
      fs::remove(path, ignored);
  }
}

std::vector<BulkMaterial> read_materials(const Hdf5Reader& file, const std::string& path) {
  const auto labels = file.read_strings("bulk_material/label");
  std::vector<std::vector<double>> columns;
  for (const char* name : {"young", "poisson", "density"}) {
    columns.push_back(file.read<double>(std::string("bulk_material/") + name));
    if (columns.back().size() != labels.size() ||
        !std::ranges::all_of(columns.back(), [](double x) { return std::isfinite(x); }))
      Hdf5Reader::fail_results(path, "its bulk materials are no numbers");
  }
  std::vector<BulkMaterial> materials;
  for (std::size_t i = 0; i < labels.size(); i++)
    materials.push_back({labels[i], columns[0][i], columns[1][i], columns[2][i]});
  return materials;
}

void write_materials(Hdf5Composer& file, const std::vector<BulkMaterial>& materials) {
  std::vector<std::string> labels;
  for (const BulkMaterial& m : materials) labels.push_back(m.label);
  const auto column = [&](double BulkMaterial::*member) {
    std::vector<double> values;
    for (const BulkMaterial& m : materials) values.push_back(m.*member);
    return values;
  };
  file.write_strings("bulk_material/label", labels, "labels of bulk materials, by index");
  file.write<double>("bulk_material/young", column(&BulkMaterial::young), 1, "Pa",
                     "Young's modulus, as it was last");
  file.write<double>("bulk_material/poisson", column(&BulkMaterial::poisson), 1, "",
                     "Poisson's ratio, as it was last");
  file.write<double>("bulk_material/density", column(&BulkMaterial::density), 1, "kg/m^3",
                     "density of bodies made last");
}

}  // namespace

std::string precise_time() {
  const auto now = std::chrono::system_clock::now();
  const auto nanoseconds = std::chrono::nanoseconds(now.time_since_epoch()).count() % 1000000000;
  return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:09}",
                     fmt::localtime(std::chrono::system_clock::to_time_t(now)), nanoseconds);
}

std::string index_path(const std::string& directory) {
  return in(directory, base_name(directory) + ".h5");
}

std::string segment_name(const std::string& directory, std::int64_t first, std::int64_t last) {
  return fmt::format("{}.frames-{:08}-{:08}.h5", base_name(directory), first, last);
}

bool results_exist(const std::string& directory) { return fs::exists(index_path(directory)); }

void demand_no_other_files(const std::string& directory) {
  const auto demand = [](const std::string& path, auto&& is_ours) {
    if (is_taken(path) && !(is_regular(path) && is_ours(path)))
      throw RunError(
          fmt::format("'{}' is no file of results, and would be written over: move it, or choose "
                      "another directory",
                      path));
  };
  demand(index_path(directory), [](const std::string& p) { return has_mark(p, kIndexMark); });
  demand(in(directory, "STATE"), is_state);
  for (const std::string& name : files_of_frames(directory, base_name(directory)))
    if (is_segment_name(name))
      demand(in(directory, name), [](const std::string& p) { return has_mark(p, kSegmentMark); });
}

ResultsIndex read_index(const std::string& directory) {
  const std::string path = index_path(directory);
  const Hdf5Reader file(path);
  if (!has_mark(file, kIndexMark))
    throw RunError(fmt::format("'{}' is not a file of Solfec's results", path));
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
    demand(is_segment_name(names[i]),
           fmt::format("'{:.100}' is no name of a file of frames", names[i]));
    demand(first[i] == next && frames[i] > 0 && frames[i] < kMostFrames - next,
           "its files of frames do not follow each other");
    next += frames[i];
    index.segments.push_back({names[i], first[i], frames[i]});
  }
  index.bulk_materials = read_materials(file, path);
  index.written = file.text_attribute("written");
  index.started = file.text_attribute("started");
  const auto parts = file.read_strings("model/name");
  const auto fingerprints = file.read<std::int64_t>("model/fingerprint");
  demand(parts.size() == fingerprints.size(), "its model has columns of different lengths");
  for (std::size_t i = 0; i < parts.size(); i++)
    index.model.push_back({parts[i], static_cast<std::uint64_t>(fingerprints[i])});
  return index;
}

void write_index(const std::string& directory, const ResultsIndex& index) {
  Hdf5Composer file;
  file.attribute("content", std::string(kIndexMark));
  file.attribute("format", kResultsFormat);
  file.attribute("program", fmt::format("Solfec {}", kVersion));
  file.attribute("units", std::string("SI"));
  file.attribute("analysis", index.analysis);
  file.attribute("started", index.started);
  file.attribute("written",
                 fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(std::time(nullptr))));
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
  std::vector<std::string> parts;
  std::vector<std::int64_t> fingerprints;
  for (const ModelPart& part : index.model) {
    parts.push_back(part.name);
    fingerprints.push_back(static_cast<std::int64_t>(part.fingerprint));
  }
  file.write_strings("model/name", parts, "parts of the model");
  file.write<std::int64_t>("model/fingerprint", fingerprints, 1, "",
                           "they differ when a part does");
  write_materials(file, index.bulk_materials);
  file.publish(index_path(directory));
}

void remove_results(const std::string& directory) {
  std::error_code ignored;
  const std::string base = base_name(directory), path = index_path(directory);
  if (has_mark(path, kIndexMark)) fs::remove(path, ignored);  // first: half are not read
  remove_unlisted(directory, base, {});
}

void remove_unlisted(const std::string& directory, const ResultsIndex& index) {
  remove_unlisted(directory, base_name(directory), index);
}

}  // namespace solfec
