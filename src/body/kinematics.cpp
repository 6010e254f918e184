#include "body/kinematics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "body/dof_views.hpp"
#include "body/finite_elements.hpp"
#include "body/pseudo_rigid.hpp"
#include "body/rigid.hpp"
#include "core/error.hpp"
#include "geometry/element.hpp"
#include "geometry/tolerances.hpp"
#include "math/rotation.hpp"

namespace solfec {
namespace {

// The nodes of one element, in some configuration.
class ElementNodes {
 public:
  ElementNodes(const Element& element, const Mesh& mesh) : count_(element.nodes) {
    for (int k = 0; k < count_; k++) at_[k] = mesh.nodes[element.node[k]];
  }
  ElementNodes(const Element& element, const double* x) : count_(element.nodes) {
    for (int k = 0; k < count_; k++) at_[k] = node_part(x, element.node[k]);
  }
  std::span<const Vec3> span() const { return {at_.data(), static_cast<std::size_t>(count_)}; }
  // Local coordinates of a point; of one far outside, where they do not exist, those of the centre.
  Vec3 local(const Vec3& x) const {
    return local_coordinates(span(), x).value_or(local_center(count_));
  }
  Vec3 point(const Vec3& local) const {
    std::array<double, 8> N;
    shape_functions(count_, local, N);
    Vec3 x = Vec3::Zero();
    for (int k = 0; k < count_; k++) x += N[k] * at_[k];
    return x;
  }

 private:
  int count_;
  std::array<Vec3, 8> at_;
};

// On the way from the centre of the element to the point, as far as it stays inside.
Vec3 pulled_inside(int nodes, const Vec3& local) {
  if (inside(nodes, local, 0)) return local;
  const Vec3 center = local_center(nodes);
  double in = 0, out = 1;
  for (int k = 0; k < 40; k++) {
    const double middle = 0.5 * (in + out);
    (inside(nodes, center + middle * (local - center), 0) ? in : out) = middle;
  }
  return center + in * (local - center);
}

Vec3 interpolate(const BodyStore& bodies, int i, const Place& place, const double* field) {
  return ElementNodes(mesh_of(bodies[i]).elements[place.element], field).point(place.local);
}

// The polyhedron nearest to the reference point of a body with a background mesh (the first one of
// equals), and how far outside of it the point is.
struct NearestConvex {
  const Polyhedron* convex = nullptr;
  double distance = std::numeric_limits<double>::infinity();
};

NearestConvex nearest_convex(const Body& body, const Vec3& X) {
  NearestConvex nearest;
  for (const Solid& solid : *body.shape) {
    const Polyhedron& convex = std::get<Polyhedron>(solid);
    double distance = 0;
    for (int f = 0; f < convex.faces.count(); f++)
      distance = std::max(distance, face_plane(convex.vertices, convex.faces.loop(f)).distance(X));
    if (distance < nearest.distance) nearest = {&convex, distance};
  }
  return nearest;
}

bool shape_holds(const Body& body, const Vec3& X) {
  const NearestConvex nearest = nearest_convex(body, X);
  return nearest.distance <= kOnSurface * bounding_box(nearest.convex->vertices).size().norm();
}

// Volume identifier of the material at a reference point in an element.
int volume_at(const Body& body, int element, const Vec3& X) {
  return body.background ? nearest_convex(body, X).convex->volume
                         : mesh_of(body).elements[element].volume;
}

Mat3 mesh_stress(const BodyStore& bodies, const BulkMaterials& materials, int i, const Vec3& X) {
  const Mesh& mesh = mesh_of(bodies[i]);
  const auto stress = bodies.finite_elements(i, materials).stress(bodies.q(i), bodies.x(i));
  const auto in_element = [&](int e) {
    const Vec3 local = ElementNodes(mesh.elements[e], mesh).local(X);
    return stress(e, volume_at(bodies[i], e, X), local);
  };
  const int element = element_at(bodies[i], X);
  const ElementNodes nodes(mesh.elements[element], mesh);
  const double tolerance = kOnSurface * bounding_box(nodes.span()).size().norm();
  for (int node : mesh.elements[element].used()) {
    if ((mesh.nodes[node] - X).norm() > tolerance) continue;
    Mat3 sum = Mat3::Zero();
    int count = 0;
    for (int e = 0; e < static_cast<int>(mesh.elements.size()); e++)
      if (std::ranges::count(mesh.elements[e].used(), node) > 0) {
        sum += in_element(e);
        count++;
      }
    return sum / count;
  }
  return in_element(element);
}

// base^T [xi_1 E^-1/2, xi_2 E^-1/2, xi_3 E^-1/2, m^-1/2]
void pseudo_rigid_mass_rows(const BodyStore& bodies, int i, const Place& place, const Mat3& base,
                            double* rows) {
  const Inertia& inertia = bodies.inertia(i);
  Eigen::Map<Eigen::Matrix<double, 3, 12, Eigen::RowMajor>> H(rows);
  const Vec3 scaled = inertia.inverse_root * material_offset(bodies, i, place);
  for (int J = 0; J < 3; J++) H.middleCols<3>(3 * J) = scaled[J] * base.transpose();
  H.rightCols<3>() = base.transpose() * std::sqrt(inertia.inverse_mass);
}

}  // namespace

Place place_at(const BodyStore& bodies, int i, const Vec3& x, int element) {
  if (!is_meshed(bodies.kind(i))) return x;
  const Element& nodes = mesh_of(bodies[i]).elements[element];
  const auto local = local_coordinates(ElementNodes(nodes, bodies.x(i)).span(), x);
  if (!local)
    throw RunError(fmt::format(
        "element {} of {} is so distorted that a point of a contact or joint is not found in it: "
        "the step may be too large, or a load or a material is out of range",
        element, bodies.name(i)));
  return {x, element, *local};
}

int element_at(const Body& body, const Vec3& X) {
  if (!is_meshed(body.kind)) return -1;
  const Mesh& mesh = mesh_of(body);
  int nearest = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); e++) {
    const ElementNodes nodes(mesh.elements[e], mesh);
    const Box box = bounding_box(nodes.span());
    const Vec3 outside = (box.lower - X).cwiseMax(X - box.upper).cwiseMax(0.0);
    if (outside.norm() >= least) continue;
    const Vec3 local = nodes.local(X);
    const double distance = (nodes.point(pulled_inside(mesh.elements[e].nodes, local)) - X).norm();
    if (distance < least) {
      least = distance;
      nearest = e;
    }
  }
  return nearest;
}

bool may_hold(const Body& body, const Vec3& X) {
  if (!is_meshed(body.kind)) return true;
  if (body.background) return shape_holds(body, X);
  const Mesh& mesh = mesh_of(body);
  const Element& element = mesh.elements[element_at(body, X)];
  const ElementNodes nodes(element, mesh);
  const Vec3 near = nodes.point(pulled_inside(element.nodes, nodes.local(X)));
  return (near - X).norm() <= kOnSurface * bounding_box(nodes.span()).size().norm();
}

Place place_of(const BodyStore& bodies, int i, const Vec3& X, int element) {
  if (!is_meshed(bodies.kind(i))) return current_point(bodies, i, X);
  if (element < 0) element = element_at(bodies[i], X);
  const Mesh& mesh = mesh_of(bodies[i]);
  const Vec3 local = ElementNodes(mesh.elements[element], mesh).local(X);
  return {ElementNodes(mesh.elements[element], bodies.x(i)).point(local), element, local};
}

Vec3 material_offset(const BodyStore& bodies, int i, const Place& place) {
  if (is_meshed(bodies.kind(i))) {
    const Mesh& mesh = mesh_of(bodies[i]);
    return ElementNodes(mesh.elements[place.element], mesh).point(place.local) -
           bodies[i].reference.center;
  }
  const Vec3 d = place.x - bodies.center(i);
  const auto G = bodies.gradient(i);
  return is_affine(bodies.kind(i)) ? Vec3(G.inverse() * d) : Vec3(G.transpose() * d);
}

Vec3 current_point(const BodyStore& bodies, int i, const Vec3& X, int element) {
  if (is_meshed(bodies.kind(i))) return place_of(bodies, i, X, element).x;
  return bodies.center(i) + bodies.gradient(i) * (X - bodies[i].reference.center);
}

Vec3 displacement_with(const BodyStore& bodies, int i, const Place& place, const double* u,
                       double duration) {
  if (!is_rigid(bodies.kind(i))) return duration * velocity_at(bodies, i, place, u);
  // (G exp(duration omega) - G) xi, without the loss of digits of the difference.
  const auto omega = angular_part(u), v = rigid_linear_part(u);
  const Vec3 angle = duration * omega, xi = material_offset(bodies, i, place);
  return duration * v + bodies.gradient(i) * (exponential_jacobian(-angle) * angle.cross(xi));
}

Vec3 center_velocity(const BodyStore& bodies, const BulkMaterials& materials, int i) {
  if (is_meshed(bodies.kind(i))) return bodies.finite_elements(i, materials).mean(bodies.u(i));
  return linear_part(bodies.u(i), bodies.dofs(i));
}

Vec3 velocity_at(const BodyStore& bodies, int i, const Place& place, const double* u) {
  if (is_meshed(bodies.kind(i))) return interpolate(bodies, i, place, u);
  if (is_affine(bodies.kind(i)))
    return affine_rate_part(u) * material_offset(bodies, i, place) + affine_linear_part(u);
  const Vec3 spin = bodies.gradient(i) * angular_part(u);
  return spin.cross(place.x - bodies.center(i)) + rigid_linear_part(u);
}

Mat3 velocity_gradient(const BodyStore& bodies, int i, const double* u) {
  if (is_meshed(bodies.kind(i))) return Mat3::Zero();
  const auto G = bodies.gradient(i);
  if (is_affine(bodies.kind(i))) return affine_rate_part(u) * G.inverse();
  return skew(G * angular_part(u));
}

void add_force_at(const BodyStore& bodies, int i, const Place& place, const Vec3& F, double* r) {
  if (is_meshed(bodies.kind(i))) {
    const Element& element = mesh_of(bodies[i]).elements[place.element];
    std::array<double, 8> N;
    shape_functions(element.nodes, place.local, N);
    for (int k = 0; k < element.nodes; k++) node_part(r, element.node[k]) += N[k] * F;
  } else if (is_affine(bodies.kind(i))) {
    affine_rate_part(r) += F * material_offset(bodies, i, place).transpose();
    affine_linear_part(r) += F;
  } else {
    angular_part(r) += bodies.gradient(i).transpose() * (place.x - bodies.center(i)).cross(F);
    rigid_linear_part(r) += F;
  }
}

int row_size(const BodyStore& bodies, int i) {
  return is_meshed(bodies.kind(i)) ? bodies.finite_elements(i).row_size() : bodies.dofs(i);
}

bool is_held(const BodyStore& bodies, int i, const Place& place, const Vec3& direction) {
  if (i < 0 || is_obstacle(bodies.kind(i))) return true;
  const auto supports = bodies.supports(i);
  if (supports.empty()) return false;
  constexpr double kRounding = 1e-9;
  const Element& element = mesh_of(bodies[i]).elements[place.element];
  std::array<double, 8> N;
  shape_functions(element.nodes, place.local, N);
  for (int k = 0; k < element.nodes; k++) {
    if (std::abs(N[k]) <= kRounding) continue;
    const NodeSupport* s = support_of(supports, element.node[k]);
    if (!s || (s->free * direction).norm() > kRounding) return false;
  }
  return true;
}

void scaled_rows(const BodyStore& bodies, int i, const Place& place, const Mat3& base,
                 double* rows) {
  if (is_meshed(bodies.kind(i))) {
    bodies.finite_elements(i).scaled_rows(bodies.q(i), place.element, place.local, base, rows);
    return;
  }
  const Inertia& inertia = bodies.inertia(i);
  const Mat3 axes = base.transpose();
  const Mat3 translation = axes * std::sqrt(inertia.inverse_mass);
  if (!is_affine(bodies.kind(i))) {
    // base^T (spin x d) = -base^T [d]x G omega. The velocities of these rows may turn by any angle,
    // and are in space where the tensor of inertia allows it.
    Eigen::Map<Eigen::Matrix<double, 3, 6, Eigen::RowMajor>> H(rows);
    Mat3 local = axes * skew(place.x - bodies.center(i));
    if (!is_isotropic(inertia.tensor)) local *= bodies.gradient(i);
    H.leftCols<3>() = -local * inertia.inverse_root;
    H.rightCols<3>() = translation;
    return;
  }
  if (bodies[i].scheme != Scheme::def_exp) {
    Eigen::Map<Eigen::Matrix<double, 3, 12, Eigen::RowMajor>> H(rows);
    const Vec3 xi = material_offset(bodies, i, place);
    H.rightCols<3>() = translation;
    // H_F = [xi_1 E^T, xi_2 E^T, xi_3 E^T], A_F = L L^T: solve L Y = H_F^T.
    Eigen::Matrix<double, 9, 3> Y;
    for (int J = 0; J < 3; J++) Y.middleRows<3>(3 * J) = xi[J] * base;
    bodies.implicit_factor(i).triangularView<Eigen::Lower>().solveInPlace(Y);
    H.leftCols<9>() = Y.transpose();
  } else {
    pseudo_rigid_mass_rows(bodies, i, place, base, rows);
  }
}

void mass_scaled_rows(const BodyStore& bodies, int i, const Place& place, const Mat3& base,
                      double* rows) {
  const int n = bodies.dofs(i);
  if (is_meshed(bodies.kind(i))) {
    const Element& element = mesh_of(bodies[i]).elements[place.element];
    const std::vector<double>& mass = bodies.finite_elements(i).mass();
    std::array<double, 8> N;
    shape_functions(element.nodes, place.local, N);
    std::fill_n(rows, 3 * n, 0.0);
    Eigen::Map<Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>> H(rows, 3, n);
    const auto supports = bodies.supports(i);
    for (int k = 0; k < element.nodes; k++) {
      const int node = element.node[k];
      Mat3 axes = base.transpose();
      if (const NodeSupport* s = support_of(supports, node)) axes *= projection_of_rows(s->free);
      H.middleCols<3>(3 * node) = N[k] / std::sqrt(mass[node]) * axes;
    }
  } else if (is_affine(bodies.kind(i))) {
    pseudo_rigid_mass_rows(bodies, i, place, base, rows);
  } else {
    scaled_rows(bodies, i, place, base, rows);
  }
}

double add_impulse(BodyStore& bodies, int i, const double* r) {
  const int n = bodies.dofs(i);
  std::vector<double> rest;
  if (const auto supports = bodies.supports(i); !supports.empty()) {
    rest.assign(r, r + n);
    for (NodeSupport& s : supports) {
      auto impulse = node_part(rest.data(), s.node);
      const Vec3 held = s.held(impulse);
      s.impulse_at_ends -= held;
      impulse -= held;
    }
    r = rest.data();
  }
  double* u = bodies.u(i);
  const Inertia& inertia = bodies.inertia(i);
  const auto power = [&] {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += u[k] * r[k];
    return sum;
  };
  const double before = power();
  if (is_meshed(bodies.kind(i))) {
    const std::vector<double>& mass = bodies.finite_elements(i).mass();
    for (int k = 0; k < n; k++) u[k] += r[k] / mass[k / 3];
  } else {
    if (is_affine(bodies.kind(i)))
      affine_rate_part(u) += affine_rate_part(r) * inertia.inverse;
    else
      angular_part(u) += inertia.inverse * angular_part(r);
    linear_part(u, n) += inertia.inverse_mass * linear_part(r, n);
  }
  return 0.5 * (before + power());
}

Mat3 cauchy_stress(const BodyStore& bodies, const BulkMaterials& materials, int i, const Vec3& X) {
  if (is_meshed(bodies.kind(i))) return mesh_stress(bodies, materials, i, X);
  if (!is_affine(bodies.kind(i))) return Mat3::Zero();
  const Mat3 F = bodies.gradient(i);
  const BulkMaterial& material = materials[bodies[i].material];
  return first_piola_stress(F, material) * F.transpose() / F.determinant();
}

std::vector<Mat3> nodal_stress(const BodyStore& bodies, const BulkMaterials& materials, int i) {
  const Body& body = bodies[i];
  const Mesh& mesh = mesh_of(body);
  const auto stress = bodies.finite_elements(i, materials).stress(bodies.q(i), bodies.x(i));
  std::vector<Mat3> sum(mesh.nodes.size(), Mat3::Zero());
  std::vector<int> count(mesh.nodes.size(), 0);
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); e++) {
    const ElementNodes corners(mesh.elements[e], mesh);
    for (int node : mesh.elements[e].used()) {
      const Vec3& X = mesh.nodes[node];
      const int volume = body.volume_materials.empty() ? 0 : volume_at(body, e, X);
      sum[node] += stress(e, volume, corners.local(X));
      count[node]++;
    }
  }
  for (std::size_t n = 0; n < sum.size(); n++) sum[n] /= std::max(count[n], 1);
  return sum;
}

}  // namespace solfec
