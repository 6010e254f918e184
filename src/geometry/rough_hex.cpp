#include "geometry/rough_hex.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "geometry/tolerances.hpp"
#include "math/decompositions.hpp"

namespace solfec {
namespace {

// Columns of a rotation in the order and with the signs that bring them nearest to the axes of
// space.
Mat3 nearest_order(const Mat3& axes) {
  std::array<int, 3> order = {0, 1, 2}, best = order;
  double most = -1;
  do {
    double along = 0;
    for (int d = 0; d < 3; d++) along += std::abs(axes(d, order[d]));
    if (along > most + kSamePlace) {
      most = along;
      best = order;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  Mat3 result;
  int weakest = 0;
  for (int d = 0; d < 3; d++) {
    const Vec3 axis = axes.col(best[d]);
    result.col(d) = axis[d] < 0 ? Vec3(-axis) : axis;
    if (result(d, d) < result(weakest, weakest)) weakest = d;
  }
  if (result.determinant() < 0) result.col(weakest) *= -1;
  return result;
}

}  // namespace

Mat3 principal_axes(const Shape& shape) {
  const Mat3 second = moments(shape, mass_center(shape)).second;
  auto [values, axes] = symmetric_eigen(second);
  const double same = kSameMoment * values[2];
  const bool low = values[1] - values[0] <= same, high = values[2] - values[1] <= same;
  if (low && high) return Mat3::Identity();
  if (low || high) {
    // One axis stands out; a second one is the axis of space most normal to it, made so.
    const Vec3 single = axes.col(low ? 2 : 0);
    int normal;
    single.cwiseAbs().minCoeff(&normal);
    const Vec3 along = Vec3::Unit(normal);
    axes.col(0) = single;
    axes.col(1) = (along - single.dot(along) * single).normalized();
    axes.col(2) = axes.col(0).cross(axes.col(1));
  }
  return nearest_order(axes);
}

Mesh make_rough_hex(const Shape& shape, const std::array<std::vector<double>, 3>& sizes) {
  const Mat3 axes = principal_axes(shape);
  Vec3 low, high;
  for (int d = 0; d < 3; d++) {
    const Vec3 axis = axes.col(d);
    Extent extent;
    for (const Solid& solid : shape)
      std::visit([&](const auto& s) { add_extent(s, axis, extent); }, solid);
    low[d] = extent.low;
    high[d] = extent.high;
  }
  std::array<Vec3, 8> corners;
  constexpr bool kUpper[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (int k = 0; k < 8; k++) {
    Vec3 at;
    for (int d = 0; d < 3; d++) at[d] = kUpper[k][d] ? high[d] : low[d];
    corners[k] = axes * at;
  }
  return make_hexahedral_mesh(corners, sizes, 0, {0, 0, 0, 0, 0, 0});
}

}  // namespace solfec
