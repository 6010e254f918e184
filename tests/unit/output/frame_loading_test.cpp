// Loading of frames is tested with the reader (results_reader_test.cpp) and, on many ranks, in
// tests/parallel/results_test.cpp; here is what either would miss.
#include <gtest/gtest.h>

#include "output/results_reader.hpp"
#include "output/results_writer.hpp"
#include "support/sample_domain.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::frame_loading_test {
namespace {

TEST(FrameLoading, BodiesThatAreThereAreReplaced) {
  const testing::ScratchDirectory scratch;
  Domain wrote;
  testing::fill_domain(wrote);
  ResultsWriter writer(scratch.path().string(), "DYNAMIC", {});
  writer.add({}, wrote);
  writer.publish();

  Domain read;
  read.bulk_materials = wrote.bulk_materials;
  read.bodies.add(testing::sample_body(2, BodyKind::rigid, {Sphere{{0, 0, 0}, 1, 1, 1}}));
  read.constraints.all().resize(9);
  const ResultsReader reader(scratch.path().string());
  const auto no_function = [](int) { return ForceFunction(); };
  reader.load(0, read, no_function);
  EXPECT_EQ(read.bodies.find(BodyId{2}), -1);
  EXPECT_EQ(read.bodies.total(), 3);
  EXPECT_EQ(read.constraints.count(), 5);
  EXPECT_EQ(read.constraints.all()[3].body1, 1);
}

TEST(FrameLoading, DefinitionsThatAreInTheResultsAreNotWrittenAgain) {
  const testing::ScratchDirectory scratch;
  Domain domain;
  testing::fill_domain(domain);
  {
    ResultsWriter writer(scratch.path().string(), "DYNAMIC", {});
    writer.add({}, domain);
    writer.publish();
  }
  const auto no_function = [](int) { return ForceFunction(); };
  ResultsReader(scratch.path().string()).load(0, domain, no_function);
  domain.bodies[2].changes++;
  ResultsWriter writer(scratch.path().string(), "DYNAMIC", {}, ResultsWriter::How::go_on);
  writer.add({}, domain);
  writer.publish();
  const ResultsReader reader(scratch.path().string());
  EXPECT_EQ(reader.frames(), 2);
  EXPECT_EQ(reader.definitions_of(BodyId{1}).size(), 1u);
  EXPECT_EQ(reader.definitions_of(BodyId{3}).size(), 2u);
}

}  // namespace
}  // namespace solfec::frame_loading_test
