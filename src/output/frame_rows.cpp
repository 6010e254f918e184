#include "output/frame_rows.hpp"

namespace solfec {
BodyRow state_row(std::uint32_t frame, const BodyStore& bodies, int i) {
  BodyRow row{frame,
              bodies.id(i),
              {},
              {bodies.u(i), bodies.u(i) + bodies.dofs(i)},
              {bodies.x(i), bodies.x(i) + bodies.x.count(i)},
              {}};
  std::copy_n(bodies.q(i), BodyStore::kConfiguration, row.q.begin());
  return row;
}

BodyRow body_row(std::uint32_t frame, const BodyStore& bodies, const BulkMaterials& materials,
                 int i) {
  BodyRow row = state_row(frame, bodies, i);
  const Energy e = energy(bodies, materials, i);
  row.energy = {e.kinetic, e.internal, e.external, e.contact, e.friction};
  return row;
}

void append_body(FrameData& d, const BodyRow& row, bool with_layout) {
  if (with_layout)
    append(d, LayoutRow{row.id.value, static_cast<std::uint32_t>(row.u.size()),
                        static_cast<std::uint32_t>(row.x.size() / 3)});
  const auto put = [&](TableId table, const auto& values) {
    auto& numbers = std::get<std::vector<double>>(d[table].columns.front().numbers);
    numbers.insert(numbers.end(), values.begin(), values.end());
  };
  put(TableId::configuration, row.q);
  put(TableId::velocity, row.u);
  put(TableId::position, row.x);
  put(TableId::energy, row.energy);
}

ConstraintRow constraint_row(std::uint32_t frame, const Constraint& c,
                             const SurfaceMaterials& materials) {
  return {frame, c,
          c.is_contact() && c.material < materials.count() ? materials[c.material].friction : 0.0};
}

void append_constraint(FrameData& d, const ConstraintRow& row, std::size_t number) {
  append(d, row);
  const Constraint& c = row.constraint;
  if (c.bond) append(d, BondRow{static_cast<std::uint32_t>(number), *c.bond});
}

}  // namespace solfec
