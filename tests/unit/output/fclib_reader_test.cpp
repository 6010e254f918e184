// Arrays and matrices of files, and complaints about them (more in tests/input/test_fclib.py).
#include "output/fclib_reader.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "core/error.hpp"
#include "output/fclib_writer.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::fclib_reader_test {
namespace {

using testing::ScratchDirectory;

// Of a group 'a' that `make` fills.
template <class Read>
auto read(const std::function<void(FclibWriter&)>& make, Read&& read) {
  const ScratchDirectory scratch;
  FclibWriter written(scratch / "a.hdf5");
  written.group("a");
  make(written);
  written.publish();
  const Hdf5Reader file = FclibReader::open(scratch / "a.hdf5");
  return read(FclibReader(file, "a"));
}

std::string complaint(const std::function<void(FclibWriter&)>& make,
                      const std::function<void(const FclibReader&)>& ask) {
  return read(make, [&](const FclibReader& in) -> std::string {
    try {
      ask(in);
    } catch (const InputError& error) {
      const std::string start = "' holds no problem that can be read: ", text = error.what();
      const std::size_t found = text.find(start);
      return found == std::string::npos ? text : text.substr(found + start.size());
    }
    return "none";
  });
}

TEST(FclibReader, ReadsWhatIsThere) {
  const auto make = [](FclibWriter& file) {
    file.write("a/x", std::vector<double>{1, 2});
    file.write("a/n", 3);
    file.write("a/text", std::string("t"));
  };
  read(make, [](const FclibReader& in) {
    EXPECT_TRUE(in.has("x") && !in.has("y"));
    EXPECT_EQ(in.reals("x", 2, "two"), (std::vector<double>{1, 2}));
    EXPECT_EQ(in.integer("n"), 3);
    EXPECT_EQ(in.text("text") + in.text("other"), "t");
    return 0;
  });
  EXPECT_EQ(complaint(make, [](const FclibReader& in) { in.reals("y"); }), "there is no 'a/y'");
  EXPECT_EQ(complaint(make, [](const FclibReader& in) { in.reals("x", 3, "three"); }),
            "the size of 'x' must be 3 (three); it is 2");
  EXPECT_EQ(complaint(make, [](const FclibReader& in) { in.fail("all"); }), "all");
  EXPECT_THROW(FclibReader::open("no/such"), InputError);
}

TEST(FclibReader, ReadsMatricesThatAreNotSquare) {
  CompressedMatrix matrix(CompressedMatrix::By::columns, 3, 2);
  matrix.add(1, 5);
  matrix.end_line();
  matrix.add(2, 6);
  matrix.end_line();
  const auto make = [&](FclibWriter& file) { file.write("a/H", matrix); };
  const auto entries = read(make, [](const FclibReader& in) {
    return in.matrix("H", {3, "rows"}, {2, "columns"});
  });
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(std::tie(entries[0].row, entries[0].column, entries[0].value), std::tuple(1, 0, 5.0));
  EXPECT_EQ(std::tie(entries[1].row, entries[1].column, entries[1].value), std::tuple(2, 1, 6.0));
  const auto ask = [](std::size_t rows, std::size_t columns) {
    return [=](const FclibReader& in) { in.matrix("H", {rows, "rows"}, {columns, "columns"}); };
  };
  EXPECT_EQ(complaint(make, ask(4, 2)), "'H/m' must be 4 (rows); it is 3");
  EXPECT_EQ(complaint(make, ask(3, 1)), "'H/n' must be 1 (columns); it is 2");
  matrix.add(3, 7);
  matrix.end_line();
  EXPECT_EQ(complaint(make, ask(3, 2)), "the size of 'H/p' must be 3 (H/n + 1); it is 4");
}

}  // namespace
}  // namespace solfec::fclib_reader_test
