#include "geometry/moments.hpp"

#include <cmath>

namespace solfec {
namespace {

// Moments about `reference` of a solid with volume V, centre c and central second moment S.
Moments from_central(double volume, const Vec3& center, const Mat3& central,
                     const Vec3& reference) {
  const Vec3 d = center - reference;
  return {volume, volume * d, central + volume * d * d.transpose()};
}

// Every element as a hexahedron some of whose corners coincide: the trilinear map then collapses
// to the linear one of a tetrahedron, the ruled one of a wedge, or a pyramid over its base.
std::array<int, 8> as_hexahedron(const Element& e) {
  const auto& n = e.node;
  switch (e.nodes) {
    case 4:
      return {n[0], n[1], n[2], n[2], n[3], n[3], n[3], n[3]};
    case 5:
      return {n[0], n[1], n[2], n[3], n[4], n[4], n[4], n[4]};
    case 6:
      return {n[0], n[1], n[2], n[2], n[3], n[4], n[5], n[5]};
    default:
      return n;
  }
}

}  // namespace

Moments& Moments::operator+=(const Moments& other) {
  volume += other.volume;
  first += other.first;
  second += other.second;
  return *this;
}

Moments moments(const Sphere& s, const Vec3& reference) {
  const double r = s.radius;
  const double volume = static_cast<double>(4.0 / 3.0 * EIGEN_PI * r * r * r);
  return from_central(volume, s.center, volume * r * r / 5 * Mat3::Identity(), reference);
}

Moments moments(const Ellipsoid& e, const Vec3& reference) {
  const double volume = static_cast<double>(4.0 / 3.0 * EIGEN_PI * e.radii.prod());
  const Mat3 map = e.map();
  return from_central(volume, e.center, volume / 5 * map * map.transpose(), reference);
}

Moments moments(const Polyhedron& p, const Vec3& reference) {
  // About a vertex of the solid, to keep the cancellation between tetrahedra small.
  const Vec3& apex = p.vertices[p.faces.vertex[0]];
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (int f = 0; f < p.faces.count(); f++) {
    const auto loop = p.faces.loop(f);
    const Vec3 a = p.vertices[loop[0]] - apex;
    for (std::size_t k = 2; k < loop.size(); k++) {
      const Vec3 b = p.vertices[loop[k - 1]] - apex;
      const Vec3 c = p.vertices[loop[k]] - apex;
      const double v = a.dot(b.cross(c)) / 6;
      const Vec3 sum = a + b + c;
      volume += v;
      first += v / 4 * sum;
      second += v / 20 *
                (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
  }
  const Vec3 center = apex + first / volume;
  const Mat3 central = second - first * first.transpose() / volume;
  return from_central(volume, center, central, reference);
}

Moments element_moments(std::span<const Vec3> nodes, const Element& element,
                        const Vec3& reference) {
  // The integrand x x^T det(dx/dxi) has degree 4 in each local coordinate: 3 Gauss points suffice.
  static const double kPoint = std::sqrt(0.6);
  const double points[3] = {-kPoint, 0, kPoint};
  const double weights[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  const std::array<int, 8> corner = as_hexahedron(element);
  static constexpr int kSign[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                      {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  Moments m;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) {
        const double xi[3] = {points[i], points[j], points[k]};
        Vec3 x = Vec3::Zero();
        Mat3 jacobian = Mat3::Zero();
        for (int c = 0; c < 8; c++) {
          const Vec3 node = nodes[corner[c]] - reference;
          const double a = 1 + kSign[c][0] * xi[0], b = 1 + kSign[c][1] * xi[1],
                       d = 1 + kSign[c][2] * xi[2];
          x += a * b * d / 8 * node;
          jacobian.col(0) += kSign[c][0] * b * d / 8 * node;
          jacobian.col(1) += kSign[c][1] * a * d / 8 * node;
          jacobian.col(2) += kSign[c][2] * a * b / 8 * node;
        }
        const double w = weights[i] * weights[j] * weights[k] * jacobian.determinant();
        m.volume += w;
        m.first += w * x;
        m.second += w * x * x.transpose();
      }
  return m;
}

Moments moments(const Mesh& mesh, const Vec3& reference) {
  Moments sum;
  for (const Element& element : mesh.elements)
    sum += element_moments(mesh.nodes, element, reference);
  return sum;
}

}  // namespace solfec
