#include "output/frame_checks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "output/results_reader.hpp"
#include "output/results_writer.hpp"
#include "output/segment_file.hpp"
#include "support/random_solids.hpp"
#include "support/sample_domain.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::frame_checks_test {
namespace {

// Results of one file of four frames, whose columns a test changes.
class FrameChecks : public ::testing::Test {
 protected:
  static constexpr int kFrames = 4;

  FrameChecks() {
    Domain domain;
    testing::fill_domain(domain);
    Body meshed = testing::sample_body(7, BodyKind::finite_element, {testing::sample_mesh()});
    meshed.nodes = static_cast<int>(testing::sample_mesh().nodes.size());
    meshed.scheme = Scheme::def_lim;
    meshed.density = 1000;
    domain.bodies.add(std::move(meshed));
    ResultsWriter writer(directory, "DYNAMIC", {});
    for (int k = 0; k < kFrames; k++) {
      testing::fill_state(domain.bodies, k);
      testing::fill_contacts(domain, 2 * k, k + 1);
      FrameHeader header;
      header.time = k;
      header.run = 1;
      if (k == 2) domain.bodies[1].changes++;
      writer.add(header, domain);
    }
    writer.publish();
    file = read_index(directory).segments.at(0).file;
    columns = read_segment_file(directory, file);
    materials = domain.bulk_materials;
  }

  // All that a program asks of results; nothing, or what it says.
  std::string read() const {
    try {
      const ResultsReader reader(directory);
      for (int k = 0; k < reader.frames(); k++) {
        Domain domain;
        domain.bulk_materials = materials;
        reader.load(k, domain, [](int) { return ForceFunction(); });
        reader.header(k);
        reader.partition(k);
      }
      for (std::uint32_t id = 0; id < 9; id++) {
        reader.definitions_of(BodyId{id});
        reader.body_states(BodyId{id}, 0, reader.frames());
        reader.body_energies(BodyId{id}, 0, reader.frames());
      }
      double sum = 0;
      reader.visit_constraints(0, reader.frames(), [&](int, const auto& rows) {
        for (std::size_t i = 0; i < rows.count; i++) sum += rows.gap[i] + rows.R[3 * i + 2];
      });
      return std::isnan(sum) ? "" : "";  // every number was touched
    } catch (const RunError& error) {
      return error.what();
    }
  }
  std::string read(const FrameData& changed) const {
    write_segment_file(changed, directory, file, false);
    return read();
  }

  template <class Change>
  void expect_refused(Change&& change, const char* why) {
    FrameData changed = columns;
    change(changed);
    const std::string said = read(changed);
    EXPECT_NE(said.find(why), std::string::npos) << why << ": " << said;
    EXPECT_NE(said.find(file), std::string::npos) << said;
  }

  testing::ScratchDirectory scratch;
  std::string directory = scratch.path().string(), file;
  FrameData columns;
  BulkMaterials materials;
};

TEST_F(FrameChecks, WhatWasWrittenIsGood) { EXPECT_EQ(read(columns), ""); }

TEST_F(FrameChecks, FramesThatContradictThemselvesAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused([](FrameData& d) { d.merit.pop_back(); }, "'frame/merit' has 3 rows");
  expect_refused([](FrameData& d) { d.layout_nodes.push_back(0); }, "'layout/nodes'");
  expect_refused([](FrameData& d) { d.time[1] = 7; }, "do not fall");
  expect_refused([=](FrameData& d) { d.time[3] = nan; }, "do not fall");
  expect_refused([](FrameData& d) { d.solver[2] = 77; }, "solver is unknown");
  expect_refused([](FrameData& d) { d.run[0] = 2147483647; }, "numbers of RUNs");
  expect_refused([](FrameData& d) { d.run[0] = -1; }, "numbers of RUNs");
  expect_refused([](FrameData& d) { d.ranks[0] = 0; }, "ranks");
  expect_refused([](FrameData& d) { d.partition_at = {1}; }, "'partition/axes' has 0 rows");
  expect_refused([](FrameData& d) { d.partition[1] = 4000000; }, "division of space");
  expect_refused([](FrameData& d) { d.layout[0]++; }, "fewer rows of bodies");
  expect_refused(
      [](FrameData& d) {
        d.layout[0]--;
        d.bodies[0]--;
      },
      "number of bodies");
  expect_refused([](FrameData& d) { d.layout_id[1] = 0; }, "do not rise");
  expect_refused([](FrameData& d) { d.layout_freedom[2] = 600000000; }, "velocities");
  expect_refused(
      [](FrameData& d) {
        d.layout_nodes[3] = 1431655765;
        d.layout_freedom[3] = 4294967295;
      },
      "velocities");
  expect_refused([](FrameData& d) { d.constraints[3] = 4000000; }, "'constraint/");
  expect_refused([](FrameData& d) { d.definitions[3] = 4000000; }, "'definition/");
  expect_refused([](FrameData& d) { d.bonds[3]++; }, "bond");
  expect_refused([](FrameData& d) { clear(d); }, "it has no frame");
}

// The first frame is written before space is divided; other ranks may go on from any.
TEST_F(FrameChecks, FramesMayBeWithoutADivisionOfSpace) {
  columns.ranks = {3, 3, 2, 2};
  columns.partition = {0, 2, 0, 1};
  columns.partition_at = {0.5, 0.7, 0.9};
  columns.partition_direction = {0, 1, 2};
  columns.partition_axes.clear();
  for (int cut = 0; cut < 3; cut++)
    for (int i = 0; i < 9; i++) columns.partition_axes.push_back(i % 4 == 0 ? 1 : 0);
  ASSERT_EQ(read(columns), "");
  const ResultsReader reader(directory);
  EXPECT_TRUE(reader.partition(0).cuts.empty());
  EXPECT_EQ(reader.partition(1).cuts, (std::vector<Cut>{{0, 0.5}, {1, 0.7}}));
  EXPECT_TRUE(reader.partition(2).cuts.empty());
  EXPECT_EQ(reader.partition(3).cuts, (std::vector<Cut>{{2, 0.9}}));
}

TEST_F(FrameChecks, DefinitionsThatNobodyCouldMakeAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused([](FrameData& d) { d.def_kind[1] = 9; }, "unknown kind");
  expect_refused([](FrameData& d) { d.def_id[1] = 5; }, "body 1 is not defined");
  expect_refused([](FrameData& d) { d.def_kind[3] = 1; }, "number of nodes");
  expect_refused([](FrameData& d) { d.def_nodes[3]--; }, "number of nodes");
  expect_refused([=](FrameData& d) { d.def_tensor[12] = nan; }, "no mass");
  expect_refused([](FrameData& d) { d.def_label_size[0] = 4294967295; }, "label_text");
  expect_refused([](FrameData& d) { d.def_background[0] = 1; }, "no shape");
  expect_refused([](FrameData& d) { d.def_background[1] = 1; }, "background mesh");
  expect_refused([](FrameData& d) { d.solid_kind[0] = 8; }, "unknown kind");
  expect_refused([](FrameData& d) { d.solid_kind[1] = 1; }, "an element has");
  expect_refused([](FrameData& d) { d.solid_kind[2] = 0; }, "less numbers");
  expect_refused([](FrameData& d) { d.solid_kind[2] = 3; }, "less numbers than it needs");
  expect_refused([](FrameData& d) { d.solid_integer[0] = 1 << 30; }, "less numbers");
  expect_refused([](FrameData& d) { d.solid_integer[0] = -1; }, "less numbers");
  expect_refused([](FrameData& d) { d.solid_integer[1] = 7; }, "7 nodes");
  expect_refused([](FrameData& d) { d.solid_integer[2] = 4000; }, "node that is not there");
  expect_refused([](FrameData& d) { d.solid_integer[2] = -4; }, "node that is not there");
  expect_refused([=](FrameData& d) { d.solid_point[0] = nan; }, "not finite");
  expect_refused([](FrameData& d) { d.load_kind[0] = 4; }, "unknown kind");
  expect_refused([](FrameData& d) { d.load_series[2] = -1; }, "increasing");
  expect_refused([](FrameData& d) { d.joint_kind[0] = 0; }, "unknown kind");
  expect_refused([](FrameData& d) { d.joint_across[0] = 1; }, "directions");
  expect_refused([](FrameData& d) { d.joint_given[0] = 3; }, "unknown kind");
}

TEST_F(FrameChecks, StatesAndConstraintsThatCannotBeAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused([=](FrameData& d) { d.q[5] = nan; }, "not finite");
  expect_refused([](FrameData& d) { d.constraint_kind[1] = 99; }, "unknown kind");
  expect_refused([](FrameData& d) { d.body1[1] = 6; }, "not there");
  expect_refused([](FrameData& d) { d.body2[1] = 4294967295; }, "not there");
  expect_refused([](FrameData& d) { d.element1[1] = 5; }, "element 5");
  expect_refused([](FrameData& d) { d.element1[1] = -7; }, "not there");
  expect_refused([](FrameData& d) { d.material[1] = -2; }, "not there");
  expect_refused([=](FrameData& d) { d.R[1] = nan; }, "not finite");
  expect_refused([](FrameData& d) { d.bond_constraint[0] = 90; }, "bonds");
}

// Whatever numbers a file holds: an error with the name of the file, or none.
TEST_F(FrameChecks, RandomChangesEndInOneError) {
  testing::Random random(3);
  int refused = 0, read = 0;
  for (int round = 0; round < 300; round++) {
    FrameData changed = columns;
    const double chosen = random.uniform(0, 1), value = random.uniform(0, 1);
    double sum = 0, all = 0;
    visit_columns(changed, [&](const char*, auto& column, auto&&...) { all += !column.empty(); });
    visit_columns(changed, [&](const char*, auto& column, std::size_t width, auto&&...) {
      if (column.empty()) return;
      const bool here = sum <= chosen * all && chosen * all < sum + 1;
      sum += 1;
      if (!here) return;
      using T = std::remove_cvref_t<decltype(column[0])>;
      const auto at = static_cast<std::size_t>(value * static_cast<double>(column.size()));
      switch (round % 6) {
        case 0:
          column[at] = std::numeric_limits<T>::max();
          break;
        case 1:
          column[at] = std::numeric_limits<T>::lowest();
          break;
        case 2:
          column[at] = static_cast<T>(column[at] + 1);
          break;
        case 3:
          column[at] = static_cast<T>(column[at] / 2);
          break;
        case 4:
          column.resize(column.size() - width);
          break;
        default:
          column[at] = static_cast<T>(std::numeric_limits<T>::max() / 3 * 2 + 1);
      }
    });
    (this->read(changed).empty() ? read : refused)++;
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(read, 50);
}

}  // namespace
}  // namespace solfec::frame_checks_test
