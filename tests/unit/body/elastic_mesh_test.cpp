// Elastic meshes: patch tests, forces and stiffness by differences, conservation.
#include "body/elastic_mesh.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "geometry/element.hpp"
#include "geometry/moments.hpp"
#include "support/elastic_meshes.hpp"

namespace solfec::elastic_mesh_test {
namespace {

using testing::block, testing::Cell, testing::distorted, testing::elastic, testing::material,
    testing::lower_stiffness, testing::on_boundary, testing::Random, testing::reference,
    testing::solve;
using Vector = Eigen::VectorXd;
using Technology = ElementTechnology;

constexpr Technology kTechnologies[] = {Technology::enhanced, Technology::plain};

const ElementProperties kRubber = material(1e4, 0.4);  // with averages

ElasticMesh elastic(const Mesh& mesh) { return elastic(mesh, kRubber); }

// --- meshes -------------------------------------------------------------------------------------

// All four kinds of elements.
Mesh mixed(int n) {
  return block(n, [](const testing::CellMesh::Place& p) {
    if (p[2] == 1) return Cell::pyramids;
    return (p[0] + p[1]) % 2 == 0 ? Cell::hexahedron : Cell::wedges;
  });
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

// The internal force, by central differences of the energy in every so many components.
void expect_gradient_of_energy(const ElasticMesh& solid, const Vector& x, int stride) {
  constexpr double kStep = 1e-5;
  const Vector f = internal_force(solid, x);
  for (int k = 0; k < x.size(); k += stride) {
    Vector plus = x, minus = x;
    plus[k] += kStep;
    minus[k] -= kStep;
    const double slope =
        (solid.strain_energy(plus.data()) - solid.strain_energy(minus.data())) / (2 * kStep);
    EXPECT_NEAR(f[k], slope, 1e-7 * f.norm());
  }
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

// --- tests --------------------------------------------------------------------------------------

// In uniform strain v G v = V tr (H S+ H^T) for v = H X, when the factor leaves no slack; and with
// one that leaves some, what is left out of the geometric part is at most 3/4 M.
TEST(ElasticMesh, GeometricPartOfTension) {
  Random random(21);
  for (const auto& [name, mesh] : samples(2, 0.15)) {
    const ElasticMesh solid = elastic(mesh);
    const Mat3 Q = random.rotation(),
               F = random.rotation() * Q * Vec3(1.3, 1.05, 0.65).asDiagonal() * Q.transpose();
    const Mat3 E = 0.5 * (F.transpose() * F - Mat3::Identity()),
               S = kRubber.lambda * E.trace() * Mat3::Identity() + 2 * kRubber.mu * E;
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(S);
    ASSERT_LT(eigen.eigenvalues()[0], 0);
    ASSERT_GT(eigen.eigenvalues()[2], 0);
    const Mat3 positive = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() *
                          eigen.eigenvectors().transpose();
    const Vector x = mapped(mesh, F);
    const Eigen::MatrixXd K = stiffness(solid, x);
    const auto stiffened = [&](double factor) {
      auto A = solid.stiffness_pattern();
      EXPECT_TRUE(solid.add_stiffness(x.data(), 1, {factor, x.data()}, A)) << name;
      const Eigen::MatrixXd whole = Eigen::MatrixXd(A).selfadjointView<Eigen::Lower>();
      return Eigen::MatrixXd((whole - K) / factor);
    };
    const Mat3 H = gradient(random, 1);
    const Vector v = mapped(mesh, H);
    const double volume = moments(mesh, Vec3::Zero()).volume;
    EXPECT_NEAR(v.dot(stiffened(1e9) * v), volume * (H * positive * H.transpose()).trace(),
                1e-6 * volume * H.squaredNorm() * S.norm())
        << name;
    const double factor = 0.05;
    const Eigen::MatrixXd left_out = tangent(solid, x) - K - stiffened(factor);
    Vector root(x.size());
    for (int k = 0; k < x.size(); k++) root[k] = 1 / std::sqrt(solid.mass()[k / 3]);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(
        root.asDiagonal() * left_out * root.asDiagonal(), Eigen::EigenvaluesOnly);
    EXPECT_LE(factor * modes.eigenvalues().maxCoeff(), 0.75 + 1e-5) << name;
    EXPECT_GE(factor * modes.eigenvalues().maxCoeff(), 0.1) << name;
    // What is compressed all over, or in steps near the explicit limit, is left alone.
    auto A = solid.stiffness_pattern();
    EXPECT_FALSE(solid.add_stiffness(x.data(), 1, {1e-6, x.data()}, A)) << name;
    const Vector small = 0.9 * x / 1.3;
    EXPECT_FALSE(solid.add_stiffness(x.data(), 1, {1e9, small.data()}, A)) << name;
  }
}

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
  const Vector x = deformed(random, mesh);
  expect_gradient_of_energy(solid, x, 5);
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
    expect_gradient_of_energy(solid, deformed(random, mesh), 1);
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
    // Its change, along dx and dw.
    const Vector dx = at_random(random, static_cast<int>(x0.size()), 1),
                 dw = at_random(random, static_cast<int>(x0.size()), 1);
    const auto moved = [&](double part) {
      Vector at = x1 + part * dx, rate = w + part * dw, force = Vector::Zero(w.size());
      solid.add_conserving_force(x0.data(), at.data(), rate.data(), 0.3, 1, force.data());
      return force;
    };
    const Vector expected = (moved(1e-4) - moved(-1e-4)) / 2e-4;
    Vector change = Vector::Zero(w.size());
    solid.add_conserving_tangent(x0.data(), x1.data(), w.data(), 0.3, dx.data(), dw.data(), 1,
                                 change.data());
    EXPECT_LT((change - expected).norm(), 1e-7 * expected.norm());
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

TEST(ElasticMesh, ElementsInsideOutAreRefused) {
  Mesh mesh = block(1, Cell::hexahedron);
  mesh.nodes[7] = Vec3(0.2, 0.2, 0.2);
  EXPECT_THROW(elastic(mesh), InputError);
}

}  // namespace
}  // namespace solfec::elastic_mesh_test
