#include "geometry/reduced_quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "geometry/element.hpp"
#include "geometry/tolerances.hpp"

namespace solfec {
namespace {

std::vector<TetrahedronPoint> degree_five() {
  std::vector<TetrahedronPoint> rule;
  constexpr double kCorner[2][2] = {
      {0.0927352503108912262865589206603214, 0.0734930431163619493435869458636788},
      {0.3108859192633006097581474949404033, 0.1126879257180158503650149284763889}};
  for (const auto& [a, weight] : kCorner)
    for (int k = 0; k < 4; k++) {
      TetrahedronPoint point{{a, a, a, a}, weight};
      point.share[k] = 1 - 3 * a;
      rule.push_back(point);
    }
  constexpr double kEdge = 0.0455037041256496494918805262793394,
                   kEdgeWeight = 0.0425460207770814664380694281202574;
  for (int i = 0; i < 4; i++)
    for (int j = i + 1; j < 4; j++) {
      TetrahedronPoint point{{kEdge, kEdge, kEdge, kEdge}, kEdgeWeight};
      point.share[i] = point.share[j] = 0.5 - kEdge;
      rule.push_back(point);
    }
  return rule;
}

// Coordinates in which the shape functions are polynomials: x / w, y / w and z in a pyramid.
Vec3 polynomial_coordinates(int nodes, const Vec3& local) {
  if (nodes != 5) return local;
  constexpr double kApex = 1e-12;  // in local coordinates
  const double w = std::max(1 - local.z(), kApex);
  return {std::clamp(local.x() / w, -2.0, 2.0), std::clamp(local.y() / w, -2.0, 2.0), local.z()};
}

// Whether a^i b^j c^k, i, j, k <= 2, is to be integrated. With each of them all of lower powers
// are: the space is the same in coordinates scaled and shifted.
bool wanted(int nodes, int i, int j, int k) {
  switch (nodes) {
    case 5:
      return k == 0 || (k == 1 && i <= 1 && j <= 1);
    case 6:
      return i + j + k <= 2;
    default:
      return i + j + k <= 4;
  }
}

double legendre(int degree, double t) {
  return degree == 0 ? 1 : degree == 1 ? t : 1.5 * t * t - 0.5;
}

// Values at all points, a column each; Legendre's polynomials in the box of the points.
Eigen::MatrixXd functions_at(int nodes, const std::vector<MaterialPoint>& points) {
  std::vector<Vec3> at;
  for (const MaterialPoint& p : points) at.push_back(polynomial_coordinates(nodes, p.local));
  const Box box = bounding_box(at);
  const Vec3 half = (0.5 * box.size()).cwiseMax(kNotZero);
  Eigen::MatrixXd table(27, static_cast<Eigen::Index>(points.size()));
  int rows = 0;
  for (std::size_t p = 0; p < points.size(); p++) {
    const Vec3 t = (at[p] - box.center()).cwiseQuotient(half);
    rows = 0;
    for (int i = 0; i <= 2; i++)
      for (int j = 0; j <= 2; j++)
        for (int k = 0; k <= 2; k++)
          if (wanted(nodes, i, j, k))
            table(rows++, static_cast<Eigen::Index>(p)) =
                legendre(i, t.x()) * legendre(j, t.y()) * legendre(k, t.z());
  }
  return table.topRows(rows);
}

// Takes some of the weights to zero, so that A w stays as it is and at most as many are left as A
// has rows. A has a column for each weight, and more columns than rows.
void drop_weights(const Eigen::MatrixXd& A, Eigen::VectorXd& w) {
  const Eigen::Index n = A.cols(), m = A.rows();
  // The last columns of Q: an orthonormal basis of vectors that A takes to zero.
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(A.transpose());
  Eigen::MatrixXd null = Eigen::MatrixXd::Zero(n, n - m);
  null.bottomRows(n - m).setIdentity();
  null.applyOnTheLeft(qr.householderQ());
  Eigen::VectorXd row, essential, workspace(n);
  for (Eigen::Index first = 0; first < n - m; first++) {
    const auto v = null.col(first);
    Eigen::Index gone = -1;
    double length = std::numeric_limits<double>::infinity();
    for (Eigen::Index k = 0; k < n; k++)
      if (v[k] > 0 && w[k] < length * v[k]) {
        length = w[k] / v[k];
        gone = k;
      }
    if (gone < 0) continue;  // only 0: 1 is among the functions, so that v has both signs
    w = (w - length * v).cwiseMax(0.0);
    w[gone] = 0;
    // From here on no vector may change that weight: turned so that the first one alone does.
    const Eigen::Index left = n - m - first;
    auto basis = null.rightCols(left);
    double factor, norm;
    row = basis.row(gone).transpose();
    essential.resize(left - 1);
    row.makeHouseholder(essential, factor, norm);
    basis.applyHouseholderOnTheRight(essential, factor, workspace.data());
    basis.row(gone).setZero();
  }
}

// Some of the points, with other weights. Neighbours go together as long as there are many, so that
// a round halves their number.
std::vector<MaterialPoint> reduced(int nodes, std::vector<MaterialPoint> points) {
  Eigen::MatrixXd table = functions_at(nodes, points);
  const Eigen::Index m = table.rows();
  while (std::ssize(points) > m) {
    const auto count = static_cast<Eigen::Index>(points.size()), groups = std::min(count, 2 * m);
    const auto group = [&](Eigen::Index point) { return point * groups / count; };
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(m, groups);
    Eigen::VectorXd w = Eigen::VectorXd::Zero(groups);
    for (Eigen::Index p = 0; p < count; p++) {
      A.col(group(p)) += points[p].volume * table.col(p);
      w[group(p)] += points[p].volume;
    }
    A = A * w.cwiseInverse().asDiagonal();
    const Eigen::VectorXd before = w;
    drop_weights(A, w);
    Eigen::Index kept = 0;
    for (Eigen::Index p = 0; p < count; p++) {
      const Eigen::Index g = group(p);
      if (!(w[g] > 0)) continue;
      points[kept] = {points[p].local, points[p].volume * (w[g] / before[g])};
      table.col(kept++) = table.col(p);
    }
    DEMAND(kept < count);
    points.resize(kept);
  }
  return points;
}

// Local coordinates by the map of the element at its centre, which is all of its map when opposite
// edges are parallel.
class LinearMap {
 public:
  explicit LinearMap(std::span<const Vec3> corners)
      : local_(local_center(static_cast<int>(corners.size()))), J_(jacobian(corners, local_)) {
    std::array<double, 8> N;
    shape_functions(static_cast<int>(corners.size()), local_, N);
    for (std::size_t k = 0; k < corners.size(); k++) center_ += N[k] * corners[k];
    inverse_ = J_.inverse();
  }
  Vec3 local(const Vec3& x) const { return local_ + inverse_ * (x - center_); }
  Vec3 point(const Vec3& local) const { return center_ + J_ * (local - local_); }

 private:
  Vec3 local_, center_ = Vec3::Zero();
  Mat3 J_, inverse_;
};

Vec3 local_point(std::span<const Vec3> corners, const Vec3& x) {
  const auto local = local_coordinates(corners, x);
  if (!local) throw value_error("it is too distorted: a point is not found in it");
  return *local;
}

}  // namespace

std::vector<MaterialPoint> standard_points(std::span<const Vec3> corners) {
  std::vector<MaterialPoint> points;
  for (const QuadraturePoint& point : quadrature(static_cast<int>(corners.size())))
    points.push_back({point.local, point.weight * jacobian(corners, point.local).determinant()});
  return points;
}

std::span<const TetrahedronPoint> tetrahedron_rule() {
  static const std::vector<TetrahedronPoint> rule = degree_five();
  return rule;
}

std::vector<MaterialPoint> reduced_quadrature(std::span<const Vec3> corners,
                                              std::span<const Tetrahedron> material) {
  const int nodes = static_cast<int>(corners.size());
  if (nodes == 4) {
    double volume = 0;
    Vec3 first = Vec3::Zero();
    for (const Tetrahedron& t : material) {
      volume += signed_volume(t);
      first += signed_volume(t) * (centroid(t) - corners[0]);
    }
    if (!(volume > 0)) return {};
    return {{local_point(corners, corners[0] + first / volume), volume}};
  }
  const LinearMap map(corners);
  std::vector<MaterialPoint> points;
  for (const Tetrahedron& t : material) {
    const double volume = signed_volume(t);
    if (!(volume > 0)) continue;  // flat: it may be of either sign
    Tetrahedron at;
    for (int k = 0; k < 4; k++) at[k] = map.local(t[k]);
    for (const TetrahedronPoint& point : tetrahedron_rule()) {
      Vec3 local = Vec3::Zero();
      for (int k = 0; k < 4; k++) local += point.share[k] * at[k];
      points.push_back({local, point.weight * volume});
    }
  }
  points = reduced(nodes, std::move(points));
  for (MaterialPoint& point : points) point.local = local_point(corners, map.point(point.local));
  return points;
}

}  // namespace solfec
