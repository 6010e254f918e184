#include "geometry/shape.hpp"

#include <algorithm>

namespace solfec {

void translate(Solid& solid, const Vec3& vector) {
  std::visit([&](auto& s) { translate(s, vector); }, solid);
}

void rotate(Solid& solid, const Vec3& point, const Mat3& rotation) {
  std::visit([&](auto& s) { rotate(s, point, rotation); }, solid);
}

void scale(Solid& solid, const Vec3& factors) {
  std::visit([&](auto& s) { scale(s, factors); }, solid);
}

Box bounding_box(const Shape& shape) {
  Box box;
  for (const Solid& solid : shape) box.extend(bounding_box(solid));
  return box;
}

double radius_about(const Shape& shape, const Vec3& center) {
  double radius = 0;
  for (const Solid& solid : shape)
    radius =
        std::max(radius, std::visit([&](const auto& s) { return radius_about(s, center); }, solid));
  return radius;
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
