// What a step costs: no memory is asked for once the contacts are there, and a body that carries
// many contacts costs no more for each of them than a body with few.
#include <cstdlib>
#include <ctime>
#include <new>

#include "support/scene.hpp"

namespace {
std::size_t allocations = 0;  // calls of operator new in this program
}

void* operator new(std::size_t size) {
  allocations++;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  allocations++;
  const auto a = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(a, (size + a - 1) / a * a)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace solfec::cost_test {
namespace {

using testing::Scene;

// Of each pair of kinds some that rest on each other: balls, ellipsoids, boxes, meshed bricks.
void add_columns(Scene& scene, bool deformable) {
  scene.add_obstacle(testing::make_box({0, 0, -1}, {20, 20, 1}, Mat3::Identity()));
  const auto add = [&](Solid solid) {
    if (deformable)
      scene.add_pseudo_rigid(std::move(solid));
    else
      scene.add_rigid(std::move(solid));
  };
  for (int k = 0; k < 5; k++) {
    const double x = 3.0 * k;
    add(testing::make_box({x, 0, 0.5}, {0.5, 0.5, 0.5}, Mat3::Identity()));
    add(testing::make_ball({x, 0, 1.5}, 0.5));
    add(testing::make_brick({x, 3, 0.5}, {0.5, 0.5, 0.5}, {2, 1, 1}));
    add(testing::make_box({x, 3, 1.5}, {0.4, 0.4, 0.5}, Mat3::Identity()));
    add(testing::make_ball({x, -3, 0.5}, 0.5));
  }
}

class Cost : public ::testing::TestWithParam<bool> {};

TEST_P(Cost, StepsAskForNoMemoryOnceTheContactsAreThere) {
  Scene scene(1e-3, {0, 0, -10});
  add_columns(scene, GetParam());
  scene.solver.settings = testing::accurate_to(1e-6);
  // Deformable boxes swing on their corners at first.
  for (int k = 0; k < 200; k++) make_step(scene.simulation, scene.solver);
  ASSERT_GT(scene.contacts().size(), 40u);
  const std::size_t before = allocations;
  ASSERT_GT(before, 1000u) << "calls are not counted";
  for (int k = 0; k < 50; k++) make_step(scene.simulation, scene.solver);
  EXPECT_EQ(allocations - before, 0u);
}

INSTANTIATE_TEST_SUITE_P(Bodies, Cost, ::testing::Bool());

// Seconds of the processor per contact (other programs take none of them) of assembling and solving
// for a plate that carries n boxes' worth of contacts.
double seconds_per_contact(int n) {
  testing::Random random(1);
  Delassus W;
  std::vector<int> groups(static_cast<std::size_t>(n) + 1, 6);
  std::vector<Vec3> x(static_cast<std::size_t>(n)), y(static_cast<std::size_t>(n));
  double best = 1e9;
  for (int repeat = 0; repeat < 25; repeat++) {
    const std::clock_t start = std::clock();
    W.clear(1e-3, groups);
    for (int row = 0; row < n; row++) {
      double* blocks = W.add_row(0, row + 1);
      for (int k = 0; k < 36; k++) blocks[k] = random.uniform(-1, 1);
      x[row] = random.direction();
    }
    W.finish(DelassusForm::automatic);
    for (int sweep = 0; sweep < 20; sweep++) W.multiply(x, y);
    const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::min(best, taken / n);
  }
  return best;
}

TEST(CostOfAHeavyBody, GrowsLinearlyWithItsContacts) {
  const double few = seconds_per_contact(300), many = seconds_per_contact(3000);
  // Assembled blocks would cost ten times as much; the rest is the noise of shared machines. Both
  // are out of the nearest cache and, mostly, in the next one.
  EXPECT_LT(many, 2.5 * few) << few << " s with 300, " << many << " s with 3,000";
}

}  // namespace
}  // namespace solfec::cost_test
