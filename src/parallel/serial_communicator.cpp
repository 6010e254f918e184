#include <algorithm>
#include <cstdlib>

#include "parallel/communicator.hpp"

namespace solfec {

ParallelSession::ParallelSession(int&, char**&) {}
ParallelSession::~ParallelSession() = default;

Communicator Communicator::alone() { return {}; }
int Communicator::rank() const { return 0; }
int Communicator::size() const { return 1; }
void Communicator::barrier() const {}
void Communicator::sum_all(std::span<double>) const {}
void Communicator::min_all(std::span<double>) const {}
void Communicator::max_all(std::span<double>) const {}
void Communicator::sum_all_before(std::span<double> values) const {
  std::ranges::fill(values, 0.0);
}
std::vector<Message> Communicator::exchange(std::vector<Message> messages) const {
  return messages;
}
std::vector<Bytes> Communicator::gather(const Bytes& bytes) const { return {bytes}; }
Bytes Communicator::broadcast(Bytes bytes, int) const { return bytes; }
RankFailure Communicator::report_failure(int code, double) const { return {code, true, true}; }
bool Communicator::all_arrive(double) const { return true; }
void Communicator::abort(int code) const { std::_Exit(code); }

// There is nobody to send to.
struct Channel::Flight {};
Channel::Channel(const Communicator& communicator) : traffic_(communicator.traffic_) {}
Channel::Channel(Channel&& other) noexcept
    : traffic_(std::move(other.traffic_)),
      flights_(std::move(other.flights_)),
      used_(std::exchange(other.used_, 0)) {}
Channel::~Channel() = default;
void Channel::send(int, std::span<const double>) { DEMAND(false && "one rank has no partners"); }
void Channel::receive(int, std::span<double>) { DEMAND(false && "one rank has no partners"); }
void Channel::finish() {}

}  // namespace solfec
