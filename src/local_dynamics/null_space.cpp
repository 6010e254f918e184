#include "local_dynamics/null_space.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <random>

#include "math/decompositions.hpp"

namespace solfec {
namespace {

using Vector = Eigen::VectorXd;

constexpr double kZero = 1e-12;    // of eigenvalues of Q^T Q
constexpr double kNothing = 1e-6;  // of a random number: what counts as none in a projection
// Random vectors: at first, for the left null space at first, for an estimate, and at most.
constexpr int kFirstVectors = 4, kFirstLeft = 2, kEstimateVectors = 8, kMostVectors = 64;

// Numbers in [-sqrt 3, sqrt 3], of variance 1; the same ones on any machine, as those of a
// distribution of the library need not be.
class RandomNumbers {
 public:
  Vector vector(Eigen::Index n) {
    Vector w(n);
    for (double& x : w) x = std::sqrt(3.0) * (2 * unit() - 1);
    return w;
  }

 private:
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  std::mt19937_64 engine_;
};

// Projections of random vectors on a null space.
class Projections {
 public:
  /// `project` takes vectors of n numbers.
  Projections(std::function<bool(Vector&)> project, Eigen::Index n)
      : project_(std::move(project)), n_(n) {}

  bool grow(int vectors) {
    bool resolved = true;
    for (int k = count(); k < vectors; k++) {
      Vector w = random_.vector(n_);
      resolved = project_(w) && resolved;
      vectors_.push_back(std::move(w));
    }
    return resolved;
  }
  int count() const { return static_cast<int>(vectors_.size()); }
  const std::vector<Vector>& vectors() const { return vectors_; }

  // Number of their dimensions.
  int rank() const {
    Eigen::MatrixXd products(count(), count());
    for (int i = 0; i < count(); i++)
      for (int j = 0; j <= i; j++) products(i, j) = vectors_[i].dot(vectors_[j]);
    const Vector values = symmetric_eigenvalues(products);
    const double least = kNothing * kNothing * static_cast<double>(n_);
    return static_cast<int>(std::ranges::count_if(values, [&](double x) { return x > least; }));
  }
  // Estimate of the dimension of the null space.
  double mean_square() const {
    double sum = 0;
    for (const Vector& w : vectors_) sum += w.squaredNorm();
    return sum / count();
  }

 private:
  std::function<bool(Vector&)> project_;
  Eigen::Index n_;
  RandomNumbers random_;
  std::vector<Vector> vectors_;
};

// The dimension, if there are few enough: vectors are added until they depend on each other.
std::optional<int> small_dimension(Projections& projections, int first, bool& resolved) {
  for (int vectors = first;; vectors *= 2) {
    if (!projections.grow(vectors)) resolved = false;
    const int rank = projections.rank();
    if (rank < projections.count()) return rank;
    if (!resolved || vectors >= kMostVectors || projections.mean_square() > kMostVectors)
      return std::nullopt;
  }
}

}  // namespace

NullSpace dense_null_space(const EquilibriumMatrix& matrix) {
  const Eigen::MatrixXd Q = matrix.dense();
  const Eigen::Index n = Q.cols();
  NullSpace result;
  if (Q.rows() == 0) {
    result.dimension = static_cast<double>(n);
    result.redundancy = Vector::Ones(n);
    return result;
  }
  const SymmetricEigen eigen = symmetric_eigen(Eigen::MatrixXd(Q.transpose() * Q));
  const Eigen::Index zeros =
      std::ranges::count_if(eigen.values, [](double value) { return value < kZero; });
  result.dimension = static_cast<double>(zeros);
  result.redundancy = eigen.vectors.leftCols(zeros).rowwise().squaredNorm();
  return result;
}

NullSpace projected_null_space(const EquilibriumMatrix& Q, double most_operations) {
  const NullProjection projection(Q, most_operations);
  NullSpace result;
  Projections right([&](Vector& z) { return projection.project(z); }, Q.components());
  const std::optional<int> dimension = small_dimension(right, kFirstVectors, result.resolved);
  result.redundancy = Vector::Zero(Q.components());
  for (const Vector& w : right.vectors()) result.redundancy += w.cwiseAbs2();
  result.redundancy = (result.redundancy / right.count()).cwiseMin(1.0);
  if (dimension) {
    result.dimension = *dimension;
    return result;
  }
  // dimension = components - equations + dimension of the left null space
  const double surplus = Q.components() - Q.equations();
  if (result.resolved && right.mean_square() - surplus <= kMostVectors) {
    Projections left([&](Vector& v) { return projection.project_left(v); }, Q.equations());
    if (const auto motions = small_dimension(left, kFirstLeft, result.resolved)) {
      result.dimension = surplus + *motions;
      return result;
    }
  }
  if (result.resolved) result.resolved = right.grow(kEstimateVectors);
  result.dimension = right.mean_square();
  result.deviation = std::sqrt(2 * result.dimension / right.count());
  return result;
}

}  // namespace solfec
