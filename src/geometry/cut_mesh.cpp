#include "geometry/cut_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "geometry/box_tree.hpp"
#include "geometry/element.hpp"
#include "geometry/tolerances.hpp"

namespace solfec {
namespace {

struct Corners {
  std::array<Vec3, 8> x;
  int count;

  Corners(const Mesh& mesh, const Element& element) : count(element.nodes) {
    for (int k = 0; k < count; k++) x[k] = mesh.nodes[element.node[k]];
  }
  std::span<const Vec3> span() const { return {x.data(), static_cast<std::size_t>(count)}; }
};

// A convex part of an element.
using Cell = std::vector<Plane>;

// Whether all corners are behind all faces, and the faces are plane, up to round-off.
bool convex_with_plane_faces(std::span<const Vec3> corners, const Cell& faces) {
  const FaceLoops& loops = element_faces(static_cast<int>(corners.size()));
  const Box box = bounding_box(corners);
  const double tolerance =
      64 * std::numeric_limits<double>::epsilon() *
      std::max(box.lower.cwiseAbs().maxCoeff(), box.upper.cwiseAbs().maxCoeff());
  for (int f = 0; f < loops.count(); f++) {
    for (const Vec3& x : corners)
      if (faces[f].distance(x) > tolerance) return false;
    for (int k : loops.loop(f))
      if (faces[f].distance(corners[k]) < -tolerance) return false;
  }
  return true;
}

// The element as convex cells, and its volume. One cell if it can be; else tetrahedra from its
// middle over its faces, of which quadrilaterals have four triangles around theirs.
struct Cells {
  std::vector<Cell> cells;
  double volume = 0;
};

Cells cells_of(std::span<const Vec3> corners) {
  const FaceLoops& faces = element_faces(static_cast<int>(corners.size()));
  Vec3 middle = Vec3::Zero();
  for (const Vec3& x : corners) middle += x / static_cast<double>(corners.size());
  Cells result;
  Cell planes;
  bool proper = true;
  const auto add = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const Tetrahedron t = {middle, a, b, c};
    const double volume = signed_volume(t);
    proper = proper && volume > 0;
    result.volume += volume;
    const auto of = planes_of(t);
    result.cells.emplace_back(of.begin(), of.end());
  };
  for (int f = 0; f < faces.count(); f++) {
    const auto loop = faces.loop(f);
    planes.push_back(face_plane(corners, loop));
    const auto corner = [&](std::size_t k) { return corners[loop[k % loop.size()]]; };
    if (loop.size() == 3) {
      add(corner(0), corner(1), corner(2));
      continue;
    }
    const Vec3 center = (corner(0) + corner(1) + corner(2) + corner(3)) / 4;
    for (std::size_t k = 0; k < 4; k++) add(center, corner(k), corner(k + 1));
  }
  if (!proper) throw value_error("it is too distorted: it is not what its faces enclose");
  if (convex_with_plane_faces(corners, planes)) result.cells = {planes};
  return result;
}

// Adds what a cell holds of a tetrahedron to `inside`, and the rest to `outside`.
void divide(const Tetrahedron& whole, const Cell& cell, double least,
            std::vector<Tetrahedron>& inside, std::vector<Tetrahedron>& outside) {
  std::vector<Tetrahedron> held = {whole}, next;
  for (const Plane& plane : cell) {
    next.clear();
    for (const Tetrahedron& t : held) split(t, plane, least, next, outside);
    std::swap(held, next);
    if (held.empty()) return;
  }
  inside.insert(inside.end(), held.begin(), held.end());
}

double volume_of(const std::vector<Tetrahedron>& material) {
  double sum = 0;
  for (const Tetrahedron& t : material) sum += signed_volume(t);
  return sum;
}

// Calls work, and names the element if its input is wrong.
template <class Work>
auto naming(int element, Work&& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw value_error(fmt::format("element {}: {}", element, error.what()));
  }
}

// Boxes of elements, grown so that round-off hides none.
BoxTree tree_of(const Mesh& mesh) {
  std::vector<Box> boxes;
  for (const Element& element : mesh.elements) {
    Box box = bounding_box(Corners(mesh, element).span());
    box.grow(kSamePlace * box.size().norm());
    boxes.push_back(box);
  }
  BoxTree tree;
  tree.build(boxes);
  return tree;
}

// The convexes as tetrahedra, with their boxes.
class Body {
 public:
  explicit Body(std::span<const Polyhedron> convexes) : convexes_(convexes) {
    std::vector<Box> boxes;
    for (std::size_t c = 0; c < convexes.size(); c++) {
      double volume = 0;
      for (const Tetrahedron& t : tetrahedra_of(convexes[c])) {
        pieces_.push_back({t, static_cast<int>(c)});
        boxes.push_back(bounding_box(t));
        volume += signed_volume(t);
      }
      volume_.push_back(volume);
    }
    tree_.build(boxes);
  }

  int convexes() const { return static_cast<int>(volume_.size()); }
  int identifier(int convex) const { return convexes_[convex].volume; }
  double volume(int convex) const { return volume_[convex]; }

  // Material in an element, by convex.
  std::map<int, std::vector<Tetrahedron>> in(std::span<const Vec3> corners, const Cells& element,
                                             std::int64_t& pairs) const {
    std::vector<int> near;
    tree_.overlapping(bounding_box(corners), [&](int piece) { near.push_back(piece); });
    std::sort(near.begin(), near.end());
    pairs += std::ssize(near);
    std::map<int, std::vector<Tetrahedron>> found;
    for (int piece : near) {
      const auto& [t, convex] = pieces_[piece];
      std::vector<Tetrahedron> held, rest;
      for (const Cell& cell : element.cells) {
        divide(t, cell, kRoundOff * signed_volume(t), held, rest);
        rest.clear();
      }
      if (held.empty()) continue;
      std::vector<Tetrahedron>& of = found[convex];
      of.insert(of.end(), held.begin(), held.end());
    }
    return found;
  }

  // A point of the convex that is in no element, where so much of it is missing.
  Vec3 point_outside(int convex, double missing, const Mesh& mesh) const {
    std::vector<Tetrahedron> rest = tetrahedra_of(convexes_[convex]);
    const double least = 1e-6 * missing;  // keeps the number of pieces small
    tree_of(mesh).overlapping(bounding_box(convexes_[convex].vertices), [&](int e) {
      for (const Cell& cell : cells_of(Corners(mesh, mesh.elements[e]).span()).cells) {
        std::vector<Tetrahedron> next, held, outside;
        for (const Tetrahedron& t : rest) {
          held.clear();
          outside.clear();
          divide(t, cell, least, held, outside);
          if (held.empty()) outside = {t};  // not touched: it stays whole
          next.insert(next.end(), outside.begin(), outside.end());
        }
        std::swap(rest, next);
      }
    });
    const auto largest = std::ranges::max_element(rest, {}, signed_volume);
    return largest == rest.end() ? convexes_[convex].vertices[0] : centroid(*largest);
  }

 private:
  static constexpr double kRoundOff = 1e-15;  // of a volume
  struct Piece {
    Tetrahedron shape;
    int convex;
  };
  std::span<const Polyhedron> convexes_;
  std::vector<Piece> pieces_;
  std::vector<double> volume_;
  BoxTree tree_;
};

std::vector<MaterialPoint> points_of_filled(std::span<const Vec3> corners) {
  auto points = standard_points(corners);
  for (const MaterialPoint& point : points)
    if (!(point.volume > 0)) throw value_error("it is too distorted: it turns inside out");
  return points;
}

// The mesh of the elements kept; faces that have come to its surface have the surface 0.
void leave_out(const Mesh& background, CutMesh& cut) {
  std::vector<int> number(background.nodes.size(), -1);
  std::vector<Element> elements;
  std::vector<FaceSurface> surfaces;
  std::vector<int> new_element(background.elements.size(), -1);
  for (int e : cut.element) {
    for (int node : background.elements[e].used()) number[node] = 0;
    new_element[e] = static_cast<int>(elements.size());
    elements.push_back(background.elements[e]);
  }
  std::vector<Vec3> nodes;
  for (std::size_t n = 0; n < number.size(); n++)
    if (number[n] == 0) {
      number[n] = static_cast<int>(nodes.size());
      nodes.push_back(background.nodes[n]);
      cut.node.push_back(static_cast<int>(n));
    }
  for (Element& element : elements)
    for (int k = 0; k < element.nodes; k++) element.node[k] = number[element.node[k]];
  for (const BoundaryFace& face : background.boundary) {
    if (new_element[face.element] < 0) continue;
    const Element& element = elements[new_element[face.element]];
    FaceSurface record{{}, face.surface};
    for (int local : element_faces(element.nodes).loop(face.side))
      record.nodes.push_back(element.node[local]);
    surfaces.push_back(std::move(record));
  }
  cut.mesh = make_mesh(std::move(nodes), std::move(elements), 0, surfaces);
}

void locate_vertices(std::span<const Polyhedron> convexes, CutMesh& cut) {
  const BoxTree tree = tree_of(cut.mesh);
  const double far = bounding_box(cut.mesh).size().norm();
  cut.vertex_begin = {0};
  for (const Polyhedron& convex : convexes) {
    for (const Vec3& x : convex.vertices) {
      CutMesh::Place best{-1, Vec3::Zero()};
      double least = std::numeric_limits<double>::infinity();
      // Beyond the first round: vertices in slivers left out, or outside.
      constexpr double kFirst = 1e-3, kLast = 1e3;  // of the farthest vertex
      for (double reach = 0; best.element < 0 && reach < kLast * far;
           reach = std::max(2 * reach, kFirst * far)) {
        Box box{x, x};
        box.grow(reach);
        tree.overlapping(box, [&](int e) {
          const Element& element = cut.mesh.elements[e];
          const auto local = local_coordinates(Corners(cut.mesh, element).span(), x);
          if (!local) return;
          const double miss = outside(element.nodes, *local);
          if (miss > least || (miss == least && e > best.element)) return;
          least = miss;
          best = {e, *local};
        });
      }
      if (best.element < 0) best = {0, local_center(cut.mesh.elements[0].nodes)};
      cut.vertices.push_back(best);
    }
    cut.vertex_begin.push_back(static_cast<int>(cut.vertices.size()));
  }
}

// Gathers the parts, element by element.
class Cutting {
 public:
  Cutting(std::span<const Polyhedron> convexes, const CutTolerances& tolerances)
      : body_(convexes), sliver_(tolerances.sliver), covered_(convexes.size(), 0.0) {
    for (int c = 0; c < body_.convexes(); c++) wanted_[body_.identifier(c)] += body_.volume(c);
  }

  void add_element(const Mesh& background, int e) {
    const Corners corners(background, background.elements[e]);
    const Cells cells = cells_of(corners.span());
    const auto found = body_.in(corners.span(), cells, cut_.pairs);
    std::map<int, std::vector<Tetrahedron>> by_identifier;
    for (const auto& [convex, material] : found) {
      covered_[convex] += volume_of(material);
      auto& of = by_identifier[body_.identifier(convex)];
      of.insert(of.end(), material.begin(), material.end());
    }
    const int number = static_cast<int>(cut_.element.size());
    const std::size_t parts = cut_.parts.size();
    for (const auto& [identifier, material] : by_identifier)
      add_part(corners.span(), cells.volume, identifier, material);
    if (cut_.parts.size() == parts) return;
    for (const auto& entry : found) overlaps_.emplace_back(entry.first, number);
    cut_.element.push_back(e);
  }

  // When all elements have been added.
  CutMesh finish(const Mesh& background, std::span<const Polyhedron> convexes) {
    find_missing(background);
    if (!cut_.parts.empty()) {
      leave_out(background, cut_);
      keep_volumes();
      locate_vertices(convexes, cut_);
      list_overlaps();
    }
    return std::move(cut_);
  }

 private:
  void add_part(std::span<const Vec3> corners, double whole, int identifier,
                const std::vector<Tetrahedron>& material) {
    const double volume = volume_of(material);
    if (volume <= sliver_ * std::min(whole, wanted_[identifier])) return;
    const bool filled = std::abs(volume - whole) <= sliver_ * whole;
    const auto points = filled ? points_of_filled(corners) : reduced_quadrature(corners, material);
    const int begin = static_cast<int>(cut_.points.size());
    cut_.points.insert(cut_.points.end(), points.begin(), points.end());
    cut_.parts.push_back({static_cast<int>(cut_.element.size()), identifier, filled, begin,
                          static_cast<int>(cut_.points.size())});
  }

  void find_missing(const Mesh& background) {
    constexpr double kRoundOff = 1e-11;  // of a convex
    double most = 0;
    int worst = -1;
    for (int c = 0; c < body_.convexes(); c++) {
      const double missing = std::max(body_.volume(c) - covered_[c], 0.0);
      cut_.volume += body_.volume(c);
      cut_.found += covered_[c];
      cut_.missing += missing;
      if (missing <= std::max(most, kRoundOff * body_.volume(c))) continue;
      most = missing;
      worst = c;
    }
    if (worst >= 0) cut_.missing_point = body_.point_outside(worst, most, background);
  }

  void keep_volumes() {
    std::map<int, double> held;
    for (const CutMesh::Part& part : cut_.parts)
      for (const MaterialPoint& point : cut_.points_of(part)) held[part.volume] += point.volume;
    for (const CutMesh::Part& part : cut_.parts)
      for (int p = part.begin; p < part.end; p++)
        cut_.points[p].volume *= wanted_[part.volume] / held[part.volume];
  }

  void list_overlaps() {
    std::sort(overlaps_.begin(), overlaps_.end());
    cut_.overlap_begin.assign(covered_.size() + 1, 0);
    for (const auto& [convex, element] : overlaps_) {
      cut_.overlaps.push_back(element);
      cut_.overlap_begin[convex + 1]++;
    }
    for (std::size_t c = 0; c < covered_.size(); c++)
      cut_.overlap_begin[c + 1] += cut_.overlap_begin[c];
  }

  Body body_;
  double sliver_;
  std::map<int, double> wanted_;               // volumes by identifier
  std::vector<double> covered_;                // of each convex
  std::vector<std::pair<int, int>> overlaps_;  // convex, element
  CutMesh cut_;
};

}  // namespace

CutMesh cut_mesh(const Mesh& background, std::span<const Polyhedron> convexes,
                 const CutTolerances& tolerances) {
  Cutting cutting(convexes, tolerances);
  for (int e = 0; e < static_cast<int>(background.elements.size()); e++)
    naming(e, [&] { cutting.add_element(background, e); });
  return cutting.finish(background, convexes);
}

}  // namespace solfec
