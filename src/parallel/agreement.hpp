// Errors that all ranks act on together: no rank leaves alone.
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
  /// with the text of the first rank that failed. Trouble of the program itself is RunError on all.
  /// Collective.
  void agree(const Communicator& communicator);

 private:
  std::exception_ptr error_;
};

/// An attempt of one piece of work, agreed on at once. Collective, and the work is not.
template <class Work>
void together(const Communicator& communicator, Work&& work) {
  Attempt attempt;
  attempt(work);
  attempt.agree(communicator);
}

/// For a rank that is about to leave with a message and an exit code. It gives the others a moment
/// to say that they are in trouble, too: then the one with the largest code speaks, all return that
/// code and leave; otherwise it takes them along and does not return. Not collective.
int leave_in_trouble(const Communicator& communicator, const std::string& message, int code);

/// Says what is wrong on one of the ranks in trouble, and ends all ranks. Not collective.
[[noreturn]] void end_all_ranks(const Communicator& communicator, const std::string& message);

/// Work of all ranks together. Errors that all ranks have pass: RunError, InputError, errors of the
/// script. What strikes one rank while the others wait for it ends all ranks: trouble of the
/// program itself (std::logic_error, std::bad_alloc), and any error that nobody has agreed on.
template <class Work>
decltype(auto) in_company(const Communicator& communicator, Work&& work) {
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
