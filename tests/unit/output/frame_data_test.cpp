#include "output/frame_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "support/make_bodies.hpp"
#include "support/sample_domain.hpp"

namespace solfec::frame_data_test {
namespace {

// Numbers of all columns in a row; a separator after each.
std::vector<double> flat(const FrameData& data) {
  std::vector<double> all;
  visit_columns(data, [&](const char*, const auto& column, auto&&...) {
    for (const auto& x : column) all.push_back(static_cast<double>(x));
    all.push_back(-12345.678);
  });
  return all;
}

// `rows` rows in every column, all numbers different.
FrameData numbered(std::size_t rows, int first) {
  FrameData data;
  int next = first;
  visit_columns(data, [&](const char*, auto& column, std::size_t width, auto&&...) {
    using T = std::remove_cvref_t<decltype(column[0])>;
    for (std::size_t k = 0; k < rows * width; k++) column.push_back(static_cast<T>(next++));
  });
  return data;
}

TEST(FrameData, EveryColumnHasANameOfItsOwnAndAMeaning) {
  std::set<std::string> paths;
  const FrameData data;
  visit_columns(data, [&](const char* path, const auto&, std::size_t width, const char*,
                          const char* meaning) {
    EXPECT_TRUE(paths.insert(path).second) << path;
    EXPECT_GT(std::string(meaning).size(), 3u) << path;
    EXPECT_GE(width, 1u) << path;
  });
  // All columns of the struct are visited: each is a vector of the same size in memory.
  EXPECT_EQ(paths.size() * sizeof(std::vector<int>), sizeof(FrameData));
}

TEST(FrameData, AppendConcatenatesEveryColumn) {
  FrameData data = numbered(2, 1);
  const FrameData first = data, next = numbered(3, 5000);
  append(data, next);
  visit_columns(data, [&](const char* path, const auto& column, std::size_t width, auto&&...) {
    EXPECT_EQ(column.size(), 5 * width) << path;
  });
  EXPECT_EQ(size(data), size(first) + size(next));
  EXPECT_EQ(data.time[0], first.time[0]);
  EXPECT_EQ(data.time[2], next.time[0]);
  EXPECT_EQ(data.load_series.back(), next.load_series.back());
}

TEST(FrameData, ClearRemovesAll) {
  FrameData data = numbered(2, 1);
  clear(data);
  EXPECT_EQ(size(data), 0u);
  EXPECT_EQ(data.frames(), 0u);
}

// A body whose shape is two boxes in a mesh of hexahedra, between bodies of other shapes.
TEST(FrameData, BackgroundMeshesComeBack) {
  BodyStore bodies;
  testing::add_body(bodies, BodyKind::rigid, testing::ball_shape({0, 0, 5}, 1));
  Body body;
  body.id.value = 2;
  body.kind = BodyKind::finite_element;
  Shape shape = testing::box_shape({-0.3, 0, 0}, {0.2, 0.3, 0.4});
  shape.push_back(testing::box_shape({0.3, 0, 0}, {0.3, 0.3, 0.3})[0]);
  body.reference = reference_mass(shape, 1000, body.kind);
  body.shape = std::make_shared<const Shape>(std::move(shape));
  body.background = std::make_shared<const Mesh>(
      std::get<Mesh>(testing::meshed_box({0, 0, 0}, {0.7, 0.6, 0.5}, 2)[0]));
  body.nodes = 27;
  bodies.add(std::move(body));
  testing::add_body(bodies, BodyKind::rigid, testing::ball_shape({0, 0, -5}, 2));
  FrameData data;
  for (int i = 0; i < 3; i++) append_definition(data, bodies[i]);
  EXPECT_EQ(data.def_solids, (std::vector<std::uint32_t>{1, 3, 1}));
  EXPECT_EQ(data.def_background, (std::vector<std::uint8_t>{0, 1, 0}));
  // The shares of the nodes give the vertices.
  const CutMesh& cut = *bodies.cut(1);
  std::size_t real = 1;  // after the radius of the first ball
  for (const Solid& solid : *bodies[1].shape)
    for (const Vec3& vertex : std::get<Polyhedron>(solid).vertices) {
      const Element& element = cut.mesh.elements[static_cast<std::size_t>(data.solid_real[real++])];
      Vec3 x = Vec3::Zero();
      for (int k = 0; k < 8; k++) x += data.solid_real[real++] * cut.mesh.nodes[element.node[k]];
      EXPECT_LT((x - vertex).norm(), 1e-12);
    }

  const std::vector<Body> read = read_definitions(data);
  ASSERT_EQ(read.size(), 3u);
  ASSERT_TRUE(read[1].background);
  EXPECT_FALSE(read[0].background || read[2].background);
  EXPECT_EQ(read[1].shape->size(), 2u);
  EXPECT_EQ(read[1].background->elements.size(), 8u);
  EXPECT_EQ(std::get<Sphere>(read[2].shape->front()).radius, 2);
  FrameData again;
  for (const Body& known : read) append_definition(again, known);
  EXPECT_EQ(flat(again), flat(data));
}

TEST(FrameData, DefinitionsComeBackAsTheyWere) {
  Domain domain;
  testing::fill_domain(domain);
  FrameData data;
  for (int i = 0; i < domain.bodies.total(); i++) append_definition(data, domain.bodies[i]);
  const std::vector<Body> bodies = read_definitions(data);
  ASSERT_EQ(bodies.size(), 3u);
  for (int i = 0; i < 3; i++) {
    const Body &wrote = domain.bodies[i], &read = bodies[i];
    EXPECT_EQ(read.id, wrote.id);
    EXPECT_EQ(read.kind, wrote.kind);
    EXPECT_EQ(read.scheme, wrote.scheme);
    EXPECT_EQ(read.label, wrote.label);
    EXPECT_EQ(read.material, wrote.material);
    EXPECT_EQ(read.damping, wrote.damping);
    EXPECT_EQ(read.reference.mass, wrote.reference.mass);
    EXPECT_EQ(read.reference.volume, wrote.reference.volume);
    EXPECT_EQ(read.reference.center, wrote.reference.center);
    EXPECT_EQ(read.reference.tensor, wrote.reference.tensor);
    EXPECT_EQ(read.shape->size(), wrote.shape->size());
    EXPECT_EQ(read.loads.size(), wrote.loads.size());
  }
  // Solids and loads: written again they give the same numbers.
  FrameData again;
  for (const Body& body : bodies) append_definition(again, body);
  EXPECT_EQ(flat(again), flat(data));

  const Shape& solids = *bodies[1].shape;
  const auto& polyhedron = std::get<Polyhedron>(solids[0]);
  EXPECT_EQ(polyhedron.faces, testing::sample_polyhedron().faces);
  EXPECT_EQ(polyhedron.surface, testing::sample_polyhedron().surface);
  EXPECT_EQ(polyhedron.volume, 11);
  EXPECT_EQ(std::get<Sphere>(solids[1]).surface, 15);
  const auto& mesh = std::get<Mesh>(solids[2]);
  EXPECT_EQ(mesh.elements.size(), 2u);
  EXPECT_EQ(mesh.elements[1].volume, 13);
  EXPECT_EQ(mesh.boundary.size(), testing::sample_mesh().boundary.size());
  EXPECT_EQ(std::get<Ellipsoid>(bodies[2].shape->front()).radii, Vec3(1, 2, 3));

  const auto& force = std::get<PointForce>(bodies[1].loads[0]);
  EXPECT_EQ(force.frame, Frame::convected);
  EXPECT_EQ(force.value.value(2), 6.5);
  EXPECT_EQ(std::get<Torque>(bodies[1].loads[1]).value.value(9), 4.5);
  EXPECT_EQ(std::get<UserForce>(bodies[1].loads[2]).number, 3);
}

TEST(FrameData, SpringsMotionsAndPressuresComeBackAsTheyWere) {
  Body body = testing::sample_body(5, BodyKind::rigid, {testing::sample_mesh()});
  body.loads = {Torque{Frame::spatial, Vec3::UnitZ(), TimeSeries(4.5)},
                Pressure{22, TimeSeries({0, 1}, {2, 3}), {}}};
  body.joints = testing::sample_joints();
  FrameData data;
  append_definition(data, body);
  const Body read = read_definitions(data)[0];
  const Pressure& pressure = std::get<Pressure>(read.loads[1]);
  EXPECT_EQ(pressure.surface, 22);
  EXPECT_EQ(pressure.value.value(0.5), 2.5);
  ASSERT_EQ(read.joints.size(), 3u);
  ASSERT_EQ(read.joints[0].across.size(), 2u);
  EXPECT_EQ(read.joints[0].across[0].direction, Vec3::UnitY());
  EXPECT_EQ(read.joints[0].across[0].motion.velocity(1.5), 2.5);
  EXPECT_EQ(read.joints[0].across[1].motion.velocity(3), 5);
  EXPECT_EQ(read.joints[0].motion.velocity(0.5), 7.5);
  EXPECT_EQ(read.joints[1].spring.function, 4);
  EXPECT_EQ(read.joints[1].spring.axis, SpringAxis::body2);
  EXPECT_EQ(read.joints[1].spring.low, -0.5);
  EXPECT_TRUE(std::isinf(read.joints[1].spring.high));
  EXPECT_EQ(read.joints[2].motion.velocity(0.5), 9.5);
  EXPECT_EQ(read.joints[2].spring.function, -1);
  FrameData again;
  append_definition(again, read);
  EXPECT_EQ(flat(again), flat(data));
}

}  // namespace
}  // namespace solfec::frame_data_test
