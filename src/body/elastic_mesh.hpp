// A Saint Venant-Kirchhoff solid on a mesh of linear elements: masses, forces and stiffness.
//
//   F = sum_a x_a grad N_a,  E = (F^T F - I) / 2,  S = C : E = lambda tr(E) I + 2 mu E
//   W = int E : C : E / 2,  f_a = dW/dx_a = int F S grad N_a
//   K: v K v = int e(v) : C : e(v),  e(v) = sym(F^T grad v), the material part of df/dx
//
// all over the reference volume. K is positive semi-definite, exerts no force and no torque, and
// does no work on rotations; at rest it is the stiffness of linear elasticity.
//
// Enhanced assumed strains (Simo and Rifai 1990; of the Green strain, as Klinkel and Wagner 1997)
// keep hexahedra, wedges and pyramids from locking in bending, and hexahedra when they are nearly
// incompressible:
//
//   E = E_c + M alpha,  M(xi) = (det J_0 / det J(xi)) T_0 Mhat(xi)
//
// with E_c the strain above, Mhat the modes of an element in its local frame and T_0 the map
// E = J_0^-T Ehat J_0^-1 at its centre, J = dX/dxi. The modes integrate to zero, therefore patch
// tests hold on distorted elements. Stationarity of W with respect to alpha is linear,
//
//   alpha = -H^-1 int M^T C E_c,  H = int M^T C M  (constant),
//
// so that W remains a quadratic function of the strains E_c, and everything above keeps its
// properties with S = C : (E_c + M alpha). In the code H = I, by a change of the modes.
//
// The modes are in enhanced_strain.hpp.
//
// Of wedges, pyramids and tetrahedra there are too many for the nodes that they have: one condition
// of constant volume for each is more than displacements can obey, whatever the modes. The energy
// of their mean changes of volume is therefore that of averages at nodes: see nodal_dilatation.hpp,
// with k = lambda, where lambda > 2 mu. W remains a quadratic function of E_c. The pressures that
// balance the loads alternate from element to element, the displacements do not; averaged once more
// they converge, and so they are shown.
//
// An element may be filled in part only, and by several materials: each is integrated over points
// of its own. Enhanced strains and averages are for elements that one material fills: modes would
// not integrate to zero over a part, and patch tests would fail.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <span>
#include <vector>

#include "body/nodal_dilatation.hpp"
#include "geometry/mesh.hpp"
#include "geometry/reduced_quadrature.hpp"

namespace solfec {

struct ElementProperties {
  double lambda;   ///< [Pa]
  double mu;       ///< [Pa]
  double density;  ///< [kg/m^3]

  bool operator==(const ElementProperties&) const = default;
};

/// `plain`: compatible strains only, which lock.
enum class ElementTechnology : std::uint8_t { enhanced, plain };

/// One material in an element.
struct ElementPart {
  int element;
  bool filled;  ///< it is all of the element: the points are standard_points()
  std::vector<MaterialPoint> points;
};

/// Every element filled by one material.
std::vector<ElementPart> filled_parts(const Mesh& mesh);

/// What A = M + factor df/dx needs of the geometric part of df/dx, with stresses S of another
/// state,
///   factor int (grad N_a . (S - s)+ grad N_b) I,   s = 3 / (4 factor Lambda)
/// (Lambda as in frequency_bound): the positive part, so that A stays positive definite, and of
/// that what lies above s. What is left out is at most 3/4 M in A: a step is stable without it.
struct StressStiffening {
  double factor = 0;          ///< [s^2]; 0: nothing is added
  const double* x = nullptr;  ///< where stresses are taken
  bool whole = false;         ///< all of S, which may leave A indefinite
};

/// Vectors are arrays of 3 nodes() numbers, x y z of a node next to each other: x current
/// coordinates [m], v velocities [m/s], d displacements [m], f forces [N].
class ElasticMesh {
 public:
  /// `properties` holds one entry per part; parts are sorted by element, and every element has one.
  /// Throws InputError for elements so distorted that det J is not positive at a quadrature point.
  ElasticMesh(const Mesh& mesh, std::span<const ElementPart> parts,
              std::span<const ElementProperties> properties, ElementTechnology technology);
  /// All elements are filled.
  ElasticMesh(const Mesh& mesh, std::span<const ElementProperties> properties,
              ElementTechnology technology)
      : ElasticMesh(mesh, filled_parts(mesh), properties, technology) {}

  int nodes() const { return static_cast<int>(mass_.size()); }
  /// Nodes of an element.
  std::span<const int> element_nodes(int element) const {
    return parts_[first_part_[element]].element.used();
  }
  /// Parts of an element: first_part(element) .. first_part(element + 1) - 1.
  int first_part(int element) const { return first_part_[element]; }
  /// Row sums of the consistent mass matrix, per node [kg]; positive at nodes of elements.
  const std::vector<double>& mass() const { return mass_; }
  /// Reference coordinates [m].
  const std::vector<double>& reference() const { return reference_; }

  /// W [J].
  double strain_energy(const double* x) const;
  /// f += factor dW/dx.
  void add_internal_force(const double* x, double factor, double* f) const;
  /// f += factor K(x) v.
  void add_viscous_force(const double* x, const double* v, double factor, double* f) const;
  /// f += factor int F_m S grad N, S = C : [(E(x0) + E(x1)) / 2 + eta sym(F_m^T grad w)],
  /// F_m = F((x0 + x1) / 2), with enhanced strains of all three. Without the term of eta [s] its
  /// work over x1 - x0 is W(x1) - W(x0), exactly (Simo and Tarnow 1992).
  void add_conserving_force(const double* x0, const double* x1, const double* w, double eta,
                            double factor, double* f) const;
  /// f += factor times the change of that force when x1 changes by dx and w by dw.
  void add_conserving_tangent(const double* x0, const double* x1, const double* w, double eta,
                              const double* dx, const double* dw, double factor, double* f) const;

  /// Zeros where K may have entries: lower triangle, compressed.
  Eigen::SparseMatrix<double> stiffness_pattern() const;
  /// A += factor K(x), lower triangle. A has the pattern above.
  void add_stiffness(const double* x, double factor, Eigen::SparseMatrix<double>& A) const {
    add_stiffness(x, factor, {}, A);
  }
  /// The same and what is needed of the geometric part of df/dx; true when that is not nothing.
  bool add_stiffness(const double* x, double factor, const StressStiffening& stiffening,
                     Eigen::SparseMatrix<double>& A) const;

  /// Upper bound of the eigenvalues of M^-1 df/dx at x, whole tangent [1/s^2]: that of the worst
  /// element by itself, with its share of the masses (Irons and Treharne 1971); in an element
  ///   omega^2 <= (max(lambda, 0) tr(F^T F) + 2 mu sigma^2 + s) Lambda
  /// with bounds of the eigenvalues: sigma^2 of F^T F, s of S, Lambda of M^-1 int grad . grad.
  /// Modes and averages only ever take from it. Too high by a factor of about 2 for hexahedra and
  /// wedges, 3 to 5 for tetrahedra and pyramids.
  double frequency_bound(const double* x) const;

  /// Of the material of a part, at a point of its element in local coordinates [Pa]; of enhanced
  /// ones through the stresses at the quadrature points, trilinear in hexahedra, bilinear in
  /// wedges, constant in pyramids. Pressures of elements in averages are averaged once more.
  Mat3 cauchy_stress(const double* x, int part, const Vec3& local) const;
  /// Of small displacements d from the reference configuration [Pa].
  Mat3 linear_stress(const double* d, int part, const Vec3& local) const;
  /// Any nodal values, 3 per node.
  Vec3 interpolate(const double* values, int element, const Vec3& local) const;

 private:
  struct Part {
    Element element;
    bool filled, enhanced;
    double lambda, mu;
    double laplacian;   // largest eigenvalue of M^-1 int grad N_a . grad N_b [m^2/kg m]
    int member;         // number in averages_; -1: none
    std::size_t data;   // where its constants begin in data_
    std::size_t block;  // where its node pairs begin in block_
  };

  // Of elements in averages [Pa]; none elsewhere.
  struct Pressures {
    std::vector<double> of_member;
    double operator()(const Part& part) const {
      return part.member < 0 ? 0 : of_member[part.member];
    }
  };

  // Calls f with the kernel (elastic_mesh.cpp) of the part.
  template <class Function>
  auto visit(const Part& part, Function f) const;
  Part part_of(const Mesh& mesh, const ElementPart& part, const ElementProperties& properties,
               ElementTechnology technology);
  void form_averages(std::span<const ElementProperties> properties);
  template <class Strains>
  double dilatation(int member, Strains strains) const;
  template <class Strains>
  Pressures added_pressures(Strains strains) const;
  template <class Strains>
  double shown_pressure(const Part& part, Strains strains) const;
  void bound_laplacians();
  void number_blocks();
  Mat3 gradient(const Part& part, const double* values, const Vec3& local) const;
  template <class Strains>
  Mat3 stress(const Part& part, const Mat3& e, const Vec3& local, Strains strains) const;
  template <class Kernel, class Stiffness>
  bool stiffen(const Part& part, const Kernel& k, const StressStiffening& stiffening,
               const Pressures& pressure, double factor, Stiffness& K) const;
  template <class Stress>
  Mat3 carried(const Part& part, const Vec3& local, Stress at) const;

  std::vector<double> reference_;
  std::vector<double> mass_;
  std::vector<Part> parts_;
  std::vector<int> first_part_;  // by element, and their number at the end
  std::vector<double> data_;
  NodalDilatation averages_;
  std::vector<int> member_part_;
  // Columns of the stiffness: nodes in the column of a node, itself first, and per pair of nodes of
  // an element with node i >= node j where row i begins in column 3 j of the values of K.
  std::vector<std::vector<int>> column_;
  std::vector<int> block_;
  std::vector<int> patch_block_;  // the same of pairs of nodes of the patches of averages_
};

}  // namespace solfec
