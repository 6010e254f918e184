#include "parallel/communicator.hpp"

namespace solfec {

ParallelSession::ParallelSession(int&, char**&) {}
ParallelSession::~ParallelSession() = default;

int Communicator::rank() const { return 0; }
int Communicator::size() const { return 1; }
void Communicator::barrier() const {}
double Communicator::sum(double value) const { return value; }
double Communicator::min(double value) const { return value; }
double Communicator::max(double value) const { return value; }

}  // namespace solfec
