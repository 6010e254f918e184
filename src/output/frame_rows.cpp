#include "output/frame_rows.hpp"

namespace solfec {
namespace {

template <class T>
void put(std::vector<double>& column, const T& v) {
  column.insert(column.end(), v.data(), v.data() + v.size());
}

}  // namespace

BodyRow body_row(std::uint32_t frame, const BodyStore& bodies, const BulkMaterials& materials,
                 int i) {
  BodyRow row{frame,
              bodies.id(i),
              {},
              {bodies.u(i), bodies.u(i) + bodies.dofs(i)},
              {bodies.x(i), bodies.x(i) + bodies.positions(i)},
              {}};
  std::copy_n(bodies.q(i), BodyStore::kConfiguration, row.q.begin());
  const Energy e = energy(bodies, materials, i);
  row.energy = {e.kinetic, e.internal, e.external, e.contact, e.friction};
  return row;
}

void append_body(FrameData& d, const BodyRow& row, bool with_layout) {
  if (with_layout) {
    d.layout_id.push_back(row.id.value);
    d.layout_freedom.push_back(static_cast<std::uint32_t>(row.u.size()));
    d.layout_nodes.push_back(static_cast<std::uint32_t>(row.x.size() / 3));
  }
  put(d.q, row.q);
  put(d.u, row.u);
  put(d.x, row.x);
  put(d.body_energy, row.energy);
}

ConstraintRow constraint_row(std::uint32_t frame, const Constraint& c,
                             const SurfaceMaterials& materials) {
  return {frame, c,
          c.is_contact() && c.material < materials.count() ? materials[c.material].friction : 0.0};
}

void append_constraint(FrameData& d, const ConstraintRow& row, std::size_t number) {
  const Constraint& c = row.constraint;
  d.constraint_kind.push_back(static_cast<std::uint8_t>(c.kind));
  d.body1.push_back(c.key.body1.value);
  d.body2.push_back(c.key.body2.value);
  d.feature1.push_back(c.key.feature1);
  d.feature2.push_back(c.key.feature2);
  d.point_number.push_back(c.key.point);
  d.element1.push_back(c.element[0]);
  d.element2.push_back(c.element[1]);
  put(d.point, c.point);
  put(d.normal, c.base.col(2).eval());
  put(d.arm, arm_or_tangent(c));
  d.gap.push_back(c.gap);
  d.area.push_back(c.area);
  put(d.R, c.R);
  put(d.U, c.U);
  put(d.V, c.V);
  d.constraint_merit.push_back(c.merit);
  d.surface1.push_back(c.surface1);
  d.surface2.push_back(c.surface2);
  d.material.push_back(c.material);
  d.friction.push_back(row.friction);
  if (!c.bond) return;
  d.bond_constraint.push_back(static_cast<std::uint32_t>(number));
  put(d.bond_offsets, c.bond->offset1);
  put(d.bond_offsets, c.bond->offset2);
  put(d.bond_normal, c.bond->normal);
  d.bond_gap.push_back(c.bond->gap);
  d.bond_area.push_back(c.bond->area);
}

}  // namespace solfec
