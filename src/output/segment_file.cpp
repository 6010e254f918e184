#include "output/segment_file.hpp"

#include <algorithm>
#include <filesystem>

#include "core/version.hpp"
#include "output/hdf5_file.hpp"
#include "output/results_files.hpp"
#include "output/table_reading.hpp"
#include "parallel/collective_errors.hpp"

namespace solfec {
namespace {

// Numbers in each column: on the ranks before this one, on all.
struct Counts {
  std::vector<double> before, all;
};

Counts count_alone(const FrameData& data) {
  Counts n;
  data.visit_columns([&](const Column& c) { n.all.push_back(static_cast<double>(c.size())); });
  n.before.resize(n.all.size());
  return n;
}

Counts count_numbers(const FrameData& part, const Communicator& communicator) {
  Counts n = count_alone(part);
  n.before = n.all;
  communicator.sum_all_before(n.before);
  communicator.sum_all(n.all);
  return n;
}

void write_attributes(Hdf5Composer& h5) {
  h5.attribute("content", std::string(kSegmentMark));
  h5.attribute("format", kResultsFormat);
  h5.attribute("program", std::string("Solfec ") + kVersion);
}

// The file without its numbers; returns where those of each column go.
std::vector<std::uint64_t> lay_out(const FrameData& part, const Counts& counts,
                                   const std::string& path) {
  Hdf5Composer h5;
  write_attributes(h5);
  std::vector<std::uint64_t> begin;
  part.visit_columns([&](const Column& c) {
    const auto rows = static_cast<std::size_t>(counts.all[begin.size()]) / c.width;
    begin.push_back(h5.lay_out(c.path, c.type(), rows, c.width, c.unit, c.meaning));
  });
  h5.write_file(path);
  return begin;
}

// Writes the numbers of each column to where its next ones go, and moves that on.
void write_columns(const FrameData& part, std::vector<std::uint64_t>& next, OutputFile& file) {
  std::size_t k = 0;
  part.visit_columns([&](const Column& c) {
    std::visit(
        [&](const auto& numbers) {
          const std::size_t size = sizeof(numbers[0]) * numbers.size();
          if (size > 0) file.write(next[k], numbers.data(), size);
          next[k] += size;
        },
        c.numbers);
    k++;
  });
}

void write_part(const FrameData& part, const Counts& counts, std::vector<std::uint64_t> next,
                const std::string& path) {
  OutputFile file(path, OutputFile::How::existing);
  std::size_t k = 0;
  part.visit_columns([&](const Column& c) {
    next[k] += static_cast<std::uint64_t>(counts.before[k]) * number_size(c.type());
    k++;
  });
  write_columns(part, next, file);
  file.close();
}

void write_plain(const FrameData& part, const Counts& counts, const std::string& path,
                 const Communicator& communicator) {
  const bool first = communicator.rank() == 0;
  std::vector<std::uint64_t> begin;
  collectively(communicator, [&] {
    if (first) begin = lay_out(part, counts, path);
  });
  ArchiveWriter plan;
  plan(begin);
  const Bytes bytes = communicator.broadcast(plan.take(), 0);
  ArchiveReader archive(bytes);
  archive(begin);
  collectively(communicator, [&] { write_part(part, counts, begin, path); });
}

// Compressed arrays, filled rank by rank.
class Compressor {
 public:
  explicit Compressor(const Counts& counts) {
    write_attributes(h5_);
    std::size_t k = 0;
    FrameData().visit_columns([&](const Column& c) {
      // Small chunks: a history reads one body out of each frame.
      constexpr std::size_t kChunkBytes = 16384;
      const std::size_t row_bytes = c.width * number_size(c.type());
      h5_.compress(c.path, c.type(), static_cast<std::size_t>(counts.all[k++]) / c.width, c.width,
                   c.unit, c.meaning, std::max<std::size_t>(1, kChunkBytes / row_bytes));
    });
  }
  void append(const FrameData& part) {
    std::size_t k = 0;
    part.visit_columns([&](const Column& c) {
      std::visit([&](const auto& numbers) { h5_.append(std::span(numbers), k++); }, c.numbers);
    });
  }
  void write_file(const std::string& path) { h5_.write_file(path); }

 private:
  Hdf5Composer h5_;
};

Bytes pack(const FrameData& part) {
  ArchiveWriter archive;
  part.visit_columns([&](const Column& c) { archive(c.numbers); });
  return archive.take();
}

FrameData unpack(const Bytes& bytes) {
  FrameData part;
  ArchiveReader archive(bytes);
  part.visit_columns([&](Column& c) { archive(c.numbers); });
  return part;
}

void write_compressed(const FrameData& part, const Counts& counts, const std::string& path,
                      const Communicator& communicator) {
  const bool first = communicator.rank() == 0;
  std::optional<Compressor> file;
  collectively(communicator, [&] {
    if (!first) return;
    file.emplace(counts);
    file->append(part);
  });
  for (int rank = 1; rank < communicator.size(); rank++) {
    std::vector<Message> messages;
    if (rank == communicator.rank()) messages.push_back({0, pack(part)});
    messages = communicator.exchange(std::move(messages));
    collectively(communicator, [&] {
      if (first) file->append(unpack(messages.at(0).data));
    });
  }
  collectively(communicator, [&] {
    if (first) file->write_file(path);
  });
}

}  // namespace

void write_segment_file(const FrameData& part, const std::string& directory,
                        const std::string& file, bool compressed,
                        const Communicator& communicator) {
  const std::string path = (std::filesystem::path(directory) / file).string();
  const bool first = communicator.rank() == 0;
  const Counts counts = count_numbers(part, communicator);
  try {
    (compressed ? write_compressed : write_plain)(part, counts, temporary_name(path), communicator);
  } catch (...) {
    if (first) remove_temporary(path);
    throw;
  }
  collectively(communicator, [&] {
    if (first) put_in_place(path);
  });
}

void write_segment_file(const FrameData& data, const std::string& directory,
                        const std::string& file, bool compressed) {
  const std::string path = (std::filesystem::path(directory) / file).string();
  const Counts counts = count_alone(data);
  try {
    if (compressed) {
      Compressor h5(counts);
      h5.append(data);
      h5.write_file(temporary_name(path));
    } else {
      write_part(data, counts, lay_out(data, counts, temporary_name(path)), temporary_name(path));
    }
  } catch (...) {
    remove_temporary(path);
    throw;
  }
  put_in_place(path);
}

SegmentInParts::SegmentInParts(const std::string& directory, const std::string& file,
                               const std::vector<std::uint64_t>& counts)
    : path_((std::filesystem::path(directory) / file).string()) {
  Counts n;
  n.all.assign(counts.begin(), counts.end());
  try {
    next_ = lay_out(FrameData(), n, temporary_name(path_));
    output_.emplace(temporary_name(path_), OutputFile::How::existing);
  } catch (...) {
    remove_temporary(path_);
    throw;
  }
}

SegmentInParts::~SegmentInParts() {
  if (output_) remove_temporary(path_);
}

void SegmentInParts::append(const FrameData& part) { write_columns(part, next_, *output_); }

void SegmentInParts::finish() {
  output_->close();
  output_.reset();
  put_in_place(path_);
}

FrameData read_segment_file(const std::string& directory, const std::string& file) {
  const Hdf5Reader h5((std::filesystem::path(directory) / file).string());
  FrameData data;
  data.visit_columns([&](Column& c) { read_column(h5, c, 0, h5.rows(c.path, c.type(), c.width)); });
  return data;
}

}  // namespace solfec
