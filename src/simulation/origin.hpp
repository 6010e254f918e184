// What results were made by, and whether the script still says the same: an edited script must not
// print old results without a word.
#pragma once

#include <string>
#include <vector>

#include "output/results_files.hpp"

namespace solfec {

struct Simulation;
class ResultsReader;
class Solver;

/// The parts of the model as they stand at the first RUN.
std::vector<ModelPart> model_parts(const Simulation& simulation);
/// RUN number k: its solver and duration.
ModelPart run_part(int number, const Solver& solver, double duration);

/// Names of the parts that only one of the models has, or that differ; of RUNs those only that both
/// have come to.
std::vector<std::string> changed_parts(const std::vector<ModelPart>& stored,
                                       const std::vector<ModelPart>& made);
/// With -c, at a RUN that is under way: warns when the script has given its bodies other loads,
/// joints or properties since than they had in this frame. Collective.
void tell_changed_bodies(const Simulation& simulation, const ResultsReader& results, int frame);

/// Read mode: says what is read and when it was computed, and what of the script has changed since.
/// The bodies are still those of the script. Collective.
void tell_origin(Simulation& simulation, const ResultsReader& results);
/// At RUN number k, in read mode or where it is over with -c: warns when it was another one, or
/// none.
void compare_run(const Simulation& simulation, const ResultsReader& results, const ModelPart& run);
/// With -c: warns of what goes on otherwise than it was, and of bodies that do not.
void tell_changes(const Simulation& simulation, const ResultsReader& results,
                  const std::vector<ModelPart>& made);

}  // namespace solfec
