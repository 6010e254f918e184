#include "body/free_turns.hpp"

#include <map>

#include "math/decompositions.hpp"

namespace solfec {
namespace {

constexpr double kNone = 1e-8;

// Projection on the vectors that a sum of squares leaves out.
Mat3 null_space(const Mat3& squares) {
  const SymmetricEigen3 axes = symmetric_eigen(squares);
  Mat3 null = Mat3::Zero();
  for (int k = 0; k < 3; k++)
    if (axes.values[k] <= kNone) null += axes.vectors.col(k) * axes.vectors.col(k).transpose();
  return null;
}

}  // namespace

void add_hold(HeldMotions& motions, const Vec3& r, const Vec3& n) {
  Eigen::Matrix<double, 6, 1> row;
  row << n, r.cross(n);
  motions += row * row.transpose();
}

// Rigid motions (v, w) that no hold minds, n . (v + w x r) = 0, span the null space of the sum.
Mat3 held_turns(const HeldMotions& holds) {
  const SymmetricEigen motions = symmetric_eigen(Eigen::MatrixXd(holds));
  Mat3 turns = Mat3::Zero();
  for (int k = 0; k < 6; k++)
    if (motions.values[k] < kNone * holds.trace()) {
      const Vec3 w = motions.vectors.col(k).tail<3>();
      turns += w * w.transpose();
    }
  return null_space(turns);
}

Mat3 free_turns(const BodyStore& bodies, int i) {
  std::map<BodyId, HeldMotions> holds;
  for (const Hold& hold : bodies.holds(i))
    add_hold(holds.try_emplace(hold.neighbour, HeldMotions::Zero()).first->second,
             hold.point / bodies.extent(i).size, hold.direction);
  if (const auto space = holds.find(BodyId()); space != holds.end())
    return Mat3::Identity() - held_turns(space->second);
  Mat3 held = Mat3::Zero();
  for (const auto& [neighbour, sum] : holds) held += held_turns(sum);
  return holds.empty() ? Mat3(Mat3::Identity()) : null_space(held);
}

}  // namespace solfec
