#include "output/solid_numbers.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "geometry/element.hpp"

namespace solfec {
namespace {

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

// Archives of visit_numbers; only the reader changes a solid.
class NumberWriter {
 public:
  SolidNumbers result;

  void volume(int value) { result.volume = value; }
  void points(const std::vector<Vec3>& points) { result.points = points; }
  void point(const Vec3& x) { result.points.push_back(x); }
  void real(double value) { result.reals.push_back(value); }
  template <class T>
  void integer(T value) {
    result.integers.push_back(static_cast<std::int32_t>(value));
  }
  template <class T, class Work>
  void counted(std::vector<T>& items, Work&& work) {
    integer(items.size());
    until_end(items, work);
  }
  template <class T, class Work>
  void until_end(std::vector<T>& items, Work&& work) {
    for (T& item : items) work(item);
  }
  void faces(const FaceLoops& loops, const std::vector<int>& surface) {
    for (int f = 0; f < loops.count(); f++) {
      integer(loops.loop(f).size());
      for (int vertex : loops.loop(f)) integer(vertex);
      integer(surface[f]);
    }
  }
};

// Numbers that are taken one after the other.
template <class T>
class Taken {
 public:
  explicit Taken(std::span<const T> numbers) : rest_(numbers) {}

  std::size_t left() const { return rest_.size(); }
  T next() {
    demand(!rest_.empty());
    const T value = rest_.front();
    rest_ = rest_.subspan(1);
    return value;
  }
  // A number of things that follow.
  std::size_t count() {
    const T n = next();
    demand(n >= 0 && static_cast<std::size_t>(n) <= left());
    return static_cast<std::size_t>(n);
  }

 private:
  static void demand(bool good) {
    if (!good) throw RunError("a shape has less numbers than it needs");
  }
  std::span<const T> rest_;
};

class NumberReader {
 public:
  explicit NumberReader(const SolidNumbers& numbers)
      : n_(numbers), points_(n_.points), reals_(n_.reals), integers_(n_.integers) {}

  void volume(int& value) { value = n_.volume; }
  void points(std::vector<Vec3>& points) {
    points = n_.points;
    points_ = Taken<Vec3>({});
  }
  void point(Vec3& x) { x = points_.next(); }
  void real(double& value) { value = reals_.next(); }
  void integer(int& value) { value = integers_.next(); }
  template <class T, class Work>
  void counted(std::vector<T>& items, Work&& work) {
    items.resize(integers_.count());
    for (T& item : items) work(item);
  }
  template <class T, class Work>
  void until_end(std::vector<T>& items, Work&& work) {
    while (integers_.left() > 0) work(items.emplace_back());
  }
  void faces(FaceLoops& loops, std::vector<int>& surface) {
    while (integers_.left() > 0) {
      std::vector<int> loop(integers_.count());
      for (int& vertex : loop) vertex = integers_.next();
      loops.add(loop);
      surface.push_back(integers_.next());
    }
  }
  void check_end(bool ignores_reals) const {
    if (points_.left() > 0 || (reals_.left() > 0 && !ignores_reals) || integers_.left() > 0)
      throw RunError("a shape has more numbers than it needs");
  }

 private:
  const SolidNumbers& n_;
  Taken<Vec3> points_;
  Taken<double> reals_;
  Taken<std::int32_t> integers_;
};

SolidNumbers numbers_of(const Solid& solid) {
  NumberWriter writer;
  writer.result.kind = static_cast<std::uint8_t>(solid.index());
  std::visit([&](auto& s) { visit_numbers(writer, s); }, const_cast<Solid&>(solid));
  return std::move(writer.result);
}

// Numbers in files.
static_assert(std::is_same_v<std::variant_alternative_t<0, Solid>, Polyhedron> &&
              std::is_same_v<std::variant_alternative_t<1, Solid>, Mesh> &&
              std::is_same_v<std::variant_alternative_t<2, Solid>, Sphere> &&
              std::is_same_v<std::variant_alternative_t<3, Solid>, Ellipsoid>);

// A solid of the kind that is at place `kind` of the variant.
template <std::size_t k = 0>
Solid empty_solid(std::size_t kind) {
  if constexpr (k == std::variant_size_v<Solid>)
    throw RunError("a shape is of an unknown kind");
  else
    return kind == k ? Solid(std::in_place_index<k>) : empty_solid<k + 1>(kind);
}

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

Solid solid_of(const SolidNumbers& numbers) {
  Solid solid = empty_solid(numbers.kind);
  NumberReader reader(numbers);
  std::visit([&](auto& s) { visit_numbers(reader, s); }, solid);
  // Those of a polyhedron say where a background mesh has it, which is found again.
  reader.check_end(std::holds_alternative<Polyhedron>(solid));
  return solid;
}

}  // namespace solfec
