// One file of consecutive frames.
#pragma once

#include "output/frame_data.hpp"

namespace solfec {

void write_segment_file(const FrameData& data, const std::string& directory,
                        const std::string& file, bool compressed);

FrameData read_segment_file(const std::string& directory, const std::string& file);

}  // namespace solfec
