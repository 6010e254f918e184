#include <mpi.h>

#include "parallel/communicator.hpp"

namespace solfec {
namespace {

double reduce(double value, MPI_Op operation) {
  double result = value;
  MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD);
  return result;
}

}  // namespace

ParallelSession::ParallelSession(int& argc, char**& argv) { MPI_Init(&argc, &argv); }
ParallelSession::~ParallelSession() { MPI_Finalize(); }

int Communicator::rank() const {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int Communicator::size() const {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

void Communicator::barrier() const { MPI_Barrier(MPI_COMM_WORLD); }
double Communicator::sum(double value) const { return reduce(value, MPI_SUM); }
double Communicator::min(double value) const { return reduce(value, MPI_MIN); }
double Communicator::max(double value) const { return reduce(value, MPI_MAX); }

}  // namespace solfec
