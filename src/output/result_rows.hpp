// What the rows of results consist of: name, unit and meaning of every column, said once for
// listing, writing and reading (frame_data.hpp). The table of columns in the documentation is made
// from it.
#pragma once

#include <optional>

#include "body/integration.hpp"
#include "core/phase_timer.hpp"
#include "core/solver_kind.hpp"
#include "domain/domain.hpp"
#include "output/frame_data.hpp"
#include "output/solid_numbers.hpp"
#include "output/utf8.hpp"

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

struct FrameRow {
  FrameHeader header;
  std::array<double, 5> energy{};
  std::uint32_t bodies = 0, constraints = 0, bonds = 0;
  std::uint32_t layout = 0;     ///< rows of layout that start with this frame; 0: as before
  std::uint32_t partition = 0;  ///< rows of cuts, in the same way
  std::uint32_t definitions = 0;
};

/// A body of a layout: the bodies of frames from one on until there is another layout. The first
/// frame of a file always has one.
struct LayoutRow {
  std::uint32_t id = 0;
  std::uint32_t dofs = 0;   ///< entries in u; q has 12
  std::uint32_t nodes = 0;  ///< of a finite-element body, 3 entries each in x
};

/// A cut of a division of space between ranks; there is none when one rank has it all.
struct CutRow {
  std::array<double, 9> axes{};
  Cut cut;
};

/// A constraint in a frame; its bond is a row of its own.
struct ConstraintRow {
  std::uint32_t frame = 0;  ///< within the batch
  Constraint constraint;
  double friction = 0;  ///< coefficient of its material then; joint: 0

  std::pair<std::uint32_t, ContactKey> key() const { return {frame, constraint.key}; }
};

struct BondRow {
  std::uint32_t constraint = 0;  ///< row of the contact within its frame
  Bond bond;
};

template <>
constexpr SolverKind last_of<SolverKind>() {
  return kLastSolverKind;
}
template <>
constexpr BodyKind last_of<BodyKind>() {
  return kLastBodyKind;
}
template <>
constexpr Scheme last_of<Scheme>() {
  return Scheme::def_imp;
}
template <>
constexpr Form last_of<Form>() {
  return Form::body_corotational;
}
template <>
constexpr ConstraintKind last_of<ConstraintKind>() {
  return kLastConstraintKind;
}
template <>
constexpr Determinacy last_of<Determinacy>() {
  return kLastDeterminacy;
}
template <>
constexpr Frame last_of<Frame>() {
  return Frame::convected;
}
template <>
constexpr Motion::Given last_of<Motion::Given>() {
  return Motion::Given::acceleration;
}
template <>
constexpr SpringAxis last_of<SpringAxis>() {
  return SpringAxis::body2;
}

template <class Archive>
void columns(Archive& archive, FrameRow& r) {
  FrameHeader& h = r.header;
  archive("frame/time", h.time, "s", "time of the frame");
  archive("frame/step", h.step, "s", "size of the last time step");
  archive("frame/number", h.number, "", "steps made so far");
  archive("frame/merit", h.merit, "", "merit function of the constraint solver");
  archive("frame/solver", h.solver, "",
          "0 none, 1 GAUSS_SEIDEL_SOLVER, 2 PENALTY_SOLVER, 3 NEWTON_SOLVER, 4 AUTO_SOLVER, 5 "
          "NONSMOOTH_SOLVER, 6 CONVEX_SOLVER (contacts have its law)");
  archive("frame/iterations", h.iterations, "", "iterations of the constraint solver");
  archive("frame/new_bodies", h.new_bodies, "", "bodies made since the frame before");
  archive("frame/deleted_bodies", h.deleted_bodies, "", "bodies deleted since the frame before");
  archive("frame/sparsified", h.sparsified, "", "contact points dropped by sparsification");
  archive("frame/timing", h.timing.seconds(), "s",
          "wall time of the last step: TIMINT CONUPD CONDET LOCDYN CONSOL PARBAL");
  archive("frame/energy", r.energy, "J",
          "sum over bodies: kinetic, internal, external, contact, friction");
  archive("frame/gs_colors", h.gauss_seidel.colors, "",
          "GAUSS_SEIDEL_SOLVER on many ranks: colours");
  archive("frame/gs_rows", h.gauss_seidel.rows, "",
          "GAUSS_SEIDEL_SOLVER on many ranks: constraints in the sets GSBOT GSMID GSTOP GSINN");
  archive("frame/gs_seconds", h.gauss_seidel.seconds, "s",
          "GAUSS_SEIDEL_SOLVER on many ranks: wall time GSINIT GSRUN GSCOM GSMCOM");
  archive("frame/ranks", h.ranks, "", "number of ranks that wrote the frame");
  archive("frame/run", h.run, "", "number of the RUN under way");
  archive("frame/run_ended", h.run_ended, "", "1: that RUN ended with this frame, as planned");
  archive("frame/run_start", h.run_start, "s", "time at which that RUN started");
  archive("frame/next_output", h.next_output, "s", "time of the next frame");
  archive("frame/next_callback", h.next_callback, "s", "time of the next CALLBACK");
  archive("frame/next_body", h.next_body, "", "identifier of the next body to be made");
  archive("frame/bodies", r.bodies, "", "number of bodies");
  archive("frame/constraints", r.constraints, "", "number of constraints");
  archive("frame/bonds", r.bonds, "", "number of bonds of cohesive contacts");
  archive("frame/layout", r.layout, "",
          "rows of /layout that start with this frame; 0: the bodies of the frame before");
  archive("frame/partition", r.partition, "",
          "rows of /partition that start with this frame; 0: as in the frame before");
  archive("frame/definitions", r.definitions, "",
          "rows of /definition (bodies made or changed) that come with this frame");
}

template <class Archive>
void columns(Archive& archive, LayoutRow& r) {
  archive("layout/id", r.id, "", "body identifiers");
  archive("layout/freedom", r.dofs, "", "velocity entries of the body");
  archive("layout/nodes", r.nodes, "", "nodes of a finite-element body, else 0");
}

template <class Archive>
void columns(Archive& archive, CutRow& r) {
  archive("partition/axes", r.axes, "",
          "the axes of the cuts, row by row: cuts are in coordinates axes x");
  archive("partition/direction", r.cut.direction, "", "coordinate that the cut bounds");
  archive("partition/at", r.cut.at, "m", "where; ranks below have x <= at");
}

template <class Archive>
void columns(Archive& archive, ConstraintRow& r) {
  Constraint& c = r.constraint;
  Vec3 normal, arm;
  if constexpr (Archive::kWrites) {
    normal = c.normal;
    arm = arm_or_tangent(c);
  }
  archive("constraint/kind", c.kind, "",
          "0 CONTACT, 1 FIXPNT, 2 FIXDIR, 3 VELODIR, 4 RIGLNK, 5 GLUE, 6 VELODIR3, 7 SPRING");
  archive("constraint/body1", c.key.body1, "", "first body");
  archive("constraint/body2", c.key.body2, "",
          "second body (4294967295: space); the normal is outward of it");
  archive("constraint/feature1", c.key.feature1, "", "piece of the first body; joint: 4294967295");
  archive("constraint/feature2", c.key.feature2, "", "piece of the second body; number of a joint");
  archive("constraint/number", c.key.point, "", "number of the point within the pair of pieces");
  archive("constraint/element1", c.element[0], "",
          "element of a finite-element first body, else -1");
  archive("constraint/element2", c.element[1], "",
          "element of a finite-element second body, else -1");
  archive("constraint/point", c.point, "m", "position at mid-step, on the first body");
  archive("constraint/normal", normal, "",
          "unit normal; the axes of a FIXPNT or GLUE are those of space");
  archive("constraint/arm", arm, "m",
          "of a joint of two points, and of a contact whose bodies do not touch yet: from where -R "
          "acts on the second body to the position; of a VELODIR3 the unit vector T1");
  archive("constraint/gap", c.gap, "m", "gap at mid-step, negative in penetration");
  archive("constraint/area", c.area, "m^2", "contact area");
  archive("constraint/R", c.R, "N", "average reaction over the step: T1, T2, N");
  archive("constraint/U", c.U, "m/s", "relative velocity at the end of the step: T1, T2, N");
  archive("constraint/V", c.V, "m/s", "relative velocity at the start of the step: T1, T2, N");
  archive("constraint/drift", c.drift, "m",
          "of a contact: what steps left of its law, made good in the next: T1, T2, N");
  archive("constraint/merit", c.merit, "", "share in the merit function");
  archive(
      "constraint/determinacy", c.determinacy, "",
      "whether equilibrium determines the reaction: 0 not asked for, 1 nothing that could vary, "
      "2 determined, 3 tangential component undetermined, 4 undetermined");
  archive("constraint/surface1", c.surface1, "", "surface identifier on the first body");
  archive("constraint/surface2", c.surface2, "", "surface identifier on the second body");
  archive("constraint/material", c.material, "", "index of the surface material");
  archive("constraint/friction", r.friction, "",
          "coefficient of friction in the step; of a joint 0");
  if constexpr (Archive::kReads) {
    c.set_base(constraint_base(c.kind, normal, arm));
    if (!prescribes_all_directions(c.kind)) c.arm = arm;
  }
}

template <class Archive>
void columns(Archive& archive, BondRow& r) {
  Bond& b = r.bond;
  std::array<Vec3, 2> offsets = {b.offset1, b.offset2};
  archive("bond/constraint", r.constraint, "", "row of the contact within its frame");
  archive("bond/offsets", offsets, "m", "material points on both bodies, from the centres");
  archive("bond/normal", b.normal, "", "normal in the reference axes of the second body");
  archive("bond/gap", b.gap, "m", "gap when made");
  archive("bond/area", b.area, "m^2", "area when made");
  archive("bond/work", b.work, "J", "what it has dissipated; it breaks at the fracture energy");
  if constexpr (Archive::kReads) {
    b.offset1 = offsets[0];
    b.offset2 = offsets[1];
  }
}

/// Times and values; nothing of no series.
std::vector<std::array<double, 2>> points_of(const std::optional<TimeSeries>& series);
std::optional<TimeSeries> series_of(const std::vector<std::array<double, 2>>& points);

template <class Archive>
void columns(Archive& archive, SolidNumbers& s) {
  archive("solid/kind", s.kind, "", "0 polyhedron, 1 mesh, 2 sphere, 3 ellipsoid");
  archive("solid/volume", s.volume, "", "volume identifier");
  archive.rows("solid/points", "rows of /solid/point", TableId::solid_point, s.points,
               [](auto& points, Vec3& point) {
                 points("solid/point", point, "m",
                        "vertices, nodes or the centre, reference position");
               });
  archive.rows("solid/reals", "entries of /solid/real", TableId::solid_real, s.reals,
               [](auto& reals, double& real) {
                 reals("solid/real", real, "",
                       "sphere: radius; ellipsoid: semi-axes (3), rotation column-wise (9); "
                       "polyhedron that a mesh moves: [element of that, shares of its nodes (8)] "
                       "per vertex");
               });
  archive.rows("solid/integers", "entries of /solid/integer", TableId::solid_integer, s.integers,
               [](auto& integers, std::int32_t& integer) {
                 integers("solid/integer", integer, "",
                          "sphere, ellipsoid: surface; polyhedron: [n, vertices, surface] per "
                          "face; mesh: number of elements, [n, nodes, volume] per element, "
                          "[element, side, surface] per boundary face");
               });
}

/// A time series, or none, as rows of another table.
template <class Archive>
void series_columns(Archive& archive, const char* count, const char* count_meaning, TableId table,
                    const char* path, const char* meaning, std::optional<TimeSeries>& series) {
  std::vector<std::array<double, 2>> points;
  if constexpr (Archive::kWrites) points = points_of(series);
  archive.rows(count, count_meaning, table, points,
               [&](auto& rows, std::array<double, 2>& point) { rows(path, point, "", meaning); });
  if constexpr (Archive::kReads) series = series_of(points);
}

/// The members of all kinds of loads.
struct LoadColumns {
  std::uint8_t kind = 0;  ///< index in Load
  Frame frame = Frame::spatial;
  int function = -1, surface = -1;
  Vec3 point = Vec3::Zero(), direction = Vec3::Zero();
  std::optional<TimeSeries> series;
};
LoadColumns columns_of(const Load& load);
/// Throws RunError when there is no such kind. The function of a user force is left empty.
Load load_of(const LoadColumns& columns);

template <class Archive>
void columns(Archive& archive, Load& load) {
  LoadColumns l = Archive::kWrites ? columns_of(load) : LoadColumns();
  archive("load/kind", l.kind, "", "0 force, 1 torque, 2 the script's function, 3 pressure");
  archive("load/frame", l.frame, "", "0 spatial, 1 convected");
  archive("load/function", l.function, "", "number of the function");
  archive("load/surface", l.surface, "", "surface identifier of the faces under pressure");
  archive("load/point", l.point, "m", "reference point of a force");
  archive("load/direction", l.direction, "", "unit direction");
  series_columns(archive, "load/series_points", "rows of /load/series", TableId::load_series,
                 "load/series", "time [s], value [N, N m or Pa]", l.series);
  if constexpr (Archive::kReads) load = load_of(l);
}

/// Throws RunError where a displacement has none.
void check_window(Motion::Given given, double window);

template <class Archive>
void columns(Archive& archive, Joint& j) {
  Motion::Given given = j.motion.given();
  double window = j.motion.window();
  std::optional<TimeSeries> series;
  if (prescribes_motion(j.kind)) series = j.motion.series();
  std::array<double, 2> limits = {j.spring.low, j.spring.high};
  archive("joint/kind", j.kind, "", "as in constraint/kind");
  archive("joint/number", j.number, "", "names it among the joints of the body");
  archive("joint/other", j.other, "", "the other body; 4294967295: space");
  archive("joint/second", j.second, "", "1: the body that holds the joint is the second one");
  archive("joint/point", j.point, "m", "reference point of the body");
  archive("joint/other_point", j.other_point, "m",
          "reference point of the other body, or point in space");
  archive("joint/direction", j.direction, "",
          "unit direction N; of a SPRING that turns with a body: referential");
  archive("joint/strength", j.strength, "N", "force at which it breaks");
  archive("joint/start", j.start, "s", "time when it was made");
  archive("joint/measured", j.measured, "", "1: rest (or the point in space) is known");
  archive("joint/rest", j.rest, "m", "distance that it keeps");
  archive("joint/given", given, "",
          "of a prescribed motion: 0 displacement, 1 velocity, 2 acceleration");
  archive("joint/window", window, "s", "over which the velocity of a displacement is a mean");
  if constexpr (Archive::kReads) check_window(given, window);
  series_columns(archive, "joint/series_points", "rows of /joint/series", TableId::joint_series,
                 "joint/series", "time [s], value [m, m/s or m/s^2]", series);
  archive.rows("joint/across", "rows of /across: VELODIR3 has 2, T1 and T2", TableId::across,
               j.across, [&](auto& across, DirectedMotion& m) {
                 std::optional of = m.motion.series();
                 across("across/direction", m.direction, "", "unit direction of a further motion");
                 series_columns(across, "across/series_points", "rows of /across/series",
                                TableId::across_series, "across/series",
                                "time [s], value [m, m/s or m/s^2]", of);
                 if constexpr (Archive::kReads)
                   m.motion = Motion(given, of.value_or(TimeSeries()), window);
               });
  archive("joint/function", j.spring.function, "", "number of the function of a SPRING, else -1");
  archive("joint/axis", j.spring.axis, "",
          "of a SPRING: 0 along its line, 1 a direction in space, 2 of body1, 3 of body2");
  archive("joint/limits", limits, "m", "of a SPRING: bounds of its stroke");
  if constexpr (Archive::kReads) {
    j.motion = Motion(given, series.value_or(TimeSeries()), window);
    j.spring.low = limits[0];
    j.spring.high = limits[1];
  }
}

/// Shape and background mesh of a body from solid_numbers(). Throws RunError.
void set_shape(Body& body, const std::vector<SolidNumbers>& solids, bool has_background);

/// The definition of a body. Functions of user forces are left empty, their numbers are set.
template <class Archive>
void columns(Archive& archive, Body& b) {
  bool has_background = b.background != nullptr;
  auto nodes = static_cast<std::uint32_t>(b.nodes);
  std::vector<SolidNumbers> solids;
  if constexpr (Archive::kWrites) solids = solid_numbers(b);
  const auto rows = [](auto& inner, auto& row) { columns(inner, row); };
  archive("definition/id", b.id, "", "body identifier");
  archive("definition/kind", b.kind, "", "0 obstacle, 1 rigid, 2 pseudo-rigid, 3 finite-element");
  archive("definition/scheme", b.scheme, "",
          "0 none, 1 RIG_POS, 2 RIG_NEG, 3 RIG_IMP, 4 DEF_EXP, 5 DEF_LIM, 6 DEF_LIM2, "
          "7 DEF_IMP");
  archive.rows("definition/label_size", "bytes in label_text", TableId::label, b.label,
               [](auto& text, char& c) {
                 text("definition/label_text", c, "", "labels, UTF-8, one after the other");
               });
  archive("definition/material", b.material, "", "index of the bulk material");
  archive("definition/density", b.density, "kg/m^3",
          "density of the material when the body was made");
  archive("definition/damping", b.damping, "s", "stiffness-proportional damping");
  archive("definition/mass", b.reference.mass, "kg", "mass");
  archive("definition/volume", b.reference.volume, "m^3", "reference volume");
  archive("definition/center", b.reference.center, "m", "reference mass centre");
  archive("definition/tensor", b.reference.tensor, "kg m^2",
          "inertia (rigid) or Euler tensor, column-wise");
  archive("definition/form", b.form, "", "of finite-element bodies: 0 TL, 1 BC");
  archive("definition/plain_elements", b.plain_elements, "",
          "1: elements without the device against locking");
  archive("definition/self_contact", b.self_contact, "", "1: contact of a body with itself");
  archive("definition/node_contact", b.node_contact, "", "1: contact at nodes of the surface");
  archive("definition/background", has_background, "",
          "1: the last solid is no part of the shape but the mesh that moves it");
  archive("definition/nodes", nodes, "", "nodes of a finite-element body, else 0");
  archive.rows("definition/volume_materials", "rows of /definition/volume_material",
               TableId::volume_material, b.volume_materials, [](auto& inner, VolumeMaterial& v) {
                 std::array<int, 2> numbers = {v.volume, v.material};
                 inner("definition/volume_material", numbers, "",
                       "volume identifier, index of its bulk material");
                 inner("definition/volume_density", v.density, "kg/m^3", "and its density then");
                 v.volume = numbers[0];
                 v.material = numbers[1];
               });
  archive.rows("definition/solids", "rows of /solid", TableId::solid, solids, rows);
  archive.rows("definition/loads", "rows of /load", TableId::load, b.loads, rows);
  archive.rows("definition/joints", "rows of /joint", TableId::joint, b.joints, rows);
  if constexpr (Archive::kReads) {
    b.nodes = static_cast<int>(nodes);
    b.label = as_utf8(b.label);
    set_shape(b, solids, has_background);
  }
}

/// The table of rows of that type.
template <class Row>
inline constexpr TableId kTableOf = TableId::frame;
template <>
inline constexpr TableId kTableOf<LayoutRow> = TableId::layout;
template <>
inline constexpr TableId kTableOf<CutRow> = TableId::cut;
template <>
inline constexpr TableId kTableOf<ConstraintRow> = TableId::constraint;
template <>
inline constexpr TableId kTableOf<BondRow> = TableId::bond;
template <>
inline constexpr TableId kTableOf<Body> = TableId::definition;

void append(FrameData& data, const FrameRow& row);
void append(FrameData& data, const LayoutRow& row);
void append(FrameData& data, const CutRow& row);
void append(FrameData& data, const ConstraintRow& row);
void append(FrameData& data, const BondRow& row);
/// The definition of a body.
void append(FrameData& data, const Body& body);

/// All rows of a table, which begins with what belongs to the first one. Instantiated for the types
/// above. Throws RunError for values that no program writes.
template <class Row>
std::vector<Row> rows_of(const FrameData& data);

/// Numbers of the columns of FrameRow, each so many a row, as if all were floating-point numbers;
/// nothing when there is no such column.
std::optional<std::vector<double>> frame_numbers(std::span<const FrameRow> rows,
                                                 const std::string& path);

}  // namespace solfec
