// Tables of results out of a file, all or a part of their rows.
#pragma once

#include "output/hdf5_reader.hpp"
#include "output/result_rows.hpp"

namespace solfec {

/// Rows [begin, begin + count) of a column.
void read_column(const Hdf5Reader& file, Column& column, std::size_t begin, std::size_t count);

/// All rows of a table. Errors: of the file, or columns of different lengths.
void read_table(const Hdf5Reader& file, FrameData& data, TableId table);

/// Rows [begin, end) of a table and the rows of other tables that belong to them; of those before,
/// only how many there are is read.
FrameData read_rows(const Hdf5Reader& file, TableId table, std::size_t begin, std::size_t end);

}  // namespace solfec
