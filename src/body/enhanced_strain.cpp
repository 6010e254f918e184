#include "body/enhanced_strain.hpp"

#include <array>
#include <iterator>

#include "body/element_kernel.hpp"
#include "geometry/element.hpp"

namespace solfec {
namespace {

// A mode of the enhanced strain in the local frame: component and powers of its coordinates. The
// `twin` is another component, with a and b exchanged.
struct Mode {
  int component;
  std::array<int, 3> power;
  int twin = -1;
};

constexpr Mode kHexahedronMode[] = {{0, {1, 0, 0}}, {1, {0, 1, 0}}, {2, {0, 0, 1}}, {3, {1, 0, 0}},
                                    {3, {0, 1, 0}}, {4, {0, 1, 0}}, {4, {0, 0, 1}}, {5, {1, 0, 0}},
                                    {5, {0, 0, 1}}, {0, {1, 1, 0}}, {0, {1, 0, 1}}, {1, {1, 1, 0}},
                                    {1, {0, 1, 1}}, {2, {1, 0, 1}}, {2, {0, 1, 1}}};
constexpr Mode kWedgeMode[] = {{0, {1, 0, 0}}, {0, {0, 1, 0}}, {1, {1, 0, 0}}, {1, {0, 1, 0}},
                               {3, {1, 0, 0}}, {3, {0, 1, 0}}, {2, {0, 0, 1}}, {4, {0, 0, 1}},
                               {5, {0, 0, 1}}, {4, {0, 1, 0}}, {5, {1, 0, 0}}, {4, {1, 0, 0}, 5},
                               {2, {1, 0, 1}}, {2, {0, 1, 1}}};
constexpr Mode kPyramidMode[] = {{0, {1, 0, 0}}, {0, {1, 1, 0}}, {1, {0, 1, 0}},
                                 {1, {1, 1, 0}}, {3, {1, 0, 0}}, {3, {0, 1, 0}}};
static_assert(kHexahedronModes <= std::size(kHexahedronMode) &&
              kWedgeModes <= std::size(kWedgeMode) && kPyramidModes <= std::size(kPyramidMode));

const Mode* modes_of(int nodes) {
  return nodes == 8 ? kHexahedronMode : nodes == 6 ? kWedgeMode : kPyramidMode;
}

// (a, b, c) of modes at a point.
Vec3 mode_coordinates(int nodes, const Vec3& local) {
  if (nodes != 5) return local - local_center(nodes);
  const double w = 1 - local.z();
  return {local.x() / w, local.y() / w, 0};
}

double monomial(const std::array<int, 3>& power, const Vec3& p) {
  double product = 1;
  for (int d = 0; d < 3; d++)
    for (int k = 0; k < power[d]; k++) product *= p[d];
  return product;
}

}  // namespace

StrainModes enhanced_modes(std::span<const Vec3> corners, int count, const Vec3& local) {
  const int nodes = static_cast<int>(corners.size());
  StrainModes table = StrainModes::Zero(6, count);
  const Mat3 J0 = jacobian(corners, local_center(nodes)), inverse = J0.inverse();
  const double ratio = J0.determinant() / jacobian(corners, local).determinant();
  const auto add = [&](int mode, int c, double value) {
    // J0^-T e_i e_j^T J0^-1
    const Mat3 product = inverse.row(kStrainRow[c]).transpose() * inverse.row(kStrainColumn[c]);
    for (int k = 0; k < 6; k++) {
      const int i = kStrainRow[k], j = kStrainColumn[k];
      table(k, mode) += ratio * value * (k < 3 ? product(i, i) : product(i, j) + product(j, i));
    }
  };
  const Vec3 p = mode_coordinates(nodes, local), exchanged(p.y(), p.x(), p.z());
  for (int m = 0; m < count; m++) {
    const Mode& mode = modes_of(nodes)[m];
    add(m, mode.component, monomial(mode.power, p));
    if (mode.twin >= 0) add(m, mode.twin, monomial(mode.power, exchanged));
  }
  return table;
}

}  // namespace solfec
