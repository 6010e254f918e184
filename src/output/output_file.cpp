#include "output/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/error.hpp"

namespace solfec {

namespace {
constexpr std::string_view kTemporary = ".solfec-part";
}

OutputFile::OutputFile(const std::string& path, How how) : path_(path) {
  if (how == How::create) ::unlink(path.c_str());
  const int flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (how == How::create ? O_CREAT | O_EXCL : 0);
  file_ = ::open(path.c_str(), flags, 0666);
  if (file_ < 0) fail(errno);
}

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
}

void OutputFile::fail(int reason) const {
  std::string_view name = path_;  // that it will have
  if (name.ends_with(kTemporary)) name.remove_suffix(kTemporary.size());
  throw RunError(fmt::format("cannot write '{}': {}", name, std::strerror(reason)));
}

void OutputFile::resize(std::uint64_t size) {
  if (::ftruncate(file_, static_cast<off_t>(size)) != 0) fail(errno);
}

void OutputFile::write(std::uint64_t at, const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n = ::pwrite(file_, next, size, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail(n < 0 ? errno : ENOSPC);
    next += n;
    at += static_cast<std::uint64_t>(n);
    size -= static_cast<std::size_t>(n);
  }
}

void OutputFile::close() {
  const int file = std::exchange(file_, -1);
  if (::close(file) != 0) fail(errno);
}

std::string temporary_name(const std::string& path) { return path + std::string(kTemporary); }
void remove_temporary(const std::string& path) { ::unlink(temporary_name(path).c_str()); }

void put_in_place(const std::string& path) {
  if (std::rename(temporary_name(path).c_str(), path.c_str()) == 0) return;
  const std::string reason = std::strerror(errno);
  remove_temporary(path);
  throw RunError(fmt::format("cannot write '{}': {}", path, reason));
}

void publish_file(const std::string& path, std::span<const std::byte> bytes) {
  try {
    OutputFile file(temporary_name(path), OutputFile::How::create);
    file.write(0, bytes.data(), bytes.size());
    file.close();
  } catch (...) {
    remove_temporary(path);
    throw;
  }
  put_in_place(path);
}

}  // namespace solfec
