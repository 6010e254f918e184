// Threads of this process (solfec -j), which share the loops of a step.
//
// Their number must not be seen in a result: parts of a loop write to places of their own, sums are
// taken over parts whose bounds do not depend on it, and of several errors the one of the first
// part is thrown.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <numeric>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

namespace solfec {

/// A function that lives as long as the call that it is given to: no copy of it.
template <class Work>
class WorkReference;
template <class... Arguments>
class WorkReference<void(Arguments...)> {
 public:
  template <class Work>
  requires(!std::is_same_v<std::remove_cvref_t<Work>, WorkReference>)
      WorkReference(Work& work)  // NOLINT(google-explicit-constructor)
      : work_(&work), call_([](void* object, Arguments... arguments) {
          (*static_cast<Work*>(object))(arguments...);
        }) {}
  void operator()(Arguments... arguments) const { call_(work_, arguments...); }

 private:
  void* work_;
  void (*call_)(void*, Arguments...);
};

/// The caller and size - 1 others. Work of one caller at a time, which throws nothing.
class ThreadTeam {
 public:
  explicit ThreadTeam(int size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return size_; }
  /// work(thread) on the caller, which is thread 0, and on those others that come before it has
  /// ended; returns when they have, too. So work is in pieces that any thread may take.
  void run(WorkReference<void(int)> work);
  /// work(part) for each part, turn after turn: those of turn k are turns[k] ... turns[k + 1] - 1;
  /// backwards from the last turn on. A thread begins with the same parts each time, which are in
  /// its cache, and goes on with those that nobody has begun: so it waits for no thread that others
  /// keep from its processor, but within a part.
  void in_turns(std::span<const int> turns, bool backwards, WorkReference<void(int)> work);

 private:
  void serve(int thread);
  void take_turns(int thread, std::span<const int> turns, bool backwards,
                  const WorkReference<void(int)>& work);
  bool claim(int part);
  bool enter(std::uint64_t& last);
  template <class Done>
  void wait(const Done& done) const;

  const int size_;
  const bool crowded_;  // more threads than processors
  const WorkReference<void(int)>* work_ = nullptr;
  // Each on a line of memory of its own: threads look at them without rest.
  // How many of the others are inside (kInside), whether more may come in (kOpen), and above that
  // the number of the job.
  alignas(64) std::atomic<std::uint64_t> job_ = 0;
  alignas(64) std::atomic<int> done_ = 0;   // parts
  alignas(64) std::atomic<int> calls_ = 0;  // counts jobs, for those that sleep; -1: the end
  // Of each part: the last run of turns that has begun it.
  std::vector<std::atomic<std::uint64_t>> claims_;
  std::uint64_t turns_run_ = 0;
  std::vector<std::jthread> others_;
};

/// Of this process; inside of work that threads share already, of one thread. It is made when it is
/// first asked for, with the number that was set.
ThreadTeam& threads();
inline constexpr int kMostThreads = 1024;
/// The number of threads from now on: 1 to kMostThreads. Not inside of shared work.
void set_threads(int number);

/// What the first of the parts that threw has thrown.
class FirstError {
 public:
  void take(int part);
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex lock_;
  int part_ = 0;
  std::exception_ptr error_;
};

/// In how many parts in_parts takes the work.
inline int part_count(int count, int least) {
  constexpr int kPerThread = 8;  // so that threads end at about the same time
  const int size = threads().size();
  return size == 1 ? 1 : std::max(1, std::min(kPerThread * size, count / std::max(least, 1)));
}

/// work(part, begin, end) for parts of [0, count) of at least `least` numbers each, which threads
/// take as they come to them. Throws what the first part throws that throws.
template <class Work>
void in_parts(int count, int least, Work&& work) {
  const int parts = part_count(count, least);
  if (parts == 1) {
    work(0, 0, count);
    return;
  }
  const auto begin = [&](int part) {
    return static_cast<int>(static_cast<std::int64_t>(count) * part / parts);
  };
  std::atomic<int> next = 0;
  FirstError error;
  auto share = [&](int) {
    for (int part = next++; part < parts; part = next++) {
      try {
        work(part, begin(part), begin(part + 1));
      } catch (...) {
        error.take(part);
      }
    }
  };
  threads().run(share);
  error.rethrow();
}

/// work(k) for each k of [0, count), likewise.
template <class Work>
void for_each_at_once(int count, int least, Work&& work) {
  in_parts(count, least, [&](int, int begin, int end) {
    for (int k = begin; k < end; k++) work(k);
  });
}

/// The sum of term(k) over k of [0, count), the same to the last bit for any number of threads.
template <class Term>
double sum_at_once(int count, Term&& term) {
  constexpr int kPart = 1024;
  const auto part_sum = [&](int part) {
    double sum = 0;
    for (int k = part * kPart; k < std::min(count, (part + 1) * kPart); k++) sum += term(k);
    return sum;
  };
  if (count <= kPart) return part_sum(0);
  std::vector<double> sums((count + kPart - 1) / kPart);
  const int parts = static_cast<int>(sums.size());
  for_each_at_once(parts, 1, [&](int part) { sums[part] = part_sum(part); });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace solfec
