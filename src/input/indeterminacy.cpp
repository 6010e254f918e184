#include <cmath>

#include "input/objects.hpp"
#include "input/session.hpp"
#include "simulation/step_indeterminacy.hpp"

namespace solfec::input {
namespace {

// A whole number where it is exact.
py::object count(double value, bool exact) {
  return exact ? py::object(py::int_(std::llround(value))) : py::object(py::float_(value));
}

// Of a cluster, or of all.
py::dict figures(const ClusterIndeterminacy& c) {
  const bool exact = c.resolved && c.deviation == 0;
  py::dict result;
  result["bodies"] = c.bodies;
  result["constraints"] = c.constraints;
  result["components"] = c.components;
  result["rank"] = count(c.components - c.degree, exact);
  result["degree"] = count(c.degree, exact);
  result["deviation"] = c.deviation;
  result["resolved"] = c.resolved;
  return result;
}

ClusterIndeterminacy total(const std::vector<ClusterIndeterminacy>& clusters) {
  ClusterIndeterminacy sum;
  double variance = 0;
  for (const ClusterIndeterminacy& c : clusters) {
    sum.bodies += c.bodies;
    sum.constraints += c.constraints;
    sum.components += c.components;
    sum.degree += c.degree;
    variance += c.deviation * c.deviation;
    sum.resolved = sum.resolved && c.resolved;
  }
  sum.deviation = std::sqrt(variance);
  return sum;
}

py::object is_determined(ReactionDeterminacy::Part part) {
  if (part == ReactionDeterminacy::Part::none) return py::none();
  return py::bool_(part == ReactionDeterminacy::Part::determined);
}

py::object find_indeterminacy(const Arguments& a) {
  const std::shared_ptr<Simulation> simulation = shared_simulation_of(a["solfec"]);
  StepIndeterminacy found;
  try {
    found = step_indeterminacy(*simulation);
  } catch (const InputError& error) {
    a["solfec"].fail_value_saying(error.what());
  }
  py::dict result = figures(total(found.clusters));
  py::list clusters, reactions;
  for (const ClusterIndeterminacy& cluster : found.clusters) clusters.append(figures(cluster));
  const std::vector<Constraint>& constraints = simulation->domain.constraints.all();
  for (std::size_t k = 0; k < found.constraints.size(); k++) {
    const StepIndeterminacy::OfConstraint& of_constraint = found.constraints[k];
    py::dict reaction;
    reaction["constraint"] = ConstraintObject{simulation, constraints[k].key};
    reaction["normal"] = is_determined(of_constraint.reaction.normal);
    reaction["tangent"] = is_determined(of_constraint.reaction.tangent);
    reaction["cluster"] = of_constraint.cluster == Indeterminacy::kNoCluster
                              ? py::object(py::none())
                              : py::object(py::int_(of_constraint.cluster));
    reactions.append(reaction);
  }
  result["clusters"] = clusters;
  result["reactions"] = reactions;
  return result;
}

}  // namespace

void define_indeterminacy(Commands& commands) {
  commands.add(
      "INDETERMINACY", "solfec",
      R"(Tells which reactions of the last step are determined by equilibrium, and which are not.

solfec  SOLFEC object

Where a model is statically indeterminate, other reactions give the same motion: those of the results are one choice.
A component counts where the law leaves it to equilibrium: N of a contact that presses; T1 and T2 of one that sticks;
of one that slides only R_N, as R_T follows it (from 99.9 % of what friction holds on, as in the viewer); the bound
directions of a joint, the force of a stop of a spring. None counts of an open contact, and of the normal force of a
spring-dashpot, nor of supports of finite elements, which the integration of their body eliminates (those of DEF_LIM2,
DEF_IMP, DEF_EXP and QUASI_STATIC that cannot break: theory.md); where these are more than hold it, their reactions are
those of least norm. With E the directions of all components, W that of the step, changes z of them with E^T W E z = 0
leave all velocities as they are. A reaction is determined if it is zero in all such z.

Returns a dictionary:

bodies       that move, on which these reactions act
constraints  that have components
components   their number
rank         of E^T W E
degree       of static indeterminacy: components - rank
deviation    0 where degree is exact; else degree is an estimate with this standard deviation
resolved     False if the iteration of a large cluster did not come to its end; then nothing of it is certain
clusters     list of dictionaries with the same entries for each cluster: bodies and reactions that are connected
             through bodies that move
reactions    list of dictionaries, for each of SOLFEC.constraints in its order (on several ranks those on this rank):
    constraint  CONSTRAINT object
    normal      whether R_N is determined; None: it is no component
    tangent     the same of T1 and T2 together
    cluster     its place in clusters, or None

Frames written after it in the same step hold the answer, as those of OUTPUT with determinacy = 'ON' do. Clusters of up
to 400 components are dealt with by dense matrices, larger ones by projections of random vectors; then degree is exact
if it, or the number of motions that no reaction resists, is below 64. On several ranks the first one does the work of
all, with about 300 bytes for each component. An example: viewing/gallery.md; formulas: theory.md.

ValueError before the first step, when bodies or constraints were made or deleted since, and in 'READ' mode: results
do not hold W.)",
      find_indeterminacy);
}

}  // namespace solfec::input
