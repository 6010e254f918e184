// Errors that all ranks agree on: no rank leaves alone.
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

}  // namespace solfec
