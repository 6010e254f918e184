#include "parallel/collective_errors.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "core/error.hpp"

namespace solfec {
namespace {

struct Description {
  std::string text;
  bool of_program = false;  // and not of the user or the simulation
};

Description describe(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return {"no memory is left", true};
  } catch (const std::logic_error& error) {
    return {error.what(), true};
  } catch (const std::exception& error) {
    return {error.what(), false};
  } catch (...) {
    return {"unknown error", false};
  }
}

}  // namespace

void Attempt::agree(const Communicator& communicator) {
  const double none = communicator.size();
  const double first = communicator.min(error_ ? communicator.rank() : none);
  if (first == none) return;
  Description own;
  if (error_) own = describe(error_);
  ArchiveWriter writer;
  writer(own.text);
  const Bytes bytes = communicator.broadcast(writer.take(), static_cast<int>(first));
  if (error_ && (!own.of_program || communicator.size() == 1)) std::rethrow_exception(error_);
  throw RunError(ArchiveReader(bytes).get<std::string>());
}

int collective_exit(const Communicator& communicator, const std::string& message, int code) {
  constexpr double kWait = 1.0;  // [s]
  const RankFailure failure = communicator.report_failure(code, kWait);
  if (failure.is_reporter)
    fmt::print(stderr, "{}", message);
  else if (!failure.on_all_ranks)  // the reporting rank aborts this one
    std::this_thread::sleep_for(std::chrono::seconds(2));
  if (!failure.on_all_ranks) communicator.abort(failure.code);
  return failure.code;
}

void end_all_ranks(const Communicator& communicator, const std::string& message) {
  communicator.abort(collective_exit(
      communicator, fmt::format("solfec: rank {}: {}\n", communicator.rank(), message), 1));
}

}  // namespace solfec
