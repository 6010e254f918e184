#include "output/hdf5_file.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "core/error.hpp"
#include "output/hdf5_reader.hpp"
#include "support/full_disk.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::hdf5_file_test {
namespace {

using testing::ScratchDirectory;

// In one go, or compressed in chunks and in two parts.
template <class T>
void write(Hdf5Composer& composer, const std::string& path, const std::vector<T>& numbers,
           std::size_t width, std::size_t chunk) {
  if (chunk == 0) return composer.write<T>(path, numbers, width, "m", "some");
  const std::size_t half = numbers.size() / width / 2 * width;
  composer.compress(path, number_type<T>(), numbers.size() / width, width, "m", "some", chunk);
  composer.append<T>(std::span(numbers).first(half));
  composer.append<T>(std::span(numbers).subspan(half));
}

template <class T>
void check_round_trip(std::size_t chunk) {
  const ScratchDirectory scratch;
  std::vector<T> line(1000), table(999);
  std::iota(line.begin(), line.end(), T(1));
  std::iota(table.begin(), table.end(), T(3));
  Hdf5Composer composer;
  write(composer, "a/b/line", line, 1, chunk);
  write(composer, "a/table", table, 3, chunk);
  write(composer, "a/nothing", std::vector<T>(), 1, chunk);
  composer.publish(scratch / "file.h5");
  const Hdf5Reader reader(scratch / "file.h5");
  EXPECT_EQ(reader.read<T>("a/b/line"), line);
  EXPECT_EQ(reader.read<T>("a/table", 3), table);
  EXPECT_TRUE(reader.read<T>("a/nothing").empty());
  EXPECT_EQ(reader.read<T>("a/b/line", 1, 10, 5),
            std::vector<T>(line.begin() + 10, line.begin() + 15));
  EXPECT_EQ(reader.read<T>("a/table", 3, 2, 4),
            std::vector<T>(table.begin() + 6, table.begin() + 18));
  // Blocks of 2, 7 apart.
  std::vector<T> blocks;
  for (int k = 0; k < 5; k++) blocks.insert(blocks.end(), {line[3 + 7 * k], line[4 + 7 * k]});
  EXPECT_EQ(reader.read_strided<T>("a/b/line", 3, 7, 5, 2), blocks);
}

TEST(Hdf5File, ArraysOfAllTypesComeBack) {
  for (std::size_t chunk : {0, 7, 5000}) {
    check_round_trip<double>(chunk);
    check_round_trip<std::int32_t>(chunk);
    check_round_trip<std::uint32_t>(chunk);
    check_round_trip<std::int64_t>(chunk);
    check_round_trip<std::uint8_t>(chunk);
  }
}

// The numbers of arrays that are laid out only come from elsewhere.
TEST(Hdf5File, ArraysAreFilledOnDisk) {
  const ScratchDirectory scratch;
  const std::string path = scratch / "file.h5";
  constexpr std::size_t kMany = std::size_t{1} << 40;  // more than memory or disk would hold
  Hdf5Composer composer;
  const auto first = composer.lay_out("a", number_type<double>(), 3, 1, "m", "three");
  composer.lay_out("huge", number_type<double>(), kMany, 1, "", "many");
  const auto last = composer.lay_out("b", number_type<std::int32_t>(), 2, 2, "", "four");
  EXPECT_EQ(composer.lay_out("none", number_type<double>(), 0, 1, "", "none"), 0u);
  composer.write_file(path);
  EXPECT_GT(std::filesystem::file_size(path), 8 * kMany);
  const std::vector<double> a = {1, 2, 3};
  const std::vector<std::int32_t> b = {4, 5, 6, 7};
  OutputFile file(path, OutputFile::How::existing);
  file.write(first, a.data(), 2 * sizeof(double));
  file.write(first + 2 * sizeof(double), &a[2], sizeof(double));
  file.write(last, b.data(), b.size() * sizeof(b[0]));
  file.close();
  const Hdf5Reader reader(path);
  EXPECT_EQ(reader.read<double>("a"), a);
  EXPECT_EQ(reader.read<std::int32_t>("b", 2), b);
  EXPECT_EQ(reader.read<double>("huge", 1, kMany - 1, 1), std::vector<double>{0});
}

TEST(Hdf5File, AttributesAndStringsComeBack) {
  const ScratchDirectory scratch;
  Hdf5Composer composer;
  composer.attribute("text", std::string("some words"));
  composer.attribute("number", std::int64_t{1} << 40);
  const std::vector<std::string> strings = {"one", "", "thr\xc3\xa9\xc3\xa9"};
  composer.write_strings("names", strings, "names");
  composer.write_strings("none", {}, "none");
  composer.publish(scratch / "file.h5");
  const Hdf5Reader reader(scratch / "file.h5");
  EXPECT_EQ(reader.text_attribute("text"), "some words");
  EXPECT_EQ(reader.attribute("number"), std::int64_t{1} << 40);
  EXPECT_EQ(reader.read_strings("names"), strings);
  EXPECT_TRUE(reader.read_strings("none").empty());
}

TEST(Hdf5File, WhatIsMissingIsNamed) {
  const ScratchDirectory scratch;
  EXPECT_THROW(Hdf5Reader(scratch / "no.h5"), RunError);
  Hdf5Composer composer;
  composer.write<double>("a", std::vector<double>{1, 2}, 1, "", "a");
  composer.publish(scratch / "file.h5");
  const Hdf5Reader reader(scratch / "file.h5");
  EXPECT_THROW(reader.read<double>("b"), RunError);
  EXPECT_THROW(reader.read<double>("a", 1, 1, 2), RunError);
  EXPECT_THROW(reader.attribute("b"), RunError);
  EXPECT_THROW(reader.text_attribute("b"), RunError);
  EXPECT_THROW(reader.read_strings("b"), RunError);
  try {
    reader.read<double>("b");
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("file.h5"), std::string::npos) << error.what();
  }
}

TEST(Hdf5File, AFailedPublishLeavesWhatWasThere) {
  const ScratchDirectory scratch;
  const std::string path = scratch / "file.h5";
  Hdf5Composer first;
  first.attribute("number", 1);
  first.publish(path);

  Hdf5Composer second;
  second.attribute("number", 2);
  second.write<double>("a", std::vector<double>(10000), 1, "", "a");
  {
    const testing::FullDisk full(1000);
    EXPECT_THROW(second.publish(path), RunError);
  }

  EXPECT_EQ(Hdf5Reader(path).attribute("number"), 1);
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  EXPECT_THROW(second.publish(scratch / "no/such/file.h5"), RunError);
  second.publish(path);  // replaces
  EXPECT_EQ(Hdf5Reader(path).attribute("number"), 2);
}

}  // namespace
}  // namespace solfec::hdf5_file_test
