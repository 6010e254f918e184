// Rows of frames on their way to a file: what one body, one constraint or one definition is in a
// frame. They are taken where a body lives and written where its block of rows is written.
#pragma once

#include "output/result_rows.hpp"

namespace solfec {

struct BodyRow {
  std::uint32_t frame;  ///< within the batch
  BodyId id;
  std::array<double, 12> q;
  std::vector<double> u, x;
  std::array<double, 5> energy;

  std::pair<std::uint32_t, BodyId> key() const { return {frame, id}; }
};

struct DefinitionRow {
  std::uint32_t frame;
  Body body;

  std::pair<std::uint32_t, BodyId> key() const { return {frame, body.id}; }
};

template <class Archive>
void visit_fields(Archive& archive, BodyRow& r) {
  archive(r.frame, r.id, r.q, r.u, r.x, r.energy);
}
template <class Archive>
void visit_fields(Archive& archive, ConstraintRow& r) {
  archive(r.frame, r.constraint, r.friction);
}
template <class Archive>
void visit_fields(Archive& archive, DefinitionRow& r) {
  archive(r.frame, r.body);
}

BodyRow body_row(std::uint32_t frame, const BodyStore& bodies, const BulkMaterials& materials,
                 int i);
/// The same without energies.
BodyRow state_row(std::uint32_t frame, const BodyStore& bodies, int i);

/// `with_layout`: the frame starts a new layout.
void append_body(FrameData& data, const BodyRow& row, bool with_layout);
ConstraintRow constraint_row(std::uint32_t frame, const Constraint& constraint,
                             const SurfaceMaterials& materials);
/// `number` is that of the constraint within its frame.
void append_constraint(FrameData& data, const ConstraintRow& row, std::size_t number);

}  // namespace solfec
