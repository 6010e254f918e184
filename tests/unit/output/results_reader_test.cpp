#include "output/results_reader.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "core/error.hpp"
#include "output/results_writer.hpp"
#include "support/random_solids.hpp"
#include "support/sample_domain.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::results_reader_test {
namespace {

using testing::Random;
using testing::ScratchDirectory;

// Ten frames; body 5 is there in frames 4 to 6 only, body 1 is redefined in frame 8.
struct Results {
  Results() {
    testing::fill_domain(domain);
    ResultsWriter writer(scratch.path().string(), "DYNAMIC", {});
    for (int k = 0; k < 10; k++) {
      if (k == 4)
        domain.bodies.add(testing::sample_body(5, BodyKind::pseudo_rigid, {Sphere{{0, 0, 0}, 1}}));
      if (k == 7) domain.bodies.remove({false, false, false, true});
      if (k == 8) {
        domain.bodies[1].damping = 99;
        domain.bodies[1].changes++;
      }
      testing::fill_state(domain.bodies, k);
      testing::fill_contacts(domain, k, k + 1);
      domain.sparsified = k;
      writer.add(header(k), domain);
      if (k % 3 == 2) writer.publish();
    }
    writer.publish();
  }
  static FrameHeader header(int k) {
    FrameHeader h;
    h.time = 0.5 * k;
    h.step = 0.5;
    h.number = 100 + k;
    h.merit = 1e-9 * k;
    h.solver = k % 2 ? SolverKind::gauss_seidel : SolverKind::penalty;
    h.iterations = 3 * k;
    h.new_bodies = k;
    h.deleted_bodies = 2 * k;
    h.sparsified = k;
    h.timing[Phase::solution] = 0.1 * k;
    h.gauss_seidel = {k, {k, 2, 3, 4 * k}, {0.1, 0.2, 0.3, 0.1 * k}};
    h.run = k / 5;
    h.run_ended = k == 4;
    h.run_start = 7;
    h.next_output = 8;
    h.next_callback = 9 + k;
    h.next_body = 10 + k;
    return h;
  }
  ScratchDirectory scratch;
  Domain domain;
};

TEST(ResultsReader, HeadersComeBack) {
  const Results results;
  const ResultsReader reader(results.scratch.path().string());
  ASSERT_EQ(reader.frames(), 10);
  EXPECT_EQ(reader.index().analysis, "DYNAMIC");
  for (int k = 0; k < 10; k++) {
    const FrameHeader h = reader.header(k), w = Results::header(k);
    EXPECT_EQ(h.time, w.time);
    EXPECT_EQ(h.step, w.step);
    EXPECT_EQ(h.number, w.number);
    EXPECT_EQ(h.merit, w.merit);
    EXPECT_EQ(h.solver, w.solver);
    EXPECT_EQ(h.iterations, w.iterations);
    EXPECT_EQ(h.new_bodies, w.new_bodies);
    EXPECT_EQ(h.deleted_bodies, w.deleted_bodies);
    EXPECT_EQ(h.timing.seconds(), w.timing.seconds());
    EXPECT_EQ(h.gauss_seidel.colors, w.gauss_seidel.colors);
    EXPECT_EQ(h.gauss_seidel.rows, w.gauss_seidel.rows);
    EXPECT_EQ(h.gauss_seidel.seconds, w.gauss_seidel.seconds);
    EXPECT_EQ(h.ranks, 1);
    EXPECT_EQ(h.run, w.run);
    EXPECT_EQ(h.run_ended, w.run_ended);
    EXPECT_EQ(h.run_start, w.run_start);
    EXPECT_EQ(h.next_output, w.next_output);
    EXPECT_EQ(h.next_callback, w.next_callback);
    EXPECT_EQ(h.next_body, w.next_body);
  }
}

TEST(ResultsReader, FramesWithoutBodiesAreFramesToo) {
  const testing::ScratchDirectory scratch;
  Domain domain;
  testing::fill_domain(domain);
  domain.constraints.all().clear();
  FrameHeader header;
  ResultsWriter writer(scratch.path().string(), "DYNAMIC", {});
  writer.add(header, domain);
  domain.bodies.clear();
  header.time = 1;
  writer.add(header, domain);
  writer.publish();
  const ResultsReader reader(scratch.path().string());
  Domain read;
  read.bulk_materials = domain.bulk_materials;
  for (int frames : {3, 0}) {
    reader.load(frames == 0 ? 1 : 0, read, [](int) { return ForceFunction(); });
    EXPECT_EQ(read.bodies.total(), frames);
  }
  EXPECT_TRUE(reader.layout(1).empty());
  EXPECT_FALSE(reader.holds(1, BodyId{1}));
  const auto states = reader.body_states(BodyId{1}, 0, 2);
  EXPECT_FALSE(std::isnan(states.q[0]));
  EXPECT_TRUE(std::isnan(states.q[12]));
  EXPECT_EQ(reader.body_energies(BodyId{1}, 1, 2), std::vector<double>(5, 0.0));
}

TEST(ResultsReader, AFrameComesBackWhole) {
  const Results results;
  const ResultsReader reader(results.scratch.path().string());
  // The last frame is the domain as it is now.
  const Domain& wrote = results.domain;
  Domain read;
  read.bulk_materials = wrote.bulk_materials;
  reader.load(9, read, [](int number) -> ForceFunction {
    return [number](auto, auto, double, double, std::span<double> out) { out[0] = number; };
  });
  ASSERT_EQ(read.bodies.total(), wrote.bodies.total());
  for (int i = 0; i < wrote.bodies.total(); i++) {
    EXPECT_EQ(read.bodies.id(i), wrote.bodies.id(i));
    for (int k = 0; k < 12; k++) EXPECT_EQ(read.bodies.q(i)[k], wrote.bodies.q(i)[k]);
    for (int k = 0; k < wrote.bodies.dofs(i); k++)
      EXPECT_EQ(read.bodies.u(i)[k], wrote.bodies.u(i)[k]);
    EXPECT_EQ(read.bodies[i].damping, wrote.bodies[i].damping);
    EXPECT_EQ(read.bodies[i].label, wrote.bodies[i].label);
    if (wrote.bodies.kind(i) != BodyKind::obstacle) {
      EXPECT_EQ(read.bodies.work(i).friction, wrote.bodies.work(i).friction);
    }
  }
  double number = 0;
  std::get<UserForce>(read.bodies[1].loads[2]).function({}, {}, 0, 0, {&number, 1});
  EXPECT_EQ(number, 3);
  EXPECT_EQ(read.sparsified, 9);
  ASSERT_EQ(read.constraints.count(), 9);
  for (int k = 0; k < 9; k++) {
    const Constraint &r = read.constraints.all()[k], &w = wrote.constraints.all()[k];
    EXPECT_EQ(r.key, w.key);
    EXPECT_EQ(r.body1, w.body1);
    EXPECT_EQ(r.body2, w.body2);
    EXPECT_EQ(r.point, w.point);
    EXPECT_EQ(r.base(), w.base());
    EXPECT_EQ(r.gap, w.gap);
    EXPECT_EQ(r.area, w.area);
    EXPECT_EQ(r.R, w.R);
    EXPECT_EQ(r.U, w.U);
    EXPECT_EQ(r.V, w.V);
    EXPECT_EQ(r.merit, w.merit);
    EXPECT_EQ(r.surface1, w.surface1);
    EXPECT_EQ(r.surface2, w.surface2);
    EXPECT_EQ(r.material, w.material);
    ASSERT_EQ(r.bond.has_value(), w.bond.has_value());
    if (!w.bond) continue;
    EXPECT_EQ(r.bond->offset1, w.bond->offset1);
    EXPECT_EQ(r.bond->offset2, w.bond->offset2);
    EXPECT_EQ(r.bond->normal, w.bond->normal);
    EXPECT_EQ(r.bond->gap, w.bond->gap);
    EXPECT_EQ(r.bond->area, w.bond->area);
  }
}

TEST(ResultsReader, FindsFramesByTime) {
  const Results results;
  const ResultsReader reader(results.scratch.path().string());
  for (const auto& [time, frame] : {std::pair(-1.0, 0),
                                    {0.0, 0},
                                    {0.49, 0},
                                    {0.5, 1},
                                    {0.5 - 1e-12, 1},
                                    {0.5 + 1e-12, 1},
                                    {4.5, 9},
                                    {1e9, 9}})
    EXPECT_EQ(reader.frame_at(time), frame) << time;
}

TEST(ResultsReader, FollowsABodyThroughFrames) {
  const Results results;
  const ResultsReader reader(results.scratch.path().string());
  const auto states = reader.body_states(BodyId{5}, 2, 9);
  const auto energies = reader.body_energies(BodyId{5}, 2, 9);
  for (int k = 2; k < 9; k++) {
    const std::size_t row = static_cast<std::size_t>(k - 2);
    const bool there = k >= 4 && k <= 6;
    EXPECT_EQ(std::isnan(states.q[12 * row]), !there) << k;
    EXPECT_EQ(reader.holds(k, BodyId{5}), there) << k;
    EXPECT_EQ(energies[5 * row + 4], there ? 3.0 * k + 3 : 0.0) << k;
    if (there) {
      EXPECT_EQ(states.q[12 * row + 7], std::sin(k + 7 * 3 + 7)) << k;
      EXPECT_EQ(states.u[12 * row + 11], std::cos(k + 5 * 3 + 11)) << k;
    }
  }
  const auto rigid = reader.body_states(BodyId{1}, 0, 10);
  EXPECT_EQ(rigid.freedom, 6u);
  EXPECT_EQ(rigid.positions, 0u);
  EXPECT_EQ(rigid.u[6 * 9 + 5], std::cos(9.0 + 5 + 5));
}

TEST(ResultsReader, KnowsDefinitions) {
  const Results results;
  const ResultsReader reader(results.scratch.path().string());
  const auto definitions = reader.definitions_of(BodyId{1});
  ASSERT_EQ(definitions.size(), 2u);
  EXPECT_EQ(definitions[0].first, 0);
  EXPECT_EQ(definitions[1].first, 8);
  EXPECT_EQ(definitions[0].second.damping, 0.25);
  EXPECT_EQ(definitions[1].second.damping, 99);
  EXPECT_EQ(reader.definitions_of(BodyId{5}).front().first, 4);
  EXPECT_TRUE(reader.definitions_of(BodyId{77}).empty());
}

TEST(ResultsReader, VisitsContactsOfConsecutiveFrames) {
  const Results results;
  const ResultsReader reader(results.scratch.path().string());
  int expected = 1;
  reader.visit_constraints(1, 8, [&](int frame, const ResultsReader::ConstraintRows& rows) {
    EXPECT_EQ(frame, expected++);
    ASSERT_EQ(rows.count, static_cast<std::size_t>(frame));
    for (std::size_t k = 0; k < rows.count; k++) {
      const double s = frame + 1.0 + static_cast<double>(k);
      EXPECT_EQ(rows.gap[k], -1e-3 * s);
      EXPECT_EQ(rows.R[3 * k + 2], 6 * s);
      EXPECT_EQ(rows.surface2[k], static_cast<int>(k) + 1);
    }
  });
  EXPECT_EQ(expected, 8);
}

TEST(ResultsReader, ReadsColumnsAcrossSegments) {
  const Results results;
  const ResultsReader reader(results.scratch.path().string());
  EXPECT_EQ(reader.frame_column("time", 2, 5), (std::vector<double>{1, 1.5, 2}));
  EXPECT_EQ(reader.frame_column("constraints", 0, 10).back(), 9);
  EXPECT_THROW(reader.frame_column("no such", 0, 10), std::logic_error);
}

// Publishes frames one by one, so that every sixteenth time segments are joined.
void write_frames(ResultsWriter& writer, Domain& domain, int first, int last) {
  for (int k = first; k < last; k++) {
    testing::fill_state(domain.bodies, k);
    testing::fill_contacts(domain, k % 7, k);
    writer.add(Results::header(k), domain);
    writer.publish();
  }
}

void expect_frame(const ResultsReader& reader, int k, Domain& read) {
  reader.load(k, read, [](int) { return ForceFunction(); });
  ASSERT_EQ(reader.header(k).number, 100 + k);
  ASSERT_EQ(read.bodies.q(1)[5], std::sin(k + 7 * 1 + 5)) << k;
  ASSERT_EQ(read.constraints.count(), k % 7) << k;
}

TEST(ResultsReader, KeepsItsFramesWhileTheirFilesAreJoined) {
  const ScratchDirectory scratch;
  const std::string directory = scratch.path().string();
  Domain domain, read;
  testing::fill_domain(domain);
  read.bulk_materials = domain.bulk_materials;
  ResultsWriter writer(directory, "DYNAMIC", {});
  write_frames(writer, domain, 0, 15);
  const ResultsReader reader(directory);
  write_frames(writer, domain, 15, 40);
  ASSERT_FALSE(std::filesystem::exists(scratch / segment_name(directory, 7, 7)));
  ASSERT_EQ(reader.frames(), 15);
  for (int k = 0; k < 15; k++) expect_frame(reader, k, read);
  EXPECT_EQ(ResultsReader(directory).frames(), 40);
}

TEST(ResultsReader, ReadsWhileAnotherProcessWritesAndJoins) {
  const ScratchDirectory scratch;
  const std::string directory = scratch.path().string();
  Domain domain, read;
  testing::fill_domain(domain);
  read.bulk_materials = domain.bulk_materials;
  constexpr int kFrames = 200;
  const auto write = [&] {
    ResultsWriter writer(directory, "DYNAMIC", {});
    write_frames(writer, domain, 0, kFrames);
  };
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    int code = 0;
    try {
      write();
    } catch (...) {
      code = 1;
    }
    ::_exit(code);
  }
  int status = 0, frames = 0;
  bool done = false;
  Random random(4);
  while (!done) {
    done = ::waitpid(child, &status, WNOHANG) == child;
    if (!results_exist(directory)) continue;
    std::unique_ptr<ResultsReader> reader;
    ASSERT_NO_THROW(reader = std::make_unique<ResultsReader>(directory)) << frames;
    ASSERT_GE(reader->frames(), frames);
    frames = reader->frames();
    ASSERT_NO_FATAL_FAILURE(expect_frame(*reader, random.integer(0, frames - 1), read));
  }
  EXPECT_EQ(status, 0);
  EXPECT_EQ(frames, kFrames);
}

TEST(ResultsReader, SaysWhichFileIsMissing) {
  const Results results;
  const std::string directory = results.scratch.path().string();
  const std::string file = read_index(directory).segments[1].file;
  std::filesystem::remove(results.scratch / file);
  try {
    const ResultsReader reader(directory);
    FAIL() << "it has opened";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
  }
}

TEST(ResultsReader, WantsResults) {
  const ScratchDirectory scratch;
  EXPECT_THROW(ResultsReader(scratch.path().string()), RunError);
  write_index(scratch.path().string(), {"DYNAMIC", {}});
  EXPECT_THROW(ResultsReader(scratch.path().string()), RunError);
}

}  // namespace
}  // namespace solfec::results_reader_test
