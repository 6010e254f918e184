#include "output/results_writer.hpp"

#include <filesystem>

#include "output/segment_file.hpp"

namespace solfec {
namespace {

constexpr double kMaxAge = 0.5;              // [s] a frame waits no longer in memory
constexpr std::size_t kMaxBytes = 32 << 20;  // nor when so much has gathered
constexpr std::size_t kJoin = 16;            // segments joined into one

template <class T>
void put(std::vector<double>& column, const T& v) {
  column.insert(column.end(), v.data(), v.data() + v.size());
}

}  // namespace

ResultsWriter::ResultsWriter(std::string directory, std::string analysis,
                             std::int64_t continue_after)
    : directory_(std::move(directory)) {
  if (continue_after > 0) {
    index_ = read_index(directory_);
    published_ = continue_after;
    joins_.assign(index_.segments.size(), 0);
  }
  index_.analysis = std::move(analysis);
}

void ResultsWriter::add_definitions(const Domain& domain) {
  std::uint32_t count = 0;
  for (int i = 0; i < domain.bodies.owned(); i++) {
    const Body& body = domain.bodies[i];
    const auto [entry, added] = defined_.try_emplace(body.id.value, body.changes);
    if (!added && entry->second == body.changes) continue;
    entry->second = body.changes;
    append_definition(data_, body);
    count++;
  }
  data_.definitions.push_back(count);
}

void ResultsWriter::add_layout(const Domain& domain) {
  const bool first = data_.layout.empty();
  if (!first && layout_revision_ == domain.bodies.revision()) {
    data_.layout.push_back(0);
    return;
  }
  layout_revision_ = domain.bodies.revision();
  for (int i = 0; i < domain.bodies.owned(); i++) {
    data_.layout_id.push_back(domain.bodies.id(i).value);
    data_.layout_freedom.push_back(static_cast<std::uint8_t>(domain.bodies.freedom(i)));
  }
  data_.layout.push_back(static_cast<std::uint32_t>(domain.bodies.owned()));
}

void ResultsWriter::add(const FrameHeader& h, const Domain& domain) {
  if (data_.frames() == 0) oldest_ = Clock::now();
  FrameData& d = data_;
  const BodyStore& bodies = domain.bodies;
  d.time.push_back(h.time);
  d.step.push_back(h.step);
  d.number.push_back(h.number);
  d.merit.push_back(h.merit);
  d.solver.push_back(static_cast<std::uint8_t>(h.solver));
  d.iterations.push_back(h.iterations);
  d.new_bodies.push_back(h.new_bodies);
  d.deleted_bodies.push_back(h.deleted_bodies);
  d.sparsified.push_back(h.sparsified);
  d.timing.insert(d.timing.end(), h.timing.seconds().begin(), h.timing.seconds().end());
  d.run.push_back(h.run);
  d.run_start.push_back(h.run_start);
  d.next_output.push_back(h.next_output);
  d.next_callback.push_back(h.next_callback);
  d.next_body.push_back(h.next_body);

  add_definitions(domain);
  add_layout(domain);
  d.bodies.push_back(static_cast<std::uint32_t>(bodies.owned()));
  Energy sum;
  for (int i = 0; i < bodies.owned(); i++) {
    d.q.insert(d.q.end(), bodies.q(i), bodies.q(i) + BodyStore::kConfiguration);
    d.u.insert(d.u.end(), bodies.u(i), bodies.u(i) + bodies.freedom(i));
    const Energy e = energy(bodies, domain.bulk_materials, i);
    sum += e;
    for (double part : {e.kinetic, e.internal, e.external, e.contact, e.friction})
      d.body_energy.push_back(part);
  }
  for (double part : {sum.kinetic, sum.internal, sum.external, sum.contact, sum.friction})
    d.energy.push_back(part);

  const auto& contacts = domain.contacts.contacts();
  std::uint32_t bonds = 0;
  for (std::size_t row = 0; row < contacts.size(); row++) {
    const Contact& c = contacts[row];
    d.body1.push_back(c.key.body1.value);
    d.body2.push_back(c.key.body2.value);
    d.feature1.push_back(c.key.feature1);
    d.feature2.push_back(c.key.feature2);
    d.point_number.push_back(c.key.point);
    put(d.point, c.point);
    put(d.normal, c.base.col(2).eval());
    d.gap.push_back(c.gap);
    d.area.push_back(c.area);
    put(d.R, c.R);
    put(d.U, c.U);
    put(d.V, c.V);
    d.contact_merit.push_back(c.merit);
    d.surface1.push_back(c.surface1);
    d.surface2.push_back(c.surface2);
    d.material.push_back(c.material);
    if (!c.bond) continue;
    bonds++;
    d.bond_contact.push_back(static_cast<std::uint32_t>(row));
    put(d.bond_offsets, c.bond->offset1);
    put(d.bond_offsets, c.bond->offset2);
    put(d.bond_normal, c.bond->normal);
    d.bond_gap.push_back(c.bond->gap);
    d.bond_area.push_back(c.bond->area);
  }
  d.contacts.push_back(static_cast<std::uint32_t>(contacts.size()));
  d.bonds.push_back(bonds);
}

void ResultsWriter::publish_if_due(double seconds_to_next) {
  if (data_.frames() == 0) return;
  const double age = std::chrono::duration<double>(Clock::now() - oldest_).count();
  if (age >= kMaxAge || age + seconds_to_next >= 2 * kMaxAge * 0.9 || size(data_) >= kMaxBytes)
    publish();
}

void ResultsWriter::publish() {
  if (data_.frames() == 0) return;
  const auto frames = static_cast<std::int64_t>(data_.frames());
  const std::string file = segment_name(directory_, published_, published_ + frames - 1);
  write_segment_file(data_, directory_, file, compression_);
  index_.segments.push_back({file, published_, frames});
  joins_.push_back(0);
  write_index(directory_, index_);
  published_ += frames;
  clear(data_);
  join_short_segments();
}

void ResultsWriter::join_short_segments() {
  namespace fs = std::filesystem;
  auto& segments = index_.segments;
  while (segments.size() >= kJoin) {
    const std::size_t begin = segments.size() - kJoin;
    for (std::size_t i = begin; i < segments.size(); i++) {
      if (joins_[i] != joins_.back()) return;
      if (fs::file_size(fs::path(directory_) / segments[i].file) > kShortSegment) return;
    }
    FrameData joined;
    for (std::size_t i = begin; i < segments.size(); i++)
      append(joined, read_segment_file(directory_, segments[i].file));
    const std::int64_t first = segments[begin].first,
                       frames = static_cast<std::int64_t>(joined.frames());
    const Segment whole{segment_name(directory_, first, first + frames - 1), first, frames};
    write_segment_file(joined, directory_, whole.file, compression_);
    const std::vector<Segment> old(segments.begin() + static_cast<std::ptrdiff_t>(begin),
                                   segments.end());
    segments.resize(begin);
    segments.push_back(whole);
    joins_.resize(begin + 1);
    joins_.back()++;
    write_index(directory_, index_);
    for (const Segment& s : old) fs::remove(fs::path(directory_) / s.file);
  }
}

}  // namespace solfec
