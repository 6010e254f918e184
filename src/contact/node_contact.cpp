#include "contact/node_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "body/dof_views.hpp"
#include "math/decompositions.hpp"

namespace solfec {
namespace {

Vec3 node_position(const BodyStore& bodies, int i, int node) {
  return node_part(bodies.x(i), node);
}

// Vector area of a face at the surface of body i, over the number of its nodes.
Vec3 share(const BodyStore& bodies, int i, const BoundaryFace& face) {
  const Element& element = mesh_of(bodies[i]).elements[face.element];
  const std::span<const int> loop = element_faces(element.nodes).loop(face.side);
  const auto at = [&](std::size_t k) { return node_position(bodies, i, element.node[loop[k]]); };
  Vec3 twice = Vec3::Zero();
  for (std::size_t k = 2; k < loop.size(); k++) twice += (at(k - 1) - at(0)).cross(at(k) - at(0));
  return twice / (2.0 * static_cast<double>(loop.size()));
}

// Of the size of a node's area: so far beside a face it still stands on that.
constexpr double kBeside = 1e-2;

// A node at the surface of body i, which has a part of its area in each contact.
class SurfaceNode {
 public:
  SurfaceNode(const BodyStore& bodies, int i, int node, std::span<const int> faces, double part)
      : x_(node_position(bodies, i, node)), part_(part), bodies_(bodies), i_(i), faces_(faces) {
    for (int f : faces_) area_ += share(bodies, i, boundary(f));
  }

  const Vec3& position() const { return x_; }
  double size() const { return std::sqrt(area_.norm()); }
  bool looks_at(const Vec3& n) const { return -area_.dot(n) >= 0.25 * area_.norm(); }

  // At this distance from a face with the outward normal n.
  ContactPoint contact(const Vec3& n, double gap, int surface) const {
    return {x_ - 0.5 * gap * n, n,       gap,          -part_ * area_.dot(n),
            surface_towards(n), surface, Vertex::first};
  }

 private:
  const BoundaryFace& boundary(int face) const { return mesh_of(bodies_[i_]).boundary[face]; }

  // That of the face with the largest area projected along n.
  int surface_towards(const Vec3& n) const {
    double largest = -std::numeric_limits<double>::infinity();
    int surface = 0;
    for (int f : faces_)
      if (const double projected = -share(bodies_, i_, boundary(f)).dot(n); projected > largest) {
        largest = projected;
        surface = boundary(f).surface;
      }
    return surface;
  }

  Vec3 x_;
  double part_;
  Vec3 area_ = Vec3::Zero();
  const BodyStore& bodies_;
  int i_;
  std::span<const int> faces_;
};

std::optional<ContactPoint> with_polyhedron(const SurfaceNode& node, const ConvexView& polyhedron,
                                            double tolerance) {
  double gap = -std::numeric_limits<double>::infinity();
  int nearest = -1;
  const double beside = std::max(tolerance, kBeside * node.size());
  for (int f = 0; f < polyhedron.faces(); f++) {
    const Plane& plane = polyhedron.planes[f];
    const double distance = plane.distance(node.position());
    if (distance > (polyhedron.internal[f] ? tolerance : beside)) return std::nullopt;
    if (polyhedron.internal[f] || distance <= gap || !node.looks_at(plane.normal)) continue;
    gap = distance;
    nearest = f;
  }
  if (nearest < 0 || gap > tolerance) return std::nullopt;
  return node.contact(polyhedron.planes[nearest].normal, gap, polyhedron.surface[nearest]);
}

std::optional<ContactPoint> with_ellipsoid(const SurfaceNode& node, const EllipsoidView& ellipsoid,
                                           int surface, double tolerance) {
  const Vec3 d = node.position() - ellipsoid.center;
  const Vec3 start = solve_definite(ellipsoid.map * ellipsoid.map.transpose(), d);
  const SupportGap function(d, ellipsoid);
  const Vec3 n = function.widest(start.norm() > 0 ? Vec3(start.normalized()) : Vec3::UnitZ(),
                                 tolerance, ellipsoid.thickness());
  const double gap = function.gap(n);
  if (gap > tolerance || !node.looks_at(n)) return std::nullopt;
  return node.contact(n, gap, surface);
}

std::optional<ContactPoint> node_contact(PieceStore& pieces, const SurfaceNode& node, int piece,
                                         double tolerance) {
  switch (pieces.kind(piece)) {
    case PieceKind::polyhedron:
      return with_polyhedron(node, pieces.polyhedron(piece), tolerance);
    case PieceKind::ellipsoid:
      return with_ellipsoid(node, pieces.ellipsoid(piece), pieces.surface(piece), tolerance);
    case PieceKind::ball:
      break;
  }
  const Ball& ball = pieces.ball(piece);
  return with_ellipsoid(node, {ball.center, ball.radius * Mat3::Identity()}, pieces.surface(piece),
                        tolerance);
}

}  // namespace

void find_node_contacts(const BodyStore& bodies, PieceStore& pieces, int piece, int other,
                        double tolerance, std::vector<NodeContact>& found) {
  found.clear();
  const int i = pieces.body(piece);
  const ReferencePieces& reference = pieces.reference(i);
  const int e = reference.polyhedra()[reference.items()[pieces.feature(piece)].index].element;
  const Mesh& mesh = mesh_of(bodies[i]);
  // Nodes of both carry what meshes carry together.
  const double part = bodies[pieces.body(other)].node_contact ? 0.5 : 1.0;
  Box near = pieces.boxes()[other];
  near.grow(tolerance + kBeside * pieces.boxes()[piece].size().norm());
  for (int corner = 0; corner < mesh.elements[e].nodes; corner++) {
    const int node = mesh.elements[e].node[corner];
    const std::span<const int> faces = reference.faces_at(node);
    if (faces.empty() || mesh.boundary[faces.front()].element != e) continue;
    const Vec3 x = node_position(bodies, i, node);
    if (!overlap({x, x}, near)) continue;
    if (const auto point = node_contact(pieces, {bodies, i, node, faces, part}, other, tolerance))
      found.push_back({corner, *point});
  }
}

}  // namespace solfec
