#include "domain/domain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "body/kinematics.hpp"
#include "core/error.hpp"

namespace solfec {
namespace {

ContactLaw law_of(const Contact& contact, const SurfaceMaterial& material) {
  ContactLaw law;
  law.kind = material.model == ContactModel::spring_dashpot ? LawKind::spring_dashpot
                                                            : LawKind::signorini_coulomb;
  law.friction = material.friction;
  law.restitution = material.restitution;
  law.cohesion = contact.bond ? material.cohesion * contact.area : 0.0;
  law.spring = material.spring;
  law.dashpot = material.dashpot;
  law.gap = contact.gap;
  return law;
}

bool moves_freely(const BodyStore& bodies, int i) { return bodies.kind(i) != BodyKind::obstacle; }

void place_pieces(Domain& domain) {
  domain.pieces.synchronise(domain.bodies);
  domain.pieces.place(domain.bodies, 0.5 * domain.detection_settings.epsilon);
}

}  // namespace

void detect_contacts(Domain& domain, bool first_step) {
  place_pieces(domain);
  const auto& detected = domain.detection.find(domain.bodies, domain.pieces, domain.exclusions,
                                               domain.detection_settings);
  domain.sparsified = domain.detection.sparsified();
  domain.contacts.update(detected, domain.bodies, domain.surface_materials, first_step);
}

void check_penetration(const Domain& domain, double time) {
  for (const Contact& c : domain.contacts.contacts())
    if (-c.gap > domain.unphysical_penetration)
      throw RunError(fmt::format(
          "unphysical penetration at time {:g}: bodies {} and {} overlap by {:g} at ({:g}, {:g}, "
          "{:g}), the bound is {:g}",
          time, c.key.body1.value, c.key.body2.value, -c.gap, c.point.x(), c.point.y(), c.point.z(),
          domain.unphysical_penetration));
}

void assemble(Domain& domain, double h) {
  const BodyStore& bodies = domain.bodies;
  LocalDynamics& p = domain.local_dynamics;
  domain.freedoms.clear();
  for (int i = 0; i < bodies.total(); i++)
    domain.freedoms.push_back(moves_freely(bodies, i) ? bodies.freedom(i) : 0);
  p.clear(h, domain.freedoms);

  for (const Contact& c : domain.contacts.contacts()) {
    const int ends[2] = {c.body1, c.body2};
    double* rows = p.W.add_row(c.body1, c.body2);
    Vec3 B = Vec3::Zero(), V = Vec3::Zero();
    for (int k : {0, 1}) {
      const int i = ends[k];
      const double sign = k == 0 ? 1 : -1;
      B += sign * velocity_at(bodies, i, c.point, bodies.b(i));
      V += sign * velocity_at(bodies, i, c.point, bodies.u(i));
      if (!moves_freely(bodies, i)) continue;
      scaled_rows(bodies, i, c.point, sign * c.base, rows);
      rows += 3 * bodies.freedom(i);
    }
    p.B.push_back(c.base.transpose() * B);
    p.V.push_back(c.base.transpose() * V);
    p.R.push_back(c.R);
    p.law.push_back(law_of(c, domain.surface_materials[c.material]));
  }
  p.W.finish(domain.delassus_form);
  p.U = p.B;
  p.merit.assign(p.law.size(), 0.0);
}

void apply_reactions(Domain& domain) {
  BodyStore& bodies = domain.bodies;
  const LocalDynamics& p = domain.local_dynamics;
  for (int row = 0; row < p.rows(); row++) {
    Contact& c = domain.contacts.contacts()[row];
    c.R = p.R[row];
    c.U = p.U[row];
    c.V = p.V[row];
    c.merit = p.merit[row];
    if (c.bond && breaks_bond(p.law[row], c.R)) c.bond.reset();
    const Vec3 normal = c.base.col(2) * c.R.z();
    const Vec3 tangent = c.base.leftCols<2>() * c.R.head<2>();
    for (int k : {0, 1}) {
      const int i = k == 0 ? c.body1 : c.body2;
      if (!moves_freely(bodies, i)) continue;
      const double sign = k == 0 ? 1 : -1;
      add_force_at(bodies, i, c.point, sign * normal, bodies.normal_reaction(i));
      add_force_at(bodies, i, c.point, sign * tangent, bodies.tangent_reaction(i));
    }
  }
}

Box body_box(const PieceStore& pieces, int body) {
  Box box;
  for (int p = pieces.first(body); p < pieces.first(body + 1); p++) box.extend(pieces.boxes()[p]);
  return box;
}

int delete_outside(Domain& domain) {
  if (!domain.extents) return 0;
  place_pieces(domain);
  std::vector<bool> marked(static_cast<std::size_t>(domain.bodies.total()));
  int count = 0;
  for (int i = 0; i < domain.bodies.total(); i++)
    if (!overlap(body_box(domain.pieces, i), *domain.extents)) {
      marked[i] = true;
      domain.departed.push_back(domain.bodies.id(i));
      count++;
    }
  if (count > 0) delete_bodies(domain, marked);
  return count;
}

void delete_bodies(Domain& domain, const std::vector<bool>& marked) {
  domain.bodies.remove(marked);
  domain.contacts.follow_bodies(domain.bodies);
}

std::vector<std::string> contact_names(const Domain& domain) {
  std::vector<std::string> names;
  for (const Contact& c : domain.contacts.contacts())
    names.push_back(fmt::format("{}.{}-{}.{}.{}", c.key.body1.value, c.key.feature1,
                                c.key.body2.value, c.key.feature2, c.key.point));
  return names;
}

}  // namespace solfec
