#include "local_dynamics/indeterminacy.hpp"

#include <algorithm>

#include "core/disjoint_sets.hpp"

namespace solfec {
namespace {

struct Clusters {
  int count = 0;
  std::vector<int> of_constraint;
};

Clusters find_clusters(std::span<const EquilibriumColumns> constraints, int bodies) {
  DisjointSets joined(bodies);
  for (const EquilibriumColumns& c : constraints)
    if (c.count > 0 && c.ends[0].body >= 0 && c.ends[1].body >= 0)
      joined.join(c.ends[0].body, c.ends[1].body);
  Clusters clusters;
  std::vector<int> of_set(static_cast<std::size_t>(bodies), Indeterminacy::kNoCluster);
  for (const EquilibriumColumns& c : constraints) {
    int& number = clusters.of_constraint.emplace_back(Indeterminacy::kNoCluster);
    if (c.count == 0) continue;
    const int body = std::max(c.ends[0].body, c.ends[1].body);
    if (body < 0) {  // between bodies that do not move
      number = clusters.count++;
      continue;
    }
    int& set = of_set[joined.find(body)];
    if (set == Indeterminacy::kNoCluster) set = clusters.count++;
    number = set;
  }
  return clusters;
}

}  // namespace

Indeterminacy indeterminacy(std::vector<EquilibriumColumns> constraints, int bodies,
                            int dense_components) {
  Clusters clusters = find_clusters(constraints, bodies);
  Indeterminacy result;
  result.clusters.resize(static_cast<std::size_t>(clusters.count));
  result.redundancy.resize(constraints.size());
  std::vector<std::vector<int>> members(result.clusters.size());
  for (int k = 0; k < static_cast<int>(constraints.size()); k++)
    if (const int number = clusters.of_constraint[k]; number >= 0) members[number].push_back(k);

  std::vector<int> local(static_cast<std::size_t>(bodies), -1);  // number of a body in its cluster
  for (std::size_t number = 0; number < members.size(); number++) {
    ClusterIndeterminacy& cluster = result.clusters[number];
    std::vector<EquilibriumColumns> columns;
    for (int k : members[number]) {
      EquilibriumColumns& c = columns.emplace_back(std::move(constraints[k]));
      for (BodyColumns& end : c.ends) {
        if (end.body < 0) continue;
        int& body = local[end.body];
        if (body < 0) body = cluster.bodies++;
        end.body = body;
      }
      cluster.components += c.count;
    }
    cluster.constraints = static_cast<int>(columns.size());
    const EquilibriumMatrix Q(columns, cluster.bodies);
    const NullSpace null_space =
        cluster.components <= dense_components ? dense_null_space(Q) : projected_null_space(Q);
    cluster.degree = null_space.dimension;
    cluster.deviation = null_space.deviation;
    cluster.resolved = null_space.resolved;
    const double* redundancy = null_space.redundancy.data();
    for (std::size_t n = 0; n < columns.size(); n++) {
      result.redundancy[members[number][n]].assign(redundancy, redundancy + columns[n].count);
      redundancy += columns[n].count;
    }
  }
  result.cluster = std::move(clusters.of_constraint);
  return result;
}

ReactionDeterminacy reaction_determinacy(const Mat3& directions,
                                         std::span<const double> redundancy) {
  using Part = ReactionDeterminacy::Part;
  ReactionDeterminacy result;
  const auto add = [](Part& part, bool determined) {
    if (!determined)
      part = Part::undetermined;
    else if (part == Part::none)
      part = Part::determined;
  };
  for (int k = 0; k < static_cast<int>(redundancy.size()); k++) {
    const Vec3 direction = directions.col(k);
    const bool determined = !(redundancy[k] > kDetermined);
    if (direction.z() != 0) add(result.normal, determined);
    if (!direction.head<2>().isZero(0)) add(result.tangent, determined);
  }
  return result;
}

Determinacy ReactionDeterminacy::both() const {
  if (normal == Part::undetermined) return Determinacy::undetermined;
  if (tangent == Part::undetermined) return Determinacy::undetermined_tangent;
  return normal == Part::none && tangent == Part::none ? Determinacy::none
                                                       : Determinacy::determined;
}

}  // namespace solfec
