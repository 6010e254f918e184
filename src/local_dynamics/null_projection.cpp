#include "local_dynamics/null_projection.hpp"

#include <Eigen/SparseCholesky>

namespace solfec {
namespace {

using Vector = Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>;

constexpr double kShift = 1e-10, kAccuracy = 1e-13;
constexpr int kMostPasses = 50, kMostIterations = 50000;

// r <- w - A^T y with |r| least, where r is w at first.
template <class Times, class TransposeTimes>
bool least_squares(const Times& A, const TransposeTimes& A_transposed, Vector& r) {
  const double goal = kAccuracy * r.norm();
  Vector s = A(r), p = s;
  double size = s.squaredNorm();
  for (int k = 0; k < kMostIterations; k++) {
    if (size <= goal * goal) return true;
    const Vector q = A_transposed(p);
    const double square = q.squaredNorm();
    if (!(square > 0)) break;
    r -= (size / square) * q;
    s = A(r);
    const double last = size;
    size = s.squaredNorm();
    p = s + (size / last) * p;
  }
  return false;
}

}  // namespace

class NullProjection::Factor : public Eigen::SimplicialLLT<Sparse> {
 public:
  /// False where the factor would take more operations.
  bool make(const EquilibriumMatrix& matrix, double most_operations) {
    Sparse Q(matrix.equations(), matrix.components());
    const auto entries = matrix.entries();
    Q.setFromTriplets(entries.begin(), entries.end());
    Sparse K = Q * Q.transpose();
    Sparse unit(K.rows(), K.cols());
    unit.setIdentity();
    K += kShift * unit;
    analyzePattern(K);
    if (m_nonZerosPerCol.cast<double>().squaredNorm() > most_operations) return false;
    factorize(K);
    return info() == Eigen::Success;
  }
};

NullProjection::NullProjection(const EquilibriumMatrix& Q, double most_operations) : Q_(Q) {
  if (Q.equations() == 0 || !(Q.equations() <= most_operations)) return;
  factor_ = std::make_unique<Factor>();
  try {
    if (factor_->make(Q, most_operations)) return;
  } catch (const std::bad_alloc&) {  // conjugate gradients need little
  }
  factor_.reset();
}

NullProjection::~NullProjection() = default;

bool NullProjection::project(Vector& z) const {
  const auto times = [&](const Vector& x) { return Q_.times(x); };
  const auto transpose_times = [&](const Vector& x) { return Q_.transpose_times(x); };
  if (!factored()) return least_squares(times, transpose_times, z);
  const double goal = kAccuracy * z.norm();
  for (int k = 0; k < kMostPasses; k++) {
    const Vector s = Q_.times(z);
    if (s.norm() <= goal) return true;
    z -= Q_.transpose_times(factor_->solve(s));
  }
  return false;
}

bool NullProjection::project_left(Vector& v) const {
  const auto times = [&](const Vector& x) { return Q_.times(x); };
  const auto transpose_times = [&](const Vector& x) { return Q_.transpose_times(x); };
  if (!factored()) return least_squares(transpose_times, times, v);
  const double goal = kAccuracy * v.norm();
  for (int k = 0; k < kMostPasses; k++) {
    if (Q_.transpose_times(v).norm() <= goal) return true;
    v = kShift * factor_->solve(v);
  }
  return false;
}

}  // namespace solfec
