#include <algorithm>
#include <limits>

#include "parallel/partitioner.hpp"

namespace solfec {

Partition divide_space(const Communicator& c, std::span<const std::array<double, 3>> points,
                       std::span<const double>, const PartitionSettings&, int) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  ArchiveWriter w;
  for (auto& p : points) w(p[0]);
  std::vector<double> xs;
  for (auto& b : c.gather(w.bytes()))
    for (ArchiveReader r(b); !r.done();) xs.push_back(r.get<double>());
  std::ranges::sort(xs);
  Partition result;
  double last = -inf;
  for (int k = 0; k < c.size(); k++) {
    double next = k + 1 == c.size() ? inf : xs.empty() ? k : xs[(k + 1) * xs.size() / c.size()];
    next = std::max(next, last);
    result.boxes.push_back({last, -inf, -inf, next, inf, inf});
    last = next;
  }
  return result;
}

}  // namespace solfec
