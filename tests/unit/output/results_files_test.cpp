#include "output/results_files.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "output/hdf5_file.hpp"
#include "support/scratch_directory.hpp"

namespace solfec {
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

TEST(ResultsFiles, AnotherFormatIsRefused) {
  const ScratchDirectory scratch;
  Hdf5Composer file;
  file.attribute("format", kResultsFormat + 1);
  file.publish(index_path(scratch.path().string()));
  EXPECT_THROW(read_index(scratch.path().string()), RunError);
}

TEST(ResultsFiles, RemovingTakesResultsAndNothingElse) {
  const ScratchDirectory scratch;
  const std::string directory = scratch.path().string();
  write_index(directory, {"DYNAMIC", {}});
  const std::string name = scratch.path().filename().string();
  const std::vector<std::string> results = {name + ".frames-00000000-00000001.h5",
                                            name + ".frames-00000002-00000003.h5.part"};
  const std::vector<std::string> others = {"STATE", "notes.txt", "other.frames-1-2.h5",
                                           name + ".py"};
  for (const auto* list : {&results, &others})
    for (const std::string& file : *list) std::ofstream(scratch / file) << "x";
  remove_results(directory);
  EXPECT_FALSE(results_exist(directory));
  for (const std::string& file : results) EXPECT_FALSE(std::filesystem::exists(scratch / file));
  for (const std::string& file : others) EXPECT_TRUE(std::filesystem::exists(scratch / file));
}

}  // namespace
}  // namespace solfec
