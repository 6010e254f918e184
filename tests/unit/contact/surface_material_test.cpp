#include "contact/surface_material.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "support/random_solids.hpp"

namespace solfec::surface_material_test {
namespace {

SurfaceMaterial material(std::optional<int> s1, std::optional<int> s2, const std::string& label) {
  SurfaceMaterial m;
  m.surface1 = s1;
  m.surface2 = s2;
  m.label = label;
  return m;
}

TEST(SurfaceMaterial, DefaultIsThereFromTheStart) {
  SurfaceMaterials materials;
  EXPECT_EQ(materials.count(), 1);
  EXPECT_EQ(materials.find_pair(-3, 17), 0);
  EXPECT_EQ(materials[0].label, "DEFAULT");
  EXPECT_EQ(materials[0].friction, 0);
  EXPECT_EQ(materials.find_label("DEFAULT"), 0);
  EXPECT_EQ(materials.find_label("none"), -1);
}

TEST(SurfaceMaterial, LookUpGoesFromThePairToTheDefault) {
  SurfaceMaterials materials;
  const auto label = [&](int a, int b) {
    EXPECT_EQ(materials.find_pair(a, b), materials.find_pair(b, a)) << "pairs are unordered";
    return materials[materials.find_pair(a, b)].label;
  };
  materials.store(material({}, {}, "any"));
  EXPECT_EQ(label(1, 2), "any");
  materials.store(material(2, {}, "two"));
  EXPECT_EQ(label(1, 2), "two");
  EXPECT_EQ(label(2, 2), "two");
  EXPECT_EQ(label(1, 3), "any");
  materials.store(material({}, 1, "one"));
  EXPECT_EQ(label(1, 2), "one") << "the smaller identifier goes first";
  materials.store(material(2, 1, "pair"));
  EXPECT_EQ(label(1, 2), "pair");
  EXPECT_EQ(label(2, 3), "two");
  EXPECT_EQ(label(1, 1), "one");
  materials.store(material(-5, 2, "negative"));
  EXPECT_EQ(label(2, -5), "negative");
}

TEST(SurfaceMaterial, StoringAgainOverwritesAndKeepsTheIndex) {
  SurfaceMaterials materials;
  const int pair = materials.store(material(1, 2, "old"));
  const int single = materials.store(material(1, {}, "old single"));
  EXPECT_EQ(materials.store(material(2, 1, "new")), pair);
  EXPECT_EQ(materials[pair].label, "new");
  EXPECT_EQ(materials.store(material({}, 1, "new single")), single);
  EXPECT_EQ(materials[single].surface1, 1) << "one surface is the first one";
  EXPECT_EQ(materials.store(material({}, {}, "new default")), 0);
  EXPECT_EQ(materials.count(), 3);
  EXPECT_EQ(materials.made(), 5);
  EXPECT_EQ(materials.find_label("old"), -1);
}

TEST(SurfaceMaterial, ManyPairsAgainstTheRule) {
  testing::Random random(1);
  SurfaceMaterials materials;
  std::map<std::pair<int, int>, std::string> pairs;
  std::map<int, std::string> singles;
  for (int k = 0; k < 300; k++) {
    const int a = random.integer(-10, 10), b = random.integer(-10, 10);
    const std::string label = fmt::format("m{}", k);
    if (k % 10 == 0) {
      materials.store(material(a, {}, label));
      singles[a] = label;
    } else {
      materials.store(material(a, b, label));
      pairs[std::minmax(a, b)] = label;
    }
  }
  for (int a = -12; a <= 12; a++)
    for (int b = a; b <= 12; b++) {
      std::string expected = "DEFAULT";
      if (singles.contains(b)) expected = singles[b];
      if (singles.contains(a)) expected = singles[a];
      if (pairs.contains({a, b})) expected = pairs[{a, b}];
      EXPECT_EQ(materials[materials.find_pair(b, a)].label, expected);
    }
}

}  // namespace
}  // namespace solfec::surface_material_test
