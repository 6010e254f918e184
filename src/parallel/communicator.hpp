// What the program knows of other ranks. No message passing library shows here; one of two
// link-time implementations stands behind it: MPI, or serial (one rank; a reduction is the
// identity, an exchange with nobody returns at once).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/archive.hpp"

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

/// What a failed rank knows of the others that failed.
struct RankFailure {
  int code;           // largest exit code
  bool is_reporter;   // the first rank with that code: it prints its message
  bool on_all_ranks;  // all ranks failed
};

/// Bytes for another rank, or from it.
struct Message {
  int rank;
  Bytes data;
};

/// What has been sent from this rank.
struct Traffic {
  std::int64_t messages = 0, bytes = 0;  ///< from rank to rank
  std::int64_t collectives = 0;          ///< reductions, barriers, agreements
};

/// All ranks of the run. Calls are collective (every rank makes them, in the same order) unless
/// they say otherwise. Copies share the count of traffic.
class Communicator {
 public:
  /// A rank by itself, whatever the number of ranks.
  static Communicator alone();

  int rank() const;  ///< not collective
  int size() const;  ///< not collective
  void barrier() const;

  double sum(double value) const { return reduced<&Communicator::sum_all>(value); }
  double min(double value) const { return reduced<&Communicator::min_all>(value); }
  double max(double value) const { return reduced<&Communicator::max_all>(value); }
  /// Entry by entry, in place: several numbers in one reduction.
  void sum_all(std::span<double> values) const;
  void min_all(std::span<double> values) const;
  void max_all(std::span<double> values) const;
  /// Sum over the ranks before this one; zero on the first.
  double sum_before(double value) const { return reduced<&Communicator::sum_all_before>(value); }
  void sum_all_before(std::span<double> values) const;
  /// True when the condition holds on some rank.
  bool any(bool condition) const { return max(condition ? 1.0 : 0.0) > 0.0; }

  /// Sends each message (to any ranks, this one too) and returns those sent to this rank, in the
  /// order of ranks, at most one from each. Nobody needs to know who will send: a non-blocking
  /// consensus tells when all has arrived (Hoefler, Siebert and Lumsdaine 2010), so that the cost
  /// is that of the messages and of one barrier.
  std::vector<Message> exchange(std::vector<Message> messages) const;

  /// Bytes of all ranks, on every rank; for small things that happen seldom.
  std::vector<Bytes> gather(const Bytes& bytes) const;
  /// Bytes of one rank, on every rank.
  Bytes broadcast(Bytes bytes, int root) const;

  /// For a failed rank, once: sends its exit code to the others, and receives theirs for some
  /// seconds; returns at once when all have failed. Not collective.
  RankFailure report_failure(int code, double seconds) const;

  /// For a rank with an error that all may have: true as soon as all ranks are here, false when
  /// they are not for some seconds. After false it is of no use any more.
  bool all_arrive(double seconds) const;

  /// Ends all ranks at once with an exit code; not collective, and it does not return.
  [[noreturn]] void abort(int code) const;

  const Traffic& traffic() const { return *traffic_; }

 private:
  friend class Channel;
  template <auto reduce>
  double reduced(double value) const {
    (this->*reduce)({&value, 1});
    return value;
  }
  bool alone_ = false;
  std::shared_ptr<Traffic> traffic_ = std::make_shared<Traffic>();
};

/// Messages of numbers between ranks that both know of them. Not collective; messages from one rank
/// to another arrive in the order they were sent. Keeps its memory.
class Channel {
 public:
  explicit Channel(const Communicator& communicator);
  ~Channel();  ///< waits until all has left
  Channel(Channel&&) noexcept;
  Channel& operator=(Channel&&) = delete;

  /// Copies the numbers and returns at once.
  void send(int rank, std::span<const double> numbers);
  /// Waits for the next message from `rank`, which holds as many numbers.
  void receive(int rank, std::span<double> numbers);
  /// Waits until all that was sent has left.
  void finish();

 private:
  struct Flight;
  std::shared_ptr<Traffic> traffic_;
  std::vector<std::unique_ptr<Flight>> flights_;
  std::size_t used_ = 0;
};

}  // namespace solfec
