#include "output/global_heap.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>

#include "core/error.hpp"

namespace solfec {
namespace {

constexpr std::size_t kReference = 16;  // bytes: length (4), address (8), number of object (4)
constexpr std::size_t kHeader = 16;     // of a collection, and of each object in it

[[noreturn]] void fail() { throw RunError("strings in the file are not where it says"); }

// Bytes are in the order of this machine, as those of all files of results (x86, ARM).
template <class T>
T number_at(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

class Heap {
 public:
  Heap(const std::string& path, std::uint64_t size)
      : file_(path, std::ios::binary), size_(size), left_(size) {}

  std::string bytes(std::uint64_t begin, std::uint64_t count) {
    if (begin > size_ || count > size_ - begin) fail();
    std::string result(count, '\0');
    file_.seekg(static_cast<std::streamoff>(begin));
    if (!file_.read(result.data(), static_cast<std::streamsize>(count))) fail();
    return result;
  }

  const std::string& object(std::uint64_t address, std::uint32_t number) {
    auto collection = collections_.find(address);
    if (collection == collections_.end())
      collection = collections_.emplace(address, read_collection(address)).first;
    const auto found = collection->second.find(number);
    if (found == collection->second.end()) fail();
    return found->second;
  }

 private:
  using Collection = std::map<std::uint32_t, std::string>;

  Collection read_collection(std::uint64_t address) {
    const std::string header = bytes(address, kHeader);
    const auto size = number_at<std::uint64_t>(header, 8);
    // Collections do not overlap: together they are no longer than the file.
    if (header.compare(0, 5, "GCOL\x01") != 0 || size < kHeader || size > left_) fail();
    left_ -= size;
    const std::string all = bytes(address, size);
    Collection objects;
    for (std::size_t at = kHeader; all.size() - at >= kHeader;) {
      const auto number = number_at<std::uint16_t>(all, at);
      const auto length = number_at<std::uint64_t>(all, at + 8);
      if (number == 0) break;  // what is free
      at += kHeader;
      if (length > all.size() - at) fail();
      objects.emplace(number, all.substr(at, length));
      at += std::min<std::uint64_t>((length + 7) / 8 * 8, all.size() - at);
    }
    return objects;
  }

  std::ifstream file_;
  std::uint64_t size_, left_;
  std::map<std::uint64_t, Collection> collections_;
};

}  // namespace

std::vector<std::string> read_heap_strings(const std::string& path, std::uint64_t size,
                                           std::uint64_t begin, std::size_t count) {
  Heap heap(path, size);
  if (count > size / kReference) fail();
  const std::string references = heap.bytes(begin, kReference * count);
  std::vector<std::string> strings;
  std::uint64_t room = size;  // strings do not share their bytes
  for (std::size_t at = 0; at < references.size(); at += kReference) {
    const auto length = number_at<std::uint32_t>(references, at);
    if (length == 0) {
      strings.emplace_back();
      continue;
    }
    const std::string& text = heap.object(number_at<std::uint64_t>(references, at + 4),
                                          number_at<std::uint32_t>(references, at + 12));
    if (length > text.size() || length > room) fail();
    room -= length;
    strings.emplace_back(text.c_str(), strnlen(text.data(), length));
  }
  return strings;
}

}  // namespace solfec
