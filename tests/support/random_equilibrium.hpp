// Random equations of equilibrium of rigid bodies with their dense matrix.
#pragma once

#include "local_dynamics/equilibrium_matrix.hpp"
#include "support/random.hpp"

namespace solfec::testing {

struct RandomEquilibrium {
  std::vector<EquilibriumColumns> constraints;
  int bodies = 0;
  Eigen::MatrixXd dense;  ///< all six equations of each body, by bodies
};

/// Forces at points of space between random bodies, one to three components each; a third of them
/// between a body and the ground.
inline RandomEquilibrium random_equilibrium(int seed, int bodies, int constraints) {
  Random random(static_cast<std::uint64_t>(seed));
  RandomEquilibrium result;
  result.bodies = bodies;
  std::vector<Eigen::VectorXd> columns;
  for (int k = 0; k < constraints; k++) {
    EquilibriumColumns& c = result.constraints.emplace_back();
    c.count = random.integer(1, 3);
    const Vec3 point = random.in_box(1);
    Eigen::MatrixXd wrench(6, c.count);
    for (int i = 0; i < c.count; i++) {
      const Vec3 force = random.in_box(1);
      wrench.col(i).head<3>() = force;
      wrench.col(i).tail<3>() = point.cross(force);
    }
    const int first = random.integer(0, bodies - 1);
    const int second = random.integer(0, 2) == 0 ? first : random.integer(0, bodies - 1);
    c.ends[0] = {first, wrench};
    if (second != first) c.ends[1] = {second, -wrench};
    for (int i = 0; i < c.count; i++) {
      Eigen::VectorXd& column = columns.emplace_back(Eigen::VectorXd::Zero(6 * bodies));
      for (const BodyColumns& end : c.ends)
        if (end.body >= 0) column.segment<6>(6 * end.body) = end.columns.col(i);
    }
  }
  result.dense.resize(6 * bodies, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); k++)
    result.dense.col(static_cast<Eigen::Index>(k)) = columns[k];
  return result;
}

}  // namespace solfec::testing
