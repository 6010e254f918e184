#include "synchronisation/body_labels.hpp"

#include <gtest/gtest.h>

namespace solfec::body_labels_test {
namespace {

TEST(BodyLabels, FindTheLowestThatIsNotGone) {
  BodyLabels labels;
  const auto handle = [](std::uint32_t id) {
    auto made = std::make_shared<BodyHandle>();
    made->id = BodyId{id};
    made->record = std::make_unique<BodyState>();
    return made;
  };
  for (std::uint32_t id : {7u, 3u, 5u}) labels.add("one", handle(id));
  labels.add("", handle(1));
  EXPECT_EQ(labels.find("one", {})->id.value, 3u);
  EXPECT_TRUE(labels.knows("one", BodyId{7}));
  EXPECT_FALSE(labels.knows("one", BodyId{1}));
  EXPECT_FALSE(labels.knows("two", BodyId{7}));
  IdRanges gone;
  gone.insert(BodyId{3});
  EXPECT_EQ(labels.find("one", gone)->id.value, 5u);
  for (std::uint32_t id : {5u, 7u}) gone.insert(BodyId{id});
  EXPECT_EQ(labels.find("one", gone), nullptr);
  EXPECT_EQ(labels.find("two", {}), nullptr);
  EXPECT_EQ(labels.find("", {}), nullptr);
  EXPECT_NE(labels.find("one", {})->record, nullptr);
  labels.drop_records();
  EXPECT_EQ(labels.find("one", {})->record, nullptr);
}

}  // namespace
}  // namespace solfec::body_labels_test
