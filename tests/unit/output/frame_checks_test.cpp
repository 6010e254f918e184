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

std::vector<double>& f64(FrameData& d, const char* path) { return d.numbers<double>(path); }
std::vector<std::int32_t>& i32(FrameData& d, const char* path) {
  return d.numbers<std::int32_t>(path);
}
std::vector<std::uint32_t>& u32(FrameData& d, const char* path) {
  return d.numbers<std::uint32_t>(path);
}
std::vector<std::uint8_t>& u8(FrameData& d, const char* path) {
  return d.numbers<std::uint8_t>(path);
}

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
  expect_refused([](FrameData& d) { f64(d, "frame/merit").pop_back(); },
                 "'frame/merit' has 3 rows");
  expect_refused([](FrameData& d) { u32(d, "layout/nodes").push_back(0); }, "'layout/nodes'");
  expect_refused([](FrameData& d) { f64(d, "frame/time")[1] = 7; }, "do not fall");
  expect_refused([=](FrameData& d) { f64(d, "frame/time")[3] = nan; }, "do not fall");
  expect_refused([](FrameData& d) { u8(d, "frame/solver")[2] = 77; }, "'frame/solver' holds 77");
  expect_refused([](FrameData& d) { i32(d, "frame/run")[0] = 2147483647; }, "numbers of RUNs");
  expect_refused([](FrameData& d) { i32(d, "frame/run")[0] = -1; }, "numbers of RUNs");
  expect_refused([](FrameData& d) { i32(d, "frame/ranks")[0] = 0; }, "ranks");
  expect_refused([](FrameData& d) { f64(d, "partition/at") = {1}; }, "'partition/at' has 1 rows");
  expect_refused([](FrameData& d) { u32(d, "frame/partition")[1] = 4000000; }, "division of space");
  expect_refused([](FrameData& d) { u32(d, "frame/layout")[0]++; }, "fewer rows of bodies");
  expect_refused(
      [](FrameData& d) {
        u32(d, "frame/layout")[0]--;
        u32(d, "frame/bodies")[0]--;
      },
      "number of bodies");
  expect_refused([](FrameData& d) { u32(d, "layout/id")[1] = 0; }, "do not rise");
  expect_refused([](FrameData& d) { u32(d, "layout/freedom")[2] = 600000000; }, "velocities");
  expect_refused(
      [](FrameData& d) {
        u32(d, "layout/nodes")[3] = 1431655765;
        u32(d, "layout/freedom")[3] = 4294967295;
      },
      "velocities");
  expect_refused([](FrameData& d) { u32(d, "frame/constraints")[3] = 4000000; }, "'constraint/");
  expect_refused([](FrameData& d) { u32(d, "frame/definitions")[3] = 4000000; }, "'definition/");
  expect_refused([](FrameData& d) { u32(d, "frame/bonds")[3]++; }, "bond");
  expect_refused([](FrameData& d) { d.clear(); }, "it has no frame");
}

// The first frame is written before space is divided; other ranks may go on from any.
TEST_F(FrameChecks, FramesMayBeWithoutADivisionOfSpace) {
  i32(columns, "frame/ranks") = {3, 3, 2, 2};
  u32(columns, "frame/partition") = {0, 2, 0, 1};
  f64(columns, "partition/at") = {0.5, 0.7, 0.9};
  i32(columns, "partition/direction") = {0, 1, 2};
  f64(columns, "partition/axes").clear();
  for (int cut = 0; cut < 3; cut++)
    for (int i = 0; i < 9; i++) f64(columns, "partition/axes").push_back(i % 4 == 0 ? 1 : 0);
  ASSERT_EQ(read(columns), "");
  const ResultsReader reader(directory);
  EXPECT_TRUE(reader.partition(0).cuts.empty());
  EXPECT_EQ(reader.partition(1).cuts, (std::vector<Cut>{{0, 0.5}, {1, 0.7}}));
  EXPECT_TRUE(reader.partition(2).cuts.empty());
  EXPECT_EQ(reader.partition(3).cuts, (std::vector<Cut>{{2, 0.9}}));
}

TEST_F(FrameChecks, DefinitionsThatNobodyCouldMakeAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused([](FrameData& d) { u8(d, "definition/kind")[1] = 9; }, "unknown kind");
  expect_refused([](FrameData& d) { u32(d, "definition/id")[1] = 5; }, "body 1 is not defined");
  expect_refused([](FrameData& d) { u8(d, "definition/kind")[3] = 1; }, "number of nodes");
  expect_refused([](FrameData& d) { u32(d, "definition/nodes")[3]--; }, "number of nodes");
  expect_refused([](FrameData& d) { i32(d, "definition/material")[1] = -1; }, "not there");
  expect_refused([=](FrameData& d) { f64(d, "definition/tensor")[12] = nan; }, "no mass");
  expect_refused([](FrameData& d) { u32(d, "definition/label_size")[0] = 4294967295; },
                 "label_text");
  expect_refused([](FrameData& d) { u8(d, "definition/background")[0] = 1; }, "no shape");
  expect_refused([](FrameData& d) { u8(d, "definition/background")[1] = 1; }, "background mesh");
  expect_refused([](FrameData& d) { u8(d, "solid/kind")[0] = 8; }, "unknown kind");
  expect_refused([](FrameData& d) { u8(d, "solid/kind")[1] = 1; }, "an element has");
  expect_refused([](FrameData& d) { u8(d, "solid/kind")[2] = 0; }, "less numbers");
  expect_refused([](FrameData& d) { u8(d, "solid/kind")[2] = 3; }, "less numbers than it needs");
  expect_refused([](FrameData& d) { i32(d, "solid/integer")[0] = 1 << 30; }, "less numbers");
  expect_refused([](FrameData& d) { i32(d, "solid/integer")[0] = -1; }, "less numbers");
  expect_refused([](FrameData& d) { i32(d, "solid/integer")[1] = 7; }, "7 nodes");
  expect_refused([](FrameData& d) { i32(d, "solid/integer")[2] = 4000; }, "node that is not there");
  expect_refused([](FrameData& d) { i32(d, "solid/integer")[2] = -4; }, "node that is not there");
  expect_refused([=](FrameData& d) { f64(d, "solid/point")[0] = nan; }, "not finite");
  expect_refused([](FrameData& d) { u8(d, "load/kind")[0] = 4; }, "unknown kind");
  expect_refused([](FrameData& d) { f64(d, "load/series")[2] = -1; }, "increasing");
  expect_refused([](FrameData& d) { u8(d, "joint/kind")[0] = 0; }, "unknown kind");
  expect_refused([](FrameData& d) { u32(d, "joint/across")[0] = 1; }, "directions");
  expect_refused([](FrameData& d) { u8(d, "joint/given")[0] = 3; }, "unknown kind");
  expect_refused([](FrameData& d) { u8(d, "joint/given")[0] = 0; }, "no window");
}

TEST_F(FrameChecks, StatesAndConstraintsThatCannotBeAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused([=](FrameData& d) { f64(d, "body/q")[5] = nan; }, "not finite");
  expect_refused([](FrameData& d) { u8(d, "constraint/kind")[1] = 99; }, "unknown kind");
  expect_refused([](FrameData& d) { u32(d, "constraint/body1")[1] = 6; }, "not there");
  expect_refused([](FrameData& d) { u32(d, "constraint/body2")[1] = 4294967295; }, "not there");
  expect_refused([](FrameData& d) { i32(d, "constraint/element1")[1] = 5; }, "element 5");
  expect_refused([](FrameData& d) { i32(d, "constraint/element1")[1] = -7; }, "not there");
  expect_refused([](FrameData& d) { i32(d, "constraint/material")[1] = -2; }, "not there");
  expect_refused([=](FrameData& d) { f64(d, "constraint/R")[1] = nan; }, "not finite");
  expect_refused([](FrameData& d) { u32(d, "bond/constraint")[0] = 90; }, "bonds");
}

template <class T>
void change(std::vector<T>& numbers, std::size_t width, double value, int how) {
  T& x = numbers[static_cast<std::size_t>(value * static_cast<double>(numbers.size()))];
  switch (how) {
    case 0:
      x = std::numeric_limits<T>::max();
      break;
    case 1:
      x = std::numeric_limits<T>::lowest();
      break;
    case 2:
      x = static_cast<T>(x + 1);
      break;
    case 3:
      x = static_cast<T>(x / 2);
      break;
    case 4:
      numbers.resize(numbers.size() - width);
      break;
    default:
      x = static_cast<T>(std::numeric_limits<T>::max() / 3 * 2 + 1);
  }
}

// Whatever numbers a file holds: an error with the name of the file, or none.
TEST_F(FrameChecks, RandomChangesEndInOneError) {
  testing::Random random(3);
  int refused = 0, read = 0;
  for (int round = 0; round < 300; round++) {
    FrameData changed = columns;
    const double chosen = random.uniform(0, 1), value = random.uniform(0, 1);
    std::vector<Column*> filled;
    changed.visit_columns([&](Column& c) {
      if (c.size() > 0) filled.push_back(&c);
    });
    Column& column = *filled[static_cast<std::size_t>(chosen * static_cast<double>(filled.size()))];
    std::visit([&](auto& numbers) { change(numbers, column.width, value, round % 6); },
               column.numbers);
    (this->read(changed).empty() ? read : refused)++;
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(read, 50);
}

}  // namespace
}  // namespace solfec::frame_checks_test
