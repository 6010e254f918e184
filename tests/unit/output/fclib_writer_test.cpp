// Files as they are written: arrays, texts, matrices in both compressed forms.
#include "output/fclib_writer.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "output/hdf5_reader.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::fclib_writer_test {
namespace {

using testing::ScratchDirectory;
using Integers = std::vector<std::int64_t>;

void write(const std::string& path) {
  FclibWriter file(path);
  file.group("a");
  file.write("a/text", std::string("µ"));
  file.write("a/none", std::vector<double>());
  file.write("a/count", 3);
  using By = CompressedMatrix::By;
  for (const By by : {By::rows, By::columns}) {
    CompressedMatrix matrix(by, by == By::rows ? 2 : 5, by == By::rows ? 5 : 2);
    matrix.add(0, 1.5);
    matrix.add(4, 2.5);
    matrix.end_line();
    matrix.end_line();
    file.write(by == By::rows ? "a/rows" : "a/columns", matrix);
  }
  file.publish();
}

TEST(FclibWriter, WritesArraysAndMatrices) {
  const ScratchDirectory scratch;
  write(scratch / "a.hdf5");
  const Hdf5Reader file(scratch / "a.hdf5");
  EXPECT_EQ(file.text("a/text"), "µ");
  EXPECT_TRUE(file.numbers("a/none").empty());
  EXPECT_EQ(file.integers("a/count"), Integers{3});
  for (const std::string name : {"a/rows", "a/columns"}) {
    EXPECT_EQ(file.integers(name + "/m"), Integers{name == "a/rows" ? 2 : 5});
    EXPECT_EQ(file.integers(name + "/n"), Integers{name == "a/rows" ? 5 : 2});
    EXPECT_EQ(file.integers(name + "/nz"), Integers{name == "a/rows" ? -2 : -1});
    EXPECT_EQ(file.integers(name + "/nzmax"), Integers{2});
    EXPECT_EQ(file.integers(name + "/p"), (Integers{0, 2, 2}));
    EXPECT_EQ(file.integers(name + "/i"), (Integers{0, 4}));
    EXPECT_EQ(file.numbers(name + "/x"), (std::vector<double>{1.5, 2.5}));
  }
}

TEST(FclibWriter, MakesEqualFilesOrNone) {
  const ScratchDirectory scratch;
  write(scratch / "a.hdf5");
  write(scratch / "b.hdf5");
  const auto content = [](const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  };
  EXPECT_EQ(content(scratch / "a.hdf5"), content(scratch / "b.hdf5"));
  EXPECT_THROW(write(scratch / "no/such"), RunError);
  EXPECT_FALSE(std::filesystem::exists(scratch / "no"));
}

}  // namespace
}  // namespace solfec::fclib_writer_test
