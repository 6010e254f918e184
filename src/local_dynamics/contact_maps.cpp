#include "local_dynamics/contact_maps.hpp"

#include <algorithm>
#include <cmath>

#include "math/friction_cone.hpp"

namespace solfec {
namespace {

// dF/dU
Mat3 de_saxce_slope(double mu, const Vec3& U) {
  Mat3 slope = Mat3::Identity();
  const double slip = tangent_norm(U);
  if (slip > 0) slope.bottomLeftCorner<1, 2>() = mu * U.head<2>().transpose() / slip;
  return slope;
}

Vec3 de_saxce(double mu, const Vec3& U) { return {U.x(), U.y(), U.z() + mu * tangent_norm(U)}; }

// With F and dF/dU.
RowLinearization natural(double mu, const Vec3& F, const Mat3& dF, const Vec3& S, double rho) {
  const Vec3 z = S - rho * F;
  const Mat3 slope = friction_cone_slope(z, mu);
  return {S - project_on_friction_cone(z, mu), rho * slope * dF, Mat3::Identity() - slope};
}

// The second and the third map; they differ in what the disc follows.
RowLinearization by_disc(ContactMap map, double mu, const Vec3& U, const Vec3& S,
                         const ContactSteps& rho) {
  RowLinearization l{S, Mat3::Zero(), Mat3::Identity()};
  const double z_N = S.z() - rho.normal * U.z();
  if (z_N > 0) {
    l.C.z() = rho.normal * U.z();
    l.X(2, 2) = rho.normal;
    l.Y(2, 2) = 0;
  }
  const bool by_z = map == ContactMap::alart_curnier;
  const double radius = mu * std::max(by_z ? z_N : S.z(), 0.0);
  if (radius == 0) return l;
  const Vec2 z_T = S.head<2>() - rho.tangential * U.head<2>();
  const double size = z_T.norm();
  if (size <= radius) {  // sticking
    l.C.head<2>() = rho.tangential * U.head<2>();
    l.X(0, 0) = l.X(1, 1) = rho.tangential;
    l.Y(0, 0) = l.Y(1, 1) = 0;
    return l;
  }
  const Vec2 t = z_T / size;
  const Mat2 turning = radius / size * (Mat2::Identity() - t * t.transpose());
  l.C.head<2>() = S.head<2>() - radius * t;
  l.X.topLeftCorner<2, 2>() = rho.tangential * turning;
  l.Y.topLeftCorner<2, 2>() = Mat2::Identity() - turning;
  l.Y.topRightCorner<2, 1>() = -mu * t;
  if (by_z) l.X.topRightCorner<2, 1>() = mu * rho.normal * t;
  return l;
}

// L_x of the Jordan product  x o y = L_x y.
Mat3 jordan_matrix(const Vec3& x) {
  Mat3 L = x.z() * Mat3::Identity();
  L.topRightCorner<2, 1>() = x.head<2>();
  L.bottomLeftCorner<1, 2>() = x.head<2>().transpose();
  return L;
}

// The root in the cone, by its spectral values.
Vec3 jordan_root(const Vec3& w) {
  const double size = tangent_norm(w);
  const double high = std::sqrt(w.z() + size), low = std::sqrt(std::max(w.z() - size, 0.0));
  Vec3 root(0, 0, 0.5 * (high + low));
  if (size > 0) root.head<2>() = 0.5 * (high - low) / size * w.head<2>();
  return root;
}

RowLinearization fischer_burmeister(double mu, const Vec3& U, const Vec3& S, double rho) {
  // Without friction the cones are half lines, and S_T = 0.
  const bool slides_freely = mu == 0;
  const Vec3 by_S = slides_freely ? Vec3(0, 0, 1) : Vec3(1, 1, mu);
  const Vec3 by_F = rho * (slides_freely ? Vec3(0, 0, 1) : Vec3(1, 1, 1 / mu));
  const Vec3 x = by_S.cwiseProduct(S), y = by_F.cwiseProduct(de_saxce(mu, U));
  const Mat3 L_x = jordan_matrix(x), L_y = jordan_matrix(y);
  const Vec3 z = jordan_root(L_x * x + L_y * y);
  // From  2 z o dz = 2 x o dx + 2 y o dy.  L_z is singular on the border of the cone: a point near
  // by is taken for it, and at zero that of x = y inside.
  constexpr double kInside = 1e-8;
  Mat3 z_by_x, z_by_y;
  if (const double size = z.z(); size > 0) {
    const Mat3 L_z = jordan_matrix(z + Vec3(0, 0, kInside * size));
    const Mat3 inverse = L_z.inverse();
    z_by_x = inverse * L_x;
    z_by_y = inverse * L_y;
  } else {
    z_by_x = z_by_y = std::sqrt(0.5) * Mat3::Identity();
  }
  RowLinearization l{x + y - z,
                     (Mat3::Identity() - z_by_y) * by_F.asDiagonal() * de_saxce_slope(mu, U),
                     (Mat3::Identity() - z_by_x) * by_S.asDiagonal()};
  if (slides_freely) {
    l.C.head<2>() = S.head<2>();
    l.X.topRows<2>().setZero();
    l.Y.topRows<2>() = Mat3::Identity().topRows<2>();
  }
  return l;
}

double inverse_or_one(double w) { return w > 0 ? 1 / w : 1; }

}  // namespace

RowLinearization contact_map(ContactMap map, double friction, const Vec3& U, const Vec3& S,
                             const ContactSteps& steps) {
  switch (map) {
    case ContactMap::natural:
      return natural(friction, de_saxce(friction, U), de_saxce_slope(friction, U), S, steps.normal);
    case ContactMap::alart_curnier:
    case ContactMap::jean_moreau:
      return by_disc(map, friction, U, S, steps);
    case ContactMap::fischer_burmeister:
      break;
  }
  return fischer_burmeister(friction, U, S, steps.normal);
}

RowLinearization convex_map(double friction, const Vec3& U, const Vec3& S, double rho) {
  return natural(friction, U, Mat3::Identity(), S, rho);
}

ContactSteps contact_steps(ContactMap map, const Mat3& W) {
  const Mat3 symmetric = 0.5 * (W + W.transpose());
  if (map == ContactMap::alart_curnier || map == ContactMap::jean_moreau) {
    const double mean = 0.5 * (symmetric(0, 0) + symmetric(1, 1));
    const double radius = std::hypot(0.5 * (symmetric(0, 0) - symmetric(1, 1)), symmetric(0, 1));
    return {inverse_or_one(W(2, 2)), inverse_or_one(mean + radius)};
  }
  Eigen::SelfAdjointEigenSolver<Mat3> eigen;
  eigen.computeDirect(symmetric, Eigen::EigenvaluesOnly);
  const double rho = inverse_or_one(eigen.eigenvalues()(2));
  return {rho, rho};
}

}  // namespace solfec
