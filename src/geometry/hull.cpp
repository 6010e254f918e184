#include <fmt/format.h>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>

#include "core/error.hpp"
#include "geometry/polyhedron.hpp"

namespace solfec {
namespace {

// One run of Qhull; frees what it holds.
class QhullRun {
 public:
  explicit QhullRun(std::vector<double>& coordinates) {
    // Qhull wants somewhere to explain itself; the user gets our own words.
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> silence(std::fopen("/dev/null", "w"),
                                                                  &std::fclose);
    qh_zero(&qh, silence.get());
    char options[] = "qhull";
    failed_ = qh_new_qhull(&qh, 3, static_cast<int>(coordinates.size() / 3), coordinates.data(), 0,
                           options, nullptr, silence.get()) != 0;
  }
  ~QhullRun() {
    qh_freeqhull(&qh, !qh_ALL);
    int current, total;
    qh_memfreeshort(&qh, &current, &total);
  }
  QhullRun(const QhullRun&) = delete;
  QhullRun& operator=(const QhullRun&) = delete;

  bool failed() const { return failed_; }

  qhT qh;

 private:
  bool failed_ = false;
};

// Orders the corners of a convex polygon counter-clockwise about its outward normal.
void sort_loop(std::vector<int>& loop, std::span<const Vec3> points, const Vec3& normal) {
  Vec3 mean = Vec3::Zero();
  for (int v : loop) mean += points[v];
  mean /= static_cast<double>(loop.size());
  const Vec3 x = (points[loop[0]] - mean).normalized();
  const Vec3 y = normal.cross(x);
  std::map<int, double> angle;
  for (int v : loop) angle[v] = std::atan2(y.dot(points[v] - mean), x.dot(points[v] - mean));
  std::sort(loop.begin(), loop.end(), [&](int a, int b) { return angle[a] < angle[b]; });
}

}  // namespace

Polyhedron convex_hull(std::span<const Vec3> points, int volume, int surface) {
  std::vector<double> coordinates;
  for (const Vec3& p : points) coordinates.insert(coordinates.end(), p.data(), p.data() + 3);
  QhullRun run(coordinates);
  if (run.failed())
    throw RunError(fmt::format("the convex hull of the {} points has no volume", points.size()));

  Polyhedron hull;
  hull.volume = volume;
  std::map<int, int> number;  // point -> vertex, only the points on the hull are kept
  qhT* qh = &run.qh;          // the name that Qhull's macros expect
  facetT* facet;
  FORALLfacets {
    std::vector<int> loop;
    vertexT *vertex, **vertexp;
    FOREACHvertex_(facet->vertices) {
      const int point = qh_pointid(qh, vertex->point);
      const auto [entry, added] = number.try_emplace(point, static_cast<int>(hull.vertices.size()));
      if (added) hull.vertices.push_back(points[point]);
      loop.push_back(entry->second);
    }
    sort_loop(loop, hull.vertices, Eigen::Map<const Vec3>(facet->normal));
    hull.faces.add(loop);
    hull.surface.push_back(surface);
  }
  return hull;
}

}  // namespace solfec
