// Errors that all ranks act on together: no rank leaves alone.
#pragma once

#include <exception>

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
  /// with the text of the first rank that failed. Collective.
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

}  // namespace solfec
