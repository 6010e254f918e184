// What makes results wrong without an error: bodies placed in others, or deep in them after a step;
// bodies that went through others within a step, where no contact could stop them; contacts that
// the merit passes although they are not solved; bodies turned inside out.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "domain/domain.hpp"
#include "local_dynamics/largest_miss.hpp"

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
  double displacement = 0, extent = 0;  ///< in the step, and least extent of the body [m]
  std::string first, second;
};

/// A contact that missed its law by much, while the merit, of all contacts, was small.
struct LightMiss {
  double time = 0;   ///< at the end of the step
  double miss = 0;   ///< [m/s]
  double share = 0;  ///< in the merit
  std::string first, second;
};

template <class Archive>
void visit_fields(Archive& archive, Overlap& o) {
  archive(o.share, o.depth, o.time, o.h, o.first, o.second);
}
template <class Archive>
void visit_fields(Archive& archive, Passage& p) {
  archive(p.time, p.h, p.displacement, p.extent, p.first, p.second);
}

template <class Archive>
void visit_fields(Archive& archive, LightMiss& m) {
  archive(m.time, m.miss, m.share, m.first, m.second);
}

class StepWatch {
 public:
  /// After a step from `time` to `time` + `h`. O(n + contacts), and n log n in a step in which a
  /// body moves by more than its least extent. Bodies from `first_new` on were not there before.
  void look(Domain& domain, double time, double h, BodyId first_new);

  /// After a step to `time` that its solver takes for solved, with the contact that it misses most.
  void look_at_miss(const Domain& domain, const LargestMiss& most, double time);

  /// Which new body was placed in something else in the last step, of all ranks; empty when none
  /// was. Collective.
  std::string placement(const Communicator& communicator) const;

  /// After the last step: which bodies have turned inside out.
  void look_at_shapes(const Domain& domain);

  struct Report {
    std::string overlap;                ///< the deepest one; empty when there was none
    std::vector<std::string> warnings;  ///< all but those of placement()
  };
  /// Of all ranks, the same on each of them. Collective.
  Report report(const Communicator& communicator) const;

 private:
  void look_at_overlaps(const Domain& domain, double time, double h, BodyId first_new);
  void look_at_passages(Domain& domain, double time, double h);

  Overlap deepest_;
  Overlap entered_;  // the deepest one that a step has made
  Overlap placed_;   // the deepest one of bodies that are new in this step
  Overlap sunk_;     // the deepest one of others, deeper than the body measures
  std::set<std::pair<BodyId, BodyId>> placed_pairs_;  // of those that were new, and deep
  std::optional<Passage> passage_;                    // the first one
  std::int64_t passages_ = 0;
  std::optional<LightMiss> light_;  // the first one
  std::int64_t light_misses_ = 0;
  std::vector<std::string> inside_out_;
};

}  // namespace solfec
