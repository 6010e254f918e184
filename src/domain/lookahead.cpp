#include "domain/lookahead.hpp"

#include <algorithm>

#include "body/kinematics.hpp"
#include "domain/domain.hpp"

namespace solfec {
namespace {

// Largest speed of a point of the body.
double speed(const BodyStore& bodies, int i) {
  const double* u = bodies.u(i);
  if (is_meshed(bodies.kind(i))) {
    double most = 0;
    for (int n = 0; n < bodies[i].nodes; n++) most = std::max(most, node_part(u, n).norm());
    return most;
  }
  const double turning =
      is_affine(bodies.kind(i)) ? affine_rate_part(u).norm() : angular_part(u).norm();
  return linear_part(u, bodies.dofs(i)).norm() + turning * bodies.extent(i).reach;
}

Vec3 centre_velocity(const BodyStore& bodies, int i) {
  if (!is_meshed(bodies.kind(i))) return linear_part(bodies.u(i), bodies.dofs(i));
  Vec3 sum = Vec3::Zero();
  for (int n = 0; n < bodies[i].nodes; n++) sum += node_part(bodies.u(i), n);
  return sum / bodies[i].nodes;
}

bool is_ahead(const Domain& domain, const TimeStep& step) {
  const ContactCorrection how = domain.contact_correction;
  return step.dynamic() ? how == ContactCorrection::ahead : how != ContactCorrection::off;
}

// Velocity that gravity adds to that of a body.
Vec3 gained(const Domain& domain, const TimeStep& step) {
  return step.h * domain.gravity.value(step.load_time());
}

// What gravity may add to the distance of a body in a time T. In quasi-static steps it acts on all
// bodies from rest, and those that are apart are found once they move.
double fallen(const Domain& domain, const TimeStep& step, double T) {
  return step.dynamic() ? T * gained(domain, step).norm() : 0.0;
}

}  // namespace

double fastest(const BodyStore& bodies) {
  double most = 0;
  for (int i = 0; i < bodies.owned(); i++) most = std::max(most, speed(bodies, i));
  return most;
}

double farthest_travel(const Domain& domain, const TimeStep& step) {
  if (!is_ahead(domain, step)) return 0;
  double largest = 0;
  for (int i = 0; i < domain.bodies.owned(); i++)
    if (!is_obstacle(domain.bodies.kind(i)))
      largest = std::max(largest, domain.bodies.extent(i).size);
  return step.h * fastest(domain.bodies) + fallen(domain, step, step.h) + kNear * largest;
}

void set_lookahead(Domain& domain, const TimeStep& step, double longest) {
  domain.lookahead.clear();
  domain.horizon = 0;
  if (!is_ahead(domain, step)) return;
  const double T = domain.horizon = step.dynamic() ? step.remaining() + 0.5 * longest : step.h;
  const BodyStore& bodies = domain.bodies;
  const Vec3 fall = gained(domain, step);
  for (int i = 0; i < bodies.owned(); i++) {
    const bool falls = !is_obstacle(bodies.kind(i));
    Lookahead& ahead = domain.lookahead.emplace_back();
    ahead.distance = T * speed(bodies, i);
    ahead.translation = T * centre_velocity(bodies, i);
    if (falls) {
      ahead.fall = fallen(domain, step, T);
      ahead.distance += ahead.fall + kNear * bodies.extent(i).size;
      ahead.translation += T * fall;
    }
    if (is_meshed(bodies.kind(i))) continue;
    const Mat3 L = velocity_gradient(bodies, i, bodies.u(i));
    ahead.rotation = T * axial(L);
  }
}

}  // namespace solfec
