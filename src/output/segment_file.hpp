// One file of consecutive frames.
#pragma once

#include "output/frame_data.hpp"
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

/// Reads a whole file, on one rank.
FrameData read_segment_file(const std::string& directory, const std::string& file);

}  // namespace solfec
