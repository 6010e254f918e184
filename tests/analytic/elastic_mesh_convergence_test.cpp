// Orders of convergence of elastic meshes against exact solutions of small strains. Tables of all
// studies: --gtest_also_run_disabled_tests --gtest_filter=*Tables.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "analytic/solutions/elasticity.hpp"
#include "body/elastic_mesh.hpp"
#include "geometry/element.hpp"
#include "support/cell_mesh.hpp"
#include "support/random.hpp"

namespace solfec::elastic_mesh_convergence_test {
namespace {

using solutions::Elasticity;
using solutions::PlateWithHole;
using solutions::SineWaves;
using solutions::ThickCylinder;
using solutions::ThickSphere;
using testing::Cell;
using testing::CellMesh;
using testing::Random;
using Matrix = Eigen::SparseMatrix<double>;
using Technology = ElementTechnology;
using Vector = Eigen::VectorXd;

constexpr double kYoung = 1e4;

// --- problems -----------------------------------------------------------------------------------

// What holds on a side of the unit cube: exact displacements, none along the normal, exact forces.
enum class Side { given, sliding, loaded };

// A body, the image of the unit cube, and what happens in it.
struct Problem {
  Elasticity material;
  std::function<Vec3(const Vec3& X)> displacement;
  std::function<Mat3(const Vec3& X)> stress;
  std::function<Vec3(const Vec3& X)> body_force;                    // per volume
  std::function<Vec3(const Vec3& X, const Vec3& normal)> traction;  // per area, where loaded
  std::function<Vec3(const Vec3& place)> map;
  std::array<int, 3> divisions;
  std::array<Side, 6> sides;  // low and high of x, y, z
};

template <class Solution>
Problem unloaded(const Solution& solution, const Elasticity& material) {
  Problem problem;
  problem.material = material;
  problem.displacement = [=](const Vec3& X) { return solution.displacement(X); };
  problem.stress = [=](const Vec3& X) { return solution.stress(X); };
  problem.body_force = [](const Vec3&) -> Vec3 { return Vec3::Zero(); };
  return problem;
}

// Plane problems have one layer of cells, of thickness 1 / n, between sliding planes.
constexpr std::array<Side, 6> kPlaneSides = {Side::loaded,  Side::loaded,  Side::sliding,
                                             Side::sliding, Side::sliding, Side::sliding};

using Maker = Problem (*)(double poisson, int n);

// An eighth of a cylinder.
Problem cylinder(double poisson, int n) {
  const Elasticity material{kYoung, poisson};
  Problem problem = unloaded(ThickCylinder(1, 2, 1, material), material);
  problem.traction = [](const Vec3& X, const Vec3& normal) -> Vec3 {
    return std::hypot(X.x(), X.y()) < 1.5 ? Vec3(-normal) : Vec3::Zero();
  };
  problem.map = [=](const Vec3& p) {
    const double r = 1 + p.x(), angle = std::numbers::pi / 4 * p.y();
    return Vec3(r * std::cos(angle), r * std::sin(angle), p.z() / n);
  };
  problem.divisions = {n, n, 1};
  problem.sides = kPlaneSides;
  return problem;
}

// What four planes through its center cut out of a sphere.
Problem sphere(double poisson, int n) {
  const Elasticity material{kYoung, poisson};
  Problem problem = unloaded(ThickSphere(1, 2, 1, material), material);
  problem.traction = [](const Vec3& X, const Vec3& normal) -> Vec3 {
    return X.norm() < 1.5 ? Vec3(-normal) : Vec3::Zero();
  };
  problem.map = [](const Vec3& p) -> Vec3 {
    return (1 + p.x()) * Vec3(1, 0.7 * p.y(), 0.7 * p.z()).normalized();
  };
  problem.divisions = {n, n, n};
  problem.sides = kPlaneSides;
  return problem;
}

// A quarter of a square with a hole, under the tractions that the infinite plate has there.
Problem plate(double poisson, int n) {
  constexpr double kHalf = 4, kGrading = 4;
  const Elasticity material{kYoung, poisson};
  const PlateWithHole solution(1, 1, material);
  Problem problem = unloaded(solution, material);
  problem.traction = [=](const Vec3& X, const Vec3& normal) -> Vec3 {
    const bool outside = X.head<2>().maxCoeff() > 0.9 * kHalf;
    return outside ? Vec3(solution.stress(X) * normal) : Vec3::Zero();
  };
  problem.map = [=](const Vec3& p) -> Vec3 {
    const double angle = std::numbers::pi / 2 * p.y();
    const Vec3 hole(std::cos(angle), std::sin(angle), 0);
    const Vec3 square(std::min(1.0, 2 - 2 * p.y()), std::min(1.0, 2 * p.y()), 0);
    const double part = (std::pow(kGrading, p.x()) - 1) / (kGrading - 1);
    return hole + part * (kHalf * square - hole) + Vec3(0, 0, p.z() / n);
  };
  problem.divisions = {n, n, 1};
  problem.sides = kPlaneSides;
  return problem;
}

SineWaves waves(double poisson) {
  SineWaves solution{{kYoung, poisson}, 1e-3, Mat3::Zero(), Vec3(0.3, 1, -0.5)};
  solution.waves << 2, 1, -1, 1, -2, 1.5, 0.5, 1, 2.5;
  // The change of volume such that pressures are of the size of the shear stresses.
  solution.waves.diagonal() *= 1.5 * solution.material.mu() / solution.material.lambda();
  return solution;
}

// A cube of elements distorted at random, under body forces. Two sides are loaded: displacements
// given all round would ask of nearly incompressible elements a change of volume that is not
// theirs.
Problem cube(double poisson, int n) {
  const SineWaves solution = waves(poisson);
  Problem problem = unloaded(solution, solution.material);
  problem.body_force = [=](const Vec3& X) { return solution.body_force(X); };
  Random random(7);
  problem.map = [=](const Vec3& p) mutable -> Vec3 {
    const Vec3 noise = random.in_box(0.15 / n);
    const bool inside = p.minCoeff() > 0 && p.maxCoeff() < 1;
    return inside ? Vec3(p + noise) : p;
  };
  problem.divisions = {n, n, n};
  problem.traction = [=](const Vec3& X, const Vec3& normal) -> Vec3 {
    return solution.stress(X) * normal;
  };
  problem.sides = {Side::given, Side::loaded, Side::given, Side::given, Side::given, Side::loaded};
  return problem;
}

// --- kinds of elements --------------------------------------------------------------------------

struct Kind {
  const char* name;
  Technology technology;
  CellMesh::Kind cells;
};

CellMesh::Kind all(Cell cell) {
  return [=](const CellMesh::Place&) { return cell; };
}

const Kind kEnhanced = {"hexahedra", Technology::enhanced, all(Cell::hexahedron)};
const Kind kPlain = {"hexahedra, plain", Technology::plain, all(Cell::hexahedron)};
const Kind kHexahedra[] = {kEnhanced, kPlain};
const Kind kOthers[] = {{"wedges", Technology::enhanced, all(Cell::wedges)},
                        {"pyramids", Technology::enhanced, all(Cell::pyramids)},
                        {"tetrahedra", Technology::enhanced, all(Cell::tetrahedra)}};
const Kind kOthersPlain[] = {{"wedges, plain", Technology::plain, all(Cell::wedges)},
                             {"pyramids, plain", Technology::plain, all(Cell::pyramids)},
                             {"tetrahedra, plain", Technology::plain, all(Cell::tetrahedra)}};
const Kind kMixed = {"mixed", Technology::enhanced, [](const CellMesh::Place& p) {
                       if (p[2] % 2 == 1) return Cell::pyramids;
                       return (p[0] + p[1]) % 2 == 0 ? Cell::hexahedron : Cell::wedges;
                     }};

// --- quadrature ---------------------------------------------------------------------------------

using Rule = std::vector<QuadraturePoint>;
using Rules = std::array<Rule, 9>;  // by number of nodes

// Products of three-point rules of Gauss on a cube, which may collapse into the other elements.
Rule fine_rule(int nodes) {
  const double root = std::sqrt(0.6);
  const double point[] = {-root, 0, root}, weight[] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  Rule rule;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) {
        const double x = point[i], y = point[j], z = point[k];
        const double a = (1 + x) / 2, b = (1 + y) / 2, c = (1 + z) / 2;
        const double w = weight[i] * weight[j] * weight[k];
        if (nodes == 4)
          rule.push_back(
              {Vec3(a * (1 - b) * (1 - c), b * (1 - c), c), w / 8 * (1 - b) * (1 - c) * (1 - c)});
        if (nodes == 5)
          rule.push_back({Vec3(x * (1 - c), y * (1 - c), c), w / 2 * (1 - c) * (1 - c)});
        if (nodes == 6) rule.push_back({Vec3(a * (1 - b), b, z), w / 4 * (1 - b)});
        if (nodes == 8) rule.push_back({Vec3(x, y, z), w});
      }
  return rule;
}

// Calls f(X, normal times area, shape functions) at points of a face of three or four corners.
template <class Function>
void integrate_face(std::span<const Vec3> corners, Function f) {
  if (corners.size() == 3) {
    const Vec3 area = (corners[1] - corners[0]).cross(corners[2] - corners[0]) / 2;
    for (int m = 0; m < 3; m++) {
      std::array<double, 4> N = {0.5, 0.5, 0.5, 0};
      N[m] = 0;
      f(Vec3((corners[(m + 1) % 3] + corners[(m + 2) % 3]) / 2), Vec3(area / 3), N);
    }
    return;
  }
  constexpr double kS[] = {-1, 1, 1, -1}, kT[] = {-1, -1, 1, 1};
  for (int m = 0; m < 4; m++) {
    const double s = kS[m] / std::sqrt(3), t = kT[m] / std::sqrt(3);
    std::array<double, 4> N;
    Vec3 X = Vec3::Zero(), along_s = Vec3::Zero(), along_t = Vec3::Zero();
    for (int a = 0; a < 4; a++) {
      N[a] = (1 + kS[a] * s) * (1 + kT[a] * t) / 4;
      X += N[a] * corners[a];
      along_s += kS[a] * (1 + kT[a] * t) / 4 * corners[a];
      along_t += kT[a] * (1 + kS[a] * s) / 4 * corners[a];
    }
    f(X, Vec3(along_s.cross(along_t)), N);
  }
}

// --- solution and errors ------------------------------------------------------------------------

// Relative errors, by integrals of squares: of displacements and stresses all over the elements, of
// stresses at quadrature points only and at centers only, and of the means of stresses at
// quadrature points against the exact ones at centers.
struct Errors {
  int unknowns;
  double displacement, stress, quadrature, center, mean;
};

// A problem on a mesh.
class Analysis {
 public:
  Analysis(const Problem& problem, const Kind& kind)
      : problem_(problem),
        cells_(problem.divisions, kind.cells),
        mesh_(cells_.mesh(problem.map)),
        solid_(mesh_,
               std::vector<ElementProperties>(
                   mesh_.elements.size(), {problem.material.lambda(), problem.material.mu(), 1}),
               kind.technology),
        load_(Vector::Zero(3 * solid_.nodes())),
        fixed_(solid_.nodes()) {
    for (int nodes : {4, 5, 6, 8}) {
      const auto own = quadrature(nodes);
      fine_[nodes] = fine_rule(nodes);
      own_[nodes].assign(own.begin(), own.end());
      center_[nodes] = {{local_center(nodes), 1}};
    }
    for (const BoundaryFace& face : mesh_.boundary) hold_or_load(face);
    add_body_force();
    solve();
  }

  Errors errors() const {
    const auto displacement = [&](int e, const Vec3& X, const Vec3& local) {
      const Vec3 exact = problem_.displacement(X);
      return std::array{(solid_.interpolate(d_.data(), e, local) - exact).squaredNorm(),
                        exact.squaredNorm()};
    };
    const auto stress = [&](int e, const Vec3& X, const Vec3& local) {
      const Mat3 exact = problem_.stress(X);
      return std::array{(solid_.linear_stress(d_.data(), e, local) - exact).squaredNorm(),
                        exact.squaredNorm()};
    };
    const auto mean = [&](int e, const Vec3& X, const Vec3&) {
      const Mat3 exact = problem_.stress(X);
      const Rule& rule = own_[mesh_.elements[e].nodes];
      Mat3 sum = Mat3::Zero();
      for (const QuadraturePoint& point : rule)
        sum += solid_.linear_stress(d_.data(), e, point.local) / static_cast<double>(rule.size());
      return std::array{(sum - exact).squaredNorm(), exact.squaredNorm()};
    };
    return {unknowns_,           error(fine_, displacement), error(fine_, stress),
            error(own_, stress), error(center_, stress),     error(center_, mean)};
  }

 private:
  std::vector<Vec3> corners(int element) const {
    std::vector<Vec3> corners;
    for (int node : mesh_.elements[element].used()) corners.push_back(mesh_.nodes[node]);
    return corners;
  }

  // Calls f(element, X, local, weight) at the points of a rule for each kind of elements.
  template <class Function>
  void for_points(const Rules& rules, Function f) const {
    for (std::size_t e = 0; e < mesh_.elements.size(); e++) {
      const int index = static_cast<int>(e);
      const auto nodes = corners(index);
      for (const auto& [local, weight] : rules[nodes.size()])
        f(index, solid_.interpolate(solid_.reference().data(), index, local), local,
          weight * jacobian(nodes, local).determinant());
    }
  }

  // From the squares of an error and of the exact value at a point.
  template <class Function>
  double error(const Rules& rules, Function squares) const {
    double sum = 0, scale = 0;
    for_points(rules, [&](int e, const Vec3& X, const Vec3& local, double weight) {
      const auto [difference, exact] = squares(e, X, local);
      sum += weight * difference;
      scale += weight * exact;
    });
    return std::sqrt(sum / scale);
  }

  void hold_or_load(const BoundaryFace& face) {
    const Element& element = mesh_.elements[face.element];
    std::vector<int> nodes;
    std::vector<Vec3> corners;
    for (int k : element_faces(element.nodes).loop(face.side)) {
      nodes.push_back(element.node[k]);
      corners.push_back(mesh_.nodes[element.node[k]]);
    }
    const Side side = problem_.sides[side_of(nodes)];
    integrate_face(corners, [&](const Vec3& X, const Vec3& area, const auto& N) {
      const Vec3 normal = area.normalized();
      if (side == Side::loaded) {
        const Vec3 force = problem_.traction(X, normal) * area.norm();
        for (std::size_t a = 0; a < nodes.size(); a++)
          load_.segment<3>(3 * nodes[a]) += N[a] * force;
      } else {
        for (int node : nodes) {
          hold(node, normal);
          if (side == Side::sliding) continue;
          for (int k = 0; k < 3; k++) hold(node, Vec3::Unit(k));
        }
      }
    });
  }

  int side_of(std::span<const int> nodes) const {
    for (int side = 0; side < 6; side++) {
      bool all = true;
      for (int node : nodes)
        all = all && std::abs(cells_.places()[node][side / 2] - side % 2) < 1e-12;
      if (all) return side;
    }
    ADD_FAILURE() << "a face of the boundary inside of the body";
    return 0;
  }

  // The displacement of the node along a direction is the exact one.
  void hold(int node, const Vec3& direction) {
    Vec3 rest = direction;
    for (const Vec3& held : fixed_[node]) rest -= held.dot(rest) * held;
    if (rest.norm() > 1e-6) fixed_[node].push_back(rest.normalized());
  }

  void add_body_force() {
    for_points(fine_, [&](int e, const Vec3& X, const Vec3& local, double weight) {
      const Element& element = mesh_.elements[e];
      std::array<double, 8> N;
      shape_functions(element.nodes, local, N);
      const Vec3 force = weight * problem_.body_force(X);
      for (int a = 0; a < element.nodes; a++) load_.segment<3>(3 * element.node[a]) += N[a] * force;
    });
  }

  // d = held + Z y, with the directions in which nodes are free in the columns of Z.
  void solve() {
    std::vector<Eigen::Triplet<double>> entries;
    Vector held = Vector::Zero(load_.size());
    unknowns_ = 0;
    for (int node = 0; node < solid_.nodes(); node++) {
      const Vec3 exact = problem_.displacement(mesh_.nodes[node]);
      Mat3 free = Mat3::Identity();
      for (const Vec3& direction : fixed_[node]) {
        held.segment<3>(3 * node) += direction * direction.dot(exact);
        free -= direction * direction.transpose();
      }
      if (!fixed_[node].empty()) free = Eigen::SelfAdjointEigenSolver<Mat3>(free).eigenvectors();
      for (int k = static_cast<int>(fixed_[node].size()); k < 3; k++, unknowns_++)
        for (int i = 0; i < 3; i++)
          if (free(i, k) != 0) entries.emplace_back(3 * node + i, unknowns_, free(i, k));
    }
    Matrix Z(load_.size(), unknowns_);
    Z.setFromTriplets(entries.begin(), entries.end());
    Matrix lower = solid_.stiffness_pattern();
    solid_.add_stiffness(solid_.reference().data(), 1, lower);
    const Matrix K = lower.selfadjointView<Eigen::Lower>();
    const Eigen::SimplicialLLT<Matrix> factors(Z.transpose() * K * Z);
    ASSERT_EQ(factors.info(), Eigen::Success);
    d_ = held + Z * factors.solve(Z.transpose() * (load_ - K * held));
  }

  const Problem& problem_;
  CellMesh cells_;
  Mesh mesh_;
  ElasticMesh solid_;
  Vector load_;
  std::vector<std::vector<Vec3>> fixed_;
  Rules fine_, own_, center_;
  int unknowns_ = 0;
  Vector d_;
};

// --- studies ------------------------------------------------------------------------------------

using Study = std::vector<Errors>;

Errors errors(Maker maker, const Kind& kind, double poisson, int n) {
  const Problem problem = maker(poisson, n);
  return Analysis(problem, kind).errors();
}

constexpr int kPlane[] = {4, 8, 16, 32};
constexpr int kSphere[] = {3, 6, 12};
constexpr int kCube[] = {2, 4, 8};

struct Body {
  const char* name;
  Maker maker;
  std::span<const int> divisions;
};

const Body kCylinder = {"cylinder", cylinder, kPlane};
const Body kHollowSphere = {"sphere", sphere, kSphere};
const Body kPlate = {"plate with a hole", plate, kPlane};
const Body kDistorted = {"distorted cube", cube, kCube};
const Body kExact[] = {kCylinder, kHollowSphere, kPlate};

Study study(const Body& body, const Kind& kind, double poisson) {
  Study rows;
  for (int n : body.divisions) rows.push_back(errors(body.maker, kind, poisson, n));
  return rows;
}

// From the last two meshes, the finer one of them twice as fine.
double order(const Study& rows, double Errors::*quantity) {
  return std::log2(rows[rows.size() - 2].*quantity / rows.back().*quantity);
}

void print(const std::string& title, const Study& rows) {
  constexpr double Errors::*kQuantities[] = {&Errors::displacement, &Errors::stress,
                                             &Errors::quadrature, &Errors::center, &Errors::mean};
  fmt::print("{}\n  unknowns  displacement   stress   quadrature   center       mean\n", title);
  for (const Errors& row : rows) {
    fmt::print("  {:8}", row.unknowns);
    for (auto quantity : kQuantities) fmt::print("   {:.2e}", row.*quantity);
    fmt::print("\n");
  }
  fmt::print("  order   ");
  for (auto quantity : kQuantities) fmt::print("   {:8.2f}", order(rows, quantity));
  fmt::print("\n");
}

void expect_convergence(const Study& rows) {
  EXPECT_GE(order(rows, &Errors::displacement), 1.8);
  EXPECT_GE(order(rows, &Errors::stress), 0.9);
}

// --- tests --------------------------------------------------------------------------------------

// Displacements lead to the stresses, these are in balance with the body forces, and given sides
// are free or under pressure.
TEST(ElasticMeshConvergence, ExactSolutions) {
  constexpr double kStep = 1e-5;
  for (const Body& body : {kCylinder, kHollowSphere, kPlate, kDistorted})
    for (double poisson : {0.3, 0.4999}) {
      SCOPED_TRACE(fmt::format("{}, {}", body.name, poisson));
      const Problem problem = body.maker(poisson, 4);
      for (const Vec3& place : {Vec3(0.2, 0.3, 0.4), Vec3(0.5, 0.9, 0.1), Vec3(0.8, 0.6, 0.7)}) {
        const Vec3 X = problem.map(place);
        Mat3 slope;
        Vec3 balance = problem.body_force(X);
        for (int k = 0; k < 3; k++) {
          const Vec3 step = kStep * Vec3::Unit(k);
          slope.col(k) =
              (problem.displacement(X + step) - problem.displacement(X - step)) / (2 * kStep);
          balance += (problem.stress(X + step) - problem.stress(X - step)).col(k) / (2 * kStep);
        }
        const Mat3 stress = problem.stress(X);
        const double accuracy = 1e-9 * problem.material.lambda() / problem.material.mu();
        EXPECT_LT((problem.material.stress(0.5 * (slope + slope.transpose())) - stress).norm(),
                  accuracy * stress.norm());
        EXPECT_LT(balance.norm(), 1e-7 * stress.norm());
      }
      for (double side : {0.0, 1.0}) {
        const Vec3 X = problem.map(Vec3(side, 0.3, 0));
        if (body.maker == cube || (body.maker == plate && side == 1)) continue;
        const Vec3 normal = Vec3(X.x(), X.y(), body.maker == sphere ? X.z() : 0).normalized();
        const Vec3 expected = side == 0 && body.maker != plate ? Vec3(-normal) : Vec3::Zero();
        EXPECT_LT((problem.stress(X) * normal - expected).norm(), 1e-12);
      }
    }
}

TEST(ElasticMeshConvergence, Hexahedra) {
  for (const Body& body : kExact)
    for (const Kind& kind : kHexahedra) {
      SCOPED_TRACE(fmt::format("{}, {}", body.name, kind.name));
      const Study rows = study(body, kind, 0.3);
      expect_convergence(rows);
      EXPECT_GE(order(rows, &Errors::center), 1.8);
    }
}

TEST(ElasticMeshConvergence, OtherElements) {
  for (const Body& body : kExact)
    for (const Kind& kind : kOthers) {
      SCOPED_TRACE(fmt::format("{}, {}", body.name, kind.name));
      expect_convergence(study(body, kind, 0.3));
    }
}

TEST(ElasticMeshConvergence, DistortedElements) {
  std::vector<Kind> kinds = {kEnhanced, kPlain, kMixed};
  kinds.insert(kinds.end(), std::begin(kOthers), std::end(kOthers));
  for (const Kind& kind : kinds) {
    SCOPED_TRACE(kind.name);
    expect_convergence(study(kDistorted, kind, 0.3));
  }
}

// Stresses at quadrature points: elsewhere in elements that are not parallelepipeds the change of
// volume is an error of second order, times a large modulus.
TEST(ElasticMeshConvergence, NearlyIncompressibleHexahedra) {
  for (const Body& body : kExact) {
    SCOPED_TRACE(body.name);
    const Study usual = study(body, kEnhanced, 0.3), rows = study(body, kEnhanced, 0.4999);
    EXPECT_GE(order(rows, &Errors::displacement), 1.8);
    EXPECT_GE(order(rows, &Errors::quadrature), 0.9);
    EXPECT_GE(order(rows, &Errors::mean), 1.8);
    for (std::size_t k = 0; k < rows.size(); k++) {
      EXPECT_LT(rows[k].displacement, 2 * usual[k].displacement);
      EXPECT_LT(rows[k].quadrature, 1.7 * usual[k].quadrature);
    }
    const int n = body.divisions[1];
    EXPECT_GT(errors(body.maker, kPlain, 0.4999, n).displacement, 10 * rows[1].displacement)
        << "plain elements lock";
  }
}

TEST(ElasticMeshConvergence, NearlyIncompressibleDistortedHexahedra) {
  const Study rows = study(kDistorted, kEnhanced, 0.4999);
  EXPECT_GE(order(rows, &Errors::displacement), 1.8);
  EXPECT_LT(rows.back().quadrature, 0.1);
  EXPECT_GT(errors(cube, kPlain, 0.4999, 8).quadrature, 10 * rows.back().quadrature);
}

// Stresses all over the elements.
TEST(ElasticMeshConvergence, NearlyIncompressibleOthers) {
  constexpr int kCoarse[] = {4, 8, 16};
  for (std::size_t k = 0; k < std::size(kOthers); k++) {
    SCOPED_TRACE(kOthers[k].name);
    const Study rows = study({"", cylinder, kCoarse}, kOthers[k], 0.4999);
    expect_convergence(rows);
    const auto compare = [&](Maker maker, int n, const Errors& found, double displacement) {
      const Errors usual = errors(maker, kOthers[k], 0.3, n);
      EXPECT_LT(found.displacement, displacement * usual.displacement);
      EXPECT_LT(found.stress, 2.1 * usual.stress);
      const Errors plain = errors(maker, kOthersPlain[k], 0.4999, n);
      EXPECT_GT(plain.displacement, 6 * found.displacement) << "plain elements lock";
      EXPECT_GT(plain.stress, 6 * found.stress);
    };
    compare(cylinder, 16, rows.back(), 2.2);
    compare(sphere, 6, errors(sphere, kOthers[k], 0.4999, 6), 3.5);
  }
}

TEST(ElasticMeshConvergence, NearlyIncompressibleDistortedOthers) {
  std::vector<Kind> kinds = {kMixed};
  kinds.insert(kinds.end(), std::begin(kOthers), std::end(kOthers));
  for (const Kind& kind : kinds) {
    SCOPED_TRACE(kind.name);
    const Study rows = study(kDistorted, kind, 0.4999);
    EXPECT_GE(order(rows, &Errors::displacement), 1.8);
    EXPECT_LT(rows.back().stress, 0.06);
  }
}

TEST(ElasticMeshConvergence, DISABLED_Tables) {
  std::vector<Kind> kinds(std::begin(kHexahedra), std::end(kHexahedra));
  for (std::size_t k = 0; k < std::size(kOthers); k++) {
    kinds.push_back(kOthers[k]);
    kinds.push_back(kOthersPlain[k]);
  }
  for (const Body& body : {kCylinder, kHollowSphere, kPlate, kDistorted})
    for (double poisson : {0.3, 0.4999})
      for (const Kind& kind : kinds)
        print(fmt::format("{}, {}, Poisson's ratio {}", body.name, kind.name, poisson),
              study(body, kind, poisson));
  for (double poisson : {0.3, 0.4999})
    print(fmt::format("distorted cube, mixed, Poisson's ratio {}", poisson),
          study(kDistorted, kMixed, poisson));
}

}  // namespace
}  // namespace solfec::elastic_mesh_convergence_test
