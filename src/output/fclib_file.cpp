#include "output/fclib_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/regular_file.hpp"
#include "output/hdf5_handle.hpp"
#include "output/hdf5_reader.hpp"
#include "output/output_file.hpp"

namespace solfec {
namespace {

using Handle = Hdf5Handle;

// Place in (T1, T2, N) of FCLib's components (N, T1, T2): a cyclic permutation, so that a
// right-handed base stays one.
constexpr int kOurs[3] = {2, 0, 1};

struct Entry {
  int row, column;  // FCLib's
  double value;
};

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(readable(path), fail_problem) {}

  ContactProblem problem() const {
    if (!file_.has("fclib_local"))
      fail(file_.has("fclib_global")
               ? "it has a global problem (fclib_global) only, not a local one"
               : "it has no group 'fclib_local'");
    if (const std::int64_t dimension = integer("spacedim"); dimension != 3)
      fail(fmt::format("spacedim must be 3; it is {}", dimension));
    for (const char* equality : {"V", "R", "vectors/s"})
      if (file_.has(at(equality)))
        fail(fmt::format("it has equality rows ('{}'), which are not supported", equality));
    ContactProblem problem;
    const std::vector<double> q = reals("vectors/q");
    problem.friction = reals("vectors/mu");
    const std::size_t contacts = problem.friction.size();
    demand_size("vectors/q", q.size(), 3 * contacts, "3 x that of vectors/mu");
    for (double mu : problem.friction)
      if (mu < 0) fail(fmt::format("mu must be >= 0; there is {:g}", mu));
    problem.q.resize(contacts);
    for (std::size_t k = 0; k < q.size(); k++) problem.q[k / 3][kOurs[k % 3]] = q[k];
    problem.W = blocks(static_cast<int>(contacts));
    problem.title = text("info/title");
    problem.description = text("info/description");
    problem.math_info = text("info/math_info");
    return problem;
  }

 private:
  static const std::string& readable(const std::string& path) {
    if (const std::string reason = why_not_readable(path); !reason.empty())
      throw value_error(fmt::format("cannot read '{}': {}", path, reason));
    return path;
  }
  static void fail_problem(const std::string& path, const std::string& what) {
    throw value_error(fmt::format("'{}' holds no problem that can be read: {}", path, what));
  }
  [[noreturn]] void fail(const std::string& what) const { file_.fail(what); }

  static std::string at(const std::string& name) { return "fclib_local/" + name; }

  std::vector<std::int64_t> integers(const std::string& name) const {
    return file_.integers(at(name));
  }
  std::vector<double> reals(const std::string& name) const {
    std::vector<double> values = file_.numbers(at(name));
    for (double value : values)
      if (!std::isfinite(value)) fail(fmt::format("'{}' holds {:g}", name, value));
    return values;
  }
  std::int64_t integer(const std::string& name) const {
    const std::vector<std::int64_t> values = integers(name);
    if (values.size() != 1)
      fail(fmt::format("'{}' must be one integer; there are {}", name, values.size()));
    return values[0];
  }
  std::string text(const std::string& name) const {
    return file_.has(at(name)) ? file_.text(at(name)) : "";
  }

  void demand_size(const char* name, std::size_t size, std::size_t wanted, const char* why) const {
    if (size != wanted)
      fail(fmt::format("the size of '{}' must be {} ({}); it is {}", name, wanted, why, size));
  }

  int index(std::int64_t value, std::int64_t bound, const char* name) const {
    if (value < 0 || value >= bound)
      fail(fmt::format("'{}' must hold indices from 0 to {}; there is {}", name, bound - 1, value));
    return static_cast<int>(value);
  }

  // All entries of W, in the order of the file.
  std::vector<Entry> entries(std::int64_t size) const {
    for (const char* name : {"W/m", "W/n"})
      if (const std::int64_t given = integer(name); given != size)
        fail(fmt::format("'{}' must be {} (the size of vectors/q); it is {}", name, size, given));
    const std::int64_t nz = integer("W/nz");
    if (nz < -2)
      fail(
          fmt::format("'W/nz' must be -2 (compressed rows), -1 (compressed columns) or the number "
                      "of triplets; it is {}",
                      nz));
    const std::vector<std::int64_t> p = integers("W/p"), i = integers("W/i");
    const std::vector<double> x = reals("W/x");
    std::vector<Entry> result;
    const auto room = static_cast<std::int64_t>(std::min(i.size(), x.size()));
    if (nz >= 0) {
      if (nz > room || nz > static_cast<std::int64_t>(p.size()))
        fail(
            fmt::format("'W/p', 'W/i' and 'W/x' must have {} entries (W/nz); they have {}, {} "
                        "and {}",
                        nz, p.size(), i.size(), x.size()));
      for (std::int64_t k = 0; k < nz; k++)
        result.push_back({index(p[k], size, "W/p"), index(i[k], size, "W/i"), x[k]});
      return result;
    }
    demand_size("W/p", p.size(), static_cast<std::size_t>(size + 1), "W/m + 1");
    if (p[0] != 0 || !std::ranges::is_sorted(p)) fail("'W/p' must start at 0 and not fall");
    if (p.back() > room)
      fail(
          fmt::format("'W/i' and 'W/x' must have {} entries (the last of W/p); they have {} and {}",
                      p.back(), i.size(), x.size()));
    for (int major = 0; major < size; major++)
      for (std::int64_t k = p[major]; k < p[major + 1]; k++) {
        const int minor = index(i[k], size, "W/i");
        result.push_back(nz == -2 ? Entry{major, minor, x[k]} : Entry{minor, major, x[k]});
      }
    return result;
  }

  BlockRows blocks(int contacts) const {
    const std::vector<Entry> all = entries(3 * static_cast<std::int64_t>(contacts));
    std::vector<std::vector<int>> columns(contacts);
    for (int row = 0; row < contacts; row++) columns[row].push_back(row);
    for (const Entry& e : all)
      if (columns[e.row / 3].back() != e.column / 3) columns[e.row / 3].push_back(e.column / 3);
    BlockRows W;
    W.begin.push_back(0);
    for (std::vector<int>& list : columns) {
      std::ranges::sort(list);
      list.erase(std::ranges::unique(list).begin(), list.end());
      W.column.insert(W.column.end(), list.begin(), list.end());
      W.begin.push_back(W.column.size());
    }
    W.value.assign(W.column.size(), Mat3::Zero());
    for (const Entry& e : all) {
      const std::vector<int>& list = columns[e.row / 3];
      const auto place = std::ranges::lower_bound(list, e.column / 3) - list.begin();
      W.value[W.begin[e.row / 3] + static_cast<std::size_t>(place)](kOurs[e.row % 3],
                                                                    kOurs[e.column % 3]) += e.value;
    }
    return W;
  }

  Hdf5Reader file_;
};

// A file composed in memory, so that a full disk meets plain system calls.
class Writer {
 public:
  Writer() {
    silence_hdf5();
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "access list");
    check_hdf5(H5Pset_fapl_core(access, std::size_t{1} << 20, false), "file in memory");
    file_ = H5Fcreate("fclib", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    check_hdf5(file_ < 0 ? -1 : 0, "file in memory");
  }
  ~Writer() { H5Fclose(file_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void group(const char* name) {
    const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "creation list");
    check_hdf5(H5Pset_obj_track_times(creation, false), "times");
    const Handle made(H5Gcreate2(file_, name, H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose,
                      "group");
  }
  void write(const char* name, std::span<const double> values) {
    array(name, H5T_NATIVE_DOUBLE, values.size(), values.data());
  }
  void write(const char* name, std::span<const int> values) {
    array(name, H5T_NATIVE_INT, values.size(), values.data());
  }
  void write(const char* name, int value) { write(name, std::span(&value, 1)); }
  void write(const char* name, const std::string& text) {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
    check_hdf5(H5Tset_size(type, text.size() + 1), "text size");
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "space");
    set(name, type, space, text.c_str(), true);
  }

  std::vector<char> bytes() const {
    check_hdf5(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flush");
    const ssize_t size = H5Fget_file_image(file_, nullptr, 0);
    check_hdf5(size < 0 ? -1 : 0, "file image");
    std::vector<char> result(static_cast<std::size_t>(size));
    check_hdf5(H5Fget_file_image(file_, result.data(), result.size()) < 0 ? -1 : 0, "file image");
    return result;
  }

 private:
  void array(const char* name, hid_t type, hsize_t size, const void* values) {
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "space");
    set(name, type, space, values, size > 0);
  }
  void set(const char* name, hid_t type, hid_t space, const void* values, bool any) {
    // No times: equal problems make equal files.
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "creation list");
    check_hdf5(H5Pset_obj_track_times(creation, false), "times");
    const Handle made(H5Dcreate2(file_, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
                      H5Dclose, "array");
    if (any) check_hdf5(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "array");
  }

  hid_t file_;
};

}  // namespace

ContactProblem read_fclib(const std::string& path) { return Reader(path).problem(); }

void write_fclib(const ContactProblem& problem, const std::string& path) {
  const BlockRows& W = problem.W;
  if (9 * W.value.size() > std::numeric_limits<int>::max())
    throw RunError(fmt::format("cannot write '{}': W has more entries than FCLib can count", path));
  const int size = 3 * problem.contacts();
  std::vector<int> p = {0}, i;
  std::vector<double> x, q;
  for (int row = 0; row < size; row++) {
    for (std::size_t k = W.begin[row / 3]; k < W.begin[row / 3 + 1]; k++)
      for (int column = 0; column < 3; column++) {
        i.push_back(3 * W.column[k] + column);
        x.push_back(W.value[k](kOurs[row % 3], kOurs[column]));
      }
    p.push_back(static_cast<int>(i.size()));
    q.push_back(problem.q[row / 3][kOurs[row % 3]]);
  }
  Writer file;
  for (const char* group :
       {"fclib_local", "fclib_local/W", "fclib_local/vectors", "fclib_local/info"})
    file.group(group);
  file.write("fclib_local/spacedim", 3);
  file.write("fclib_local/W/m", size);
  file.write("fclib_local/W/n", size);
  file.write("fclib_local/W/nz", -2);
  file.write("fclib_local/W/nzmax", static_cast<int>(i.size()));
  file.write("fclib_local/W/p", p);
  file.write("fclib_local/W/i", i);
  file.write("fclib_local/W/x", x);
  file.write("fclib_local/vectors/q", q);
  file.write("fclib_local/vectors/mu", problem.friction);
  file.write("fclib_local/info/title", problem.title);
  file.write("fclib_local/info/description", problem.description);
  file.write("fclib_local/info/math_info", problem.math_info);
  const std::vector<char> bytes = file.bytes();
  publish_file(path, std::as_bytes(std::span(bytes)));
}

}  // namespace solfec
