// Joints are closed at the start, in the middle and at the end of a dynamic step, and velocities
// fit at its ends (the method RATTLE in half steps, Andersen 1983):
//
//   start    u <- u + M^-1 H^T p    such that the gap is zero at q(t + h/2) = q + h/2 u
//   middle   reactions R            such that the gap is zero at q(t + h); a quasi-static step too
//   end      u <- u + M^-1 H^T p'   such that H u is what the joint prescribes at t + h
//
// The reaction of the step is  R + (p + p') / h.  Each half is its own mirror image in time, so
// that energy does not drift; velocities remember nothing of those before, so that nothing
// alternates. M are the masses alone: no stiffness resists an impulse. Fixed points and directions
// between finite-element bodies and space are linear in the nodes: they stay closed without, by
// DEF_IMP with the middle alone, as velocities of that are not linear in R.
#pragma once

#include <functional>
#include <limits>
#include <map>

#include "body/time_step.hpp"
#include "constraint/constraint_store.hpp"
#include "domain/joint_changes.hpp"
#include "domain/shared_rows.hpp"

namespace solfec {

struct Domain;

/// Of one step; keeps its memory. Calls are collective, with ghosts at the owners' present
/// configurations.
class JointClosure {
 public:
  /// Measures joints that are new; closes joints at mid-step. Of dynamic steps.
  void start(Domain& domain, const TimeStep& step);
  /// In place of it where a step has no such impulses.
  void skip_start() { changes_.clear(); }
  /// Reactions of the joints that close them at the end of the step, given those of all other rows
  /// of the local dynamics, for which the joints' velocities are to stay what they are now. The
  /// first call begins the joints' reactions from zero. Later ones come after a solution for all
  /// rows: false when its velocities are next to those of the motion.
  bool middle(Domain& domain, const TimeStep& step, bool first);
  /// Brings the velocities at the end of the step onto the joints, and the impulses of both ends
  /// into the reactions of the constraints. Of dynamic steps.
  void end(Domain& domain, const TimeStep& step);

  /// What the impulses of the start did.
  const JointChanges& changes() const { return changes_; }

 private:
  void find_places(const BodyStore& bodies);
  PlacedRows placed_joints() const { return {joints_, places_}; }
  void assemble(Domain& domain);
  void apply(Domain& domain);
  // Rows of the middle, and whether they begin at the reactions of the linear problem: without any
  // a body by DEF_IMP whose stress they hold may have no motion, and that of a quasi-static one may
  // be far off.
  bool choose_rows(Domain& domain, const TimeStep& step);
  bool leads_away(const std::vector<Vec3>& R, double miss);
  template <class Close>
  void begin_contacts(Domain& domain, Close&& close);
  Vec3 impulse_at_start(const ContactKey& joint) const;
  // Of bodies here, sums of |R| over joints; `own` are those of joints_.
  using Sums = std::map<int, double>;
  Sums sums_by_body(const BodyStore& bodies, const std::function<Vec3(int)>& own) const;

  std::vector<Constraint> joints_;
  ConstraintPlaces places_;  // of those, at the configuration of find_places
  SharedRows shared_;
  LocalDynamics system_;
  std::vector<Vec3> R_;  // its impulses
  RowSelection middle_;
  std::vector<RowLaw> laws_;  // of those rows
  bool touching_ = false;     // some of the other rows are contacts
  struct Turn {
    std::vector<Vec3> R;
    double miss = std::numeric_limits<double>::infinity();  // by which joints missed under R
    int rises = 0;  // turns since then that did not make it smaller
  };
  Turn best_turn_;
  std::vector<ContactKey> started_;  // joints of the start, rising
  std::vector<Vec3> impulses_;       // of those, local [N s]
  JointChanges changes_;
};

}  // namespace solfec
