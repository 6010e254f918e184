// The merit function from dense matrices and its formula, and the text dump read back.
#include "local_dynamics/local_dynamics.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "support/local_problem.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::local_dynamics_test {
namespace {

using testing::Random;

constexpr int kRows = 15;

testing::LocalProblem some_problem(int seed, DelassusForm form) {
  auto p = testing::random_problem(seed, 5, kRows, 0.01, form);
  Random random(100 + seed);
  for (int row = 0; row < kRows; row++) {
    RowLaw& law = p.dynamics.law[row];
    law.friction = random.uniform(0, 1);
    law.restitution = random.integer(0, 1) * 0.5;
    law.cohesion = random.integer(0, 1) * 0.3;
    p.solution.R[row] = random.in_box(10);
  }
  update_velocities(p.dynamics, p.solution);
  return p;
}

TEST(LocalDynamics, VelocitiesAreFreeVelocitiesPlusWR) {
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored}) {
    const auto p = some_problem(1, form);
    const Eigen::VectorXd U = testing::flat(p.dynamics.B) + p.W * testing::flat(p.solution.R);
    EXPECT_NEAR((testing::flat(p.solution.U) - U).norm(), 0, 1e-13);
  }
}

TEST(LocalDynamics, MeritIsItsFormula) {
  // g = sum <W_aa^-1 C_a, C_a> / sum <W_aa^-1 B_a, B_a> with C = F + m(w S - F), w a third of
  // the trace of W_aa; m is the polar part from the two directions u1, u2 of the report's equation
  // (23).
  for (int seed = 1; seed <= 20; seed++) {
    auto p = some_problem(seed, DelassusForm::automatic);
    const LocalDynamics& d = p.dynamics;
    LocalSolution& s = p.solution;
    double numerator = 0, denominator = 0;
    std::vector<double> shares;
    for (int row = 0; row < kRows; row++) {
      const Mat3 W = p.W.block<3, 3>(3 * row, 3 * row), W_inverse = W.inverse();
      const RowLaw& law = d.law[row];
      const double mu = law.friction;
      Vec3 F = s.U[row], S = s.R[row];
      F.z() += law.restitution * std::min(d.V[row].z(), 0.0) + mu * F.head<2>().norm();
      S.z() += law.cohesion;
      const Vec3 z = W.diagonal().mean() * S - F;
      const double zT = z.head<2>().norm(), k = 1 / std::sqrt(1 + mu * mu);
      const Vec2 t = z.head<2>() / zT;
      // Outward normal of the cone's side at z, and the ray of the cone along it.
      const Vec3 u(k * t.x(), k * t.y(), -k * mu), ray(k * mu * t.x(), k * mu * t.y(), k);
      const double along_u = u.dot(z), along_ray = ray.dot(z);
      const Vec3 m = std::max(0.0, along_u) * u + std::min(0.0, along_ray) * ray;
      // Inside of the cone (along_u <= 0) there is no polar part.
      const Vec3 C = F + (along_u <= 0 ? Vec3(Vec3::Zero()) : m);
      shares.push_back(C.dot(W_inverse * C));
      numerator += shares.back();
      denominator += d.B[row].dot(W_inverse * d.B[row]);
    }
    const Communicator communicator;
    EXPECT_NEAR(merit_scale(d, communicator), denominator, 1e-10 * denominator);
    EXPECT_NEAR(merit(d, s, communicator), numerator / denominator,
                1e-10 * numerator / denominator);
    for (int row = 0; row < kRows; row++)
      EXPECT_NEAR(s.merit[row], shares[row] / denominator, 1e-9 * shares[row] / denominator);
  }
}

TEST(LocalDynamics, MeritOfSpringsMeasuresTheMissingForce) {
  auto p = some_problem(2, DelassusForm::assembled);
  LocalDynamics& d = p.dynamics;
  LocalSolution& s = p.solution;
  for (int row = 0; row < kRows; row++) {
    d.law[row] = {};
    d.law[row].remaining = 0.5 * d.step();
    d.law[row].kind = LawKind::spring_dashpot;
    d.law[row].spring = 100;
    d.law[row].gap = -0.1;
    d.law[row].friction = 0.3;
    // The rest of the system gives U - W R; a fixed point of the law has no residual.
    const Mat3 W = p.W.block<3, 3>(3 * row, 3 * row);
    Vec3 R = Vec3::Zero();
    for (int k = 0; k < 200; k++)
      R = spring_dashpot_reaction(d.law[row], d.step(), W, d.B[row], d.V[row].z(), R, false);
    s.R[row] = R;
    s.U[row] = d.B[row] + W * R;
    EXPECT_NEAR(residual(d, s, row).norm(), 0, 1e-9);
    // Any other reaction is off by W (R - R of the law).
    s.R[row] += Vec3(0, 0, 1);
    s.U[row] = d.B[row] + W * s.R[row];
    EXPECT_NEAR((residual(d, s, row) - W * Vec3(0, 0, 1)).norm(), 0, 1e-9);
  }
}

TEST(LocalDynamics, NothingMovingIsNoDivisionByZero) {
  auto p = testing::random_problem(3, 3, 4, 0.01, DelassusForm::assembled);
  for (auto* rows : {&p.dynamics.B, &p.solution.U, &p.solution.R})
    std::ranges::fill(*rows, Vec3(Vec3::Zero()));
  EXPECT_EQ(merit_scale(p.dynamics, Communicator()), 1);
  EXPECT_EQ(merit(p.dynamics, p.solution, Communicator()), 0);
  LocalDynamics empty;
  empty.clear(0.01, {});
  empty.W.finish(DelassusForm::automatic);
  LocalSolution nothing(empty);
  update_velocities(empty, nothing);
  EXPECT_EQ(merit(empty, nothing, Communicator()), 0);
}

TEST(LocalDynamics, DumpReadsBackToTheLastBit) {
  auto p = some_problem(4, DelassusForm::factored);
  std::vector<std::string> names;
  for (int row = 0; row < kRows; row++) names.push_back(fmt::format("{}.0-7.{}", row, row % 3));
  const testing::ScratchDirectory scratch;
  dump(p.dynamics, p.solution, names, scratch / "dump.txt");
  std::ifstream file(scratch / "dump.txt");
  std::string line, name;
  std::getline(file, line);
  EXPECT_EQ(line.substr(0, 36), "# local dynamics: 15 rows, step 0.01");
  std::map<std::string, std::map<std::string, Vec3>> vectors;
  std::map<std::pair<std::string, std::string>, Mat3> blocks;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key == "row") {
      words >> name;
    } else if (key == "W") {
      std::string column;
      words >> column;
      Mat3 W;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) words >> W(i, j);
      blocks[{name, column}] = W;
    } else {
      Vec3 v;
      words >> v.x() >> v.y() >> v.z();
      vectors[name][key] = v;
    }
    EXPECT_TRUE(words) << line;
  }
  ASSERT_EQ(vectors.size(), static_cast<std::size_t>(kRows));
  std::size_t count = 0;
  for (int row = 0; row < kRows; row++) {
    EXPECT_EQ(vectors[names[row]]["B"], p.dynamics.B[row]);
    EXPECT_EQ(vectors[names[row]]["V"], p.dynamics.V[row]);
    EXPECT_EQ(vectors[names[row]]["U"], p.solution.U[row]);
    EXPECT_EQ(vectors[names[row]]["R"], p.solution.R[row]);
    for (int column : p.dynamics.W.neighbours(row)) {
      EXPECT_EQ((blocks[{names[row], names[column]}]), p.dynamics.W.block(row, column));
      count++;
    }
  }
  EXPECT_EQ(blocks.size(), count);
  names.pop_back();
  EXPECT_THROW(dump(p.dynamics, p.solution, names, scratch / "dump.txt"), std::logic_error);
}

}  // namespace
}  // namespace solfec::local_dynamics_test
