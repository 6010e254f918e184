// The present state of a simulation as a frame of results, for those who look at it while it runs.
#pragma once

#include <map>

#include "domain/domain.hpp"
#include "output/frame_data.hpp"

namespace solfec {

struct Simulation;

/// Says what a frame would hold if it were written now, without writing it. On one rank.
class PresentFrames {
 public:
  /// One frame: its time and figures, bodies, constraints, and the definitions of bodies that were
  /// made or changed since the last call. Nothing of the simulation is changed.
  FrameData take(const Simulation& simulation);

 private:
  std::map<BodyId, int> known_;  // changes of each body that have been told
};

/// Cauchy stress at the nodes of finite-element bodies, in the order of the column body/x: x, y, z,
/// xy, xz, yz of each node [Pa].
std::vector<double> nodal_stresses(const Domain& domain);

}  // namespace solfec
