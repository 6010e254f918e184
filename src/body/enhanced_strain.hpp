// Modes of strain that no displacement gives, of elements that would lock without them (Simo and
// Rifai 1990; elastic_mesh.hpp has what is done with them):
//
//   M(xi) = (det J_0 / det J(xi)) T_0 Mhat(xi),  T_0: E -> J_0^-T E J_0^-1,  J = dX/dxi
//
// Hexahedra have 15 modes, of local strains and angles in the local coordinates (a, b, c):
//
//   E_aa: a, ab, ac    E_bb: b, ab, bc    E_cc: c, ac, bc
//   g_ab: a, b         g_bc: b, c         g_ac: a, c
//
// The 9 linear ones suffice for bending. The bilinear ones of normal strains let the change of
// volume be constant in an element: without them, at a Poisson's ratio of 0.4999, a coarse block
// under a punch yields too little by 17 %, with them by 2 %. Bilinear angles (21 modes) change
// results by less than 0.3 % (deflections of beams and punched blocks).
//
// Wedges have 14, with c along the prism and (a, b, c) = 0 at the centroid:
//
//   E_aa, E_bb, g_ab: a, b                         all linear strains in the plane of the triangle
//   g_bc, g_ac: c                                  let prisms bend, as hexahedra
//   (g_ac, g_bc): (a, 0), (0, b), (b, a)           let plates bend: slopes of quadratic functions
//   E_cc: c, ac, bc                                with the first: a constant change of volume
//
// A fourth linear pair of angles, (-b, a), would leave nothing to resist torsion. A cantilever one
// prism thick bends by 0.73 of the exact deflection without the pairs of angles and by 0.93 with
// them (plates, Poisson's ratio 0.3), 0.74 and 1.03 without and with g_bc, g_ac: c (along prisms).
// In a distorted cube at 0.4999 stresses are wrong by 85 % without E_cc: ac, bc and by 3 % with.
//
// Pyramids have 6, E_aa: a, ab  E_bb: b, ab  g_ab: a, b, in (a, b) = (x, y) / (1 - z): three
// strains of the displacements vary in an element, b in E_aa, a in E_bb, ab in E_cc, and the modes
// make up for the change of volume of each.
#pragma once

#include <Eigen/Core>
#include <span>

#include "core/vector.hpp"

namespace solfec {

/// How many modes are used, in the order of the tables of enhanced_strain.cpp.
inline constexpr int kHexahedronModes = 15, kWedgeModes = 14, kPyramidModes = 6;

/// Of an element with so many nodes; tetrahedra have none.
constexpr int enhanced_mode_count(int nodes) {
  return nodes == 8 ? kHexahedronModes : nodes == 6 ? kWedgeModes : nodes == 5 ? kPyramidModes : 0;
}

/// Components of strains, in the order of element_kernel.hpp, of the modes in columns.
using StrainModes = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// M(xi): the first `count` modes of the element with these corners at a point in local
/// coordinates, in the cartesian frame.
StrainModes enhanced_modes(std::span<const Vec3> corners, int count, const Vec3& local);

}  // namespace solfec
