// Loads on bodies: gravity, point forces, torques, pressure, and forces given by the user's
// functions.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <variant>

#include "core/time_series.hpp"
#include "core/vector.hpp"

namespace solfec {

/// A spatial direction stays as it is; a convected one follows the body's deformation.
enum class Frame { spatial, convected };

struct PointForce {
  Frame frame;
  Vec3 point;        ///< referential
  Vec3 direction;    ///< unit
  TimeSeries value;  ///< [N]
  int element = -1;  ///< of a mesh, that holds the point; -1: not known yet
};

template <class Archive>
void visit_fields(Archive& archive, PointForce& l) {
  archive(l.frame, l.point, l.direction, l.value);
}

/// On rigid bodies only.
struct Torque {
  Frame frame;
  Vec3 direction;    ///< unit
  TimeSeries value;  ///< [N m]
};

template <class Archive>
void visit_fields(Archive& archive, Torque& l) {
  archive(l.frame, l.direction, l.value);
}

/// Moments of faces in the reference configuration, with their outward normals N.
struct SurfaceMoments {
  Vec3 area = Vec3::Zero();    ///< int N dA [m^2]
  Mat3 moment = Mat3::Zero();  ///< int N X^T dA [m^3]
};

/// On the faces with a surface identifier, along their present outward normals.
struct Pressure {
  int surface;
  TimeSeries value;                       ///< [Pa]
  std::optional<SurfaceMoments> moments;  ///< of rigid and pseudo-rigid bodies; none: not known yet
};

template <class Archive>
void visit_fields(Archive& archive, Pressure& l) {
  archive(l.surface, l.value);
}

/// f(q, u, t, h) -> out. For a rigid body out has 9 entries: spatial force, spatial torque,
/// referential torque; otherwise it is a generalised force, conjugate to u.
using ForceFunction = std::function<void(std::span<const double> q, std::span<const double> u,
                                         double t, double h, std::span<double> out)>;

/// A force by the user's function, known by its number (in the order of creation) in results and
/// on other ranks.
struct UserForce {
  int number;
  ForceFunction function;
};

/// The function itself stays behind: the number names it.
template <class Archive>
void visit_fields(Archive& archive, UserForce& l) {
  archive(l.number);
}

using Load = std::variant<PointForce, Torque, UserForce, Pressure>;

/// Acceleration by components [m/s^2].
struct Gravity {
  std::array<TimeSeries, 3> component;

  Vec3 value(double time) const {
    return {component[0].value(time), component[1].value(time), component[2].value(time)};
  }
};

}  // namespace solfec
