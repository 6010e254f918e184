#include "simulation/present_frame.hpp"

#include <gtest/gtest.h>

#include "support/scratch_directory.hpp"
#include "support/small_scene.hpp"

namespace solfec::present_frame_test {
namespace {

using testing::make_scene;
using testing::ScratchDirectory;

class PresentFrame : public ::testing::Test {
 protected:
  PresentFrame() {
    make_scene(s_, scratch_ / "out");
    run(s_, solver_, 0.06, nullptr);
  }
  std::vector<std::uint32_t> defined() {
    return frames_.take(s_).numbers<std::uint32_t>("definition/id");
  }
  ScratchDirectory scratch_;
  Simulation s_;
  GaussSeidel solver_{{}};
  PresentFrames frames_;
};

TEST_F(PresentFrame, IsTheFrameThatResultsHold) {
  const FrameData now = frames_.take(s_);
  const ResultsReader reader(s_.results.directory);
  const int last = reader.frames() - 1;
  EXPECT_EQ(now.numbers<double>("frame/time"), std::vector{reader.time(last)});
  ASSERT_EQ(now.numbers<std::uint32_t>("layout/id").size(), 3u);
  for (std::uint32_t id : now.numbers<std::uint32_t>("layout/id")) {
    const auto state = reader.body_states(BodyId{id}, last, last + 1);
    const auto begin = now.numbers<double>("body/q").begin() +
                       12 * (id - now.numbers<std::uint32_t>("layout/id")[0]);
    EXPECT_EQ(std::vector(begin, begin + 12), state.q);
  }
  std::vector<double> gaps, R;
  reader.visit_constraints(last, last + 1, [&](int, const ResultsReader::ConstraintRows& rows) {
    gaps.assign(rows.gap, rows.gap + rows.count);
    R.assign(rows.R, rows.R + 3 * rows.count);
  });
  EXPECT_EQ(now.numbers<double>("constraint/gap"), gaps);
  EXPECT_EQ(now.numbers<double>("constraint/R"), R);
  EXPECT_FALSE(gaps.empty());
  EXPECT_EQ(now.numbers<double>("frame/energy"), reader.frame_column("energy", last, last + 1));
}

TEST_F(PresentFrame, DefinesBodiesOnceAndAgainWhenTheyChange) {
  EXPECT_EQ(defined().size(), 3u);
  EXPECT_EQ(defined().size(), 0u);
  s_.domain.bodies[1].changes++;
  EXPECT_EQ(defined(), std::vector{s_.domain.bodies.id(1).value});
  testing::add(s_, BodyKind::rigid, {Sphere{{9, 9, 9}, 1}}, "new");
  EXPECT_EQ(defined(), std::vector{s_.domain.bodies.id(3).value});
  EXPECT_EQ(defined().size(), 0u);
}

TEST_F(PresentFrame, LeavesRecordsForResultsAlone) {
  s_.domain.bodies[1].changes++;
  const int recorded = s_.domain.bodies[1].recorded;
  frames_.take(s_);
  EXPECT_EQ(s_.domain.bodies[1].recorded, recorded);
}

}  // namespace
}  // namespace solfec::present_frame_test
