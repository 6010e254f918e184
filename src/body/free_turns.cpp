#include "body/free_turns.hpp"

namespace solfec {
namespace {

// Calls work(point, direction) for what joints to space hold of the body, in its axes, as it is
// without strain.
template <class Work>
void for_each_hold(const Body& body, const double* q, Work work) {
  const Eigen::Map<const Mat3> R(q);
  for (const Joint& joint : body.joints) {
    if (joint.other.valid() || joint.kind == ConstraintKind::spring) continue;
    const Vec3 point = joint.point - body.reference.center;
    if (binds_all_directions(joint.kind))
      for (int k = 0; k < 3; k++) work(point, Vec3::Unit(k));
    else if (joint.kind == ConstraintKind::rigid_link)
      work(point, point + R.transpose() * (Eigen::Map<const Vec3>(q + 9) - joint.other_point));
    else
      work(point, R.transpose() * joint.direction);
  }
}

}  // namespace

// Rigid motions (v, w) that no hold minds, n . (v + w x r) = 0, span the null space of the sum of
// (n, r x n) (n, r x n)^T.
Mat3 free_turns(const BodyStore& bodies, int i) {
  constexpr double kNone = 1e-8;
  using Mat6 = Eigen::Matrix<double, 6, 6>;
  Mat6 holds = Mat6::Zero();
  for_each_hold(bodies[i], bodies.q(i), [&](const Vec3& point, const Vec3& direction) {
    const Vec3 n = direction.normalized();
    Eigen::Matrix<double, 6, 1> row;
    row << n, point.cross(n) / bodies.size(i);
    holds += row * row.transpose();
  });
  if (holds.isZero(0)) return is_joined(bodies[i]) ? Mat3(Mat3::Zero()) : Mat3(Mat3::Identity());
  const Eigen::SelfAdjointEigenSolver<Mat6> motions(holds);
  Mat3 turns = Mat3::Zero();
  for (int k = 0; k < 6; k++)
    if (motions.eigenvalues()[k] < kNone * holds.trace()) {
      const Vec3 w = motions.eigenvectors().col(k).tail<3>();
      turns += w * w.transpose();
    }
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(turns);
  Mat3 free = Mat3::Zero();
  for (int k = 0; k < 3; k++)
    if (axes.eigenvalues()[k] > kNone)
      free += axes.eigenvectors().col(k) * axes.eigenvectors().col(k).transpose();
  return free;
}

}  // namespace solfec
