#include "domain/contact_drift.hpp"

#include <algorithm>

namespace solfec {

DriftTolerance drift_tolerance(double gap, double accuracy) {
  constexpr double kOfAccuracy = 300, kLeast = 0.01, kMost = 0.3;
  return {gap, std::clamp(kOfAccuracy * accuracy, kLeast, kMost) * gap};
}

Vec3 drift_to_undo(const Constraint& contact, const DriftTolerance& tolerance) {
  Vec3 asked = contact.drift;
  if (!contact.bond) asked.z() = std::max(std::min(asked.z(), contact.gap), 0.0);
  const double size = asked.norm();
  return size > tolerance.left ? Vec3((1 - tolerance.left / size) * asked) : Vec3(Vec3::Zero());
}

Vec3 asked_back(const RowLaw& law, const Constraint& contact, const DriftTolerance& tolerance) {
  constexpr double kLeft = 0.5;
  Vec3 asked = drift_to_undo(contact, tolerance);
  const bool has_pressed = contact.lasts && contact.R.z() > 0 && !contact.bond;
  if (has_pressed && contact.vertex == Vertex::none && !law.ahead)
    asked.z() = std::max(asked.z(), contact.gap - kLeft * tolerance.gap);
  return asked;
}

Vec3 contact_drift(const RowLaw& law, const Constraint& contact, const Mat3& W, double h,
                   const DriftTolerance& tolerance) {
  if (!law.has_friction_cone() || law.ahead) return Vec3::Zero();
  if (!contact.bond && !contact.lasts && contact.R.z() > 0) return Vec3::Zero();
  Vec3 missed = contact_residual(law, contact.U, contact.R, contact.V, reaction_scale(W));
  missed.z() -= law.friction * tangent_norm(missed);  // F_N - Ubar_N where it sticks
  if (!contact.bond) missed.z() = (contact.U + velocity_offset(law, contact.V)).z();
  Vec3 drift = contact.drift - drift_to_undo(contact, tolerance) + h * missed;
  if (shows_drift(contact)) drift.z() = contact.drift.z();  // until its next gap is known
  return contact.bond || drift.norm() < tolerance.gap ? drift : Vec3(Vec3::Zero());
}

}  // namespace solfec
