// Elastic meshes: patch tests, forces and stiffness by differences, conservation, and what enhanced
// elements and averages are for: slender beams and nearly incompressible blocks against known
// answers.
#include "body/elastic_mesh.hpp"

#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <map>
#include <string>

#include "core/error.hpp"
#include "geometry/element.hpp"
#include "geometry/moments.hpp"
#include "support/cell_mesh.hpp"
#include "support/random.hpp"

namespace solfec {
namespace {

using testing::Random;
using Vector = Eigen::VectorXd;
using Technology = ElementTechnology;

constexpr Technology kTechnologies[] = {Technology::enhanced, Technology::plain};

ElementProperties material(double young, double poisson, double density = 1000) {
  return {young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 + 2 * poisson),
          density};
}

const ElementProperties kRubber = material(1e4, 0.4);  // with averages

ElasticMesh elastic(const Mesh& mesh, const ElementProperties& properties = kRubber,
                    Technology technology = Technology::enhanced) {
  return {mesh, std::vector<ElementProperties>(mesh.elements.size(), properties), technology};
}

Eigen::Map<const Vector> reference(const ElasticMesh& solid) {
  return {solid.reference().data(), 3 * solid.nodes()};
}

// --- meshes -------------------------------------------------------------------------------------

using testing::Cell;

// Of n x n x n cells with the edge 1.
Mesh block(int n, const testing::CellMesh::Kind& kind) {
  return testing::CellMesh({n, n, n}, kind).mesh([=](const Vec3& place) { return n * place; });
}

Mesh block(int n, Cell cell) {
  return block(n, [=](const auto&) { return cell; });
}

// All four kinds of elements.
Mesh mixed(int n) {
  return block(n, [](const testing::CellMesh::Place& p) {
    if (p[2] == 1) return Cell::pyramids;
    return (p[0] + p[1]) % 2 == 0 ? Cell::hexahedron : Cell::wedges;
  });
}

Mesh distorted(Mesh mesh, double amount, std::uint64_t seed = 7) {
  Random random(seed);
  for (Vec3& x : mesh.nodes) x += random.in_box(amount);
  return mesh;
}

struct Sample {
  const char* name;
  Mesh mesh;
};

std::vector<Sample> samples(int n, double amount) {
  return {{"hexahedra", distorted(block(n, Cell::hexahedron), amount)},
          {"wedges", distorted(block(n, Cell::wedges), amount)},
          {"pyramids", distorted(block(n, Cell::pyramids), amount)},
          {"tetrahedra", distorted(block(n, Cell::tetrahedra), amount)},
          {"mixed", distorted(mixed(n), amount)}};
}

std::vector<bool> on_boundary(const Mesh& mesh) {
  std::vector<bool> on(mesh.nodes.size(), false);
  for (const BoundaryFace& face : mesh.boundary) {
    const Element& element = mesh.elements[face.element];
    for (int k : element_faces(element.nodes).loop(face.side)) on[element.node[k]] = true;
  }
  return on;
}

Vector mapped(const Mesh& mesh, const Mat3& F) {
  Vector x(3 * mesh.nodes.size());
  for (std::size_t i = 0; i < mesh.nodes.size(); i++) x.segment<3>(3 * i) = F * mesh.nodes[i];
  return x;
}

Mat3 gradient(Random& random, double strain) {
  Mat3 F = Mat3::Identity();
  for (int k = 0; k < 9; k++) F(k) += random.uniform(-strain, strain);
  return F;
}

Vector at_random(Random& random, int size, double amount) {
  Vector v(size);
  for (double& value : v) value = random.uniform(-amount, amount);
  return v;
}

// A state far from rest: a homogeneous deformation with noise.
Vector deformed(Random& random, const Mesh& mesh, double strain = 0.2, double noise = 0.05) {
  return mapped(mesh, gradient(random, strain)) +
         at_random(random, 3 * static_cast<int>(mesh.nodes.size()), noise);
}

// --- forces and matrices ------------------------------------------------------------------------

Vector internal_force(const ElasticMesh& solid, const Vector& x) {
  Vector f = Vector::Zero(x.size());
  solid.add_internal_force(x.data(), 1, f.data());
  return f;
}

Eigen::SparseMatrix<double> lower_stiffness(const ElasticMesh& solid, const Vector& x) {
  auto K = solid.stiffness_pattern();
  solid.add_stiffness(x.data(), 1, K);
  return K;
}

Eigen::MatrixXd stiffness(const ElasticMesh& solid, const Vector& x) {
  return Eigen::MatrixXd(lower_stiffness(solid, x)).selfadjointView<Eigen::Lower>();
}

// Whole tangent df/dx, by central differences (exact up to rounding: forces are cubic in x, the
// error of the differences is that of their last term).
Eigen::MatrixXd tangent(const ElasticMesh& solid, const Vector& x) {
  constexpr double kStep = 1e-5;
  Eigen::MatrixXd T(x.size(), x.size());
  for (int k = 0; k < x.size(); k++) {
    Vector plus = x, minus = x;
    plus[k] += kStep;
    minus[k] -= kStep;
    T.col(k) = (internal_force(solid, plus) - internal_force(solid, minus)) / (2 * kStep);
  }
  return T;
}

Vec3 total(const Vector& f) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < f.size(); i += 3) sum += f.segment<3>(i);
  return sum;
}

Vec3 torque(const Vector& x, const Vector& f) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < f.size(); i += 3) sum += x.segment<3>(i).cross(f.segment<3>(i));
  return sum;
}

// Displacements under a load with some of them given: degree of freedom -> value.
Vector solve(const ElasticMesh& solid, const std::map<int, double>& given, const Vector& load) {
  const auto lower = lower_stiffness(solid, reference(solid));
  Eigen::SparseMatrix<double> K = lower.selfadjointView<Eigen::Lower>();
  Vector d = Vector::Zero(load.size());
  for (auto [k, value] : given) d[k] = value;
  Vector right = load - K * d;
  for (auto [k, value] : given) right[k] = value;
  K.prune([&](int i, int j, double) { return i == j || (!given.count(i) && !given.count(j)); });
  for (auto [k, value] : given) K.coeffRef(k, k) = 1;
  return Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(K).solve(right);
}

// --- tests --------------------------------------------------------------------------------------

TEST(ElasticMesh, MassesAreExactAndPositive) {
  for (const auto& [name, mesh] : samples(3, 0.15)) {
    const ElasticMesh solid = elastic(mesh);
    const Moments exact = moments(mesh, Vec3::Zero());
    double mass = 0;
    Vec3 first = Vec3::Zero();
    for (int i = 0; i < solid.nodes(); i++) {
      EXPECT_GT(solid.mass()[i], 0);
      mass += solid.mass()[i];
      first += solid.mass()[i] * mesh.nodes[i];
    }
    EXPECT_NEAR(mass, 1000 * exact.volume, 1e-12 * mass) << name;
    EXPECT_NEAR((first - 1000 * exact.first).norm(), 0, 1e-11 * mass) << name;
  }
}

TEST(ElasticMesh, PatchTestOfSmallStrains) {
  Random random(1);
  const Mat3 slope = gradient(random, 0.5) - Mat3::Identity();
  const Mat3 strain = 0.5 * (slope + slope.transpose());
  const Mat3 exact = kRubber.lambda * strain.trace() * Mat3::Identity() + 2 * kRubber.mu * strain;
  for (Technology technology : kTechnologies)
    for (const auto& [name, mesh] : samples(3, 0.12)) {
      const ElasticMesh solid = elastic(mesh, kRubber, technology);
      const Vector linear = mapped(mesh, slope);
      const auto boundary = on_boundary(mesh);
      std::map<int, double> given;
      for (int k = 0; k < linear.size(); k++)
        if (boundary[k / 3]) given[k] = linear[k];
      ASSERT_LT(given.size(), static_cast<std::size_t>(linear.size())) << "nodes inside";
      const Vector d = solve(solid, given, Vector::Zero(linear.size()));
      EXPECT_LT((d - linear).norm(), 1e-10 * linear.norm()) << name;
      for (std::size_t e = 0; e < mesh.elements.size(); e++) {
        const Vec3 local = local_center(mesh.elements[e].nodes) + random.in_box(0.1);
        const Mat3 stress = solid.linear_stress(d.data(), static_cast<int>(e), local);
        EXPECT_LT((stress - exact).norm(), 1e-10 * exact.norm()) << name;
      }
    }
}

TEST(ElasticMesh, PatchTestOfLargeStrains) {
  Random random(2);
  const Mat3 F = gradient(random, 0.3);
  const Mat3 E = 0.5 * (F.transpose() * F - Mat3::Identity());
  const Mat3 S = kRubber.lambda * E.trace() * Mat3::Identity() + 2 * kRubber.mu * E;
  const Mat3 exact = F * S * F.transpose() / F.determinant();
  for (Technology technology : kTechnologies)
    for (const auto& [name, mesh] : samples(3, 0.12)) {
      const ElasticMesh solid = elastic(mesh, kRubber, technology);
      const Vector x = mapped(mesh, F), f = internal_force(solid, x);
      const auto boundary = on_boundary(mesh);
      for (int i = 0; i < solid.nodes(); i++) {
        if (boundary[i]) continue;
        EXPECT_LT(f.segment<3>(3 * i).norm(), 1e-12 * f.norm()) << name;
      }
      for (std::size_t e = 0; e < mesh.elements.size(); e++) {
        const Vec3 local = local_center(mesh.elements[e].nodes) + random.in_box(0.1);
        const Mat3 stress = solid.cauchy_stress(x.data(), static_cast<int>(e), local);
        EXPECT_LT((stress - exact).norm(), 1e-10 * exact.norm()) << name;
      }
      const double energy = 0.5 * S.cwiseProduct(E).sum() * moments(mesh, Vec3::Zero()).volume;
      EXPECT_NEAR(solid.strain_energy(x.data()), energy, 1e-11 * energy) << name;
    }
}

TEST(ElasticMesh, RigidMotionCostsNothing) {
  Random random(3);
  const Mesh mesh = distorted(mixed(3), 0.12);
  const ElasticMesh solid = elastic(mesh);
  Vector x = mapped(mesh, random.rotation());
  for (int i = 0; i < x.size(); i += 3) x.segment<3>(i) += Vec3(10, -5, 3);
  EXPECT_LT(solid.strain_energy(x.data()), 1e-20 * kRubber.lambda);
  EXPECT_LT(internal_force(solid, x).norm(), 1e-11 * kRubber.lambda);
  for (std::size_t e = 0; e < mesh.elements.size(); e++) {
    const Vec3 local = local_center(mesh.elements[e].nodes);
    EXPECT_LT(solid.cauchy_stress(x.data(), static_cast<int>(e), local).norm(),
              1e-11 * kRubber.lambda);
  }
  EXPECT_LT(solid.strain_energy(solid.reference().data()), 1e-20 * kRubber.lambda);
}

TEST(ElasticMesh, OnlyRigidMotionCostsNothing) {
  for (Technology technology : kTechnologies)
    for (Cell cell : {Cell::hexahedron, Cell::wedges, Cell::pyramids, Cell::tetrahedra}) {
      const ElasticMesh solid = elastic(distorted(block(1, cell), 0.1), kRubber, technology);
      const Vector modes =
          Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(stiffness(solid, reference(solid)))
              .eigenvalues();
      EXPECT_LT(modes.head(6).cwiseAbs().maxCoeff(), 1e-11 * modes.maxCoeff());
      EXPECT_GT(modes[6], 1e-3 * modes.maxCoeff());
    }
}

TEST(ElasticMesh, ElementsAloneHaveSixRigidModes) {
  for (int nodes : {4, 5, 6, 8}) {
    const Cell cells[] = {Cell::tetrahedra, Cell::pyramids, Cell::wedges, {}, Cell::hexahedron};
    const Mesh all = distorted(block(1, cells[nodes - 4]), 0.1);
    std::vector<Vec3> corners;
    Element element{nodes, {}, 0};
    for (int a = 0; a < nodes; a++) {
      corners.push_back(all.nodes[all.elements[0].node[a]]);
      element.node[a] = a;
    }
    for (double poisson : {0.3, 0.4999}) {
      const ElasticMesh solid =
          elastic(make_mesh(corners, {element}, 0, {}), material(1e4, poisson));
      const Vector modes =
          Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(stiffness(solid, reference(solid)))
              .eigenvalues();
      EXPECT_LT(modes.head(6).cwiseAbs().maxCoeff(), 1e-12 * modes.maxCoeff()) << nodes;
      EXPECT_GT(modes[6], 0.01 * 1e4) << nodes;
    }
  }
}

// Averages of the elements of each material, and none of elements that are not filled.
TEST(ElasticMesh, AveragesOfSeveralMaterials) {
  Random random(10);
  const Mesh mesh = distorted(mixed(2), 0.12);
  std::vector<ElementProperties> properties;
  std::vector<ElementPart> parts = filled_parts(mesh);
  for (std::size_t e = 0; e < mesh.elements.size(); e++) {
    properties.push_back(material(1e4, e % 3 == 0 ? 0.4 : 0.499));
    if (mesh.elements[e].nodes == 4 && e % 2 == 0) parts[e].filled = false;
  }
  const ElasticMesh solid(mesh, parts, properties, Technology::enhanced);
  const Vector x = deformed(random, mesh), f = internal_force(solid, x);
  for (int k = 0; k < x.size(); k += 5) {
    Vector plus = x, minus = x;
    plus[k] += 1e-5;
    minus[k] -= 1e-5;
    const double slope =
        (solid.strain_energy(plus.data()) - solid.strain_energy(minus.data())) / 2e-5;
    EXPECT_NEAR(f[k], slope, 1e-7 * f.norm());
  }
  const Vector v = at_random(random, static_cast<int>(x.size()), 1);
  Vector viscous = Vector::Zero(x.size());
  solid.add_viscous_force(x.data(), v.data(), 1, viscous.data());
  EXPECT_LT((viscous - stiffness(solid, x) * v).norm(), 1e-13 * viscous.norm());
}

TEST(ElasticMesh, TetrahedraThatAreNotFilledArePlain) {
  Random random(11);
  const Mesh mesh = distorted(block(2, Cell::tetrahedra), 0.1);
  std::vector<ElementPart> parts = filled_parts(mesh);
  for (ElementPart& part : parts) part.filled = false;
  const std::vector<ElementProperties> properties(parts.size(), kRubber);
  const ElasticMesh cut(mesh, parts, properties, Technology::enhanced);
  const ElasticMesh plain = elastic(mesh, kRubber, Technology::plain);
  const Vector x = deformed(random, mesh);
  EXPECT_EQ(internal_force(cut, x), internal_force(plain, x));
  EXPECT_LT(elastic(mesh).strain_energy(x.data()), plain.strain_energy(x.data()));
}

TEST(ElasticMesh, ForceIsTheGradientOfTheEnergy) {
  Random random(4);
  for (Technology technology : kTechnologies) {
    const Mesh mesh = distorted(mixed(2), 0.12);
    const ElasticMesh solid = elastic(mesh, kRubber, technology);
    const Vector x = deformed(random, mesh), f = internal_force(solid, x);
    for (int k = 0; k < x.size(); k++) {
      Vector plus = x, minus = x;
      plus[k] += 1e-5;
      minus[k] -= 1e-5;
      const double slope =
          (solid.strain_energy(plus.data()) - solid.strain_energy(minus.data())) / 2e-5;
      EXPECT_NEAR(f[k], slope, 1e-7 * f.norm());
    }
  }
}

TEST(ElasticMesh, StiffnessIsTheTangentAtRest) {
  for (Technology technology : kTechnologies) {
    const ElasticMesh solid = elastic(distorted(mixed(2), 0.12), kRubber, technology);
    const Vector x = reference(solid);
    const Eigen::MatrixXd K = stiffness(solid, x);
    EXPECT_LT((K - tangent(solid, x)).norm(), 1e-8 * K.norm());
  }
}

TEST(ElasticMesh, StiffnessOfADeformedState) {
  Random random(5);
  for (Technology technology : kTechnologies) {
    const Mesh mesh = distorted(mixed(2), 0.12);
    const ElasticMesh solid = elastic(mesh, kRubber, technology);
    const Vector x = deformed(random, mesh);
    const Eigen::MatrixXd K = stiffness(solid, x);
    const Vector v = at_random(random, static_cast<int>(x.size()), 1);
    Vector f = Vector::Zero(x.size());
    solid.add_viscous_force(x.data(), v.data(), 1, f.data());
    EXPECT_LT((f - K * v).norm(), 1e-13 * f.norm()) << "viscous force";
    EXPECT_LT(total(f).norm(), 1e-12 * f.norm());
    EXPECT_LT(torque(x, f).norm(), 1e-12 * f.norm());
    EXPECT_GE(v.dot(f), 0);

    Vector spin(x.size());
    const Vec3 omega(1, -2, 3);
    for (int i = 0; i < x.size(); i += 3) spin.segment<3>(i) = omega.cross(x.segment<3>(i));
    EXPECT_LT((K * spin).norm(), 1e-13 * K.norm() * spin.norm());
    const Vector modes = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K).eigenvalues();
    EXPECT_GT(modes.minCoeff(), -1e-12 * modes.maxCoeff());

    auto A = solid.stiffness_pattern();
    solid.add_stiffness(x.data(), 3, A);
    solid.add_stiffness(x.data(), -1, A);
    const Eigen::MatrixXd twice = Eigen::MatrixXd(A).selfadjointView<Eigen::Lower>();
    EXPECT_LT((twice - 2 * K).norm(), 1e-14 * K.norm());
  }
}

TEST(ElasticMesh, ThePatternIsTheLowerTriangle) {
  const ElasticMesh solid = elastic(mixed(2));
  const auto A = solid.stiffness_pattern();
  EXPECT_TRUE(A.isCompressed());
  for (int j = 0; j < A.outerSize(); j++) {
    Eigen::SparseMatrix<double>::InnerIterator it(A, j);
    ASSERT_TRUE(it);
    EXPECT_EQ(it.row(), j) << "the diagonal is there, and nothing above it";
  }
}

TEST(ElasticMesh, ConservingForceDoesTheWorkOfTheEnergy) {
  Random random(6);
  for (Technology technology : kTechnologies) {
    const Mesh mesh = distorted(mixed(2), 0.12);
    const ElasticMesh solid = elastic(mesh, kRubber, technology);
    const Vector x0 = deformed(random, mesh), x1 = deformed(random, mesh), xm = 0.5 * (x0 + x1);
    const Vector w = at_random(random, static_cast<int>(x0.size()), 1);
    const auto force = [&](double eta) {
      Vector f = Vector::Zero(x0.size());
      solid.add_conserving_force(x0.data(), x1.data(), w.data(), eta, 1, f.data());
      return f;
    };
    const double gain = solid.strain_energy(x1.data()) - solid.strain_energy(x0.data());
    EXPECT_NEAR(force(0).dot(x1 - x0), gain, 1e-12 * solid.strain_energy(x1.data()));
    const Vector f = force(0.3);
    EXPECT_LT(total(f).norm(), 1e-12 * f.norm());
    EXPECT_LT(torque(xm, f).norm(), 1e-12 * f.norm());
    Vector viscous = Vector::Zero(f.size());
    solid.add_viscous_force(xm.data(), w.data(), 0.3, viscous.data());
    EXPECT_LT((f - force(0) - viscous).norm(), 1e-13 * f.norm());
    Vector still = Vector::Zero(f.size());
    solid.add_conserving_force(x0.data(), x0.data(), w.data(), 0, 1, still.data());
    EXPECT_LT((still - internal_force(solid, x0)).norm(), 1e-13 * still.norm());
  }
}

TEST(ElasticMesh, FrequencyBound) {
  Random random(8);
  Mat3 squeezed = Mat3::Identity(), stretched = Mat3::Identity();
  squeezed(2, 2) = 0.8;
  stretched(0, 0) = 1.3;
  const std::map<std::string, double> limit = {
      {"hexahedra", 2.2}, {"wedges", 2.6}, {"pyramids", 5}, {"tetrahedra", 6.5}, {"mixed", 5}};
  for (Technology technology : kTechnologies)
    for (const auto& [name, mesh] : samples(2, 0.08))
      for (const Mat3& F : {Mat3(Mat3::Identity()), squeezed, stretched, gradient(random, 0.1)}) {
        const ElasticMesh solid = elastic(mesh, material(1e4, 0.3), technology);
        const Vector x = mapped(mesh, F) + at_random(random, 3 * solid.nodes(), 0.02);
        Vector scale(x.size());
        for (int k = 0; k < x.size(); k++) scale[k] = 1 / std::sqrt(solid.mass()[k / 3]);
        const Eigen::MatrixXd T = scale.asDiagonal() * tangent(solid, x) * scale.asDiagonal();
        const double exact =
            Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(T, Eigen::EigenvaluesOnly)
                .eigenvalues()
                .maxCoeff();
        const double ratio = solid.frequency_bound(x.data()) / exact;
        EXPECT_GE(ratio, 1) << name;
        EXPECT_LE(ratio, limit.at(name)) << name;
        for (double poisson : {-0.9, -0.5, 0.0, 0.4, 0.4999}) {
          const ElasticMesh other = elastic(mesh, material(1e4, poisson), technology);
          const Eigen::MatrixXd all = scale.asDiagonal() * tangent(other, x) * scale.asDiagonal();
          const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(all, Eigen::EigenvaluesOnly);
          EXPECT_GE(other.frequency_bound(x.data()), eigen.eigenvalues().maxCoeff())
              << name << " " << poisson;
        }
      }
}

// --- locking ------------------------------------------------------------------------------------

// A beam along x, one element through its unit square section, its end under a shear load.
struct Cantilever {
  static constexpr int kLength = 20;

  // Of the sections between elements: how far their nodes are moved at random, and how they lean,
  // all in the same way, or every other one against its neighbours (trapezoids).
  struct Distortion {
    double amount = 0, shear = 0, taper = 0;
  };

  Cantilever(double poisson, Technology technology, const Distortion& distortion)
      : poisson_(poisson),
        mesh_(make_beam(distortion)),
        solid_(elastic(mesh_, material(1, poisson), technology)) {
    std::map<int, double> given;
    Vector load = Vector::Zero(3 * solid_.nodes());
    for (int i = 0; i < solid_.nodes(); i++) {
      const Vec3& x = mesh_.nodes[i];
      if (x.x() == 0) given[3 * i] = given[3 * i + 2] = 0;
      if (x.x() == 0 && x.y() == 0) given[3 * i + 1] = 0;
      if (x.x() == kLength) load[3 * i + 2] = kForce / 4;
    }
    d_ = solve(solid_, given, load);
  }

  // Against beam theory.
  double deflection() const {
    const double I = 1.0 / 12, G = 1 / (2 + 2 * poisson_), L = kLength;
    const double exact = kForce * L * L * L / (3 * I) + kForce * L / (5.0 / 6 * G);
    double tip = 0;
    for (int i = 0; i < solid_.nodes(); i++)
      if (mesh_.nodes[i].x() == kLength) tip += d_[3 * i + 2] / 4;
    return tip / exact;
  }
  double top_stress() const {
    const int e = kLength / 2;
    const Vec3 local(0, 0, 1);
    const Vec3 x = solid_.interpolate(solid_.reference().data(), e, local);
    const double exact = -kForce * (kLength - x.x()) * (x.z() - 0.5) * 12;
    return solid_.linear_stress(d_.data(), e, local)(0, 0) / exact;
  }

 private:
  static constexpr double kForce = 1e-3;

  static Mesh make_beam(const Distortion& distortion) {
    std::array<Vec3, 8> corners;
    for (int m = 0; m < 8; m++)
      corners[m] = Vec3(m % 4 == 1 || m % 4 == 2 ? kLength : 0, m % 4 >= 2, m / 4);
    Mesh mesh =
        make_hexahedral_mesh(corners, {std::vector<double>(kLength, 1.0), {1.0}, {1.0}}, 0, {});
    // Along the beam only, and not at its ends.
    Random random(9);
    for (Vec3& x : mesh.nodes) {
      if (x.x() == 0 || x.x() == kLength) continue;
      const double taper = std::lround(x.x()) % 2 == 0 ? distortion.taper : -distortion.taper;
      x.x() += random.uniform(-distortion.amount, distortion.amount) +
               (distortion.shear + taper) * (x.z() - 0.5);
    }
    return mesh;
  }

  double poisson_;
  Mesh mesh_;
  ElasticMesh solid_;
  Vector d_;
};

TEST(ElasticMesh, SlenderBeamsBend) {
  for (double poisson : {0.0, 0.3}) {
    const Cantilever beam(poisson, Technology::enhanced, {});
    EXPECT_NEAR(beam.deflection(), 1, 0.03);
    EXPECT_NEAR(beam.top_stress(), 1, 0.03);
    const Cantilever stiff(poisson, Technology::plain, {});
    EXPECT_LT(stiff.deflection(), 0.75) << "plain elements lock";
  }
}

TEST(ElasticMesh, SlenderBeamsOfDistortedElementsBend) {
  for (double poisson : {0.0, 0.3}) {
    const Cantilever uneven(poisson, Technology::enhanced, {.amount = 0.1});
    EXPECT_NEAR(uneven.deflection(), 1, 0.1);
    EXPECT_NEAR(uneven.top_stress(), 1, 0.1);
    const Cantilever sheared(poisson, Technology::enhanced, {.shear = std::tan(EIGEN_PI / 12)});
    EXPECT_NEAR(sheared.deflection(), 1, 0.1);
    EXPECT_NEAR(sheared.top_stress(), 1, 0.1);
  }
}

// Deflection of a cantilever of length 20 and section 1, n x n cells of prisms in it, against beam
// theory. The prisms lie along the beam, or across it: a plate.
double wedge_cantilever(int n, bool along, double poisson, Technology technology) {
  constexpr int kLength = 20;
  const std::array<int, 3> divisions =
      along ? std::array{n, n, kLength * n} : std::array{kLength * n, n, n};
  const Mesh mesh = testing::CellMesh(divisions, [](const auto&) {
                      return Cell::wedges;
                    }).mesh([=](const Vec3& p) {
    return along ? Vec3(kLength * p.z(), p.x(), p.y()) : Vec3(kLength * p.x(), p.y(), p.z());
  });
  const ElasticMesh solid = elastic(mesh, material(1, poisson), technology);
  std::map<int, double> given;
  Vector load = Vector::Zero(3 * solid.nodes());
  for (int i = 0; i < solid.nodes(); i++) {
    const Vec3& x = mesh.nodes[i];
    if (x.x() == 0) given[3 * i] = given[3 * i + 2] = 0;
    if (x.x() == 0 && x.y() == 0) given[3 * i + 1] = 0;
    const auto inner = [](double y) { return y > 0 && y < 1 ? 2 : 1; };
    if (x.x() == kLength) load[3 * i + 2] = inner(x.y()) * inner(x.z());
  }
  load /= load.sum();
  const double exact = 4.0 * kLength * kLength * kLength + kLength * (2 + 2 * poisson) * 6 / 5;
  return solve(solid, given, load).dot(load) / exact;
}

TEST(ElasticMesh, CantileversOfWedgesBend) {
  for (double poisson : {0.0, 0.3}) {
    EXPECT_NEAR(wedge_cantilever(1, true, poisson, Technology::enhanced), 1, 0.04);
    EXPECT_NEAR(wedge_cantilever(1, false, poisson, Technology::enhanced), 1, 0.08);
    EXPECT_NEAR(wedge_cantilever(2, false, poisson, Technology::enhanced), 1, 0.04);
    for (bool along : {true, false})
      EXPECT_LT(wedge_cantilever(1, along, poisson, Technology::plain), 0.75) << "they lock";
  }
  for (bool along : {true, false}) {
    EXPECT_NEAR(wedge_cantilever(1, along, 0.4999, Technology::enhanced), 1, 0.12);
    EXPECT_LT(wedge_cantilever(1, along, 0.4999, Technology::plain), 0.5);
  }
}

// No element that passes patch tests is exact in bending for trapezoids of this shape as well
// (MacNeal 1987): the table of the theory.
TEST(ElasticMesh, SlenderBeamsOfTrapezoidsAreStiffer) {
  const auto beam = [](double degrees) {
    const double taper = std::tan(degrees * static_cast<double>(EIGEN_PI) / 180);
    return Cantilever(0.3, Technology::enhanced, {.taper = taper});
  };
  const double table[][3] = {{5, 0.979, 0.978}, {10, 0.929, 0.915}, {15, 0.855, 0.821}};
  for (const auto& [degrees, deflection, stress] : table) {
    EXPECT_NEAR(beam(degrees).deflection(), deflection, 1e-3);
    EXPECT_NEAR(beam(degrees).top_stress(), stress, 1e-3);
  }
}

// How far the middle of a punch sinks into a nearly incompressible unit block of n^3 cells: a
// quarter of it, with planes of symmetry x = 0 and y = 0, its bottom bonded, the top kept from
// sliding; pressure 0.1 on half of the width, Young's modulus 1.
double punch(int n, Technology technology, double amount, Cell cell = Cell::hexahedron) {
  Mesh mesh = distorted(block(n, cell), amount);
  const Mesh regular = block(n, cell);
  const auto boundary = on_boundary(mesh);
  for (std::size_t i = 0; i < mesh.nodes.size(); i++)
    mesh.nodes[i] = (boundary[i] ? regular : mesh).nodes[i] / n;
  const ElasticMesh solid = elastic(mesh, material(1, 0.4999), technology);
  std::map<int, double> given;
  Vector load = Vector::Zero(3 * solid.nodes());
  const auto share = [&](double x) { return x > 0.5 ? 0 : (x == 0 || x == 0.5 ? 0.5 : 1) / n; };
  for (int i = 0; i < solid.nodes(); i++) {
    const Vec3& x = mesh.nodes[i];
    const bool bottom = x.z() == 0, top = x.z() == 1;
    if (x.x() == 0 || bottom || top) given[3 * i] = 0;
    if (x.y() == 0 || bottom || top) given[3 * i + 1] = 0;
    if (bottom) given[3 * i + 2] = 0;
    if (top) load[3 * i + 2] = -0.1 * share(x.x()) * share(x.y());
  }
  const Vector d = solve(solid, given, load);
  return -d[3 * (n + 1) * (n + 1) * n + 2];
}

TEST(ElasticMesh, NearlyIncompressibleBlocksYield) {
  constexpr double kFine = 0.05006;  // punch(12, enhanced, 0), also with 21 modes
  EXPECT_NEAR(punch(4, Technology::enhanced, 0), kFine, 0.03 * kFine);
  EXPECT_NEAR(punch(4, Technology::enhanced, 0.15), kFine, 0.03 * kFine);
  EXPECT_LT(punch(4, Technology::plain, 0), 0.05 * kFine) << "plain elements lock";
  // Of 0.06588 at 0.3 this coarse mesh of wedges misses 11 %, of tetrahedra 11 %.
  const std::map<Cell, double> miss = {
      {Cell::wedges, 0.16}, {Cell::pyramids, 0.05}, {Cell::tetrahedra, 0.26}};
  for (auto [cell, part] : miss) {
    EXPECT_NEAR(punch(4, Technology::enhanced, 0, cell), kFine, part * kFine);
    EXPECT_LT(punch(4, Technology::plain, 0, cell), 0.06 * kFine) << "plain elements lock";
  }
}

TEST(ElasticMesh, NearlyIncompressibleBeamsBend) {
  const Cantilever beam(0.4999, Technology::enhanced, {});
  EXPECT_NEAR(beam.deflection(), 1, 0.03);
  EXPECT_NEAR(beam.top_stress(), 1, 0.03);
  EXPECT_NEAR(Cantilever(0.4999, Technology::enhanced, {.amount = 0.1}).deflection(), 1, 0.03);
  EXPECT_LT(Cantilever(0.4999, Technology::plain, {}).deflection(), 0.5);
}

TEST(ElasticMesh, ElementsInsideOutAreRefused) {
  Mesh mesh = block(1, Cell::hexahedron);
  mesh.nodes[7] = Vec3(0.2, 0.2, 0.2);
  EXPECT_THROW(elastic(mesh), InputError);
}

}  // namespace
}  // namespace solfec
