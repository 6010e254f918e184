// Errors that all ranks act on together.
#pragma once

#include <exception>
#include <string>

#include "core/error.hpp"
#include "parallel/communicator.hpp"

namespace solfec {

/// Does work that may fail on some ranks only (each works alone: nothing collective in it). When it
/// has failed anywhere, all ranks throw RunError with the text of the first rank that failed; on
/// one rank the error itself goes on. Collective.
template <class Work>
void together(const Communicator& communicator, Work&& work) {
  if (communicator.size() == 1) return work();
  std::string text;
  bool failed = false;
  try {
    work();
  } catch (const std::exception& error) {
    failed = true;
    text = error.what();
  }
  if (!communicator.any(failed)) return;
  ArchiveWriter mine;
  mine(failed, text);
  for (const Bytes& bytes : communicator.gather(mine.bytes())) {
    ArchiveReader other(bytes);
    other(failed, text);
    if (failed) throw RunError(text);
  }
}

}  // namespace solfec
