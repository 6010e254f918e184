// A run in which the program fails inside of the solver on the last rank, while the others wait for
// it (test_faults.py):  internal_error KIND DIRECTORY
#include <cstdio>
#include <cstring>

#include "core/error.hpp"
#include "support/sanitizer_options.hpp"
#include "support/small_scene.hpp"

namespace solfec {
namespace {

class Failing : public GaussSeidel {
 public:
  explicit Failing(std::string kind) : GaussSeidel({}), kind_(std::move(kind)) {}

  SolveResult solve(const LocalDynamics& problem, LocalSolution& solution,
                    const Communicator& communicator) override {
    Channel channel(communicator);
    const std::vector<double> much(1 << 20);  // does not leave before somebody receives it
    if (++steps_ == 5 && communicator.rank() == communicator.size() - 1) {
      if (kind_ == "logic_error") DEMAND(problem.rows() < 0);
      if (kind_ == "bad_alloc") throw std::bad_alloc();
      if (kind_ == "run_error") throw RunError("of this rank alone");
      channel.send(communicator.rank(), much);
      throw std::out_of_range("on the way");
    }
    return GaussSeidel::solve(problem, solution, communicator);
  }

 private:
  std::string kind_;
  int steps_ = 0;
};

}  // namespace
}  // namespace solfec

int main(int argc, char** argv) {
  using namespace solfec;
  const ParallelSession session(argc, argv);
  if (argc != 3) return 2;
  Simulation s{Communicator()};
  s.results.directory = argv[2];
  s.settings.step = 1e-3;
  s.settings.verbosity = Verbosity::off;
  s.domain.bulk_materials.store({"stuff", 1e6, 0.25, 1000});
  s.domain.gravity.component[2] = TimeSeries(-10);
  testing::add(s, BodyKind::obstacle, {testing::make_box({0, 0, -1}, {50, 5, 1}, Mat3::Identity())},
               "");
  for (int k = 0; k < 12; k++)
    testing::add(s, BodyKind::rigid, {Sphere{{1.99 * k, 0, 0.99}, 1, 1, 1}}, "");
  Failing solver(argv[1]);
  run(s, solver, 1, nullptr);
  return 0;
}
