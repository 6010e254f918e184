#include "domain/joint_changes.hpp"

#include <algorithm>
#include <utility>

#include "body/integration.hpp"

namespace solfec {

Vec3 beyond_arc(const JointMotion& motion) {
  constexpr double kNone = 0.1, kAll = 0.2;  // of the larger one
  const Vec3 both = motion.change + motion.arc;
  const double larger = std::max(motion.change.norm(), motion.arc.norm());
  if (!(larger > 0)) return Vec3::Zero();
  return std::clamp((both.norm() / larger - kNone) / (kAll - kNone), 0.0, 1.0) * both;
}

void JointChanges::clear() {
  step_.reset();
  bodies_.clear();
  first_.clear();
  values_.clear();
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
    const double part = share(i);
    for (int k = 0; k < bodies.dofs(i); k++) {
      double& value = values_[first_[n] + k];
      value = part * (bodies.u(i)[k] - value);
    }
  }
}

JointMotion JointChanges::at(const BodyStore& bodies, int i, const Place& place) const {
  JointMotion motion;
  if (!step_) return motion;
  const auto found = std::ranges::lower_bound(bodies_, i);
  const bool jointed = found != bodies_.end() && *found == i;
  if (jointed)
    motion.change = velocity_at(bodies, i, place, &values_[first_[found - bodies_.begin()]]);
  if (!jointed && !is_obstacle(bodies.kind(i))) return motion;
  const Vec3 arc = velocity_beyond_linear(bodies, i, place, *step_, {});
  if (arc.allFinite()) motion.arc = arc;  // else the end of the step tells of it
  return motion;
}

}  // namespace solfec
