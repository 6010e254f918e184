#include "domain/conserving_contacts.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "body/integration.hpp"
#include "domain/joints.hpp"

namespace solfec {
namespace {

// Of the velocities of contacts: what changes by less needs no other solution.
constexpr double kEnough = 1e-7;

bool is_conserving(const BodyStore& bodies, int i, const TimeStep& step) {
  return i >= 0 && !bodies.is_ghost(i) && conserves(bodies, i, step);
}

}  // namespace

bool has_conserving_bodies(const BodyStore& bodies, const TimeStep& step) {
  for (int i = 0; i < bodies.owned(); i++)
    if (is_conserving(bodies, i, step)) return true;
  return false;
}

void update_corrections(Domain& domain, const TimeStep& step, std::vector<int> bodies) {
  std::erase_if(bodies, [&](int i) { return !is_conserving(domain.bodies, i, step); });
  std::ranges::sort(bodies);
  const auto repeated = std::ranges::unique(bodies);
  bodies.erase(repeated.begin(), repeated.end());
  for (int i : bodies)
    update_correction(domain.bodies, domain.bulk_materials, i, step, domain.corrections[i]);
}

bool ConservingContacts::follow(Domain& domain, const TimeStep& step) {
  const BodyStore& bodies = domain.bodies;
  LocalDynamics& p = domain.local_dynamics;
  beyond_.resize(p.law.size(), Vec3::Zero());
  spread_reactions(domain);
  std::vector<int> touched;
  domain.shared_rows.for_each_row(
      domain.constraints.all(),
      [&](int row) {
        const Constraint& c = domain.constraints.all()[row];
        if (c.is_contact()) touched.insert(touched.end(), {c.body1, c.body2});
      },
      [&](const SharedRows::RemoteContact& remote) { touched.push_back(remote.body); });
  update_corrections(domain, step, std::move(touched));
  const auto follows = [&](int row) {
    return p.law[row].has_friction_cone() && (domain.jointed.empty() || !domain.jointed[row]);
  };
  const std::vector<Vec3> now = relative(
      bodies, {domain.constraints.all(), domain.places}, domain.shared_rows, domain.channel,
      [&](const ContactKey& key, int row) { return row < 0 ? !is_joint(key) : follows(row); },
      [&](int i, const Place& place) {
        const auto found = domain.corrections.find(i);
        return found == domain.corrections.end()
                   ? Vec3(Vec3::Zero())
                   : velocity_at(bodies, i, place, found->second.data());
      });
  double speed = 0, change = 0, lost = 0;
  for (int row = 0; row < p.rows(); row++) {
    if (!follows(row)) continue;
    speed = std::max({speed, p.B[row].norm(), p.V[row].norm()});
    if (now[row].allFinite())
      change = std::max(change, (now[row] - beyond_[row]).norm());
    else
      lost = 1;
  }
  std::array<double, 3> most = {speed, change, lost};
  domain.communicator.max_all(most);
  if (most[2] > 0 || most[1] <= kEnough * most[0]) return false;
  for (int row = 0; row < p.rows(); row++) {
    if (!follows(row)) continue;
    p.B[row] += domain.constraints.all()[row].base().transpose() * (now[row] - beyond_[row]);
    beyond_[row] = now[row];
  }
  return true;
}

void ConservingContacts::forget(Domain& domain) const {
  for (std::size_t row = 0; row < beyond_.size(); row++)
    domain.local_dynamics.B[row] -= domain.constraints.all()[row].base().transpose() * beyond_[row];
}

}  // namespace solfec
