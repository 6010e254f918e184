#include "simulation/settings.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "solver/penalty.hpp"
#include "support/small_scene.hpp"

namespace solfec::settings_test {
namespace {

// Names of the settings that a change touches.
std::set<std::string> touched(const std::function<void(Simulation&, GaussSeidel&)>& change) {
  Simulation s;
  testing::make_scene(s, "out");
  GaussSeidel solver({});
  const std::vector<Setting> before = settings_of(s, solver);
  change(s, solver);
  const std::vector<Setting> after = settings_of(s, solver);
  std::set<std::string> names;
  EXPECT_EQ(before.size(), after.size());
  for (std::size_t k = 0; k < before.size(); k++)
    if (before[k].name != after[k].name || before[k].value != after[k].value)
      names.insert(after[k].name);
  return names;
}

TEST(Settings, EachHasItsName) {
  const auto one = [](const std::string& name) { return std::set<std::string>{name}; };
  EXPECT_TRUE(touched([](Simulation&, GaussSeidel&) {}).empty());
  EXPECT_EQ(touched([](Simulation& s, GaussSeidel&) { s.settings.step *= 2; }), one("SOLFEC.step"));
  EXPECT_EQ(touched([](Simulation& s, GaussSeidel&) { s.settings.output_interval = 1; }),
            one("OUTPUT"));
  EXPECT_EQ(touched([](Simulation& s, GaussSeidel&) { s.settings.determinacy = true; }),
            one("OUTPUT"));
  EXPECT_EQ(touched([](Simulation& s, GaussSeidel&) {
              s.domain.extents = Box{{0, 0, 0}, {1, 1, 1}};
            }),
            one("EXTENTS"));
  EXPECT_EQ(touched([](Simulation& s, GaussSeidel&) {
              s.domain.gravity.component[0] = TimeSeries({0, 1}, {2, 3});
            }),
            one("GRAVITY"));
  EXPECT_EQ(touched([](Simulation& s, GaussSeidel&) { s.domain.bulk_materials[0].young = 1; }),
            one("BULK_MATERIAL 'stuff'"));
  EXPECT_EQ(
      touched([](Simulation& s, GaussSeidel&) { s.domain.surface_materials[0].friction = 1; }),
      one("SURFACE_MATERIAL '" +
          [] {
            Simulation s;
            testing::make_scene(s, "out");
            return s.domain.surface_materials[0].label;
          }() +
          "'"));
  EXPECT_EQ(touched([](Simulation&, GaussSeidel& gs) { gs.settings.epsilon = 1; }),
            one("GAUSS_SEIDEL_SOLVER"));
  EXPECT_EQ(touched([](Simulation& s, GaussSeidel&) { s.domain.partition_settings.tolerance = 2; }),
            one("IMBALANCE_TOLERANCE"));
  EXPECT_EQ(touched([](Simulation& s, GaussSeidel&) { s.domain.user_forces.emplace_back(); }),
            one("FORCE with a callback"));
  EXPECT_EQ(touched([](Simulation& s, GaussSeidel&) { s.domain.spring_functions.emplace_back(); }),
            one("PUT_SPRING"));
}

TEST(Settings, ThePenaltySolverHasItsOwn) {
  Simulation s;
  EXPECT_EQ(settings_of(s, Penalty(true)).back().name, "PENALTY_SOLVER");
  EXPECT_NE(settings_of(s, Penalty(true)).back().value,
            settings_of(s, Penalty(false)).back().value);
}

}  // namespace
}  // namespace solfec::settings_test
