#include "output/segment_file.hpp"

#include <algorithm>
#include <filesystem>
#include <type_traits>

#include "core/version.hpp"
#include "output/hdf5_file.hpp"
#include "output/results_files.hpp"

namespace solfec {

void write_segment_file(const FrameData& data, const std::string& directory,
                        const std::string& file, bool compressed) {
  Hdf5Composer h5;
  h5.attribute("content", std::string("Solfec results: consecutive frames"));
  h5.attribute("format", kResultsFormat);
  h5.attribute("program", std::string("Solfec ") + kVersion);
  visit_columns(data, [&](const char* path, const auto& column, std::size_t width, const char* unit,
                          const char* meaning) {
    using T = std::remove_cvref_t<decltype(column[0])>;
    // Small chunks: a history reads one body out of each frame.
    constexpr std::size_t kChunkBytes = 16384;
    const std::size_t chunk = std::max<std::size_t>(1, kChunkBytes / (width * sizeof(T)));
    h5.write<T>(path, column, width, unit, meaning, compressed ? chunk : 0);
  });
  h5.publish((std::filesystem::path(directory) / file).string());
}

FrameData read_segment_file(const std::string& directory, const std::string& file) {
  const Hdf5Reader h5((std::filesystem::path(directory) / file).string());
  FrameData data;
  visit_columns(data, [&](const char* path, auto& column, auto&&...) {
    column = h5.read<std::remove_cvref_t<decltype(column[0])>>(path);
  });
  return data;
}

}  // namespace solfec
