#include "output/hdf5_reader.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "output/hdf5_file.hpp"
#include "output/hdf5_handle.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::hdf5_reader_test {
namespace {

using Handle = Hdf5Handle;

// Files as a stranger may make them, by the library itself.
class Hdf5ReaderTest : public ::testing::Test {
 protected:
  Hdf5ReaderTest() { silence_hdf5(); }

  Handle create() const {
    return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "file"};
  }
  static Handle simple(std::vector<hsize_t> size) {
    return {H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose,
            "space"};
  }
  static void array(hid_t file, const char* name, hid_t type, std::vector<hsize_t> size,
                    hid_t creation = H5P_DEFAULT) {
    const Handle space = simple(std::move(size));
    const Handle set(H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
                     H5Dclose, "array");
  }
  static Handle creation_list() {
    return {H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "creation list"};
  }

  // What the reader says of the file.
  template <class Read>
  std::string complaint(Read&& read) const {
    try {
      const Hdf5Reader file(path);
      read(file);
    } catch (const RunError& error) {
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
      return error.what();
    }
    return "";
  }
  void expect_refused(const char* name, const char* why) const {
    const std::string said = complaint([&](const Hdf5Reader& file) { file.read<double>(name); });
    EXPECT_NE(said.find(why), std::string::npos) << name << ": " << said;
    EXPECT_NE(complaint([&](const Hdf5Reader& file) { file.numbers(name); }), "") << name;
  }

  testing::ScratchDirectory scratch;
  std::string path = scratch / "file.h5";
};

TEST_F(Hdf5ReaderTest, AttributesOfOtherKindsAreRefused) {
  {
    const Handle file = create();
    const auto attribute = [&](const char* name, hid_t type, std::vector<hsize_t> size) {
      const Handle space = simple(std::move(size));
      const Handle made(H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                        "attribute");
    };
    attribute("many", H5T_NATIVE_INT64, {1000});
    attribute("short", H5T_NATIVE_INT8, {1});
    attribute("real", H5T_NATIVE_DOUBLE, {1});
    const Handle text(H5Tcopy(H5T_C_S1), H5Tclose, "type");
    H5Tset_size(text, 40);
    attribute("texts", text, {50});
    H5Tset_size(text, H5T_VARIABLE);
    attribute("pointer", text, {1});
    const Handle wide(H5Tarray_create2(H5T_NATIVE_INT64, 1, std::array<hsize_t, 1>{100}.data()),
                      H5Tclose, "type");
    attribute("wide", wide, {1});
  }
  for (const char* name : {"many", "short", "real", "texts", "pointer", "wide", "none"}) {
    EXPECT_NE(complaint([&](const Hdf5Reader& file) { file.attribute(name); }), "") << name;
    EXPECT_NE(complaint([&](const Hdf5Reader& file) { file.text_attribute(name); }), "") << name;
  }
}

TEST_F(Hdf5ReaderTest, ArraysOfOtherTypesAndShapesAreRefused) {
  {
    const Handle file = create();
    array(file, "double", H5T_NATIVE_DOUBLE, {12});
    array(file, "float", H5T_NATIVE_FLOAT, {12});
    array(file, "signed", H5T_NATIVE_INT32, {12});
    array(file, "table", H5T_NATIVE_DOUBLE, {4, 3});
    array(file, "cube", H5T_NATIVE_DOUBLE, {2, 2, 3});
    const Handle group(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                       "group");
    array(file, "group/inner", H5T_NATIVE_DOUBLE, {2, 2});
    const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose, "space"),
        null(H5Screate(H5S_NULL), H5Sclose, "space");
    const Handle one(H5Dcreate2(file, "scalar", H5T_NATIVE_DOUBLE, scalar, H5P_DEFAULT, H5P_DEFAULT,
                                H5P_DEFAULT),
                     H5Dclose, "array"),
        none(H5Dcreate2(file, "null", H5T_NATIVE_DOUBLE, null, H5P_DEFAULT, H5P_DEFAULT,
                        H5P_DEFAULT),
             H5Dclose, "array");
  }
  const Hdf5Reader file(path);
  EXPECT_EQ(file.read<double>("double").size(), 12u);
  EXPECT_EQ(file.read<double>("table", 3).size(), 12u);
  EXPECT_EQ(file.numbers("float").size(), 12u);
  EXPECT_EQ(file.integers("signed").size(), 12u);
  EXPECT_THROW(file.integers("float"), RunError);
  EXPECT_THROW(file.read<double>("float"), RunError);
  EXPECT_THROW(file.read<std::uint32_t>("signed"), RunError);
  EXPECT_THROW(file.read<std::int64_t>("signed"), RunError);
  const Hdf5Reader other(path);
  EXPECT_THROW(other.read<double>("table"), RunError);
  EXPECT_THROW(other.read<double>("table", 4), RunError);
  EXPECT_THROW(other.read<double>("double", 3), RunError);
  for (const char* name : {"cube", "scalar", "null", "group", "group/inner", "no", "no/such"})
    EXPECT_THROW(other.read<double>(name), RunError) << name;
  EXPECT_THROW(other.read_strings("double"), RunError);
  EXPECT_THROW(other.text("double"), RunError);
}

TEST_F(Hdf5ReaderTest, RowsBeyondTheEndAreRefused) {
  {
    const Handle file = create();
    array(file, "a", H5T_NATIVE_DOUBLE, {10});
    array(file, "b", H5T_NATIVE_DOUBLE, {10, 3});
  }
  const Hdf5Reader file(path);
  constexpr std::size_t kMost = ~std::size_t{0};
  EXPECT_EQ(file.read<double>("a", 1, 10, 0).size(), 0u);
  EXPECT_EQ(file.read_strided<double>("a", 1, 4, 3, 1).size(), 3u);
  EXPECT_THROW(file.read<double>("a", 1, 0, 11), RunError);
  EXPECT_THROW(file.read<double>("a", 1, 11, 0), RunError);
  EXPECT_THROW(file.read<double>("a", 1, kMost, 1), RunError);
  EXPECT_THROW(file.read<double>("b", 3, 2, kMost), RunError);
  EXPECT_THROW(file.read_strided<double>("a", 1, 5, 3, 1), RunError);
  EXPECT_THROW(file.read_strided<double>("a", kMost, 1, 1, 1), RunError);
  EXPECT_THROW(file.read_strided<double>("a", 0, kMost, 3, 1), RunError);
  EXPECT_THROW(file.read_strided<double>("a", 0, 1, 2, 11), RunError);
  EXPECT_THROW(file.read_strided<double>("a", 0, 1, 2, 2), RunError);  // blocks that overlap
}

TEST_F(Hdf5ReaderTest, MemoryIsInProportionToTheFile) {
  constexpr hsize_t kMany = hsize_t{1} << 50, kChunk = 1 << 10;
  {
    const Handle file = create();
    const Handle chunks = creation_list();
    H5Pset_chunk(chunks, 1, &kChunk);
    array(file, "empty chunks", H5T_NATIVE_DOUBLE, {kMany}, chunks);
    H5Pset_deflate(chunks, 1);
    array(file, "deflated", H5T_NATIVE_DOUBLE, {kMany}, chunks);
    const Handle late = creation_list();  // the file ends before it
    H5Pset_alloc_time(late, H5D_ALLOC_TIME_LATE);
    array(file, "late", H5T_NATIVE_DOUBLE, {kMany}, late);
    const Handle text(H5Tcopy(H5T_C_S1), H5Tclose, "type");
    H5Tset_size(text, H5T_VARIABLE);
    array(file, "strings", text, {kMany}, chunks);
    const hsize_t large = hsize_t{1} << 28;
    const Handle wide = creation_list();
    H5Pset_chunk(wide, 1, &large);
    array(file, "large chunks", H5T_NATIVE_DOUBLE, {large}, wide);
  }
  for (const char* name : {"empty chunks", "deflated", "late"})
    expect_refused(name, "more than the file can hold");
  expect_refused("large chunks", "chunks that are too large");
  EXPECT_NE(complaint([](const Hdf5Reader& file) { file.read_strings("strings"); }), "");
}

TEST_F(Hdf5ReaderTest, WhatIsElsewhereIsRefused) {
  std::ofstream(scratch / "numbers") << std::string(80, 'x');
  const std::string other = scratch / "other.h5";
  {
    const Handle file(H5Fcreate(other.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                      "file");
    array(file, "a", H5T_NATIVE_DOUBLE, {10});
  }
  {
    const Handle file = create();
    array(file, "here", H5T_NATIVE_DOUBLE, {10});
    const Handle external = creation_list();
    H5Pset_external(external, (scratch / "numbers").c_str(), 0, 80);
    array(file, "external", H5T_NATIVE_DOUBLE, {10}, external);
    H5Lcreate_soft("/here", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external(other.c_str(), "/a", file, "link", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external(other.c_str(), "/", file, "root", H5P_DEFAULT, H5P_DEFAULT);
    const Handle put_together = creation_list();
    const hsize_t ten = 10;
    const Handle space = simple({ten});
    H5Pset_virtual(put_together, space, other.c_str(), "/a", space);
    array(file, "virtual", H5T_NATIVE_DOUBLE, {10}, put_together);
    const Handle filtered = creation_list();
    H5Pset_chunk(filtered, 1, &ten);
    H5Pset_scaleoffset(filtered, H5Z_SO_FLOAT_DSCALE, 3);
    array(file, "filtered", H5T_NATIVE_DOUBLE, {10}, filtered);
  }
  EXPECT_EQ(Hdf5Reader(path).read<double>("here").size(), 10u);
  expect_refused("external", "outside of the file");
  expect_refused("soft", "a link to another place");
  expect_refused("link", "a link to another place");
  expect_refused("root/a", "a link to another place");
  expect_refused("virtual", "from elsewhere");
  expect_refused("filtered", "compressed in a way");
}

TEST_F(Hdf5ReaderTest, OnlyRegularFilesAreOpened) {
  EXPECT_THROW(Hdf5Reader(scratch.path().string()), RunError);
  EXPECT_THROW(Hdf5Reader("/dev/zero"), RunError);
  EXPECT_THROW(Hdf5Reader(scratch / "none"), RunError);
  ::mkfifo(path.c_str(), 0600);
  EXPECT_THROW(Hdf5Reader{path}, RunError);  // and does not wait
}

TEST_F(Hdf5ReaderTest, StringsOfBothKindsComeBack) {
  {
    const Handle file = create();
    const Handle text(H5Tcopy(H5T_C_S1), H5Tclose, "type"), space = simple({2});
    H5Tset_size(text, 3);
    const Handle set(H5Dcreate2(file, "fixed", text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                     H5Dclose, "array");
    H5Dwrite(set, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, "abcd\0");
    const Handle any(H5Tcopy(H5T_C_S1), H5Tclose, "type");
    H5Tset_size(any, H5T_VARIABLE);
    const Handle other(H5Dcreate2(file, "any", any, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose, "array");
    const char* strings[] = {"", "longer than three"};
    H5Dwrite(other, any, H5S_ALL, H5S_ALL, H5P_DEFAULT, strings);
  }
  EXPECT_EQ(Hdf5Reader(path).read_strings("fixed"), (std::vector<std::string>{"abc", "d"}));
  EXPECT_EQ(Hdf5Reader(path).read_strings("any"),
            (std::vector<std::string>{"", "longer than three"}));
}

}  // namespace
}  // namespace solfec::hdf5_reader_test
