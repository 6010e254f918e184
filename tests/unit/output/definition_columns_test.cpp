#include "output/definition_columns.hpp"

#include <gtest/gtest.h>

#include "output/segment_file.hpp"
#include "support/sample_domain.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::definition_columns_test {
namespace {

// The numbers of all columns, one after the other.
std::vector<double> flat(const FrameData& data) {
  std::vector<double> all;
  visit_columns(data, [&](const char*, const auto& column, auto&&...) {
    for (const auto& x : column) all.push_back(static_cast<double>(x));
    all.push_back(-12345.678);
  });
  return all;
}

TEST(DefinitionColumns, AnyPartIsThatOfTheBodiesInIt) {
  Domain domain;
  testing::fill_domain(domain);
  FrameData all;
  constexpr std::size_t kRows = 7;
  for (std::size_t row = 0; row < kRows; row++) append_definition(all, domain.bodies[row * 2 % 3]);
  const testing::ScratchDirectory scratch;
  write_segment_file(all, scratch.path().string(), "file.h5", false);
  const Hdf5Reader file(scratch / "file.h5");
  for (std::size_t begin = 0; begin <= kRows; begin++)
    for (std::size_t end = begin; end <= kRows; end++) {
      FrameData part;
      for (std::size_t row = begin; row < end; row++)
        append_definition(part, domain.bodies[row * 2 % 3]);
      EXPECT_EQ(flat(read_definition_columns(file, begin, end)), flat(part)) << begin << " " << end;
    }
}

}  // namespace
}  // namespace solfec::definition_columns_test
