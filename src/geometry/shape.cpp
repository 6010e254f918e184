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

bool contains(const Solid& solid, const Vec3& point) {
  return std::visit([&](const auto& s) { return contains(s, point); }, solid);
}

double reach(const Shape& shape, const Vec3& center) {
  double most = 0;
  const auto points = [&](std::span<const Vec3> list) {
    for (const Vec3& x : list) most = std::max(most, (x - center).norm());
  };
  for (const Solid& solid : shape)
    std::visit(Overloaded{[&](const Polyhedron& p) { points(p.vertices); },
                          [&](const Mesh& m) { points(m.nodes); },
                          [&](const Sphere& s) {
                            most = std::max(most, (s.center - center).norm() + s.radius);
                          },
                          [&](const Ellipsoid& e) {
                            most = std::max(most, (e.center - center).norm() + e.radii.maxCoeff());
                          }},
               solid);
  return most;
}

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
