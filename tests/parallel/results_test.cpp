// Results that many ranks write and read: the files are those of one rank, whatever the number of
// ranks and whoever has what; an error on one rank is the same error on all.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include "contact/detection.hpp"
#include "core/error.hpp"
#include "output/output_file.hpp"
#include "output/results_reader.hpp"
#include "output/results_writer.hpp"
#include "output/segment_file.hpp"
#include "support/full_disk.hpp"
#include "support/sample_domain.hpp"

namespace solfec::results_test {
namespace {

const Communicator world;
constexpr double kPi = 3.14159265358979;

// A directory that all ranks see, as long as a test.
class SharedDirectory {
 public:
  SharedDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "solfec-test-XXXXXX").string();
    if (world.rank() == 0) name = ::mkdtemp(name.data());
    ArchiveWriter mine;
    mine(name);
    const Bytes bytes = world.broadcast(mine.take(), 0);
    ArchiveReader archive(bytes);
    archive(path_);
  }
  ~SharedDirectory() {
    world.barrier();
    if (world.rank() == 0) std::filesystem::remove_all(path_);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The whole of frame k: bodies come and go, body 7 changes; obstacles 0 and 20.
Domain whole_domain(int k) {
  Domain domain;
  domain.bulk_materials.store({"stuff", 1e6, 0.25, 1000});
  for (std::uint32_t id = 0; id < 40 + static_cast<std::uint32_t>(k); id++) {
    if (id % 11 == 5 || (k >= 4 && id == 9)) continue;  // gone
    const Vec3 c(2.0 * id, 0, 0);
    const double radius = id % 4 ? 0.5 : 0.25 + 0.01 * id;
    const bool obstacle = id == 0 || id == 20;
    Shape shape;
    if (obstacle)
      shape = {testing::sample_mesh(), testing::sample_polyhedron()};
    else
      shape = {Sphere{c, radius, 1, static_cast<int>(id)}};
    const auto kind = obstacle      ? BodyKind::obstacle
                      : id % 3 == 1 ? BodyKind::pseudo_rigid
                                    : BodyKind::rigid;
    Body body = testing::sample_body(id, kind, std::move(shape));
    if (id == 3)
      body.loads = {PointForce{Frame::convected, c, Vec3::UnitX(), TimeSeries({0, 1}, {5, 6})},
                    UserForce{3, nullptr}};
    if (id == 7 && k >= 2) {
      body.damping = 99;
      body.changes = 1;
    }
    domain.bodies.add(std::move(body));
  }
  testing::fill_state(domain.bodies, kPi * k);
  auto& contacts = domain.constraints.all();
  const auto exists = [&](std::uint32_t id) { return domain.bodies.find(BodyId{id}) >= 0; };
  for (std::uint32_t id = 1; id < 39; id++)
    for (std::uint32_t other : {0u, id + 1, id + 3}) {
      if (!exists(id) || !exists(other) || id == 20 || (id + other + k) % 3 == 0) continue;
      Constraint c;
      const double s = id + 0.1 * other + k;
      c.key = {BodyId{std::min(id, other)}, BodyId{std::max(id, other)}, id % 3, 0, other};
      c.point = {s, 2 * s, 3 * s};
      c.set_base(local_base(Vec3(std::sin(s), std::cos(s), 1).normalized()));
      c.gap = -1e-3 * s;
      c.R = {4 * s, 5 * s, 6 * s};
      c.U = {std::sin(s), 8 * s, 9 * s};
      c.surface1 = static_cast<int>(id);
      if ((id + other) % 2) c.bond = Bond{c.point, -c.point, Vec3::UnitX(), -s, 2 * s};
      contacts.push_back(c);
    }
  std::ranges::sort(contacts, {}, &Constraint::key);
  domain.sparsified = 4;
  return domain;
}

// Bodies wander between the ranks from frame to frame.
int owner_of(BodyId id, int k) {
  return static_cast<int>((id.value * 2654435761u >> 8) +
                          static_cast<std::uint32_t>(k) * id.value) %
         world.size();
}

int contact_owner(const Domain& whole, const Constraint& c,
                  const std::function<int(BodyId)>& owner) {
  const BodyStore& bodies = whole.bodies;
  return owner(bodies.id(owning_body(bodies, bodies.find(c.key.body1), bodies.find(c.key.body2))));
}

// What this rank has of it.
Domain split(const Domain& whole, const std::function<int(BodyId)>& owner) {
  Domain part;
  part.bulk_materials = whole.bulk_materials;
  std::vector<BodyState> states;
  for (int i = 0; i < whole.bodies.total(); i++)
    if (whole.bodies.kind(i) == BodyKind::obstacle || owner(whole.bodies.id(i)) == world.rank())
      states.push_back(whole.bodies.state(i));
  part.bodies.insert(std::move(states));
  for (const Constraint& c : whole.constraints.all())
    if (contact_owner(whole, c, owner) == world.rank()) part.constraints.all().push_back(c);
  part.sparsified = world.rank() == 0 ? whole.sparsified : 0;
  return part;
}

FrameHeader header_of(int k, const Domain& whole) {
  FrameHeader h;
  h.time = 0.1 * k;
  h.number = k;
  h.run = 1;
  h.next_body = whole.bodies.id(whole.bodies.total() - 1).value + 1;
  h.deleted_bodies = world.rank() == 0 ? 10 + k : 0;
  h.sparsified = world.rank() == 0 ? whole.sparsified : 0;
  h.timing[Phase::solution] = 1.0 + world.rank();
  h.gauss_seidel.colors = 1 + world.rank();
  h.gauss_seidel.rows = {1, 2, 3, world.rank()};
  h.gauss_seidel.seconds = {0, 0, 0, 0.5 * world.rank()};
  return h;
}

Partition partition_of(int k) {
  Partition p;
  if (world.size() == 1) return p;
  p.axes << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  for (int r = 1; r < world.size(); r++) p.cuts.push_back({r % 3, 0.5 * r + k});
  return p;
}

// Definitions that are written go with the bodies, as when they migrate.
class Recorded {
 public:
  void give(Domain& part) const {
    for (int i = 0; i < part.bodies.total(); i++)
      if (const auto found = all_.find(part.bodies.id(i).value); found != all_.end())
        part.bodies[i].recorded = found->second;
  }
  void take(const Domain& part) {
    ArchiveWriter mine;
    for (int i = 0; i < part.bodies.total(); i++)
      mine(part.bodies.id(i).value, part.bodies[i].recorded);
    for (const Bytes& bytes : world.gather(mine.bytes())) {
      ArchiveReader archive(bytes);
      while (!archive.done()) {
        const auto id = archive.get<std::uint32_t>();
        auto& entry = all_.try_emplace(id, -1).first->second;
        entry = std::max(entry, archive.get<int>());
      }
    }
  }

 private:
  std::map<std::uint32_t, int> all_;
};

class Results {
 public:
  Results(const std::string& directory, bool compressed) : writer(directory, "DYNAMIC", world) {
    writer.set_compression(compressed);
  }
  void add(int k) {
    const Domain whole = whole_domain(k);
    Domain part = split(whole, [k](BodyId id) { return owner_of(id, k); });
    recorded.give(part);
    writer.add(header_of(k, whole), part, partition_of(k / 3));
    recorded.take(part);
  }
  ResultsWriter writer;
  Recorded recorded;
};

// The columns of frames [begin, end) in the plainest way; definitions are those that are new since
// frame 0.
FrameData expected_columns(int begin, int end) {
  FrameData d;
  std::map<std::uint32_t, int> defined;
  std::set<std::uint32_t> last;
  for (int k = 0; k < end; k++) {
    const Domain whole = whole_domain(k);
    FrameData definitions;
    for (int i = 0; i < whole.bodies.total(); i++) {
      const Body& body = whole.bodies[i];
      const auto [entry, added] = defined.try_emplace(body.id.value, body.changes);
      if (added || entry->second != body.changes) append(definitions, body);
      entry->second = body.changes;
    }
    if (k < begin) continue;
    d.append(definitions);
    std::set<std::uint32_t> ids;
    for (int i = 0; i < whole.bodies.total(); i++) ids.insert(whole.bodies.id(i).value);
    const bool new_layout = k == begin || ids != last;
    last = ids;
    FrameRow row;
    for (int i = 0; i < whole.bodies.total(); i++) {
      const BodyRow body = body_row(0, whole.bodies, whole.bulk_materials, i);
      append_body(d, body, new_layout);
      for (int e = 0; e < 5; e++) row.energy[e] += body.energy[e];
    }
    for (int i = 0; i < whole.constraints.count(); i++) {
      append_constraint(d, constraint_row(0, whole.constraints.all()[i], whole.surface_materials),
                        static_cast<std::size_t>(i));
      row.bonds += whole.constraints.all()[i].bond.has_value();
    }
    row.bodies = static_cast<std::uint32_t>(whole.bodies.total());
    row.constraints = static_cast<std::uint32_t>(whole.constraints.count());
    row.definitions = static_cast<std::uint32_t>(definitions[TableId::definition].rows());
    row.layout = new_layout ? row.bodies : 0;
    const Partition partition = partition_of(k / 3);
    if (k == begin || partition != partition_of((k - 1) / 3))
      row.partition = static_cast<std::uint32_t>(partition.cuts.size());
    row.header = header_of(k, whole);
    row.header.deleted_bodies = 10 + k;
    row.header.sparsified = 4;
    const int n = world.size();
    row.header.gauss_seidel = {n, {n, 2 * n, 3 * n, n * (n - 1) / 2}, {0, 0, 0, 0.5 * (n - 1)}};
    row.header.timing.clear();
    row.header.timing[Phase::solution] = n;
    row.header.ranks = n;
    append(d, row);
  }
  return d;
}

void expect_columns(const FrameData& found, const FrameData& wanted) {
  int compared = 0;
  found.visit_columns([&](const Column& column) {
    const Column& other = const_cast<FrameData&>(wanted).column(column.path);
    if (std::string(column.path).starts_with("partition/")) return;
    EXPECT_EQ(column.numbers, other.numbers) << column.path;
    compared += other.size() > 0;
  });
  EXPECT_GT(compared, 55);
}

class WrittenByAll : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Results, WrittenByAll, ::testing::Bool());

TEST_P(WrittenByAll, ColumnsAreThoseOfOneRank) {
  for (const int frames : {1, 2, 9}) {
    const SharedDirectory directory;
    Results results(directory.path(), GetParam());
    for (int k = 0; k < frames; k++) results.add(k);
    results.writer.publish();
    const ResultsIndex index = read_index(directory.path());
    ASSERT_EQ(index.segments.size(), 1u);
    if (world.rank() == 0) {
      expect_columns(read_segment_file(directory.path(), index.segments[0].file),
                     expected_columns(0, frames));
    }
  }
}

TEST_P(WrittenByAll, BatchesFollowEachOtherAndAreJoined) {
  constexpr int kFrames = 20;
  const SharedDirectory directory;
  Results results(directory.path(), GetParam());
  for (int k = 0; k < kFrames; k++) {
    results.add(k);
    results.writer.publish();
  }
  EXPECT_EQ(results.writer.frames(), kFrames);
  const ResultsIndex index = read_index(directory.path());
  ASSERT_EQ(index.segments.size(), 5u);
  if (world.rank() > 0) return;
  FrameData found, wanted = expected_columns(0, 1);
  for (const Segment& s : index.segments) found.append(read_segment_file(directory.path(), s.file));
  for (int k = 1; k < kFrames; k++) wanted.append(expected_columns(k, k + 1));
  expect_columns(found, wanted);
}

TEST(Results, EachRankReadsItsPart) {
  constexpr int kFrames = 6;
  const SharedDirectory directory;
  Results results(directory.path(), false);
  for (int k = 0; k < kFrames; k++) {
    results.add(k);
    if (k % 2) results.writer.publish();
  }
  const ResultsReader reader(directory.path());
  const auto owner = [](BodyId id) { return owner_of(id, 77); };
  for (int k : {0, 3, kFrames - 1}) {
    const Domain whole = whole_domain(k), wanted = split(whole, owner);
    Domain part;
    part.bulk_materials = whole.bulk_materials;
    const auto function = [](int number) -> ForceFunction {
      return [number](auto, auto, double, double, std::span<double> out) { out[0] = number; };
    };
    reader.load(k, part, function, {world, [&](BodyId id, const Vec3& center) {
                                      EXPECT_EQ(center, whole.bodies.center(whole.bodies.find(id)));
                                      return owner(id);
                                    }});
    ASSERT_EQ(part.bodies.owned(), wanted.bodies.owned()) << k;
    ASSERT_EQ(part.bodies.total(), wanted.bodies.owned());
    for (int i = 0; i < part.bodies.owned(); i++) {
      BodyState r = part.bodies.state(i), w = wanted.bodies.state(i);
      EXPECT_EQ(r.body.id, w.body.id);
      EXPECT_EQ(r.body.label, w.body.label);
      EXPECT_EQ(r.body.damping, w.body.damping);
      EXPECT_EQ(r.body.recorded, r.body.changes);
      EXPECT_EQ(r.q, w.q);
      EXPECT_EQ(r.u, w.u);
      FrameData read, wrote;
      append(read, r.body);
      append(wrote, w.body);
      for (const char* path : {"solid/point", "load/series"})
        EXPECT_EQ(read.column(path).numbers, wrote.column(path).numbers);
      if (r.body.kind == BodyKind::obstacle) continue;  // no work is done on it
      EXPECT_EQ(r.work.friction, w.work.friction);
      for (const Load& load : r.body.loads)
        if (const auto* user = std::get_if<UserForce>(&load)) {
          double number = 0;
          user->function({}, {}, 0, 0, {&number, 1});
          EXPECT_EQ(number, 3);
        }
    }
    ASSERT_EQ(part.constraints.count(), wanted.constraints.count()) << k;
    for (int i = 0; i < part.constraints.count(); i++) {
      const Constraint &r = part.constraints.all()[i], &w = wanted.constraints.all()[i];
      EXPECT_EQ(r.key, w.key);
      EXPECT_EQ(r.body1, part.bodies.find(w.key.body1));
      EXPECT_EQ(r.base(), w.base());
      EXPECT_EQ(r.R, w.R);
      ASSERT_EQ(r.bond.has_value(), w.bond.has_value());
      if (r.bond) {
        EXPECT_EQ(r.bond->offset2, w.bond->offset2);
        EXPECT_EQ(r.bond->area, w.bond->area);
      }
    }
    EXPECT_EQ(world.sum(part.sparsified), 4);
  }
}

TEST(Results, KnowTheDivisionOfSpace) {
  const SharedDirectory directory;
  Results results(directory.path(), false);
  for (int k = 0; k < 8; k++) results.add(k);
  results.writer.publish();
  const ResultsReader reader(directory.path());
  for (int k = 0; k < 8; k++) {
    const Partition found = reader.partition(k), wrote = partition_of(k / 3);
    EXPECT_EQ(reader.header(k).ranks, world.size());
    EXPECT_EQ(found, wrote);
  }
}

TEST_P(WrittenByAll, AFullDiskOnOneRankIsOneErrorOnAll) {
  for (int who = 0; who < world.size(); who++) {
    const SharedDirectory directory;
    Results results(directory.path(), GetParam());
    results.add(0);
    results.writer.publish();
    results.add(1);
    results.add(2);
    std::string text;
    try {
      std::optional<testing::FullDisk> full;
      if (world.rank() == who) full.emplace(1000);
      results.writer.publish();
    } catch (const RunError& error) {
      text = error.what();
    }
    // What the first rank compresses the others do not write.
    const bool fails = who == 0 || !GetParam();
    ArchiveWriter mine;
    mine(text);
    for (const Bytes& bytes : world.gather(mine.bytes())) {
      ArchiveReader archive(bytes);
      EXPECT_EQ(archive.get<std::string>(), text);
    }
    EXPECT_EQ(text.find("File too large") != std::string::npos, fails) << text;
    EXPECT_EQ(ResultsReader(directory.path()).frames(), fails ? 1 : 3);
    for (const auto& entry : std::filesystem::directory_iterator(directory.path()))
      EXPECT_NE(entry.path().extension(), ".solfec-part");
    // Nothing is lost: with room on the disk the frames are written.
    results.add(3);
    results.writer.publish();
    EXPECT_EQ(ResultsReader(directory.path()).frames(), 4);
    if (world.rank() > 0 || !fails) continue;
    const auto last = read_index(directory.path()).segments.back();
    expect_columns(read_segment_file(directory.path(), last.file), expected_columns(1, 4));
  }
}

// Another process, on the same number of ranks, adds to results.
TEST(Results, AreContinued) {
  const SharedDirectory directory;
  {
    Results results(directory.path(), false);
    for (int k = 0; k < 3; k++) results.add(k);
    results.writer.publish();
  }
  if (world.rank() == 0) {
    const std::string left = temporary_name(segment_name(directory.path(), 3, 9));
    std::ofstream(std::filesystem::path(directory.path()) / left) << "left by a killed process";
  }
  world.barrier();
  const ResultsReader reader(directory.path());
  Domain part;
  const auto owner = [](BodyId id) { return owner_of(id, 2); };
  part.bulk_materials = whole_domain(2).bulk_materials;
  reader.load(2, part, [](int) { return ForceFunction(); },
              {world, [&](BodyId id, const Vec3&) { return owner(id); }});
  ResultsWriter writer(directory.path(), "DYNAMIC", world, ResultsWriter::How::go_on);
  EXPECT_EQ(writer.frames(), 3);
  writer.add(header_of(2, whole_domain(2)), part);
  writer.publish();
  EXPECT_EQ(ResultsReader(directory.path()).frames(), 4);
  const auto last = read_index(directory.path()).segments.back();
  EXPECT_EQ(last.first, 3);
  const FrameData same = read_segment_file(directory.path(), last.file);
  EXPECT_EQ(same.numbers<std::uint32_t>("frame/definitions"), std::vector<std::uint32_t>{0})
      << "they are there already";
  const FrameData wanted = expected_columns(2, 3);
  for (const char* path : {"constraint/R", "body/q"})
    EXPECT_EQ(same.numbers<double>(path), wanted.numbers<double>(path));
  EXPECT_EQ(same.numbers<std::uint32_t>("bond/constraint"),
            wanted.numbers<std::uint32_t>("bond/constraint"));
  for (const auto& entry : std::filesystem::directory_iterator(directory.path()))
    EXPECT_NE(entry.path().extension(), ".solfec-part");
}

}  // namespace
}  // namespace solfec::results_test
