#include "simulation/settings.hpp"

#include "simulation/simulation.hpp"

namespace solfec {
namespace {

template <class... Values>
Setting setting(std::string name, const Values&... values) {
  ArchiveWriter archive;
  archive(values...);
  return {std::move(name), fingerprint(archive.bytes())};
}

// The index too: bodies and contacts name materials by it.
void add_materials(const Domain& domain, std::vector<Setting>& list) {
  for (int i = 0; i < domain.bulk_materials.count(); i++) {
    const BulkMaterial& m = domain.bulk_materials[i];
    list.push_back(setting("BULK_MATERIAL '" + m.label + "'", i, m.young, m.poisson, m.density));
  }
  for (int i = 0; i < domain.surface_materials.count(); i++) {
    const SurfaceMaterial& m = domain.surface_materials[i];
    list.push_back(setting("SURFACE_MATERIAL '" + m.label + "'", i, m.surface1, m.surface2, m.model,
                           m.friction, m.cohesion, m.fracture_energy, m.restitution,
                           m.tangential_restitution, m.spring, m.dashpot));
  }
}

}  // namespace

Setting solver_setting(const Solver& solver) {
  ArchiveWriter archive;
  solver.write_settings(archive);
  return {solver.name(), fingerprint(archive.bytes())};
}

std::vector<Setting> model_settings(const Simulation& s) {
  const Domain& d = s.domain;
  const Sparsification& sparse = d.detection_settings.sparsification;
  std::vector<Setting> list = {
      setting("SOLFEC.step", s.settings.step),
      setting("SOLFEC.contact_points", d.detection_settings.mode),
      setting("SOLFEC.joint_correction", d.correct_joints),
      setting("SOLFEC.contact_correction", d.contact_correction),
      setting("GEOMETRIC_EPSILON", d.detection_settings.epsilon),
      setting("OUTPUT", s.settings.output_interval, s.settings.compression, s.settings.determinacy),
      setting("CALLBACK", s.settings.callback ? s.settings.callback->interval : 0.0),
      setting("FORCE with a callback", d.user_forces.size()),
      setting("PUT_SPRING", d.spring_functions.size()),
      setting("GRAVITY", d.gravity.component),
      setting("EXTENTS", d.extents.has_value(), d.extents ? d.extents->lower : Vec3::Zero().eval(),
              d.extents ? d.extents->upper : Vec3::Zero().eval()),
      setting("CONTACT_SPARSIFY", sparse.threshold, sparse.min_area, sparse.min_distance),
      setting("UNPHYSICAL_PENETRATION", d.unphysical_penetration),
  };
  add_materials(d, list);
  return list;
}

std::vector<Setting> settings_of(const Simulation& s, const Solver& solver) {
  const PartitionSettings& partition = s.domain.partition_settings;
  std::vector<Setting> list = model_settings(s);
  list.push_back(setting("SOLFEC.verbose", s.settings.verbosity));
  list.push_back(setting("IMBALANCE_TOLERANCE", partition.tolerance, partition.lock_directions,
                         partition.degenerate_ratio, partition.weight_factor));
  list.push_back(solver_setting(solver));
  return list;
}

std::vector<Setting> settings_of_run(const Simulation& s, const Solver& solver, double duration) {
  std::vector<Setting> list = settings_of(s, solver);
  list.push_back(setting("RUN: 'duration'", duration, s.clock.time));
  return list;
}

}  // namespace solfec
