#include "output/results_writer.hpp"

#include <gtest/gtest.h>

#include "output/results_reader.hpp"
#include "output/segment_file.hpp"
#include "support/flat_columns.hpp"
#include "support/sample_domain.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::results_writer_test {
namespace {

using testing::ScratchDirectory;

FrameHeader header_of(int k) {
  FrameHeader h;
  h.time = 0.1 * k;
  h.number = k;
  return h;
}

std::size_t segment_files(const ScratchDirectory& scratch) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path()))
    count += entry.path().string().find(".frames-") != std::string::npos;
  return count;
}

TEST(ResultsWriter, ReadersSeePublishedFramesOnly) {
  const ScratchDirectory scratch;
  Domain domain;
  testing::fill_domain(domain);
  ResultsWriter writer(scratch.path().string(), "DYNAMIC", {});
  writer.publish();  // nothing to publish
  EXPECT_FALSE(results_exist(scratch.path().string()));
  writer.add(header_of(0), domain);
  writer.add(header_of(1), domain);
  EXPECT_FALSE(results_exist(scratch.path().string()));
  writer.publish();
  EXPECT_EQ(ResultsReader(scratch.path().string()).frames(), 2);
  writer.add(header_of(2), domain);
  EXPECT_EQ(ResultsReader(scratch.path().string()).frames(), 2);
  writer.publish();
  EXPECT_EQ(ResultsReader(scratch.path().string()).frames(), 3);
}

TEST(ResultsWriter, FramesDoNotWaitForLongSteps) {
  const ScratchDirectory scratch;
  Domain domain;
  testing::fill_domain(domain);
  ResultsWriter writer(scratch.path().string(), "DYNAMIC", {});
  writer.add(header_of(0), domain);
  EXPECT_FALSE(writer.is_due(0.001));  // the next step comes soon
  EXPECT_TRUE(writer.is_due(0.95));    // it would be more than a second old by then
  writer.publish();
  EXPECT_FALSE(writer.is_due(10)) << "nothing waits";
}

TEST(ResultsWriter, ManyShortSegmentsAreJoined) {
  const ScratchDirectory scratch;
  Domain domain;
  testing::fill_domain(domain);
  ResultsWriter writer(scratch.path().string(), "DYNAMIC", {});
  constexpr int kFrames = 100;
  for (int k = 0; k < kFrames; k++) {
    testing::fill_state(domain.bodies, k);
    testing::fill_contacts(domain, k % 7, k);
    if (k == 30)
      domain.bodies.add(testing::sample_body(9, BodyKind::rigid, {Sphere{{0, 0, 0}, 1}}));
    if (k == 60) domain.bodies.remove({false, false, true, false});
    writer.add(header_of(k), domain);
    writer.publish();
    if (k % 25 == 0) {
      EXPECT_EQ(ResultsReader(scratch.path().string()).frames(), k + 1);
    }
  }
  EXPECT_LT(segment_files(scratch), 25u);
  const ResultsIndex index = read_index(scratch.path().string());
  EXPECT_EQ(index.segments.size(), segment_files(scratch));  // old ones are gone
  const ResultsReader reader(scratch.path().string());
  ASSERT_EQ(reader.frames(), kFrames);
  for (int k = 0; k < kFrames; k++) {
    Domain read;
    read.bulk_materials = domain.bulk_materials;
    reader.load(k, read, [](int) { return ForceFunction(); });
    EXPECT_EQ(read.bodies.total(), k < 30 || k >= 60 ? 3 : 4) << k;
    EXPECT_EQ(read.constraints.count(), k % 7) << k;
    EXPECT_EQ(read.bodies.q(1)[5], std::sin(k + 7 * 1 + 5)) << k;
    EXPECT_EQ(reader.header(k).number, k);
  }
}

TEST(ResultsWriter, DefinitionsAreWrittenWhenTheyChangeOnly) {
  const ScratchDirectory scratch;
  Domain domain;
  testing::fill_domain(domain);
  ResultsWriter writer(scratch.path().string(), "DYNAMIC", {});
  for (int k = 0; k < 5; k++) {
    if (k == 3) domain.bodies[1].changes++;
    writer.add(header_of(k), domain);
  }
  writer.publish();
  const std::string file = read_index(scratch.path().string()).segments[0].file;
  const FrameData data = read_segment_file(scratch.path().string(), file);
  EXPECT_EQ(data.numbers<std::uint32_t>("frame/definitions"),
            (std::vector<std::uint32_t>{3, 0, 0, 1, 0}));
  EXPECT_EQ(data.numbers<std::uint32_t>("definition/id"), (std::vector<std::uint32_t>{0, 1, 3, 1}));
  EXPECT_EQ(data.numbers<std::uint32_t>("frame/layout"),
            (std::vector<std::uint32_t>{3, 0, 0, 0, 0}));
}

TEST(ResultsWriter, VeryLargeFramesAreTheSameInParts) {
  constexpr int kContacts = 150000;  // 36 MB
  FrameData written[2];
  for (bool compressed : {false, true}) {  // a compressed frame is written as a whole
    const ScratchDirectory scratch;
    const std::string directory = scratch.path().string();
    Domain domain;
    testing::fill_domain(domain);
    testing::fill_contacts(domain, kContacts, 2);
    ResultsWriter writer(directory, "DYNAMIC", {});
    writer.set_compression(compressed);
    writer.add(header_of(0), domain);
    EXPECT_EQ(writer.waiting(), compressed);
    EXPECT_EQ(domain.bodies[1].recorded, domain.bodies[1].changes);
    writer.publish();
    written[compressed] = read_segment_file(directory, read_index(directory).segments.at(0).file);
    // What waits goes first.
    testing::fill_contacts(domain, 5, 2);
    writer.add(header_of(1), domain);
    testing::fill_contacts(domain, kContacts, 3);
    writer.add(header_of(2), domain);
    writer.publish();
    const ResultsReader reader(directory);
    ASSERT_EQ(reader.frames(), 3);
    for (int k = 0; k < 3; k++) EXPECT_EQ(reader.header(k).number, k);
  }
  EXPECT_EQ(written[0].numbers<std::uint32_t>("frame/constraints").at(0), kContacts);
  EXPECT_TRUE(testing::flat(written[0]) == testing::flat(written[1]));
}

}  // namespace
}  // namespace solfec::results_writer_test
