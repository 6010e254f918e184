#include "body/sparse_cholesky.hpp"

#include <cblas.h>
#include <cholmod.h>
#include <omp.h>

#include <algorithm>
#include <new>
#include <numeric>

#include "body/blas_memory.hpp"
#include "core/error.hpp"

namespace solfec {
namespace {

// Settings and work space, of each thread.
cholmod_common& common() {
  struct Common : cholmod_common {
    Common() {
      take_blas_memory();
      cholmod_start(this);
      print = 0;
      // L L^T in both variants; blocks where they pay.
      final_asis = 0;
      final_ll = 1;
    }
    Common(const Common&) = delete;
    Common& operator=(const Common&) = delete;
    ~Common() { cholmod_finish(this); }
  };
  thread_local Common common;
  return common;
}

void check(bool done) {
  if (common().status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
  DEMAND(done);
}

// While it lives, CHOLMOD does not start threads: it asks for four wherever a block is large
// enough, whatever the number of cores and of ranks, and small matrices take several times longer.
class OneThread {
 public:
  OneThread() : levels_(omp_get_max_active_levels()) { omp_set_max_active_levels(0); }
  ~OneThread() { omp_set_max_active_levels(levels_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int levels_;
};

// CHOLMOD's views of what others own; it does not change what they show.
cholmod_sparse view(const SparseCholesky::Matrix& A) {
  cholmod_sparse v{};
  v.nrow = v.ncol = static_cast<std::size_t>(A.rows());
  v.nzmax = static_cast<std::size_t>(A.nonZeros());
  v.p = const_cast<int*>(A.outerIndexPtr());
  v.i = const_cast<int*>(A.innerIndexPtr());
  v.x = const_cast<double*>(A.valuePtr());
  v.stype = -1;  // the lower triangle
  v.itype = CHOLMOD_INT;
  v.xtype = CHOLMOD_REAL;
  v.dtype = CHOLMOD_DOUBLE;
  v.sorted = v.packed = 1;
  return v;
}

cholmod_dense view(double* values, std::size_t rows, std::size_t columns) {
  cholmod_dense v{};
  v.nrow = v.d = rows;
  v.ncol = columns;
  v.nzmax = rows * columns;
  v.x = values;
  v.xtype = CHOLMOD_REAL;
  v.dtype = CHOLMOD_DOUBLE;
  return v;
}

}  // namespace

namespace {

// A block of columns of L, of dense rows: those of the square on the diagonal, then others.
struct BlockView {
  int first, columns, rows;
  const int* row;       // places
  const double* value;  // column by column

  BlockView(const cholmod_factor& L, int b) {
    const auto at = [b](const void* list) { return static_cast<const int*>(list) + b; };
    first = at(L.super)[0];
    columns = at(L.super)[1] - first;
    rows = at(L.pi)[1] - at(L.pi)[0];
    row = static_cast<const int*>(L.s) + at(L.pi)[0];
    value = static_cast<const double*>(L.x) + at(L.px)[0];
  }
};

// What a block hands on to the next one towards the last: rows of it below the square, for the
// columns begin to end of E.
struct Front {
  int parent, begin, end;
  const int* row;
  Eigen::MatrixXd value;
};

struct PlacedEntry {
  int place, column;
  double value;
};

}  // namespace

struct SparseCholesky::Factor {
  cholmod_factor* L = nullptr;
  // Kept between calls: solution and work space.
  cholmod_dense *X = nullptr, *Y = nullptr, *E = nullptr;

  Factor() = default;
  Factor(const Factor&) = delete;
  Factor& operator=(const Factor&) = delete;
  ~Factor() {
    cholmod_free_factor(&L, &common());
    for (cholmod_dense** d : {&X, &Y, &E}) cholmod_free_dense(d, &common());
  }

  // values <- the solution of the system of this kind.
  void solve(int kind, double* values, std::size_t columns) {
    const OneThread one_thread;
    cholmod_dense B = view(values, L->n, columns);
    check(cholmod_solve2(kind, L, &B, nullptr, &X, nullptr, &Y, &E, &common()));
    std::copy_n(static_cast<const double*>(X->x), L->n * columns, values);
  }
};

SparseCholesky::SparseCholesky() : factor_(std::make_unique<Factor>()) {}
SparseCholesky::~SparseCholesky() = default;

void SparseCholesky::analyse(const Matrix& A) {
  const OneThread one_thread;
  cholmod_sparse a = view(A);
  cholmod_free_factor(&factor_->L, &common());
  // Of two orders of elimination the one with the sparser L: minimum degree, and for large matrices
  // nested dissection, of which a few columns of L^-1 have fewer numbers, too.
  constexpr int kLarge = 1000;
  common().nmethods = A.rows() < kLarge ? 1 : 2;
  common().method[0].ordering = CHOLMOD_AMD;
  common().method[1].ordering = CHOLMOD_METIS;
  factor_->L = cholmod_analyze(&a, &common());
  check(factor_->L != nullptr);
  const auto* row = static_cast<const int*>(factor_->L->Perm);
  place_.resize(static_cast<std::size_t>(A.rows()));
  for (int k = 0; k < static_cast<int>(place_.size()); k++)
    place_[static_cast<std::size_t>(row[k])] = k;
  block_.clear();
  if (!in_blocks()) return;
  const auto* first = static_cast<const int*>(factor_->L->super);
  block_.resize(place_.size());
  for (int b = 0; b < static_cast<int>(factor_->L->nsuper); b++)
    std::fill(block_.begin() + first[b], block_.begin() + first[b + 1], b);
}

bool SparseCholesky::factor(const Matrix& A) {
  const OneThread one_thread;
  cholmod_sparse a = view(A);
  check(cholmod_factorize(&a, factor_->L, &common()));
  // Not positive definite: 0; no number: none.
  return cholmod_rcond(factor_->L, &common()) > 0;
}

void SparseCholesky::solve(std::span<double> b) const { factor_->solve(CHOLMOD_A, b.data(), 1); }

void SparseCholesky::solve_lower(Columns& B) const { factor_->solve(CHOLMOD_L, B.data(), 3); }

void SparseCholesky::solve_upper(std::span<double> b) const {
  factor_->solve(CHOLMOD_Lt, b.data(), 1);
}

bool SparseCholesky::in_blocks() const { return factor_->L->is_super; }

// The multifrontal way of Y = L^-1 P E: columns of E stand in the order of their first places, so
// that those that reach a block are neighbours, and blocks below it hand on what they have for its
// rows. Each block adds  Y_b^T Y_b  to the result.
Eigen::MatrixXd SparseCholesky::inverse_between(std::span<const FewEntries> E, const Columns* B,
                                                Columns* EB) const {
  DEMAND(in_blocks());
  const OneThread one_thread;
  const cholmod_factor& L = *factor_->L;
  const int size = static_cast<int>(E.size());
  std::vector<int> first(E.size(), static_cast<int>(L.n)), order(E.size());
  for (std::size_t c = 0; c < E.size(); c++)
    for (const Entry& entry : E[c]) first[c] = std::min(first[c], place(entry.row));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int c) { return first[static_cast<std::size_t>(c)]; });
  std::vector<PlacedEntry> entries;
  for (int c = 0; c < size; c++)
    for (const Entry& entry : E[static_cast<std::size_t>(order[static_cast<std::size_t>(c)])])
      entries.push_back({place(entry.row), c, entry.value});
  std::ranges::sort(entries, {}, [](const PlacedEntry& e) { return std::pair(e.place, e.column); });

  Eigen::MatrixXd sorted = Eigen::MatrixXd::Zero(size, size);
  Columns products = Columns::Zero(size, 3);
  std::vector<Front> waiting;
  std::vector<int> position(L.n);  // of places, in the block
  int next = 0;                    // column of E that no block has met
  const auto block_of = [&](int k) { return block_[static_cast<std::size_t>(k)]; };
  for (auto entry = entries.begin(); entry != entries.end() || !waiting.empty();) {
    // Blocks in which nothing happens are passed over.
    int b = static_cast<int>(L.nsuper);
    if (entry != entries.end()) b = block_of(entry->place);
    if (!waiting.empty()) b = std::min(b, waiting.back().parent);
    const BlockView block(L, b);
    const int below = block.rows - block.columns;
    for (int k = 0; k < block.rows; k++) position[static_cast<std::size_t>(block.row[k])] = k;
    int begin = next;
    auto lowest = waiting.end();
    while (lowest != waiting.begin() && std::prev(lowest)->parent == b) begin = (--lowest)->begin;
    auto last = entry;
    for (; last != entries.end() && block_of(last->place) == b; ++last)
      next = std::max(next, last->column + 1);
    const int columns = next - begin;
    Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(block.rows, columns);
    for (; entry != last; ++entry) {
      DEMAND(entry->column >= begin);
      Y(position[static_cast<std::size_t>(entry->place)], entry->column - begin) += entry->value;
    }
    for (auto front = lowest; front != waiting.end(); ++front)
      for (Eigen::Index c = 0; c < front->value.cols(); c++)
        for (Eigen::Index k = 0; k < front->value.rows(); k++)
          Y(position[static_cast<std::size_t>(front->row[k])], front->begin - begin + c) +=
              front->value(k, c);
    waiting.erase(lowest, waiting.end());
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, block.columns,
                columns, 1, block.value, block.rows, Y.data(), block.rows);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, columns, block.columns, 1, Y.data(),
                block.rows, 1, &sorted(begin, begin), size);
    if (B)
      products.middleRows(begin, columns).noalias() +=
          Y.topRows(block.columns).transpose() * B->middleRows(block.first, block.columns);
    if (below == 0) continue;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, below, columns, block.columns, -1,
                block.value + block.columns, block.rows, Y.data(), block.rows, 1,
                Y.data() + block.columns, block.rows);
    const int* rows_below = block.row + block.columns;
    waiting.push_back({block_of(*rows_below), begin, next, rows_below, Y.bottomRows(below)});
  }
  Eigen::MatrixXd result(size, size);
  for (int c = 0; c < size; c++) {
    const int to = order[static_cast<std::size_t>(c)];
    if (EB) EB->row(to) = products.row(c);
    for (int k = c; k < size; k++) {
      const int row = order[static_cast<std::size_t>(k)];
      result(row, to) = result(to, row) = sorted(k, c);
    }
  }
  return result;
}

std::size_t SparseCholesky::entries() const {
  const cholmod_factor& L = *factor_->L;
  return L.is_super ? L.xsize : static_cast<std::size_t>(static_cast<const int*>(L.p)[L.n]);
}

}  // namespace solfec
