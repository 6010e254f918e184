#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <exception>
#include <thread>
#include <utility>

#include "parallel/communicator.hpp"

namespace solfec {
namespace {

// Exchanges that follow each other take turns with two tags: a rank can be one exchange ahead of
// another, not two.
constexpr int kExchangeTags[2] = {1, 2}, kChannelTag = 3, kTroubleTag = 4;

// Of ranks with errors, whose barrier may not be taken for that of an exchange.
MPI_Comm& troubled() {
  static MPI_Comm communicator = MPI_COMM_NULL;
  return communicator;
}

int next_exchange_tag() {
  static int count = 0;
  return kExchangeTags[count++ % 2];
}

using Clock = std::chrono::steady_clock;

Clock::time_point after(double seconds) {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

int int_size(std::size_t size) {
  DEMAND(size <= INT_MAX);
  return static_cast<int>(size);
}

void reduce(std::span<double> values, MPI_Op operation) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), int_size(values.size()), MPI_DOUBLE, operation,
                MPI_COMM_WORLD);
}

}  // namespace

ParallelSession::ParallelSession(int& argc, char**& argv) {
  // A rank that crashes ends at once. Open MPI would print the stack first, with functions that may
  // wait for a lock that the rank holds: then nobody ends.
  setenv("OMPI_MCA_opal_signal", "", 0);
  int provided = 0;  // messages are for the thread that runs the script
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_dup(MPI_COMM_WORLD, &troubled());
}
ParallelSession::~ParallelSession() {
  MPI_Comm_free(&troubled());
  MPI_Finalize();
}

Communicator Communicator::alone() {
  Communicator one;
  one.alone_ = true;
  return one;
}

int Communicator::rank() const {
  if (alone_) return 0;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int Communicator::size() const {
  if (alone_) return 1;
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

void Communicator::barrier() const {
  if (alone_) return;
  traffic_->collectives++;
  MPI_Barrier(MPI_COMM_WORLD);
}

void Communicator::sum_all(std::span<double> values) const {
  if (alone_) return;
  traffic_->collectives++;
  reduce(values, MPI_SUM);
}

void Communicator::min_all(std::span<double> values) const {
  if (alone_) return;
  traffic_->collectives++;
  reduce(values, MPI_MIN);
}

void Communicator::max_all(std::span<double> values) const {
  if (alone_) return;
  traffic_->collectives++;
  reduce(values, MPI_MAX);
}

void Communicator::sum_all_before(std::span<double> values) const {
  if (alone_) {
    std::ranges::fill(values, 0.0);
    return;
  }
  traffic_->collectives++;
  const std::vector<double> mine(values.begin(), values.end());
  MPI_Exscan(mine.data(), values.data(), int_size(values.size()), MPI_DOUBLE, MPI_SUM,
             MPI_COMM_WORLD);
  if (rank() == 0) std::ranges::fill(values, 0.0);
}

std::vector<Message> Communicator::exchange(std::vector<Message> messages) const {
  if (alone_) return messages;
  const int tag = next_exchange_tag();
  std::vector<MPI_Request> sends;
  for (const Message& m : messages) {
    MPI_Issend(m.data.data(), int_size(m.data.size()), MPI_BYTE, m.rank, tag, MPI_COMM_WORLD,
               &sends.emplace_back());
    traffic_->messages++;
    traffic_->bytes += static_cast<std::int64_t>(m.data.size());
  }
  traffic_->collectives++;
  std::vector<Message> received;
  MPI_Request barrier = MPI_REQUEST_NULL;
  bool waiting = false;
  for (int done = 0; !done;) {
    int arrived = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &arrived, &status);
    if (arrived) {
      int size = 0;
      MPI_Get_count(&status, MPI_BYTE, &size);
      Message& m = received.emplace_back(Message{status.MPI_SOURCE, Bytes(size)});
      MPI_Recv(m.data.data(), size, MPI_BYTE, m.rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      continue;
    }
    if (waiting) {
      MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    } else {
      int sent = 0;
      MPI_Testall(int_size(sends.size()), sends.data(), &sent, MPI_STATUSES_IGNORE);
      if (sent) {  // and received: the sends are synchronous
        MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        waiting = true;
      }
    }
    if (!done) std::this_thread::yield();
  }
  std::ranges::sort(received, {}, &Message::rank);
  return received;
}

std::vector<Bytes> Communicator::gather(const Bytes& bytes) const {
  if (alone_) return {bytes};
  traffic_->collectives++;
  const int n = size();
  std::vector<int> sizes(n), begin(n + 1);
  const int mine = int_size(bytes.size());
  MPI_Allgather(&mine, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::size_t total = 0;
  for (int r = 0; r < n; r++) {
    total += static_cast<std::size_t>(sizes[r]);
    begin[r + 1] = int_size(total);
  }
  Bytes all(total);
  MPI_Allgatherv(bytes.data(), mine, MPI_BYTE, all.data(), sizes.data(), begin.data(), MPI_BYTE,
                 MPI_COMM_WORLD);
  std::vector<Bytes> result;
  result.reserve(n);
  for (int r = 0; r < n; r++)
    result.emplace_back(all.begin() + begin[r], all.begin() + begin[r + 1]);
  return result;
}

Bytes Communicator::broadcast(Bytes bytes, int root) const {
  if (alone_) return bytes;
  traffic_->collectives++;
  std::uint64_t count = bytes.size();
  MPI_Bcast(&count, 1, MPI_UINT64_T, root, MPI_COMM_WORLD);
  bytes.resize(count);
  MPI_Bcast(bytes.data(), int_size(bytes.size()), MPI_BYTE, root, MPI_COMM_WORLD);
  return bytes;
}

bool Communicator::all_arrive(double seconds) const {
  if (alone_) return true;
  const Clock::time_point end = after(seconds);
  MPI_Request barrier;
  MPI_Ibarrier(troubled(), &barrier);
  for (int arrived = 0;;) {
    MPI_Test(&barrier, &arrived, MPI_STATUS_IGNORE);
    if (arrived) return true;
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

RankFailure Communicator::report_failure(int code, double seconds) const {
  const Clock::time_point end = after(seconds);
  // They live as long as the process: nobody may be there to receive them.
  static int sent;
  sent = code;
  for (int other = 0; other < size(); other++) {
    if (other == rank()) continue;
    MPI_Request request;
    MPI_Isend(&sent, 1, MPI_INT, other, kTroubleTag, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  }
  int heard = 1;
  std::pair gravest(-code, rank());
  while (heard < size() && Clock::now() < end) {
    int arrived = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kTroubleTag, MPI_COMM_WORLD, &arrived, &status);
    if (!arrived) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    int its = 0;
    MPI_Recv(&its, 1, MPI_INT, status.MPI_SOURCE, kTroubleTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    gravest = std::min(gravest, std::pair(-its, status.MPI_SOURCE));
    heard++;
  }
  return {-gravest.first, gravest.second == rank(), heard == size()};
}

void Communicator::abort(int code) const {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

struct Channel::Flight {
  MPI_Request request = MPI_REQUEST_NULL;
  std::vector<double> numbers;
};

Channel::Channel(const Communicator& communicator) : traffic_(communicator.traffic_) {}
Channel::Channel(Channel&& other) noexcept
    : traffic_(std::move(other.traffic_)),
      flights_(std::move(other.flights_)),
      used_(std::exchange(other.used_, 0)) {}
Channel::~Channel() {
  if (std::uncaught_exceptions() == 0) finish();
  // Else nobody may be there to receive: what is under way keeps its memory.
  for (std::size_t k = 0; k < used_; k++) {
    int left = 0;
    MPI_Test(&flights_[k]->request, &left, MPI_STATUS_IGNORE);
    if (!left) static_cast<void>(flights_[k].release());
  }
}

void Channel::send(int rank, std::span<const double> numbers) {
  if (used_ == flights_.size()) flights_.push_back(std::make_unique<Flight>());
  Flight& flight = *flights_[used_++];
  flight.numbers.assign(numbers.begin(), numbers.end());
  MPI_Isend(flight.numbers.data(), int_size(numbers.size()), MPI_DOUBLE, rank, kChannelTag,
            MPI_COMM_WORLD, &flight.request);
  traffic_->messages++;
  traffic_->bytes += static_cast<std::int64_t>(numbers.size_bytes());
}

void Channel::receive(int rank, std::span<double> numbers) {
  MPI_Recv(numbers.data(), int_size(numbers.size()), MPI_DOUBLE, rank, kChannelTag, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

void Channel::finish() {
  for (std::size_t k = 0; k < used_; k++) MPI_Wait(&flights_[k]->request, MPI_STATUS_IGNORE);
  used_ = 0;
}

}  // namespace solfec
