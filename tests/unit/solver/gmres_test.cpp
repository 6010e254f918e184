// GMRES against dense matrices.
#include "solver/gmres.hpp"

#include <gtest/gtest.h>

#include "support/local_problem.hpp"

namespace solfec::gmres_test {
namespace {

using testing::flat;
using testing::Random;

RowVector rows_of(const Eigen::VectorXd& x) {
  RowVector rows(static_cast<std::size_t>(x.size() / 3));
  for (std::size_t k = 0; k < rows.size(); k++) rows[k] = x.segment<3>(static_cast<int>(3 * k));
  return rows;
}

// A x = b with a preconditioner, or with none.
struct Dense {
  Eigen::MatrixXd A;
  Eigen::MatrixXd inverse;
  int products = 0;

  LinearSystem system() {
    return {[this](const RowVector& x, RowVector& result) {
              products++;
              result = rows_of(A * flat(x));
            },
            [this](const RowVector& x, RowVector& result) { result = rows_of(inverse * flat(x)); }};
  }
};

Dense random_system(int seed, int n) {
  Random random(seed);
  Dense d{Eigen::MatrixXd(n, n), Eigen::MatrixXd::Identity(n, n)};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) d.A(i, j) = random.uniform(-1, 1) + (i == j ? 8 : 0);
  return d;
}

RowVector random_rows(int seed, int n) {
  Random random(seed);
  RowVector b;
  for (int k = 0; k < n / 3; k++) b.push_back(random.in_box(1));
  return b;
}

double norm(const RowVector& b) { return flat(b).norm(); }

TEST(Gmres, SolvesInAsManyIterationsAsUnknowns) {
  for (int seed = 1; seed <= 5; seed++) {
    Dense d = random_system(seed, 15);
    const RowVector b = random_rows(seed, 15);
    RowVector x(5, Vec3::Zero());
    const GmresResult result =
        Gmres(20).solve(d.system(), b, 1e-10 / norm(b), 100, Communicator(), x);
    EXPECT_LE(result.products, 15);
    EXPECT_EQ(result.products, d.products);
    const double residual = (flat(b) - d.A * flat(x)).norm();
    EXPECT_LE(residual, 1.1e-10);
    EXPECT_NEAR(result.residual, residual, 1e-12);
  }
}

// Residuals are those of the system times M1^-1; from a start, and over a restart.
TEST(Gmres, PreconditionsFromBothSides) {
  Dense d = random_system(3, 18);
  const Eigen::MatrixXd left = random_system(4, 18).A, right = random_system(5, 18).A;
  LinearSystem system = d.system();
  system.precondition_multiply = [&](const RowVector& v, RowVector& x, RowVector& result) {
    x = rows_of(right * flat(v));
    result = rows_of(left * d.A * right * flat(v));
  };
  system.precondition_left = [&](RowVector& v) { v = rows_of(left * flat(v)); };
  const RowVector b = random_rows(6, 18);
  const double size = (left * flat(b)).norm();
  for (int restart : {4, 20}) {
    RowVector x = random_rows(7, 18);
    const GmresResult result = Gmres(restart).solve(system, b, 1e-8, 200, Communicator(), x);
    const double residual = (left * (flat(b) - d.A * flat(x))).norm();
    EXPECT_LE(residual, 1.001e-8 * size) << restart;
    EXPECT_NEAR(result.residual, residual, 1e-3 * residual + 1e-12 * size);
  }
}

TEST(Gmres, EachIterationHasTheLeastResidualOfItsSpace) {
  Dense d = random_system(6, 18);
  const RowVector b = random_rows(6, 18);
  Eigen::MatrixXd krylov(18, 0);
  Eigen::VectorXd next = flat(b);
  for (int k = 1; k <= 8; k++) {
    krylov.conservativeResize(18, k);
    krylov.col(k - 1) = next.normalized();
    next = d.A * krylov.col(k - 1);
    const Eigen::MatrixXd AK = d.A * krylov;
    const double least = (flat(b) - AK * AK.colPivHouseholderQr().solve(flat(b))).norm();
    RowVector x(6, Vec3::Zero());
    const GmresResult result = Gmres(20).solve(d.system(), b, 0, k, Communicator(), x);
    EXPECT_EQ(result.products, k);
    EXPECT_NEAR((flat(b) - d.A * flat(x)).norm(), least, 1e-9);
    EXPECT_NEAR(result.residual, least, 1e-9);
  }
}

TEST(Gmres, RestartsGoOn) {
  Dense d = random_system(7, 30);
  const RowVector b = random_rows(7, 30);
  RowVector x(10, Vec3::Zero());
  const GmresResult result = Gmres(4).solve(d.system(), b, 1e-9 / norm(b), 1000, Communicator(), x);
  EXPECT_LE(result.residual, 1e-9);
  EXPECT_GT(result.products, 8);
  EXPECT_LE((flat(b) - d.A * flat(x)).norm(), 1e-8);
}

TEST(Gmres, PreconditionerAndStartHelp) {
  Dense d = random_system(8, 30);
  const RowVector b = random_rows(8, 30);
  d.inverse = d.A.inverse();
  RowVector x(10, Vec3::Zero());
  EXPECT_EQ(Gmres(20).solve(d.system(), b, 1e-9 / norm(b), 1000, Communicator(), x).products, 1);
  EXPECT_LE((flat(b) - d.A * flat(x)).norm(), 1e-9);
  // One product tells that nothing is to be done.
  EXPECT_EQ(Gmres(20).solve(d.system(), b, 1e-8 / norm(b), 1000, Communicator(), x).products, 1);
}

TEST(Gmres, SingularSystemsGiveWhatTheyCan) {
  Dense d = random_system(9, 12);
  d.A = (d.A * d.A.transpose()).eval();
  d.A.row(11) = d.A.row(10);  // repeated, symmetric
  d.A.col(11) = d.A.col(10);
  const RowVector b = rows_of(d.A * flat(random_rows(9, 12)));
  RowVector x(4, Vec3::Zero());
  Gmres(20).solve(d.system(), b, 1e-9 / norm(b), 100, Communicator(), x);
  EXPECT_LE((flat(b) - d.A * flat(x)).norm(), 1e-7);
  d.A.setZero();
  Gmres(20).solve(d.system(), b, 1e-9 / norm(b), 100, Communicator(), x);
  for (const Vec3& v : x) EXPECT_TRUE(v.allFinite());
}

TEST(Gmres, NothingIsSolvedByNothing) {
  Dense d = random_system(10, 12);
  RowVector x(4, Vec3::Zero());
  EXPECT_EQ(Gmres(20).solve(d.system(), x, 0, 100, Communicator(), x).products, 0);
  RowVector none;
  EXPECT_EQ(Gmres(20).solve(d.system(), none, 0, 100, Communicator(), none).products, 0);
}

}  // namespace
}  // namespace solfec::gmres_test
