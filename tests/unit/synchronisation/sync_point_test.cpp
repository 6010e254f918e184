#include "synchronisation/sync_point.hpp"

#include <gtest/gtest.h>

namespace solfec::sync_point_test {
namespace {

TEST(SyncPoint, OneRankAgreesWithItself) {
  CommandLog log;
  log.record("A", CommandLog::Side::common, {});
  SyncRequest request;
  request.stop = true;
  request.settings = {{"step", 1}};
  const SyncResult result = synchronise_alike(Communicator(), request, log);
  EXPECT_TRUE(result.stop);
  EXPECT_FALSE(result.changed || result.failure || result.mismatch);
  EXPECT_TRUE(log.entries().empty());
}

TEST(SyncPoint, NamesTheSettingThatDiffers) {
  using Settings = std::vector<Setting>;
  const Settings one = {{"step", 1}, {"steel", 2}, {"steel", 3}};
  EXPECT_FALSE(mismatch_of(std::vector<Settings>{one, one, one}));
  // The second of one name.
  EXPECT_EQ(mismatch_of(std::vector<Settings>{one, one, {{"step", 1}, {"steel", 2}, {"steel", 4}}}),
            "steel differs between rank 0 and rank 2");
  EXPECT_EQ(mismatch_of(std::vector<Settings>{one, {{"step", 1}, {"steel", 2}}}),
            "settings differ between rank 0 and rank 1");
}

}  // namespace
}  // namespace solfec::sync_point_test
