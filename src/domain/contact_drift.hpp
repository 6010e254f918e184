// A solver ends where the merit function is small enough, and leaves each contact a velocity that
// its law does not allow. What is pressed opens by it, what sticks creeps: over thousands of long
// steps contacts are lost, and what they carried falls. So the displacement d that steps have left
// is undone. With a, what of d is asked back, and C, what the solution of this step misses, the law
// of a step and what it leaves are
//
//   law of Ubar + a/h,   d' = d - a + h C,   in a contact without a bond d'_N = d_N - a_N + h
//   Ubar_N
//
// Where a contact presses h Ubar_N is what is left, else the distance by which it has opened: it
// may close again, or each time that the solver lets R_N be zero it would open a little for good.
// The gap itself would not do: those of bodies that roll or rock change by themselves to second
// order, and closing them takes their energy. Only where it would end the contact (asked_back) it
// does: what a step adds to it is of third order, but of one sign while a body rolls or slides one
// way. Those of vertices do by third order, since their laws have all of c (contact_motion.hpp):
// while a vertex presses d_N grows as its gap does (shows_drift), or a block that tips while it
// slides would leave the floor for a step now and then.
//
// In a contact without a bond a_N closes gaps only, and no more of one than there is: what asks for
// less than its law does never contradicts another contact. A body between two walls that leave it
// no room cannot be pushed off both; forces between them would have no bound.
//
// The first part of d is left alone, the larger the less accurate the solver is: where steps leave
// less, errors fade by themselves, as each solution starts from the last one, and to answer them
// keeps the solver at work.
#pragma once

#include "constraint/constraint_store.hpp"
#include "local_dynamics/contact_law.hpp"

namespace solfec {

struct DriftTolerance {
  double gap;   ///< of gaps: where contacts end [m]
  double left;  ///< the first part of d [m]
};
/// With a solver of such an accuracy (Solver::accuracy).
DriftTolerance drift_tolerance(double gap, double accuracy);

/// a: of d what may be asked back, but for its first part, local [m].
Vec3 drift_to_undo(const Constraint& contact, const DriftTolerance& tolerance);

/// What the law of a step asks back: a, or of the gap of a contact that has pressed, and is of no
/// vertex, what is above half of the tolerance, where that is more, local [m].
Vec3 asked_back(const RowLaw& law, const Constraint& contact, const DriftTolerance& tolerance);

/// d' of a contact that was solved, local [m]; `W` is the diagonal block of its row. Zero of
/// springs and of contacts whose law bounds the gap; without a bond also in the step in which it
/// begins to press, an impact, and where it is more than the tolerance of gaps: a solution that
/// failed must not throw bodies about.
Vec3 contact_drift(const RowLaw& law, const Constraint& contact, const Mat3& W, double h,
                   const DriftTolerance& tolerance);

}  // namespace solfec
