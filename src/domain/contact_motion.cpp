#include "domain/contact_motion.hpp"

#include "math/rotation.hpp"

namespace solfec {
namespace {

// A body in the second half of a step, with the velocity of the start.
class HalfStep {
 public:
  HalfStep(const BodyStore& bodies, int i, const Vec3& point, const BodyMotion& motion,
           double duration)
      : displacement_{bodies.center(i), Vec3::Zero(), Mat3::Identity()},
        velocity_(motion.velocity + motion.rate * (bodies.center(i) - point)),
        rate_(motion.rate),
        rotation_(exponential(duration * axial(motion.rate))) {
    const Mat3& L = motion.rate;
    displacement_.translation = duration * velocity_;
    if (is_affine(bodies.kind(i))) {
      displacement_.gradient += duration * L;
      rate_ = L * displacement_.gradient.inverse();
    } else {
      displacement_.gradient = rotation_;
    }
  }
  const Displacement& displacement() const { return displacement_; }
  /// The same without strain.
  Displacement turning() const {
    return {displacement_.center, displacement_.translation, rotation_};
  }
  Vec3 velocity_at(const Vec3& x) const {
    return velocity_ + rate_ * (x - displacement_.center - displacement_.translation);
  }

 private:
  Displacement displacement_;
  Vec3 velocity_;
  Mat3 rate_, rotation_;
};

// The least rotation that takes the unit vector a to b.
Mat3 rotation_between(const Vec3& a, const Vec3& b) {
  const Mat3 v = skew(a.cross(b));
  return Mat3::Identity() + v + v * v / (1 + a.dot(b));
}

// Where H changes smoothly: not of pairs of polyhedra, and of bonds.
std::optional<Vec3> change_of_curved_contact(Domain& domain, const Constraint& c,
                                             const std::array<BodyMotion, 2>& motion,
                                             double duration) {
  constexpr double kTurned = 0.9;  // cosine: normals that turn more have gone to other features
  const BodyStore& bodies = domain.bodies;
  PieceStore& pieces = domain.pieces;
  if (c.bond) return std::nullopt;
  const int i = c.body1, j = c.body2;
  const int first = pieces.first(i) + static_cast<int>(c.key.feature1),
            second = pieces.first(j) + static_cast<int>(c.key.feature2);
  if (!is_curved_pair(pieces, first, second)) return std::nullopt;
  const Vec3& normal = c.normal;
  BodyMotion along = motion[0];  // the surface of the second body
  along.velocity -= normal.dot(motion[0].velocity - motion[1].velocity) * normal;
  const HalfStep half1(bodies, i, c.point, along, duration),
      half2(bodies, j, c.point_of(1), motion[1], duration);
  auto end =
      moved_face_contact(pieces, first, second, normal, half1.displacement(), half2.displacement());
  if (!end) {  // on an edge, or without a polyhedron
    const auto of_piece = [&](int piece, const HalfStep& half) {
      return pieces.kind(piece) == PieceKind::polyhedron ? half.turning() : half.displacement();
    };
    end = moved_contact(pieces, first, second, of_piece(first, half1), of_piece(second, half2));
  }
  if (!end || !(end->normal.dot(normal) >= kTurned)) return std::nullopt;
  const Vec3 then = half1.velocity_at(end->point) - half2.velocity_at(end->point),
             now = along.velocity - motion[1].velocity;
  return c.base().transpose() * (rotation_between(end->normal, normal) * then - now);
}

// Whether two bodies turn at one angular velocity, but for a small part.
bool go_round_together(const std::array<BodyMotion, 2>& motion) {
  constexpr double kPart = 0.1;
  const Vec3 first = axial(motion[0].rate), second = axial(motion[1].rate);
  return (first - second).squaredNorm() <= kPart * kPart * first.squaredNorm();
}

// Of a contact of features that stay.
Vec3 change_of_features(const BodyStore& bodies, const Constraint& c,
                        const std::array<BodyMotion, 2>& motion, double duration, double noise) {
  double share[2] = {0.5, 0.5};  // of the bodies in the motion of the point
  if (c.vertex != Vertex::none && !c.bond)
    for (int k : {0, 1}) share[k] = (c.vertex == Vertex::first) == (k == 0) ? 1 : 0;
  const Vec3 p = share[0] * motion[0].velocity + share[1] * motion[1].velocity;
  Vec3 a = Vec3::Zero(), together = Vec3::Zero(), spin = Vec3::Zero();
  bool stiff = true;
  for (int k : {0, 1}) {
    const int i = c.body(k);
    stiff = stiff && !is_deformable(bodies.kind(i));
    if (is_meshed(bodies.kind(i))) continue;
    const Mat3& L = motion[k].rate;
    const double sign = k == 0 ? 1 : -1;
    Vec3 v = motion[k].velocity;
    if (!is_affine(bodies.kind(i))) v += L * (bodies.center(i) - c.point_of(k));
    a += sign * (L * (p - v));
    together -= sign * (L * v);
    spin += share[1 - k] * axial(L);
  }
  if (!c.bond) {
    const Vec3 slip = motion[0].velocity - motion[1].velocity - duration * a;
    const Vec3 approach = slip.dot(c.normal) * c.normal;
    a += spin.cross(approach) - (spin - spin.dot(c.normal) * c.normal).cross(slip - approach);
  }
  const bool as_one = go_round_together(motion) && duration * (a - together).norm() < noise;
  if (stiff && (c.bond || as_one)) a = together;
  return duration * (c.base().transpose() * a);
}

}  // namespace

Vec3 convective_velocity(Domain& domain, const Constraint& contact,
                         const std::array<BodyMotion, 2>& motion, double duration, double noise,
                         bool jointed) {
  if (const auto change = change_of_curved_contact(domain, contact, motion, duration))
    return *change;
  if (jointed) return Vec3::Zero();
  return change_of_features(domain.bodies, contact, motion, duration, noise);
}

Vec3 turned(const Vec3& force, const std::array<BodyMotion, 2>& motion, double h) {
  const Vec3 spins[] = {axial(motion[0].rate), axial(motion[1].rate)};
  const double along = spins[0].dot(spins[1]);
  if (!(along > 0)) return force;
  const Vec3& faster = spins[spins[0].squaredNorm() < spins[1].squaredNorm()];
  return exponential(h * along / faster.squaredNorm() * faster) * force;
}

}  // namespace solfec
