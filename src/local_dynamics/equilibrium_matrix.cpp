#include "local_dynamics/equilibrium_matrix.hpp"

#include "math/decompositions.hpp"

namespace solfec {
namespace {

// Of the largest pivot: equations of a body with less follow from its others.
constexpr double kDependent = 1e-9;

// Components of reactions on a body.
struct OnBody {
  const BodyColumns* columns;
  int first;  ///< component of the cluster
  int side;
};

}  // namespace

EquilibriumMatrix::EquilibriumMatrix(std::span<const EquilibriumColumns> constraints, int bodies) {
  std::vector<std::vector<OnBody>> on_body(static_cast<std::size_t>(bodies));
  int components = 0;
  for (const EquilibriumColumns& c : constraints) {
    for (int side : {0, 1})
      if (c.ends[side].body >= 0)
        on_body[static_cast<std::size_t>(c.ends[side].body)].push_back(
            {&c.ends[side], components, side});
    components += c.count;
  }
  columns_.resize(static_cast<std::size_t>(components));
  for (const std::vector<OnBody>& ends : on_body) {
    Eigen::Index count = 0;
    for (const OnBody& end : ends) count += end.columns->columns.cols();
    if (count == 0) continue;
    Eigen::MatrixXd M(ends[0].columns->columns.rows(), count);
    count = 0;
    for (const OnBody& end : ends) {
      M.middleCols(count, end.columns->columns.cols()) = end.columns->columns;
      count += end.columns->columns.cols();
    }
    const Eigen::MatrixXd rows = orthonormal_rows(M, kDependent);
    const int size = static_cast<int>(rows.rows());
    count = 0;
    for (const OnBody& end : ends)
      for (int k = 0; k < end.columns->columns.cols(); k++, count++) {
        columns_[static_cast<std::size_t>(end.first + k)].parts[end.side] = {equations_, size,
                                                                             numbers_.size()};
        numbers_.insert(numbers_.end(), rows.col(count).begin(), rows.col(count).end());
      }
    equations_ += size;
  }
}

Eigen::VectorXd EquilibriumMatrix::times(const Eigen::VectorXd& z) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(equations_);
  for (std::size_t k = 0; k < columns_.size(); k++)
    for (const Part& part : columns_[k].parts) {
      const double x = z[static_cast<Eigen::Index>(k)], *numbers = numbers_.data() + part.numbers;
      double* sum = result.data() + part.equation;
      for (int i = 0; i < part.size; i++) sum[i] += numbers[i] * x;
    }
  return result;
}

Eigen::VectorXd EquilibriumMatrix::transpose_times(const Eigen::VectorXd& v) const {
  Eigen::VectorXd result(components());
  for (std::size_t k = 0; k < columns_.size(); k++) {
    double sum = 0;
    for (const Part& part : columns_[k].parts) {
      const double *numbers = numbers_.data() + part.numbers, *x = v.data() + part.equation;
      for (int i = 0; i < part.size; i++) sum += numbers[i] * x[i];
    }
    result[static_cast<Eigen::Index>(k)] = sum;
  }
  return result;
}

std::vector<Eigen::Triplet<double, std::int64_t>> EquilibriumMatrix::entries() const {
  std::vector<Eigen::Triplet<double, std::int64_t>> result;
  result.reserve(numbers_.size());
  for (int k = 0; k < components(); k++)
    for (const Part& part : columns_[static_cast<std::size_t>(k)].parts)
      for (int i = 0; i < part.size; i++)
        result.emplace_back(part.equation + i, k,
                            numbers_[part.numbers + static_cast<std::size_t>(i)]);
  return result;
}

Eigen::MatrixXd EquilibriumMatrix::dense() const {
  Eigen::MatrixXd Q = Eigen::MatrixXd::Zero(equations_, components());
  for (const auto& entry : entries()) Q(entry.row(), entry.col()) = entry.value();
  return Q;
}

}  // namespace solfec
