#include "output/results_writer.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "output/segment_file.hpp"
#include "parallel/collective_errors.hpp"
#include "parallel/row_exchange.hpp"

namespace solfec {
namespace {

constexpr double kMaxAge = 0.5;              // [s] a frame waits no longer in memory
constexpr std::size_t kMaxBytes = 32 << 20;  // nor when so much has gathered on a rank
constexpr std::size_t kJoin = 16;            // segments joined into one
constexpr std::size_t kPart = 4096;          // rows of a frame that goes to its file in parts

// A sum of marks tells sets of bodies (with their freedom) apart, however they are spread over the
// ranks: whole numbers below 2^40, so that sums over up to 8192 ranks are exact; three of them make
// equal sums of different sets impossible in practice.
constexpr double kMarkRange = 1099511627776.0;  // 2^40

std::array<double, 3> mark(BodyId id, int freedom) {
  std::array<double, 3> result;
  std::uint64_t x = (std::uint64_t{id.value} << 32) + static_cast<std::uint64_t>(freedom);
  for (double& part : result) {  // splitmix64
    x += 0x9E3779B97F4A7C15u;
    std::uint64_t z = x;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    part = static_cast<double>((z ^ (z >> 31)) >> 24);
  }
  return result;
}

void add_mark(std::array<double, 3>& sum, const std::array<double, 3>& one) {
  for (std::size_t k = 0; k < 3; k++) {
    sum[k] += one[k];
    if (sum[k] >= kMarkRange) sum[k] -= kMarkRange;
  }
}

template <class Row>
void sort_rows(std::vector<Row>& rows) {
  std::ranges::sort(rows, {}, [](const Row& row) { return row.key(); });
}

}  // namespace

// Of a frame, over all ranks.
struct ResultsWriter::FrameTotals : FrameCounts {
  double deleted_bodies = 0, sparsified = 0;
  std::array<double, 4> solver_rows{};
  // Largest of all ranks
  double colors = 0;
  std::array<double, 4> solver_seconds{};
  std::array<double, kPhases> timing{};

  bool new_layout = false;

  template <class Visit>
  void visit_sums(Visit&& visit) {
    for (double* x : {&bodies, &constraints, &bonds, &definitions, &deleted_bodies, &sparsified})
      visit(*x);
    for (double& x : solver_rows) visit(x);
    for (double& x : mark) visit(x);
  }
  template <class Visit>
  void visit_maxima(Visit&& visit) {
    visit(colors);
    for (double& x : solver_seconds) visit(x);
    for (double& x : timing) visit(x);
  }
};

ResultsWriter::ResultsWriter(std::string directory, std::string analysis,
                             const Communicator& communicator, How how)
    : communicator_(communicator), directory_(std::move(directory)) {
  double frames = 0;
  collectively(communicator_, [&] {
    if (how == How::start || communicator_.rank() > 0) return;
    index_ = read_index(directory_);
    joins_.assign(index_.segments.size(), 0);
    for (const Segment& s : index_.segments) frames += static_cast<double>(s.frames);
    remove_unlisted(directory_, index_);
  });
  if (how == How::start) index_.started = precise_time();
  published_ = static_cast<std::int64_t>(communicator_.max(frames));
  index_.analysis = std::move(analysis);
}

void ResultsWriter::begin_frame(const FrameHeader& header, const Domain& domain,
                                const Partition& partition) {
  if (headers_.empty()) oldest_ = Clock::now();
  if (partitions_.empty() || partitions_.back().second != partition)
    partitions_.emplace_back(static_cast<std::uint32_t>(headers_.size()), partition);
  headers_.push_back(header);
  counts_.push_back(count_rows(domain));
  index_.bulk_materials = domain.bulk_materials.all();
}

void ResultsWriter::add(const FrameHeader& header, Domain& domain, const Partition& partition) {
  if (goes_in_parts(domain)) {
    publish();
    begin_frame(header, domain, partition);
    try {
      write_in_parts(domain);
    } catch (...) {
      forget_frames();
      throw;
    }
    return;
  }
  const auto frame = static_cast<std::uint32_t>(headers_.size());
  begin_frame(header, domain, partition);
  const bool alone = communicator_.size() == 1;
  const bool new_layout = frame == 0 || !counts_[frame].same_bodies(counts_[frame - 1]);
  for (int i = 0; i < domain.bodies.owned(); i++) {
    Body& body = domain.bodies[i];
    if (!takes(body)) continue;
    BodyRow row = body_row(frame, domain.bodies, domain.bulk_materials, i);
    const bool defined = body.recorded != body.changes;
    body.recorded = body.changes;
    if (alone) {
      append_body(block_, row, new_layout);
      if (defined) append(block_, body);
      continue;
    }
    state_bytes_ += sizeof(double) * (row.u.size() + row.x.size());
    bodies_.push_back(std::move(row));
    if (defined) definitions_.push_back({frame, body});
  }
  std::size_t number = 0;
  for (const Constraint& c : domain.constraints.all()) {
    ConstraintRow row = constraint_row(frame, c, domain.surface_materials);
    if (alone)
      append_constraint(block_, row, number++);
    else
      constraints_.push_back(std::move(row));
  }
}

// Such a frame would be published at once in any case.
bool ResultsWriter::goes_in_parts(const Domain& domain) const {
  if (communicator_.size() > 1 || compression_) return false;
  const BodyStore& bodies = domain.bodies;
  constexpr std::size_t kNumbers = 17;  // configuration and energies
  const std::size_t numbers = kNumbers * static_cast<std::size_t>(bodies.owned()) +
                              static_cast<std::size_t>(bodies.u.begin(bodies.owned())) +
                              static_cast<std::size_t>(bodies.x.begin(bodies.owned()));
  return sizeof(double) * numbers + sizeof(Constraint) * domain.constraints.all().size() >=
         kMaxBytes;
}

// Puts a part of the bodies and of the constraints into the block, and adds up the energies if that
// is asked for.
void ResultsWriter::take_part(const Domain& domain, std::size_t part, double* energies) {
  block_.clear();
  const BodyStore& bodies = domain.bodies;
  const auto owned = static_cast<std::size_t>(bodies.owned());
  for (std::size_t k = part * kPart; k < std::min(owned, (part + 1) * kPart); k++) {
    const int i = static_cast<int>(k);
    const BodyRow row =
        energies ? body_row(0, bodies, domain.bulk_materials, i) : state_row(0, bodies, i);
    append_body(block_, row, true);
    if (bodies[i].recorded != bodies[i].changes) append(block_, bodies[i]);
    if (!energies) continue;
    for (std::size_t e = 0; e < row.energy.size(); e++) energies[e] += row.energy[e];
  }
  const std::vector<Constraint>& constraints = domain.constraints.all();
  for (std::size_t k = part * kPart; k < std::min(constraints.size(), (part + 1) * kPart); k++)
    append_constraint(block_, constraint_row(0, constraints[k], domain.surface_materials), k);
}

// Once to count, once to write: so that a frame needs no memory where there is least of it.
void ResultsWriter::write_in_parts(Domain& domain) {
  const std::vector<FrameTotals> totals = reduce_frames();
  std::vector<double> energies(std::tuple_size_v<decltype(FrameRow::energy)>);
  const std::size_t rows =
      std::max<std::size_t>(domain.bodies.owned(), domain.constraints.all().size());
  const std::size_t parts = (rows + kPart - 1) / kPart;
  std::vector<std::uint64_t> counts;
  const auto count = [&] {
    std::size_t column = 0;
    block_.visit_columns([&](const Column& c) {
      if (column == counts.size()) counts.push_back(0);
      counts[column++] += c.size();
    });
  };
  for (std::size_t part = 0; part < parts; part++) {
    take_part(domain, part, nullptr);
    count();
  }
  block_.clear();
  append_frames(totals, energies);
  count();
  const std::string file = segment_name(directory_, published_, published_);
  SegmentInParts segment(directory_, file, counts);
  for (std::size_t part = 0; part < parts; part++) {
    take_part(domain, part, energies.data());
    segment.append(block_);
  }
  block_.clear();
  append_frames(totals, energies);
  segment.append(block_);
  segment.finish();
  for (int i = 0; i < domain.bodies.owned(); i++)
    domain.bodies[i].recorded = domain.bodies[i].changes;
  list_segment(file);
}

bool ResultsWriter::takes(const Body& body) const {
  return communicator_.rank() == 0 || !is_obstacle(body.kind);
}

ResultsWriter::FrameCounts ResultsWriter::count_rows(const Domain& domain) const {
  FrameCounts counts;
  for (int i = 0; i < domain.bodies.owned(); i++) {
    const Body& body = domain.bodies[i];
    if (!takes(body)) continue;
    counts.bodies++;
    counts.definitions += body.recorded != body.changes ? 1 : 0;
    add_mark(counts.mark, mark(body.id, domain.bodies.dofs(i)));
  }
  for (const Constraint& c : domain.constraints.all()) {
    counts.constraints++;
    counts.bonds += c.bond ? 1 : 0;
  }
  return counts;
}

void ResultsWriter::add_to_model(const ModelPart& part) {
  std::erase_if(index_.model, [&](const ModelPart& p) { return p.name == part.name; });
  index_.model.push_back(part);
}

bool ResultsWriter::is_due(double seconds_to_next) const {
  if (headers_.empty()) return false;
  const double age = std::chrono::duration<double>(Clock::now() - oldest_).count();
  const std::size_t bytes = block_.bytes() + bodies_.size() * sizeof(BodyRow) + state_bytes_ +
                            constraints_.size() * sizeof(ConstraintRow);
  // The first rank compresses for all.
  const std::size_t ranks = compression_ ? static_cast<std::size_t>(communicator_.size()) : 1;
  return age >= kMaxAge || age + seconds_to_next >= 2 * kMaxAge * 0.9 || bytes * ranks >= kMaxBytes;
}

std::vector<ResultsWriter::FrameTotals> ResultsWriter::reduce_frames() const {
  std::vector<FrameTotals> totals(headers_.size());
  for (std::size_t k = 0; k < totals.size(); k++) {
    const FrameHeader& h = headers_[k];
    FrameTotals& t = totals[k];
    static_cast<FrameCounts&>(t) = counts_[k];
    t.deleted_bodies = communicator_.rank() == 0 ? h.deleted_bodies : 0;  // known to all
    t.sparsified = h.sparsified;
    std::ranges::copy(h.gauss_seidel.rows, t.solver_rows.begin());
    t.colors = h.gauss_seidel.colors;
    t.solver_seconds = h.gauss_seidel.seconds;
    t.timing = h.timing.seconds();
  }
  std::vector<double> sums, maxima;
  for (FrameTotals& t : totals) {
    t.visit_sums([&](double x) { sums.push_back(x); });
    t.visit_maxima([&](double x) { maxima.push_back(x); });
  }
  communicator_.sum_all(sums);
  communicator_.max_all(maxima);
  const double *sum = sums.data(), *maximum = maxima.data();
  const FrameTotals* before = nullptr;
  for (FrameTotals& t : totals) {
    t.visit_sums([&](double& x) { x = *sum++; });
    t.visit_maxima([&](double& x) { x = *maximum++; });
    for (double& x : t.mark) x = std::fmod(x, kMarkRange);
    t.new_layout = !before || !t.same_bodies(*before);
    before = &t;
  }
  return totals;
}

// Energies of a frame are summed body by body, whatever rank has them: the sum is handed on from
// rank to rank where a frame is cut, so that it is the same to the last bit on any number of them.
std::vector<double> ResultsWriter::sum_energies(const std::vector<FrameTotals>& totals) const {
  constexpr std::size_t kWidth = 5;
  std::vector<double> result(kWidth * totals.size());
  std::vector<double> end;  // by frame: number of bodies in the batch up to its end
  double count = 0;
  for (const FrameTotals& t : totals) end.push_back(count += t.bodies);
  const std::vector<double>& energies =
      std::get<std::vector<double>>(block_[TableId::energy].columns.front().numbers);
  double position = communicator_.sum_before(static_cast<double>(energies.size() / kWidth));
  Channel channel(communicator_);
  const int rank = communicator_.rank();
  std::array<double, 1 + kWidth> sum{};  // frame, sums
  if (rank > 0) channel.receive(rank - 1, sum);
  for (std::size_t row = 0; row < energies.size(); row += kWidth) {
    const auto frame =
        static_cast<std::size_t>(std::ranges::upper_bound(end, position) - end.begin());
    if (sum[0] != static_cast<double>(frame)) sum = {static_cast<double>(frame)};
    for (std::size_t k = 0; k < kWidth; k++) sum[1 + k] += energies[row + k];
    if (++position == end[frame]) std::copy_n(&sum[1], kWidth, &result[kWidth * frame]);
  }
  if (rank + 1 < communicator_.size()) channel.send(rank + 1, sum);
  communicator_.sum_all(result);  // zero on all ranks but that of the frame's last body
  return result;
}

// This rank's block of all rows, of several ranks.
void ResultsWriter::gather_block(const std::vector<FrameTotals>& totals) {
  // Blocks are equal parts of the frames, by rows, and within a frame of the range of ids.
  std::vector<double> begin = {0};
  for (const FrameTotals& t : totals) begin.push_back(begin.back() + 1 + t.bodies + t.constraints);
  const int ranks = communicator_.size();
  const auto rank_of = [&](std::uint32_t frame, BodyId id) {
    const double share = id.value / std::max(1.0, double(headers_[frame].next_body));
    const double at = begin[frame] + std::min(share, 1.0) * (begin[frame + 1] - begin[frame]);
    return std::min(ranks - 1, static_cast<int>(at / begin.back() * ranks));
  };
  // Rows stay in the block that they have come to when it cannot be written.
  bodies_ = send_rows(communicator_, std::move(bodies_),
                      [&](const BodyRow& r) { return rank_of(r.frame, r.id); });
  constraints_ = send_rows(communicator_, std::move(constraints_), [&](const ConstraintRow& r) {
    return rank_of(r.frame, r.constraint.key.body1);
  });
  definitions_ = send_rows(communicator_, std::move(definitions_),
                           [&](const DefinitionRow& r) { return rank_of(r.frame, r.body.id); });
  sort_rows(bodies_);
  sort_rows(constraints_);
  sort_rows(definitions_);
  block_.clear();
  for (const BodyRow& row : bodies_) append_body(block_, row, totals[row.frame].new_layout);
  for (const DefinitionRow& row : definitions_) append(block_, row.body);
  // Bonds name contacts by their row in the frame: a block may start within one.
  std::vector<double> first = {0};
  for (const FrameTotals& t : totals) first.push_back(first.back() + t.constraints);
  double position = communicator_.sum_before(static_cast<double>(constraints_.size()));
  for (const ConstraintRow& row : constraints_)
    append_constraint(block_, row, static_cast<std::size_t>(position++ - first[row.frame]));
}

void ResultsWriter::append_frames(const std::vector<FrameTotals>& totals,
                                  const std::vector<double>& energies) {
  for (const TableId id : {TableId::frame, TableId::cut}) block_[id].clear();  // of another attempt
  const auto count = [](double x) { return static_cast<std::uint32_t>(x); };
  std::vector<std::uint32_t> cuts(headers_.size());
  for (const auto& [frame, partition] : partitions_) {
    cuts[frame] = static_cast<std::uint32_t>(partition.cuts.size());
    CutRow row;
    for (int k = 0; k < 9; k++)
      row.axes[static_cast<std::size_t>(k)] = partition.axes(k / 3, k % 3);
    for (const Cut& cut : partition.cuts) {
      row.cut = cut;
      append(block_, row);
    }
  }
  for (std::size_t k = 0; k < headers_.size(); k++) {
    const FrameTotals& t = totals[k];
    FrameRow row;
    row.header = headers_[k];
    row.header.deleted_bodies = static_cast<int>(t.deleted_bodies);
    row.header.sparsified = static_cast<int>(t.sparsified);
    row.header.timing.seconds() = t.timing;
    row.header.gauss_seidel.colors = static_cast<int>(t.colors);
    std::ranges::transform(t.solver_rows, row.header.gauss_seidel.rows.begin(),
                           [](double x) { return static_cast<std::int64_t>(x); });
    row.header.gauss_seidel.seconds = t.solver_seconds;
    row.header.ranks = communicator_.size();
    std::copy_n(&energies[row.energy.size() * k], row.energy.size(), row.energy.begin());
    row.bodies = count(t.bodies);
    row.constraints = count(t.constraints);
    row.bonds = count(t.bonds);
    row.definitions = count(t.definitions);
    row.layout = t.new_layout ? row.bodies : 0;
    row.partition = cuts[k];
    append(block_, row);
  }
}

void ResultsWriter::publish() {
  if (headers_.empty()) return;
  const auto frames = static_cast<std::int64_t>(headers_.size());
  const std::string file = segment_name(directory_, published_, published_ + frames - 1);
  const std::vector<FrameTotals> totals = reduce_frames();
  if (communicator_.size() > 1) gather_block(totals);
  const std::vector<double> energies = sum_energies(totals);
  if (communicator_.rank() == 0) append_frames(totals, energies);
  write_segment_file(block_, directory_, file, compression_, communicator_);
  list_segment(file);
}

// The file is there.
void ResultsWriter::list_segment(const std::string& file) {
  const auto frames = static_cast<std::int64_t>(headers_.size());
  collectively(communicator_, [&] {
    if (communicator_.rank() > 0) return;
    index_.segments.push_back({file, published_, frames});
    try {
      write_index(directory_, index_);
    } catch (...) {
      index_.segments.pop_back();
      throw;
    }
    joins_.push_back(0);
  });
  published_ += frames;
  forget_frames();
  collectively(communicator_, [&] {
    if (communicator_.rank() == 0) join_short_segments();
  });
}

void ResultsWriter::forget_frames() {
  headers_.clear();
  counts_.clear();
  partitions_.clear();
  block_ = {};
  bodies_ = std::vector<BodyRow>();  // {} would keep the memory
  state_bytes_ = 0;
  constraints_ = std::vector<ConstraintRow>();
  definitions_ = std::vector<DefinitionRow>();
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
      joined.append(read_segment_file(directory_, segments[i].file));
    const std::int64_t first = segments[begin].first,
                       frames = static_cast<std::int64_t>(joined[TableId::frame].rows());
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
