#include "output/results_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <type_traits>

#include "core/error.hpp"

namespace solfec {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool is_head(const char* path) {
  return std::strncmp(path, "frame/", 6) == 0 || std::strncmp(path, "layout/", 7) == 0;
}

}  // namespace

// A segment may be joined to others, and its file removed, between index and file: then there is a
// newer index. An end to it: no process joins as fast as that.
ResultsReader::ResultsReader(std::string directory) {
  constexpr int kMostAttempts = 100;
  ResultsIndex index = read_index(directory);
  for (int attempt = 1;; attempt++) {
    try {
      open_segments(directory, index);
      break;
    } catch (const RunError&) {
      const ResultsIndex newer = read_index(directory);
      if (newer == index || attempt == kMostAttempts) throw;
      index = newer;
    }
  }
  analysis_ = index.analysis;
  if (time_.empty()) throw RunError(fmt::format("the results in '{}' hold no frame", directory));
}

const Hdf5Reader& ResultsReader::open(const SegmentView& s) const {
  if (!s.file) {
    if (open_long_) open_long_->file.reset();
    s.file = std::make_unique<Hdf5Reader>(s.path);
    open_long_ = &s;
  }
  return *s.file;
}

void ResultsReader::open_segments(const std::string& directory, const ResultsIndex& index) {
  segments_.clear();
  time_.clear();
  int first = 0;
  for (const Segment& entry : index.segments) {
    SegmentView segment;
    segment.path = (std::filesystem::path(directory) / entry.file).string();
    segment.first = first;
    segment.file = std::make_unique<Hdf5Reader>(segment.path);
    visit_columns(segment.head, [&](const char* path, auto& column, auto&&...) {
      if (is_head(path))
        column = segment.file->read<std::remove_cvref_t<decltype(column[0])>>(path);
    });
    if (segment.file->size() > kShortSegment) segment.file.reset();
    index_segment(segment);
    time_.insert(time_.end(), segment.head.time.begin(), segment.head.time.end());
    first += segment.frames();
    segments_.push_back(std::move(segment));
  }
}

void ResultsReader::index_segment(SegmentView& s) const {
  std::size_t layout_end = 0, layout = 0, layout_size = 0, freedom = 0;
  std::size_t body = 0, u = 0, contact = 0, bond = 0, definition = 0;
  for (int k = 0; k < s.frames(); k++) {
    if (s.head.layout[k] > 0 || k == 0 || s.head.bodies[k] != layout_size) {
      layout = layout_end;
      layout_size = s.head.layout[k];
      layout_end += layout_size;
      freedom = 0;
      for (std::size_t i = layout; i < layout_end; i++) freedom += s.head.layout_freedom[i];
    }
    s.layout.push_back(layout);
    s.layout_size.push_back(layout_size);
    s.body.push_back(body);
    s.u.push_back(u);
    s.contact.push_back(contact);
    s.bond.push_back(bond);
    s.definition.push_back(definition);
    body += layout_size;
    u += freedom;
    contact += s.head.contacts[k];
    bond += s.head.bonds[k];
    definition += s.head.definitions[k];
  }
}

int ResultsReader::frame_at(double time) const {
  const double slack = 1e-9 * std::max(std::abs(time), time_.back() - time_.front());
  const auto after = std::upper_bound(time_.begin(), time_.end(), time + slack);
  return std::max(0, static_cast<int>(after - time_.begin()) - 1);
}

const ResultsReader::SegmentView& ResultsReader::segment_of(int frame) const {
  DEMAND(frame >= 0 && frame < frames());
  const auto after = std::ranges::upper_bound(segments_, frame, {}, &SegmentView::first);
  return *(after - 1);
}

FrameHeader ResultsReader::header(int frame) const {
  const SegmentView& s = segment_of(frame);
  const auto k = static_cast<std::size_t>(frame - s.first);
  const FrameData& d = s.head;
  FrameHeader h;
  h.time = d.time[k];
  h.step = d.step[k];
  h.number = d.number[k];
  h.merit = d.merit[k];
  h.solver = static_cast<SolverKind>(d.solver[k]);
  h.iterations = d.iterations[k];
  h.new_bodies = d.new_bodies[k];
  h.deleted_bodies = d.deleted_bodies[k];
  h.sparsified = d.sparsified[k];
  std::copy_n(&d.timing[k * kPhases], kPhases, h.timing.seconds().begin());
  h.run = d.run[k];
  h.run_start = d.run_start[k];
  h.next_output = d.next_output[k];
  h.next_callback = d.next_callback[k];
  h.next_body = d.next_body[k];
  return h;
}

std::vector<double> ResultsReader::frame_column(const std::string& name, int begin, int end) const {
  std::vector<double> result;
  bool found = false;
  const std::string path = "frame/" + name;
  for (const SegmentView& s : segments_) {
    const int from = std::max(begin - s.first, 0), to = std::min(end - s.first, s.frames());
    if (from >= to) continue;
    visit_columns(s.head,
                  [&](const char* column_path, const auto& column, std::size_t width, auto&&...) {
                    if (path != column_path) return;
                    found = true;
                    for (std::size_t k = static_cast<std::size_t>(from) * width;
                         k < static_cast<std::size_t>(to) * width; k++)
                      result.push_back(static_cast<double>(column[k]));
                  });
  }
  DEMAND(found || begin >= end);
  return result;
}

const std::vector<Body>& ResultsReader::definitions(const SegmentView& segment) const {
  const auto [entry, added] = definitions_.try_emplace(&segment);
  if (added) {
    FrameData data;
    const Hdf5Reader& h5 = open(segment);
    visit_columns(data, [&](const char* path, auto& column, auto&&...) {
      const bool wanted = std::strncmp(path, "definition/", 11) == 0 ||
                          std::strncmp(path, "solid/", 6) == 0 ||
                          std::strncmp(path, "load/", 5) == 0;
      if (wanted) column = h5.read<std::remove_cvref_t<decltype(column[0])>>(path);
    });
    entry->second = read_definitions(data);
  }
  return entry->second;
}

std::vector<std::pair<int, Body>> ResultsReader::definitions_of(BodyId id) const {
  std::vector<std::pair<int, Body>> result;
  for (const SegmentView& s : segments_) {
    const auto& bodies = definitions(s);
    for (int k = 0; k < s.frames(); k++)
      for (std::size_t row = s.definition[k]; row < s.definition[k] + s.head.definitions[k]; row++)
        if (bodies[row].id == id) result.emplace_back(s.first + k, bodies[row]);
  }
  return result;
}

void ResultsReader::load_bodies(const SegmentView& s, int k, int frame, Domain& domain,
                                const std::function<ForceFunction(int)>& function) const {
  // The newest definition of every body up to this frame.
  std::map<BodyId, const Body*> newest;
  for (const SegmentView& segment : segments_) {
    if (segment.first > frame) break;
    const auto& bodies = definitions(segment);
    const int last = std::min(frame - segment.first, segment.frames() - 1);
    const std::size_t end = segment.definition[last] + segment.head.definitions[last];
    for (std::size_t row = 0; row < end; row++) newest[bodies[row].id] = &bodies[row];
  }
  domain.bodies.clear();
  const Hdf5Reader& h5 = open(s);
  const std::size_t count = s.layout_size[k];
  std::size_t freedom = 0;
  for (std::size_t i = 0; i < count; i++) freedom += s.head.layout_freedom[s.layout[k] + i];
  const auto q = h5.read<double>("body/q", s.body[k] * BodyStore::kConfiguration,
                                 count * BodyStore::kConfiguration);
  const auto u = h5.read<double>("body/u", s.u[k], freedom);
  const auto e = h5.read<double>("body/energy", s.body[k], count);
  const double* next_u = u.data();
  for (std::size_t i = 0; i < count; i++) {
    const BodyId id{s.head.layout_id[s.layout[k] + i]};
    DEMAND(newest.contains(id));
    Body body = *newest[id];
    for (Load& load : body.loads)
      if (auto* user = std::get_if<UserForce>(&load)) user->function = function(user->number);
    const int n = domain.bodies.add(std::move(body));
    std::copy_n(&q[i * BodyStore::kConfiguration], BodyStore::kConfiguration, domain.bodies.q(n));
    std::copy_n(next_u, domain.bodies.freedom(n), domain.bodies.u(n));
    next_u += domain.bodies.freedom(n);
    domain.bodies.work(n) = {e[5 * i + 2], e[5 * i + 3], e[5 * i + 4]};
  }
}

void ResultsReader::load_contacts(const SegmentView& s, int k, Domain& domain) const {
  const Hdf5Reader& h5 = open(s);
  const std::size_t begin = s.contact[k], count = s.head.contacts[k];
  const auto u32 = [&](const char* path) { return h5.read<std::uint32_t>(path, begin, count); };
  const auto i32 = [&](const char* path) { return h5.read<std::int32_t>(path, begin, count); };
  const auto f64 = [&](const char* path) { return h5.read<double>(path, begin, count); };
  const auto body1 = u32("contact/body1"), body2 = u32("contact/body2"),
             feature1 = u32("contact/feature1"), feature2 = u32("contact/feature2"),
             number = u32("contact/number");
  const auto point = f64("contact/point"), normal = f64("contact/normal"), gap = f64("contact/gap"),
             area = f64("contact/area"), R = f64("contact/R"), U = f64("contact/U"),
             V = f64("contact/V"), merit = f64("contact/merit");
  const auto surface1 = i32("contact/surface1"), surface2 = i32("contact/surface2"),
             material = i32("contact/material");
  std::vector<Contact>& contacts = domain.contacts.contacts();
  contacts.clear();
  contacts.resize(count);
  const auto vector = [](const std::vector<double>& column, std::size_t row) -> Vec3 {
    return Eigen::Map<const Vec3>(&column[3 * row]);
  };
  for (std::size_t i = 0; i < count; i++) {
    Contact& c = contacts[i];
    c.key = {BodyId{body1[i]}, BodyId{body2[i]}, feature1[i], feature2[i], number[i]};
    c.body1 = domain.bodies.find(c.key.body1);
    c.body2 = domain.bodies.find(c.key.body2);
    c.point = vector(point, i);
    c.base = local_base(vector(normal, i));
    c.gap = gap[i];
    c.area = area[i];
    c.surface1 = surface1[i];
    c.surface2 = surface2[i];
    c.material = material[i];
    c.R = vector(R, i);
    c.U = vector(U, i);
    c.V = vector(V, i);
    c.merit = merit[i];
  }
  const std::size_t bond = s.bond[k], bonds = s.head.bonds[k];
  if (bonds == 0) return;
  const auto row = h5.read<std::uint32_t>("bond/contact", bond, bonds);
  const auto offsets = h5.read<double>("bond/offsets", bond, bonds),
             bond_normal = h5.read<double>("bond/normal", bond, bonds),
             bond_gap = h5.read<double>("bond/gap", bond, bonds),
             bond_area = h5.read<double>("bond/area", bond, bonds);
  for (std::size_t i = 0; i < bonds; i++)
    contacts[row[i]].bond = Bond{vector(offsets, 2 * i), vector(offsets, 2 * i + 1),
                                 vector(bond_normal, i), bond_gap[i], bond_area[i]};
}

void ResultsReader::load(int frame, Domain& domain,
                         const std::function<ForceFunction(int)>& function) const {
  const SegmentView& s = segment_of(frame);
  load_bodies(s, frame - s.first, frame, domain, function);
  load_contacts(s, frame - s.first, domain);
  domain.sparsified = s.head.sparsified[frame - s.first];
}

std::vector<ResultsReader::Run> ResultsReader::runs(const SegmentView& s, int begin,
                                                    int end) const {
  std::vector<Run> result;
  for (int k = begin; k < end; k++) {
    if (!result.empty() && result.back().layout == s.layout[k] &&
        result.back().size == s.layout_size[k])
      result.back().end = k + 1;
    else
      result.push_back({k, k + 1, s.layout[k], s.layout_size[k]});
  }
  return result;
}

// visit(segment, run, row of the body in the layout or -1, freedom before it, all freedom)
template <class Visit>
void ResultsReader::visit_runs(BodyId id, int begin, int end, Visit&& visit) const {
  for (const SegmentView& s : segments_) {
    const int from = std::max(begin - s.first, 0), to = std::min(end - s.first, s.frames());
    for (const Run& run : runs(s, from, std::max(from, to))) {
      int row = -1;
      std::size_t before = 0, all = 0;
      for (std::size_t i = 0; i < run.size; i++) {
        if (s.head.layout_id[run.layout + i] == id.value) {
          row = static_cast<int>(i);
          before = all;
        }
        all += s.head.layout_freedom[run.layout + i];
      }
      visit(s, run, row, before, all);
    }
  }
}

ResultsReader::BodyStates ResultsReader::body_states(BodyId id, int begin, int end) const {
  constexpr std::size_t kQ = BodyStore::kConfiguration;
  BodyStates states;
  visit_runs(
      id, begin, end,
      [&](const SegmentView& s, const Run& run, int row, std::size_t before, std::size_t all) {
        const auto repeats = static_cast<std::size_t>(run.end - run.begin);
        if (row < 0) {
          states.q.insert(states.q.end(), kQ * repeats, kNaN);
          states.u.insert(states.u.end(), kQ * repeats, kNaN);
          return;
        }
        const std::size_t freedom = s.head.layout_freedom[run.layout + row];
        const auto q = open(s).read_strided<double>("body/q", kQ * (s.body[run.begin] + row),
                                                    kQ * run.size, repeats, kQ);
        const auto u =
            open(s).read_strided<double>("body/u", s.u[run.begin] + before, all, repeats, freedom);
        states.q.insert(states.q.end(), q.begin(), q.end());
        for (std::size_t k = 0; k < repeats; k++) {
          const auto at = u.begin() + static_cast<std::ptrdiff_t>(k * freedom);
          states.u.insert(states.u.end(), at, at + static_cast<std::ptrdiff_t>(freedom));
          states.u.insert(states.u.end(), kQ - freedom, 0.0);
        }
      });
  return states;
}

std::vector<double> ResultsReader::body_energies(BodyId id, int begin, int end) const {
  std::vector<double> energies;
  visit_runs(id, begin, end,
             [&](const SegmentView& s, const Run& run, int row, std::size_t, std::size_t) {
               for (int k = run.begin; k < run.end; k++) {
                 if (row < 0) {
                   energies.insert(energies.end(), 5, 0.0);
                   continue;
                 }
                 const auto e = open(s).read<double>("body/energy", s.body[k] + row, 1);
                 energies.insert(energies.end(), e.begin(), e.end());
               }
             });
  return energies;
}

void ResultsReader::visit_contacts(
    int begin, int end,
    const std::function<void(int frame, const ContactRows& rows)>& visit) const {
  // Frames are read in groups of a bounded size.
  constexpr std::size_t kGroup = 1 << 18;
  for (const SegmentView& s : segments_) {
    const int to = std::min(end - s.first, s.frames());
    for (int k = std::max(begin - s.first, 0), last; k < to; k = last) {
      std::size_t count = 0;
      for (last = k; last < to && (last == k || count + s.head.contacts[last] <= kGroup); last++)
        count += s.head.contacts[last];
      const Hdf5Reader& h5 = open(s);
      const auto body1 = h5.read<std::uint32_t>("contact/body1", s.contact[k], count),
                 body2 = h5.read<std::uint32_t>("contact/body2", s.contact[k], count);
      const auto gap = h5.read<double>("contact/gap", s.contact[k], count),
                 normal = h5.read<double>("contact/normal", s.contact[k], count),
                 R = h5.read<double>("contact/R", s.contact[k], count),
                 U = h5.read<double>("contact/U", s.contact[k], count);
      const auto surface1 = h5.read<std::int32_t>("contact/surface1", s.contact[k], count),
                 surface2 = h5.read<std::int32_t>("contact/surface2", s.contact[k], count);
      std::size_t at = 0;
      for (int frame = k; frame < last; frame++) {
        const std::size_t n = s.head.contacts[frame];
        visit(s.first + frame,
              {n, body1.data() + at, body2.data() + at, gap.data() + at, normal.data() + 3 * at,
               R.data() + 3 * at, U.data() + 3 * at, surface1.data() + at, surface2.data() + at});
        at += n;
      }
    }
  }
}

}  // namespace solfec
