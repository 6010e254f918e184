#include "body/integration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "body/dof_views.hpp"
#include "body/finite_elements.hpp"
#include "body/kinematics.hpp"
#include "body/pressure.hpp"
#include "body/pseudo_rigid.hpp"
#include "body/quasi_static.hpp"
#include "body/rigid.hpp"
#include "core/error.hpp"
#include "core/threads.hpp"
#include "math/rotation.hpp"

namespace solfec {

double kinetic_energy(const BodyStore& bodies, int i) {
  if (is_meshed(bodies.kind(i))) {
    const std::vector<double>& mass = bodies.finite_elements(i).mass();
    double sum = 0;
    for (std::size_t n = 0; n < mass.size(); n++)
      sum += 0.5 * mass[n] * node_part(bodies.u(i), n).squaredNorm();
    return sum;
  }
  const Inertia& inertia = bodies.inertia(i);
  const double* u = bodies.u(i);
  const double translation = linear_part(u, bodies.dofs(i)).squaredNorm();
  // The mass itself stands in the body's record, which a step does not read else.
  const double kinetic = 0.5 * translation / inertia.inverse_mass;
  if (is_rigid(bodies.kind(i))) {
    const auto w = angular_part(u);
    return kinetic + 0.5 * w.dot(inertia.tensor * w);
  }
  const auto rate = affine_rate_part(u);
  return kinetic + 0.5 * (rate * inertia.tensor * rate.transpose()).trace();
}

double stored_energy(const BodyStore& bodies, const BulkMaterials& materials, int i) {
  if (is_meshed(bodies.kind(i)))
    return bodies.finite_elements(i, materials).strain_energy(bodies.q(i), bodies.x(i)) +
           bodies.work(i).frame;
  if (is_affine(bodies.kind(i)))
    return bodies[i].reference.volume *
           strain_energy_density(bodies.gradient(i), materials[bodies[i].material]);
  return 0;
}

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

// Component k of the sum of all reactions.
double reaction(const BodyStore& bodies, int i, int k) {
  return bodies.normal_reaction(i)[k] + bodies.tangent_reaction(i)[k] + bodies.joint_reaction(i)[k];
}

Vec3 direction_now(const BodyStore& bodies, int i, Frame frame, const Vec3& direction) {
  if (frame == Frame::spatial) return direction;
  return (bodies.gradient(i) * direction).normalized();
}

void add_load(BodyStore& bodies, int i, PointForce& load, double time, double) {
  const Vec3 F = load.value.value(time) * direction_now(bodies, i, load.frame, load.direction);
  if (load.element < 0) load.element = element_at(bodies[i], load.point);
  add_force_at(bodies, i, place_of(bodies, i, load.point, load.element), F, bodies.f(i));
}

void add_load(BodyStore& bodies, int i, const Torque& load, double time, double) {
  const double value = load.value.value(time);
  auto torque = angular_part(bodies.f(i));
  if (load.frame == Frame::convected)
    torque += value * load.direction;
  else
    torque += value * bodies.gradient(i).transpose() * load.direction;
}

void add_load(BodyStore& bodies, int i, const UserForce& load, double time, double h) {
  const std::size_t n = static_cast<std::size_t>(bodies.dofs(i));
  const bool meshed = is_meshed(bodies.kind(i));
  const std::span<const double> q(meshed ? bodies.x(i) : bodies.q(i),
                                  meshed ? n : BodyStore::kConfiguration),
      u(bodies.u(i), n);
  if (is_rigid(bodies.kind(i))) {
    std::array<double, 9> out{};
    load.function(q, u, time, h, out);
    const Eigen::Map<const Vec3> force(out.data()), torque(&out[3]), referential(&out[6]);
    angular_part(bodies.f(i)) += bodies.gradient(i).transpose() * torque + referential;
    rigid_linear_part(bodies.f(i)) += force;
  } else {
    std::vector<double> out(n);
    load.function(q, u, time, h, out);
    for (std::size_t k = 0; k < n; k++) bodies.f(i)[k] += out[k];
  }
}

void add_load(BodyStore& bodies, int i, Pressure& load, double time, double) {
  add_pressure(bodies, i, load, load.value.value(time));
}

void add_weight(BodyStore& bodies, int i, const Vec3& gravity) {
  if (is_meshed(bodies.kind(i))) {
    const std::vector<double>& mass = bodies.finite_elements(i).mass();
    for (std::size_t n = 0; n < mass.size(); n++) node_part(bodies.f(i), n) = mass[n] * gravity;
  } else {
    linear_part(bodies.f(i), bodies.dofs(i)) = bodies[i].reference.mass * gravity;
  }
}

Vec3 prescribed_displacement(const Joint& joint, double from, double to) {
  Vec3 sum = Vec3::Zero();
  for_each_motion(joint, [&](const Vec3& direction, const Motion& motion) {
    sum += direction * (motion.displacement(to) - motion.displacement(from));
  });
  return sum;
}

void external_force(BodyStore& bodies, int i, const Vec3& gravity, double time, double h) {
  std::fill_n(bodies.f(i), bodies.dofs(i), 0.0);
  add_weight(bodies, i, gravity);
  for (Load& load : bodies[i].loads)
    std::visit([&](auto& l) { add_load(bodies, i, l, time, h); }, load);
}

// What results tell of the stored energy is more than the configuration does.
void take_recorded_energy(BodyStore& bodies, const BulkMaterials& materials, int i) {
  Work& work = bodies.work(i);
  if (!work.internal) return;
  if (is_meshed(bodies.kind(i)) && bodies[i].form == Form::body_corotational)
    work.frame = *work.internal -
                 bodies.finite_elements(i, materials).strain_energy(bodies.q(i), bodies.x(i));
  work.internal.reset();
}

// What a body in implicit steps has, and is given between steps, by joints that close and by the
// script. DEF_EXP is stable by its step.
void begin_watch(BodyStore& bodies, const BulkMaterials& materials, int i) {
  const BodyKind kind = bodies.kind(i);
  if (!is_deformable(kind) || bodies[i].scheme == Scheme::def_exp)
    return bodies.work(i).supplied.reset();
  if (is_meshed(kind)) bodies.finite_elements(i, materials);
  Work& work = bodies.work(i);
  const double kinetic = kinetic_energy(bodies, i);
  if (work.supplied)
    *work.supplied += std::abs(kinetic - work.kinetic);
  else
    work.supplied = kinetic + std::abs(stored_energy(bodies, materials, i)) + std::abs(work.frame);
}

// The kinetic energy of a deformable body is at most what it was supplied with; `done` is the work
// of a step, all parts counted positive. Speeds that move it by less than a millionth of its size
// in a step are rounding.
void check_watch(BodyStore& bodies, int i, const TimeStep& step, double done) {
  Work& work = bodies.work(i);
  if (!work.supplied) return;
  constexpr double kMost = 2, kSmall = 1e-6;
  *work.supplied += done;
  work.kinetic = kinetic_energy(bodies, i);
  const double rounding =
      bodies[i].reference.mass * std::pow(kSmall * bodies.extent(i).size / step.h, 2);
  if (work.kinetic > kMost * *work.supplied + rounding)
    throw RunError(fmt::format(
        "the motion of {} runs away at time {:g}: its kinetic energy is {:.3g} J, where it had and "
        "was given {:.3g} J; reduce the step of SOLFEC{}",
        bodies.name(i), step.end(), work.kinetic, *work.supplied,
        bodies[i].scheme == Scheme::def_lim2 ? "" : ", or give the body the scheme DEF_LIM2"));
}

void begin_body_step(BodyStore& bodies, const BulkMaterials& materials, int i, const Vec3& gravity,
                     const TimeStep& step) {
  const BodyKind kind = bodies.kind(i);
  const double h = step.h, before = h - step.remaining();
  take_recorded_energy(bodies, materials, i);
  if (step.dynamic()) begin_watch(bodies, materials, i);
  if (!step.dynamic()) std::fill_n(bodies.u(i), bodies.dofs(i), 0.0);
  if (is_rigid(kind)) {
    rigid_move(bodies, i, before);
  } else if (is_affine(kind)) {
    pseudo_rigid_move(bodies, i, before);
  } else {
    bodies.finite_elements(i, materials);  // looks at the materials, for the whole of the step
    finite_element_move(bodies, i, before);
    bodies.finite_elements(i).support(bodies.supports(i));
  }
  external_force(bodies, i, gravity, step.load_time(), h);
  if (!step.dynamic())
    quasi_static_free_velocity(bodies, materials, i, h);
  else if (is_rigid(kind))
    rigid_free_velocity(bodies, i, h);
  else if (is_affine(kind))
    pseudo_rigid_free_velocity(bodies, materials, i, h);
  else
    finite_element_free_velocity(bodies, i, h);
}

// Displacement of an obstacle's centre from time t to t1, by its own linear velocity and what is
// prescribed. `v` is the linear velocity at time `at`.
Vec3 centre_displacement(const Body& obstacle, const Vec3& v, double at, double t, double t1) {
  Vec3 sum = (t1 - t) * (v - prescribed_velocity(obstacle, at));
  for (const Joint& joint : obstacle.joints) sum += prescribed_displacement(joint, t, t1);
  return sum;
}

void move_obstacle(BodyStore& bodies, int i, const Vec3& v, double at, double t, double t1) {
  bodies.gradient(i) *= exponential((t1 - t) * angular_part(bodies.u(i)));
  bodies.center(i) += centre_displacement(bodies[i], v, at, t, t1);
}

// b is the velocity at the end of the step; quasi-static: the mean one.
void begin_obstacle_step(BodyStore& bodies, int i, const TimeStep& step) {
  const double t = step.time;
  const auto v = rigid_linear_part(bodies.u(i));
  std::copy_n(bodies.u(i), bodies.dofs(i), bodies.b(i));
  auto b = rigid_linear_part(bodies.b(i));
  b -= prescribed_velocity(bodies[i], t);
  if (step.dynamic())
    b += prescribed_velocity(bodies[i], step.end());
  else
    for (const Joint& joint : bodies[i].joints)
      b += prescribed_displacement(joint, t, step.end()) / step.h;
  move_obstacle(bodies, i, v, t, t, step.contact_time());
}

void end_obstacle_step(BodyStore& bodies, int i, const TimeStep& step) {
  auto v = rigid_linear_part(bodies.u(i));
  v += prescribed_velocity(bodies[i], step.end()) - prescribed_velocity(bodies[i], step.time);
  move_obstacle(bodies, i, v, step.end(), step.contact_time(), step.end());
}

// One by one: sums of Eigen depend on where the numbers lie in memory.
double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

double work_of_supports(const BodyStore& bodies, int i, const double* velocity) {
  double sum = 0;
  for (const NodeSupport& s : bodies.supports(i))
    sum += dot(node_part(velocity, s.node).data(), s.impulse.data(), 3);
  return sum;
}

// `space` holds twice the freedom of the body.
void end_body_step(BodyStore& bodies, const BulkMaterials& materials, int i, const TimeStep& step,
                   double* space) {
  const int n = bodies.dofs(i);
  const double h = step.h;
  const double *rn = bodies.normal_reaction(i), *rt = bodies.tangent_reaction(i),
               *rj = bodies.joint_reaction(i);
  double *r = space, *mean = space + n;  // reaction, u(t) + u(t + h)
  for (int k = 0; k < n; k++) r[k] = reaction(bodies, i, k);
  if (!step.dynamic()) {
    quasi_static_end_step(bodies, i, h, r);
    return;
  }
  std::copy_n(bodies.u(i), n, mean);
  if (is_rigid(bodies.kind(i)))
    rigid_end_step(bodies, i, h, r);
  else if (is_affine(bodies.kind(i)))
    pseudo_rigid_end_step(bodies, materials, i, h, r);
  else
    finite_element_end_step(bodies, i, h, r);
  for (int k = 0; k < n; k++) mean[k] += bodies.u(i)[k];
  Work& work = bodies.work(i);
  const double normal = 0.5 * h * dot(mean, rn, n);
  const double tangent = 0.5 * h * dot(mean, rt, n);
  work.contact += normal;
  work.friction += tangent;
  const double loads = 0.5 * h * dot(mean, bodies.f(i), n);
  const double joints = 0.5 * h * dot(mean, rj, n) + 0.5 * work_of_supports(bodies, i, mean);
  work.external += loads + joints + normal + tangent;
  check_watch(bodies, i, step,
              std::abs(loads) + std::abs(joints) + std::abs(normal) + std::abs(tangent));
}

// Functions of a script are for its own thread.
bool calls_script(const Body& body) {
  return std::ranges::any_of(
      body.loads, [](const Load& load) { return std::holds_alternative<UserForce>(load); });
}

// By all threads; what is for one alone comes after the rest.
template <class Work>
void for_each_owned(const BodyStore& bodies, const Work& work) {
  constexpr int kVelocities = 1500;  // that are worth the start of a thread
  if (bodies.owned() == 0) return;
  const int least = kVelocities / std::max(1, bodies.u.begin(bodies.owned()) / bodies.owned());
  std::atomic<bool> left = false;
  for_each_at_once(bodies.owned(), least, [&](int i) {
    if (calls_script(bodies[i]))
      left = true;
    else
      work(i);
  });
  if (!left) return;
  for (int i = 0; i < bodies.owned(); i++)
    if (calls_script(bodies[i])) work(i);
}

}  // namespace

Energy& Energy::operator+=(const Energy& other) {
  kinetic += other.kinetic;
  internal += other.internal;
  external += other.external;
  contact += other.contact;
  friction += other.friction;
  return *this;
}

Vec3 prescribed_velocity(const Body& obstacle, double time) {
  Vec3 v = Vec3::Zero();
  for (const Joint& joint : obstacle.joints)
    if (time > joint.start)
      for_each_motion(joint, [&](const Vec3& direction, const Motion& motion) {
        v += direction * motion.velocity(time);
      });
  return v;
}

Vec3 obstacle_displacement(const BodyStore& bodies, int i, const Place& place, const TimeStep& step,
                           double from, double to) {
  const auto omega = angular_part(bodies.u(i)), v = rigid_linear_part(bodies.u(i));
  const Vec3 turn = bodies.gradient(i) * ((to - from) * omega);
  const Vec3 arm = place.x - bodies.center(i);
  return centre_displacement(bodies[i], v, step.time, from, to) +
         exponential_jacobian(-turn) * turn.cross(arm);
}

bool conserves(const BodyStore& bodies, int i, const TimeStep& step) {
  return step.dynamic() && is_deformable(bodies.kind(i)) && bodies[i].scheme == Scheme::def_imp;
}

void update_correction(const BodyStore& bodies, const BulkMaterials& materials, int i,
                       const TimeStep& step, std::vector<double>& correction) {
  const int n = bodies.dofs(i);
  const bool begins = correction.empty() || !std::isfinite(correction.front());
  if (begins) correction.assign(static_cast<std::size_t>(n), 0.0);
  std::vector<double> r;
  for (int k = 0; k < n; k++) r.push_back(reaction(bodies, i, k));
  const bool found =
      is_affine(bodies.kind(i))
          ? pseudo_rigid_correction(bodies, materials, i, step.h, r.data(), correction.data())
          : finite_element_correction(bodies, i, step.h, r.data(), correction.data());
  if (!found) std::ranges::fill(correction, std::numeric_limits<double>::quiet_NaN());
}

Vec3 velocity_beyond_linear(const BodyStore& bodies, int i, const Place& place,
                            const TimeStep& step, std::span<const double> correction) {
  const double remaining = step.remaining();
  if (is_obstacle(bodies.kind(i)))
    return obstacle_displacement(bodies, i, place, step, step.contact_time(), step.end()) /
               remaining -
           velocity_at(bodies, i, place, bodies.b(i));
  if (!correction.empty()) return velocity_at(bodies, i, place, correction.data());
  if (!is_rigid(bodies.kind(i))) return Vec3::Zero();
  std::array<double, 6> r, linear, true_one;
  for (int k = 0; k < 6; k++) r[k] = reaction(bodies, i, k);
  const Inertia& inertia = bodies.inertia(i);
  angular_part(linear.data()) =
      angular_part(bodies.b(i)) + step.h * (inertia.inverse * angular_part(r.data()));
  rigid_linear_part(linear.data()) =
      rigid_linear_part(bodies.b(i)) + step.h * inertia.inverse_mass * rigid_linear_part(r.data());
  true_one = linear;
  if (step.dynamic()) angular_part(true_one.data()) = rigid_end(bodies, i, step.h, r.data()).turn;
  return displacement_with(bodies, i, place, true_one.data(), remaining) / remaining -
         velocity_at(bodies, i, place, linear.data());
}

double stable_step(const BodyStore& bodies, const BulkMaterials& materials) {
  double step = std::numeric_limits<double>::infinity();
  for (int i = 0; i < bodies.owned(); i++) {
    if (!is_deformable(bodies.kind(i)) || bodies[i].scheme != Scheme::def_exp) continue;
    const double critical = is_affine(bodies.kind(i))
                                ? critical_step(bodies, materials, i)
                                : finite_element_critical_step(bodies, materials, i);
    step = std::min(step, 0.5 * critical);
  }
  return step;
}

void begin_step(BodyStore& bodies, const BulkMaterials& materials, const Gravity& gravity,
                const TimeStep& step) {
  const Vec3 g = gravity.value(step.load_time());
  bodies.clear_reactions();
  for_each_owned(bodies, [&](int i) {
    if (is_obstacle(bodies.kind(i)))
      begin_obstacle_step(bodies, i, step);
    else
      begin_body_step(bodies, materials, i, g, step);
  });
}

void end_step(BodyStore& bodies, const BulkMaterials& materials, const TimeStep& step) {
  for_each_owned(bodies, [&](int i) {
    switch (bodies.kind(i)) {
      case BodyKind::obstacle:
        end_obstacle_step(bodies, i, step);
        break;
      case BodyKind::rigid:
      case BodyKind::pseudo_rigid: {
        std::array<double, 24> space;  // no memory is asked for
        end_body_step(bodies, materials, i, step, space.data());
        break;
      }
      case BodyKind::finite_element: {
        std::vector<double> space(2 * static_cast<std::size_t>(bodies.dofs(i)));
        end_body_step(bodies, materials, i, step, space.data());
        break;
      }
    }
  });
}

void record_energy(BodyStore& bodies, const BulkMaterials& materials) {
  for (int i = 0; i < bodies.owned(); i++)
    if (is_meshed(bodies.kind(i)) && bodies[i].form == Form::body_corotational)
      bodies.work(i).internal = energy(bodies, materials, i).internal;
}

Energy energy(const BodyStore& bodies, const BulkMaterials& materials, int i) {
  if (is_obstacle(bodies.kind(i))) return {};
  const Work& work = bodies.work(i);
  Energy e;
  if (is_meshed(bodies.kind(i))) bodies.finite_elements(i, materials);
  e.kinetic = kinetic_energy(bodies, i);
  e.internal = work.internal ? *work.internal : stored_energy(bodies, materials, i);
  e.external = work.external;
  e.contact = work.contact;
  e.friction = work.friction;
  return e;
}

}  // namespace solfec
