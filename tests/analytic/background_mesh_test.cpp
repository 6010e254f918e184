// Convexes in a background mesh: masses, uniform strains, tension and forces are those of the solid
// that the convexes are, whatever part of the elements they fill; pieces go with the mesh.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <map>
#include <set>

#include "body/finite_elements.hpp"
#include "body/integration.hpp"
#include "body/kinematics.hpp"
#include "contact/detection.hpp"
#include "geometry/element.hpp"
#include "support/cell_mesh.hpp"
#include "support/make_bodies.hpp"

namespace solfec::background_mesh_test {
namespace {

using testing::Cell;
using testing::Random;
using Vector = Eigen::VectorXd;

constexpr Cell kCells[] = {Cell::hexahedron, Cell::wedges, Cell::pyramids, Cell::tetrahedra};
constexpr double kYoung = 1e4, kPoisson = 0.3, kDensity = 1000;

// Of unit cells, from the origin.
Mesh cells(const std::array<int, 3>& divisions, Cell cell) {
  const Vec3 size(divisions[0], divisions[1], divisions[2]);
  return testing::CellMesh(divisions, [=](const auto&) { return cell; }).mesh([=](const Vec3& p) {
    return Vec3(p.cwiseProduct(size));
  });
}

// One body and all that a test asks of it.
struct Scene {
  Scene(const Mesh& mesh, Shape shape, Form form = Form::total_lagrangian) {
    materials.store({"soft", kYoung, kPoisson, kDensity});
    materials.store({"hard", 3 * kYoung, kPoisson, 2 * kDensity});
    Body body;
    body.id.value = 1;
    body.kind = BodyKind::finite_element;
    body.form = form;
    body.material = 0;
    body.density = kDensity;
    body.scheme = Scheme::def_lim;
    body.volume_materials = {{2, 1, 2 * kDensity}};
    std::vector<Polyhedron> convexes;
    for (const Solid& solid : shape) convexes.push_back(std::get<Polyhedron>(solid));
    body.background = std::make_shared<const Mesh>(cut_mesh(mesh, convexes).mesh);
    body.shape = std::make_shared<const Shape>(std::move(shape));
    body.nodes = static_cast<int>(body.background->nodes.size());
    body.reference = reference_mass(body);
    bodies.add(std::move(body));
  }

  const Body& body() const { return bodies[0]; }
  const Mesh& mesh() const { return *body().background; }
  const ElasticMesh& elastic() { return bodies.finite_elements(0, materials).elastic(); }
  int dofs() const { return bodies.dofs(0); }
  Eigen::Map<Vector> x() { return {bodies.x(0), dofs()}; }

  Vector mapped(const Mat3& F) const {
    Vector values(dofs());
    for (std::size_t n = 0; n < mesh().nodes.size(); n++)
      values.segment<3>(static_cast<Eigen::Index>(3 * n)) = F * mesh().nodes[n];
    return values;
  }
  Vector internal_force(const Vector& at) {
    Vector f = Vector::Zero(dofs());
    elastic().add_internal_force(at.data(), 1, f.data());
    return f;
  }
  Eigen::MatrixXd stiffness(const Vector& at) {
    auto K = elastic().stiffness_pattern();
    elastic().add_stiffness(at.data(), 1, K);
    return Eigen::MatrixXd(K).selfadjointView<Eigen::Lower>();
  }

  BodyStore bodies;
  BulkMaterials materials;
};

// Two boxes that lie across the cells, apart from each other.
Shape across() {
  const Mat3 turned = rotation_about(Vec3(1, 2, 3).normalized(), 0.7);
  return {testing::make_box({1.1, 1.2, 1.3}, {0.5, 0.4, 0.3}, turned),
          testing::make_box({2.2, 2.1, 1.9}, {0.2, 0.5, 0.3}, turned.transpose())};
}

Mat3 first_piola(const Mat3& F) {
  const double mu = kYoung / (2 + 2 * kPoisson), lambda = 2 * mu * kPoisson / (1 - 2 * kPoisson);
  const Mat3 E = 0.5 * (F.transpose() * F - Mat3::Identity());
  return F * (lambda * E.trace() * Mat3::Identity() + 2 * mu * E);
}

Mat3 random_gradient(Random& random) {
  Mat3 F = Mat3::Identity();
  for (int k = 0; k < 9; k++) F(k) += random.uniform(-0.2, 0.2);
  return F;
}

Vector deformed(Random& random, const Scene& scene) {
  Vector x = scene.mapped(random_gradient(random));
  for (double& value : x) value += random.uniform(-0.05, 0.05);
  return x;
}

TEST(BackgroundMesh, MassesAreThoseOfTheConvexes) {
  for (Cell cell : kCells) {
    Scene scene(cells({3, 3, 3}, cell), across());
    const ReferenceMass& exact = scene.body().reference;
    EXPECT_NEAR(exact.volume, 8 * (0.5 * 0.4 * 0.3 + 0.2 * 0.5 * 0.3), 1e-12);
    double mass = 0;
    Vec3 first = Vec3::Zero();
    for (int n = 0; n < scene.elastic().nodes(); n++) {
      EXPECT_GT(scene.elastic().mass()[n], 0);
      mass += scene.elastic().mass()[n];
      first += scene.elastic().mass()[n] * scene.mesh().nodes[n];
    }
    EXPECT_NEAR(mass, exact.mass, 1e-5 * mass);
    EXPECT_NEAR((first / mass - exact.center).norm(), 0, 1e-5);
  }
}

TEST(BackgroundMesh, UniformStrainsAreExact) {
  Random random(1);
  for (Cell cell : kCells) {
    Scene scene(cells({3, 3, 3}, cell), across());
    const Mat3 F = random_gradient(random), P = first_piola(F);
    const Vector x = scene.mapped(F), f = scene.internal_force(x);
    const double volume = scene.body().reference.volume;
    const Mat3 E = 0.5 * (F.transpose() * F - Mat3::Identity());
    const double energy = 0.5 * volume * (F.inverse() * P).cwiseProduct(E).sum();
    EXPECT_NEAR(scene.elastic().strain_energy(x.data()), energy, 1e-10 * energy);
    for (int k = 0; k < 9; k++) {
      Mat3 G = Mat3::Zero();
      G(k) = 1;
      EXPECT_NEAR(f.dot(scene.mapped(G)), volume * P(k), 1e-10 * volume * P.norm());
    }
    const Mat3 exact = P * F.transpose() / F.determinant();
    scene.x() = x;
    for (const Vec3& X : {Vec3(1.1, 1.2, 1.3), Vec3(2.2, 2.1, 1.9)})
      EXPECT_LT((cauchy_stress(scene.bodies, scene.materials, 0, X) - exact).norm(),
                1e-10 * exact.norm());
  }
}

// A prism along x whose sides cut through the cells.
Shape prism(double length) {
  std::vector<Vec3> corners;
  for (double x : {0.0, length})
    for (const auto& [y, z] : {std::pair(0.2, 0.1), {0.9, 0.3}, {0.8, 0.9}, {0.1, 0.6}})
      corners.emplace_back(x, y, z);
  return {convex_hull(corners, 1, 1)};
}

// But in pyramids, whose shape functions are rational: they are integrated approximately.
TEST(BackgroundMesh, TensionOfAPrismIsExact) {
  constexpr double kLength = 4, kStrain = 1e-3;
  Mat3 slope = Mat3::Zero();
  slope.diagonal() << kStrain, -kPoisson * kStrain, -kPoisson * kStrain;
  for (Cell cell : kCells) {
    Scene scene(cells({4, 1, 1}, cell), prism(kLength));
    const Vector exact = scene.mapped(slope), rest = scene.mapped(Mat3::Identity());
    std::map<int, double> given;
    const auto give = [&](int k) { given[k] = exact[k]; };
    std::vector<int> start;  // nodes at x = 0
    for (int n = 0; n < scene.dofs() / 3; n++) {
      const double x = rest[3 * n];
      if (x == 0 || x == kLength) give(3 * n);
      if (x == 0) start.push_back(n);
    }
    // No turning about x, no way across.
    ASSERT_GE(start.size(), 2u);
    const int turns = rest[3 * start[0] + 1] != rest[3 * start[1] + 1] ? 2 : 1;
    give(3 * start[0] + 1);
    give(3 * start[0] + 2);
    give(3 * start[1] + turns);
    Eigen::MatrixXd K = scene.stiffness(rest);
    Vector right = Vector::Zero(scene.dofs());
    for (const auto& [k, value] : given) {
      K.row(k).setZero();
      K(k, k) = K.diagonal().maxCoeff();
      right[k] = K(k, k) * value;
    }
    const Vector d = K.partialPivLu().solve(right);
    const double tolerance = cell == Cell::pyramids ? 3e-4 : 1e-10;
    EXPECT_LT((d - exact).norm(), tolerance * exact.norm());
    for (int e = 0; e < static_cast<int>(scene.mesh().elements.size()); e++) {
      const Vec3 local = local_center(scene.mesh().elements[e].nodes);
      const Mat3 stress =
          scene.elastic().linear_stress(d.data(), scene.elastic().first_part(e), local);
      Mat3 wanted = Mat3::Zero();
      wanted(0, 0) = kYoung * kStrain;
      EXPECT_LT((stress - wanted).norm(), tolerance * wanted.norm());
    }
  }
}

TEST(BackgroundMesh, ForcesAreGradientsOfTheEnergy) {
  Random random(2);
  for (Cell cell : kCells) {
    Scene scene(cells({3, 3, 3}, cell), across());
    const Vector x = deformed(random, scene), f = scene.internal_force(x);
    for (int k = 0; k < x.size(); k++) {
      Vector plus = x, minus = x;
      plus[k] += 1e-5;
      minus[k] -= 1e-5;
      const double slope = (scene.elastic().strain_energy(plus.data()) -
                            scene.elastic().strain_energy(minus.data())) /
                           2e-5;
      EXPECT_NEAR(f[k], slope, 1e-7 * f.norm());
    }
    const Vector other = deformed(random, scene);
    Vector conserving = Vector::Zero(x.size());
    scene.elastic().add_conserving_force(x.data(), other.data(), x.data(), 0, 1, conserving.data());
    const double before = scene.elastic().strain_energy(x.data()),
                 after = scene.elastic().strain_energy(other.data());
    EXPECT_NEAR(conserving.dot(other - x), after - before, 1e-12 * (before + after));
  }
}

TEST(BackgroundMesh, FrequenciesAreBounded) {
  for (Cell cell : kCells) {
    Scene scene(cells({3, 3, 3}, cell), across());
    const Vector rest = scene.mapped(Mat3::Identity());
    Vector scale(scene.dofs());
    for (int k = 0; k < scale.size(); k++)
      scale[k] = 1 / std::sqrt(scene.elastic().mass()[static_cast<std::size_t>(k / 3)]);
    const Eigen::MatrixXd scaled = scale.asDiagonal() * scene.stiffness(rest) * scale.asDiagonal();
    const double exact =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled, Eigen::EigenvaluesOnly)
            .eigenvalues()
            .maxCoeff();
    EXPECT_GE(scene.elastic().frequency_bound(rest.data()), (1 - 1e-12) * exact);
    EXPECT_LE(scene.elastic().frequency_bound(rest.data()), 10 * exact);
  }
}

Vec3 linear_momentum(Scene& scene) {
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < scene.dofs(); k += 3)
    sum += scene.elastic().mass()[static_cast<std::size_t>(k / 3)] *
           Eigen::Map<const Vec3>(scene.bodies.u(0) + k);
  return sum;
}

Vec3 angular_momentum(Scene& scene) {
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < scene.dofs(); k += 3)
    sum += scene.elastic().mass()[static_cast<std::size_t>(k / 3)] *
           Eigen::Map<const Vec3>(scene.bodies.x(0) + k)
               .cross(Eigen::Map<const Vec3>(scene.bodies.u(0) + k));
  return sum;
}

// Thrown, turning and swinging: momenta stay, and with DEF_EXP below its limit and DEF_IMP the
// energy does, too.
TEST(BackgroundMesh, FreeFlightKeepsMomentaAndEnergy) {
  Random random(5);
  for (Cell cell : kCells)
    for (const auto& [form, scheme] : {std::pair(Form::total_lagrangian, Scheme::def_exp),
                                       {Form::total_lagrangian, Scheme::def_imp},
                                       {Form::body_corotational, Scheme::def_exp}}) {
      Scene scene(cells({3, 3, 3}, cell), across(), form);
      scene.bodies[0].scheme = scheme;
      const Vec3 spin(1, 2, 3);
      for (int k = 0; k < scene.dofs(); k += 3)
        Eigen::Map<Vec3>(scene.bodies.u(0) + k) =
            Vec3(1, 0, 0) + spin.cross(Eigen::Map<const Vec3>(scene.bodies.x(0) + k)) +
            random.in_box(0.1);
      const double h = 0.3 * finite_element_critical_step(scene.bodies, scene.materials, 0);
      ASSERT_GT(h, 0);
      const Vec3 linear = linear_momentum(scene), angular = angular_momentum(scene);
      const auto total = [&] {
        const Energy e = energy(scene.bodies, scene.materials, 0);
        return e.kinetic + e.internal;
      };
      const double before = total();
      double swing = 0;
      for (int step = 0; step < 200; step++) {
        scene.bodies.clear_reactions();
        begin_step(scene.bodies, scene.materials, Gravity(), {step * h, h});
        end_step(scene.bodies, scene.materials, {step * h, h});
        swing = std::max(swing, energy(scene.bodies, scene.materials, 0).internal);
      }
      EXPECT_GT(swing, 1e-4 * before);
      EXPECT_LT((linear_momentum(scene) - linear).norm(), 1e-10 * linear.norm());
      EXPECT_LT((angular_momentum(scene) - angular).norm(), 1e-8 * angular.norm());
      EXPECT_NEAR(total(), before, (scheme == Scheme::def_imp ? 1e-9 : 2e-2) * before);
    }
}

// Each hexahedron of a mesh as a convex of its own.
Shape convexes_of(const Mesh& mesh) {
  Shape shape;
  for (const Element& element : mesh.elements) {
    std::vector<Vec3> corners;
    for (int node : element.used()) corners.push_back(mesh.nodes[node]);
    shape.push_back(convex_hull(corners, 1, 1));
  }
  return shape;
}

TEST(BackgroundMesh, FilledElementsAreThoseOfTheMesh) {
  Random random(3);
  const Mesh mesh = cells({2, 2, 1}, Cell::hexahedron);
  Scene scene(mesh, convexes_of(mesh));
  const double mu = kYoung / (2 + 2 * kPoisson), lambda = 2 * mu * kPoisson / (1 - 2 * kPoisson);
  const ElasticMesh plain(mesh, std::vector<ElementProperties>(4, {lambda, mu, kDensity}),
                          ElementTechnology::enhanced);
  const Vector x = deformed(random, scene), f = scene.internal_force(x);
  Vector wanted = Vector::Zero(x.size());
  plain.add_internal_force(x.data(), 1, wanted.data());
  EXPECT_LT((f - wanted).norm(), 1e-11 * wanted.norm());
  for (int n = 0; n < plain.nodes(); n++)
    EXPECT_NEAR(scene.elastic().mass()[n], plain.mass()[n], 1e-10 * plain.mass()[n]);
}

TEST(BackgroundMesh, TwoMaterialsInOneElement) {
  const Mesh mesh = cells({1, 1, 1}, Cell::hexahedron);
  Polyhedron soft = testing::make_box({0.25, 0.5, 0.5}, {0.25, 0.5, 0.5}, Mat3::Identity()),
             hard = testing::make_box({0.75, 0.5, 0.5}, {0.25, 0.5, 0.5}, Mat3::Identity());
  hard.volume = 2;
  Scene scene(mesh, {soft, hard});
  EXPECT_NEAR(scene.body().reference.mass, 0.5 * kDensity + 0.5 * 2 * kDensity, 1e-9);
  Mat3 F = Mat3::Identity();
  F(1, 1) = 1.01;
  scene.x() = scene.mapped(F);
  const Mat3 exact = first_piola(F) * F.transpose() / F.determinant();
  const Mat3 in_soft = cauchy_stress(scene.bodies, scene.materials, 0, {0.3, 0.4, 0.5}),
             in_hard = cauchy_stress(scene.bodies, scene.materials, 0, {0.7, 0.4, 0.5});
  EXPECT_LT((in_soft - exact).norm(), 1e-10 * exact.norm());
  EXPECT_LT((in_hard - 3 * exact).norm(), 1e-10 * exact.norm());
}

TEST(BackgroundMesh, PointsOfTheShapeOnly) {
  Scene scene(cells({3, 3, 3}, Cell::hexahedron), across());
  EXPECT_TRUE(may_hold(scene.body(), {1.1, 1.2, 1.3}));
  EXPECT_TRUE(may_hold(scene.body(), std::get<Polyhedron>(scene.body().shape->at(1)).vertices[3]));
  EXPECT_FALSE(may_hold(scene.body(), {1.1, 1.2, 2.3})) << "in the mesh, not in the shape";
  EXPECT_FALSE(may_hold(scene.body(), {7, 7, 7}));
}

TEST(BackgroundMesh, PiecesGoWithTheMesh) {
  Random random(4);
  for (Cell cell : kCells) {
    Scene scene(cells({3, 3, 3}, cell), across());
    const Mat3 F = random_gradient(random);
    scene.x() = scene.mapped(F);
    PieceStore pieces;
    pieces.synchronise(scene.bodies);
    pieces.place(scene.bodies, 0);
    ASSERT_EQ(pieces.count(), 2);
    for (int p = 0; p < 2; p++) {
      const Polyhedron& convex = std::get<Polyhedron>((*scene.body().shape)[p]);
      const ConvexView view = pieces.polyhedron(p);
      ASSERT_EQ(view.vertices.size(), convex.vertices.size());
      Vec3 middle = Vec3::Zero();
      for (std::size_t v = 0; v < convex.vertices.size(); v++) {
        EXPECT_LT((view.vertices[v] - F * convex.vertices[v]).norm(), 1e-12);
        middle += view.vertices[v] / static_cast<double>(convex.vertices.size());
      }
      for (int f = 0; f < view.faces(); f++)
        for (int v : view.topology->faces.loop(f))
          EXPECT_NEAR(view.planes[f].distance(view.vertices[v]), 0, 1e-12);
      // Each vertex, and what lies between it and the middle, is in the element found for it.
      for (const Vec3& vertex : view.vertices) {
        const Vec3 at = middle + 0.7 * (vertex - middle);
        const int element = pieces.element_at(scene.bodies, p, at);
        const Place place = place_at(scene.bodies, 0, at, element);
        EXPECT_LE(outside(scene.mesh().elements[element].nodes, place.local), 1e-10);
        EXPECT_LT((material_offset(scene.bodies, 0, place) + scene.body().reference.center -
                   F.inverse() * at)
                      .norm(),
                  1e-10);
      }
    }
  }
}

// A tip that reaches into another element by too little to be kept there goes with its neighbour.
TEST(BackgroundMesh, TipsInElementsThatAreLeftOut) {
  const std::vector<Vec3> corners = {
      {1.008, 0.5, 0.5}, {0.1, 0.1, 0.1}, {0.1, 0.9, 0.1}, {0.1, 0.5, 0.9}};
  Scene scene(cells({2, 1, 1}, Cell::hexahedron), {convex_hull(corners, 1, 1)});
  ASSERT_EQ(scene.mesh().elements.size(), 1u);
  EXPECT_TRUE(may_hold(scene.body(), corners[0]));
  Mat3 F = Mat3::Identity();
  F(0, 0) = 1.2;
  F(1, 0) = 0.3;
  scene.x() = scene.mapped(F);
  EXPECT_LT((current_point(scene.bodies, 0, corners[0]) - F * corners[0]).norm(), 1e-12);
  PieceStore pieces;
  pieces.synchronise(scene.bodies);
  pieces.place(scene.bodies, 0);
  const auto& vertices = std::get<Polyhedron>(scene.body().shape->front()).vertices;
  for (std::size_t v = 0; v < vertices.size(); v++)
    EXPECT_LT((pieces.polyhedron(0).vertices[v] - F * vertices[v]).norm(), 1e-12);
  EXPECT_EQ(pieces.element_at(scene.bodies, 0, F * corners[0]), 0);
}

// A block that sinks into a table by a little: contacts at its corners, in the elements there.
TEST(BackgroundMesh, ContactsAreInTheElementsThatTheyAreIn) {
  Mesh mesh = cells({2, 2, 1}, Cell::hexahedron);
  for (Vec3& x : mesh.nodes) x += Vec3(-0.2, -0.3, -0.3);
  Scene scene(mesh, {testing::make_box({0.75, 0.7, 0.299}, {0.7, 0.7, 0.3}, Mat3::Identity())});
  testing::add_body(scene.bodies, BodyKind::obstacle,
                    testing::box_shape({0, 0, -0.5}, {3, 3, 0.5}));
  PieceStore pieces;
  pieces.synchronise(scene.bodies);
  DetectionSettings settings;
  settings.mode = ContactMode::many;
  settings.sparsification = {0, 0, 0.0};
  pieces.place(scene.bodies, 0.5 * settings.epsilon);
  ContactDetection detection;
  const auto& contacts = detection.find(scene.bodies, pieces, {}, settings);
  ASSERT_EQ(contacts.size(), 4u);
  std::set<int> elements;
  for (const DetectedContact& contact : contacts) {
    EXPECT_EQ(contact.element2, -1);
    EXPECT_NEAR(contact.geometry.gap, -0.001, 1e-9);
    const Place place = place_at(scene.bodies, 0, contact.geometry.point, contact.element1);
    EXPECT_EQ(outside(8, place.local), 0);
    elements.insert(contact.element1);
  }
  EXPECT_EQ(elements.size(), 4u) << "one in each element";
}

// What another rank makes of the record is the same to the last bit.
TEST(BackgroundMesh, TheCutOfARecordIsTheSame) {
  Scene scene(cells({3, 3, 3}, Cell::wedges), across());
  const CutMesh one = cut_of(scene.body()), &other = *scene.bodies.cut(0);
  ASSERT_EQ(one.points.size(), other.points.size());
  for (std::size_t p = 0; p < one.points.size(); p++) {
    EXPECT_EQ(one.points[p].local, other.points[p].local);
    EXPECT_EQ(one.points[p].volume, other.points[p].volume);
  }
  EXPECT_EQ(one.overlaps, other.overlaps);
}

}  // namespace
}  // namespace solfec::background_mesh_test
