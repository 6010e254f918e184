#include "output/sparse_memory.hpp"

#include <gtest/gtest.h>

#include "support/random_solids.hpp"

namespace solfec::sparse_memory_test {
namespace {

TEST(SparseMemory, HoldsWhatAnArrayHolds) {
  constexpr int kSize = 5 * SparseMemory::kPage + 100;
  SparseMemory memory;
  std::vector<std::byte> array(kSize);
  testing::Random random(3);
  for (int k = 0; k < 200; k++) {
    const int begin = random.integer(0, kSize - 1),
              count = random.integer(0, std::min(kSize - begin, k % 2 ? 30 : 9000));
    std::vector<std::byte> bytes(count);
    for (auto& b : bytes) b = static_cast<std::byte>(random.integer(1, 255));
    memory.write(begin, bytes);
    std::ranges::copy(bytes, array.begin() + begin);
    std::vector<std::byte> found(kSize);
    memory.read(0, found);
    ASSERT_EQ(found, array);
  }
}

TEST(SparseMemory, KeepsWhatWasWrittenOnly) {
  SparseMemory memory;
  const std::vector<std::byte> bytes(10, std::byte{7});
  memory.write(100, bytes);
  memory.write(std::uint64_t{1} << 50, bytes);
  EXPECT_EQ(memory.size(), (std::uint64_t{1} << 50) + 10);
  memory.set_size((std::uint64_t{1} << 50) + 5);
  std::vector<std::pair<std::uint64_t, std::size_t>> pages;
  memory.visit_pages([&](std::uint64_t at, auto page) { pages.emplace_back(at, page.size()); });
  EXPECT_EQ(pages, (std::vector<std::pair<std::uint64_t, std::size_t>>{
                       {0, SparseMemory::kPage}, {std::uint64_t{1} << 50, 5}}));
}

}  // namespace
}  // namespace solfec::sparse_memory_test
