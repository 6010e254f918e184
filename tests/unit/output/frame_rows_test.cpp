#include "output/frame_rows.hpp"

#include <gtest/gtest.h>

#include "support/sample_domain.hpp"

namespace solfec::frame_rows_test {
namespace {

template <class Row>
Row sent(const Row& row) {
  ArchiveWriter there;
  there(row);
  ArchiveReader back(there.bytes());
  return back.get<Row>();
}

TEST(FrameRows, SayWhatABodyIsInAFrame) {
  Domain domain;
  testing::fill_domain(domain);
  FrameData data;
  for (int i = 0; i < 3; i++) {
    const BodyRow row = sent(body_row(4, domain.bodies, domain.bulk_materials, i));
    EXPECT_EQ(row.key(), (std::pair<std::uint32_t, BodyId>{4, domain.bodies.id(i)}));
    append_body(data, row, i < 2);
  }
  EXPECT_EQ(data.numbers<std::uint32_t>("layout/id"), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(data.numbers<std::uint32_t>("layout/freedom"), (std::vector<std::uint32_t>{6, 6}));
  EXPECT_EQ(data.numbers<double>("body/q"),
            std::vector<double>(domain.bodies.q(0), domain.bodies.q(0) + 36));
  EXPECT_EQ(data.numbers<double>("body/u"),
            std::vector<double>(domain.bodies.u(0), domain.bodies.u(0) + 24));
  ASSERT_EQ(data.numbers<double>("body/energy").size(), 15u);
  EXPECT_EQ(data.numbers<double>("body/energy")[5 + 4], domain.bodies.work(1).friction);
}

TEST(FrameRows, SayWhatAContactIs) {
  Domain domain;
  testing::fill_domain(domain);
  FrameData data;
  for (std::uint32_t k = 0; k < 5; k++) {
    const ConstraintRow row = sent(ConstraintRow{2, domain.constraints.all()[k], 0.1 * k});
    EXPECT_EQ(row.key(), (std::pair{2u, domain.constraints.all()[k].key}));
    append_constraint(data, row, 10 + k);
  }
  EXPECT_EQ(data.numbers<std::uint32_t>("bond/constraint"), (std::vector<std::uint32_t>{11, 13}));
  const Constraint& last = domain.constraints.all()[4];
  const ConstraintRow back = rows_of<ConstraintRow>(data).at(4);
  EXPECT_EQ(back.constraint.R, last.R);
  EXPECT_EQ(back.constraint.normal, last.normal);
  EXPECT_EQ(data.numbers<double>("constraint/friction"),
            (std::vector<double>{0, 0.1, 0.2, 0.1 * 3, 0.4}));
  EXPECT_EQ(data.numbers<double>("bond/area")[1], domain.constraints.all()[3].bond->area);
}

TEST(FrameRows, CarryDefinitions) {
  Domain domain;
  testing::fill_domain(domain);
  domain.bodies[1].changes = 3;
  domain.bodies[1].recorded = 2;
  const DefinitionRow row = sent(DefinitionRow{1, domain.bodies[1]});
  EXPECT_EQ(row.key(), (std::pair<std::uint32_t, BodyId>{1, BodyId{1}}));
  EXPECT_EQ(row.body.label, domain.bodies[1].label);
  EXPECT_EQ(row.body.recorded, 2);
}

}  // namespace
}  // namespace solfec::frame_rows_test
