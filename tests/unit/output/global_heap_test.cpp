#include "output/global_heap.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "core/error.hpp"
#include "output/hdf5_handle.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::global_heap_test {
namespace {

using Handle = Hdf5Handle;

// Strings as the library writes them, in several collections.
class GlobalHeap : public ::testing::Test {
 protected:
  GlobalHeap() {
    silence_hdf5();
    for (int k = 0; k < 60; k++)
      strings.push_back(
          std::string(static_cast<std::size_t>(k * k % 211), static_cast<char>('a' + k % 26)));
    const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                      "file");
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "type");
    H5Tset_size(type, H5T_VARIABLE);
    const hsize_t count = strings.size();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "space");
    const Handle set(
        H5Dcreate2(file, "strings", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
        "array");
    std::vector<const char*> pointers;
    for (const std::string& s : strings) pointers.push_back(s.c_str());
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data());
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    begin = H5Dget_offset(set);
  }

  std::vector<std::string> read() const {
    return read_heap_strings(path, std::filesystem::file_size(path), begin, strings.size());
  }

  testing::ScratchDirectory scratch;
  std::string path = scratch / "file.h5";
  std::vector<std::string> strings;
  std::uint64_t begin = 0;
};

TEST_F(GlobalHeap, StringsComeBack) {
  EXPECT_EQ(read(), strings);
  const std::uint64_t size = std::filesystem::file_size(path);
  EXPECT_TRUE(read_heap_strings(path, size, begin, 0).empty());
  EXPECT_THROW(read_heap_strings(path, size, size - 8, 1), RunError);
  EXPECT_THROW(read_heap_strings(path, size, begin, std::size_t{1} << 60), RunError);
}

// Memory stays in proportion to the file.
TEST_F(GlobalHeap, StringsThatShareTheirBytesAreRefused) {
  const auto number = [](auto value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  };
  constexpr std::uint64_t kSize = 4096, kLength = 4000;
  std::string bytes = std::string("GCOL\x01\0\0\0", 8) + number(kSize) + number(std::uint64_t{1}) +
                      number(kLength) + std::string(kLength, 'x');
  bytes.resize(kSize);
  for (int k = 0; k < 100; k++)
    bytes += number(static_cast<std::uint32_t>(kLength)) + number(std::uint64_t{0}) +
             number(std::uint32_t{1});
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(read_heap_strings(path, bytes.size(), kSize, 1).at(0), std::string(kLength, 'x'));
  EXPECT_THROW(read_heap_strings(path, bytes.size(), kSize, 100), RunError);
}

// Whatever bytes stand there: strings, or an error.
TEST_F(GlobalHeap, ChangedBytesEndInAnError) {
  std::ifstream in(path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  std::mt19937 random(5);
  int refused = 0, other = 0;
  for (int round = 0; round < 2000; round++) {
    std::string changed = whole;
    // Places and lengths: of references, or of objects in the first collection
    const std::size_t heap = whole.find("GCOL");
    const std::size_t from = round % 2 ? heap : begin,
                      span = round % 2 ? 4096 : 16 * strings.size();
    for (int k = 0; k < 1 + round % 3; k++)
      changed.at(from + random() % span) = static_cast<char>(random());
    std::ofstream(path, std::ios::binary) << changed;
    try {
      other += read() != strings;
    } catch (const RunError&) {
      refused++;
    }
  }
  EXPECT_GT(refused, 200);
  EXPECT_GT(other, 200);
}

}  // namespace
}  // namespace solfec::global_heap_test
