#include "output/results_files.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "output/hdf5_file.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::results_files_test {
namespace {

using testing::ScratchDirectory;

TEST(ResultsFiles, AreNamedAfterTheDirectory) {
  for (const char* directory : {"out/run", "out/run/", "out/./run", "out//run"})
    EXPECT_EQ(std::filesystem::path(index_path(directory)).filename(), "run.h5") << directory;
  EXPECT_EQ(segment_name("out/run", 0, 41), "run.frames-00000000-00000041.h5");
}

TEST(ResultsFiles, TheIndexComesBack) {
  const ScratchDirectory scratch;
  const std::string directory = scratch.path().string();
  EXPECT_FALSE(results_exist(directory));
  EXPECT_THROW(read_index(directory), RunError);
  const ResultsIndex index{
      "DYNAMIC",
      {{segment_name(directory, 0, 9), 0, 10}, {segment_name(directory, 10, 12), 10, 3}}};
  write_index(directory, index);
  EXPECT_TRUE(results_exist(directory));
  const ResultsIndex read = read_index(directory);
  EXPECT_EQ(read.analysis, "DYNAMIC");
  ASSERT_EQ(read.segments.size(), 2u);
  EXPECT_EQ(read.segments[1].file, segment_name(directory, 10, 12));
  EXPECT_EQ(read.segments[1].first, 10);
  EXPECT_EQ(read.segments[1].frames, 3);
}

TEST(ResultsFiles, AnotherFormatAndAnotherProgramAreRefused) {
  const auto refusal = [](const std::string& content) {
    const ScratchDirectory scratch;
    Hdf5Composer file;
    file.attribute("format", kResultsFormat + 1);
    if (!content.empty()) file.attribute("content", content);
    file.publish(index_path(scratch.path().string()));
    try {
      read_index(scratch.path().string());
    } catch (const RunError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal("Solfec results: index of segments").find("this program reads format"),
            std::string::npos);
  for (const std::string& content : {std::string(), std::string(kSegmentMark)})
    EXPECT_NE(refusal(content).find("is not a file of Solfec's results"), std::string::npos);
}

void write_segment(const std::string& path) {
  Hdf5Composer file;
  file.attribute("content", std::string(kSegmentMark));
  file.publish(path);
}

TEST(ResultsFiles, RemovingTakesResultsAndNothingElse) {
  const ScratchDirectory scratch;
  const std::string directory = scratch.path().string();
  write_index(directory, {"DYNAMIC", {}, {}});
  const std::string name = scratch.path().filename().string();
  const std::string segment = segment_name(directory, 0, 1),
                    part = temporary_name(segment_name(directory, 2, 3)),
                    not_ours = segment_name(directory, 4, 5), link = segment_name(directory, 6, 7);
  write_segment(scratch / segment);
  write_segment(scratch / "other.frames-00000000-00000001.h5");
  std::filesystem::create_symlink(scratch / segment, scratch / link);
  const std::vector<std::string> others = {"STATE",      "notes.txt", "other.frames-1-2.h5",
                                           name + ".py", not_ours,    segment + ".part"};
  std::ofstream(scratch / part) << "x";
  for (const std::string& file : others) std::ofstream(scratch / file) << "x";
  remove_results(directory);
  EXPECT_FALSE(results_exist(directory));
  EXPECT_FALSE(std::filesystem::exists(scratch / segment));
  EXPECT_FALSE(std::filesystem::exists(scratch / part));
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / link));
  EXPECT_TRUE(std::filesystem::exists(scratch / "other.frames-00000000-00000001.h5"));
  for (const std::string& file : others) EXPECT_TRUE(std::filesystem::exists(scratch / file));
}

TEST(ResultsFiles, OfOthersAreNotWrittenOver) {
  const auto demand = [](const char* name, const char* text, bool fine) {
    const ScratchDirectory scratch;
    const std::string directory = scratch.path().string();
    std::string file = name;
    if (file == "index") file = std::filesystem::path(index_path(directory)).filename();
    if (file == "segment") file = segment_name(directory, 0, 3);
    std::ofstream(scratch / file) << text;
    if (fine)
      EXPECT_NO_THROW(demand_no_other_files(directory)) << name;
    else
      EXPECT_THROW(demand_no_other_files(directory), RunError) << name;
  };
  demand("index", "text", false);
  demand("segment", "text", false);
  demand("STATE", "text", false);
  demand("STATE", "2026-01-02 03:04:05\nTIME: 3\nBODIES: 1\n", true);
  demand("notes.txt", "text", true);
}

TEST(ResultsFiles, OwnOnesMayBeWrittenOver) {
  const ScratchDirectory scratch;
  const std::string directory = scratch.path().string();
  write_index(directory, {"DYNAMIC", {}, {{"GRAVITY", 77}, {"OUTPUT", ~std::uint64_t{0}}}});
  write_segment(scratch / segment_name(directory, 0, 3));
  EXPECT_NO_THROW(demand_no_other_files(directory));
  const ResultsIndex index = read_index(directory);
  EXPECT_EQ(index.model, (std::vector<ModelPart>{{"GRAVITY", 77}, {"OUTPUT", ~std::uint64_t{0}}}));
  EXPECT_EQ(index.written.size(), std::string("2026-01-02 03:04:05").size());
}

}  // namespace
}  // namespace solfec::results_files_test
