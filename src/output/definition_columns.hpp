// Definitions of bodies out of a file, all or a part of them.
#pragma once

#include "output/frame_data.hpp"
#include "output/hdf5_reader.hpp"

namespace solfec {

/// The columns of rows [begin, end) of /definition and of the solids and loads that belong to them;
/// of other rows the counts only are read. For read_definitions().
FrameData read_definition_columns(const Hdf5Reader& file, std::size_t begin, std::size_t end);

}  // namespace solfec
