#include "body/row_basis.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "body/blas_memory.hpp"
#include "core/error.hpp"
#include "geometry/element.hpp"

// Of LAPACK: the root of a symmetric matrix, in place.
extern "C" void dpotrf_(const char* triangle, const int* n, double* A, const int* leading,
                        int* info);

namespace solfec {
namespace {

// Shape functions that are rounding: of nodes that a point at another one does not need.
constexpr double kRounding = 1e-13;
// Solvers tell a body with a mesh from others by the length of its rows (joint_reactions.cpp).
constexpr int kLeastSize = 24;

// row += (three columns of the upper triangle F) part
void add_columns(const Eigen::MatrixXd& F, int first, const Vec3& part, double* row) {
  const double *a = &F(0, first), *b = &F(0, first + 1), *c = &F(0, first + 2);
  for (int k = 0; k < first + 3; k++) row[k] += a[k] * part[0] + b[k] * part[1] + c[k] * part[2];
}

// Calls work(node, N) for the nodes that carry a point.
template <class Work>
void visit_nodes(const ElasticMesh& mesh, const ElementPoint& point, Work&& work) {
  const auto nodes = mesh.element_nodes(point.element);
  std::array<double, 8> N;
  shape_functions(static_cast<int>(nodes.size()), point.local, N);
  for (std::size_t k = 0; k < nodes.size(); k++)
    if (std::abs(N[k]) > kRounding) work(nodes[k], N[k]);
}

template <class Item>
void make_unique(std::vector<Item>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

template <class Item>
int position(const std::vector<Item>& items, const Item& item) {
  const auto found = std::lower_bound(items.begin(), items.end(), item);
  DEMAND(found != items.end() && *found == item);
  return static_cast<int>(found - items.begin());
}

}  // namespace

RowBasis::Carriers RowBasis::carriers(const ElasticMesh& mesh, std::span<const ElementPoint> points,
                                      double most_nodes) {
  Carriers result;
  for (const ElementPoint& point : points)
    visit_nodes(mesh, point, [&](int node, double) { result.nodes.push_back(node); });
  make_unique(result.nodes);
  result.points.assign(points.begin(), points.end());
  make_unique(result.points);
  if (static_cast<double>(result.nodes.size()) >
      most_nodes * static_cast<double>(result.points.size()))
    result.nodes.clear();
  else
    result.points.clear();
  return result;
}

std::vector<SparseCholesky::FewEntries> RowBasis::columns(const ElasticMesh& mesh,
                                                          const Carriers& carriers,
                                                          const SupportedNodes& supported) {
  std::vector<SparseCholesky::FewEntries> columns;
  for (int node : carriers.nodes)
    for (int c = 0; c < 3; c++) columns.push_back({{3 * node + c, 1.0}});
  for (const ElementPoint& point : carriers.points)
    for (int c = 0; c < 3; c++)
      visit_nodes(mesh, point, [&, &column = columns.emplace_back()](int node, double N) {
        const Mat3& P = supported.of_rows(node);
        for (int r = 0; r < 3; r++)
          if (P(r, c) != 0) column.push_back({3 * node + r, N * P(r, c)});
      });
  return columns;
}

void RowBasis::take(Carriers carriers) {
  carriers_ = std::move(carriers);
  size_ = std::max(3 * carriers_.count(), kLeastSize);
}

bool RowBasis::take(Carriers carriers, Eigen::MatrixXd C) {
  clear();
  const int size = static_cast<int>(C.rows());
  int info = 0;
  take_blas_memory();
  dpotrf_("U", &size, C.data(), &size, &info);
  if (info != 0) return false;
  for (int k = 0; k < size; k += 3)
    for (auto [row, column] : {std::pair(1, 0), {2, 0}, {2, 1}}) C(k + row, k + column) = 0;
  F_ = std::move(C);
  by_mass_ = false;
  take(std::move(carriers));
  return true;
}

void RowBasis::take_masses(Carriers carriers, const std::vector<double>& masses) {
  DEMAND(carriers.points.empty());
  inverse_root_.clear();
  for (int node : carriers.nodes)
    inverse_root_.push_back(1 / std::sqrt(masses[static_cast<std::size_t>(node)]));
  by_mass_ = true;
  take(std::move(carriers));
}

void RowBasis::rows(const ElasticMesh& mesh, const ElementPoint& point, const Mat3& axes,
                    double* rows, const SupportedNodes& supported) const {
  std::fill_n(rows, 3 * size_, 0.0);
  const auto add = [&](int carrier, const Mat3& part) {
    for (int i = 0; i < 3; i++) {
      double* row = rows + i * size_;
      if (by_mass_)
        for (int k = 0; k < 3; k++)
          row[3 * carrier + k] += inverse_root_[static_cast<std::size_t>(carrier)] * part(k, i);
      else  // as a plain loop: its rounding does not depend on where the memory begins
        add_columns(F_, 3 * carrier, part.col(i), row);
    }
  };
  if (!carriers_.points.empty()) return add(position(carriers_.points, point), axes);
  visit_nodes(mesh, point, [&](int node, double N) {
    add(position(carriers_.nodes, node), supported.of_rows(node) * (N * axes));
  });
}

}  // namespace solfec
