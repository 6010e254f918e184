#include "parallel/bisection.hpp"

namespace solfec {

// One rank has all of space.
std::vector<Cut> bisect(const Communicator&, std::span<const Vec3>, std::span<const float>, double,
                        std::span<const Cut>) {
  return {};
}

}  // namespace solfec
