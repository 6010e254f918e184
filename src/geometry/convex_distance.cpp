#include "geometry/convex_distance.hpp"

#include <limits>

namespace solfec {
namespace {

// A point of the difference first - second, and where it comes from.
struct Corner {
  Vec3 w, first, second;
};

// Corners of the difference that span the part of it which is nearest to the origin, as far as it
// is known, and the weights of that point.
struct Simplex {
  std::array<Corner, 4> corner;
  std::array<double, 4> weight{};
  int count = 0;

  Vec3 sum(Vec3 Corner::*of) const {
    Vec3 x = Vec3::Zero();
    for (int k = 0; k < count; k++) x += weight[k] * (corner[k].*of);
    return x;
  }
};

// The point nearest to the origin of the line, plane or space through the corners of a subset: its
// weights, if all are positive.
std::optional<Simplex> nearest_inside(const Simplex& all, unsigned subset) {
  constexpr double kFlat = 1e-14;  // square of a sine: corners that lie on one line or plane
  Simplex part;
  for (int k = 0; k < all.count; k++)
    if (subset & (1u << k)) part.corner[part.count++] = all.corner[k];
  const int n = part.count - 1;
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> edges(3, n);
  for (int k = 0; k < n; k++) edges.col(k) = part.corner[k + 1].w - part.corner[0].w;
  double rest = 1;
  if (n > 0) {
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3> gram =
        edges.transpose() * edges;
    if (!(gram.determinant() > kFlat * gram.diagonal().prod())) return {};
    const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1> weights =
        gram.partialPivLu().solve(-edges.transpose() * part.corner[0].w);
    for (int k = 0; k < n; k++) {
      part.weight[k + 1] = weights[k];
      rest -= weights[k];
    }
  }
  part.weight[0] = rest;
  for (int k = 0; k < part.count; k++)
    if (!(part.weight[k] > 0)) return {};
  return part;
}

// The nearest point of the simplex, on the smallest part that has it.
Simplex reduced(const Simplex& all) {
  Simplex best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned subset = 1; subset < (1u << all.count); subset++)
    if (const auto part = nearest_inside(all, subset)) {
      const double square = part->sum(&Corner::w).squaredNorm();
      if (square < least) {
        least = square;
        best = *part;
      }
    }
  return best;
}

Corner farthest(const ConvexView& first, const ConvexView& second, const Vec3& direction) {
  const Vec3& a = first.vertices[support_vertex(first.vertices, direction)];
  const Vec3& b = second.vertices[support_vertex(second.vertices, -direction)];
  return {a - b, a, b};
}

}  // namespace

std::optional<Separation> separation_of(const ConvexView& first, const ConvexView& second) {
  constexpr double kRoundOff = 1e-13;  // of the lengths that take part
  constexpr int kMost = 100;           // a few suffice; so rounding does not make it circle
  Simplex simplex;
  simplex.corner[0] = {first.vertices[0] - second.vertices[0], first.vertices[0],
                       second.vertices[0]};
  simplex.weight[0] = 1;
  simplex.count = 1;
  double size = simplex.corner[0].w.norm(), square = size * size;
  for (int k = 0; k < kMost; k++) {
    const Vec3 v = simplex.sum(&Corner::w);
    const Corner next = farthest(first, second, -v);
    size = std::max(size, next.w.norm());
    if (!(square > kRoundOff * kRoundOff * size * size)) return {};
    // A bound from below on the distance is v . w / |v|.
    if (square - v.dot(next.w) <= kRoundOff * size * std::sqrt(square)) break;
    if (simplex.count == 4) return {};
    simplex.corner[simplex.count++] = next;
    const Simplex nearer = reduced(simplex);
    const double nearer_square = nearer.count > 0 ? nearer.sum(&Corner::w).squaredNorm() : square;
    if (nearer.count == 4) return {};
    if (!(nearer_square < square)) {
      simplex.count--;
      break;
    }
    simplex = nearer;
    square = nearer_square;
  }
  const double distance = std::sqrt(square);
  return Separation{distance, simplex.sum(&Corner::w) / distance, simplex.sum(&Corner::first),
                    simplex.sum(&Corner::second)};
}

}  // namespace solfec
