// What the program knows of other ranks. No message passing library shows here; one of two
// link-time implementations stands behind it: MPI, or serial (one rank; a reduction is the
// identity).
#pragma once

namespace solfec {

/// Starts message passing and ends it; lives in main() around everything else. In the serial
/// library it does nothing.
class ParallelSession {
 public:
  ParallelSession(int& argc, char**& argv);
  ~ParallelSession();
  ParallelSession(const ParallelSession&) = delete;
  ParallelSession& operator=(const ParallelSession&) = delete;
};

/// All ranks of the run. Calls that reduce or wait are collective: every rank makes them.
class Communicator {
 public:
  int rank() const;
  int size() const;
  void barrier() const;

  double sum(double value) const;
  double min(double value) const;
  double max(double value) const;
  /// True when the condition holds on some rank.
  bool any(bool condition) const { return max(condition ? 1.0 : 0.0) > 0.0; }
};

}  // namespace solfec
