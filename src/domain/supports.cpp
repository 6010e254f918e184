#include "domain/supports.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "body/finite_elements.hpp"
#include "body/free_turns.hpp"
#include "core/error.hpp"
#include "domain/domain.hpp"
#include "domain/joints.hpp"
#include "geometry/element.hpp"
#include "local_dynamics/joint_law.hpp"
#include "math/decompositions.hpp"

namespace solfec {
namespace {

// Points nearer to a node than this part of the body's size are the node.
constexpr double kAtNode = 1e-9;
// Displacements of one node that differ by more, of the body's size, contradict each other.
constexpr double kContradicts = 1e-8;
// A contact sinks in if it does so by more in a step, and is deep by more, of the tolerance.
constexpr double kSinksIn = 1e-3, kSunkIn = 10;
// Eigenvalues of N, of the largest, that are rounding.
constexpr double kRank = 1e-10;

// The node of its mesh that a joint supports, or none.
int supported_node(const BodyStore& bodies, int i, const Constraint& c, const Joint& joint) {
  const bool holds = binds(joint.kind) && !joins_two_points(joint.kind) && !joint.other.valid() &&
                     !std::isfinite(joint.strength);
  if (!holds || !is_meshed(bodies.kind(i))) return Constraint::kNoNode;
  const Mesh& mesh = mesh_of(bodies[i]);
  for (int node : mesh.elements[c.element[c.owning]].used())
    if ((mesh.nodes[node] - joint.point).norm() <= kAtNode * bodies.extent(i).size) return node;
  return Constraint::kNoNode;
}

// Whether A of the next step leaves the rotations of a body to M.
bool leaves_turns(const Domain& domain, int i) {
  const Body& body = domain.bodies[i];
  return domain.analysis == Analysis::dynamic && body.form == Form::total_lagrangian &&
         body.scheme != Scheme::def_exp;
}

// Whether vibrations are filtered in the next step, as those of a free body.
bool filters(const Domain& domain, int i) {
  return domain.analysis == Analysis::dynamic && domain.bodies[i].scheme == Scheme::def_lim;
}

// Calls work(component) for the directions of its base that a joint binds.
template <class Work>
void for_each_direction(ConstraintKind kind, Work&& work) {
  for (int k = binds_all_directions(kind) ? 0 : 2; k < 3; k++) work(k);
}

// N^+, and the projection on what N leaves free.
struct Split {
  Mat3 inverse = Mat3::Zero(), free = Mat3::Zero();
};

Split split(const Mat3& N) {
  const SymmetricEigen3 axes = symmetric_eigen(N);
  const double largest = axes.values.maxCoeff();
  Split result;
  for (int k = 0; k < 3; k++) {
    const Vec3 axis = axes.vectors.col(k);
    if (axes.values[k] > kRank * largest)
      result.inverse += axis * axis.transpose() / axes.values[k];
    else
      result.free += axis * axis.transpose();
  }
  return result;
}

// The index of a body, found once for constraints in the order of keys.
class BodyFinder {
 public:
  explicit BodyFinder(const BodyStore& bodies) : bodies_(bodies) {}
  int operator()(BodyId id) {
    if (id != last_) index_ = bodies_.find(last_ = id);
    return index_;
  }

 private:
  const BodyStore& bodies_;
  BodyId last_;
  int index_ = -1;
};

// The joints of a body by number.
class JointFinder {
 public:
  explicit JointFinder(BodyStore& bodies) : bodies_(bodies) {}
  Joint* operator()(int i, std::uint32_t number) {
    if (i != body_) {
      body_ = i;
      sorted_.clear();
      for (Joint& joint : bodies_[i].joints) sorted_.push_back(&joint);
      std::ranges::sort(sorted_, {}, &Joint::number);
    }
    const auto found = std::ranges::lower_bound(sorted_, number, {}, &Joint::number);
    return found != sorted_.end() && (*found)->number == number ? *found : nullptr;
  }

 private:
  BodyStore& bodies_;
  int body_ = -1;
  std::vector<Joint*> sorted_;
};

// Whether supports hold the point along n, at each node that moves it.
bool holds_point(const BodyStore& bodies, int i, const Place& place, const Vec3& n) {
  constexpr double kNoPart = 1e-20;  // of a node, squared
  const Element& element = mesh_of(bodies[i]).elements[place.element];
  std::array<double, 8> N;
  shape_functions(element.nodes, place.local, N);
  double moves = 0;
  for (int k = 0; k < element.nodes; k++) {
    const NodeSupport* support = support_of(bodies.supports(i), element.node[k]);
    moves += N[k] * N[k] * (support ? (support->free * n).squaredNorm() : 1);
  }
  return moves <= kNoPart;
}

// Whether no reaction of a row moves its points along n.
bool cannot_move(const Domain& domain, int row, const Vec3& n) {
  const BodyStore& bodies = domain.bodies;
  const Constraint& c = domain.constraints.all()[row];
  for (int side : {0, 1}) {
    const int i = c.body(side);
    if (i < 0 || is_obstacle(bodies.kind(i))) continue;
    if (bodies.is_ghost(i) || !is_meshed(bodies.kind(i)) || bodies.supports(i).empty() ||
        !holds_point(bodies, i, domain.places.of(c, row, side), n))
      return false;
  }
  return true;
}

}  // namespace

void Supports::choose(Domain& domain) {
  BodyStore& bodies = domain.bodies;
  BodyFinder find(bodies);
  JointFinder find_joint(bodies);
  std::map<int, HeldMotions> held;               // of bodies that must not turn
  std::map<std::pair<int, int>, Mat3> of_nodes;  // N, where all directions are wanted
  std::vector<std::pair<int, int>> candidates;   // constraint, body
  std::vector<Constraint>& all = domain.constraints.all();
  for (int k = 0; k < static_cast<int>(all.size()); k++) {
    Constraint& c = all[k];
    c.eliminated = false;
    if (c.is_contact() || !domain.eliminate_supports || c.node == Constraint::kNoNode) continue;
    const int i = find(c.owning_body());
    if (i < 0 || bodies.is_ghost(i) || filters(domain, i)) continue;
    const Joint* joint = find_joint(i, c.key.feature2);
    if (!joint) continue;  // update_joints drops it
    if (c.node == Constraint::kUnseen) c.node = supported_node(bodies, i, c, *joint);
    if (c.node == Constraint::kNoNode) continue;
    candidates.emplace_back(k, i);
    const Mat3 base = c.base();
    if (turns_operator(bodies[i], domain.analysis)) {
      Mat3& N = of_nodes.try_emplace({i, c.node}, Mat3::Zero()).first->second;
      for_each_direction(c.kind, [&](int d) { N += base.col(d) * base.col(d).transpose(); });
    }
    if (!leaves_turns(domain, i)) continue;
    const Vec3 arm = (node_part(bodies.x(i), c.node) - bodies.center(i)) / bodies.extent(i).size;
    HeldMotions& motions = held.try_emplace(i, HeldMotions::Zero()).first->second;
    for_each_direction(c.kind, [&](int d) { add_hold(motions, arm, base.col(d)); });
  }
  // Bodies bring theirs along from other ranks.
  any_ = !candidates.empty() || domain.communicator.size() > 1;
  std::set<int> turning;
  for (const auto& [i, motions] : held)
    if (!held_turns(motions).isIdentity(0.5)) turning.insert(i);
  for (const auto& [k, i] : candidates) {
    const auto N = of_nodes.find({i, all[k].node});
    all[k].eliminated =
        !turning.contains(i) && (N == of_nodes.end() || split(N->second).free.isZero(0));
  }
}

// Groups what was set aside by nodes.
void Supports::add_nodes(Domain& domain) {
  BodyStore& bodies = domain.bodies;
  std::vector<int> order(aside_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {},
                           [&](int k) { return std::pair(aside_[k].body1, aside_[k].node); });
  for (std::size_t first = 0, last; first < order.size(); first = last) {
    const Constraint& c = aside_[order[first]];
    Node node{c.body1, c.node, static_cast<int>(parts_.size()), 0, Mat3::Zero()};
    Mat3 N = Mat3::Zero();
    for (last = first; last < order.size(); last++) {
      const Constraint& other = aside_[order[last]];
      if (other.body1 != node.body || other.node != node.node) break;
      const Mat3 base = other.base();
      for_each_direction(other.kind, [&](int d) {
        const Vec3 n = base.col(d);
        parts_.push_back({order[last], d, n});
        N += n * n.transpose();
      });
    }
    node.last = static_cast<int>(parts_.size());
    const Split parts = split(N);
    node.inverse = parts.inverse;
    nodes_.push_back(node);
    NodeSupport support;
    support.node = node.node;
    support.free = parts.free;
    bodies.supports.add(node.body, support);
  }
}

// N^+ sum n w with the values w of its parts.
template <class Value>
Vec3 Supports::combine(const Node& node, Value&& value) const {
  Vec3 sum = Vec3::Zero();
  for (int p = node.first; p < node.last; p++) sum += parts_[p].direction * value(parts_[p]);
  return node.inverse * sum;
}

NodeSupport& Supports::support(BodyStore& bodies, const Node& node) const {
  return *support_of(bodies.supports(node.body), node.node);
}

// Along the supported directions, at once.
void Supports::change_velocity(BodyStore& bodies, const Node& node, NodeSupport& support,
                               const Vec3& velocity) {
  auto u = node_part(bodies.u(node.body), node.node);
  const double mass = bodies.finite_elements(node.body).mass()[node.node];
  const Vec3 change = support.held(velocity - u), impulse = mass * change;
  bodies.work(node.body).external += impulse.dot(u + 0.5 * change);
  u += change;
  support.impulse_at_ends += impulse;
}

// Along the direction, from here to where it is to be at a time.
double Supports::displacement_of(const Part& part, double time) const {
  const Joint& joint = *joints_[part.constraint];
  const Vec3 moves = joint_displacement(joint, time) - joint_displacement(joint, joint.start);
  return moves[part.component] - gaps_[part.constraint][part.component];
}

std::string Supports::contradiction(const BodyStore& bodies, const Node& node, double time) const {
  std::set<std::string> makers;
  for (int p = node.first; p < node.last; p++)
    makers.insert(traits_of(aside_[parts_[p].constraint].kind).made_by);
  const Vec3& x = aside_[parts_[node.first].constraint].point;
  return fmt::format("joints contradict each other at time {:g}: {} of {} at ({:g}, {:g}, {:g})",
                     time, fmt::join(makers, ", "), bodies.name(node.body), x.x(), x.y(), x.z());
}

void Supports::prescribe(Domain& domain, const TimeStep& step, const Node& node) {
  BodyStore& bodies = domain.bodies;
  NodeSupport& s = support(bodies, node);
  const Vec3 u = node_part(bodies.u(node.body), node.node);
  if (!domain.correct_joints) {
    s.velocity = combine(node, [&](const Part& part) {
      const Joint& joint = *joints_[part.constraint];
      if (!prescribes_motion(joint.kind)) return step.dynamic() ? -part.direction.dot(u) : 0.0;
      const Vec3 v = step.dynamic() ? joint_velocity(joint, step.end())
                                    : Vec3((joint_displacement(joint, step.end()) -
                                            joint_displacement(joint, step.time)) /
                                           step.h);
      return v[part.component];
    });
    return;
  }
  const auto displacement = [&](double time) {
    const auto wanted = [&](const Part& part) { return displacement_of(part, time); };
    const Vec3 sum = combine(node, wanted);
    for (int p = node.first; p < node.last; p++)
      if (!(std::abs(parts_[p].direction.dot(sum) - wanted(parts_[p])) <=
            kContradicts * bodies.extent(node.body).size))
        throw RunError(contradiction(bodies, node, step.time));
    return sum;
  };
  const double remaining = step.remaining();
  Vec3 passed = Vec3::Zero();
  if (step.dynamic()) {
    passed = displacement(step.contact_time());
    change_velocity(bodies, node, s, passed / remaining);
  }
  s.velocity = (displacement(step.end()) - passed) / remaining;
}

void Supports::find_joints(BodyStore& bodies) {
  JointFinder find(bodies);
  joints_.clear();
  for (const Constraint& c : aside_) {
    joints_.push_back(find(c.body1, c.key.feature2));
    DEMAND(joints_.back() != nullptr);
  }
}

void Supports::begin(Domain& domain, const TimeStep& step) {
  BodyStore& bodies = domain.bodies;
  bodies.supports.clear();
  gaps_.clear();
  parts_.clear();
  nodes_.clear();
  aside_.clear();
  if (any_) aside_ = domain.constraints.take_eliminated();
  earlier_ = aside_;
  BodyFinder find(bodies);
  for (Constraint& c : aside_) {
    c.body1 = find(c.owning_body());
    c.body2 = -1;
  }
  find_joints(bodies);
  for (std::size_t k = 0; k < aside_.size(); k++) {
    Constraint& c = aside_[k];
    Joint* const joint = joints_[k];
    bodies.finite_elements(c.body1, domain.bulk_materials);  // before masses are asked for
    c.point = node_part(bodies.x(c.body1), c.node);
    c.set_base(joint_base(*joint, joint->direction));
    if (!joint->measured) {
      measure(bodies, c, *joint);
      bodies[c.body1].changes++;
    }
    gaps_.push_back(joint_gap(bodies, c, *joint, Vec3::Zero(), joint->start));
  }
  add_nodes(domain);
  for (const Node& node : nodes_) prescribe(domain, step, node);
  for (Constraint& c : aside_)
    c.V = step.dynamic() ? Vec3(c.base().transpose() * node_part(bodies.u(c.body1), c.node))
                         : Vec3(Vec3::Zero());
}

void Supports::add_holds(BodyStore& bodies) const {
  for (const Constraint& c : aside_) {
    const int i = c.body1;
    if (bodies[i].form != Form::body_corotational) continue;
    const Vec3 point = mesh_of(bodies[i]).nodes[c.node] - bodies[i].reference.center;
    const Mat3 base = c.base();
    for_each_direction(c.kind, [&](int d) {
      bodies.holds.add(i, {BodyId(), point, bodies.gradient(i).transpose() * base.col(d)});
    });
  }
}

void Supports::place(const BodyStore& bodies) {
  for (Constraint& c : aside_) c.point = node_part(bodies.x(c.body1), c.node);
}

void Supports::check_rows(const Domain& domain, const TimeStep& step) const {
  if (nodes_.empty()) return;
  const BodyStore& bodies = domain.bodies;
  const LocalDynamics& p = domain.local_dynamics;
  const double epsilon = domain.detection_settings.epsilon;
  const std::vector<Constraint>& rows = domain.constraints.all();
  for (int row = 0; row < p.rows(); row++) {
    const Constraint& c = rows[row];
    const RowLaw& law = p.law[row];
    const double approach = -step.h * p.B[row].z();
    const auto fail = [&](const std::string& what) {
      throw RunError(fmt::format(
          "joints contradict each other at time {:g}: {} at ({:g}, {:g}, {:g}), where joints hold "
          "the nodes of {}",
          step.time, what, c.point.x(), c.point.y(), c.point.z(),
          bodies.name(c.body1 >= 0 && !bodies.supports(c.body1).empty() ? c.body1 : c.body2)));
    };
    if (law.has_friction_cone()) {
      if (approach > kSinksIn * epsilon && 0.5 * approach - c.gap > kSunkIn * epsilon &&
          cannot_move(domain, row, c.base().col(2)))
        fail(fmt::format("{} and {} are pressed together", bodies.name(c.body1),
                         bodies.name(c.body2)));
    } else if (binds(c.kind)) {
      const Vec3 miss = joint_residual(law, p.W.diagonal(row), p.B[row], Vec3::Zero());
      for_each_direction(c.kind, [&](int d) {
        const double size = bodies.extent(c.body1 >= 0 ? c.body1 : c.body2).size;
        if (step.h * std::abs(miss[d]) > kContradicts * size &&
            cannot_move(domain, row, c.base().col(d)))
          fail(traits_of(c.kind).made_by);
      });
    }
  }
}

void Supports::close_end(Domain& domain, const TimeStep& step) {
  BodyStore& bodies = domain.bodies;
  if (!domain.correct_joints) return;
  find_joints(bodies);  // others of their bodies may have broken, and the rest have moved up
  for (const Node& node : nodes_)
    change_velocity(bodies, node, support(bodies, node), combine(node, [&](const Part& part) {
                      return joint_velocity(*joints_[part.constraint], step.end())[part.component];
                    }));
}

void Supports::finish(Domain& domain, const TimeStep& step) {
  BodyStore& bodies = domain.bodies;
  for (Constraint& c : aside_) {
    c.R.setZero();
    c.U = c.base().transpose() * node_part(bodies.u(c.body1), c.node);
    c.merit = 0;
  }
  for (const Node& node : nodes_) {
    const NodeSupport& s = support(bodies, node);
    const Vec3 share = node.inverse * (s.impulse + s.impulse_at_ends) / step.h;
    for (int p = node.first; p < node.last; p++)
      aside_[parts_[p].constraint].R[parts_[p].component] = parts_[p].direction.dot(share);
  }
  domain.constraints.insert(std::move(aside_));
  aside_.clear();
  earlier_.clear();
}

void Supports::restore(Domain& domain) {
  domain.bodies.supports.clear();
  domain.constraints.insert(std::move(earlier_));
  domain.constraints.locate(domain.bodies);
  aside_.clear();
  earlier_.clear();
}

bool rows_are_known(const Domain& domain) {
  const auto eliminated =
      std::ranges::count(domain.constraints.all(), true, &Constraint::eliminated);
  return domain.constraints.count() - static_cast<int>(eliminated) == domain.local_dynamics.rows();
}

std::vector<const Constraint*> row_constraints(const Domain& domain) {
  std::vector<const Constraint*> rows;
  for (const Constraint& c : domain.constraints.all())
    if (!c.eliminated) rows.push_back(&c);
  return rows;
}

}  // namespace solfec
