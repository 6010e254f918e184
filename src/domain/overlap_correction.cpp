#include "domain/overlap_correction.hpp"

#include "domain/domain.hpp"
#include "math/rotation.hpp"

namespace solfec {
namespace {

// Of the overlap beyond the slop, in a step.
constexpr double kRate = 0.2;

// Rows of the body in H_N M^-1 H_N^T.
double inverse_mass(const BodyStore& bodies, int i, const Vec3& x, const Vec3& normal) {
  const Inertia& inertia = bodies.inertia(i);
  const Vec3 arm = bodies.gradient(i).transpose() * (x - bodies.center(i)).cross(normal);
  return inertia.inverse_mass + arm.dot(inertia.inverse * arm);
}

bool moves(const BodyStore& bodies, int i) {
  return i >= 0 && !bodies.is_ghost(i) && is_rigid(bodies.kind(i));
}

}  // namespace

void OverlapCorrection::apply(Domain& domain, const TimeStep& step) {
  turns_.clear();
  BodyStore& bodies = domain.bodies;
  const std::vector<Constraint>& rows = domain.constraints.all();
  const SharedRows& shared = domain.shared_rows;
  double slop = 10 * domain.detection_settings.epsilon +
                step.h * step.h * domain.gravity.value(step.load_time()).norm();
  // Where the gap is bounded (lookahead.hpp) bodies do not fall into each other.
  if (domain.horizon > 0) slop = 10 * domain.detection_settings.epsilon;
  row_.assign(rows.size(), Vec3::Zero());
  bool some = false;
  for (std::size_t row = 0; row < rows.size(); row++) {
    const Constraint& c = rows[row];
    if (!c.is_contact() || c.bond) {
      row_[row].x() = 1;
    } else if (domain.pressed[row] && c.R.z() > 0) {
      row_[row].z() = std::max(-c.gap - slop, 0.0);
      some = some || row_[row].z() > 0;
    }
  }
  if (!domain.communicator.any(some)) return;

  // Pushes on each body.
  push_.assign(static_cast<std::size_t>(bodies.owned()), {});
  const auto count = [&](int i, const Vec3& row) {
    if (!moves(bodies, i)) return;
    push_[i].held = push_[i].held || row.x() > 0;
    push_[i].count += row.z() > 0;
  };
  domain.shared_rows.return_reactions(row_, domain.channel);
  for (const SharedRows::RemoteContact& remote : shared.remote_contacts())
    count(remote.body, remote.R);
  for (std::size_t row = 0; row < rows.size(); row++)
    for (int side : {0, 1}) count(rows[row].body(side), row_[row]);

  const auto bound = [&](int i, const Vec3& x, const Vec3& normal) {
    if (!moves(bodies, i) || push_[i].held) return 0.0;
    return push_[i].count * inverse_mass(bodies, i, x, normal);
  };
  std::vector<Vec3> others;  // what bodies of other ranks bring to D
  if (domain.communicator.size() > 1)
    others = shared.collect(domain.channel, [&](const SharedRows::RemoteContact& remote) {
      return Vec3(bound(remote.body, remote.place.x, remote.base.col(2)), 0, 0);
    });
  for (std::size_t row = 0; row < rows.size(); row++) {
    const Constraint& c = rows[row];
    if (!(row_[row].z() > 0)) continue;
    double D = others.empty() ? 0.0 : others[row].x();
    for (int side : {0, 1}) D += bound(c.body(side), c.point, c.normal);
    row_[row] = {0, 0, D > 0 ? kRate * row_[row].z() / D : 0.0};
  }

  // In the order of keys: so each body has its sum in the same order on any number of ranks.
  domain.shared_rows.return_reactions(row_, domain.channel);
  const auto add = [&](int i, int side, const Vec3& x, const Vec3& normal, double p) {
    if (!(p > 0) || !moves(bodies, i)) return;
    const Vec3 force = (side == 0 ? p : -p) * normal;
    push_[i].linear += force;
    push_[i].angular += (x - bodies.center(i)).cross(force);
  };
  auto remote = shared.remote_contacts().begin();
  const auto add_guests_before = [&](const ContactKey* key) {
    for (; remote != shared.remote_contacts().end() && (!key || remote->key < *key); remote++)
      add(remote->body, remote->side, remote->place.x, remote->base.col(2), remote->R.z());
  };
  for (std::size_t row = 0; row < rows.size(); row++) {
    const Constraint& c = rows[row];
    add_guests_before(&c.key);
    for (int side : {0, 1}) add(c.body(side), side, c.point, c.normal, row_[row].z());
  }
  add_guests_before(nullptr);

  for (int i = 0; i < bodies.owned(); i++) {
    const Push& push = push_[i];
    if (push.held || push.count == 0) continue;
    const Inertia& inertia = bodies.inertia(i);
    const Vec3 turn = inertia.inverse * (bodies.gradient(i).transpose() * push.angular);
    if (!turn.isZero(0)) turns_.push_back({i, turn});
    bodies.gradient(i) = reorthogonalised(bodies.gradient(i) * exponential(turn));
    bodies.center(i) += inertia.inverse_mass * push.linear;
  }
}

// In axes of the body: they were turned in mid-step, and went on by h/2 omega.
void OverlapCorrection::keep_momentum(BodyStore& bodies, double h) {
  for (const auto& [body, angle] : turns_) {
    const Inertia& inertia = bodies.inertia(body);
    auto omega = angular_part(bodies.u(body));
    const Vec3 at_end = exponential(-0.5 * h * omega) * angle;
    omega = inertia.inverse * (exponential(-at_end) * (inertia.tensor * omega)).eval();
  }
}

}  // namespace solfec
