#include "domain/centripetal.hpp"

#include <algorithm>

#include "body/dof_views.hpp"
#include "body/kinematics.hpp"
#include "domain/joints.hpp"

namespace solfec {
namespace {

// Of a rigid body on which contacts press with this force.
Vec3 centripetal_acceleration(const BodyStore& bodies, int i, const Vec3& force) {
  const double* u = bodies.u(i);
  const Vec3 turning = axial(velocity_gradient(bodies, i, u)).cross(Vec3(rigid_linear_part(u)));
  const double square = turning.squaredNorm();
  if (!(square > 0)) return Vec3::Zero();
  const Vec3 a = bodies.inertia(i).inverse_mass * (force + rigid_linear_part(bodies.f(i)));
  return std::clamp(3 - 4 * std::abs(a.dot(turning) / square - 1), 0.0, 1.0) * turning;
}

}  // namespace

void find_centripetal(Domain& domain, bool corrects) {
  const BodyStore& bodies = domain.bodies;
  domain.centripetal.clear();
  if (!corrects) return;
  domain.centripetal.resize(static_cast<std::size_t>(bodies.owned()), Vec3::Zero());
  std::vector<Vec3>& force = domain.centripetal;  // at first
  const auto add = [&](int i, int side, const Vec3& R) { force[i] += side == 0 ? R : Vec3(-R); };
  const auto add_own = [&](int row) {
    const Constraint& c = domain.constraints.all()[row];
    const Vec3 R = c.base() * c.R;
    for (int side : {0, 1})
      if (const int i = c.body(side); i >= 0 && !bodies.is_ghost(i)) add(i, side, R);
  };
  domain.shared_rows.for_each_row(domain.constraints.all(), add_own,
                                  [&](const SharedRows::RemoteContact& remote) {
                                    add(remote.body, remote.side, remote.base * remote.R);
                                  });
  for_each_jointed_body(domain, [&](int i) { force[i].setZero(); });
  for (int i = 0; i < bodies.owned(); i++) {
    const bool carried = is_rigid(bodies.kind(i)) && !force[i].isZero(0);
    domain.centripetal[i] =
        carried ? centripetal_acceleration(bodies, i, force[i]) : Vec3(Vec3::Zero());
  }
}

}  // namespace solfec
