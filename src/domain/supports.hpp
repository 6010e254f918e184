// Supports: joints of FIX_POINT, FIX_DIRECTION and SET_* that hold a node of a finite-element body
// against space. In a step they are no rows of W but given velocities (body/node_support.hpp),
// which the matrix of the body is solved with; as constraints they stay, with their reactions.
//
// The directions n of all supports of a node make N = sum n n^T. Displacements w along them are
// those of  N^+ sum n w,  and a force F of the node is shared out as n . N^+ F: of equal supports
// each takes the same.
//
// A step keeps to positions at its start, middle and end as that of joints does
// (joint_closure.hpp); with the diagonal M of nodes each of these closes its node alone:
//
//   start    u_s such that the node is in its place at t + h/2
//   middle   u_s such that it is in its place at t + h, with A
//   end      u_s = what the supports prescribe at t + h
//
// Quasi-static: u_s from t to t + h. Without the setting `correct_joints`: u_s(t + h) as the laws
// of joint_kinds.hpp have it, only.
//
// Rows are left to
//
//   joints that may break, and points between nodes;
//   bodies in dynamic steps of DEF_LIM: what its filter damps of a held body depends on reactions
//   that come after it, and long steps of bent beams were found to keep more energy without;
//   bodies of the form TL in dynamic implicit steps whose supports let them turn: their A leaves
//   rotations to M alone (FiniteElements::leave_turns_alone);
//   single directions of bodies of the form BC, but in steps of DEF_EXP: their A turns with the
//   body and would be factored in each step, which costs more than the rows.
#pragma once

#include <string>
#include <vector>

#include "body/time_step.hpp"
#include "constraint/constraint_store.hpp"

namespace solfec {

struct Domain;

/// Of one step; keeps its memory. Local: supports are where their bodies are.
class Supports {
 public:
  /// Before the constraints of a step are counted: says which of them are supports in it.
  void choose(Domain& domain);
  /// At the start of a step: takes the supports out of the constraints, prescribes the velocities
  /// of their nodes, and closes them at the start. Throws RunError when they contradict each other.
  void begin(Domain& domain, const TimeStep& step);
  /// What they hold of bodies of the form BC, after the holds of other joints.
  void add_holds(BodyStore& bodies) const;
  /// At the configuration at which constraints are found.
  void place(const BodyStore& bodies);
  /// Once the rows are assembled: throws RunError where one asks for more of points that supports
  /// hold than these let them do, since no reaction can bring that about.
  void check_rows(const Domain& domain, const TimeStep& step) const;
  /// At the end of a dynamic step: velocities that the supports prescribe.
  void close_end(Domain& domain, const TimeStep& step);
  /// Shares the reactions out and puts the supports back among the constraints.
  void finish(Domain& domain, const TimeStep& step);
  /// Puts them back as they were at the start of the step, if they are not there.
  void restore(Domain& domain);

 private:
  // One direction of a support.
  struct Part {
    int constraint;  // among those set aside
    int component;   // of its base
    Vec3 direction;
  };
  struct Node {
    int body, node, first, last;  // parts
    Mat3 inverse;                 // N^+
  };
  template <class Value>
  Vec3 combine(const Node& node, Value&& value) const;
  double displacement_of(const Part& part, double time) const;
  std::string contradiction(const BodyStore& bodies, const Node& node, double time) const;
  void prescribe(Domain& domain, const TimeStep& step, const Node& node);
  void find_joints(BodyStore& bodies);
  void add_nodes(Domain& domain);
  NodeSupport& support(BodyStore& bodies, const Node& node) const;
  static void change_velocity(BodyStore& bodies, const Node& node, NodeSupport& support,
                              const Vec3& velocity);

  bool any_ = false;  // may be among the constraints
  std::vector<Constraint> aside_, earlier_;
  std::vector<Joint*> joints_;  // of those
  std::vector<Vec3> gaps_;      // of those, at the start of the step, without prescribed motion
  std::vector<Part> parts_;     // by node
  std::vector<Node> nodes_;     // by body and node
};

/// The constraints that are rows, in their order.
std::vector<const Constraint*> row_constraints(const Domain& domain);
/// Whether they are the rows of the last step: no constraint was made or deleted since.
bool rows_are_known(const Domain& domain);

}  // namespace solfec
