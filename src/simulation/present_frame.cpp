#include "simulation/present_frame.hpp"

#include "body/kinematics.hpp"
#include "output/frame_rows.hpp"
#include "output/history.hpp"
#include "simulation/simulation.hpp"

namespace solfec {

FrameData PresentFrames::take(const Simulation& s) {
  FrameData frame;
  const Domain& domain = s.domain;
  std::array<double, 5> energy{};
  std::map<BodyId, int> present;
  for (int i = 0; i < domain.bodies.owned(); i++) {
    const BodyRow state = body_row(0, domain.bodies, domain.bulk_materials, i);
    append_body(frame, state, true);
    for (std::size_t k = 0; k < energy.size(); k++) energy[k] += state.energy[k];
    const Body& body = domain.bodies[i];
    present[body.id] = body.changes;
    const auto known = known_.find(body.id);
    if (known == known_.end() || known->second != body.changes) append(frame, body);
  }
  known_ = std::move(present);
  std::size_t number = 0;
  for (const Constraint& c : domain.constraints.all())
    append_constraint(frame, constraint_row(0, c, domain.surface_materials), number++);
  FrameRow row;
  row.header = frame_header(s);
  row.energy = energy;
  const auto rows = [&](TableId table) { return static_cast<std::uint32_t>(frame[table].rows()); };
  row.bodies = row.layout = rows(TableId::layout);
  row.constraints = rows(TableId::constraint);
  row.bonds = rows(TableId::bond);
  row.definitions = rows(TableId::definition);
  append(frame, row);
  return frame;
}

std::vector<double> nodal_stresses(const Domain& domain) {
  std::vector<double> result;
  for (int i = 0; i < domain.bodies.owned(); i++) {
    if (!is_meshed(domain.bodies.kind(i))) continue;
    for (const Mat3& stress : nodal_stress(domain.bodies, domain.bulk_materials, i)) {
      const auto components = stress_components(stress);
      result.insert(result.end(), components.begin(), components.begin() + 6);
    }
  }
  return result;
}

}  // namespace solfec
