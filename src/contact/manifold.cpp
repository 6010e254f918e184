#include "contact/manifold.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory_resource>
#include <optional>

namespace solfec {
namespace {

static_assert(ContactPoints::kMost == 2 * kMostCorners + 1);

using Point = Eigen::Vector2d;

// A corner that widens the hull by less than this part of the patch's length is left out.
constexpr double kWidens = 1e-3;
// Values nearer to each other than this, relatively, are taken as equal.
constexpr double kRounding = 1e-6;

double cross(const Point& a, const Point& b) { return a.x() * b.y() - a.y() * b.x(); }

// Depth of the plane through three points at p, when p is in their triangle.
std::optional<double> depth_in(const Point (&x)[3], const double (&depth)[3], const Point& p) {
  const double whole = cross(x[1] - x[0], x[2] - x[0]);
  if (!(whole > 0)) return {};
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    const double part = cross(x[(k + 1) % 3] - p, x[(k + 2) % 3] - p) / whole;
    if (part < -kWidens) return {};
    sum += part * depth[k];
  }
  return sum;
}

// The convex hull of the chosen points, counter-clockwise, grows by the point farthest outside.
class GrowingHull {
 public:
  // Of at least one point. Corners nearer to the others, or to the line between two, than `apart`
  // are left out.
  GrowingHull(std::span<const PatchPoint> points, const Vec3& normal, double apart)
      : points_(points) {
    const Vec3 x = normal.unitOrthogonal(), y = normal.cross(x), origin = points[0].point;
    plane_.reserve(points.size());
    for (const PatchPoint& p : points)
      plane_.push_back({x.dot(p.point - origin), y.dot(p.point - origin)});
    const double length = start(apart);
    as_one_ = std::max(apart, kWidens * length);
    while (grow(as_one_)) continue;
  }

  // Whether the depth at a point is above that of the hull's corners, which are joined by triangles
  // or a line. A point outside of all of these stands out.
  bool stands_out(int i, double apart, double tolerance) const {
    const Point p = at(i);
    const auto depth = [&](int k) { return points_[hull_[k]].depth; };
    const double most = points_[i].depth - tolerance;
    for (int k = 0; k < count_; k++)
      if ((at(hull_[k]) - p).norm() <= apart) return depth(k) < most;
    for (int k = 0; k < count_; k++) {
      const int next = (k + 1) % count_;
      const Point a = at(hull_[k]), edge = at(hull_[next]) - a;
      const double place = edge.dot(p - a) / edge.squaredNorm();
      if (std::abs(cross(edge, p - a)) <= apart * edge.norm() && place >= 0 && place <= 1)
        return (1 - place) * depth(k) + place * depth(next) < most;
    }
    for (int k = 2; k < count_; k++)
      if (const auto plane = depth_in({at(hull_[0]), at(hull_[k - 1]), at(hull_[k])},
                                      {depth(0), depth(k - 1), depth(k)}, p))
        return *plane < most;
    return true;
  }

  // Of the points that are taken as one with a corner: the deepest, or the corner itself.
  int deepest_near(int corner, double tolerance) const {
    int best = corner;
    for (int i = 0; i < size(); i++)
      if (points_[i].depth > points_[best].depth + tolerance &&
          (at(i) - at(corner)).norm() <= as_one_)
        best = i;
    return best;
  }

  // The deepest of the points along each edge, then the corners; of a line, or a point, its ends.
  ChosenPoints ends_of_ridges(double apart, double tolerance) const {
    ChosenPoints result;
    for (int k = 0; k < count_; k++) {
      const Point a = at(hull_[k]), edge = at(hull_[(k + 1) % count_]) - a;
      int best = hull_[k];
      for (int i = 0; count_ > 2 && i < size(); i++)
        if (points_[i].depth > points_[best].depth + tolerance &&
            std::abs(cross(edge, at(i) - a)) <= apart * edge.norm())
          best = i;
      result.add(best);
    }
    for (int i : chosen()) result.add(i);
    return result;
  }

  bool are_as_one(const Vec3& p, const Vec3& q) const { return (p - q).norm() <= as_one_; }
  std::span<const int> chosen() const { return {hull_.data(), static_cast<std::size_t>(count_)}; }

 private:
  // Of the points one that is farthest from their mean, and that which is farthest from it; one
  // only where the others are nearer to it than `apart`. Returns their distance.
  double start(double apart) {
    Point mean = Point::Zero();
    for (int i = 0; i < size(); i++) mean += at(i) / size();
    const auto [first, unused] = farthest_from(mean);
    hull_[count_++] = first;
    const auto [second, length] = farthest_from(at(first));
    if (length > apart) hull_[count_++] = second;
    return length;
  }

  // False when no point is farther outside than `least`, or no more are allowed.
  bool grow(double least) {
    if (count_ < 2 || count_ == kMostCorners) return false;
    int best = -1, after = 0;
    for (int k = 0; k < count_; k++) {
      const Point a = at(hull_[k]), edge = at(hull_[(k + 1) % count_]) - a;
      const double length = edge.norm();
      for (int i = 0; i < size(); i++)
        if (const double out = -cross(edge, at(i) - a) / length; out > least * (1 + kRounding)) {
          least = out;
          best = i;
          after = k;
        }
    }
    if (best < 0) return false;
    std::copy_backward(hull_.begin() + after + 1, hull_.begin() + count_,
                       hull_.begin() + count_ + 1);
    hull_[after + 1] = best;
    count_++;
    return true;
  }

  int size() const { return static_cast<int>(points_.size()); }
  const Point& at(int i) const { return plane_[i]; }
  std::pair<int, double> farthest_from(const Point& p) const {
    int best = 0;
    double most = 0;
    for (int i = 0; i < size(); i++)
      if (const double d = (at(i) - p).norm(); d > most * (1 + kRounding)) {
        most = d;
        best = i;
      }
    return {best, most};
  }

  std::span<const PatchPoint> points_;
  double as_one_ = 0;
  // Most patches are small: they ask for no memory.
  std::array<std::byte, 1024> buffer_;
  std::pmr::monotonic_buffer_resource memory_{buffer_.data(), buffer_.size()};
  std::pmr::vector<Point> plane_{&memory_};
  std::array<int, kMostCorners> hull_{};
  int count_ = 0;
};

}  // namespace

ChosenPoints spanning_points(std::span<const PatchPoint> points, const Vec3& normal, double apart,
                             double tolerance) {
  ChosenPoints result;
  if (points.empty()) return result;
  const GrowingHull hull(points, normal, apart);
  const std::span<const int> corners = hull.chosen();
  std::ranges::for_each(corners, [&](int i) { result.add(hull.deepest_near(i, tolerance)); });
  int deepest = 0;
  for (int i = 1; i < static_cast<int>(points.size()); i++)
    if (points[i].depth > points[deepest].depth) deepest = i;
  const bool missing = std::ranges::all_of(
      result, [&](int i) { return points[deepest].depth > points[i].depth + tolerance; });
  if (missing && result.count == 1)
    result.index[0] = deepest;  // all are one point
  else if (missing)
    result.add(deepest);
  std::ranges::sort(result);
  result.count = static_cast<int>(std::ranges::unique(result).begin() - result.begin());
  return result;
}

ChosenPoints carrying_points(std::span<const PatchPoint> points, const Vec3& normal,
                             double distance, double tolerance, bool corners) {
  ChosenPoints result;
  if (points.empty()) return result;
  double depth = 0;
  for (const PatchPoint& p : points) depth = std::max(depth, p.depth);
  const double apart = std::max(depth, 10 * tolerance);
  const GrowingHull hull(points, normal, apart);
  const auto touches = [&](int i) { return points[i].depth >= -distance; };
  ChosenPoints hovering;
  for (int i : hull.chosen()) (touches(i) ? result : hovering).add(i);
  std::array<std::byte, 8192> buffer;  // enough for most
  std::pmr::monotonic_buffer_resource memory(buffer.data(), buffer.size());
  std::pmr::vector<int> carrying(&memory);
  for (int i = 0; i < static_cast<int>(points.size()); i++)
    if (touches(i) && hull.stands_out(i, apart, tolerance)) carrying.push_back(i);
  if (!carrying.empty()) {
    std::pmr::vector<PatchPoint> touching(&memory);
    touching.reserve(carrying.size() + result.count);
    const auto take = [&] {
      touching.clear();
      for (int i : carrying) touching.push_back(points[i]);
    };
    // Ridges from one side of the patch to the other have two ends each, in line with its corners:
    // those of the deepest one, and of the first and the last.
    take();
    ChosenPoints ends =
        GrowingHull(touching, normal, apart).ends_of_ridges(apart, kTie * tolerance);
    for (int& i : ends) i = carrying[i];
    carrying.insert(carrying.end(), result.begin(), result.end());
    std::ranges::sort(carrying);
    take();
    result = spanning_points(touching, normal, apart, kTie * tolerance);
    for (int& i : result) i = carrying[i];
    const auto is_near = [&](int i) {
      return std::ranges::any_of(
          result, [&](int k) { return hull.are_as_one(points[k].point, points[i].point); });
    };
    for (int i : ends)
      if (result.count + hovering.count < ContactPoints::kMost && !is_near(i)) result.add(i);
  }
  std::ranges::sort(result);
  if (corners) std::ranges::for_each(hovering, [&](int i) { result.add(i); });
  return result;
}

namespace {

bool of_one_pair_of_pieces(std::span<const DetectedContact> contacts) {
  const ContactKey &first = contacts.front().key, &last = contacts.back().key;
  return first.feature1 == last.feature1 && first.feature2 == last.feature2;
}

// Of points that carrying_points has chosen already.
void keep_touching(std::span<DetectedContact> contacts, double distance) {
  double area = 0;
  int kept = 0;
  for (DetectedContact& c : contacts) {
    area += c.geometry.area;
    c.dropped = c.geometry.gap > distance;
    if (!c.dropped) kept++;
  }
  for (DetectedContact& c : contacts) c.geometry.area = area / std::max(kept, 1);
}

}  // namespace

int ManifoldReducer::patch_of(std::span<const DetectedContact> contacts, int contact,
                              double tolerance) {
  // Those of one plane come one after the other more often than not; the bound keeps the cost of
  // curved meshes linear.
  constexpr int kLooksBack = 32;
  const int count = static_cast<int>(patches_.size());
  const ContactPoint& c = contacts[contact].geometry;
  for (int p = count - 1; p >= std::max(0, count - kLooksBack); p--) {
    const ContactPoint& leader = contacts[patches_[p].leader].geometry;
    if (c.surface1 != leader.surface1 || c.surface2 != leader.surface2) continue;
    if ((c.normal - leader.normal).squaredNorm() > kFlat * kFlat) continue;
    const Vec3 d = c.point - leader.point;
    if (std::abs(d.dot(leader.normal)) >
        kFlat * d.norm() + std::abs(c.gap) + std::abs(leader.gap) + tolerance)
      continue;
    return p;
  }
  patches_.push_back({contact});
  return count;
}

void ManifoldReducer::reduce(std::span<DetectedContact> contacts, const Patch& patch,
                             std::span<const int> members, double distance, double tolerance) {
  points_.clear();
  for (int i : members) {
    const ContactPoint& c = contacts[i].geometry;
    points_.push_back({c.point, -c.gap});
    contacts[i].dropped = true;
  }
  const ChosenPoints chosen =
      carrying_points(points_, contacts[patch.leader].geometry.normal, distance, tolerance, false);
  for (int k : chosen) {
    DetectedContact& kept = contacts[members[k]];
    kept.dropped = false;
    kept.geometry.area = patch.area / chosen.count;
  }
}

void ManifoldReducer::reduce(std::span<DetectedContact> contacts, double distance,
                             double tolerance) {
  if (of_one_pair_of_pieces(contacts)) return keep_touching(contacts, distance);
  patches_.clear();
  patch_.clear();
  // At most as many patches as contacts, and room for all but unusual pairs: what comes and goes
  // from step to step asks for no memory.
  const std::size_t most = std::max<std::size_t>(64, contacts.size());
  patches_.reserve(most);
  patch_.reserve(most);
  begin_.reserve(most + 1);
  member_.reserve(most);
  points_.reserve(most);
  for (int i = 0; i < static_cast<int>(contacts.size()); i++) {
    patch_.push_back(patch_of(contacts, i, tolerance));
    Patch& patch = patches_[patch_.back()];
    patch.members++;
    patch.area += contacts[i].geometry.area;
  }
  begin_.assign(1, 0);
  for (const Patch& patch : patches_) begin_.push_back(begin_.back() + patch.members);
  member_.resize(contacts.size());
  for (int i = static_cast<int>(contacts.size()) - 1; i >= 0; i--) {
    Patch& patch = patches_[patch_[i]];
    member_[begin_[patch_[i]] + --patch.members] = i;
  }
  for (std::size_t p = 0; p < patches_.size(); p++)
    reduce(contacts, patches_[p], std::span(member_).subspan(begin_[p], begin_[p + 1] - begin_[p]),
           distance, tolerance);
}

}  // namespace solfec
