// Strings of variable length in HDF5 files: the library follows what stands in its heap without a
// look at it (1.10.8 reads outside of its memory), so files of strangers are read here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace solfec {

/// The strings of an array of `count` ones that begins at byte `begin` of a file of `size` bytes:
/// their lengths and places in the global heap (HDF5 File Format Specification 3.0, III.E). Of
/// addresses and sizes of eight bytes, the usual ones. Throws RunError with what is wrong.
std::vector<std::string> read_heap_strings(const std::string& path, std::uint64_t size,
                                           std::uint64_t begin, std::size_t count);

}  // namespace solfec
