#include "local_dynamics/ball_row.hpp"

#include <cmath>

namespace solfec {
namespace {

constexpr double kRounding = 1e-12;

// Rows of a block: angular parts, and linear ones.
struct EndRows {
  Vec3 spin[3], linear[3];

  explicit EndRows(const double* G) {
    for (int i = 0; i < 3; i++) {
      spin[i] = Vec3(G + kRigidSize * i);
      linear[i] = Vec3(G + kRigidSize * i + 3);
    }
  }
};

int first_end(const RowBlocks& row) { return row.end[0].size > 0 ? 0 : 1; }

// Three axes at right angles, all as long as the third one.
bool are_axes(const Vec3 (&a)[3]) {
  const double square = a[2].squaredNorm(), most = kRounding * square;
  return std::abs(a[0].squaredNorm() - square) <= most &&
         std::abs(a[1].squaredNorm() - square) <= most && std::abs(a[0].dot(a[1])) <= most &&
         std::abs(a[0].dot(a[2])) <= most && std::abs(a[1].dot(a[2])) <= most;
}

// Whether an end has the form of G for axes that are not of length 1.
bool has_form(const EndRows& end, const Vec3 (&axes)[3]) {
  const double square = axes[2].squaredNorm();
  const double c = axes[2].dot(end.linear[2]) / square, s = axes[1].dot(end.spin[0]) / square;
  const double root = kRounding * std::sqrt(square);
  const auto is_near = [&](const Vec3& x, const Vec3& form, double factor) {
    return (x - factor * form).lpNorm<Eigen::Infinity>() <= std::abs(factor) * root;
  };
  return is_near(end.spin[2], Vec3::Zero(), s) && is_near(end.spin[0], axes[1], s) &&
         is_near(end.spin[1], axes[0], -s) && is_near(end.linear[0], axes[0], c) &&
         is_near(end.linear[1], axes[1], c) && is_near(end.linear[2], axes[2], c);
}

}  // namespace

bool is_ball_row(const RowBlocks& row, const double* G) {
  const int first = first_end(row);
  for (const RowBlock& end : row.end)
    if (end.size != 0 && end.size != kRigidSize) return false;
  if (row.end[first].size == 0) return false;
  const EndRows rows(G + row.end[first].block);
  if (!are_axes(rows.linear) || !has_form(rows, rows.linear)) return false;
  const RowBlock& other = row.end[1 - first];
  return other.size == 0 || has_form(EndRows(G + other.block), rows.linear);
}

BallRow ball_row(const RowBlocks& row, const double* G) {
  const EndRows rows(G + row.end[first_end(row)].block);
  const double size = rows.linear[2].norm();
  const bool left_handed = rows.linear[0].cross(rows.linear[1]).dot(rows.linear[2]) < 0;
  const double c = left_handed ? -size : size;
  BallRow result{rows.linear[0] / c, rows.linear[1] / c, rows.linear[2] / c, {0, 0}, {0, 0}};
  for (int side : {0, 1}) {
    if (row.end[side].size == 0) continue;
    const EndRows end(G + row.end[side].block);
    result.c[side] = result.n.dot(end.linear[2]);
    result.s[side] = result.t2.dot(end.spin[0]);
  }
  return result;
}

}  // namespace solfec
