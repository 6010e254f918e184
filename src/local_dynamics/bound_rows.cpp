#include "local_dynamics/bound_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "parallel/exact_sum.hpp"

namespace solfec {
namespace {

using Rows = std::vector<Vec3>;

// So many steps without any progress are enough.
constexpr int kPatience = 50;
// Of the eigenvalues of P W, which are about one: a residual with less is one that no x changes.
constexpr double kSingular = 1e-9;
// Of Newton's method: relative accuracy of its linear problems (more would be spent on rounding, in
// which rows that follow from others contradict each other), bound of its steps, how many of them
// in a row may fail to halve the miss, how far the line between two points is followed, and the
// shift where steps make things worse.
constexpr double kNewtonTolerance = 1e-3;
constexpr int kMostSteps = 40, kMostIdle = 8;
constexpr double kFirstShift = 1e-4, kLeastShift = 1e-6;
constexpr double kReach = 100;

bool binds_point(const RowLaw& law) { return law.kind == LawKind::fixed_point; }

Vec3 bound_part(const RowLaw& law, const Vec3& v) {
  return binds_point(law) ? v : Vec3(0, 0, v.z());
}

// The inverse of the row's own block, in the directions that it binds.
Vec3 preconditioned(const LocalDynamics& p, int row, const Vec3& r) {
  if (binds_point(p.law[row])) return p.W.diagonal_inverse(row) * r;
  const double w = p.W.diagonal(row)(2, 2);
  return {0, 0, w > 0 ? r.z() / w : 0.0};
}

}  // namespace

void solve_bound_rows(const LocalDynamics& p, std::span<const Vec3> b, Rows& x, double tolerance,
                      const Communicator& communicator, double shift) {
  const std::size_t rows = static_cast<std::size_t>(p.rows());
  const int most = 20 + 6 * static_cast<int>(communicator.sum(p.rows()));
  Channel channel(communicator);
  Rows all(static_cast<std::size_t>(p.W.all_rows()), Vec3::Zero());
  const auto multiply = [&](const Rows& v, Rows& product) {
    std::ranges::copy(v, all.begin());
    refresh(p.halo, channel, all);
    p.W.multiply(all, product);
    for (std::size_t k = 0; k < rows; k++) {
      if (shift > 0) product[k] += shift * (p.W.diagonal(static_cast<int>(k)) * v[k]);
      product[k] = bound_part(p.law[k], product[k]);
    }
  };
  const auto precondition = [&](const Rows& v, Rows& result) {
    for (std::size_t k = 0; k < rows; k++) result[k] = preconditioned(p, static_cast<int>(k), v[k]);
  };
  // The same on any number of ranks, so that the W of the step is.
  std::vector<double> products(rows);
  const auto dot = [&](const Rows& a, const Rows& c) {
    for (std::size_t k = 0; k < rows; k++) products[k] = a[k].dot(c[k]);
    return exact_sum(communicator, products);
  };

  // r = b - W x, z = P r; direction d, e = W d, f = P e.
  Rows r(rows), z(rows), Wz(rows), d, e, f(rows);
  x.assign(rows, Vec3::Zero());
  for (std::size_t k = 0; k < rows; k++) r[k] = bound_part(p.law[k], b[k]);
  precondition(r, z);
  multiply(z, Wz);
  d = z;
  e = Wz;
  double size = dot(r, z), curvature = dot(z, Wz), before = size;
  const double goal = tolerance * tolerance * size;
  for (int k = 0; k < most && size > goal && curvature > kSingular * size; k++) {
    precondition(e, f);
    const double square = dot(e, f);
    if (!(square > 0)) break;
    const double length = curvature / square;
    for (std::size_t row = 0; row < rows; row++) {
      x[row] += length * d[row];
      r[row] -= length * e[row];
      z[row] -= length * f[row];
    }
    multiply(z, Wz);
    size = dot(r, z);
    const double last = std::exchange(curvature, dot(z, Wz));
    if (k % kPatience == kPatience - 1) {
      if (!(size < 0.99 * before)) break;
      before = size;
    }
    const double ratio = curvature / last;
    for (std::size_t row = 0; row < rows; row++) {
      d[row] = z[row] + ratio * d[row];
      e[row] = Wz[row] + ratio * e[row];
    }
  }
}

namespace {

struct Point {
  Rows x, miss;
  RowMiss size{};
};

// The point on the line through both where the miss is least, if it grew linearly.
Point least_on_line(const Point& now, const Point& last, const Communicator& communicator) {
  std::vector<double> products(now.x.size());
  const auto dot = [&](const Rows& a) {
    for (std::size_t k = 0; k < products.size(); k++)
      products[k] = a[k].dot(now.miss[k] - last.miss[k]);
    return exact_sum(communicator, products);
  };
  Point least = now;
  const double along = dot(now.miss), square = along - dot(last.miss);
  if (!(square > 0) || !std::isfinite(along) || !std::isfinite(square)) return least;
  const double part = std::clamp(along / square, -kReach, kReach);
  for (std::size_t k = 0; k < products.size(); k++) {
    least.x[k] -= part * (now.x[k] - last.x[k]);
    least.miss[k] -= part * (now.miss[k] - last.miss[k]);
  }
  return least;
}

}  // namespace

void close_rows(const LocalDynamics& p, Rows& x,
                const std::function<RowMiss(const Rows& x, Rows& miss)>& measure,
                const Communicator& communicator) {
  Point now{x, Rows(x.size())};
  now.size = measure(now.x, now.miss);
  Point last = now, best = now;
  Rows change;
  double halved = now.size.largest, shift = 0;
  int idle = 0;
  bool measured = true;  // x of the best point, last
  for (int k = 0; k < kMostSteps && !now.size.exact; k++) {
    Point next = k == 0 ? now : least_on_line(now, last, communicator);
    solve_bound_rows(p, next.miss, change, kNewtonTolerance, communicator, shift);
    for (std::size_t row = 0; row < x.size(); row++) next.x[row] += change[row];
    next.size = measure(next.x, next.miss);
    last = std::exchange(now, std::move(next));
    const bool halves = now.size.largest < 0.5 * halved;
    measured = now.size.largest < best.size.largest;
    if (measured) {
      best = now;
      if (halves) shift = shift > kLeastShift ? 0.3 * shift : 0;
    } else {
      // Back, and by shorter steps in directions in which W is small.
      last = std::exchange(now, best);
      shift = shift > 0 ? 10 * shift : kFirstShift;
    }
    if (halves) {
      halved = now.size.largest;
      idle = 0;
    } else if (best.size.good || ++idle == kMostIdle) {
      break;
    }
  }
  x = best.x;
  if (!measured) measure(x, best.miss);
}

}  // namespace solfec
