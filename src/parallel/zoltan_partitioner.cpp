#include <fmt/format.h>
#include <mpi.h>
#include <zoltan.h>

#include <cfloat>
#include <cmath>
#include <stdexcept>

#include "parallel/bisection.hpp"

namespace solfec {
namespace {

struct Corners {
  double lower[3], upper[3];
};

// All ranks agree on an error, so that nobody goes on alone.
void check(const Communicator& communicator, int code, const char* call) {
  if (communicator.any(code != ZOLTAN_OK && code != ZOLTAN_WARN))
    throw std::logic_error(fmt::format("the division of space has failed in {}", call));
}

// Recursive coordinate bisection by Zoltan, whose object remembers the directions of its cuts.
//
// RCB_SET_DIRECTIONS would not lock directions: how many cuts there are in each follows from the
// extents of the points at the time. REDUCE_DIMENSIONS is of no use either: Zoltan_RCB_Box answers
// in coordinates of Zoltan's own choice, which it does not tell.
class Bisection {
 public:
  explicit Bisection(const Communicator& communicator) : communicator_(communicator) {
    float version = 0;
    check(communicator_, Zoltan_Initialize(0, nullptr, &version), "Zoltan_Initialize");
    zoltan_ = Zoltan_Create(MPI_COMM_WORLD);
    check(communicator_, zoltan_ ? ZOLTAN_OK : ZOLTAN_MEMERR, "Zoltan_Create");
  }
  ~Bisection() { Zoltan_Destroy(&zoltan_); }
  Bisection(const Bisection&) = delete;
  Bisection& operator=(const Bisection&) = delete;

  void set(const char* name, const std::string& value) {
    check(communicator_, Zoltan_Set_Param(zoltan_, name, value.c_str()), name);
  }

  void divide(std::span<const Vec3> points, std::span<const float> weights) {
    Input input{communicator_.rank(), points, weights};
    int code = Zoltan_Set_Num_Obj_Fn(zoltan_, count, &input);
    code = std::max(code, Zoltan_Set_Obj_List_Fn(zoltan_, list, &input));
    code = std::max(code, Zoltan_Set_Num_Geom_Fn(zoltan_, dimension, &input));
    code = std::max(code, Zoltan_Set_Geom_Multi_Fn(zoltan_, coordinates, &input));
    check(communicator_, code, "Zoltan_Set_Fn");
    // Nothing is asked for, and nothing comes back, in these lists.
    int changes, gids, lids, imports, exports;
    ZOLTAN_ID_PTR lists[4];
    int* parts[4];
    code = Zoltan_LB_Partition(zoltan_, &changes, &gids, &lids, &imports, &lists[0], &lists[1],
                               &parts[0], &parts[1], &exports, &lists[2], &lists[3], &parts[2],
                               &parts[3]);
    check(communicator_, code, "Zoltan_LB_Partition");
  }

  std::vector<Corners> boxes() const {
    std::vector<Corners> boxes(communicator_.size());
    int code = ZOLTAN_OK;
    for (int r = 0; r < communicator_.size(); r++) {
      int dimensions = 0;
      auto& [lower, upper] = boxes[r];
      code = std::max(std::abs(code),
                      std::abs(Zoltan_RCB_Box(zoltan_, r, &dimensions, &lower[0], &lower[1],
                                              &lower[2], &upper[0], &upper[1], &upper[2])));
    }
    check(communicator_, code, "Zoltan_RCB_Box");
    return boxes;
  }

 private:
  struct Input {
    int rank;
    std::span<const Vec3> points;
    std::span<const float> weights;
  };

  static int count(void* data, int* code) {
    *code = ZOLTAN_OK;
    return static_cast<int>(static_cast<Input*>(data)->points.size());
  }
  static void list(void* data, int, int, ZOLTAN_ID_PTR global, ZOLTAN_ID_PTR local, int,
                   float* weights, int* code) {
    const Input& input = *static_cast<Input*>(data);
    for (std::size_t i = 0; i < input.points.size(); i++) {
      global[2 * i] = static_cast<ZOLTAN_ID_TYPE>(input.rank);
      global[2 * i + 1] = local[i] = static_cast<ZOLTAN_ID_TYPE>(i);
      weights[i] = input.weights[i];
    }
    *code = ZOLTAN_OK;
  }
  static int dimension(void*, int* code) {
    *code = ZOLTAN_OK;
    return 3;
  }
  static void coordinates(void* data, int, int, int n, ZOLTAN_ID_PTR, ZOLTAN_ID_PTR local, int,
                          double* result, int* code) {
    const Input& input = *static_cast<Input*>(data);
    for (int i = 0; i < n; i++) Vec3::Map(result + 3 * i) = input.points[local[i]];
    *code = ZOLTAN_OK;
  }

  const Communicator& communicator_;
  Zoltan_Struct* zoltan_ = nullptr;
};

// Point of a rank such that the bisection of all of them makes cuts in given directions: with each
// level they are four times closer, so that they are farthest apart along the next cut.
Vec3 point_for_directions(std::span<const Cut> cuts, int rank) {
  Vec3 point = Vec3::Zero();
  double step = 1;
  descend({cuts.begin(), cuts.end()}, [&](int k) {
    const bool above = rank > k;
    point[cuts[k].direction] += above ? step : -step;
    step /= 4;
    return above;
  });
  return point;
}

// The cuts that make the boxes. Zoltan, too, has the first half of the parts below a cut.
void find_cuts(const std::vector<Corners>& boxes, int first, int last, std::span<const Cut> locked,
               std::vector<Cut>& cuts) {
  if (last - first < 2) return;
  const int middle = middle_rank(first, last);
  bool found = false;
  for (int d = 0; d < 3 && !found; d++) {
    if (!locked.empty() && locked[middle - 1].direction != d) continue;
    double below = -DBL_MAX, above = DBL_MAX;
    for (int r = first; r < middle; r++) below = std::max(below, boxes[r].upper[d]);
    for (int r = middle; r < last; r++) above = std::min(above, boxes[r].lower[d]);
    found = below <= above && std::abs(below) < DBL_MAX;
    if (found) cuts[middle - 1] = {d, below};
  }
  if (!found) throw std::logic_error("the boxes of Zoltan_RCB_Box do not come from cuts");
  find_cuts(boxes, first, middle, locked, cuts);
  find_cuts(boxes, middle, last, locked, cuts);
}

}  // namespace

std::vector<Cut> bisect(const Communicator& communicator, std::span<const Vec3> points,
                        std::span<const float> weights, double tolerance,
                        std::span<const Cut> locked) {
  const int ranks = communicator.size();
  if (ranks == 1) return {};
  Bisection bisection(communicator);
  bisection.set("DEBUG_LEVEL", "0");
  bisection.set("RCB_OUTPUT_LEVEL", "0");
  bisection.set("LB_METHOD", "RCB");
  bisection.set("KEEP_CUTS", "1");
  bisection.set("REMAP", "0");  // parts by number, whoever has the points
  bisection.set("RETURN_LISTS", "NONE");
  bisection.set("NUM_GID_ENTRIES", "2");
  bisection.set("NUM_LID_ENTRIES", "1");
  bisection.set("OBJ_WEIGHT_DIM", "1");
  bisection.set("IMBALANCE_TOL", fmt::format("{}", tolerance));
  if (!locked.empty()) {
    const Vec3 point = point_for_directions(locked, communicator.rank());
    const float weight = 1;
    bisection.set("RCB_RECOMPUTE_BOX", "1");  // longest side of the points, not of their region
    bisection.divide({&point, 1}, {&weight, 1});
    bisection.set("RCB_RECOMPUTE_BOX", "0");  // makes no cuts where there are no points
    bisection.set("RCB_LOCK_DIRECTIONS", "1");
  }
  bisection.divide(points, weights);
  std::vector<Cut> cuts(ranks - 1);
  find_cuts(bisection.boxes(), 0, ranks, locked, cuts);
  return cuts;
}

}  // namespace solfec
