// Items against results of three frames made by hand; items against live runs: tests/input.
#include "output/history.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "output/results_writer.hpp"
#include "support/sample_domain.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::history_test {
namespace {

class History : public ::testing::Test {
 protected:
  History() {
    testing::fill_domain(domain_);
    ResultsWriter writer(scratch_.path().string(), "DYNAMIC", {});
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < domain_.bodies.total(); i++) {
        domain_.bodies.gradient(i).setIdentity();
        domain_.bodies.center(i) = domain_.bodies[i].reference.center + Vec3(k, 2 * k, 3 * k);
        std::fill_n(domain_.bodies.u(i), domain_.bodies.dofs(i), 0.0);
      }
      // Two contacts of bodies 1 and 0, normals along z.
      testing::fill_contacts(domain_, k == 1 ? 0 : 2, k + 1);
      for (Constraint& c : domain_.constraints.all()) c.set_base(local_base(Vec3::UnitZ()));
      FrameHeader header;
      header.time = k;
      header.iterations = 10 * k;
      header.solver = k == 2 ? SolverKind::penalty : SolverKind::gauss_seidel;
      writer.add(header, domain_);
    }
    writer.publish();
    reader_ = std::make_unique<ResultsReader>(scratch_.path().string());
  }
  std::vector<double> of(const HistoryItem& item, int skip = 1) const {
    return history(*reader_, domain_.bulk_materials, item, 0, 3, skip);
  }
  testing::ScratchDirectory scratch_;
  Domain domain_;
  std::unique_ptr<ResultsReader> reader_;
};

using Values = std::vector<double>;
const std::vector<BodyId> kFirst = {BodyId{1}}, kSecond = {BodyId{0}},
                          kBoth = {BodyId{0}, BodyId{1}};

TEST_F(History, OfPoints) {
  EXPECT_EQ(of(PointItem{BodyId{1}, {1, 1, 1}, PointEntity::DY}), (Values{0, 2, 4}));
  EXPECT_EQ(of(PointItem{BodyId{1}, {1, 1, 1}, PointEntity::DZ}, 2), (Values{0, 6}));
  EXPECT_TRUE(std::isnan(of(PointItem{BodyId{42}, {1, 1, 1}, PointEntity::DY})[0]));
}

TEST_F(History, OfConstraints) {
  // Frame 0: R_N = 6, 12, gaps -1E-3, -2E-3; frame 2: R_N = 18, 24.
  const auto item = [](auto entity) { return ConstraintItem{{}, {}, {}, entity}; };
  EXPECT_EQ(of(item(ConstraintEntity::R)), (Values{18, 0, 42}));
  EXPECT_EQ(of(item(ConstraintEntity::U)), (Values{13.5, 0, 31.5}));
  EXPECT_EQ(of(item(ConstraintEntity::GAP)), (Values{-2e-3, 0, -4e-3}));
  // Along z it is the same; on the second body the reaction is the opposite, on both none is left.
  ConstraintItem along{{}, Vec3(0, 0, 2), {}, ConstraintEntity::R};
  EXPECT_EQ(of(along), (Values{18, 0, 42}));
  for (const auto& [bodies, sign] : {std::pair(kFirst, 1.0), {kSecond, -1.0}, {kBoth, 0.0}}) {
    along.bodies = bodies;
    EXPECT_EQ(of(along), (Values{sign * 18, 0, sign * 42}));
  }
  // Surfaces (0, 1) and (1, 2), in any order.
  ConstraintItem pair{{}, {}, {{2, 1}}, ConstraintEntity::R};
  EXPECT_EQ(of(pair), (Values{12, 0, 24}));
  pair.surfaces = {5, 6};
  EXPECT_EQ(of(pair), (Values{0, 0, 0}));
}

TEST_F(History, OfEnergiesAndFrames) {
  // Work given by sample_domain: bodies 1 and 3 stand at 1 and 2 in the store.
  EXPECT_EQ(of(EnergyItem{kFirst, EnergyKind::contact}), (Values{2, 2, 2}));
  const Values all = of(EnergyItem{{}, EnergyKind::friction});
  const Values two = of(EnergyItem{{{BodyId{0}, BodyId{1}, BodyId{3}}}, EnergyKind::friction});
  EXPECT_EQ(all, two);
  EXPECT_EQ(of(FrameItem{"time", 0, 1, {}}), (Values{0, 1, 2}));
  EXPECT_EQ(of(FrameItem{"iterations", 0, 1, SolverKind::gauss_seidel}), (Values{0, 10, 0}));
}

TEST(StressComponents, VonMises) {
  Mat3 s = Mat3::Zero();
  s(0, 0) = -3;
  EXPECT_DOUBLE_EQ(stress_components(s)[6], 3);  // one axis
  EXPECT_DOUBLE_EQ(stress_components(5 * Mat3::Identity())[6], 0);
  s.setZero();
  s(0, 1) = s(1, 0) = 2;
  EXPECT_DOUBLE_EQ(stress_components(s)[6], 2 * std::sqrt(3));  // pure shear
  Mat3 numbered;
  numbered << 1, 4, 5, 4, 2, 6, 5, 6, 3;
  const auto c = stress_components(numbered);
  for (int k = 0; k < 6; k++) EXPECT_EQ(c[k], k + 1);
}

}  // namespace
}  // namespace solfec::history_test
