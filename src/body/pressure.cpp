#include "body/pressure.hpp"

#include <algorithm>
#include <cmath>

#include "body/dof_views.hpp"

namespace solfec {
namespace {

// A point of quadrature on a face.
struct FacePoint {
  std::array<double, 4> N{};  // shape functions
  Vec3 area;                  // n dA with its weight
};

// Outward, from the corners of a face in the order of its loop.
FacePoint triangle_point(std::span<const Vec3> x) {
  constexpr double kThird = 1.0 / 3;
  return {{kThird, kThird, kThird}, 0.5 * (x[1] - x[0]).cross(x[2] - x[0])};
}

FacePoint quadrilateral_point(std::span<const Vec3> x, double s, double t) {
  constexpr std::array<double, 4> kCornerS = {-1, 1, 1, -1}, kCornerT = {-1, -1, 1, 1};
  FacePoint p;
  Vec3 along_s = Vec3::Zero(), along_t = Vec3::Zero();
  for (int k = 0; k < 4; k++) {
    const double in_s = 1 + kCornerS[k] * s, in_t = 1 + kCornerT[k] * t;
    p.N[k] = 0.25 * in_s * in_t;
    along_s += 0.25 * kCornerS[k] * in_t * x[k];
    along_t += 0.25 * kCornerT[k] * in_s * x[k];
  }
  p.area = along_s.cross(along_t);
  return p;
}

// work(nodes, corners, point) for all points of the faces with a surface identifier; the nodes of
// the mesh are at x.
template <class Work>
void visit_points(const Mesh& mesh, int surface, const double* x, Work&& work) {
  const double g = 1 / std::sqrt(3.0);
  std::array<int, 4> nodes;
  std::array<Vec3, 4> corners;
  for (const BoundaryFace& face : mesh.boundary) {
    if (face.surface != surface) continue;
    const Element& element = mesh.elements[face.element];
    const auto loop = element_faces(element.nodes).loop(face.side);
    for (std::size_t k = 0; k < loop.size(); k++) {
      nodes[k] = element.node[loop[k]];
      corners[k] = node_part(x, nodes[k]);
    }
    const std::span<const int> used(nodes.data(), loop.size());
    const std::span<const Vec3> at(corners.data(), loop.size());
    if (loop.size() == 3) {
      work(used, at, triangle_point(at));
      continue;
    }
    for (double s : {-g, g})
      for (double t : {-g, g}) work(used, at, quadrilateral_point(at, s, t));
  }
}

Mat3 cofactor(const Mat3& G) {
  Mat3 result;
  result << G.col(1).cross(G.col(2)), G.col(2).cross(G.col(0)), G.col(0).cross(G.col(1));
  return result;
}

}  // namespace

bool has_surface(const Mesh& mesh, int surface) {
  return std::ranges::find(mesh.boundary, surface, &BoundaryFace::surface) != mesh.boundary.end();
}

SurfaceMoments surface_moments(const Mesh& mesh, int surface) {
  SurfaceMoments moments;
  visit_points(mesh, surface, mesh.nodes.data()->data(),
               [&](std::span<const int> nodes, std::span<const Vec3> x, const FacePoint& p) {
                 Vec3 X = Vec3::Zero();
                 for (std::size_t k = 0; k < nodes.size(); k++) X += p.N[k] * x[k];
                 moments.area += p.area;
                 moments.moment += p.area * X.transpose();
               });
  return moments;
}

void add_pressure(BodyStore& bodies, int i, Pressure& load, double pressure) {
  const Mesh& mesh = *only_mesh(*bodies[i].shape);
  double* f = bodies.f(i);
  if (is_meshed(bodies.kind(i))) {
    visit_points(mesh, load.surface, bodies.x(i),
                 [&](std::span<const int> nodes, std::span<const Vec3>, const FacePoint& p) {
                   for (std::size_t k = 0; k < nodes.size(); k++)
                     node_part(f, nodes[k]) += pressure * p.N[k] * p.area;
                 });
    return;
  }
  if (!load.moments) load.moments = surface_moments(mesh, load.surface);
  const Vec3& S = load.moments->area;
  const Mat3 M = load.moments->moment - S * bodies[i].reference.center.transpose();
  const Mat3 G = bodies.gradient(i);
  if (is_rigid(bodies.kind(i))) {
    angular_part(f) += 2 * pressure * axial(M);
    rigid_linear_part(f) += pressure * G * S;
  } else {
    affine_rate_part(f) += pressure * cofactor(G) * M;
    affine_linear_part(f) += pressure * cofactor(G) * S;
  }
}

}  // namespace solfec
