#include "contact/pieces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "body/dof_views.hpp"
#include "core/error.hpp"
#include "core/threads.hpp"
#include "geometry/box_tree.hpp"
#include "geometry/element.hpp"
#include "geometry/tolerances.hpp"

namespace solfec {
namespace {

// How a face stands: 0 plane (or a triangle); else the diagonal that bulges, 1 from the first
// vertex of its loop, 2 from the second one.
int bend(std::span<const Vec3> vertices, std::span<const int> loop, double size) {
  if (loop.size() != 4) return 0;
  const Plane plane = face_plane(vertices, std::array{loop[0], loop[1], loop[2]});
  const double height = plane.distance(vertices[loop[3]]);
  return std::abs(height) <= kSamePlace * size ? 0 : height < 0 ? 1 : 2;
}

void add_bent_quadrilateral(std::span<const int> loop, int bend, FaceLoops& faces) {
  const int a = loop[bend - 1], b = loop[bend], c = loop[bend + 1], d = loop[(bend + 2) % 4];
  faces.add(std::array{a, b, c});
  faces.add(std::array{a, c, d});
}

bool is_plane(std::span<const Vec3> vertices, std::span<const int> loop, double size) {
  const Plane plane = face_plane(vertices, loop);
  return std::ranges::all_of(
      loop, [&](int v) { return std::abs(plane.distance(vertices[v])) <= kSamePlace * size; });
}

// The triangles of the hull of a convex polygon that is bent, on its outer side: those of a fan,
// of which any two that meet in a hollow are exchanged for the two across it.
void add_bent_polygon(std::span<const Vec3> vertices, std::span<const int> loop, double size,
                      FaceLoops& faces) {
  using Triangle = std::array<int, 3>;
  std::vector<Triangle> triangles;
  for (std::size_t k = 1; k + 1 < loop.size(); k++)
    triangles.push_back({loop[0], loop[k], loop[k + 1]});
  const auto exchange = [&](Triangle& first, Triangle& second) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        const int a = first[i], b = first[(i + 1) % 3], c = first[(i + 2) % 3];
        if (second[j] != b || second[(j + 1) % 3] != a) continue;
        const int d = second[(j + 2) % 3];
        if (!(face_plane(vertices, first).distance(vertices[d]) > kSamePlace * size)) return false;
        first = {a, d, c};
        second = {d, b, c};
        return true;
      }
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = 0; k < triangles.size(); k++)
      for (std::size_t l = 0; l < k; l++) changed |= exchange(triangles[k], triangles[l]);
  }
  for (const Triangle& triangle : triangles) faces.add(triangle);
}

// Faces in place of one whose vertices have moved.
void add_bent_face(std::span<const Vec3> vertices, std::span<const int> loop, double size,
                   FaceLoops& faces) {
  if (loop.size() > 4 && !is_plane(vertices, loop, size))
    add_bent_polygon(vertices, loop, size, faces);
  else if (const int way = bend(vertices, loop, size); way > 0)
    add_bent_quadrilateral(loop, way, faces);
  else
    faces.add(loop);
}

// Those of a piece while it is not bent.
const FaceLoops& unbent_faces(const ReferencePieces::Polyhedron& piece) {
  return piece.element >= 0 ? element_faces(piece.nodes) : piece.faces.topology->faces;
}

// The most faces that these may become.
std::size_t most_faces(const FaceLoops& loops) {
  return loops.vertex.size() - 2 * static_cast<std::size_t>(loops.count());
}

bool holds(const EllipsoidView& e, const Vec3& x, double tolerance) {
  return (e.map.inverse() * (x - e.center)).norm() <= 1 + tolerance / e.map.norm();
}

// The ball that a body is whose pieces move rigidly; null for other bodies.
const Sphere* only_ball(const Body& body) {
  if (body.shape->size() != 1 || is_affine(body.kind)) return nullptr;
  return std::get_if<Sphere>(&body.shape->front());
}

double size_of(std::span<const Vec3> vertices) { return bounding_box(vertices).size().norm(); }

// The nodes of an element at x.
struct PlacedCorners {
  std::array<Vec3, 8> at;
  int count;

  PlacedCorners(const Element& element, const double* x) : count(element.nodes) {
    for (int k = 0; k < count; k++) at[k] = node_part(x, element.node[k]);
  }
  std::span<const Vec3> span() const { return {at.data(), static_cast<std::size_t>(count)}; }
  Vec3 point(const Vec3& local) const {
    std::array<double, 8> N;
    shape_functions(count, local, N);
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < count; k++) sum += N[k] * at[k];
    return sum;
  }
};

}  // namespace

std::shared_ptr<const ConvexTopology> Topologies::shared(FaceLoops faces) {
  std::weak_ptr<const ConvexTopology>& entry = known_[{faces.begin, faces.vertex}];
  std::shared_ptr<const ConvexTopology> topology = entry.lock();
  if (!topology) {
    topology = std::make_shared<const ConvexTopology>(std::move(faces));
    entry = topology;
  }
  return topology;
}

ReferencePieces::ReferencePieces(const Shape& shape, const Vec3& mass_center, const CutMesh* cut,
                                 Topologies& topologies)
    : mass_center_(mass_center) {
  for (const Solid& solid : shape) std::visit([&](const auto& s) { add(s, topologies); }, solid);
  if (cut) place_in(*cut);
  const Mesh* mesh = only_mesh(shape);
  if (mesh) find_faces_at_nodes(*mesh);
  find_adjacency(mesh != nullptr, kSamePlace * bounding_box(shape).size().norm());
}

void ReferencePieces::add(const Sphere& sphere, Topologies&) {
  items_.push_back({PieceKind::ball, static_cast<int>(ellipsoids_.size()), sphere.surface});
  ellipsoids_.push_back({sphere.center - mass_center_, sphere.radius * Mat3::Identity()});
}

void ReferencePieces::add(const Ellipsoid& ellipsoid, Topologies&) {
  items_.push_back({PieceKind::ellipsoid, static_cast<int>(ellipsoids_.size()), ellipsoid.surface});
  ellipsoids_.push_back({ellipsoid.center - mass_center_, ellipsoid.map()});
}

void ReferencePieces::add(const solfec::Polyhedron& solid, Topologies& topologies) {
  Polyhedron piece;
  piece.vertices = solid.vertices;
  for (Vec3& v : piece.vertices) v -= mass_center_;
  piece.faces = {solid.surface, std::vector<std::uint8_t>(solid.surface.size(), 0),
                 topologies.shared(solid.faces)};
  add_polyhedron(std::move(piece));
}

void ReferencePieces::add(const Mesh& mesh, Topologies& topologies) {
  std::size_t next = 0;  // in mesh.boundary, which is sorted by element
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); e++) {
    const std::size_t begin = next;
    while (next < mesh.boundary.size() && mesh.boundary[next].element == e) next++;
    if (next == begin) continue;  // no face of this element is on the surface
    const Element& element = mesh.elements[e];
    Polyhedron piece;
    piece.element = e;
    piece.nodes = element.nodes;
    piece.node = element.node;
    for (int node : element.used()) piece.vertices.push_back(mesh.nodes[node] - mass_center_);
    piece.internal_side.fill(true);
    for (std::size_t k = begin; k < next; k++) {
      piece.surface_of_side[mesh.boundary[k].side] = mesh.boundary[k].surface;
      piece.internal_side[mesh.boundary[k].side] = false;
    }
    piece.faces = bent_faces(piece, piece.vertices, size_of(piece.vertices), topologies);
    add_polyhedron(std::move(piece));
  }
}

void ReferencePieces::find_faces_at_nodes(const Mesh& mesh) {
  const auto each = [&](auto act) {
    for (int f = 0; f < static_cast<int>(mesh.boundary.size()); f++) {
      const Element& element = mesh.elements[mesh.boundary[f].element];
      for (int corner : element_faces(element.nodes).loop(mesh.boundary[f].side))
        act(element.node[corner], f);
    }
  };
  node_begin_.assign(mesh.nodes.size() + 1, 0);
  each([&](int node, int) { node_begin_[node + 1]++; });
  std::partial_sum(node_begin_.begin(), node_begin_.end(), node_begin_.begin());
  node_face_.resize(node_begin_.back());
  std::vector<int> next = node_begin_;
  each([&](int node, int face) { node_face_[next[node]++] = face; });
}

// A convex so small that no element keeps it belongs to those where its vertices are.
void ReferencePieces::place_in(const CutMesh& cut) {
  DEMAND(cut.vertex_begin.size() == polyhedra_.size() + 1);
  for (std::size_t c = 0; c < polyhedra_.size(); c++) {
    Polyhedron& piece = polyhedra_[c];
    piece.places.assign(cut.vertices.begin() + cut.vertex_begin[c],
                        cut.vertices.begin() + cut.vertex_begin[c + 1]);
    piece.elements.assign(cut.overlaps.begin() + cut.overlap_begin[c],
                          cut.overlaps.begin() + cut.overlap_begin[c + 1]);
    if (!piece.elements.empty()) continue;
    for (const CutMesh::Place& place : piece.places) piece.elements.push_back(place.element);
    std::ranges::sort(piece.elements);
    const auto repeated = std::ranges::unique(piece.elements);
    piece.elements.erase(repeated.begin(), repeated.end());
  }
}

void ReferencePieces::add_polyhedron(Polyhedron piece) {
  items_.push_back({PieceKind::polyhedron, static_cast<int>(polyhedra_.size()), 0});
  const FaceLoops& faces = piece.faces.topology->faces;
  for (int f = 0; f < faces.count(); f++)
    piece.normals.push_back(face_plane(piece.vertices, faces.loop(f)).normal);
  polyhedra_.push_back(std::move(piece));
}

ReferencePieces::Faces bent_faces(const ReferencePieces::Polyhedron& piece,
                                  std::span<const Vec3> vertices, double size,
                                  Topologies& topologies) {
  const bool of_mesh = piece.element >= 0;
  const FaceLoops& unbent = unbent_faces(piece);
  FaceLoops loops;
  ReferencePieces::Faces faces;
  for (int f = 0; f < unbent.count(); f++) {
    add_bent_face(vertices, unbent.loop(f), size, loops);
    faces.surface.resize(loops.count(),
                         of_mesh ? piece.surface_of_side[f] : piece.faces.surface[f]);
    faces.internal.resize(loops.count(),
                          of_mesh ? piece.internal_side[f] : piece.faces.internal[f]);
  }
  faces.topology = topologies.shared(std::move(loops));
  return faces;
}

// Vertices that coincide make their pieces neighbours.
void ReferencePieces::find_shared_vertices(double tolerance, std::vector<Link>& links) const {
  std::vector<Box> boxes;
  std::vector<int> owner;
  for (int i = 0; i < static_cast<int>(items_.size()); i++)
    if (items_[i].kind == PieceKind::polyhedron)
      for (const Vec3& v : polyhedra_[items_[i].index].vertices) {
        Box box{v, v};
        box.grow(0.5 * tolerance);
        boxes.push_back(box);
        owner.push_back(i);
      }
  BoxTree tree;
  tree.build(boxes);
  tree.overlaps([&](int a, int b) {
    if (owner[a] != owner[b]) links.emplace_back(owner[a], owner[b]);
  });
}

// So does a face that lies in one of another solid, and is internal then.
void ReferencePieces::find_faces_in_faces(double tolerance, std::vector<Link>& links) {
  constexpr double kOpposite = -0.99;  // cosine; the vertices tell
  struct Face {
    int item, number;
  };
  std::vector<Face> faces;
  std::vector<Box> boxes;
  for (int i = 0; i < static_cast<int>(items_.size()); i++) {
    if (items_[i].kind != PieceKind::polyhedron) continue;
    const Polyhedron& p = polyhedra_[items_[i].index];
    const FaceLoops& loops = p.faces.topology->faces;
    for (int f = 0; f < loops.count(); f++) {
      Box box;
      for (int v : loops.loop(f)) box.extend(p.vertices[v]);
      box.grow(0.5 * tolerance);
      boxes.push_back(box);
      faces.push_back({i, f});
    }
  }
  const auto lies_in = [&](const Face& a, const Face& b) {
    const Polyhedron &p = polyhedra_[items_[a.item].index], &q = polyhedra_[items_[b.item].index];
    const Vec3 normal = q.normals[b.number],
               on_plane = q.vertices[q.faces.topology->faces.loop(b.number)[0]];
    if (p.normals[a.number].dot(normal) > kOpposite) return false;
    return std::ranges::all_of(p.faces.topology->faces.loop(a.number), [&](int v) {
      return normal.dot(p.vertices[v] - on_plane) >= -tolerance &&
             reference_piece_contains(*this, b.item, p.vertices[v], tolerance);
    });
  };
  BoxTree tree;
  tree.build(boxes);
  tree.overlaps([&](int k, int l) {
    const Face &a = faces[k], &b = faces[l];
    if (a.item == b.item) return;
    for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
      if (!lies_in(one, other)) continue;
      polyhedra_[items_[one.item].index].faces.internal[one.number] = 1;
      links.emplace_back(one.item, other.item);
    }
  });
}

void ReferencePieces::find_adjacency(bool one_mesh, double tolerance) {
  std::vector<Link> links;
  if (items_.size() > 1) {
    find_shared_vertices(tolerance, links);
    if (!one_mesh) find_faces_in_faces(tolerance, links);
  }
  for (std::size_t k = links.size(); k-- > 0;) links.emplace_back(links[k].second, links[k].first);
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  adjacent_begin_.assign(items_.size() + 1, 0);
  for (const auto& [from, to] : links) {
    adjacent_begin_[from + 1]++;
    adjacent_.push_back(to);
  }
  for (std::size_t i = 0; i < items_.size(); i++) adjacent_begin_[i + 1] += adjacent_begin_[i];
}

bool reference_piece_contains(const ReferencePieces& pieces, int feature, const Vec3& offset,
                              double tolerance) {
  const ReferencePieces::Item& item = pieces.items()[feature];
  if (item.kind != PieceKind::polyhedron)
    return holds(pieces.ellipsoids()[item.index], offset, tolerance);
  const ReferencePieces::Polyhedron& p = pieces.polyhedra()[item.index];
  const FaceLoops& faces = p.faces.topology->faces;
  for (int f = 0; f < faces.count(); f++)
    if (p.normals[f].dot(offset - p.vertices[faces.loop(f)[0]]) > tolerance) return false;
  return true;
}

bool PieceStore::reference_contains(int body, int feature, const Vec3& offset,
                                    double tolerance) const {
  if (references_[body])
    return reference_piece_contains(*references_[body], feature, offset, tolerance);
  const Ball& ball = reference_balls_[slot_[first_[body]]];
  return holds({ball.center, ball.radius * Mat3::Identity()}, offset, tolerance);
}

void PieceStore::synchronise(const BodyStore& bodies) {
  if (revision_ == bodies.revision()) return;
  // Owned bodies and ghosts each stand in the order of ids; a body may change sides.
  const auto ghosts = ids_.begin() + owned_;
  const auto find = [&](BodyId id) -> std::unique_ptr<ReferencePieces>* {
    for (const auto& [begin, end] :
         {std::pair(ids_.begin(), ghosts), std::pair(ghosts, ids_.end())})
      if (const auto at = std::lower_bound(begin, end, id); at != end && *at == id)
        return &references_[at - ids_.begin()];
    return nullptr;
  };
  std::vector<BodyId> ids;
  std::vector<std::unique_ptr<ReferencePieces>> references;
  for (int i = 0; i < bodies.total(); i++) {
    const Body& body = bodies[i];
    ids.push_back(body.id);
    auto* known = find(body.id);
    if (only_ball(body))
      references.emplace_back();
    else if (known && *known && (*known)->mass_center() == body.reference.center)
      references.push_back(std::move(*known));
    else
      references.push_back(std::make_unique<ReferencePieces>(*body.shape, body.reference.center,
                                                             bodies.cut(i), topologies_));
  }
  ids_ = std::move(ids);
  owned_ = bodies.owned();
  references_ = std::move(references);
  lay_out(bodies);
  revision_ = bodies.revision();
}

void PieceStore::lay_out(const BodyStore& bodies) {
  first_.assign(1, 0);
  body_.clear();
  kind_.clear();
  slot_.clear();
  surface_.clear();
  reference_balls_.clear();
  polyhedra_.clear();
  bends_.clear();
  std::size_t vertices = 0, planes = 0;
  int ellipsoids = 0, maps = 0;
  for (int i = 0; i < bodies.total(); i++) {
    const auto add = [&](PieceKind kind, int surface, int slot) {
      body_.push_back(i);
      kind_.push_back(kind);
      surface_.push_back(surface);
      slot_.push_back(slot);
    };
    const auto add_ball = [&](int surface, const Ball& ball) {
      add(PieceKind::ball, surface, static_cast<int>(reference_balls_.size()));
      reference_balls_.push_back(ball);
    };
    if (!references_[i]) {
      const Sphere& ball = *only_ball(bodies[i]);
      add_ball(ball.surface, {ball.center - bodies[i].reference.center, ball.radius});
      first_.push_back(count());
      continue;
    }
    const ReferencePieces& reference = *references_[i];
    for (const ReferencePieces::Item& item : reference.items()) {
      switch (item.kind) {
        case PieceKind::ball:
          // The image of a ball under a deformation gradient is an ellipsoid.
          if (!is_affine(bodies.kind(i))) {
            const EllipsoidView& ball = reference.ellipsoids()[item.index];
            add_ball(item.surface, {ball.center, ball.map(0, 0)});
            break;
          }
          [[fallthrough]];
        case PieceKind::ellipsoid:
          add(PieceKind::ellipsoid, item.surface, ellipsoids++);
          break;
        case PieceKind::polyhedron: {
          const auto& p = reference.polyhedra()[item.index];
          add(PieceKind::polyhedron, item.surface, static_cast<int>(polyhedra_.size()));
          polyhedra_.push_back({&p, &p.faces, vertices, planes, maps, false});
          vertices += p.vertices.size();
          planes += is_meshed(bodies.kind(i)) ? most_faces(unbent_faces(p)) : p.normals.size();
        }
      }
    }
    if (!reference.polyhedra().empty()) maps++;
    first_.push_back(count());
  }
  bends_.resize(polyhedra_.size());
  boxes_.resize(body_.size());
  balls_.resize(reference_balls_.size());
  ellipsoids_.resize(ellipsoids);
  vertices_.resize(vertices);
  planes_.resize(planes);
  normal_maps_.resize(maps);
  obstacles_.clear();
  for (int i = 0; i < bodies.total(); i++)
    if (is_obstacle(bodies.kind(i))) obstacles_.emplace(i, std::nullopt);
}

void PieceStore::place(const BodyStore& bodies, double all, std::span<const Lookahead> lookahead) {
  constexpr int kShare = 128;
  const auto place_one = [&](int i) {
    place_body(bodies, i, all + (lookahead.empty() ? 0.0 : lookahead[i].distance));
  };
  // Elements that bend share their topologies.
  for_each_at_once(bodies.total(), kShare, [&](int i) {
    if (!is_meshed(bodies.kind(i))) place_one(i);
  });
  for (int i = 0; i < bodies.total(); i++)
    if (is_meshed(bodies.kind(i))) place_one(i);
}

void PieceStore::place_body(const BodyStore& bodies, int i, double margin) {
  if (is_obstacle(bodies.kind(i))) {
    Placement placement{{}, margin};
    std::copy_n(bodies.q(i), BodyStore::kConfiguration, placement.q.begin());
    std::optional<Placement>& placed = obstacles_.find(i)->second;
    if (placed == placement) return;
    placed = placement;
  }
  const Mat3 G = bodies.gradient(i);
  const Vec3 c = bodies.center(i);
  const bool deforms = is_affine(bodies.kind(i));
  const bool meshed = is_meshed(bodies.kind(i));
  const Mat3 normal_map = deforms ? Mat3(G.inverse().transpose()) : G;
  for (int piece = first_[i]; piece < first_[i + 1]; piece++) {
    Box box;
    switch (kind_[piece]) {
      case PieceKind::ball: {
        const Ball& ball = reference_balls_[slot_[piece]];
        Ball& placed = balls_[slot_[piece]];
        placed = {c + G * ball.center, ball.radius};
        box = {(placed.center.array() - placed.radius).matrix(),
               (placed.center.array() + placed.radius).matrix()};
        break;
      }
      case PieceKind::ellipsoid: {
        const ReferencePieces& reference = *references_[i];
        const EllipsoidView& ellipsoid =
            reference.ellipsoids()[reference.items()[piece - first_[i]].index];
        EllipsoidView& placed = ellipsoids_[slot_[piece]];
        placed = {c + G * ellipsoid.center, G * ellipsoid.map};
        box = bounding_box(placed.center, placed.map);
        break;
      }
      case PieceKind::polyhedron: {
        PlacedPolyhedron& placed = polyhedra_[slot_[piece]];
        placed.planes_ready = false;
        normal_maps_[placed.normal_map] = normal_map;
        if (meshed) {
          if (placed.reference->places.empty())
            place_element(bodies.x(i), placed, box);
          else
            place_in_background(*bodies[i].background, bodies.x(i), placed, box);
          bend_faces(placed, bends_[slot_[piece]], box.size().norm());
          break;
        }
        Vec3* vertex = &vertices_[placed.vertex];
        for (const Vec3& xi : placed.reference->vertices) {
          *vertex = c + G * xi;
          box.extend(*vertex++);
        }
      }
    }
    box.grow(margin);
    boxes_[piece] = box;
  }
}

void PieceStore::place_element(const double* x, const PlacedPolyhedron& placed, Box& box) {
  Vec3* vertex = &vertices_[placed.vertex];
  for (std::size_t k = 0; k < placed.reference->vertices.size(); k++) {
    *vertex = node_part(x, placed.reference->node[k]);
    box.extend(*vertex++);
  }
}

void PieceStore::place_in_background(const Mesh& mesh, const double* x,
                                     const PlacedPolyhedron& placed, Box& box) {
  Vec3* vertex = &vertices_[placed.vertex];
  for (const CutMesh::Place& place : placed.reference->places) {
    *vertex = PlacedCorners(mesh.elements[place.element], x).point(place.local);
    box.extend(*vertex++);
  }
}

void PieceStore::bend_faces(PlacedPolyhedron& placed, Bends& bends, double size) {
  const ReferencePieces::Polyhedron& p = *placed.reference;
  const FaceLoops& unbent = unbent_faces(p);
  const std::span<const Vec3> vertices(&vertices_[placed.vertex], p.vertices.size());
  bent_.clear();
  for (int f = 0; f < unbent.count(); f++) add_bent_face(vertices, unbent.loop(f), size, bent_);
  const auto [entry, added] = bends.try_emplace(bent_);
  if (added) entry->second = bent_faces(p, vertices, size, topologies_);
  placed.faces = &entry->second;
}

int PieceStore::element_at(const BodyStore& bodies, int piece, const Vec3& point) const {
  const int i = body_[piece];
  if (!is_meshed(bodies.kind(i))) return -1;
  const ReferencePieces::Polyhedron& p = *polyhedra_[slot_[piece]].reference;
  if (p.elements.empty()) return p.element;
  int best = p.elements[0];
  double least = std::numeric_limits<double>::infinity();
  for (int e : p.elements) {
    const Element& element = bodies[i].background->elements[e];
    const auto local = local_coordinates(PlacedCorners(element, bodies.x(i)).span(), point);
    if (!local) continue;
    const double miss = outside(element.nodes, *local);
    if (miss >= least) continue;
    least = miss;
    best = e;
  }
  return best;
}

Plane PieceStore::plane_of(const PlacedPolyhedron& placed, int face) const {
  const ReferencePieces::Polyhedron& p = *placed.reference;
  const Vec3* vertices = &vertices_[placed.vertex];
  const FaceLoops& loops = placed.faces->topology->faces;
  if (placed.faces != &p.faces)  // it may be bent
    return face_plane({vertices, p.vertices.size()}, loops.loop(face));
  const Vec3 n = (normal_maps_[placed.normal_map] * p.normals[face]).normalized();
  return {n, n.dot(vertices[loops.vertex[loops.begin[face]]])};
}

ConvexView PieceStore::polyhedron(int piece) {
  PlacedPolyhedron& placed = polyhedra_[slot_[piece]];
  Plane* planes = &planes_[placed.plane];
  const int faces = placed.faces->topology->faces.count();
  if (!placed.planes_ready) {
    for (int f = 0; f < faces; f++) planes[f] = plane_of(placed, f);
    placed.planes_ready = true;
  }
  return {vertices(piece),
          {planes, static_cast<std::size_t>(faces)},
          placed.faces->topology.get(),
          placed.faces->surface.data(),
          placed.faces->internal.data()};
}

bool PieceStore::polyhedron_holds(int piece, const Vec3& x, double tolerance) const {
  const PlacedPolyhedron& placed = polyhedra_[slot_[piece]];
  for (int f = 0; f < placed.faces->topology->faces.count(); f++)
    if (plane_of(placed, f).distance(x) > tolerance) return false;
  return true;
}

}  // namespace solfec
