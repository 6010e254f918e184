#include "domain/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "body/kinematics.hpp"
#include "core/error.hpp"
#include "core/room.hpp"
#include "core/threads.hpp"
#include "domain/contact_drift.hpp"
#include "domain/contact_motion.hpp"
#include "domain/jointed_contacts.hpp"
#include "domain/joints.hpp"

namespace solfec {
namespace {

// The law of contacts that are known ahead (lookahead.hpp), with the velocities V_N at the start
// and B_N at the end of the step without the reaction.
void bound_gap(RowLaw& law, const Constraint& contact, double V_N, double B_N, double horizon,
               double slow) {
  if (law.kind == LawKind::spring_dashpot) {
    if (!contact.arm.isZero()) law.dashpot = 0;  // it acts on overlap only
    return;
  }
  if (contact.bond || !(contact.gap > 0)) return;
  const double closing = -contact.gap / horizon;
  const bool touches = B_N < closing;
  if (touches && !contact.passes && -law.restitution * V_N > slow) return;  // it rebounds now
  law.ahead = true;
  law.restitution = law.tangential_restitution = 0;
  law.target.z() = contact.passes ? std::min(closing, B_N) : closing;
}

RowLaw contact_law(const Constraint& contact, const SurfaceMaterial& material, const TimeStep& step,
                   bool springs, double V_N, double B_N, double horizon, double slow) {
  RowLaw law;
  law.kind = springs || material.model == ContactModel::spring_dashpot ? LawKind::spring_dashpot
                                                                       : LawKind::signorini_coulomb;
  law.friction = material.friction;
  law.restitution = material.restitution;
  // Of impacts: where a contact pressed before, V_N is rounding, and V_T is the slip.
  if (!(contact.R.z() > 0)) law.tangential_restitution = material.tangential_restitution;
  law.cohesion = contact.bond ? material.cohesion * contact.area : 0.0;
  law.spring = material.spring;
  law.dashpot = material.dashpot;
  law.gap = contact.gap;
  law.remaining = step.remaining();
  if (horizon > 0 && step.dynamic()) bound_gap(law, contact, V_N, B_N, horizon, slow);
  if (!step.dynamic() && law.kind == LawKind::signorini_coulomb) {
    law.restitution = law.tangential_restitution = 0;
    law.target.z() = -std::max(contact.gap, 0.0) / step.h;  // closes the gap
    if (contact.passes) law.target.z() = std::min(law.target.z(), B_N);
  }
  return law;
}

DriftTolerance drift_tolerance_of(const Domain& domain) {
  return drift_tolerance(domain.detection_settings.epsilon, domain.solver_accuracy);
}

// Velocities V at the start and B at the end of a step without the reaction. Stiff deformable
// bodies vibrate faster than steps resolve: V turns into B = -V. A reaction that stopped B then
// does the work h R.(V + U)/2 > 0. Its law is of U + s instead, where s is
//   s_N = V_N if V_N > 0: the normal reaction does no work, as U_N = -V_N while it acts
//   s_T = the share of V_T that turns round, ((V - B)/2).V_T / |V_T|^2 in [0, 1 - e_T], times V_T
// and nothing at rest, or where V hardly changes. Tangential restitution turns e_T of V_T round:
// both together do it once.
Vec3 velocity_that_turns(const Vec3& V, const Vec3& B, double tangential_restitution) {
  const Eigen::Vector2d slip = V.head<2>();
  const double change = slip.dot(slip - B.head<2>()), square = slip.squaredNorm();
  const double share =
      square > 0 ? std::clamp(0.5 * change / square, 0.0, 1 - tangential_restitution) : 0.0;
  return {share * V.x(), share * V.y(), std::max(V.z(), 0.0)};
}

// A contact that neither side can move along the normal, as supports hold the nodes: between
// OBSTACLEs there is none, and this one stays without a reaction.
void leave_to_supports(RowLaw& law, double B_N) {
  law.restitution = law.tangential_restitution = law.cohesion = 0;
  law.target.z() = std::min(law.target.z(), B_N);
}

// Whether vibrations that steps do not resolve turn round in each step, and do not die.
bool keeps_vibrations(const BodyStore& bodies, int i) {
  if (i < 0 || !is_deformable(bodies.kind(i))) return false;
  const Scheme scheme = bodies[i].scheme;
  return scheme == Scheme::def_lim || scheme == Scheme::def_imp;
}

bool moves_freely(const BodyStore& bodies, int i) { return !is_obstacle(bodies.kind(i)); }

// The cheaper form over all ranks, so that products are the same on any number of them.
DelassusForm agreed_form(const Domain& domain) {
  if (domain.delassus_form != DelassusForm::automatic) return domain.delassus_form;
  const Delassus::Cost cost = domain.local_dynamics.W.cost();
  std::array<double, 2> sums = {cost.factored, cost.assembled};
  domain.communicator.sum_all(sums);
  return Delassus::Cost{sums[0], sums[1]}.cheaper();
}

// r += H^T Q R on the first body, -= on the second.
void add_reaction(BodyStore& bodies, int i, int side, const Place& place, const Mat3& base,
                  const Vec3& R, bool joint) {
  const double sign = side == 0 ? 1 : -1;
  if (joint) {
    add_force_at(bodies, i, place, sign * base * R, bodies.joint_reaction(i));
    return;
  }
  const Vec3 normal = sign * base.col(2) * R.z(), tangent = sign * base.leftCols<2>() * R.head<2>();
  add_force_at(bodies, i, place, normal, bodies.normal_reaction(i));
  add_force_at(bodies, i, place, tangent, bodies.tangent_reaction(i));
}

void add_remote_reaction(BodyStore& bodies, const SharedRows::RemoteContact& remote) {
  add_reaction(bodies, remote.body, remote.side, remote.place, remote.base, remote.R,
               is_joint(remote.key));
}

// Of bodies, 0 for obstacles. Those of ghosts are as their owners made them.
const std::vector<int>& row_sizes(Domain& domain) {
  const BodyStore& bodies = domain.bodies;
  std::vector<int>& sizes = domain.row_sizes;
  sizes.assign(static_cast<std::size_t>(bodies.total()), 0);
  for (int i = 0; i < bodies.owned(); i++)
    if (moves_freely(bodies, i)) sizes[i] = row_size(bodies, i);
  if (bodies.owned() == bodies.total()) return sizes;
  const std::vector<Constraint>& constraints = domain.constraints.all();
  for (int row = 0; row < static_cast<int>(constraints.size()); row++)
    for (int side : {0, 1}) {
      const int i = constraints[row].body(side);
      if (i < 0 || !bodies.is_ghost(i)) continue;
      if (const BodyContribution* share = domain.shared_rows.contribution(row, side))
        sizes[i] = static_cast<int>(share->G.size() / 3);
    }
  return sizes;
}

// For all rows of the step.
void make_room(Domain& domain) {
  const std::vector<Constraint>& constraints = domain.constraints.all();
  LocalDynamics& p = domain.local_dynamics;
  std::size_t numbers = 0;
  for (const Constraint& c : constraints)
    for (const int i : {c.body1, c.is_self_contact() ? -1 : c.body2})
      if (i >= 0) numbers += 3 * static_cast<std::size_t>(domain.row_sizes[i]);
  p.W.make_room(constraints.size(), numbers);
  clear_for(p.B, constraints.size());
  clear_for(p.V, constraints.size());
  clear_for(p.law, constraints.size());
  clear_for(domain.local_solution.R, constraints.size());
}

void place_pieces(Domain& domain, std::span<const Lookahead> lookahead) {
  domain.pieces.synchronise(domain.bodies);
  domain.pieces.place(domain.bodies, 0.5 * domain.detection_settings.epsilon, lookahead);
}

// The rows of W, velocities and law of a constraint.
struct RowAssembly {
  Domain& domain;
  const PlacedRows& placed;
  const TimeStep& step;
  bool springs, corrects;
  double slow;

  // What both sides make together, in space.
  struct Sides {
    Vec3 b = Vec3::Zero(), u = Vec3::Zero();  // relative velocities: free, and before the step
    std::array<BodyMotion, 2> motion;
    bool held = false;  // a contact that supports leave nothing to do
    JointMotion joint_motion;
  };

  void fill(int row) const;
  Sides fill_sides(int row) const;
  void correct_contact(int row, const Sides& sides) const;
  Vec3 change_beside_joints(int row, const JointMotion& motion) const;
  double solver_noise(int row) const;
  double residue_of_lasting_contact(double c) const;
  bool is_jointed(int row) const { return !domain.jointed.empty() && domain.jointed[row]; }
  bool moves_on(const Constraint& c) const { return corrects && c.is_contact(); }
};

// c of joint_changes.hpp, in space; leaves the others among the jointed contacts to follow_motion.
Vec3 RowAssembly::change_beside_joints(int row, const JointMotion& motion) const {
  constexpr double kArcNoise = 1e-5;
  if (is_jointed(row)) {
    if (makes_up_for_arc(motion, kArcNoise * slow)) return Vec3::Zero();
    domain.jointed[row] = false;
  }
  return motion.share;
}

// The rows of W, and the motions of both sides; those of other ranks have been sent.
RowAssembly::Sides RowAssembly::fill_sides(int row) const {
  const BodyStore& bodies = domain.bodies;
  const Constraint& c = domain.constraints.all()[row];
  const Mat3 base = c.base();
  const int ends[2] = {c.body1, c.is_self_contact() ? -1 : c.body2};
  double* rows = domain.local_dynamics.W.row_blocks(row);
  Sides sides;
  sides.held = c.is_contact();
  const auto take = [&](const BodyContribution& part) {
    sides.b += part.b;
    sides.u += part.u;
    sides.held = sides.held && part.held;
    sides.joint_motion += part.joint_motion;
    rows = std::ranges::copy(part.G, rows).out;
  };
  for (int k : {0, 1}) {
    const int i = ends[k];
    if (i < 0) continue;
    const double sign = k == 0 ? 1 : -1;
    BodyMotion& motion = sides.motion[k];
    if (const BodyContribution* known = domain.shared_rows.contribution(row, k)) {
      motion = {sign * known->u, known->rate};
      take(*known);
      continue;
    }
    if (c.is_self_contact()) {
      take(self_contact_contribution(bodies, placed, row));
      continue;
    }
    const Place point = placed.place(row, k);
    motion.velocity = velocity_at(bodies, i, point, bodies.u(i));
    if (moves_on(c)) motion.rate = velocity_gradient(bodies, i, bodies.u(i));
    sides.held = sides.held && is_held(bodies, i, point, c.normal);
    sides.b += sign * velocity_at(bodies, i, point, bodies.b(i));
    sides.u += sign * motion.velocity;
    if (c.is_contact())
      sides.joint_motion +=
          sign * domain.joint_closure.changes().at(bodies, i, point, is_jointed(row));
    if (!moves_freely(bodies, i)) continue;
    scaled_rows(bodies, i, point, sign * base, rows);
    rows += 3 * row_size(bodies, i);
  }
  return sides;
}

void RowAssembly::fill(int row) const {
  LocalDynamics& p = domain.local_dynamics;
  const Constraint& c = domain.constraints.all()[row];
  const Mat3 base = c.base();
  const Sides sides = fill_sides(row);
  Vec3 &B = p.B[row], &V = p.V[row];
  B = base.transpose() * sides.b;
  V = step.dynamic() ? Vec3(base.transpose() * sides.u) : Vec3(Vec3::Zero());
  p.law[row] = c.is_contact() ? contact_law(c, domain.surface_materials[c.material], step, springs,
                                            V.z(), B.z(), domain.horizon, slow)
                              : joint_law(domain.bodies, c, *find_joint(domain.bodies, c), V, step,
                                          domain.correct_joints);
  if (p.law[row].kind == LawKind::signorini_coulomb) correct_contact(row, sides);
}

// Of velocities: a part of what gravity, or what presses the bodies together, makes of them in two
// steps.
double RowAssembly::solver_noise(int row) const {
  constexpr double kNoise = 1e-4;
  const Constraint& c = domain.constraints.all()[row];
  const double* blocks = domain.local_dynamics.W.row_blocks(row);
  double inverse_mass = 0;  // H_N M^-1 H_N^T
  for (int i : {c.body1, c.body2}) {
    if (is_meshed(domain.bodies.kind(i))) return 0;  // they have no such velocities
    const int size = domain.row_sizes[i];
    for (const double* x = blocks + 2 * size; x < blocks + 3 * size; x++) inverse_mass += *x * *x;
    blocks += 3 * size;
  }
  return kNoise * std::max(slow, 2 * step.h * c.R.norm() * inverse_mass);
}

// Approach or opening of a contact with the convective velocity c that steps leave, and no impact:
// a part of c, and all of that where gravity does as much.
double RowAssembly::residue_of_lasting_contact(double c) const {
  constexpr double kPart = 0.1;
  return std::max(kPart * std::abs(c), std::min(std::abs(c), slow));
}

// Of a contact with the exact law: what the end of the step makes of its motion in mid-step.
void RowAssembly::correct_contact(int row, const Sides& sides) const {
  const BodyStore& bodies = domain.bodies;
  const Constraint& c = domain.constraints.all()[row];
  const Mat3 base = c.base();
  Vec3 &B = domain.local_dynamics.B[row], &V = domain.local_dynamics.V[row];
  RowLaw& law = domain.local_dynamics.law[row];
  if (sides.held) leave_to_supports(law, B.z());
  Vec3 change = base.transpose() * change_beside_joints(row, sides.joint_motion);
  if (moves_on(c)) {
    domain.pressed[row] = c.R.z() > 0;
    domain.local_solution.R[row] = base.transpose() * turned(base * c.R, sides.motion, step.h);
    change += convective_velocity(domain, c, sides.motion, step.remaining(), solver_noise(row),
                                  is_jointed(row));
  }
  const bool corrected = moves_on(c) || !change.isZero(0);
  const double residue = residue_of_lasting_contact(change.z());
  // Of one that opens, at V, and is to close on its way round, the reaction did the work h R V/2.
  // It need not follow there: it may go back as it came.
  if (change.z() < 0 && V.z() - change.z() > residue) change.z() = std::min(V.z(), 0.0);
  B += change;
  V -= change;
  if (corrected && -V.z() <= residue) law.restitution = law.tangential_restitution = 0;
  if (step.dynamic() && (keeps_vibrations(bodies, c.body1) || keeps_vibrations(bodies, c.body2)))
    law.target -= velocity_that_turns(V, B, law.tangential_restitution);
  else if (moves_on(c) && !sides.held)
    law.target -= asked_back(law, c, drift_tolerance_of(domain)) / step.h;
}

// Finite elements have work spaces, and joints are measured one after the other.
bool is_for_one_thread(const BodyStore& bodies, const Constraint& c) {
  return !c.is_contact() || is_meshed(bodies.kind(c.body1)) ||
         (c.body2 >= 0 && is_meshed(bodies.kind(c.body2)));
}

// A bond breaks once it has dissipated its fracture energy or, if it has none, where it yields.
void strain_bond(const Domain& domain, Constraint& c, int row) {
  const LocalDynamics& p = domain.local_dynamics;
  const RowLaw& law = p.law[row];
  const double energy = domain.surface_materials[c.material].fracture_energy * c.area;  // [J]
  if (energy > 0) {
    // As displacements: those of the part of the step that remains follow U, the rest V.
    const double h = p.W.step();
    c.bond->work += bond_power(law, c.R, law.remaining * c.U + (h - law.remaining) * c.V);
    if (c.bond->work >= energy) c.bond.reset();
  } else if (breaks_bond(law, c.R, c.U + velocity_offset(law, c.V), p.W.diagonal(row))) {
    c.bond.reset();
  }
}

}  // namespace

void detect_contacts(Domain& domain, bool first_step) {
  place_pieces(domain, domain.lookahead);
  const auto& detected = domain.detection.find(domain.bodies, domain.pieces, domain.exclusions,
                                               domain.detection_settings, domain.lookahead);
  domain.sparsified = domain.detection.sparsified();
  domain.constraints.update(detected, domain.bodies, domain.surface_materials, first_step);
  update_joints(domain);
  find_jointed_contacts(domain);
  domain.places.find(domain.bodies, domain.constraints.all());
}

void check_penetration(const Domain& domain, double time) {
  if (!std::isfinite(domain.unphysical_penetration)) return;
  for (const Constraint& c : domain.constraints.all())
    if (c.is_contact() && -c.gap > domain.unphysical_penetration)
      throw RunError(fmt::format(
          "unphysical penetration at time {:g}: bodies {} and {} overlap by {:g} m at ({:g}, {:g}, "
          "{:g}), the bound is {:g} m",
          time, c.key.body1.value, c.key.body2.value, -c.gap, c.point.x(), c.point.y(), c.point.z(),
          domain.unphysical_penetration));
}

void assemble(Domain& domain, const TimeStep& step, ContactLaws laws) {
  const bool springs = laws == ContactLaws::springs;
  const BodyStore& bodies = domain.bodies;
  const std::vector<Constraint>& constraints = domain.constraints.all();
  LocalDynamics& p = domain.local_dynamics;
  DEMAND(domain.places.count() == constraints.size());
  domain.pressed.assign(constraints.size(), false);
  const PlacedRows placed{constraints, domain.places};
  const bool corrects =
      domain.contact_correction != ContactCorrection::off && step.dynamic() && !springs;
  domain.shared_rows.request(bodies, placed, domain.communicator);
  domain.shared_rows.reply(bodies, placed, domain.communicator, &domain.joint_closure.changes());
  p.clear(step.h, row_sizes(domain));
  p.W.place_groups([&](int body) -> Vec3 { return bodies.center(body); });
  LocalSolution& s = domain.local_solution;
  make_room(domain);
  for (const Constraint& c : constraints) {
    p.W.add_row(c.body1, c.is_self_contact() ? -1 : c.body2);
    s.R.push_back(c.R);
  }
  p.B.resize(constraints.size());
  p.V.resize(constraints.size());
  p.law.resize(constraints.size());
  const double slow = 2 * step.h * domain.gravity.value(step.load_time()).norm();
  const RowAssembly assembly{domain, placed, step, springs, corrects, slow};
  const int rows = static_cast<int>(constraints.size());
  constexpr int kShare = 64;
  for_each_at_once(rows, kShare, [&](int row) {
    if (!is_for_one_thread(bodies, constraints[row])) assembly.fill(row);
  });
  for (int row = 0; row < rows; row++)
    if (is_for_one_thread(bodies, constraints[row])) assembly.fill(row);
  if (laws == ContactLaws::convex) give_convex_law(p.law);
  domain.shared_rows.add_external(bodies, constraints, p);
  p.W.choose(agreed_form(domain));
  domain.beyond_linear.clear();
  domain.corrections.clear();
  s.start(p);
}

void spread_reactions(Domain& domain) {
  const std::vector<Vec3>& R = domain.local_solution.R;
  DEMAND(domain.places.count() == domain.constraints.all().size());
  domain.bodies.clear_reactions();
  domain.shared_rows.return_reactions(R, domain.channel);
  const auto add_own = [&](int row) {
    const Constraint& c = domain.constraints.all()[row];
    const Mat3 base = c.base();
    for (int side : {0, 1}) {
      const int i = c.body(side);
      if (i < 0 || domain.bodies.is_ghost(i) || !moves_freely(domain.bodies, i)) continue;
      add_reaction(domain.bodies, i, side, domain.places.of(c, row, side), base, R[row],
                   !c.is_contact());
    }
  };
  domain.shared_rows.for_each_row(
      domain.constraints.all(), add_own,
      [&](const SharedRows::RemoteContact& remote) { add_remote_reaction(domain.bodies, remote); });
}

void apply_reactions(Domain& domain) {
  const LocalDynamics& p = domain.local_dynamics;
  const LocalSolution& s = domain.local_solution;
  spread_reactions(domain);
  const DriftTolerance tolerance = drift_tolerance_of(domain);
  constexpr int kShare = 512;
  for_each_at_once(p.rows(), kShare, [&](int row) {
    Constraint& c = domain.constraints.all()[row];
    c.R = s.R[row];
    c.U = s.U[row];
    c.V = p.V[row];
    c.merit = s.merit[row];
    c.determinacy = Determinacy::unknown;
    c.drift = contact_drift(p.law[row], c, p.W.diagonal(row), p.W.step(), tolerance);
    if (c.bond) strain_bond(domain, c, row);
  });
}

Box body_box(const Domain& domain, int body) {
  const PieceStore& pieces = domain.pieces;
  Box box;
  // An inner part of a divided mesh has nothing on the surface; a background mesh is not the body.
  if (!domain.bodies[body].background)
    for (int n = 0; n < domain.bodies[body].nodes; n++)
      box.extend(node_part(domain.bodies.x(body), n));
  for (int p = pieces.first(body); p < pieces.first(body + 1); p++) box.extend(pieces.boxes()[p]);
  return box;
}

std::vector<BodyId> delete_outside(Domain& domain) {
  if (!domain.extents) return {};
  place_pieces(domain, {});
  std::vector<BodyId> doomed;
  for (int i = 0; i < domain.bodies.owned(); i++)
    if (!overlap(body_box(domain, i), *domain.extents)) doomed.push_back(domain.bodies.id(i));
  ArchiveWriter mine;
  mine(doomed);
  if (!domain.communicator.any(!doomed.empty())) return {};
  doomed.clear();
  for (const Bytes& bytes : domain.communicator.gather(mine.bytes())) {
    ArchiveReader reader(bytes);
    const auto theirs = reader.get<std::vector<BodyId>>();
    doomed.insert(doomed.end(), theirs.begin(), theirs.end());
  }
  std::ranges::sort(doomed);
  doomed.erase(std::unique(doomed.begin(), doomed.end()), doomed.end());  // obstacles
  delete_bodies(domain, doomed);
  return doomed;
}

void delete_bodies(Domain& domain, std::span<const BodyId> ids) {
  std::vector<bool> marked(static_cast<std::size_t>(domain.bodies.owned()));
  for (BodyId id : ids)
    if (const int i = domain.bodies.find(id); i >= 0 && !domain.bodies.is_ghost(i))
      marked[i] = true;
  remove_joints_with(domain, ids);
  domain.bodies.remove(marked);
  domain.constraints.remove_bodies(ids);
  domain.constraints.locate(domain.bodies);
}

std::vector<ContactKey> row_keys(const Domain& domain) {
  std::vector<ContactKey> keys;
  for (const Constraint* c : row_constraints(domain)) keys.push_back(c->key);
  const auto& external = domain.shared_rows.external_keys();
  keys.insert(keys.end(), external.begin(), external.end());
  return keys;
}

std::vector<std::string> row_names(const Domain& domain) {
  std::vector<std::string> names;
  for (const ContactKey& key : row_keys(domain))
    names.push_back(fmt::format("{}.{}-{}.{}.{}", key.body1.value, key.feature1, key.body2.value,
                                key.feature2, key.point));
  return names;
}

}  // namespace solfec
