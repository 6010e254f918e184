#include "body/kinematics.hpp"

#include "body/pseudo_rigid.hpp"

namespace solfec {
namespace {

using Rows3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

bool deformable(const BodyStore& bodies, int i) { return bodies.kind(i) == BodyKind::pseudo_rigid; }

}  // namespace

Vec3 material_offset(const BodyStore& bodies, int i, const Vec3& x) {
  const Vec3 d = x - bodies.center(i);
  const auto G = bodies.gradient(i);
  return deformable(bodies, i) ? Vec3(G.inverse() * d) : Vec3(G.transpose() * d);
}

Vec3 current_point(const BodyStore& bodies, int i, const Vec3& X) {
  return bodies.center(i) + bodies.gradient(i) * (X - bodies[i].reference.center);
}

Vec3 velocity_at(const BodyStore& bodies, int i, const Vec3& x, const double* u) {
  if (deformable(bodies, i))
    return Eigen::Map<const Mat3>(u) * material_offset(bodies, i, x) +
           Eigen::Map<const Vec3>(u + 9);
  const Vec3 spin = bodies.gradient(i) * Eigen::Map<const Vec3>(u);
  return spin.cross(x - bodies.center(i)) + Eigen::Map<const Vec3>(u + 3);
}

void add_force_at(const BodyStore& bodies, int i, const Vec3& x, const Vec3& F, double* r) {
  if (deformable(bodies, i)) {
    Eigen::Map<Mat3>(r) += F * material_offset(bodies, i, x).transpose();
    Eigen::Map<Vec3>(r + 9) += F;
  } else {
    Eigen::Map<Vec3>(r) += bodies.gradient(i).transpose() * (x - bodies.center(i)).cross(F);
    Eigen::Map<Vec3>(r + 3) += F;
  }
}

void scaled_rows(const BodyStore& bodies, int i, const Vec3& x, const Mat3& base, double* rows) {
  const Inertia& inertia = bodies.inertia(i);
  const Mat3 axes = base.transpose();
  const Mat3 translation = axes * std::sqrt(inertia.inverse_mass);
  if (!deformable(bodies, i)) {
    // base^T (spin x d) = -base^T [d]x G omega
    Eigen::Map<Eigen::Matrix<double, 3, 6, Eigen::RowMajor>> H(rows);
    const Mat3 local = axes * skew(x - bodies.center(i)) * bodies.gradient(i);
    H.leftCols<3>() = -local * inertia.inverse_root;
    H.rightCols<3>() = translation;
    return;
  }
  Eigen::Map<Eigen::Matrix<double, 3, 12, Eigen::RowMajor>> H(rows);
  const Vec3 xi = material_offset(bodies, i, x);
  H.rightCols<3>() = translation;
  if (bodies[i].scheme != Scheme::def_exp) {
    // H_F = [xi_1 E^T, xi_2 E^T, xi_3 E^T], A_F = L L^T: solve L Y = H_F^T.
    Eigen::Matrix<double, 9, 3> Y;
    for (int J = 0; J < 3; J++) Y.middleRows<3>(3 * J) = xi[J] * base;
    bodies.implicit_factor(i).triangularView<Eigen::Lower>().solveInPlace(Y);
    H.leftCols<9>() = Y.transpose();
  } else {
    const Vec3 scaled = inertia.inverse_root * xi;
    for (int J = 0; J < 3; J++) H.middleCols<3>(3 * J) = scaled[J] * axes;
  }
}

Mat3 cauchy_stress(const BodyStore& bodies, const BulkMaterials& materials, int i) {
  if (!deformable(bodies, i)) return Mat3::Zero();
  const Mat3 F = bodies.gradient(i);
  const BulkMaterial& material = materials[bodies[i].material];
  return first_piola_stress(F, material) * F.transpose() / F.determinant();
}

}  // namespace solfec
