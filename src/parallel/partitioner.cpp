#include "parallel/partitioner.hpp"

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>
#include <limits>

#include "core/archive.hpp"
#include "parallel/bisection.hpp"

namespace solfec {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kHeaviest = 1 << 20;  // weights as whole numbers
constexpr double kGrid = 1 << 14;      // coordinates as whole numbers, for moments
constexpr double kFresh = 0.1;         // part of the tolerance that a new division may use up
constexpr double kSpread = 1e-9;       // of points on one plane, to the size of the set

// The smallest box about the points of all ranks.
struct Range {
  Vec3 lower, upper;
  Vec3 center() const { return 0.5 * lower + 0.5 * upper; }
  Vec3 size() const { return upper - lower; }
};

Range range_of(const Communicator& communicator, std::span<const Vec3> points, const Mat3& axes) {
  std::array<double, 6> ends;
  ends.fill(-kInfinity);
  for (const Vec3& p : points) {
    const Vec3 at = axes * p;
    for (int d = 0; d < 3; d++) {
      ends[d] = std::max(ends[d], -at[d]);
      ends[3 + d] = std::max(ends[3 + d], at[d]);
    }
  }
  communicator.max_all(ends);
  return {-Vec3::Map(&ends[0]), Vec3::Map(&ends[3])};
}

void check(const Communicator& communicator, std::span<const Vec3> points,
           std::span<const double> weights) {
  DEMAND(points.size() == weights.size());
  bool good = true;
  for (const Vec3& p : points) good &= p.cwiseAbs().maxCoeff() < 1e150 && p.allFinite();
  for (double w : weights) good &= w >= 0 && std::isfinite(w);
  if (communicator.any(!good))
    throw RunError("space cannot be divided: a mass centre or a weight is not a number, or huge");
}

// Sums of whole numbers are the same in any order: so are the cuts, whoever has which point.
std::vector<float> whole_weights(const Communicator& communicator,
                                 std::span<const double> weights) {
  double largest = 0;
  for (double w : weights) largest = std::max(largest, w);
  largest = communicator.max(largest);
  std::vector<float> result;
  for (double w : weights)
    result.push_back(static_cast<float>(std::round((largest > 0 ? w / largest : 1) * kHeaviest)));
  return result;
}

// Principal axes of the points, as rows, the one of the largest moment first. Signs are those that
// go with a direction in general position, so that they do not change with small motions near axes
// and diagonals.
Mat3 principal_axes(const Communicator& communicator, std::span<const Vec3> points,
                    const Range& range) {
  const double scale = 2 * kGrid / range.size().maxCoeff();
  std::array<double, 10> sums{};
  for (const Vec3& p : points) {
    const Vec3 q = ((p - range.center()) * scale).array().round();
    const double terms[] = {1,
                            q.x(),
                            q.y(),
                            q.z(),
                            q.x() * q.x(),
                            q.x() * q.y(),
                            q.x() * q.z(),
                            q.y() * q.y(),
                            q.y() * q.z(),
                            q.z() * q.z()};
    for (int k = 0; k < 10; k++) sums[k] += terms[k];
  }
  communicator.sum_all(sums);
  const auto& [n, x, y, z, xx, xy, xz, yy, yz, zz] = sums;
  const Vec3 mean = Vec3(x, y, z) / n;
  Mat3 moments;
  moments << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  moments = moments / n - mean * mean.transpose();
  const Mat3 vectors = Eigen::SelfAdjointEigenSolver<Mat3>(moments).eigenvectors();
  Mat3 axes;
  for (int k = 0; k < 2; k++) {
    const Vec3 axis = vectors.col(2 - k);
    axes.row(k) = axis.dot(Vec3(1, 0.618, 0.382)) < 0 ? -axis : axis;
  }
  axes.row(2) = axes.row(0).cross(axes.row(1));
  return axes;
}

int thin_directions(const Vec3& size, double degenerate_ratio) {
  return static_cast<int>((size.array() * degenerate_ratio < size.maxCoeff()).count());
}

// Principal axes if the points lie near a plane or a line that coordinates do not show.
Mat3 choose_axes(const Communicator& communicator, std::span<const Vec3> points,
                 double degenerate_ratio) {
  const Range range = range_of(communicator, points, Mat3::Identity());
  if (!(range.size().maxCoeff() > 0)) return Mat3::Identity();
  const Mat3 axes = principal_axes(communicator, points, range);
  const Vec3 size = range_of(communicator, points, axes).size();
  const bool flatter =
      thin_directions(size, degenerate_ratio) > thin_directions(range.size(), degenerate_ratio);
  return flatter ? axes : Mat3::Identity();
}

// A number from -1 to 1 for each direction that looks like chance, and depends on point and weight
// only (Steele, Lea and Flood 2014 for the mixing).
Vec3 scatter(const Vec3& point, float weight) {
  ArchiveWriter key;
  key(Vec3(point.array() + 0.0), weight);  // -0 is 0
  std::uint64_t state = fingerprint(key.bytes());
  Vec3 result;
  for (double& r : result) {
    std::uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    r = std::ldexp(static_cast<double>((z ^ (z >> 31)) >> 11), -52) - 1;
  }
  return result;
}

// Each cut half-way between the points on its two sides: away from planes of points, where
// round-off would decide on sides. Sides stay the same.
void center_cuts(const Communicator& communicator, std::span<const Vec3> points, const Mat3& axes,
                 std::vector<Cut>& cuts) {
  std::vector<double> ends(2 * cuts.size(), -kInfinity);  // last below, minus first above
  for (const Vec3& p : points) {
    const Vec3 at = axes * p;
    descend(cuts, [&](int k) {
      const double x = at[cuts[k].direction];
      const bool above = x > cuts[k].at;
      double& end = ends[2 * k + above];
      end = std::max(end, above ? -x : x);
      return above;
    });
  }
  communicator.max_all(ends);
  for (std::size_t k = 0; k < cuts.size(); k++) {
    const double below = ends[2 * k], above = -ends[2 * k + 1];
    if (below == -kInfinity || above == kInfinity) continue;
    const double middle = 0.5 * below + 0.5 * above;
    cuts[k].at = below <= middle && middle < above ? middle : below;
  }
}

}  // namespace

Partition divide_space(const Communicator& communicator, std::span<const Vec3> points,
                       std::span<const double> weights, const PartitionSettings& settings,
                       const Partition& before) {
  check(communicator, points, weights);
  if (communicator.size() == 1) return {};
  if (communicator.sum(static_cast<double>(points.size())) == 0) {
    const Vec3 origin = Vec3::Zero();
    const double weight = 1;
    const std::size_t one = communicator.rank() == 0 ? 1 : 0;
    return divide_space(communicator, {&origin, one}, {&weight, one}, settings, before);
  }
  const bool locked = settings.lock_directions && before.ranks() == communicator.size();
  Partition result;
  result.axes = locked ? before.axes : choose_axes(communicator, points, settings.degenerate_ratio);
  const Range range = range_of(communicator, points, result.axes);
  const Vec3 center = range.center();
  const double size = range.size().maxCoeff(), scale = size > 0 ? size : 1;

  // Points of one plane are spread a little, as if by chance. Zoltan cuts through planes, and tells
  // by rank who goes where, if there is no other difference; with this one the cut comes to lie
  // on that side of the plane where the larger part of its points should be on the other.
  const std::vector<float> whole = whole_weights(communicator, weights);
  std::vector<Vec3> spread;
  for (std::size_t i = 0; i < points.size(); i++)
    spread.push_back((result.axes * points[i] - center) / scale +
                     kSpread * scatter(points[i], whole[i]));
  result.cuts = bisect(communicator, spread, whole, 1 + kFresh * (settings.tolerance - 1),
                       locked ? std::span(before.cuts) : std::span<const Cut>());
  for (Cut& cut : result.cuts) cut.at = center[cut.direction] + scale * cut.at;
  center_cuts(communicator, points, result.axes, result.cuts);
  return result;
}

}  // namespace solfec
