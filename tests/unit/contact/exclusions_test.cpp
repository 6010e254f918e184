// What must not touch; what detection makes of it: detection_test.cpp.
#include "contact/exclusions.hpp"

#include <gtest/gtest.h>

#include <array>

namespace solfec::exclusions_test {
namespace {

TEST(Exclusions, AreThoseOfEitherOrder) {
  ContactExclusions exclusions;
  EXPECT_TRUE(exclusions.empty());
  exclusions.exclude_bodies(BodyId{7}, BodyId{2});
  exclusions.exclude_surfaces(3, 1);
  exclusions.exclude_surfaces(4, 4);
  EXPECT_FALSE(exclusions.empty());
  EXPECT_TRUE(exclusions.bodies(BodyId{2}, BodyId{7}));
  EXPECT_FALSE(exclusions.bodies(BodyId{2}, BodyId{6}));
  EXPECT_TRUE(exclusions.surfaces(1, 3) && exclusions.surfaces(3, 1) && exclusions.surfaces(4, 4));
  EXPECT_FALSE(exclusions.surfaces(1, 4));
}

TEST(Exclusions, HeirsHaveTheExclusionsOfABody) {
  ContactExclusions exclusions;
  const BodyId gone{3}, other{1}, last{9};
  exclusions.exclude_bodies(gone, last);
  exclusions.exclude_bodies(other, gone);
  exclusions.exclude_pieces(other, 5, gone, 20);
  exclusions.exclude_pieces(gone, 31, last, 6);
  const std::array heirs = {BodyId{10}, BodyId{11}};
  // Pieces of the second heir count from 30 on.
  exclusions.inherit(gone, heirs, [&](int feature) {
    return feature < 30 ? ContactExclusions::Piece{heirs[0], feature}
                        : ContactExclusions::Piece{heirs[1], feature - 30};
  });
  for (BodyId heir : heirs) {
    EXPECT_TRUE(exclusions.bodies(heir, last));
    EXPECT_TRUE(exclusions.bodies(other, heir));
  }
  EXPECT_FALSE(exclusions.bodies(heirs[0], heirs[1]));
  EXPECT_FALSE(exclusions.bodies(other, last));
  EXPECT_TRUE(exclusions.pieces(heirs[0], 20, other, 5));
  EXPECT_TRUE(exclusions.pieces(last, 6, heirs[1], 1));
  EXPECT_FALSE(exclusions.pieces(heirs[1], 20, other, 5));
  EXPECT_FALSE(exclusions.pieces(last, 6, heirs[0], 1));
}

}  // namespace
}  // namespace solfec::exclusions_test
