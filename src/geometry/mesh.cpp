#include "geometry/mesh.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "core/error.hpp"
#include "geometry/tolerances.hpp"

namespace solfec {
namespace {

using NodeSet = std::array<int, 4>;  // sorted; -1 fills a triangle

NodeSet node_set(std::span<const int> nodes) {
  NodeSet set{-1, -1, -1, -1};
  std::copy(nodes.begin(), nodes.end(), set.begin());
  std::sort(set.begin(), set.end());
  return set;
}

NodeSet face_nodes(const Element& element, int side) {
  std::array<int, 4> nodes{};
  const auto loop = element_faces(element.nodes).loop(side);
  for (std::size_t k = 0; k < loop.size(); k++) nodes[k] = element.node[loop[k]];
  return node_set({nodes.data(), loop.size()});
}

// The node after `node` in the loop of a face, seen from outside of the element.
int node_after(const Element& element, int side, int node) {
  const auto loop = element_faces(element.nodes).loop(side);
  std::size_t k = 0;
  while (element.node[loop[k]] != node) k++;
  return element.node[loop[(k + 1) % loop.size()]];
}

// Whether both elements, of positive volume, are on one side of the face they share.
bool on_one_side(const Element& one, int side, const Element& other, int other_side) {
  const int node = one.node[element_faces(one.nodes).loop(side)[0]];
  return node_after(one, side, node) == node_after(other, other_side, node);
}

FaceLoops loops(std::initializer_list<std::initializer_list<int>> faces) {
  FaceLoops result;
  for (const auto& face : faces) result.add(std::vector<int>(face));
  return result;
}

// Turns an element of negative volume inside out: bottom and top (or base) change places.
void mirror(Element& e) {
  switch (e.nodes) {
    case 4:
      std::swap(e.node[1], e.node[2]);
      break;
    case 5:
      std::swap(e.node[1], e.node[3]);
      break;
    case 6:
      std::swap_ranges(e.node.begin(), e.node.begin() + 3, e.node.begin() + 3);
      break;
    default:
      std::swap_ranges(e.node.begin(), e.node.begin() + 4, e.node.begin() + 4);
  }
}

void orient(const std::vector<Vec3>& nodes, std::vector<Element>& elements) {
  for (std::size_t i = 0; i < elements.size(); i++) {
    const double volume = element_moments(nodes, elements[i]).volume;
    Box box;
    for (int n : elements[i].used()) box.extend(nodes[n]);
    const double size = box.size().maxCoeff();
    if (!(std::abs(volume) > kNoVolume * size * size * size))
      throw value_error(fmt::format("element {} (nodes {}) has no volume", i,
                                    fmt::join(elements[i].used(), ", ")));
    if (volume < 0) mirror(elements[i]);
  }
}

// Of a face with four corners at least three have normals to one side. Where nodes are out of order
// it crosses itself, or is twisted, and the volume is too small.
bool is_in_order(const std::array<Vec3, 4>& corner) {
  constexpr double kLeastCosine = 0.1;
  std::array<Vec3, 4> normal;
  for (std::size_t k = 0; k < 4; k++)
    normal[k] =
        (corner[(k + 1) % 4] - corner[k]).cross(corner[(k + 3) % 4] - corner[k]).stableNormalized();
  return std::ranges::any_of(normal, [&](const Vec3& one) {
    return std::ranges::count_if(normal, [&](const Vec3& other) {
             return other.isZero(0) || one.dot(other) > kLeastCosine;
           }) >= 3;
  });
}

void demand_order(const std::vector<Vec3>& nodes, const std::vector<Element>& elements) {
  for (std::size_t i = 0; i < elements.size(); i++) {
    const FaceLoops& faces = element_faces(elements[i].nodes);
    for (int side = 0; side < faces.count(); side++) {
      const auto loop = faces.loop(side);
      if (loop.size() != 4) continue;
      std::array<Vec3, 4> corner;
      for (std::size_t k = 0; k < 4; k++) corner[k] = nodes[elements[i].node[loop[k]]];
      if (!is_in_order(corner))
        throw value_error(fmt::format(
            "element {} (nodes {}) has a face that crosses itself or is twisted: are its nodes in "
            "order?",
            i, fmt::join(elements[i].used(), ", ")));
    }
  }
}

// Ends of the edges from a corner of three faces: the next and the last corner in one of them, the
// third edge. None of another corner, as the tip of a pyramid.
std::optional<std::array<int, 3>> edge_ends(const FaceLoops& faces, int corner) {
  std::array<int, 3> ends{};
  int count = 0, third = 0;
  for (int side = 0; side < faces.count(); side++) {
    const auto loop = faces.loop(side);
    const std::size_t n = loop.size();
    for (std::size_t k = 0; k < n; k++) {
      if (loop[k] != corner) continue;
      if (count++ == 0) ends = {loop[(k + 1) % n], loop[(k + n - 1) % n], 0};
      third += loop[(k + 1) % n];  // each edge is that to the next corner once
    }
  }
  if (count != 3) return std::nullopt;
  ends[2] = third - ends[0] - ends[1];
  return ends;
}

// The third edge from a corner is behind the face of the other two. Where it is before that the
// element has a notch, which contact does not see, and it turns inside out there.
void demand_convex(const std::vector<Vec3>& nodes, const std::vector<Element>& elements) {
  constexpr double kReentrant = 0.02;  // of the volume of unit edges: an angle of 181 degrees
  for (std::size_t i = 0; i < elements.size(); i++) {
    const Element& e = elements[i];
    for (int corner = 0; corner < e.nodes; corner++) {
      const auto ends = edge_ends(element_faces(e.nodes), corner);
      if (!ends) continue;
      const auto edge = [&](int k) -> Vec3 {
        return (nodes[e.node[(*ends)[k]]] - nodes[e.node[corner]]).stableNormalized();
      };
      if (edge(0).cross(edge(1)).dot(edge(2)) > kReentrant)
        throw value_error(fmt::format(
            "element {} (nodes {}) has a notch at node {}: elements are to be convex, divide it", i,
            fmt::join(e.used(), ", "), e.node[corner]));
    }
  }
}

void demand_distinct(const std::vector<Element>& elements) {
  std::map<std::array<int, 8>, int> known;  // nodes in order
  for (int e = 0; e < static_cast<int>(elements.size()); e++) {
    std::array<int, 8> nodes = elements[e].node;
    std::fill(nodes.begin() + elements[e].nodes, nodes.end(), -1);
    std::ranges::sort(nodes);
    const auto [first, is_new] = known.try_emplace(nodes, e);
    if (!is_new)
      throw value_error(fmt::format("element {} has the nodes of element {}", e, first->second));
  }
}

std::vector<Vec3> graded(const std::vector<double>& sizes) {
  double total = 0;
  for (double s : sizes) total += s;
  std::vector<Vec3> at = {Vec3::Zero()};
  for (double s : sizes) at.push_back(at.back() + Vec3::Constant(s / total));
  at.back().setOnes();
  return at;
}

// Elements of a block of hexahedra whose nodes are numbered i fastest, then j, then k.
std::vector<Element> block_elements(const std::array<int, 3>& n, const std::array<int, 3>& stride,
                                    int volume) {
  std::vector<Element> elements;
  for (int k = 0; k < n[2]; k++)
    for (int j = 0; j < n[1]; j++)
      for (int i = 0; i < n[0]; i++) {
        const auto node = [&](int a, int b, int c) {
          return (i + a) * stride[0] + (j + b) % (stride[2] / stride[1]) * stride[1] +
                 (k + c) * stride[2];
        };
        elements.push_back({8,
                            {node(0, 0, 0), node(1, 0, 0), node(1, 1, 0), node(0, 1, 0),
                             node(0, 0, 1), node(1, 0, 1), node(1, 1, 1), node(0, 1, 1)},
                            volume});
      }
  return elements;
}

// Every element as a hexahedron some of whose corners coincide: the trilinear map then collapses
// to the linear one of a tetrahedron, the ruled one of a wedge, or a pyramid over its base.
std::array<int, 8> as_hexahedron(const Element& e) {
  const auto& n = e.node;
  switch (e.nodes) {
    case 4:
      return {n[0], n[1], n[2], n[2], n[3], n[3], n[3], n[3]};
    case 5:
      return {n[0], n[1], n[2], n[3], n[4], n[4], n[4], n[4]};
    case 6:
      return {n[0], n[1], n[2], n[2], n[3], n[4], n[5], n[5]};
    default:
      return n;
  }
}

// A mirrored mesh has its elements turned.
void turn_inside_out(Mesh& m) {
  std::vector<FaceSurface> faces;
  for (const BoundaryFace& face : m.boundary) {
    const Element& element = m.elements[face.element];
    FaceSurface record{{}, face.surface};
    for (int local : element_faces(element.nodes).loop(face.side))
      record.nodes.push_back(element.node[local]);
    faces.push_back(std::move(record));
  }
  m = make_mesh(std::move(m.nodes), std::move(m.elements), 0, faces);
}

}  // namespace

// As scripts make them: made again of its nodes and elements it has the same surface. That of a
// part of a body has only what is of the body's.
const char* flaw(const Mesh& m) {
  const int nodes = static_cast<int>(m.nodes.size());
  if (m.elements.empty()) return "a mesh has no elements";
  if (!std::ranges::all_of(m.nodes, [](const Vec3& x) { return x.allFinite(); }))
    return "a node is not finite";
  for (const Element& e : m.elements)
    for (int n : e.used())
      if (n < 0 || n >= nodes) return "an element has a node that is not there";
  const Mesh again = make_mesh(m.nodes, m.elements, 0, {});
  const auto place = [](const BoundaryFace& face) { return std::pair(face.element, face.side); };
  const bool same =
      std::ranges::equal(m.elements, again.elements, {}, &Element::node, &Element::node) &&
      std::ranges::is_sorted(m.boundary, {}, place) &&
      std::ranges::includes(again.boundary, m.boundary, {}, place, place);
  return same ? nullptr : "a mesh is not one, or has another surface";
}

void scale(Mesh& m, const Vec3& factors) {
  scale(std::span(m.nodes), factors);
  if (factors.prod() < 0) turn_inside_out(m);
}

const FaceLoops& element_faces(int nodes) {
  static const FaceLoops tetrahedron = loops({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
  static const FaceLoops pyramid =
      loops({{0, 3, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}});
  static const FaceLoops wedge =
      loops({{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}});
  static const FaceLoops hexahedron =
      loops({{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}});
  switch (nodes) {
    case 4:
      return tetrahedron;
    case 5:
      return pyramid;
    case 6:
      return wedge;
    case 8:
      return hexahedron;
  }
  broken_invariant("an element has 4, 5, 6 or 8 nodes", __FILE__, __LINE__);
}

Mesh make_mesh(std::vector<Vec3> nodes, std::vector<Element> elements, int default_surface,
               std::span<const FaceSurface> exceptions) {
  orient(nodes, elements);
  demand_order(nodes, elements);
  demand_convex(nodes, elements);
  demand_distinct(elements);

  struct Use {
    int element, side, count;
  };
  std::map<NodeSet, Use> faces;
  for (int e = 0; e < static_cast<int>(elements.size()); e++)
    for (int side = 0; side < element_faces(elements[e].nodes).count(); side++) {
      Use& use = faces.try_emplace(face_nodes(elements[e], side), Use{e, side, 0}).first->second;
      if (++use.count > 2)
        throw value_error(fmt::format("element {} is the third one to share a face with element {}",
                                      e, use.element));
      if (use.count == 2 && on_one_side(elements[e], side, elements[use.element], use.side))
        throw value_error(
            fmt::format("elements {} and {} overlap: they are on one side of the face they share",
                        use.element, e));
    }

  Mesh mesh;
  std::map<std::pair<int, int>, int> surface;  // (element, side) -> surface
  for (const auto& [set, use] : faces)
    if (use.count == 1) surface[{use.element, use.side}] = default_surface;
  for (const FaceSurface& exception : exceptions) {
    const auto face = faces.find(node_set(exception.nodes));
    if (face == faces.end() || face->second.count != 1)
      throw value_error(fmt::format("the face with nodes {} is not on the boundary of the mesh",
                                    fmt::join(exception.nodes, ", ")));
    surface[{face->second.element, face->second.side}] = exception.surface;
  }
  for (const auto& [face, id] : surface) mesh.boundary.push_back({face.first, face.second, id});
  mesh.nodes = std::move(nodes);
  mesh.elements = std::move(elements);
  return mesh;
}

int count_parts(const Mesh& mesh) {
  std::vector<int> part(mesh.nodes.size());  // another node of the same part; its first one: itself
  std::iota(part.begin(), part.end(), 0);
  const auto first = [&](int node) {
    while (part[node] != node) node = part[node] = part[part[node]];
    return node;
  };
  int parts = static_cast<int>(mesh.nodes.size());
  for (const Element& element : mesh.elements)
    for (const int node : element.used()) {
      const int one = first(element.node[0]), other = first(node);
      if (one == other) continue;
      part[other] = one;
      parts--;
    }
  return parts;
}

std::vector<int> surface_nodes(const Mesh& mesh, int surface) {
  std::vector<int> nodes;
  for (const BoundaryFace& face : mesh.boundary) {
    if (face.surface != surface) continue;
    const Element& element = mesh.elements[face.element];
    for (int k : element_faces(element.nodes).loop(face.side)) nodes.push_back(element.node[k]);
  }
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

Mesh make_hexahedral_mesh(std::array<Vec3, 8> corners,
                          const std::array<std::vector<double>, 3>& sizes, int volume,
                          const std::array<int, 6>& surfaces) {
  const Element outline{8, {0, 1, 2, 3, 4, 5, 6, 7}, volume};
  if (element_moments(corners, outline).volume < 0)
    std::swap_ranges(corners.begin(), corners.begin() + 4, corners.begin() + 4);

  std::array<int, 3> n;
  std::array<std::vector<Vec3>, 3> at;
  for (int d = 0; d < 3; d++) {
    n[d] = static_cast<int>(sizes[d].size());
    at[d] = graded(sizes[d]);
  }
  std::vector<Vec3> nodes;
  for (const Vec3& z : at[2])
    for (const Vec3& y : at[1])
      for (const Vec3& x : at[0]) {
        const double a = x.x(), b = y.x(), c = z.x();
        nodes.push_back((1 - c) * ((1 - b) * ((1 - a) * corners[0] + a * corners[1]) +
                                   b * ((1 - a) * corners[3] + a * corners[2])) +
                        c * ((1 - b) * ((1 - a) * corners[4] + a * corners[5]) +
                             b * ((1 - a) * corners[7] + a * corners[6])));
      }
  const std::array<int, 3> stride = {1, n[0] + 1, (n[0] + 1) * (n[1] + 1)};
  Mesh mesh = make_mesh(std::move(nodes), block_elements(n, stride, volume), 0, {});

  // Elements keep their orientation, so that a boundary face's side tells which wall it is on.
  constexpr std::array<int, 6> kWallOfSide = {0, 5, 4, 3, 2, 1};
  for (BoundaryFace& face : mesh.boundary) face.surface = surfaces[kWallOfSide[face.side]];
  return mesh;
}

Mesh make_pipe_mesh(const Vec3& base, const Vec3& axis, double inner_radius, double thickness,
                    const std::array<int, 3>& divisions, int volume,
                    const std::array<int, 4>& surfaces) {
  const auto [along, around, through] = divisions;
  const Vec3 z = axis.normalized();
  const Vec3 x = z.unitOrthogonal();
  const Vec3 y = z.cross(x);
  std::vector<Vec3> nodes;  // i through the wall, j round, k along
  for (int k = 0; k <= along; k++)
    for (int j = 0; j < around; j++)
      for (int i = 0; i <= through; i++) {
        const double angle = static_cast<double>(2 * EIGEN_PI * j / around);
        const double radius = inner_radius + thickness * i / through;
        nodes.push_back(base + axis * (static_cast<double>(k) / along) +
                        radius * (std::cos(angle) * x + std::sin(angle) * y));
      }
  const std::array<int, 3> stride = {1, through + 1, (through + 1) * around};
  Mesh mesh =
      make_mesh(std::move(nodes), block_elements({through, around, along}, stride, volume), 0, {});
  constexpr std::array<int, 6> kWallOfSide = {0, 1, -1, 3, -1, 2};  // bottom, top, inner, outer
  for (BoundaryFace& face : mesh.boundary) {
    DEMAND(kWallOfSide[face.side] >= 0);
    face.surface = surfaces[kWallOfSide[face.side]];
  }
  return mesh;
}

bool contains(const Mesh& mesh, const Vec3& point) {
  return std::any_of(mesh.elements.begin(), mesh.elements.end(), [&](const Element& element) {
    std::array<Vec3, 8> corners;
    for (int k = 0; k < element.nodes; k++) corners[k] = mesh.nodes[element.node[k]];
    const FaceLoops& faces = element_faces(element.nodes);
    for (int f = 0; f < faces.count(); f++)
      if (face_plane(corners, faces.loop(f)).distance(point) > 0) return false;
    return true;
  });
}

Moments element_moments(std::span<const Vec3> nodes, const Element& element,
                        const Vec3& reference) {
  // The integrand x x^T det(dx/dxi) has degree 4 in each local coordinate: 3 Gauss points suffice.
  static const double kPoint = std::sqrt(0.6);
  const double points[3] = {-kPoint, 0, kPoint};
  const double weights[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  const std::array<int, 8> corner = as_hexahedron(element);
  static constexpr int kSign[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                      {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  Moments m;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) {
        const double xi[3] = {points[i], points[j], points[k]};
        Vec3 x = Vec3::Zero();
        Mat3 jacobian = Mat3::Zero();
        for (int c = 0; c < 8; c++) {
          const Vec3 node = nodes[corner[c]] - reference;
          const double a = 1 + kSign[c][0] * xi[0], b = 1 + kSign[c][1] * xi[1],
                       d = 1 + kSign[c][2] * xi[2];
          x += a * b * d / 8 * node;
          jacobian.col(0) += kSign[c][0] * b * d / 8 * node;
          jacobian.col(1) += kSign[c][1] * a * d / 8 * node;
          jacobian.col(2) += kSign[c][2] * a * b / 8 * node;
        }
        const double w = weights[i] * weights[j] * weights[k] * jacobian.determinant();
        m.volume += w;
        m.first += w * x;
        m.second += w * x * x.transpose();
      }
  return m;
}

Moments moments(const Mesh& mesh, const Vec3& reference) {
  Moments sum;
  for (const Element& element : mesh.elements)
    sum += element_moments(mesh.nodes, element, reference);
  return sum;
}

}  // namespace solfec
