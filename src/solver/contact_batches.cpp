#include "solver/contact_batches.hpp"

#include <algorithm>
#include <type_traits>

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

// Of the rows of a batch; idle lanes are open, with W = I.
std::array<ContactBlock<double>, kLanes> contact_blocks(const LocalDynamics& p,
                                                        const BatchRows& rows) {
  std::array<ContactBlock<double>, kLanes> w;
  w.fill(contact_block(Mat3::Identity()));
  for (int lane = 0; lane < rows.count; lane++)
    w[lane] = contact_block(p.W.diagonal(rows.row[lane]));
  return w;
}

}  // namespace

void ContactBatches::take(const LocalDynamics& p, const RowBatches& batches) {
  rows_ = &batches;
  is_fit_.resize(batches.size());
  of_balls_.resize(batches.count<BallBlocks>());
  of_rigid_.resize(batches.count<RigidBlocks>());
  constexpr int kShare = 256;
  for_each_at_once(batches.size(), kShare, [&](int k) {
    const std::span<const int> rows = batches.batch(k).rows();
    is_fit_[k] = std::ranges::all_of(rows, [&](int row) { return fits(p, row); });
    if (is_fit_[k]) batches.visit(k, [&](const auto& batch) { take(p, batch.rows, law(batch)); });
  });
}

void ContactBatches::BallDiagonal::take(const Contacts& w) {
  ball.a = gather([&](int lane) { return w[lane].a; });
  ball.normal = gather([&](int lane) { return w[lane].normal; });
  ball.inverse = 1.0 / ball.a;
  ball.compliance = 1.0 / ball.normal;
}

void ContactBatches::RigidDiagonal::take(const Contacts& w) {
  using Block = ContactBlock<double>;
  const auto part = [&](double Block::*number) {
    return gather([&](int lane) { return w[lane].*number; });
  };
  a = part(&Block::a);
  b = part(&Block::b);
  d = part(&Block::d);
  wx = part(&Block::wx);
  wy = part(&Block::wy);
  normal = part(&Block::normal);
  compliance = part(&Block::compliance);
  inverse = part(&Block::inverse);
}

template <class Diagonal>
void ContactBatches::take(const LocalDynamics& p, const BatchRows& rows, Law<Diagonal>& law) {
  std::array<Vec3, kLanes> B;
  std::array<double, kLanes> friction{}, cohesion{};
  B.fill(Vec3::Zero());
  for (int lane = 0; lane < rows.count; lane++) {
    const int row = rows.row[lane];
    B[lane] = p.B[row] + velocity_offset(p.law[row], p.V[row]);
    friction[lane] = p.law[row].friction;
    cohesion[lane] = p.law[row].cohesion;
  }
  const auto of_B = [&](int i) { return gather([&](int lane) { return B[lane][i]; }); };
  law.W.take(contact_blocks(p, rows));
  law.B = {of_B(0), of_B(1), of_B(2)};
  law.friction = gather([&](int lane) { return friction[lane]; });
  law.cohesion = gather([&](int lane) { return cohesion[lane]; });
}

bool ContactBatches::solve(int batch, FactoredForm& form, double epsilon, int max_iterations,
                           std::span<Vec3> R, bool natural, SweepSums<Lanes>& sums) const {
  return is_fit_[batch] && rows_->visit(batch, [&](const auto& rows) {
    return solve(rows, law(rows), form, epsilon, max_iterations, R, natural, sums);
  });
}

template <class Blocks, class Diagonal>
bool ContactBatches::solve(const RowBatch<Blocks>& batch, const Law<Diagonal>& law,
                           FactoredForm& form, double epsilon, int max_iterations,
                           std::span<Vec3> R, bool natural, SweepSums<Lanes>& sums) {
  const auto w = law.W.block();
  const LaneVector reaction = batch.rows.load(R);
  const LaneVector S{reaction.x, reaction.y, reaction.z + law.cohesion};
  const LaneVector velocity = law.B + form.row_times(batch);

  LaneVector next = S;
  const LaneVector free = velocity - w.times(S);
  MaskOf<Lanes> found;
  if constexpr (std::is_same_v<Blocks, BallBlocks>)
    found = solve_contact<Lanes>(w, free, law.friction, next);
  else
    found = solve_contact<Lanes>(w, free, law.friction, velocity, epsilon, max_iterations, next);
  if (!all_of(found)) return false;
  next.z -= law.cohesion;
  const LaneVector dR = next - reaction;
  form.change(batch, dR);
  batch.rows.store(next, R);

  sums.merit += w.inverse_square(residual(velocity, S, law.friction, w.trace() / 3.0));
  if (natural) sums.residual += square(residual(velocity, S, law.friction, 1.0));
  sums.change += square(dR);
  sums.size += square(next);
  return true;
}

}  // namespace solfec
