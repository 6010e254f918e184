// Files of the FCLib layout: round trips, the order of components, the ways to store W, and wrong
// ones (more of those in tests/input/test_fclib.py).
#include "output/fclib_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "output/hdf5_handle.hpp"
#include "output/hdf5_reader.hpp"
#include "support/random.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::fclib_file_test {
namespace {

using testing::ScratchDirectory;
using Handle = Hdf5Handle;

Mat3 random_block(testing::Random& random) {
  Mat3 block;
  for (double& x : block.reshaped()) x = random.uniform(-1, 1);
  return block;
}

void add_texts_and_contacts(ContactProblem& p, int contacts, testing::Random& random) {
  p.title = "sample";
  p.description = "of \"numbers\", µ";
  p.math_info = "none";
  for (int row = 0; row < contacts; row++) {
    p.q.push_back(random.in_box(1));
    p.friction.push_back(random.uniform(0, 1));
  }
}

ContactProblem sample(int contacts) {
  testing::Random random(2);
  ContactProblem p;
  p.W.begin.push_back(0);
  for (int row = 0; row < contacts; row++) {
    for (int column = 0; column < contacts; column++) {
      if (column != row && (row + column) % 3 == 0) continue;
      p.W.column.push_back(column);
      p.W.value.push_back(random_block(random));
    }
    p.W.begin.push_back(p.W.column.size());
  }
  add_texts_and_contacts(p, contacts, random);
  return p;
}

// The same with equality rows, each beside some of the contacts and of each other.
ContactProblem sample_with_equalities(int contacts, int equalities) {
  testing::Random random(3);
  ContactProblem p = sample(contacts);
  std::vector<std::vector<std::pair<int, Mat3>>> rows(contacts + equalities);
  for (int row = 0; row < contacts; row++)
    for (std::size_t k = p.W.begin[row]; k < p.W.begin[row + 1]; k++)
      rows[row].emplace_back(p.W.column[k], p.W.value[k]);
  for (int k = 0; k < equalities; k++) {
    const int row = contacts + k;
    for (int contact = k % 2; contact < contacts; contact += 2) {
      Mat3 block = Mat3::Zero();
      block.col(2) = random.in_box(1);
      rows[contact].emplace_back(row, block);
      rows[row].emplace_back(contact, block.transpose());
    }
    for (int other = 0; other < equalities; other++) {
      Mat3 block = Mat3::Zero();
      block(2, 2) = random.uniform(0.5, 1);
      rows[row].emplace_back(contacts + other, block);
    }
    p.q.emplace_back(0, 0, random.uniform(-1, 1));
  }
  p.W = {};
  p.W.begin.push_back(0);
  for (const auto& row : rows) {
    for (const auto& [column, block] : row) {
      p.W.column.push_back(column);
      p.W.value.push_back(block);
    }
    p.W.begin.push_back(p.W.column.size());
  }
  return p;
}

// Contacts between one body and the next, the first one with nothing, and equality rows.
ContactProblem sample_with_bodies(int contacts, int equalities) {
  testing::Random random(4);
  ContactProblem p;
  add_texts_and_contacts(p, contacts, random);
  BodyRows& bodies = p.bodies.emplace();
  const int rows = contacts + equalities;
  for (int k = 0; k < rows; k++) bodies.sizes.push_back(k % 2 == 0 ? 6 : 4);
  for (int row = 0; row < rows; row++) {
    auto& ends = bodies.rows.emplace_back();
    for (int k : {0, 1}) {
      const int body = row - k;
      if (body < 0) continue;
      const auto size = static_cast<std::size_t>(3 * bodies.sizes[body]);
      ends[k] = {body, std::vector<double>(size)};
      for (std::size_t i = row < contacts ? 0 : 2 * size / 3; i < size; i++)
        ends[k].G[i] = random.uniform(-1, 1);
    }
    std::swap(ends[0], ends[ends[1].body >= 0]);  // as they are read: in the order of the bodies
    if (row >= contacts) p.q.emplace_back(0, 0, random.uniform(-1, 1));
  }
  return p;
}

void add_guess(ContactProblem& p) {
  testing::Random random(5);
  for (int row = 0; row < p.rows(); row++) {
    p.guess.push_back(random.in_box(1));
    if (row >= p.contacts()) p.guess.back().head<2>().setZero();
  }
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
  EXPECT_EQ(a.bodies, b.bodies);
  EXPECT_EQ(a.guess, b.guess);
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

// Through a file twice.
void expect_round_trip(const ContactProblem& p) {
  const ScratchDirectory scratch;
  write_fclib(p, scratch / "a.hdf5");
  const ContactProblem again = read_fclib(scratch / "a.hdf5");
  expect_same(again, p);
  write_fclib(again, scratch / "b.hdf5");
  EXPECT_EQ(content(scratch / "a.hdf5"), content(scratch / "b.hdf5"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.hdf5.part"));
}

TEST(FclibFile, RoundTrip) {
  for (int contacts : {0, 1, 7})
    for (int equalities : {0, 1, 4})
      for (bool guess : {false, true}) {
        ContactProblem local = sample_with_equalities(contacts, equalities);
        ContactProblem global = sample_with_bodies(contacts, equalities);
        if (guess && contacts + equalities > 0) {
          add_guess(local);
          add_guess(global);
        }
        expect_round_trip(local);
        expect_round_trip(global);
      }
}

TEST(FclibFile, GuessesAreIgnoredOnDemand) {
  const ScratchDirectory scratch;
  ContactProblem p = sample(2);
  add_guess(p);
  write_fclib(p, scratch / "a.hdf5");
  EXPECT_TRUE(read_fclib(scratch / "a.hdf5", FileGuess::ignore).guess.empty());
}

// With all numbers that a file has: of (N, T1, T2), and an equality row.
TEST(FclibFile, GuessesHaveTheirVelocities) {
  const ScratchDirectory scratch;
  ContactProblem p = sample_with_bodies(2, 1);
  p.bodies->mass = 4;
  add_guess(p);
  write_fclib(p, scratch / "a.hdf5");
  const Hdf5Reader file(scratch / "a.hdf5");
  EXPECT_EQ(file.integers("guesses/number_of_guesses"), std::vector<std::int64_t>{1});
  const auto v = file.numbers("guesses/1/v"), u = file.numbers("guesses/1/u"),
             r = file.numbers("guesses/1/r"), l = file.numbers("guesses/1/l");
  EXPECT_EQ(r, (std::vector<double>{p.guess[0].z(), p.guess[0].x(), p.guess[0].y(), p.guess[1].z(),
                                    p.guess[1].x(), p.guess[1].y()}));
  EXPECT_EQ(l, std::vector<double>{p.guess[2].z()});
  // u = H^T v + w and M v = H r + G l, by the file.
  const auto product = [&](const std::string& name, auto&& add) {
    const auto begin = file.integers(name + "/p"), index = file.integers(name + "/i");
    const auto value = file.numbers(name + "/x");
    for (std::size_t line = 0; line + 1 < begin.size(); line++)
      for (auto k = begin[line]; k < begin[line + 1]; k++) add(line, index[k], value[k]);
  };
  std::vector<double> left = u, momentum(v.size());
  const auto w = file.numbers("fclib_global/vectors/w");
  for (std::size_t k = 0; k < u.size(); k++) left[k] -= w[k];
  product("fclib_global/H", [&](std::size_t column, std::int64_t row, double x) {
    left[column] -= x * v[row];
    momentum[row] -= x * r[column];
  });
  product("fclib_global/G",
          [&](std::size_t, std::int64_t row, double x) { momentum[row] -= x * l[0]; });
  product("fclib_global/M",
          [&](std::size_t row, std::int64_t column, double x) { momentum[row] += x * v[column]; });
  for (const double x : left) EXPECT_NEAR(x, 0, 1e-15);
  for (const double x : momentum) EXPECT_NEAR(x, 0, 1e-15);
}

// The file's mass is in the blocks that are read.
TEST(FclibFile, BodiesAreReadWithUnitMass) {
  const ScratchDirectory scratch;
  ContactProblem p = sample_with_bodies(3, 2);
  p.bodies->mass = 4;
  write_fclib(p, scratch / "a.hdf5");
  const ContactProblem read = read_fclib(scratch / "a.hdf5");
  EXPECT_EQ(read.bodies->mass, 1);
  const LocalDynamics a = local_dynamics_of(p), b = local_dynamics_of(read);
  for (int row = 0; row < 5; row++)
    for (int column = 0; column < 5; column++)
      EXPECT_LT((a.W.block(row, column) - b.W.block(row, column)).norm(), 1e-15);
}

// V, R and s beside W, by hand.
TEST(FclibFile, EqualityRowsHaveTheComponentN) {
  Mat3 coupling = Mat3::Zero(), last = Mat3::Zero();
  coupling.col(2) = Vec3(1, 2, 3);
  last(2, 2) = 20;
  ContactProblem p;
  p.W = {{0, 2, 4}, {0, 1, 0, 1}, {Mat3::Identity(), coupling, coupling.transpose(), last}};
  p.q = {{1, 2, 3}, {0, 0, 4}};
  p.friction = {0.5};
  const ScratchDirectory scratch;
  write_fclib(p, scratch / "a.hdf5");
  const Hdf5Reader file(scratch / "a.hdf5");
  EXPECT_EQ(file.numbers("fclib_local/vectors/s"), std::vector<double>{4});
  EXPECT_EQ(file.numbers("fclib_local/V/x"), (std::vector<double>{3, 1, 2}));
  EXPECT_EQ(file.integers("fclib_local/V/p"), (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(file.integers("fclib_local/V/m"), std::vector<std::int64_t>{3});
  EXPECT_EQ(file.integers("fclib_local/V/n"), std::vector<std::int64_t>{1});
  EXPECT_EQ(file.numbers("fclib_local/R/x"), std::vector<double>{20});
  EXPECT_EQ(file.numbers("fclib_local/W/x").size(), 9U);
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
            "'" + path +
                "' holds no problem that can be read: 'vectors/mu' must be >= 0; there is -0.25");
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
