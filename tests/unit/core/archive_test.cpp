#include "core/archive.hpp"

#include <gtest/gtest.h>

#include "core/ids.hpp"

namespace solfec::archive_test {
namespace {

template <class T>
T copy(const T& value) {
  ArchiveWriter writer;
  writer(value);
  ArchiveReader reader(writer.bytes());
  T result = reader.get<T>();
  EXPECT_TRUE(reader.done());
  return result;
}

TEST(Archive, KeepsNumbersTextAndContainers) {
  EXPECT_EQ(copy(-3), -3);
  EXPECT_EQ(copy(0.1), 0.1);
  EXPECT_EQ(copy(std::string("b\0dy \xc3\xa9", 7)), std::string("b\0dy \xc3\xa9", 7));
  EXPECT_EQ(copy(std::vector<std::string>{"", "a"}), (std::vector<std::string>{"", "a"}));
  EXPECT_EQ(copy(std::vector<std::vector<int>>{{1, 2}, {}}),
            (std::vector<std::vector<int>>{{1, 2}, {}}));
  EXPECT_EQ(copy(std::optional<double>()), std::nullopt);
  EXPECT_EQ(copy(std::optional<double>(2.5)), 2.5);
  EXPECT_EQ(copy(Vec3(1, 2, 3)), Vec3(1, 2, 3));
  EXPECT_EQ(copy(BodyId{7}), BodyId{7});
}

TEST(Archive, RefusesBytesThatAreTooFew) {
  ArchiveWriter writer;
  writer(std::string("abc"));
  Bytes bytes = writer.take();
  bytes.pop_back();
  ArchiveReader reader(bytes);
  EXPECT_ANY_THROW(reader.get<std::string>());
}

TEST(Archive, FingerprintsDifferAndContinue) {
  const Bytes a = {std::byte{1}, std::byte{2}}, b = {std::byte{2}, std::byte{1}};
  EXPECT_NE(fingerprint(a), fingerprint(b));
  EXPECT_EQ(fingerprint(a),
            fingerprint(std::span(a).subspan(1), fingerprint(std::span(a).first(1))));
}

}  // namespace
}  // namespace solfec::archive_test
