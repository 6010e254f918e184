#include "output/solid_numbers.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "geometry/element.hpp"

namespace solfec {
namespace {

using solfec::Polyhedron;

// Which nodes move the vertices of a convex, so that readers need no shape functions: the element
// and the shares of its nodes, per vertex.
std::vector<double> places_of(const CutMesh& cut, std::size_t convex) {
  std::vector<double> places;
  for (int v = cut.vertex_begin[convex]; v < cut.vertex_begin[convex + 1]; v++) {
    const CutMesh::Place& place = cut.vertices[v];
    std::array<double, 8> shares{};
    shape_functions(cut.mesh.elements[place.element].nodes, place.local, shares);
    places.push_back(place.element);
    places.insert(places.end(), shares.begin(), shares.end());
  }
  return places;
}

class Numbering {
 public:
  SolidNumbers result;

  void operator()(const Polyhedron& p) {
    result.volume = p.volume;
    result.points = p.vertices;
    for (int f = 0; f < p.faces.count(); f++) {
      integer(p.faces.loop(f).size());
      for (int v : p.faces.loop(f)) integer(v);
      integer(p.surface[f]);
    }
  }
  void operator()(const Mesh& m) {
    result.points = m.nodes;
    integer(m.elements.size());
    for (const Element& e : m.elements) {
      integer(e.nodes);
      for (int n : e.used()) integer(n);
      integer(e.volume);
    }
    for (const BoundaryFace& face : m.boundary) {
      integer(face.element);
      integer(face.side);
      integer(face.surface);
    }
  }
  void operator()(const Sphere& s) {
    result.volume = s.volume;
    result.points = {s.center};
    result.reals = {s.radius};
    integer(s.surface);
  }
  void operator()(const Ellipsoid& e) {
    result.volume = e.volume;
    result.points = {e.center};
    result.reals.assign(e.radii.data(), e.radii.data() + 3);
    result.reals.insert(result.reals.end(), e.rotation.data(), e.rotation.data() + 9);
    integer(e.surface);
  }

 private:
  template <class T>
  void integer(T value) {
    result.integers.push_back(static_cast<std::int32_t>(value));
  }
};

SolidNumbers numbers_of(const Solid& solid) {
  Numbering numbering;
  numbering.result.kind = static_cast<std::uint8_t>(solid.index());
  std::visit(numbering, solid);
  return std::move(numbering.result);
}

// Numbers that are taken one after the other.
template <class T>
class Taken {
 public:
  explicit Taken(std::span<const T> numbers) : rest_(numbers) {}

  bool done() const { return rest_.empty(); }
  T next() {
    demand(!rest_.empty());
    const T value = rest_.front();
    rest_ = rest_.subspan(1);
    return value;
  }
  // A number of things that follow.
  std::size_t count() {
    const T n = next();
    demand(n >= 0 && static_cast<std::size_t>(n) <= rest_.size());
    return static_cast<std::size_t>(n);
  }

 private:
  static void demand(bool good) {
    if (!good) throw RunError("a shape has less numbers than it needs");
  }
  std::span<const T> rest_;
};

class SolidReader {
 public:
  explicit SolidReader(const SolidNumbers& numbers)
      : n_(numbers), points_(n_.points), reals_(n_.reals), integers_(n_.integers) {}

  Solid read() {
    Solid solid = of_kind();
    if (!points_.done() || !reals_.done() || !integers_.done())
      throw RunError("a shape has more numbers than it needs");
    return solid;
  }

 private:
  Solid of_kind() {
    switch (n_.kind) {
      case 0:
        return polyhedron();
      case 1:
        return mesh();
      case 2:
        return sphere();
      case 3:
        return ellipsoid();
      default:
        throw RunError("a shape is of an unknown kind");
    }
  }

  std::vector<Vec3> all_points() {
    points_ = Taken<Vec3>({});
    return n_.points;
  }

  Polyhedron polyhedron() {
    Polyhedron p;
    p.volume = n_.volume;
    p.vertices = all_points();
    reals_ = Taken<double>({});  // where the background mesh has it: found again
    while (!integers_.done()) {
      std::vector<int> loop(integers_.count());
      for (int& v : loop) v = integers_.next();
      p.faces.add(loop);
      p.surface.push_back(integers_.next());
    }
    return p;
  }

  Mesh mesh() {
    Mesh m;
    m.nodes = all_points();
    m.elements.resize(integers_.count());
    for (Element& e : m.elements) {
      e.nodes = integers_.next();
      if (e.nodes != 4 && e.nodes != 5 && e.nodes != 6 && e.nodes != 8)
        throw RunError(fmt::format("an element has {} nodes", e.nodes));
      for (int k = 0; k < e.nodes; k++) e.node[k] = integers_.next();
      e.volume = integers_.next();
    }
    while (!integers_.done()) {
      BoundaryFace face;
      face.element = integers_.next();
      face.side = integers_.next();
      face.surface = integers_.next();
      m.boundary.push_back(face);
    }
    return m;
  }

  Sphere sphere() {
    Sphere s{points_.next(), reals_.next()};
    s.volume = n_.volume;
    s.surface = integers_.next();
    return s;
  }

  Ellipsoid ellipsoid() {
    Ellipsoid e;
    e.center = points_.next();
    for (double& radius : e.radii) radius = reals_.next();
    for (double& entry : e.rotation.reshaped()) entry = reals_.next();
    e.volume = n_.volume;
    e.surface = integers_.next();
    return e;
  }

  const SolidNumbers& n_;
  Taken<Vec3> points_;
  Taken<double> reals_;
  Taken<std::int32_t> integers_;
};

}  // namespace

std::vector<SolidNumbers> solid_numbers(const Body& b) {
  std::vector<SolidNumbers> result;
  for (const Solid& solid : *b.shape) result.push_back(numbers_of(solid));
  if (!b.background) return result;
  const CutMesh cut = cut_of(b);
  for (std::size_t k = 0; k < result.size(); k++) result[k].reals = places_of(cut, k);
  result.push_back(numbers_of(*b.background));
  return result;
}

Solid solid_of(const SolidNumbers& numbers) { return SolidReader(numbers).read(); }

}  // namespace solfec
