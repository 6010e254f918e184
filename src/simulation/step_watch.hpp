// Whether the steps of a RUN were short enough: how deep bodies came into each other, and which
// went through others within a step, where no contact could stop them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/domain.hpp"

namespace solfec {

/// How deep two bodies were in each other.
struct Overlap {
  double share = 0;  ///< of the least extent of the smaller body, which is the first
  double depth = 0;  ///< [m]
  double time = 0, h = 0;
  std::string first, second;  ///< bodies
};

/// A body that was on one side of another one before a step, and on the other side after it.
struct Passage {
  double time = 0, h = 0;
  double way = 0, extent = 0;  ///< in the step, and least extent of the body [m]
  std::string first, second;
};

template <class Archive>
void visit_fields(Archive& archive, Overlap& o) {
  archive(o.share, o.depth, o.time, o.h, o.first, o.second);
}
template <class Archive>
void visit_fields(Archive& archive, Passage& p) {
  archive(p.time, p.h, p.way, p.extent, p.first, p.second);
}

class StepWatch {
 public:
  /// After a step from `time` to `time` + `h`. O(n + contacts), and n log n in a step in which a
  /// body moves by more than its least extent.
  void look(Domain& domain, double time, double h);

  struct Report {
    std::string overlap;                ///< the deepest one; empty when there was none
    std::vector<std::string> warnings;  ///< of steps that were too long
  };
  /// Of all ranks, the same on each of them. Collective.
  Report report(const Communicator& communicator) const;

 private:
  void look_at_overlaps(const Domain& domain, double time, double h);
  void look_at_passages(Domain& domain, double time, double h);

  Overlap deepest_;
  Overlap entered_;                 // the deepest one that a step has made
  std::optional<Passage> passage_;  // the first one
  std::int64_t passages_ = 0;
};

}  // namespace solfec
