// Parts of a body add up to it, and are glued by as many joints as it takes.
#include "body/body_partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "body/finite_elements.hpp"
#include "body/kinematics.hpp"
#include "body/pressure.hpp"
#include "support/cell_mesh.hpp"
#include "support/make_bodies.hpp"

namespace solfec::body_partition_test {
namespace {

using testing::Random;

constexpr BodyId kFirst{7};

class BodyPartitionTest : public ::testing::TestWithParam<testing::Cell> {
 protected:
  BodyPartitionTest() {
    materials.store({"soft", 1e4, 0.3, 1000});
    materials.store({"hard", 1e5, 0.2, 3000});
    const auto cell = [](const testing::CellMesh::Place&) { return GetParam(); };
    Mesh mesh = testing::CellMesh({4, 3, 3}, cell).mesh([&](const Vec3& place) -> Vec3 {
      return place + random.in_box(0.01);
    });
    for (Element& element : mesh.elements) element.volume = mesh.nodes[element.node[0]].x() > 0.5;
    Body body;
    body.id = BodyId{3};
    body.label = "block";
    body.kind = BodyKind::finite_element;
    body.scheme = Scheme::def_lim;
    body.material = 0;
    body.density = 1000;
    body.damping = 0.25;
    body.plain_elements = true;
    body.volume_materials = {{1, 1, 3000}};
    body.nodes = static_cast<int>(mesh.nodes.size());
    body.shape = std::make_shared<const Shape>(Shape{std::move(mesh)});
    body.reference = reference_mass(body);
    store.add(std::move(body));
    for (int k = 0; k < store.dofs(0); k++) {
      store.x(0)[k] += random.uniform(-0.02, 0.02);
      store.u(0)[k] = random.uniform(-1, 1);
    }
    store.finite_elements(0, materials).fit(store.x(0), store.q(0));
  }

  const Body& whole() const { return store[0]; }
  void divide(int count) {
    partition = partition_mesh(mesh_of(whole()), count);
    states = divide_body(store.state(0), partition, materials, kFirst);
    for (const BodyState& state : states) parts.insert({state});
  }

  Random random{5};
  BulkMaterials materials;
  BodyStore store, parts;
  MeshPartition partition;
  std::vector<BodyState> states;
};

TEST_P(BodyPartitionTest, PartsAddUp) {
  divide(5);
  ASSERT_EQ(parts.owned(), 5);
  FiniteElements& all = store.finite_elements(0, materials);
  std::vector<double> mass(all.mass().size()), force(3 * mass.size()), wanted(force.size());
  ReferenceMass sum;
  double energy = 0;
  for (int p = 0; p < 5; p++) {
    FiniteElements& fe = parts.finite_elements(p, materials);
    std::vector<double> own(3 * fe.mass().size());
    fe.subtract_internal_force(parts.q(p), parts.x(p), parts.u(p), 0.1, own.data());
    energy += fe.strain_energy(parts.q(p), parts.x(p));
    for (std::size_t n = 0; n < fe.mass().size(); n++) {
      const int node = partition.parts[p].node[n];
      mass[node] += fe.mass()[n];
      for (int k = 0; k < 3; k++) {
        force[3 * node + k] += own[3 * n + k];
        EXPECT_EQ(parts.x(p)[3 * n + k], store.x(0)[3 * node + k]);
        EXPECT_EQ(parts.u(p)[3 * n + k], store.u(0)[3 * node + k]);
      }
    }
    sum.mass += parts[p].reference.mass;
    sum.volume += parts[p].reference.volume;
    sum.center += parts[p].reference.mass * parts[p].reference.center;
  }
  all.subtract_internal_force(store.q(0), store.x(0), store.u(0), 0.1, wanted.data());
  for (std::size_t n = 0; n < mass.size(); n++) EXPECT_NEAR(mass[n], all.mass()[n], 1e-9);
  double largest = 0;
  for (double f : wanted) largest = std::max(largest, std::abs(f));
  for (std::size_t k = 0; k < force.size(); k++) EXPECT_NEAR(force[k], wanted[k], 1e-12 * largest);
  const double stored = all.strain_energy(store.q(0), store.x(0));
  EXPECT_NEAR(energy, stored, 1e-12 * stored);
  EXPECT_NEAR(sum.mass, whole().reference.mass, 1e-9);
  EXPECT_NEAR(sum.volume, whole().reference.volume, 1e-12);
  EXPECT_LT((sum.center / sum.mass - whole().reference.center).norm(), 1e-12);
}

TEST_P(BodyPartitionTest, PartsAreLikeTheWhole) {
  divide(3);
  for (int p = 0; p < 3; p++) {
    EXPECT_EQ(parts.id(p).value, kFirst.value + p);
    EXPECT_EQ(parts[p].label, "block_PART" + std::to_string(p + 1));
    EXPECT_EQ(parts[p].scheme, Scheme::def_lim);
    EXPECT_EQ(parts[p].damping, 0.25);
    EXPECT_TRUE(parts[p].plain_elements);
    const auto& elements = mesh_of(parts[p]).elements;
    const auto hard = std::ranges::count(elements, 1, &Element::volume);
    EXPECT_EQ(parts[p].volume_materials.size(), hard > 0 ? 1u : 0u);
  }
}

TEST_P(BodyPartitionTest, NodesAreGluedByStars) {
  divide(8);
  const Mesh& mesh = mesh_of(whole());
  const auto having = parts_of_nodes(mesh, partition);
  std::map<int, std::vector<std::array<int, 2>>> glue;  // by node: parts
  std::set<std::array<std::uint32_t, 2>> names;
  for (int p = 0; p < 8; p++)
    for (const Joint& joint : parts[p].joints) {
      ASSERT_EQ(joint.kind, ConstraintKind::glue);
      EXPECT_TRUE(joint.measured);
      const int other = parts.find(joint.other);
      const auto node = static_cast<int>(joint.number % static_cast<unsigned>(whole().nodes));
      EXPECT_TRUE(names.insert({parts.id(p).value, joint.number}).second);
      EXPECT_EQ(joint.point, mesh.nodes[node]);
      EXPECT_EQ(joint.other_point, mesh.nodes[node]);
      glue[node].push_back({p, other});
      // The joint acts on this node and on no other.
      for (int part : {p, other}) {
        const Place place = place_of(parts, part, joint.point);
        std::vector<double> force(static_cast<std::size_t>(parts.dofs(part)));
        add_force_at(parts, part, place, Vec3(1, 1, 1), force.data());
        const auto& nodes = partition.parts[part].node;
        const auto own = std::ranges::lower_bound(nodes, node) - nodes.begin();
        for (std::ptrdiff_t k = 0; k < std::ssize(force); k++)
          EXPECT_NEAR(force[k], k / 3 == own ? 1 : 0, 1e-9);
      }
    }
  int corners = 0;
  for (int node = 0; node < whole().nodes; node++) {
    const auto& joints = glue[node];
    ASSERT_EQ(joints.size(), having[node].size() - 1);
    corners += having[node].size() > 2;
    for (std::size_t k = 0; k < joints.size(); k++)
      EXPECT_EQ(joints[k], (std::array{having[node][0], having[node][k + 1]}));
  }
  EXPECT_GT(corners, 0);
}

TEST_P(BodyPartitionTest, LoadsAndJointsGoToTheirElements) {
  const Vec3 points[] = {{0.1, 0.2, 0.3}, {0.9, 0.8, 0.1}, {0.5, 0.5, 0.5}, {0.3, 0.9, 0.9}};
  for (const Vec3& point : points) {
    store[0].loads.push_back(PointForce{Frame::spatial, point, Vec3::UnitX(), TimeSeries(2.0), 5});
    Joint joint;
    joint.number = static_cast<std::uint32_t>(store[0].joints.size());  // like nodes of the glue
    joint.point = point;
    store[0].joints.push_back(joint);
  }
  divide(5);
  std::multiset<double> loads, joints;
  std::set<std::array<std::uint32_t, 2>> names;
  for (int p = 0; p < 5; p++) {
    for (const Load& load : parts[p].loads) {
      const auto& force = std::get<PointForce>(load);
      EXPECT_TRUE(may_hold(parts[p], force.point));
      EXPECT_EQ(force.element, -1);
      EXPECT_EQ(force.value.value(0), 2);
      loads.insert(force.point.x());
    }
    for (const Joint& joint : parts[p].joints) {
      EXPECT_TRUE(names.insert({parts.id(p).value, joint.number}).second);
      if (joint.kind == ConstraintKind::glue) continue;
      EXPECT_TRUE(may_hold(parts[p], joint.point));
      EXPECT_EQ(joint.point, points[joint.number]);
      joints.insert(joint.point.x());
    }
  }
  const std::multiset<double> wanted = {0.1, 0.3, 0.5, 0.9};
  EXPECT_EQ(loads, wanted);
  EXPECT_EQ(joints, wanted);
}

TEST_P(BodyPartitionTest, PressureGoesToAllPartsWithSuchFaces) {
  const int surface = mesh_of(whole()).boundary[0].surface;
  store[0].loads.push_back(Pressure{surface, TimeSeries(2), {}});
  divide(5);
  Mat3 moment = Mat3::Zero();
  for (int p = 0; p < 5; p++) {
    const bool has_faces = has_surface(mesh_of(parts[p]), surface);
    ASSERT_EQ(parts[p].loads.size(), has_faces ? 1u : 0u);
    if (has_faces)
      moment +=
          surface_moments(mesh_of(parts[p]), std::get<Pressure>(parts[p].loads[0]).surface).moment;
  }
  const Mat3 wanted = surface_moments(mesh_of(whole()), surface).moment;
  EXPECT_GT(wanted.norm(), 0.5);
  EXPECT_NEAR((moment - wanted).norm(), 0, 1e-12);
}

TEST_P(BodyPartitionTest, WhatCannotBeDivided) {
  EXPECT_EQ(partition_obstacle(whole()), "");
  Body body = whole();
  body.background = std::make_shared<const Mesh>(mesh_of(body));
  EXPECT_NE(partition_obstacle(body).find("a mesh around its shape"), std::string::npos);
  body = whole();
  body.loads.push_back(UserForce{0, {}});
  EXPECT_NE(partition_obstacle(body).find("callback"), std::string::npos);
  body = whole();
  body.kind = BodyKind::rigid;
  EXPECT_NE(partition_obstacle(body).find("FINITE_ELEMENT"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Elements, BodyPartitionTest,
                         ::testing::Values(testing::Cell::hexahedron, testing::Cell::wedges,
                                           testing::Cell::pyramids, testing::Cell::tetrahedra));

}  // namespace
}  // namespace solfec::body_partition_test
