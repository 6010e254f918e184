#include "domain/contact_drift.hpp"

#include <algorithm>

namespace solfec {

Vec3 drift_to_undo(const Constraint& contact, double epsilon) {
  constexpr double kLeft = 0.01;
  Vec3 asked = contact.drift;
  if (!contact.bond) asked.z() = std::max(std::min(asked.z(), contact.gap), 0.0);
  const double left = kLeft * epsilon, size = asked.norm();
  return size > left ? Vec3((1 - left / size) * asked) : Vec3(Vec3::Zero());
}

Vec3 asked_back(const RowLaw& law, const Constraint& contact, double epsilon) {
  constexpr double kLeft = 0.5;
  Vec3 asked = drift_to_undo(contact, epsilon);
  const bool has_pressed = contact.lasts && contact.R.z() > 0 && !contact.bond;
  if (has_pressed && contact.vertex == Vertex::none && !law.ahead)
    asked.z() = std::max(asked.z(), contact.gap - kLeft * epsilon);
  return asked;
}

Vec3 contact_drift(const RowLaw& law, const Constraint& contact, const Mat3& W, double h,
                   double epsilon) {
  if (!law.has_friction_cone() || law.ahead) return Vec3::Zero();
  if (!contact.bond && !contact.lasts && contact.R.z() > 0) return Vec3::Zero();
  Vec3 missed = contact_residual(law, contact.U, contact.R, contact.V, reaction_scale(W));
  missed.z() -= law.friction * tangent_norm(missed);  // F_N - Ubar_N where it sticks
  if (!contact.bond) missed.z() = (contact.U + velocity_offset(law, contact.V)).z();
  Vec3 drift = contact.drift - drift_to_undo(contact, epsilon) + h * missed;
  if (shows_drift(contact)) drift.z() = contact.drift.z();  // until its next gap is known
  return contact.bond || drift.norm() < epsilon ? drift : Vec3(Vec3::Zero());
}

}  // namespace solfec
