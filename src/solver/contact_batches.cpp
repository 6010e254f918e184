#include "solver/contact_batches.hpp"

#include <algorithm>
#include <array>

#include "core/threads.hpp"

namespace solfec {
namespace {

using LaneVector = VectorOf<Lanes>;

Lanes square(const LaneVector& a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

// contact_residual: C = F + m(scale S - F).
LaneVector residual(const LaneVector& velocity, const LaneVector& S, const Lanes& mu,
                    const Lanes& scale) {
  using std::experimental::sqrt;
  const Lanes F_z = velocity.z + mu * sqrt(velocity.x * velocity.x + velocity.y * velocity.y);
  const LaneVector z{scale * S.x - velocity.x, scale * S.y - velocity.y, scale * S.z - F_z};
  const Lanes tangent = sqrt(z.x * z.x + z.y * z.y), along = mu * tangent + z.z;
  const Lanes normal = along / (1.0 + mu * mu);
  const auto polar = along <= 0.0, inside = tangent <= mu * z.z;
  const Lanes shrink = choose<Lanes>(polar, 0.0, choose<Lanes>(inside, 1.0, mu * normal / tangent));
  const Lanes P_z = choose<Lanes>(polar, 0.0, choose<Lanes>(inside, z.z, normal));
  return {velocity.x + (z.x - shrink * z.x), velocity.y + (z.y - shrink * z.y), F_z + (z.z - P_z)};
}

// A diagonal block that is singular to rounding wants the care of those of single rows.
bool fits(const LocalDynamics& p, int row) {
  constexpr double kRegular = 1e-12;
  const ContactBlock<double> w = contact_block(p.W.diagonal(row));
  const Mat3& W = p.W.diagonal(row);
  return p.law[row].kind == LawKind::signorini_coulomb && w.normal > 0 &&
         w.a > kRegular * W(0, 0) && w.d > kRegular * W(1, 1) &&
         w.a * w.d - w.b * w.c > kRegular * w.a * w.d;
}

}  // namespace

void ContactBatches::take(const LocalDynamics& p, const RowBatches& batches) {
  rows_ = &batches;
  laws_.resize(batches.size());
  constexpr int kShare = 256;
  for_each_at_once(batches.size(), kShare, [&](int k) { take(p, batches.batch(k), laws_[k]); });
}

void ContactBatches::take(const LocalDynamics& p, const RowBatch& batch, Law& law) {
  const std::span<const int> rows = batch.rows();
  law.is_fit = std::ranges::all_of(rows, [&](int row) { return fits(p, row); });
  if (!law.is_fit) return;
  // Idle lanes are open, with W = I.
  std::array<ContactBlock<double>, kLanes> w;
  std::array<Vec3, kLanes> B;
  std::array<double, kLanes> friction{}, cohesion{};
  w.fill(contact_block(Mat3::Identity()));
  B.fill(Vec3::Zero());
  for (int lane = 0; lane < batch.count; lane++) {
    const int row = rows[lane];
    w[lane] = contact_block(p.W.diagonal(row));
    B[lane] = p.B[row] + velocity_offset(p.law[row], p.V[row]);
    friction[lane] = p.law[row].friction;
    cohesion[lane] = p.law[row].cohesion;
  }
  using Block = ContactBlock<double>;
  const auto of_block = [&](double Block::*number) {
    return gather([&](int lane) { return w[lane].*number; });
  };
  const auto of_B = [&](int i) { return gather([&](int lane) { return B[lane][i]; }); };
  law.a = of_block(&Block::a);
  law.b = of_block(&Block::b);
  law.d = of_block(&Block::d);
  law.wx = of_block(&Block::wx);
  law.wy = of_block(&Block::wy);
  law.normal = of_block(&Block::normal);
  law.compliance = of_block(&Block::compliance);
  law.inverse = of_block(&Block::inverse);
  law.B = {of_B(0), of_B(1), of_B(2)};
  law.friction = gather([&](int lane) { return friction[lane]; });
  law.cohesion = gather([&](int lane) { return cohesion[lane]; });
}

// One function: calls in between would pass lanes through memory.
[[gnu::flatten]] bool ContactBatches::solve(int batch, FactoredForm& form, double epsilon,
                                            int max_iterations, std::span<Vec3> R, bool natural,
                                            SweepSums<Lanes>& sums) const {
  const RowBatch& rows = rows_->batch(batch);
  const Law& law = laws_[batch];
  if (!law.is_fit) return false;
  const ContactBlock<Lanes> w = law.block();
  const LaneVector reaction = rows.load(R);
  const LaneVector S{reaction.x, reaction.y, reaction.z + law.cohesion};
  const LaneVector velocity = law.B + form.row_times(rows);

  LaneVector next = S;
  const LaneVector free = velocity - w.times(S);
  const auto found =
      solve_contact<Lanes>(w, free, law.friction, velocity, epsilon, max_iterations, next);
  if (!all_of(found)) return false;
  next.z -= law.cohesion;
  const LaneVector dR = next - reaction;
  form.change(rows, dR);
  rows.store(next, R);

  sums.merit += w.inverse_square(residual(velocity, S, law.friction, w.trace() / 3.0));
  if (natural) sums.residual += square(residual(velocity, S, law.friction, 1.0));
  sums.change += square(dR);
  sums.size += square(next);
  return true;
}

}  // namespace solfec
