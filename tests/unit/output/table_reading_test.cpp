#include "output/table_reading.hpp"

#include <gtest/gtest.h>

#include "output/segment_file.hpp"
#include "support/flat_columns.hpp"
#include "support/sample_domain.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::table_reading_test {
namespace {

TEST(TableReading, AnyPartOfDefinitionsIsThatOfTheBodiesInIt) {
  Domain domain;
  testing::fill_domain(domain);
  FrameData all;
  constexpr std::size_t kRows = 7;
  for (std::size_t row = 0; row < kRows; row++)
    append(all, domain.bodies[static_cast<int>(row) * 2 % 3]);
  const testing::ScratchDirectory scratch;
  write_segment_file(all, scratch.path().string(), "file.h5", false);
  const Hdf5Reader file(scratch / "file.h5");
  for (std::size_t begin = 0; begin <= kRows; begin++)
    for (std::size_t end = begin; end <= kRows; end++) {
      FrameData part;
      for (std::size_t row = begin; row < end; row++)
        append(part, domain.bodies[static_cast<int>(row) * 2 % 3]);
      EXPECT_EQ(testing::flat(read_rows(file, TableId::definition, begin, end)),
                testing::flat(part))
          << begin << " " << end;
    }
}

TEST(TableReading, ColumnsOfATableAreEquallyLong) {
  FrameData data = testing::numbered(3, 1);
  data.numbers<double>("bond/gap").pop_back();
  const testing::ScratchDirectory scratch;
  write_segment_file(data, scratch.path().string(), "file.h5", false);
  const Hdf5Reader file(scratch / "file.h5");
  FrameData read;
  read_table(file, read, TableId::constraint);
  EXPECT_EQ(read.numbers<double>("constraint/R"), data.numbers<double>("constraint/R"));
  EXPECT_EQ(read[TableId::frame].rows(), 0u) << "no other table";
  EXPECT_THROW(read_table(file, read, TableId::bond), RunError);
}

}  // namespace
}  // namespace solfec::table_reading_test
