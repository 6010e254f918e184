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

}  // namespace
}  // namespace solfec::sync_point_test
