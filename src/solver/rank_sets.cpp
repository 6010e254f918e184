#include "solver/rank_sets.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace solfec {
namespace {

// A sweep as it looks from one rank: some neighbours are ahead of it, the others behind. Backwards
// they change places.
class View {
 public:
  View(const RankColours& colours, bool backwards) : colours_(colours), sign_(backwards ? -1 : 1) {}

  // Larger goes first.
  int turn(int neighbour) const { return sign_ * colours_.neighbours[neighbour]; }
  bool ahead(int neighbour) const { return turn(neighbour) > sign_ * colours_.own; }

 private:
  const RankColours& colours_;
  int sign_;
};

struct Place {
  static constexpr int kNone = std::numeric_limits<int>::max();

  int last_ahead = kNone;  // turn of the last one of those ahead that share the row
  bool behind = false;     // somebody behind shares it

  RowSet set() const {
    if (last_ahead == kNone) return behind ? RowSet::top : RowSet::inner;
    return behind ? RowSet::middle : RowSet::bottom;
  }
};

std::vector<Place> places(const Halo& halo, const View& view, int rows) {
  std::vector<Place> result(rows);
  for (int k = 0; k < static_cast<int>(halo.neighbours.size()); k++)
    for (int row : halo.neighbours[k].send) {
      if (view.ahead(k))
        result[row].last_ahead = std::min(result[row].last_ahead, view.turn(k));
      else
        result[row].behind = true;
    }
  return result;
}

// Rows in the order of the sweep, by sets.
struct Rows {
  std::vector<int> inner, top, bottom, boundary;           // boundary: all but the inner ones
  std::map<int, std::vector<int>, std::greater<>> middle;  // by the turn they have to wait for

  Rows(const std::vector<Place>& places, bool backwards) {
    const int n = static_cast<int>(places.size());
    for (int k = 0; k < n; k++) {
      const int row = backwards ? n - 1 - k : k;
      const Place& place = places[row];
      const RowSet set = place.set();
      if (set == RowSet::inner)
        inner.push_back(row);
      else
        boundary.push_back(row);
      if (set == RowSet::top) top.push_back(row);
      if (set == RowSet::middle) middle[place.last_ahead].push_back(row);
      if (set == RowSet::bottom) bottom.push_back(row);
    }
  }
  // |bottom| + |early| = |top| + |late|: as much to do while either message travels.
  std::ptrdiff_t early_inner() const {
    const auto size = [](const std::vector<int>& rows) { return std::ssize(rows); };
    return std::clamp<std::ptrdiff_t>((size(inner) + size(top) - size(bottom)) / 2, 0, size(inner));
  }
};

// The rows of each stage; who waits and who sends is filled in later.
struct Plan {
  std::vector<Stage> stages;
  std::vector<bool> waits;  // for those ahead

  void add(RowSet set, std::vector<int> rows, bool wait) {
    stages.push_back({set, {}, std::move(rows), {}});
    waits.push_back(wait);
  }
};

Plan plan_rows(const Rows& rows, GaussSeidelVariant variant) {
  Plan plan;
  if (variant == GaussSeidelVariant::boundary_jacobi || variant == GaussSeidelVariant::simplified) {
    plan.add(RowSet::top, rows.boundary, false);
    plan.add(RowSet::inner, rows.inner, false);
  } else {
    const auto half = rows.inner.begin() + rows.early_inner();
    const auto middle = [&](bool wait) {
      for (const auto& [turn, group] : rows.middle) plan.add(RowSet::middle, group, wait);
    };
    plan.add(RowSet::top, rows.top, false);
    if (variant == GaussSeidelVariant::middle_jacobi) middle(false);
    plan.add(RowSet::inner, {rows.inner.begin(), half}, false);
    if (variant == GaussSeidelVariant::full) middle(true);
    plan.add(RowSet::bottom, rows.bottom, true);
    plan.add(RowSet::inner, {half, rows.inner.end()}, false);
  }
  plan.add(RowSet::bottom, {}, true);  // for what is left to receive
  return plan;
}

}  // namespace

RankColours colour_ranks(const Halo& halo, Channel& channel, int rank) {
  RankColours colours;
  colours.neighbours.assign(halo.neighbours.size(), 0);
  const auto receive = [&](bool from_lower) {
    for (std::size_t k = 0; k < halo.neighbours.size(); k++) {
      if ((halo.neighbours[k].rank < rank) != from_lower) continue;
      double colour = 0;
      channel.receive(halo.neighbours[k].rank, {&colour, 1});
      colours.neighbours[k] = static_cast<int>(colour);
    }
  };
  receive(true);
  while (std::ranges::find(colours.neighbours, colours.own) != colours.neighbours.end())
    colours.own++;
  const double own = colours.own;
  for (const Halo::Neighbour& neighbour : halo.neighbours) channel.send(neighbour.rank, {&own, 1});
  receive(false);
  channel.finish();
  return colours;
}

std::vector<RowSet> row_sets(const Halo& halo, const RankColours& colours, int rows) {
  std::vector<RowSet> result;
  for (const Place& place : places(halo, View(colours, false), rows)) result.push_back(place.set());
  return result;
}

std::vector<Stage> make_stages(const Halo& halo, const RankColours& colours, int rows,
                               GaussSeidelVariant variant, bool backwards) {
  const View view(colours, backwards);
  Plan plan = plan_rows(Rows(places(halo, view, rows), backwards), variant);
  std::vector<int> stage_of(rows);
  const int stages = static_cast<int>(plan.stages.size());
  for (int s = 0; s < stages; s++)
    for (int row : plan.stages[s].rows) stage_of[row] = s;
  for (int k = 0; k < static_cast<int>(halo.neighbours.size()); k++) {
    int receive = stages - 1, send = 0;
    for (int row : halo.neighbours[k].send) {
      const int s = stage_of[row];
      if (view.ahead(k) && plan.waits[s]) receive = std::min(receive, s);
      send = std::max(send, s);
    }
    plan.stages[receive].receive.push_back(k);
    plan.stages[send].send.push_back(k);
  }
  std::erase_if(plan.stages, [](const Stage& stage) {
    return stage.receive.empty() && stage.rows.empty() && stage.send.empty();
  });
  return std::move(plan.stages);
}

}  // namespace solfec
