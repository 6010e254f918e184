// Sets of rows against their definition, and sweeps of many ranks played through with messages that
// take any time: who sees which reactions, and that all come to an end.
#include "solver/rank_sets.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "support/split_problem.hpp"

namespace solfec::rank_sets_test {
namespace {

using testing::LocalProblem;
using testing::ProblemPart;
using testing::Random;

// A problem on several ranks, with their colours.
struct Ranks {
  LocalProblem problem;
  std::vector<int> owner, colour;
  std::vector<ProblemPart> part;

  Ranks(int seed, int ranks, int groups, int rows)
      : problem(testing::random_problem(seed, groups, rows, 0.01, DelassusForm::factored)) {
    Random random(seed + 500);
    for (int row = 0; row < rows; row++) owner.push_back(random.integer(0, ranks - 1));
    for (int rank = 0; rank < ranks; rank++)
      part.push_back(testing::part_of(problem, owner, rank, DelassusForm::factored));
    // Manual, algorithm 9.2.
    colour.assign(ranks, 0);
    for (int rank = 0; rank < ranks; rank++) {
      std::set<int> taken;
      for (const Halo::Neighbour& n : halo(rank).neighbours) taken.insert(colour[n.rank]);
      do colour[rank]++;
      while (taken.contains(colour[rank]));
    }
  }
  const Halo& halo(int rank) const { return part[rank].dynamics.halo; }
  int rows(int rank) const { return part[rank].dynamics.rows(); }
  RankColours colours(int rank) const {
    RankColours result{colour[rank], {}};
    for (const Halo::Neighbour& n : halo(rank).neighbours)
      result.neighbours.push_back(colour[n.rank]);
    return result;
  }
  // Owners of the rows that share a group with this one, but its own.
  std::set<int> others(int row) const {
    std::set<int> result;
    for (int b = 0; b < problem.dynamics.rows(); b++)
      if (owner[b] != owner[row] && testing::share_group(problem, row, b)) result.insert(owner[b]);
    return result;
  }
  RowSet set(int row) const {
    bool lower = false, higher = false;
    for (int other : others(row)) (colour[other] < colour[owner[row]] ? lower : higher) = true;
    return lower && higher ? RowSet::middle
           : lower         ? RowSet::top
           : higher        ? RowSet::bottom
                           : RowSet::inner;
  }
};

TEST(RankSets, AreThoseOfTheDefinition) {
  int seen[4] = {};
  for (int seed = 1; seed <= 10; seed++) {
    const Ranks ranks(seed, 2 + seed % 5, 30, 40);
    for (int rank = 0; rank < static_cast<int>(ranks.part.size()); rank++) {
      const auto sets = row_sets(ranks.halo(rank), ranks.colours(rank), ranks.rows(rank));
      ASSERT_EQ(static_cast<int>(sets.size()), ranks.rows(rank));
      for (int row = 0; row < ranks.rows(rank); row++) {
        EXPECT_EQ(sets[row], ranks.set(ranks.part[rank].rows[row]));
        seen[static_cast<int>(sets[row])]++;
      }
    }
  }
  for (int count : seen) EXPECT_GT(count, 10);
}

// One sweep of all ranks; whose turn it is, is a matter of chance.
class Play {
 public:
  Play(const Ranks& ranks, GaussSeidelVariant variant, bool backwards, int seed)
      : ranks_(ranks), variant_(variant), backwards_(backwards), random_(seed) {
    for (int rank = 0; rank < count(); rank++) {
      stages_.push_back(
          make_stages(ranks.halo(rank), ranks.colours(rank), ranks.rows(rank), variant, backwards));
      is_new_.emplace_back(ranks.problem.dynamics.rows(), false);
      next_.push_back(0);
    }
  }
  void run() {
    for (;;) {
      std::vector<int> ready;
      bool all_done = true;
      for (int rank = 0; rank < count(); rank++) {
        if (next_[rank] == stages_[rank].size()) continue;
        all_done = false;
        if (has_what_it_waits_for(rank)) ready.push_back(rank);
      }
      if (all_done) break;
      ASSERT_FALSE(ready.empty()) << "a deadlock";
      do_stage(ready[random_.integer(0, static_cast<int>(ready.size()) - 1)]);
    }
    for (int rank = 0; rank < count(); rank++)
      for (int row : ranks_.part[rank].rows) EXPECT_TRUE(is_new_[rank][row]);
    for (const auto& [pair, messages] : mail_) EXPECT_TRUE(messages.empty());
  }

 private:
  int count() const { return static_cast<int>(ranks_.part.size()); }
  bool has_what_it_waits_for(int rank) {
    return std::ranges::all_of(stages_[rank][next_[rank]].receive, [&](int k) {
      return !mail_[{ranks_.halo(rank).neighbours[k].rank, rank}].empty();
    });
  }
  void do_stage(int rank) {
    const Stage& stage = stages_[rank][next_[rank]++];
    const std::vector<int>& rows = ranks_.part[rank].rows;
    for (int k : stage.receive) {
      const Halo::Neighbour& n = ranks_.halo(rank).neighbours[k];
      auto& messages = mail_[{n.rank, rank}];
      const std::vector<bool> values = messages.front();
      messages.pop_front();
      ASSERT_EQ(values.size(), n.receive.size());
      for (std::size_t i = 0; i < values.size(); i++) is_new_[rank][rows[n.receive[i]]] = values[i];
    }
    for (int row : stage.rows) solve(rank, rows[row]);
    for (int k : stage.send) {
      const Halo::Neighbour& n = ranks_.halo(rank).neighbours[k];
      auto& message = mail_[{rank, n.rank}].emplace_back();
      for (int row : n.send) message.push_back(is_new_[rank][rows[row]]);
    }
  }
  void solve(int rank, int row) {
    EXPECT_FALSE(is_new_[rank][row]) << "twice";
    const bool jacobi =
        variant_ == GaussSeidelVariant::boundary_jacobi ||
        variant_ == GaussSeidelVariant::simplified ||
        (variant_ == GaussSeidelVariant::middle_jacobi && ranks_.set(row) == RowSet::middle);
    for (int other = 0; other < ranks_.problem.dynamics.rows(); other++) {
      const int who = ranks_.owner[other];
      if (who == rank || !testing::share_group(ranks_.problem, row, other)) continue;
      const bool ahead = backwards_ ? ranks_.colour[who] < ranks_.colour[rank]
                                    : ranks_.colour[who] > ranks_.colour[rank];
      EXPECT_EQ(is_new_[rank][other], ahead && !jacobi);
    }
    is_new_[rank][row] = true;
  }

  const Ranks& ranks_;
  GaussSeidelVariant variant_;
  bool backwards_;
  Random random_;
  std::vector<std::vector<Stage>> stages_;
  std::vector<std::vector<bool>> is_new_;  // whether a rank has the new reaction of a row
  std::vector<std::size_t> next_;
  std::map<std::pair<int, int>, std::deque<std::vector<bool>>> mail_;
};

TEST(RankSets, RowsSeeTheReactionsThatTheVariantPromises) {
  for (int seed = 1; seed <= 12; seed++) {
    const Ranks ranks(seed, 1 + seed % 7, seed % 2 == 0 ? 12 : 30, 40);
    for (GaussSeidelVariant variant :
         {GaussSeidelVariant::full, GaussSeidelVariant::middle_jacobi,
          GaussSeidelVariant::boundary_jacobi, GaussSeidelVariant::simplified})
      for (bool backwards : {false, true})
        for (int play = 0; play < 3; play++) Play(ranks, variant, backwards, play).run();
  }
}

TEST(RankSets, WorkCoversTheWaits) {
  // Three ranks of colours 1, 2 (this one), 3: rows 0-3 top, 4 middle, 5-6 bottom, 7-14 inner.
  Halo halo;
  halo.neighbours.push_back({0, {0, 1, 2, 3, 4}, {}});
  halo.neighbours.push_back({2, {4, 5, 6}, {}});
  const RankColours colours{2, {1, 3}};
  const auto stages = make_stages(halo, colours, 15, GaussSeidelVariant::full, false);
  using List = std::vector<int>;
  ASSERT_EQ(stages.size(), 6u);
  const Stage expected[] = {{RowSet::top, {}, {0, 1, 2, 3}, {}},
                            {RowSet::inner, {}, {7, 8, 9, 10, 11}, {}},  // 2 + 5 = 4 + 3
                            {RowSet::middle, {1}, {4}, {0}},
                            {RowSet::bottom, {}, {5, 6}, {1}},
                            {RowSet::inner, {}, {12, 13, 14}, {}},
                            {RowSet::bottom, {0}, {}, {}}};
  for (int s = 0; s < 6; s++) {
    EXPECT_EQ(stages[s].set, expected[s].set);
    EXPECT_EQ(stages[s].receive, expected[s].receive);
    EXPECT_EQ(stages[s].rows, expected[s].rows);
    EXPECT_EQ(stages[s].send, expected[s].send);
  }
  // Backwards colours and rows count the other way.
  const auto back = make_stages(halo, colours, 15, GaussSeidelVariant::full, true);
  ASSERT_EQ(back.size(), 6u);
  EXPECT_EQ(back[0].rows, (List{6, 5}));
  EXPECT_EQ(back[1].rows, (List{14, 13, 12}));
  EXPECT_EQ(back[2].receive, (List{0}));
  EXPECT_EQ(back[2].rows, (List{4}));
  EXPECT_EQ(back[2].send, (List{1}));
  EXPECT_EQ(back[3].rows, (List{3, 2, 1, 0}));
  EXPECT_EQ(back[5].receive, (List{1}));
}

TEST(RankSets, OneRankTakesRowsInTheirOrder) {
  for (GaussSeidelVariant variant :
       {GaussSeidelVariant::full, GaussSeidelVariant::middle_jacobi,
        GaussSeidelVariant::boundary_jacobi, GaussSeidelVariant::simplified})
    for (int n : {0, 1, 2, 9}) {
      std::vector<int> forward, backward;
      for (const Stage& stage : make_stages({}, {}, n, variant, false))
        forward.insert(forward.end(), stage.rows.begin(), stage.rows.end());
      for (const Stage& stage : make_stages({}, {}, n, variant, true))
        backward.insert(backward.begin(), stage.rows.rbegin(), stage.rows.rend());
      ASSERT_EQ(static_cast<int>(forward.size()), n);
      for (int k = 0; k < n; k++) EXPECT_EQ(forward[k], k);
      EXPECT_EQ(backward, forward);
    }
}

}  // namespace
}  // namespace solfec::rank_sets_test
