#include "output/frame_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace solfec {
namespace {

void demand(bool good, const char* what) {
  if (!good) throw RunError(what);
}

bool finite(std::span<const double> numbers) {
  return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
}
bool finite(const Vec3& v) { return v.allFinite(); }

void check_frame(const FrameRow& row, const FrameHeader* before) {
  const FrameHeader& h = row.header;
  demand(std::isfinite(h.time) && (!before || h.time >= before->time),
         "times of frames must be numbers that do not fall");
  demand(std::isfinite(h.step) && h.step >= 0, "a step must be a number >= 0");
  demand(h.number >= 0, "a number of steps must be >= 0");
  demand(h.run >= 0 && (!before || h.run >= before->run),
         "numbers of RUNs must be >= 0, and not fall");
  demand(h.ranks >= 1, "a number of ranks must be >= 1");
  demand(row.partition == 0 || row.partition == static_cast<std::uint32_t>(h.ranks - 1),
         "a division of space is not that of its ranks");
  demand(
      std::isfinite(h.run_start) && std::isfinite(h.next_output) && std::isfinite(h.next_callback),
      "times of a RUN must be numbers");
}

// Bodies of the frames, as the reader goes through them.
void check_layouts(std::span<const FrameRow> frames, std::span<const LayoutRow> rows) {
  std::size_t end = 0, size = 0;
  for (std::size_t k = 0; k < frames.size(); k++) {
    if (frames[k].layout > 0 || k == 0 || frames[k].bodies != size) {
      size = frames[k].layout;
      demand(size <= rows.size() - end, "there are fewer rows of bodies than frames say");
      const auto here = rows.subspan(end, size);
      demand(std::ranges::adjacent_find(here, std::greater_equal<>(), &LayoutRow::id) == here.end(),
             "identifiers of bodies do not rise");
      end += size;
    }
    demand(frames[k].bodies == size, "a frame has another number of bodies than it says");
  }
  demand(end == rows.size(), "there are more rows of bodies than frames say");
  for (const LayoutRow& row : rows)
    demand(row.nodes == 0 ? row.dofs == 6 || row.dofs == 12
                          : row.nodes < (1u << 28) && row.dofs == 3 * row.nodes,
           "a body has another number of velocities than its kind");
}

void check_partitions(std::span<const FrameRow> frames, std::span<const CutRow> cuts) {
  std::size_t end = 0;
  for (const FrameRow& row : frames) {
    end += row.partition;
    demand(end <= cuts.size(), "there are fewer cuts than frames say");
  }
  demand(end == cuts.size(), "there are more cuts than frames say");
  for (const CutRow& row : cuts) {
    demand(finite(row.axes) && std::isfinite(row.cut.at), "a cut is not finite");
    demand(row.cut.direction >= 0 && row.cut.direction < 3, "a cut has an unknown direction");
  }
}

void demand_flawless(const char* flaw) {
  if (flaw) throw RunError(flaw);
}

void check_shape(const Body& b) {
  demand(!b.shape->empty(), "it has no shape");
  for (const Solid& solid : *b.shape) demand_flawless(flaw(solid));
  const Mesh* mesh = b.background ? b.background.get() : only_mesh(*b.shape);
  if (b.background) {
    demand_flawless(flaw(*b.background));
    for (const Solid& solid : *b.shape)
      demand(std::holds_alternative<Polyhedron>(solid), "a background mesh moves polyhedra only");
  }
  const bool meshed = is_meshed(b.kind);
  demand(meshed || !b.background, "only finite-element bodies have a background mesh");
  demand(meshed ? mesh && b.nodes == static_cast<int>(mesh->nodes.size()) : b.nodes == 0,
         "it has another number of nodes than its mesh");
}

void check_load(const Load& load) {
  const auto good = [](const auto& l) {
    using L = std::remove_cvref_t<decltype(l)>;
    if constexpr (std::is_same_v<L, PointForce>)
      return finite(l.point) && finite(l.direction);
    else if constexpr (std::is_same_v<L, Torque>)
      return finite(l.direction);
    else
      return true;
  };
  demand(std::visit(good, load), "a load is not finite");
}

void check_joint(const Body& b, const Joint& j) {
  demand(!is_contact(j.kind), "a joint is of an unknown kind");
  demand(finite(j.point) && finite(j.other_point) && finite(j.direction) &&
             std::isfinite(j.start) && std::isfinite(j.rest) && !std::isnan(j.strength),
         "a joint is not finite");
  demand(j.other != b.id, "a joint binds a body to itself");
  demand(!std::isnan(j.spring.low) && !std::isnan(j.spring.high), "a spring has no bounds");
  demand(j.across.size() == (prescribes_all_directions(j.kind) ? 2u : 0u),
         "a joint has another number of directions than its kind");
  for (const DirectedMotion& m : j.across) demand(finite(m.direction), "a joint is not finite");
  demand(binds(j.kind) || j.spring.function >= 0, "a spring has no function");
}

}  // namespace

void check_head(std::span<const FrameRow> frames, std::span<const LayoutRow> layouts,
                std::span<const CutRow> cuts) {
  demand(!frames.empty(), "it has no frame");
  demand(frames.size() < static_cast<std::size_t>(std::numeric_limits<int>::max()),
         "it has more frames than can be counted");
  const FrameHeader* before = nullptr;
  for (const FrameRow& row : frames) {
    check_frame(row, before);
    before = &row.header;
  }
  check_layouts(frames, layouts);
  check_partitions(frames, cuts);
}

void check_definition(const Body& b) {
  demand(b.id.valid(), "a body has no identifier");
  demand(b.material >= 0, "a body has a material that is not there");
  for (const VolumeMaterial& v : b.volume_materials)
    demand(v.material >= 0 && std::isfinite(v.density) && v.density > 0,
           "a volume has a material that is not there");
  const ReferenceMass& r = b.reference;
  demand(std::isfinite(b.density) && std::isfinite(b.damping) && std::isfinite(r.mass) &&
             std::isfinite(r.volume) && finite(r.center) && r.tensor.allFinite() &&
             (is_obstacle(b.kind) || r.mass > 0) && (!is_meshed(b.kind) || b.density > 0),
         "a body has no mass, or one that is not finite");
  check_shape(b);
  for (const Load& load : b.loads) check_load(load);
  for (const Joint& joint : b.joints) check_joint(b, joint);
}

void check_state(const BodyState& s) {
  demand(static_cast<int>(s.u.size()) == dofs_of(s.body) &&
             static_cast<int>(s.x.size()) == 3 * s.body.nodes,
         "a body has another number of velocities than its kind");
  demand(finite(s.q) && finite(s.u) && finite(s.x), "the state of a body is not finite");
}

void check_constraint(const Constraint& c, std::span<const LayoutRow> layout) {
  const auto there = [&](BodyId id) {
    return std::ranges::binary_search(layout, id.value, {}, &LayoutRow::id);
  };
  demand(c.is_contact() == !is_joint(c.key), "a constraint is of an unknown kind");
  demand(there(c.key.body1) && (c.key.body2.valid() ? there(c.key.body2) : !c.is_contact()),
         "a constraint acts on a body that is not there");
  demand(c.material >= 0 && c.element[0] >= -1 && c.element[1] >= -1,
         "a constraint has a material or an element that is not there");
  for (const Vec3& v : {c.point, c.arm, c.tangent, c.normal, c.R, c.U, c.V, c.drift})
    demand(finite(v), "a constraint is not finite");
  demand(std::isfinite(c.gap) && std::isfinite(c.area), "a constraint is not finite");
  if (c.bond)
    demand(c.is_contact() && finite(c.bond->offset1) && finite(c.bond->offset2) &&
               finite(c.bond->normal) && std::isfinite(c.bond->gap) &&
               std::isfinite(c.bond->area) && std::isfinite(c.bond->work),
           "a bond is not one of a contact, or not finite");
}

}  // namespace solfec
