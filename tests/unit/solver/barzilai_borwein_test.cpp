// Spectral projected gradients: the first steps by hand.
#include "solver/barzilai_borwein.hpp"

#include <gtest/gtest.h>

#include "solver/goal.hpp"
#include "support/local_problem.hpp"

namespace solfec::barzilai_borwein_test {
namespace {

// A fixed point, so that nothing is projected: w = tr W / 3 = 1.
TEST(BarzilaiBorwein, FirstStepsAreThoseOfTheirRules) {
  const Vec3 W(0.5, 1, 1.5), q(1, 1, 1);
  const LocalDynamics p = testing::one_row(W.asDiagonal(), q, LawKind::fixed_point);
  const auto after = [&](int iterations) {
    const Communicator alone = Communicator::alone();
    Channel channel(alone);
    LocalSolution s(p);
    const Goal goal(1e-30, {}, p, alone);
    solve_by_barzilai_borwein({p, s, goal, channel, alone}, iterations);
    return s.R[0];
  };
  const auto F = [&](const Vec3& R) -> Vec3 { return W.cwiseProduct(R) + q; };
  const Vec3 R1 = -q;  // L = 1
  EXPECT_TRUE(after(1).isApprox(R1, 1e-14));
  // dR = -q, dF = -W q: L = |dF|^2 / dR.dF = 3.5 / 3.
  const Vec3 R2 = R1 - 3 / 3.5 * F(R1);
  EXPECT_TRUE(after(2).isApprox(R2, 1e-14));
  // dR is along F(R1) = (0.5, 0, -0.5): L = dR.dF / |dR|^2 = (0.5 + 1.5) / 2.
  const Vec3 R3 = R2 - F(R2);
  EXPECT_TRUE(after(3).isApprox(R3, 1e-14));
}

}  // namespace
}  // namespace solfec::barzilai_borwein_test
