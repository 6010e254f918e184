#include "geometry/shape.hpp"

#include <algorithm>

namespace solfec {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

template <class Move>
void move_points(Solid& solid, Move&& move) {
  std::visit(Overloaded{[&](Polyhedron& p) { std::ranges::for_each(p.vertices, move); },
                        [&](Mesh& m) { std::ranges::for_each(m.nodes, move); },
                        [&](Sphere& s) { move(s.center); }, [&](Ellipsoid& e) { move(e.center); }},
             solid);
}

// A mirrored polyhedron needs its loops reversed, a mirrored mesh its elements turned.
void turn_inside_out(Polyhedron& p) {
  for (int f = 0; f < p.faces.count(); f++)
    std::reverse(p.faces.vertex.begin() + p.faces.begin[f],
                 p.faces.vertex.begin() + p.faces.begin[f + 1]);
}

void turn_inside_out(Mesh& m) {
  std::vector<FaceSurface> faces;
  for (const BoundaryFace& face : m.boundary) {
    const Element& element = m.elements[face.element];
    FaceSurface record{{}, face.surface};
    for (int local : element_faces(element.nodes).loop(face.side))
      record.nodes.push_back(element.node[local]);
    faces.push_back(std::move(record));
  }
  m = make_mesh(std::move(m.nodes), std::move(m.elements), 0, faces);
}

}  // namespace

void translate(Solid& solid, const Vec3& vector) {
  move_points(solid, [&](Vec3& x) { x += vector; });
}

void rotate(Solid& solid, const Vec3& point, const Mat3& rotation) {
  move_points(solid, [&](Vec3& x) { x = point + rotation * (x - point); });
  if (auto* e = std::get_if<Ellipsoid>(&solid)) e->rotation = rotation * e->rotation;
}

void scale(Solid& solid, const Vec3& factors) {
  move_points(solid, [&](Vec3& x) { x = x.cwiseProduct(factors); });
  const bool mirrored = factors.prod() < 0;
  std::visit(Overloaded{[&](Polyhedron& p) {
                          if (mirrored) turn_inside_out(p);
                        },
                        [&](Mesh& m) {
                          if (mirrored) turn_inside_out(m);
                        },
                        [&](Sphere& s) { s.radius *= std::abs(factors.x()); },
                        [&](Ellipsoid& e) {
                          const SemiAxes axes = semi_axes(factors.asDiagonal() * e.map());
                          e.radii = axes.radii;
                          e.rotation = axes.rotation;
                        }},
             solid);
}

Box bounding_box(const Solid& solid) {
  return std::visit(Overloaded{[](const Polyhedron& p) {
                                 return bounding_box(std::span<const Vec3>(p.vertices));
                               },
                               [](const auto& s) { return bounding_box(s); }},
                    solid);
}

Box bounding_box(const Shape& shape) {
  Box box;
  for (const Solid& solid : shape) box.extend(bounding_box(solid));
  return box;
}

double radius_about(const Shape& shape, const Vec3& center) {
  double radius = 0;
  const auto reach = [&](const std::vector<Vec3>& points) {
    for (const Vec3& p : points) radius = std::max(radius, (p - center).norm());
  };
  for (const Solid& solid : shape)
    std::visit(Overloaded{[&](const Polyhedron& p) { reach(p.vertices); },
                          [&](const Mesh& m) { reach(m.nodes); },
                          [&](const Sphere& s) {
                            radius = std::max(radius, (s.center - center).norm() + s.radius);
                          },
                          // A bound: exact when the longest axis points away from the centre.
                          [&](const Ellipsoid& e) {
                            radius =
                                std::max(radius, (e.center - center).norm() + e.radii.maxCoeff());
                          }},
               solid);
  return radius;
}

bool contains(const Solid& solid, const Vec3& point) {
  return std::visit([&](const auto& s) { return contains(s, point); }, solid);
}

double half_diagonal(const Box& box) { return static_cast<float>(0.5 * box.size().norm()); }

Moments moments(const Shape& shape, const Vec3& reference) {
  Moments sum;
  for (const Solid& solid : shape)
    sum += std::visit([&](const auto& s) { return moments(s, reference); }, solid);
  return sum;
}

Vec3 mass_center(const Shape& shape) {
  const Vec3 reference = bounding_box(shape).center();
  const Moments m = moments(shape, reference);
  return reference + m.first / m.volume;
}

}  // namespace solfec
