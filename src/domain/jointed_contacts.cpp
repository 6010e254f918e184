#include "domain/jointed_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "body/kinematics.hpp"

namespace solfec {
namespace {

// Distance from the place where joints hold, over the size of the smaller body: with a shorter
// lever a contact would hardly turn it.
constexpr double kShortLever = 1e-2;

constexpr int kSpace = -1;

using Pair = std::pair<int, int>;  // of bodies, rising

// An OBSTACLE that does not move is as good as space.
int mover(const BodyStore& bodies, int i) {
  if (i < 0) return kSpace;
  const double* u = bodies.u(i);
  const bool rests = is_obstacle(bodies.kind(i)) &&
                     std::all_of(u, u + bodies.dofs(i), [](double value) { return value == 0; });
  return rests ? kSpace : i;
}

Pair movers(const BodyStore& bodies, int i, int j) {
  return std::minmax({mover(bodies, i), mover(bodies, j)});
}

double distance_to_line(const Vec3& x, const Vec3& a, const Vec3& b) {
  const Vec3 along = (b - a).normalized();
  return (x - a - along.dot(x - a) * along).norm();
}

// What joints make of a pair of bodies.
struct Join {
  enum class Where { nowhere, point, line, everywhere };

  Pair pair;
  Where where = Where::nowhere;  // the bodies are as one
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
  double near = 0;

  // One more fixed point.
  void add(const Vec3& x) {
    const double distance = where == Where::line    ? distance_to_line(x, a, b)
                            : where == Where::point ? (x - a).norm()
                                                    : 0;
    if (where == Where::nowhere) {
      a = x;
      where = Where::point;
    } else if (where == Where::point && distance > near) {
      b = x;
      where = Where::line;
    } else if (where == Where::line && distance > near) {
      where = Where::everywhere;
    }
  }
  bool holds_at(const Vec3& x) const {
    switch (where) {
      case Where::nowhere:
        return false;
      case Where::point:
        return (x - a).norm() <= near;
      case Where::line:
        return distance_to_line(x, a, b) <= near;
      case Where::everywhere:
        return true;
    }
    return false;
  }
};

bool takes_part(const BodyStore& bodies, int i) { return i < 0 || !is_meshed(bodies.kind(i)); }

// Of all pairs with joints that a body on this rank holds, rising.
std::vector<Join> find_joins(const Domain& domain) {
  const BodyStore& bodies = domain.bodies;
  struct Entry {
    Pair pair;
    int body;
    const Joint* joint;
  };
  std::vector<Entry> entries;
  const auto list = [&](int i) {
    if (is_obstacle(bodies.kind(i)) || !takes_part(bodies, i)) return;
    for (const Joint& joint : bodies[i].joints) {
      const int j = joint.other.valid() ? bodies.find(joint.other) : kSpace;
      if (!joins(joint) || (joint.other.valid() && j < 0) || !takes_part(bodies, j)) continue;
      entries.push_back({movers(bodies, i, j), i, &joint});
    }
  };
  std::vector<int> holders;
  for (const int row : domain.constraints.joint_rows())
    holders.push_back(domain.constraints.all()[row].holder());
  std::ranges::sort(holders);
  holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
  std::ranges::for_each(holders, list);
  for (int i = bodies.owned(); i < bodies.total(); i++) list(i);
  std::ranges::stable_sort(entries, {}, &Entry::pair);

  std::vector<Join> found;
  for (const Entry& e : entries) {
    if (found.empty() || found.back().pair != e.pair) {
      Join& join = found.emplace_back();
      join.pair = e.pair;
      double size = std::numeric_limits<double>::infinity();
      for (int i : {e.pair.first, e.pair.second})
        if (i >= 0 && !is_obstacle(bodies.kind(i))) size = std::min(size, bodies.extent(i).size);
      join.near = kShortLever * size;
    }
    if (fixes_point(e.joint->kind) && std::isinf(e.joint->strength))
      found.back().add(current_point(bodies, e.body, e.joint->point));
  }
  return found;
}

}  // namespace

bool joins(const Joint& joint) { return binds(joint.kind) && !prescribes_motion(joint.kind); }

void find_jointed_contacts(Domain& domain) {
  domain.jointed.clear();
  const std::vector<Join> all = find_joins(domain);
  if (all.empty()) return;
  const auto join_of = [&](const Constraint& c) -> const Join* {
    if (!c.is_contact() || c.is_self_contact()) return nullptr;
    const Pair pair = movers(domain.bodies, c.body1, c.body2);
    const auto found = std::ranges::lower_bound(all, pair, {}, &Join::pair);
    return found != all.end() && found->pair == pair ? &*found : nullptr;
  };
  domain.constraints.remove_contacts([&](const Constraint& c) {
    const Join* join = join_of(c);
    return join && join->holds_at(c.point);
  });
  for (const Constraint& c : domain.constraints.all())
    domain.jointed.push_back(join_of(c) != nullptr);
}

}  // namespace solfec
