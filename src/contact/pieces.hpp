// The convex pieces of all bodies, placed in space once per step.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "body/body_store.hpp"
#include "contact/ellipsoid_pair.hpp"
#include "contact/lookahead.hpp"
#include "geometry/convex_view.hpp"

namespace solfec {

enum class PieceKind : std::uint8_t { ball, ellipsoid, polyhedron };

/// Polyhedra with the same face loops (all hexahedra of a mesh, copies of a brick) share one
/// topology.
class Topologies {
 public:
  std::shared_ptr<const ConvexTopology> shared(FaceLoops faces);

 private:
  std::map<std::pair<std::vector<int>, std::vector<int>>, std::weak_ptr<const ConvexTopology>>
      known_;
};

/// The surface of one body in its reference configuration, relative to the mass centre. Pieces are
/// numbered through the solids of the shape: a mesh gives its surface elements, the others
/// themselves; the number is the piece's feature in contact keys.
class ReferencePieces {
 public:
  struct Item {
    PieceKind kind;
    int index;    ///< among the pieces of its kind
    int surface;  ///< of a ball or an ellipsoid
  };
  struct Faces {
    std::vector<int> surface;
    std::vector<std::uint8_t> internal;
    std::shared_ptr<const ConvexTopology> topology;
  };
  struct Polyhedron {
    std::vector<Vec3> vertices;
    std::vector<Vec3> normals;
    Faces faces;
    int element = -1;  ///< of the mesh that the piece comes from
    int nodes = 0;     ///< of that element
    std::array<int, 8> node{};
    std::array<int, 6> surface_of_side{};
    std::array<bool, 6> internal_side{};
    // Of a convex that a background mesh moves: where its vertices are in that, and the elements
    // that hold a part of it, numbers rising.
    std::vector<CutMesh::Place> places;
    std::vector<int> elements;
  };

  /// `cut`: how a background mesh cuts the shape, null if there is none.
  ReferencePieces(const Shape& shape, const Vec3& mass_center, const CutMesh* cut,
                  Topologies& topologies);

  const Vec3& mass_center() const { return mass_center_; }

  const std::vector<Item>& items() const { return items_; }
  const std::vector<EllipsoidView>& ellipsoids() const { return ellipsoids_; }
  const std::vector<Polyhedron>& polyhedra() const { return polyhedra_; }
  /// Faces at the surface of a body's mesh that have the node, as numbers in Mesh::boundary,
  /// rising. The first one's element is that of the piece which stands for the node.
  std::span<const int> faces_at(int node) const {
    return {node_face_.data() + node_begin_[node],
            static_cast<std::size_t>(node_begin_[node + 1] - node_begin_[node])};
  }
  /// Other pieces that share a node or a vertex with this one, or of which one has a face that lies
  /// in one of the other, numbers rising.
  std::span<const int> adjacent(int feature) const {
    return {adjacent_.data() + adjacent_begin_[feature],
            static_cast<std::size_t>(adjacent_begin_[feature + 1] - adjacent_begin_[feature])};
  }

 private:
  void add(const solfec::Polyhedron& solid, Topologies& topologies);
  void add(const Mesh& mesh, Topologies& topologies);
  void add(const Sphere& sphere, Topologies&);
  void add(const Ellipsoid& ellipsoid, Topologies&);
  void add_polyhedron(Polyhedron piece);
  void find_faces_at_nodes(const Mesh& mesh);
  void place_in(const CutMesh& cut);
  using Link = std::pair<int, int>;  // of pieces that are neighbours
  void find_shared_vertices(double tolerance, std::vector<Link>& links) const;
  void find_faces_in_faces(double tolerance, std::vector<Link>& links);
  void find_adjacency(bool one_mesh, double tolerance);

  Vec3 mass_center_;
  std::vector<Item> items_;
  std::vector<EllipsoidView> ellipsoids_;  // balls too: radius times identity
  std::vector<Polyhedron> polyhedra_;
  std::vector<int> adjacent_begin_, adjacent_;
  std::vector<int> node_begin_, node_face_;
};

/// Faces of an element, or of a convex, whose vertices have moved, of this size: one that is not
/// plane any more becomes the triangles of its hull, which bulge.
ReferencePieces::Faces bent_faces(const ReferencePieces::Polyhedron& piece,
                                  std::span<const Vec3> vertices, double size,
                                  Topologies& topologies);

class PieceStore {
 public:
  /// Follows the set of bodies; cheap when it has not changed.
  void synchronise(const BodyStore& bodies);
  /// Places all pieces at the bodies' configurations; boxes are grown by `margin`, and by
  /// what each body moves, if that is given.
  void place(const BodyStore& bodies, double margin, std::span<const Lookahead> lookahead = {});

  int count() const { return static_cast<int>(body_.size()); }
  const std::vector<Box>& boxes() const { return boxes_; }
  /// Index of the body that a piece belongs to.
  int body(int piece) const { return body_[piece]; }
  /// Name of that body, also when bodies have come or gone since synchronise.
  BodyId body_id(int piece) const { return ids_[body_[piece]]; }
  int feature(int piece) const { return piece - first_[body_[piece]]; }
  /// Pieces of body i: first(i) .. first(i + 1) - 1.
  int first(int body) const { return first_[body]; }
  PieceKind kind(int piece) const { return kind_[piece]; }
  /// Surface of a ball or an ellipsoid.
  int surface(int piece) const { return surface_[piece]; }
  /// Of a body that is one ball: those of a ball, without its place and size.
  const ReferencePieces& reference(int body) const {
    return references_[body] ? *references_[body] : a_ball_;
  }
  /// True when a point of a body's reference configuration, `offset` from its mass centre, lies in
  /// the piece (or on its boundary up to `tolerance`).
  bool reference_contains(int body, int feature, const Vec3& offset, double tolerance) const;

  /// The element in which a point of space on a piece of a finite-element body is: the one that the
  /// piece comes from, or of those that hold a part of it the one that holds the point (or is
  /// nearest to that). -1 for other bodies.
  int element_at(const BodyStore& bodies, int piece, const Vec3& point) const;

  const Ball& ball(int piece) const { return balls_[slot_[piece]]; }
  const EllipsoidView& ellipsoid(int piece) const { return ellipsoids_[slot_[piece]]; }
  /// Face planes are computed on first use in a step.
  ConvexView polyhedron(int piece);
  std::span<const Vec3> vertices(int piece) const {
    const PlacedPolyhedron& placed = polyhedra_[slot_[piece]];
    return {&vertices_[placed.vertex], placed.reference->vertices.size()};
  }
  /// Whether a polyhedron has the point of space, up to `tolerance`; by several threads at once.
  bool polyhedron_holds(int piece, const Vec3& x, double tolerance) const;

 private:
  struct PlacedPolyhedron {
    const ReferencePieces::Polyhedron* reference;
    const ReferencePieces::Faces* faces;
    std::size_t vertex, plane;  // offsets
    int normal_map;
    bool planes_ready;
  };
  // Ways in which the faces of a piece bend that have been seen.
  using Bends = std::map<FaceLoops, ReferencePieces::Faces>;
  Plane plane_of(const PlacedPolyhedron& placed, int face) const;
  void place_element(const double* x, const PlacedPolyhedron& placed, Box& box);
  void place_in_background(const Mesh& mesh, const double* x, const PlacedPolyhedron& placed,
                           Box& box);
  void bend_faces(PlacedPolyhedron& placed, Bends& bends, double size);
  void lay_out(const BodyStore& bodies);
  void place_body(const BodyStore& bodies, int i, double margin);

  Topologies topologies_;
  std::uint64_t revision_ = ~std::uint64_t{0};
  std::vector<BodyId> ids_;
  int owned_ = 0;
  std::vector<std::unique_ptr<ReferencePieces>> references_;  // by body index; null: one ball
  ReferencePieces a_ball_{{Sphere{Vec3::Zero(), 1}}, Vec3::Zero(), nullptr, topologies_};

  std::vector<int> first_, body_, surface_;
  std::vector<PieceKind> kind_;
  std::vector<int> slot_;
  std::vector<Box> boxes_;
  std::vector<Ball> balls_, reference_balls_;
  std::vector<EllipsoidView> ellipsoids_;
  std::vector<PlacedPolyhedron> polyhedra_;
  std::vector<Bends> bends_;  // by polyhedron
  FaceLoops bent_;            // work space
  std::vector<Vec3> vertices_;
  std::vector<Plane> planes_;
  std::vector<Mat3> normal_maps_;  // of bodies with polyhedra: map reference normals
  // Where each obstacle was placed last, with which margin: one at rest is not placed again.
  struct Placement {
    std::array<double, BodyStore::kConfiguration> q;
    double margin;
    bool operator==(const Placement&) const = default;
  };
  std::map<int, std::optional<Placement>> obstacles_;  // by body
};

/// The same of pieces that are not in a store.
bool reference_piece_contains(const ReferencePieces& pieces, int feature, const Vec3& offset,
                              double tolerance);

}  // namespace solfec
