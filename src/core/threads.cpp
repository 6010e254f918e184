#include "core/threads.hpp"

#include <pthread.h>
#include <sched.h>

#include <csignal>
#include <memory>

#include "core/launcher.hpp"

namespace solfec {
namespace {

thread_local bool shares_work = false;

constexpr std::uint64_t kInside = 0xffff, kOpen = 0x10000, kJob = 0x20000;

// Whether there are more threads than processors, of this process or of all those that mpirun has
// started on this machine.
bool is_crowded(int threads) {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  const bool known = sched_getaffinity(0, sizeof mine, &mine) == 0;
  return (known && threads > CPU_COUNT(&mine)) ||
         threads * processes_on_machine() > static_cast<int>(std::thread::hardware_concurrency());
}

// Tells the processor that this is a loop that waits.
void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

struct Process {
  int number = 1;
  std::unique_ptr<ThreadTeam> team;

  Process() {
    // A copy of the process has the caller's thread alone; its team starts anew when it works.
    pthread_atfork(nullptr, nullptr, [] { static_cast<void>(process().team.release()); });
  }
  static Process& process() {
    static Process instance;
    return instance;
  }
};

// Signals are for the thread that runs the script.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

// Where there is a processor for each thread, those that are waited for come soon, or others keep
// them from it: then it is better to keep one's own.
template <class Done>
void ThreadTeam::wait(const Done& done) const {
  const int spins = crowded_ ? 20 : 1'000'000;
  for (int k = 0; !done(); k++) {
    if (k < spins)
      relax();
    else
      std::this_thread::yield();
  }
}

ThreadTeam::ThreadTeam(int size) : size_(size), crowded_(is_crowded(size)) {
  const NoSignals none;
  for (int thread = 1; thread < size; thread++)
    others_.emplace_back([this, thread] { serve(thread); });
}

ThreadTeam::~ThreadTeam() {
  calls_ = -1;
  calls_.notify_all();
}

// Of a job that is open and was not done by this thread.
bool ThreadTeam::enter(std::uint64_t& last) {
  std::uint64_t job = job_.load(std::memory_order_acquire);
  while ((job & kOpen) != 0 && job / kJob != last)
    if (job_.compare_exchange_weak(job, job + 1, std::memory_order_acq_rel)) {
      last = job / kJob;
      return true;
    }
  return false;
}

void ThreadTeam::serve(int thread) {
  // Jobs follow each other closely in a step; between steps the processor is for others.
  const int spins = crowded_ ? 0 : 20'000;
  shares_work = true;
  std::uint64_t last = 0;
  for (int call = calls_; call >= 0; call = calls_) {
    if (enter(last)) {
      (*work_)(thread);
      job_.fetch_sub(1, std::memory_order_release);
      continue;
    }
    for (int k = 0; calls_.load(std::memory_order_relaxed) == call && k < spins; k++) relax();
    calls_.wait(call);
  }
}

void ThreadTeam::run(WorkReference<void(int)> work) {
  if (size_ == 1) {
    work(0);
    return;
  }
  work_ = &work;
  job_.store((job_.load() / kJob + 1) * kJob + kOpen, std::memory_order_release);
  calls_.store((calls_.load() + 1) & 0x3fffffff);
  calls_.notify_all();
  shares_work = true;
  work(0);
  shares_work = false;
  job_.fetch_and(~kOpen, std::memory_order_acq_rel);
  wait([&] { return (job_.load(std::memory_order_acquire) & kInside) == 0; });
}

void ThreadTeam::in_turns(std::span<const int> turns, bool backwards,
                          WorkReference<void(int)> work) {
  if (turns.empty()) return;
  const auto parts = static_cast<std::size_t>(turns.back());
  if (size_ == 1 || parts < turns.size()) {  // no turn has more than one
    for (int k = 0; k < static_cast<int>(parts); k++)
      work(backwards ? static_cast<int>(parts) - 1 - k : k);
    return;
  }
  if (claims_.size() < parts) claims_ = std::vector<std::atomic<std::uint64_t>>(parts);
  turns_run_++;
  done_ = 0;
  auto share = [&](int thread) { take_turns(thread, turns, backwards, work); };
  run(share);
}

bool ThreadTeam::claim(int part) {
  std::uint64_t last = claims_[part].load(std::memory_order_relaxed);
  return last != turns_run_ && claims_[part].compare_exchange_strong(last, turns_run_);
}

void ThreadTeam::take_turns(int thread, std::span<const int> turns, bool backwards,
                            const WorkReference<void(int)>& work) {
  const int last = static_cast<int>(turns.size()) - 2;
  int before = 0;  // parts of this turn and of those before it
  for (int k = 0; k <= last; k++) {
    const int turn = backwards ? last - k : k;
    const int parts = turns[turn + 1] - turns[turn], start = parts * thread / size_;
    for (int i = 0; i < parts; i++) {
      const int part = turns[turn] + (start + i) % parts;
      if (!claim(part)) continue;
      work(part);
      done_.fetch_add(1, std::memory_order_release);
    }
    before += parts;
    wait([&] { return done_.load(std::memory_order_acquire) >= before; });
  }
}

void FirstError::take(int part) {
  const std::lock_guard guard(lock_);
  if (error_ && part_ < part) return;
  part_ = part;
  error_ = std::current_exception();
}

ThreadTeam& threads() {
  static ThreadTeam one(1);
  if (shares_work) return one;
  Process& process = Process::process();
  if (!process.team) process.team = std::make_unique<ThreadTeam>(process.number);
  return *process.team;
}

void set_threads(int number) {
  Process& process = Process::process();
  process.number = number;
  process.team.reset();
}

}  // namespace solfec
