#include "body/sparse_cholesky.hpp"

#include <cholmod.h>
#include <omp.h>

#include <algorithm>
#include <new>

#include "core/error.hpp"

namespace solfec {
namespace {

// Settings and work space; they may be shared, as nothing here runs in threads.
cholmod_common& common() {
  struct Common : cholmod_common {
    Common() {
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
  static Common common;
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
  factor_->L = cholmod_analyze(&a, &common());
  check(factor_->L != nullptr);
  const auto* row = static_cast<const int*>(factor_->L->Perm);
  place_.resize(static_cast<std::size_t>(A.rows()));
  for (int k = 0; k < static_cast<int>(place_.size()); k++)
    place_[static_cast<std::size_t>(row[k])] = k;
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

std::size_t SparseCholesky::entries() const {
  const cholmod_factor& L = *factor_->L;
  return L.is_super ? L.xsize : static_cast<std::size_t>(static_cast<const int*>(L.p)[L.n]);
}

}  // namespace solfec
