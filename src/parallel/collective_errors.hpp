// Errors are handled collectively: all ranks throw, or all ranks end.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "parallel/communicator.hpp"

namespace solfec {

/// Work of this rank alone between two collective calls. The first exception is kept, and what
/// follows it is left out, until all ranks agree.
class Attempt {
 public:
  template <class Work>
  void operator()(Work&& work) {
    if (error_) return;
    try {
      work();
    } catch (...) {
      error_ = std::current_exception();
    }
  }
  /// Throws on every rank when any has failed: its own exception on that rank, elsewhere RunError
  /// with the text of the first rank that failed. An internal error is RunError on all ranks.
  /// Collective.
  void agree(const Communicator& communicator);

 private:
  std::exception_ptr error_;
};

/// Runs local work, then throws on all ranks if it failed on any. Collective; the work is not.
template <class Work>
void collectively(const Communicator& communicator, Work&& work) {
  Attempt attempt;
  attempt(work);
  attempt.agree(communicator);
}

/// For a rank that is about to exit with a message and a code. Waits some seconds for the other
/// ranks to fail too: if all do, the one with the largest code prints its message and all return
/// that code. Otherwise it prints its message, aborts all ranks and does not return. Not
/// collective.
int collective_exit(const Communicator& communicator, const std::string& message, int code);

/// Prints the message on one of the failed ranks, and aborts all ranks. Not collective.
[[noreturn]] void end_all_ranks(const Communicator& communicator, const std::string& message);

/// Runs collective work. Errors that all ranks throw pass: RunError, InputError, errors of the
/// script. An error on one rank, for which the others would wait for ever, aborts all ranks:
/// internal errors (std::logic_error, std::bad_alloc), and any error that was not agreed on.
template <class Work>
decltype(auto) abort_on_local_error(const Communicator& communicator, Work&& work) {
  if (communicator.size() == 1) return work();
  try {
    return work();
  } catch (const std::bad_alloc&) {
    end_all_ranks(communicator, "no memory is left");
  } catch (const std::logic_error& error) {
    end_all_ranks(communicator, error.what());
  } catch (const std::exception& error) {
    constexpr double kWait = 5.0;  // [s], for ranks that are late
    if (!communicator.all_arrive(kWait)) end_all_ranks(communicator, error.what());
    throw;
  }
}

}  // namespace solfec
