// Files of the FCLib layout: round trips, the order of components, the ways to store W, and wrong
// ones (more of those in tests/input/test_fclib.py).
#include "output/fclib_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "output/hdf5_handle.hpp"
#include "support/random.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::fclib_file_test {
namespace {

using testing::ScratchDirectory;
using Handle = Hdf5Handle;

ContactProblem sample(int contacts) {
  testing::Random random(2);
  ContactProblem p;
  p.title = "sample";
  p.description = "of \"numbers\", µ";
  p.math_info = "none";
  p.W.begin.push_back(0);
  for (int row = 0; row < contacts; row++) {
    for (int column = 0; column < contacts; column++) {
      if (column != row && (row + column) % 3 == 0) continue;
      p.W.column.push_back(column);
      p.W.value.emplace_back();
      for (double& x : p.W.value.back().reshaped()) x = random.uniform(-1, 1);
    }
    p.W.begin.push_back(p.W.column.size());
    p.q.push_back(random.in_box(1));
    p.friction.push_back(random.uniform(0, 1));
  }
  return p;
}

void expect_same(const ContactProblem& a, const ContactProblem& b) {
  EXPECT_EQ(a.W.begin, b.W.begin);
  EXPECT_EQ(a.W.column, b.W.column);
  EXPECT_EQ(a.W.value, b.W.value);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.friction, b.friction);
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.description, b.description);
  EXPECT_EQ(a.math_info, b.math_info);
}

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

template <class T>
hid_t native() {
  return std::is_same_v<T, int> ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
}

template <class T>
std::vector<T> numbers(hid_t file, const std::string& name) {
  const Handle set(H5Dopen2(file, ("fclib_local/" + name).c_str(), H5P_DEFAULT), H5Dclose, "set");
  const Handle space(H5Dget_space(set), H5Sclose, "space");
  std::vector<T> values(H5Sget_simple_extent_npoints(space));
  H5Dread(set, native<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  return values;
}

template <class T>
void put(hid_t file, const std::string& name, const std::vector<T>& values) {
  const std::string path = "fclib_local/" + name;
  H5Ldelete(file, path.c_str(), H5P_DEFAULT);
  const hsize_t size = values.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "space");
  const Handle set(
      H5Dcreate2(file, path.c_str(), native<T>(), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose, "set");
  H5Dwrite(set, native<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

// A sample file, then changed.
std::string changed(const ScratchDirectory& scratch, const std::function<void(hid_t)>& change,
                    int contacts = 4) {
  const std::string path = scratch / "changed.hdf5";
  write_fclib(sample(contacts), path);
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "file");
  change(file);
  return path;
}

std::string complaint(const std::string& path) {
  try {
    read_fclib(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(FclibFile, RoundTrip) {
  const ScratchDirectory scratch;
  for (int contacts : {0, 1, 7}) {
    const ContactProblem p = sample(contacts);
    write_fclib(p, scratch / "a.hdf5");
    const ContactProblem again = read_fclib(scratch / "a.hdf5");
    expect_same(again, p);
    write_fclib(again, scratch / "b.hdf5");
    EXPECT_EQ(content(scratch / "a.hdf5"), content(scratch / "b.hdf5"));
  }
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.hdf5.part"));
}

TEST(FclibFile, ComponentsAreNormalFirst) {
  ContactProblem p;
  Mat3 W;
  W << 11, 12, 13, 21, 22, 23, 31, 32, 33;  // of (T1, T2, N)
  p.W = {{0, 1}, {0}, {W}};
  p.q = {{1, 2, 3}};
  p.friction = {0.5};
  const ScratchDirectory scratch;
  write_fclib(p, scratch / "a.hdf5");
  const Handle file(H5Fopen((scratch / "a.hdf5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                    "file");
  EXPECT_EQ(numbers<double>(file, "vectors/q"), (std::vector<double>{3, 1, 2}));
  EXPECT_EQ(numbers<double>(file, "vectors/mu"), (std::vector<double>{0.5}));
  EXPECT_EQ(numbers<double>(file, "W/x"),
            (std::vector<double>{33, 31, 32, 13, 11, 12, 23, 21, 22}));
  EXPECT_EQ(numbers<int>(file, "W/i"), (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(numbers<int>(file, "W/p"), (std::vector<int>{0, 3, 6, 9}));
  EXPECT_EQ(numbers<int>(file, "W/nz"), (std::vector<int>{-2}));
  EXPECT_EQ(numbers<int>(file, "W/nzmax"), (std::vector<int>{9}));
  EXPECT_EQ(numbers<int>(file, "spacedim"), (std::vector<int>{3}));
}

TEST(FclibFile, ReadsAllWaysToStoreW) {
  const ScratchDirectory scratch;
  const auto rows_of = [](hid_t file) {
    const auto p = numbers<int>(file, "W/p");
    std::vector<int> rows;
    for (std::size_t row = 0; row + 1 < p.size(); row++)
      rows.insert(rows.end(), p[row + 1] - p[row], static_cast<int>(row));
    return rows;
  };
  const std::string triplets = changed(scratch, [&](hid_t file) {
    const std::vector<int> rows = rows_of(file);
    put(file, "W/p", rows);
    put(file, "W/nz", std::vector<int>{static_cast<int>(rows.size())});
  });
  expect_same(read_fclib(triplets), sample(4));

  const std::string columns = changed(scratch, [&](hid_t file) {
    const auto rows = rows_of(file), i = numbers<int>(file, "W/i");
    const auto x = numbers<double>(file, "W/x");
    std::vector<int> p = {0}, index;
    std::vector<double> value;
    for (int column = 0; column < 12; column++) {
      for (std::size_t k = 0; k < i.size(); k++)
        if (i[k] == column) {
          index.push_back(rows[k]);
          value.push_back(x[k]);
        }
      p.push_back(static_cast<int>(index.size()));
    }
    put(file, "W/p", p);
    put(file, "W/i", index);
    put(file, "W/x", value);
    put(file, "W/nz", std::vector<int>{-1});
  });
  expect_same(read_fclib(columns), sample(4));

  // Entries at one place add; a diagonal block without entries is zero; rooms for more stay empty.
  const std::string twice = changed(
      scratch,
      [&](hid_t file) {
        put(file, "W/nz", std::vector<int>{3});
        put(file, "W/p", std::vector<int>{0, 0, 4, 9});
        put(file, "W/i", std::vector<int>{0, 0, 2, 9});
        put(file, "W/x", std::vector<double>{1, 2, 5, 9});
        const Handle group(H5Gopen2(file, "fclib_local", H5P_DEFAULT), H5Gclose, "group");
        H5Ldelete(group, "info", H5P_DEFAULT);
      },
      2);
  const ContactProblem p = read_fclib(twice);
  EXPECT_EQ(p.W.column, (std::vector<int>{0, 0, 1}));
  Mat3 block = Mat3::Zero();
  block(2, 2) = 3;
  EXPECT_EQ(p.W.value[0], block);
  block = Mat3::Zero();
  block(0, 1) = 5;  // row 4: T1 of the second contact; column 2: T2 of the first
  EXPECT_EQ(p.W.value[1], block);
  EXPECT_TRUE(p.W.value[2].isZero(0));
  EXPECT_EQ(p.title + p.description + p.math_info, "");
}

TEST(FclibFile, ComplaintsNameFileAndTrouble) {
  const ScratchDirectory scratch;
  EXPECT_EQ(complaint(scratch / "no"),
            "cannot read '" + (scratch / "no") + "': No such file or directory");
  std::ofstream(scratch / "text") << "no HDF5";
  EXPECT_EQ(complaint(scratch / "text"),
            "'" + (scratch / "text") +
                "' holds no problem that can be read: it is no HDF5 file, or not a whole one");
  const std::string path = changed(scratch, [](hid_t file) {
    put(file, "vectors/mu", std::vector<double>{0.5, -0.25, 0.5, 0.5});
  });
  EXPECT_EQ(complaint(path),
            "'" + path + "' holds no problem that can be read: mu must be >= 0; there is -0.25");
  EXPECT_NE(complaint(changed(scratch,
                              [](hid_t file) {
                                auto i = numbers<int>(file, "W/i");
                                i[5] = 12;
                                put(file, "W/i", i);
                              }))
                .find("'W/i' must hold indices from 0 to 11; there is 12"),
            std::string::npos);
  EXPECT_THROW(write_fclib(sample(1), scratch / "no/such"), RunError);
  EXPECT_FALSE(std::filesystem::exists(scratch / "no"));
}

}  // namespace
}  // namespace solfec::fclib_file_test
