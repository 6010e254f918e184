// The columns of results: what a batch of frames holds, listed once (visit_columns) for writing,
// reading and joining.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "body/integration.hpp"
#include "core/phase_timer.hpp"
#include "domain/domain.hpp"

namespace solfec {

/// Figures of the parallel Gauss-Seidel solver in one step (HISTORY: GSCOLORS, GSBOT, ...). Over
/// the ranks colours and times are the largest, rows are sums.
struct GaussSeidelFigures {
  int colors = 0;
  std::array<std::int64_t, 4> rows{};  ///< GSBOT, GSMID, GSTOP, GSINN
  std::array<double, 4> seconds{};     ///< GSINIT, GSRUN, GSCOM, GSMCOM
};

/// What a frame says of the step it follows. On many ranks each says it of itself: deleted bodies
/// and sparsified points are summed, of times the longest is taken, and all else is the same on all
/// ranks.
struct FrameHeader {
  double time = 0;          ///< [s]
  double step = 0;          ///< size of the last step [s]
  std::int64_t number = 0;  ///< steps made so far
  double merit = 0;
  SolverKind solver = SolverKind::none;
  int iterations = 0;
  int new_bodies = 0, deleted_bodies = 0;  ///< since the frame before
  int sparsified = 0;
  PhaseTimes timing;  ///< of the last step [s]
  GaussSeidelFigures gauss_seidel;
  // For going on as if never stopped:
  int ranks = 1;                ///< number of ranks that wrote the frame; set by the writer
  int run = 0;                  ///< number of the RUN under way
  bool run_ended = false;       ///< this is the state in which it ended, as planned
  double run_start = 0;         ///< time at which it started [s]
  double next_output = 0;       ///< [s]
  double next_callback = 0;     ///< [s]
  std::uint32_t next_body = 0;  ///< identifier of the next body
};

/// Consecutive frames, column by column. Offsets follow from counts, so that batches join by plain
/// concatenation; the first frame of a file always names its bodies (layout).
struct FrameData {
  // One row per frame
  std::vector<double> time, step, merit, timing, gs_seconds, energy, run_start, next_output,
      next_callback;
  std::vector<std::int64_t> number, gs_rows;
  std::vector<std::int32_t> iterations, gs_colors, new_bodies, deleted_bodies, sparsified, ranks,
      run;
  std::vector<std::uint8_t> solver, run_ended;
  std::vector<std::uint32_t> next_body, bodies, constraints, bonds, definitions;
  std::vector<std::uint32_t> layout;  ///< rows of layout that start with this frame; 0: as before
  std::vector<std::uint32_t> partition;  ///< rows of partition, in the same way
  // One row per body of each new layout
  std::vector<std::uint32_t> layout_id;
  std::vector<std::uint32_t> layout_freedom;  ///< entries in u; q has 12
  std::vector<std::uint32_t> layout_nodes;    ///< of a finite-element body, 3 entries each in x
  // One row per rank of each new division of space; none when one rank has it all
  std::vector<double> partition_axes, partition_at;
  std::vector<std::int32_t> partition_direction;
  // Bodies of each frame in the order of the layout
  std::vector<double> q, u, x, body_energy;
  // Constraints of each frame in the order of keys
  std::vector<std::uint8_t> constraint_kind;
  std::vector<std::uint32_t> body1, body2, feature1, feature2, point_number;
  std::vector<std::int32_t> element1, element2;
  std::vector<double> point, normal, arm, gap, area, R, U, V, constraint_merit, friction;
  std::vector<std::int32_t> surface1, surface2, material;
  // Bonds of each frame
  std::vector<std::uint32_t> bond_constraint;  ///< row of the contact within the frame
  std::vector<double> bond_offsets, bond_normal, bond_gap, bond_area;
  // Bodies that were made or changed since the frame before
  std::vector<std::uint32_t> def_id;
  std::vector<std::uint8_t> def_kind, def_scheme, def_label_text;
  std::vector<std::uint32_t> def_label_size;
  std::vector<std::int32_t> def_material;
  std::vector<double> def_damping, def_mass, def_volume, def_center, def_tensor;
  std::vector<std::uint8_t> def_form, def_plain_elements, def_self_contact, def_node_contact,
      def_background;
  std::vector<std::uint32_t> def_nodes, def_volume_materials;
  std::vector<std::int32_t> volume_material;
  std::vector<double> def_density, volume_density;
  std::vector<std::uint32_t> def_solids, def_loads, def_joints;
  // Their solids: points, then numbers by kind (see append_solid)
  std::vector<std::uint8_t> solid_kind;
  std::vector<std::int32_t> solid_volume;
  std::vector<std::uint32_t> solid_points, solid_reals, solid_integers;
  std::vector<double> solid_point, solid_real;
  std::vector<std::int32_t> solid_integer;
  // Their loads
  std::vector<std::uint8_t> load_kind, load_frame;
  std::vector<std::int32_t> load_function, load_surface;
  std::vector<double> load_point, load_direction, load_series;
  std::vector<std::uint32_t> load_series_points;
  // The joints that they hold
  std::vector<std::uint8_t> joint_kind, joint_second, joint_measured, joint_given, joint_axis;
  std::vector<std::uint32_t> joint_number, joint_other, joint_series_points, joint_across,
      across_series_points;
  std::vector<std::int32_t> joint_function;
  std::vector<double> joint_point, joint_other_point, joint_direction, joint_strength, joint_start,
      joint_rest, joint_series, joint_limits, across_direction, across_series;

  std::size_t frames() const { return time.size(); }
};

/// Calls visit(path, column, width, unit, meaning) for every column.
template <class Data, class Visit>
void visit_columns(Data& d, Visit&& visit) {
  visit("frame/time", d.time, 1, "s", "time of the frame");
  visit("frame/step", d.step, 1, "s", "size of the last time step");
  visit("frame/number", d.number, 1, "", "steps made so far");
  visit("frame/merit", d.merit, 1, "", "merit function of the constraint solver");
  visit("frame/solver", d.solver, 1, "", "0 none, 1 GAUSS_SEIDEL_SOLVER, 2 PENALTY_SOLVER");
  visit("frame/iterations", d.iterations, 1, "", "iterations of the constraint solver");
  visit("frame/new_bodies", d.new_bodies, 1, "", "bodies made since the frame before");
  visit("frame/deleted_bodies", d.deleted_bodies, 1, "", "bodies deleted since the frame before");
  visit("frame/sparsified", d.sparsified, 1, "", "contact points dropped by sparsification");
  visit("frame/timing", d.timing, 6, "s",
        "wall time of the last step: TIMINT CONUPD CONDET LOCDYN CONSOL PARBAL");
  visit("frame/energy", d.energy, 5, "J",
        "sum over bodies: kinetic, internal, external, contact, friction");
  visit("frame/gs_colors", d.gs_colors, 1, "", "GAUSS_SEIDEL_SOLVER on many ranks: colours");
  visit("frame/gs_rows", d.gs_rows, 4, "",
        "GAUSS_SEIDEL_SOLVER on many ranks: constraints in the sets GSBOT GSMID GSTOP GSINN");
  visit("frame/gs_seconds", d.gs_seconds, 4, "s",
        "GAUSS_SEIDEL_SOLVER on many ranks: wall time GSINIT GSRUN GSCOM GSMCOM");
  visit("frame/ranks", d.ranks, 1, "", "number of ranks that wrote the frame");
  visit("frame/run", d.run, 1, "", "number of the RUN under way");
  visit("frame/run_ended", d.run_ended, 1, "", "1: that RUN ended with this frame, as planned");
  visit("frame/run_start", d.run_start, 1, "s", "time at which that RUN started");
  visit("frame/next_output", d.next_output, 1, "s", "time of the next frame");
  visit("frame/next_callback", d.next_callback, 1, "s", "time of the next CALLBACK");
  visit("frame/next_body", d.next_body, 1, "", "identifier of the next body to be made");
  visit("frame/bodies", d.bodies, 1, "", "number of bodies");
  visit("frame/constraints", d.constraints, 1, "", "number of constraints");
  visit("frame/bonds", d.bonds, 1, "", "number of bonds of cohesive contacts");
  visit("frame/layout", d.layout, 1, "",
        "rows of /layout that start with this frame; 0: the bodies of the frame before");
  visit("frame/partition", d.partition, 1, "",
        "rows of /partition that start with this frame; 0: as in the frame before");
  visit("frame/definitions", d.definitions, 1, "",
        "rows of /definition (bodies made or changed) that come with this frame");
  visit("layout/id", d.layout_id, 1, "", "body identifiers");
  visit("layout/freedom", d.layout_freedom, 1, "", "velocity entries of the body");
  visit("layout/nodes", d.layout_nodes, 1, "", "nodes of a finite-element body, else 0");
  visit("partition/axes", d.partition_axes, 9, "",
        "the axes of the cuts, row by row: cuts are in coordinates axes x");
  visit("partition/direction", d.partition_direction, 1, "", "coordinate that the cut bounds");
  visit("partition/at", d.partition_at, 1, "m", "where; ranks below have x <= at");
  visit("body/q", d.q, 1, "",
        "configurations, 12 numbers a body: rotation or deformation gradient column-wise, centre "
        "[m]");
  visit("body/u", d.u, 1, "",
        "velocities: angular in the body's axes [1/s] (6 numbers) or rate of the deformation "
        "gradient column-wise [1/s] (12 numbers), then of the centre [m/s]; of the nodes of a "
        "finite-element body [m/s]");
  visit("body/x", d.x, 1, "m", "positions of the nodes of finite-element bodies, 3 numbers a node");
  visit("body/energy", d.body_energy, 5, "J", "kinetic, internal, external, contact, friction");
  visit("constraint/kind", d.constraint_kind, 1, "",
        "0 CONTACT, 1 FIXPNT, 2 FIXDIR, 3 VELODIR, 4 RIGLNK, 5 GLUE, 6 VELODIR3, 7 SPRING");
  visit("constraint/body1", d.body1, 1, "", "first body");
  visit("constraint/body2", d.body2, 1, "",
        "second body (4294967295: space); the normal is outward of it");
  visit("constraint/feature1", d.feature1, 1, "", "piece of the first body; joint: 4294967295");
  visit("constraint/feature2", d.feature2, 1, "", "piece of the second body; number of a joint");
  visit("constraint/number", d.point_number, 1, "",
        "number of the point within the pair of pieces");
  visit("constraint/element1", d.element1, 1, "",
        "element of a finite-element first body, else -1");
  visit("constraint/element2", d.element2, 1, "",
        "element of a finite-element second body, else -1");
  visit("constraint/point", d.point, 3, "m", "position at mid-step");
  visit("constraint/normal", d.normal, 3, "",
        "unit normal; the axes of a FIXPNT or GLUE are those of space");
  visit("constraint/arm", d.arm, 3, "m",
        "of a joint of two points: from where -R acts on the second body to the position; of a "
        "VELODIR3 the unit vector T1");
  visit("constraint/gap", d.gap, 1, "m", "gap at mid-step, negative in penetration");
  visit("constraint/area", d.area, 1, "m^2", "contact area");
  visit("constraint/R", d.R, 3, "N", "average reaction over the step: T1, T2, N");
  visit("constraint/U", d.U, 3, "m/s", "relative velocity at the end of the step: T1, T2, N");
  visit("constraint/V", d.V, 3, "m/s", "relative velocity at the start of the step: T1, T2, N");
  visit("constraint/merit", d.constraint_merit, 1, "", "share in the merit function");
  visit("constraint/surface1", d.surface1, 1, "", "surface identifier on the first body");
  visit("constraint/surface2", d.surface2, 1, "", "surface identifier on the second body");
  visit("constraint/material", d.material, 1, "", "index of the surface material");
  visit("constraint/friction", d.friction, 1, "",
        "coefficient of friction in the step; of a joint 0");
  visit("bond/constraint", d.bond_constraint, 1, "", "row of the contact within its frame");
  visit("bond/offsets", d.bond_offsets, 6, "m", "material points on both bodies, from the centres");
  visit("bond/normal", d.bond_normal, 3, "", "normal in the reference axes of the second body");
  visit("bond/gap", d.bond_gap, 1, "m", "gap when made");
  visit("bond/area", d.bond_area, 1, "m^2", "area when made");
  visit("definition/id", d.def_id, 1, "", "body identifier");
  visit("definition/kind", d.def_kind, 1, "",
        "0 obstacle, 1 rigid, 2 pseudo-rigid, 3 finite-element");
  visit("definition/scheme", d.def_scheme, 1, "",
        "0 none, 1 RIG_POS, 2 RIG_NEG, 3 RIG_IMP, 4 DEF_EXP, 5 DEF_LIM, 6 DEF_LIM2, "
        "7 DEF_IMP");
  visit("definition/label_size", d.def_label_size, 1, "", "bytes in label_text");
  visit("definition/label_text", d.def_label_text, 1, "", "labels, UTF-8, one after the other");
  visit("definition/material", d.def_material, 1, "", "index of the bulk material");
  visit("definition/density", d.def_density, 1, "kg/m^3",
        "density of the material when the body was made");
  visit("definition/damping", d.def_damping, 1, "s", "stiffness-proportional damping");
  visit("definition/mass", d.def_mass, 1, "kg", "mass");
  visit("definition/volume", d.def_volume, 1, "m^3", "reference volume");
  visit("definition/center", d.def_center, 3, "m", "reference mass centre");
  visit("definition/tensor", d.def_tensor, 9, "kg m^2",
        "inertia (rigid) or Euler tensor, column-wise");
  visit("definition/form", d.def_form, 1, "", "of finite-element bodies: 0 TL, 1 BC");
  visit("definition/plain_elements", d.def_plain_elements, 1, "",
        "1: elements without the device against locking");
  visit("definition/self_contact", d.def_self_contact, 1, "", "1: contact of a body with itself");
  visit("definition/node_contact", d.def_node_contact, 1, "", "1: contact at nodes of the surface");
  visit("definition/background", d.def_background, 1, "",
        "1: the last solid is no part of the shape but the mesh that moves it");
  visit("definition/nodes", d.def_nodes, 1, "", "nodes of a finite-element body, else 0");
  visit("definition/volume_materials", d.def_volume_materials, 1, "",
        "rows of /definition/volume_material");
  visit("definition/volume_material", d.volume_material, 2, "",
        "volume identifier, index of its bulk material");
  visit("definition/volume_density", d.volume_density, 1, "kg/m^3", "and its density then");
  visit("definition/solids", d.def_solids, 1, "", "rows of /solid");
  visit("definition/loads", d.def_loads, 1, "", "rows of /load");
  visit("definition/joints", d.def_joints, 1, "", "rows of /joint");
  visit("solid/kind", d.solid_kind, 1, "", "0 polyhedron, 1 mesh, 2 sphere, 3 ellipsoid");
  visit("solid/volume", d.solid_volume, 1, "", "volume identifier");
  visit("solid/points", d.solid_points, 1, "", "rows of /solid/point");
  visit("solid/reals", d.solid_reals, 1, "", "entries of /solid/real");
  visit("solid/integers", d.solid_integers, 1, "", "entries of /solid/integer");
  visit("solid/point", d.solid_point, 3, "m", "vertices, nodes or the centre, reference position");
  visit(
      "solid/real", d.solid_real, 1, "",
      "sphere: radius; ellipsoid: semi-axes (3), rotation column-wise (9); polyhedron that a mesh "
      "moves: [element of that, shares of its nodes (8)] per vertex");
  visit("solid/integer", d.solid_integer, 1, "",
        "sphere, ellipsoid: surface; polyhedron: [n, vertices, surface] per face; mesh: number of "
        "elements, [n, nodes, volume] per element, [element, side, surface] per boundary face");
  visit("load/kind", d.load_kind, 1, "", "0 force, 1 torque, 2 the script's function, 3 pressure");
  visit("load/frame", d.load_frame, 1, "", "0 spatial, 1 convected");
  visit("load/function", d.load_function, 1, "", "number of the function");
  visit("load/surface", d.load_surface, 1, "", "surface identifier of the faces under pressure");
  visit("load/point", d.load_point, 3, "m", "reference point of a force");
  visit("load/direction", d.load_direction, 3, "", "unit direction");
  visit("load/series_points", d.load_series_points, 1, "", "rows of /load/series");
  visit("load/series", d.load_series, 2, "", "time [s], value [N, N m or Pa]");
  visit("joint/kind", d.joint_kind, 1, "", "as in constraint/kind");
  visit("joint/number", d.joint_number, 1, "", "names it among the joints of the body");
  visit("joint/other", d.joint_other, 1, "", "the other body; 4294967295: space");
  visit("joint/second", d.joint_second, 1, "",
        "1: the body that holds the joint is the second one");
  visit("joint/point", d.joint_point, 3, "m", "reference point of the body");
  visit("joint/other_point", d.joint_other_point, 3, "m",
        "reference point of the other body, or point in space");
  visit("joint/direction", d.joint_direction, 3, "",
        "unit direction N; of a SPRING that turns with a body: referential");
  visit("joint/strength", d.joint_strength, 1, "N", "force at which it breaks");
  visit("joint/start", d.joint_start, 1, "s", "time when it was made");
  visit("joint/measured", d.joint_measured, 1, "", "1: rest (or the point in space) is known");
  visit("joint/rest", d.joint_rest, 1, "m", "distance that it keeps");
  visit("joint/given", d.joint_given, 1, "",
        "of a prescribed motion: 0 displacement, 1 velocity, 2 acceleration");
  visit("joint/series_points", d.joint_series_points, 1, "", "rows of /joint/series");
  visit("joint/across", d.joint_across, 1, "", "rows of /across: VELODIR3 has 2, T1 and T2");
  visit("joint/series", d.joint_series, 2, "", "time [s], value [m, m/s or m/s^2]");
  visit("joint/function", d.joint_function, 1, "", "number of the function of a SPRING, else -1");
  visit("joint/axis", d.joint_axis, 1, "",
        "of a SPRING: 0 along its line, 1 a direction in space, 2 of body1, 3 of body2");
  visit("joint/limits", d.joint_limits, 2, "m", "of a SPRING: bounds of its stroke");
  visit("across/direction", d.across_direction, 3, "", "unit direction of a further motion");
  visit("across/series_points", d.across_series_points, 1, "", "rows of /across/series");
  visit("across/series", d.across_series, 2, "", "time [s], value [m, m/s or m/s^2]");
}

/// Appends what a header says of the frame to the columns frame/..., but for what is summed or
/// taken over ranks: timing, deleted bodies, sparsified points, figures of the parallel solver.
void append_header(FrameData& data, const FrameHeader& header);

/// Removes all rows, keeps the memory.
void clear(FrameData& data);

/// Bytes held.
std::size_t size(const FrameData& data);

/// Adds the rows of `next`, whose frames follow.
void append(FrameData& data, const FrameData& next);

/// Appends the definition of a body.
void append_definition(FrameData& data, const Body& body);

/// Reads definitions from `data` in the order they were appended. Functions of user forces are
/// left empty, their numbers are set.
std::vector<Body> read_definitions(const FrameData& data);

}  // namespace solfec
