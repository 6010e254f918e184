// A problem of local dynamics divided between ranks.
#pragma once

#include <algorithm>
#include <limits>
#include <map>

#include "support/local_problem.hpp"

namespace solfec::testing {

/// What one rank has of a problem: its own rows, then those of other ranks that share a group.
struct ProblemPart {
  LocalDynamics dynamics;
  LocalSolution solution;
  std::vector<int> rows;  ///< in the whole problem, of owned and external rows
};

/// Whether two rows share a group that moves.
inline bool share_group(const LocalProblem& p, int a, int b) {
  const auto on = [&](int g) {
    return g >= 0 && (p.groups[b].first == g || p.groups[b].second == g);
  };
  return on(p.groups[a].first) || on(p.groups[a].second);
}

namespace detail {

inline Halo make_halo(const LocalProblem& p, const std::vector<int>& owner, int rank,
                      const std::map<int, int>& place) {
  Halo halo;
  const int n = p.dynamics.rows();
  for (int other = 0; other <= std::ranges::max(owner); other++) {
    if (other == rank) continue;
    Halo::Neighbour neighbour{other, {}, {}};
    for (int a = 0; a < n; a++) {
      if (owner[a] != rank && owner[a] != other) continue;
      const int partner = owner[a] == rank ? other : rank;
      for (int b = 0; b < n; b++)
        if (owner[b] == partner && share_group(p, a, b)) {
          (owner[a] == rank ? neighbour.send : neighbour.receive).push_back(place.at(a));
          break;
        }
    }
    if (!neighbour.send.empty()) halo.neighbours.push_back(neighbour);
  }
  return halo;
}

}  // namespace detail

/// The part of a rank. Groups have other numbers than in the whole problem, external rows stand by
/// owners; sums run in the order of the whole problem. External R are no numbers yet.
inline ProblemPart part_of(const LocalProblem& p, const std::vector<int>& owner, int rank,
                           DelassusForm form) {
  ProblemPart part;
  const int n = p.dynamics.rows();
  for (int row = 0; row < n; row++)
    if (owner[row] == rank) part.rows.push_back(row);
  const int owned = static_cast<int>(part.rows.size());

  std::map<int, int> local;  // group here of a group of the whole
  std::vector<int> sizes;
  for (int k = owned - 1; k >= 0; k--)
    for (int g : {p.groups[part.rows[k]].second, p.groups[part.rows[k]].first})
      if (g >= 0 && local.try_emplace(g, static_cast<int>(sizes.size())).second)
        sizes.push_back(p.sizes[g]);

  for (int row = 0; row < n; row++)
    if (owner[row] != rank && std::any_of(part.rows.begin(), part.rows.begin() + owned,
                                          [&](int own) { return share_group(p, own, row); }))
      part.rows.push_back(row);
  std::stable_sort(part.rows.begin() + owned, part.rows.end(),
                   [&](int a, int b) { return owner[a] < owner[b]; });

  LocalDynamics& d = part.dynamics;
  std::vector<Vec3>& R = part.solution.R;
  d.clear(p.dynamics.step(), sizes);
  std::map<int, int> place;  // row here of a row of the whole
  for (int row : part.rows) {
    const int here = static_cast<int>(place.size());
    place[row] = here;
    if (here == owned) d.W.begin_external();
    const int g[2] = {p.groups[row].first, p.groups[row].second};
    int ends[2] = {-1, -1};
    for (int k : {0, 1})
      if (local.contains(g[k])) ends[k] = local[g[k]];
    double* block = d.W.add_row(ends[0], ends[1]);
    for (int k : {0, 1})
      if (ends[k] >= 0)
        for (int i = 0; i < 3 * p.sizes[g[k]]; i++)
          *block++ = p.G(3 * row + i / p.sizes[g[k]], p.begin[g[k]] + i % p.sizes[g[k]]);
    if (here >= owned) {
      R.push_back(Vec3::Constant(std::numeric_limits<double>::quiet_NaN()));
      continue;
    }
    d.B.push_back(p.dynamics.B[row]);
    d.V.push_back(p.dynamics.V[row]);
    R.push_back(p.solution.R[row]);
    d.law.push_back(p.dynamics.law[row]);
  }
  std::vector<int> order;
  for (const auto& [row, here] : place) order.push_back(here);
  d.W.finish_rows(order);
  d.W.choose(form);
  part.solution.start(d);
  d.halo = detail::make_halo(p, owner, rank, place);
  return part;
}

}  // namespace solfec::testing
