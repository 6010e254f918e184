#include "parallel/agreement.hpp"

#include <string>

#include "core/error.hpp"

namespace solfec {

void Attempt::agree(const Communicator& communicator) {
  const double none = communicator.size();
  const double first = communicator.min(error_ ? communicator.rank() : none);
  if (first == none) return;
  std::string text;
  if (error_) {
    try {
      std::rethrow_exception(error_);
    } catch (const std::exception& error) {
      text = error.what();
    } catch (...) {
      text = "unknown error";
    }
  }
  ArchiveWriter writer;
  writer(text);
  const Bytes bytes = communicator.broadcast(writer.take(), static_cast<int>(first));
  if (error_) std::rethrow_exception(error_);
  throw RunError(ArchiveReader(bytes).get<std::string>());
}

}  // namespace solfec
