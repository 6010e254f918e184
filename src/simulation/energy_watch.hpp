// Whether the motion of a run runs away: more energy of motion than was ever put in. Nothing else
// notices it where rigid bodies are concerned: a reaction that turns a light body to and fro, or
// that throws it out of a guide, does the work that the body gains, and each step is solved.
//
// Energy is put in by loads, by prescribed motions and obstacles that move, by springs, and by
// scripts. Contacts and joints without springs, between bodies, put nothing in, whatever they are
// computed to do.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "body/bulk_material.hpp"
#include "body/time_step.hpp"
#include "local_dynamics/contact_law.hpp"

namespace solfec {

struct Domain;

/// Of the bodies of a rank, in dynamic steps; sums over the ranks are what counts.
class EnergyWatch {
 public:
  /// Bodies have gained or lost energy since the last look by what puts it in: after scripts, and
  /// after impulses that close joints. At first all that they have.
  void take_gain(const Domain& domain);
  /// Bodies have come and gone with what they have.
  void follow_migration(const Domain& domain);
  /// After the step, with the reactions of its rows.
  void end_step(const Domain& domain, const TimeStep& step, ContactLaws laws);

  /// The last step's reactions were none: what their rows put in does not count. The next sums are
  /// the first without it.
  void take_back_rows() { supplied_ -= std::exchange(by_rows_, 0.0); }

  /// Kinetic energy at the last look, what was put in until then, and the gain of this step [J].
  std::array<double, 3> figures() const { return {kinetic_, supplied_, gain_}; }
  /// After each step, with the sums of these over the ranks: nothing, or on all of them what tells
  /// that the motion has run away. Collective.
  std::string what_runs_away(const Domain& domain, std::span<const double> sums, double h);

 private:
  double kinetic_ = 0, supplied_ = 0, gain_ = 0;
  double by_rows_ = 0;                   // of what was supplied, in the last step
  double gained_ = 0;                    // of all ranks: joints pass energy from one to the other
  std::vector<BulkMaterial> materials_;  // that stored energies have been taken for
};

}  // namespace solfec
