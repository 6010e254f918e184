#include "output/result_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/flat_columns.hpp"
#include "support/make_bodies.hpp"
#include "support/random_solids.hpp"
#include "support/sample_domain.hpp"

namespace solfec::result_rows_test {
namespace {

// Fills rows: numbers rise, as times have to; no solids.
class RandomFiller {
 public:
  static constexpr bool kReads = true, kWrites = false;
  explicit RandomFiller(int seed) : random_(seed) {}

  template <class T>
  void operator()(const char* path, T& value, const char*, const char*) {
    using Number = typename Stored<T>::Number;
    std::vector<Number> numbers(Stored<T>::kWidth);
    for (Number& number : numbers) number = next<Number, T>(path);
    Stored<T>::get(numbers.data(), value, path);
  }
  template <class Values, class Columns>
  void rows(const char*, const char*, TableId table, Values& values, Columns&& columns_of) {
    values.clear();
    const int count = table == TableId::solid ? 0 : static_cast<int>(random_.uniform(0, 5));
    for (int k = 0; k < count; k++) {
      typename Values::value_type one{};
      columns_of(*this, one);
      values.push_back(std::move(one));
    }
  }

 private:
  template <class Number, class T>
  Number next(const std::string& path) {
    last_ += random_.uniform(0.01, 1);
    if (path == "load/kind") return static_cast<Number>(random_.uniform(0, 4));
    if constexpr (std::is_enum_v<T>)
      return static_cast<Number>(random_.uniform(0, static_cast<int>(last_of<T>()) + 1));
    if constexpr (std::is_same_v<T, bool>)
      return path != "definition/background" && random_.uniform(0, 1) < 0.5;
    return static_cast<Number>(1000 * last_);
  }
  testing::Random random_;
  double last_ = 0;
};

template <class Row>
class AnyRow : public ::testing::Test {};
using Rows = ::testing::Types<FrameRow, LayoutRow, CutRow, ConstraintRow, BondRow, Body>;
TYPED_TEST_SUITE(AnyRow, Rows);

TYPED_TEST(AnyRow, ComesBackAsItWas) {
  RandomFiller filler(7);
  FrameData data;
  for (int k = 0; k < 50; k++) {
    TypeParam row{};
    columns(filler, row);
    append(data, row);
  }
  const Table& table = data[kTableOf<TypeParam>];
  ASSERT_EQ(table.rows(), 50u);
  for (const Column& c : table.columns) {
    EXPECT_EQ(c.size(), 50 * c.width) << c.path;
    std::visit(
        [&](const auto& numbers) {
          const std::string path = c.path;
          const bool is_zero = path == "definition/background" || path == "definition/solids";
          EXPECT_EQ(std::ranges::min(numbers) == std::ranges::max(numbers), is_zero) << path;
        },
        c.numbers);
  }
  FrameData again;
  for (const TypeParam& row : rows_of<TypeParam>(data)) append(again, row);
  EXPECT_EQ(testing::flat(again), testing::flat(data));
}

TEST(ResultRows, FrameNumbersAreThoseOfTheColumn) {
  RandomFiller filler(8);
  std::vector<FrameRow> rows(3);
  for (FrameRow& row : rows) columns(filler, row);
  const auto ranks = frame_numbers(rows, "frame/ranks"),
             rates = frame_numbers(rows, "frame/timing");
  ASSERT_EQ(ranks.value().size(), 3u);
  EXPECT_EQ(ranks->at(1), rows[1].header.ranks);
  ASSERT_EQ(rates.value().size(), 3 * kPhases);
  EXPECT_EQ(rates->at(kPhases + 2), rows[1].header.timing.seconds()[2]);
  EXPECT_FALSE(frame_numbers(rows, "frame/nothing"));
}

// A body whose shape is two boxes in a mesh of hexahedra, between bodies of other shapes.
TEST(ResultRows, BackgroundMeshesComeBack) {
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
  for (int i = 0; i < 3; i++) append(data, bodies[i]);
  EXPECT_EQ(data.numbers<std::uint32_t>("definition/solids"),
            (std::vector<std::uint32_t>{1, 3, 1}));
  EXPECT_EQ(data.numbers<std::uint8_t>("definition/background"),
            (std::vector<std::uint8_t>{0, 1, 0}));
  // The shares of the nodes give the vertices.
  const CutMesh& cut = *bodies.cut(1);
  const auto& reals = data.numbers<double>("solid/real");
  std::size_t real = 1;  // after the radius of the first ball
  for (const Solid& solid : *bodies[1].shape)
    for (const Vec3& vertex : std::get<Polyhedron>(solid).vertices) {
      const Element& element = cut.mesh.elements[static_cast<std::size_t>(reals[real++])];
      Vec3 x = Vec3::Zero();
      for (int k = 0; k < 8; k++) x += reals[real++] * cut.mesh.nodes[element.node[k]];
      EXPECT_LT((x - vertex).norm(), 1e-12);
    }

  const std::vector<Body> read = rows_of<Body>(data);
  ASSERT_EQ(read.size(), 3u);
  ASSERT_TRUE(read[1].background);
  EXPECT_FALSE(read[0].background || read[2].background);
  EXPECT_EQ(read[1].shape->size(), 2u);
  EXPECT_EQ(read[1].background->elements.size(), 8u);
  EXPECT_EQ(std::get<Sphere>(read[2].shape->front()).radius, 2);
  FrameData again;
  for (const Body& known : read) append(again, known);
  EXPECT_EQ(testing::flat(again), testing::flat(data));
}

TEST(ResultRows, DefinitionsComeBackAsTheyWere) {
  Domain domain;
  testing::fill_domain(domain);
  FrameData data;
  for (int i = 0; i < domain.bodies.total(); i++) append(data, domain.bodies[i]);
  const std::vector<Body> bodies = rows_of<Body>(data);
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
  for (const Body& body : bodies) append(again, body);
  EXPECT_EQ(testing::flat(again), testing::flat(data));

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

TEST(ResultRows, SpringsMotionsAndPressuresComeBackAsTheyWere) {
  Body body = testing::sample_body(5, BodyKind::rigid, {testing::sample_mesh()});
  body.loads = {Torque{Frame::spatial, Vec3::UnitZ(), TimeSeries(4.5)},
                Pressure{22, TimeSeries({0, 1}, {2, 3}), {}}};
  body.joints = testing::sample_joints();
  FrameData data;
  append(data, body);
  const Body read = rows_of<Body>(data)[0];
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
  append(again, read);
  EXPECT_EQ(testing::flat(again), testing::flat(data));
}

}  // namespace
}  // namespace solfec::result_rows_test
