#include "domain/joint_changes.hpp"

#include <algorithm>
#include <utility>

#include "body/integration.hpp"

namespace solfec {

bool makes_up_for_arc(const JointMotion& motion, double noise) {
  constexpr double kNearly = 0.5;
  const double larger = std::max(motion.change.norm(), motion.arc.norm());
  return (motion.change + motion.arc).norm() <= std::max(kNearly * larger, noise);
}

void JointChanges::clear() {
  step_.reset();
  bodies_.clear();
  first_.clear();
  values_.clear();
  shares_.clear();
}

void JointChanges::begin(const BodyStore& bodies, std::vector<int> jointed, const TimeStep& step) {
  clear();
  step_ = step;
  bodies_ = std::move(jointed);
  for (const int i : bodies_) {
    first_.push_back(values_.size());
    values_.insert(values_.end(), bodies.u(i), bodies.u(i) + bodies.dofs(i));
  }
}

void JointChanges::finish(const BodyStore& bodies, const std::function<double(int)>& share) {
  for (std::size_t n = 0; n < bodies_.size(); n++) {
    const int i = bodies_[n];
    shares_.push_back(share(i));
    for (int k = 0; k < bodies.dofs(i); k++) {
      double& value = values_[first_[n] + k];
      value = bodies.u(i)[k] - value;
    }
  }
}

JointMotion JointChanges::at(const BodyStore& bodies, int i, const Place& place,
                             bool with_arc) const {
  JointMotion motion;
  if (!step_) return motion;
  const auto found = std::ranges::lower_bound(bodies_, i);
  const bool jointed = found != bodies_.end() && *found == i;
  if (jointed) {
    const auto n = found - bodies_.begin();
    motion.change = velocity_at(bodies, i, place, &values_[first_[n]]);
    motion.share = shares_[n] * motion.change;
  }
  if (!with_arc) return motion;
  const double remaining = step_->remaining();
  if (is_obstacle(bodies.kind(i)))
    motion.arc = velocity_beyond_linear(bodies, i, place, *step_, {});
  else if (jointed)
    motion.arc = displacement_with(bodies, i, place, bodies.u(i), remaining) / remaining -
                 velocity_at(bodies, i, place, bodies.u(i));
  return motion;
}

}  // namespace solfec
