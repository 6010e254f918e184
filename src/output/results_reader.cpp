#include "output/results_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <numeric>
#include <type_traits>

#include "core/error.hpp"
#include "output/frame_checks.hpp"
#include "output/table_reading.hpp"

namespace solfec {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

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
  index_ = std::move(index);
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
    FrameData head;
    for (TableId table : {TableId::frame, TableId::layout, TableId::cut})
      read_table(*segment.file, head, table);
    naming(segment.path, [&] {
      segment.frame = rows_of<FrameRow>(head);
      segment.body_rows = rows_of<LayoutRow>(head);
      segment.cuts = rows_of<CutRow>(head);
      check_head(segment.frame, segment.body_rows, segment.cuts);
      if (segment.frames() != entry.frames)
        throw RunError(
            fmt::format("it has {} frames, {} in the index", segment.frames(), entry.frames));
      if (!segments_.empty() &&
          (segment.frame.front().header.time < time_.back() ||
           segment.frame.front().header.run < segments_.back().frame.back().header.run))
        throw RunError("it begins before the file before it ends");
    });
    if (segment.file->size() > kShortSegment) segment.file.reset();
    index_segment(segment);
    for (const FrameRow& row : segment.frame) time_.push_back(row.header.time);
    first += segment.frames();
    segments_.push_back(std::move(segment));
  }
}

void ResultsReader::index_segment(SegmentView& s) const {
  std::size_t layout_end = 0, layout = 0, layout_size = 0, dofs = 0, nodes = 0;
  std::size_t partition_end = 0, partition = 0;
  std::size_t body = 0, u = 0, x = 0, contact = 0, bond = 0, definition = 0;
  for (const FrameRow& row : s.frame) {
    if (row.layout > 0 || s.layout.empty() || row.bodies != layout_size) {
      layout = layout_end;
      layout_size = row.layout;
      layout_end += layout_size;
      dofs = nodes = 0;
      for (std::size_t i = layout; i < layout_end; i++) {
        dofs += s.body_rows[i].dofs;
        nodes += s.body_rows[i].nodes;
      }
    }
    if (row.partition > 0) {
      partition = partition_end;
      partition_end += row.partition;
    }
    s.partition.push_back(partition);
    s.partition_size.push_back(partition_end - partition);
    s.layout.push_back(layout);
    s.layout_size.push_back(layout_size);
    s.body.push_back(body);
    s.u.push_back(u);
    s.x.push_back(x);
    s.contact.push_back(contact);
    s.bond.push_back(bond);
    s.definition.push_back(definition);
    body += layout_size;
    u += dofs;
    x += 3 * nodes;
    contact += row.constraints;
    bond += row.bonds;
    definition += row.definitions;
  }
}

int ResultsReader::frame_at(double time) const {
  const double slack = kSameFrame * std::max(std::abs(time), time_.back() - time_.front());
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
  return s.frame[static_cast<std::size_t>(frame - s.first)].header;
}

Partition ResultsReader::partition(int frame) const {
  const SegmentView& s = segment_of(frame);
  const auto k = static_cast<std::size_t>(frame - s.first);
  const auto ranks = static_cast<std::size_t>(s.frame[k].header.ranks);
  const auto cuts = std::span(s.cuts).subspan(s.partition[k], s.partition_size[k]);
  Partition partition;
  // One of another number of ranks, that has come before, is not that of this frame.
  if (ranks == 1 || ranks != cuts.size() + 1) return partition;
  for (int i = 0; i < 9; i++)
    partition.axes(i / 3, i % 3) = cuts[0].axes[static_cast<std::size_t>(i)];
  for (const CutRow& row : cuts) partition.cuts.push_back(row.cut);
  return partition;
}

std::span<const LayoutRow> ResultsReader::layout(int frame) const {
  const SegmentView& s = segment_of(frame);
  const auto k = static_cast<std::size_t>(frame - s.first);
  return std::span(s.body_rows).subspan(s.layout[k], s.layout_size[k]);
}

bool ResultsReader::holds(int frame, BodyId id) const {
  return std::ranges::binary_search(layout(frame), id.value, {}, &LayoutRow::id);
}

std::vector<double> ResultsReader::frame_column(const std::string& name, int begin, int end) const {
  std::vector<double> result;
  for (const SegmentView& s : segments_) {
    const int from = std::max(begin - s.first, 0), to = std::min(end - s.first, s.frames());
    if (from >= to) continue;
    const auto rows = std::span(s.frame).subspan(static_cast<std::size_t>(from),
                                                 static_cast<std::size_t>(to - from));
    const auto numbers = frame_numbers(rows, "frame/" + name);
    DEMAND(numbers.has_value());
    result.insert(result.end(), numbers->begin(), numbers->end());
  }
  return result;
}

const std::vector<Body>& ResultsReader::definitions(const SegmentView& segment,
                                                    const RowPart& part) const {
  if (const auto known = definitions_.find({&segment, part}); known != definitions_.end())
    return known->second;
  const std::size_t rows = segment.definitions();
  const FrameData columns =
      read_rows(open(segment), TableId::definition, part.begin(rows), part.end(rows));
  return naming(segment.path, [&]() -> const std::vector<Body>& {
    std::vector<Body> bodies = rows_of<Body>(columns);
    for (const Body& body : bodies) check_definition(body);
    return definitions_[{&segment, part}] = std::move(bodies);
  });
}

std::vector<std::pair<int, Body>> ResultsReader::definitions_of(BodyId id) const {
  std::vector<std::pair<int, Body>> result;
  for (const SegmentView& s : segments_) {
    const auto& bodies = definitions(s);
    for (int k = 0; k < s.frames(); k++)
      for (std::size_t row = s.definition[k]; row < s.definition[k] + s.frame[k].definitions; row++)
        if (bodies[row].id == id) result.emplace_back(s.first + k, bodies[row]);
  }
  return result;
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

// visit(segment, run, row of the body in the layout or -1)
template <class Visit>
void ResultsReader::visit_runs(BodyId id, int begin, int end, Visit&& visit) const {
  for (const SegmentView& s : segments_) {
    const int from = std::max(begin - s.first, 0), to = std::min(end - s.first, s.frames());
    for (const Run& run : runs(s, from, std::max(from, to))) {
      const auto rows = std::span(s.body_rows).subspan(run.layout, run.size);
      const auto found = std::ranges::lower_bound(rows, id.value, {}, &LayoutRow::id);
      const bool present = found != rows.end() && found->id == id.value;
      visit(s, run, present ? static_cast<int>(found - rows.begin()) : -1);
    }
  }
}

ResultsReader::BodyStates ResultsReader::body_states(BodyId id, int begin, int end) const {
  BodyStates states;
  visit_runs(id, begin, end, [&](const SegmentView& s, const Run& run, int row) {
    const auto repeats = static_cast<std::size_t>(run.end - run.begin);
    const auto pad = [&] {
      states.u.resize(states.q.size() / kConfigurationSize * states.freedom, kNaN);
      states.x.resize(states.q.size() / kConfigurationSize * states.positions, kNaN);
    };
    if (row < 0) {
      states.q.insert(states.q.end(), kConfigurationSize * repeats, kNaN);
      pad();
      return;
    }
    // Rows of the body in a column whose rows are told by counts of the layout.
    const auto rows = std::span(s.body_rows).subspan(run.layout, run.size);
    const auto column = [&](const char* path, std::uint32_t LayoutRow::*counts, std::size_t width,
                            std::size_t first, std::vector<double>& into) {
      const auto sum = [&](std::span<const LayoutRow> of) {
        return std::accumulate(of.begin(), of.end(), std::size_t{0},
                               [&](std::size_t n, const LayoutRow& r) { return n + r.*counts; });
      };
      const std::size_t before = sum(rows.first(static_cast<std::size_t>(row))), all = sum(rows);
      const std::size_t count = rows[row].*counts;
      if (count == 0) return;
      const auto numbers = open(s).read_strided<double>(path, first + width * before, width * all,
                                                        repeats, width * count);
      into.insert(into.end(), numbers.begin(), numbers.end());
    };
    // Frames before the first one with the body hold as many numbers.
    const std::size_t freedom = rows[row].dofs;
    if (states.freedom > 0 && states.freedom != freedom)
      Hdf5Reader::fail_results(s.path, fmt::format("body {} changes its nodes", id.value));
    states.freedom = freedom;
    states.positions = 3 * std::size_t{rows[row].nodes};
    pad();
    const auto q =
        open(s).read_strided<double>("body/q", kConfigurationSize * (s.body[run.begin] + row),
                                     kConfigurationSize * run.size, repeats, kConfigurationSize);
    states.q.insert(states.q.end(), q.begin(), q.end());
    column("body/u", &LayoutRow::dofs, 1, s.u[run.begin], states.u);
    column("body/x", &LayoutRow::nodes, 3, s.x[run.begin], states.x);
  });
  return states;
}

std::vector<double> ResultsReader::body_energies(BodyId id, int begin, int end) const {
  std::vector<double> energies;
  visit_runs(id, begin, end, [&](const SegmentView& s, const Run& run, int row) {
    for (int k = run.begin; k < run.end; k++) {
      if (row < 0) {
        energies.insert(energies.end(), 5, 0.0);
        continue;
      }
      const auto e = open(s).read<double>("body/energy", 5, s.body[k] + row, 1);
      energies.insert(energies.end(), e.begin(), e.end());
    }
  });
  return energies;
}

void ResultsReader::visit_constraints(
    int begin, int end,
    const std::function<void(int frame, const ConstraintRows& rows)>& visit) const {
  // Frames are read in groups of a bounded size.
  constexpr std::size_t kGroup = 1 << 18;
  for (const SegmentView& s : segments_) {
    const int to = std::min(end - s.first, s.frames());
    for (int k = std::max(begin - s.first, 0), last; k < to; k = last) {
      std::size_t count = 0;
      for (last = k; last < to && (last == k || count + s.frame[last].constraints <= kGroup);
           last++)
        count += s.frame[last].constraints;
      const Hdf5Reader& h5 = open(s);
      const auto f64 = [&](const char* path, std::size_t width) {
        return h5.read<double>(path, width, s.contact[k], count);
      };
      const auto kind = h5.read<std::uint8_t>("constraint/kind", 1, s.contact[k], count);
      const auto body1 = h5.read<std::uint32_t>("constraint/body1", 1, s.contact[k], count),
                 body2 = h5.read<std::uint32_t>("constraint/body2", 1, s.contact[k], count);
      const auto gap = f64("constraint/gap", 1), normal = f64("constraint/normal", 3),
                 arm = f64("constraint/arm", 3), R = f64("constraint/R", 3),
                 U = f64("constraint/U", 3);
      const auto surface1 = h5.read<std::int32_t>("constraint/surface1", 1, s.contact[k], count),
                 surface2 = h5.read<std::int32_t>("constraint/surface2", 1, s.contact[k], count);
      std::size_t at = 0;
      for (int frame = k; frame < last; frame++) {
        const std::size_t n = s.frame[frame].constraints;
        visit(s.first + frame,
              {n, kind.data() + at, body1.data() + at, body2.data() + at, gap.data() + at,
               normal.data() + 3 * at, arm.data() + 3 * at, R.data() + 3 * at, U.data() + 3 * at,
               surface1.data() + at, surface2.data() + at});
        at += n;
      }
    }
  }
}

}  // namespace solfec
