#include "output/frame_data.hpp"

#include <fmt/format.h>

#include <span>
#include <type_traits>

#include "core/error.hpp"
#include "geometry/element.hpp"

namespace solfec {
namespace {

using solfec::Polyhedron;

template <class To, class From>
To narrow(From value) {
  return static_cast<To>(value);
}

void put(std::vector<double>& column, const Vec3& v) {
  column.insert(column.end(), v.data(), v.data() + 3);
}
void put(std::vector<double>& column, const Mat3& m) {
  column.insert(column.end(), m.data(), m.data() + 9);
}

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

// Points, reals and integers of one solid, after its kind and volume. `places` are those of a
// convex that a background mesh moves.
void append_solid(FrameData& d, const Solid& solid, std::span<const double> places) {
  const std::size_t points = d.solid_point.size(), reals = d.solid_real.size(),
                    integers = d.solid_integer.size();
  const auto integer = [&](auto value) { d.solid_integer.push_back(narrow<std::int32_t>(value)); };
  d.solid_kind.push_back(narrow<std::uint8_t>(solid.index()));
  if (const auto* p = std::get_if<Polyhedron>(&solid)) {
    d.solid_volume.push_back(p->volume);
    for (const Vec3& v : p->vertices) put(d.solid_point, v);
    d.solid_real.insert(d.solid_real.end(), places.begin(), places.end());
    for (int f = 0; f < p->faces.count(); f++) {
      integer(p->faces.loop(f).size());
      for (int v : p->faces.loop(f)) integer(v);
      integer(p->surface[f]);
    }
  } else if (const auto* m = std::get_if<Mesh>(&solid)) {
    d.solid_volume.push_back(0);
    for (const Vec3& v : m->nodes) put(d.solid_point, v);
    integer(m->elements.size());
    for (const Element& e : m->elements) {
      integer(e.nodes);
      for (int n : e.used()) integer(n);
      integer(e.volume);
    }
    for (const BoundaryFace& face : m->boundary) {
      integer(face.element);
      integer(face.side);
      integer(face.surface);
    }
  } else if (const auto* s = std::get_if<Sphere>(&solid)) {
    d.solid_volume.push_back(s->volume);
    put(d.solid_point, s->center);
    d.solid_real.push_back(s->radius);
    integer(s->surface);
  } else if (const auto* e = std::get_if<Ellipsoid>(&solid)) {
    d.solid_volume.push_back(e->volume);
    put(d.solid_point, e->center);
    put(d.solid_real, e->radii);
    put(d.solid_real, e->rotation);
    integer(e->surface);
  }
  d.solid_points.push_back(narrow<std::uint32_t>((d.solid_point.size() - points) / 3));
  d.solid_reals.push_back(narrow<std::uint32_t>(d.solid_real.size() - reals));
  d.solid_integers.push_back(narrow<std::uint32_t>(d.solid_integer.size() - integers));
}

void append_shape(FrameData& d, const Body& b) {
  d.def_solids.push_back(narrow<std::uint32_t>(b.shape->size() + (b.background ? 1 : 0)));
  if (!b.background) {
    for (const Solid& solid : *b.shape) append_solid(d, solid, {});
    return;
  }
  const CutMesh cut = cut_of(b);
  for (std::size_t k = 0; k < b.shape->size(); k++)
    append_solid(d, (*b.shape)[k], places_of(cut, k));
  append_solid(d, *b.background, {});
}

// Returns the number of points.
std::uint32_t append_series(std::vector<double>& column, const TimeSeries& series) {
  const std::size_t points = series.times().size();
  for (std::size_t k = 0; k < points; k++) {
    column.push_back(series.times()[k]);
    column.push_back(series.values()[k]);
  }
  return narrow<std::uint32_t>(points);
}

void append_load(FrameData& d, const Load& load) {
  d.load_kind.push_back(narrow<std::uint8_t>(load.index()));
  Frame frame = Frame::spatial;
  Vec3 point = Vec3::Zero(), direction = Vec3::Zero();
  const TimeSeries* series = nullptr;
  int function = -1, surface = -1;
  if (const auto* force = std::get_if<PointForce>(&load)) {
    frame = force->frame;
    point = force->point;
    direction = force->direction;
    series = &force->value;
  } else if (const auto* torque = std::get_if<Torque>(&load)) {
    frame = torque->frame;
    direction = torque->direction;
    series = &torque->value;
  } else if (const auto* pressure = std::get_if<Pressure>(&load)) {
    surface = pressure->surface;
    series = &pressure->value;
  } else {
    function = std::get<UserForce>(load).number;
  }
  d.load_frame.push_back(narrow<std::uint8_t>(frame));
  d.load_function.push_back(function);
  d.load_surface.push_back(surface);
  put(d.load_point, point);
  put(d.load_direction, direction);
  d.load_series_points.push_back(series ? append_series(d.load_series, *series) : 0);
}

void append_joint(FrameData& d, const Joint& joint) {
  d.joint_kind.push_back(narrow<std::uint8_t>(joint.kind));
  d.joint_number.push_back(joint.number);
  d.joint_other.push_back(joint.other.value);
  d.joint_second.push_back(joint.second ? 1 : 0);
  put(d.joint_point, joint.point);
  put(d.joint_other_point, joint.other_point);
  put(d.joint_direction, joint.direction);
  d.joint_strength.push_back(joint.strength);
  d.joint_start.push_back(joint.start);
  d.joint_measured.push_back(joint.measured ? 1 : 0);
  d.joint_rest.push_back(joint.rest);
  d.joint_given.push_back(narrow<std::uint8_t>(joint.motion.given()));
  const bool moves = joint.kind == ConstraintKind::prescribed_motion ||
                     joint.kind == ConstraintKind::prescribed_motion3;
  d.joint_series_points.push_back(moves ? append_series(d.joint_series, joint.motion.series()) : 0);
  d.joint_across.push_back(narrow<std::uint32_t>(joint.across.size()));
  for (const DirectedMotion& m : joint.across) {
    put(d.across_direction, m.direction);
    d.across_series_points.push_back(append_series(d.across_series, m.motion.series()));
  }
  d.joint_function.push_back(joint.spring.function);
  d.joint_axis.push_back(narrow<std::uint8_t>(joint.spring.axis));
  d.joint_limits.insert(d.joint_limits.end(), {joint.spring.low, joint.spring.high});
}

// The numbers of a column that belong to one row of another: `at` is where they begin, and moves on
// behind them.
template <class T>
class Entries {
 public:
  Entries(const std::vector<T>& column, std::size_t& at, std::size_t count)
      : next_(column.begin() + static_cast<std::ptrdiff_t>(at)) {
    DEMAND(count <= column.size() - at);  // as they were read
    at += count;
    end_ = next_ + static_cast<std::ptrdiff_t>(count);
  }
  std::size_t left() const { return static_cast<std::size_t>(end_ - next_); }
  void skip() { next_ = end_; }
  T next() {
    if (next_ == end_) throw RunError("a shape has less numbers than it needs");
    return *next_++;
  }
  Vec3 vector() {
    const double x = next(), y = next(), z = next();
    return {x, y, z};
  }
  // A number of things that follow.
  std::size_t count() {
    const T n = next();
    if (n < 0 || static_cast<std::size_t>(n) > left())
      throw RunError("a shape has less numbers than it needs");
    return static_cast<std::size_t>(n);
  }

 private:
  typename std::vector<T>::const_iterator next_, end_;
};

// A value of an enumeration that ends with `last`.
template <class Enum>
Enum one_of(std::uint8_t value, Enum last, const char* what) {
  if (value > static_cast<std::uint8_t>(last))
    throw RunError(fmt::format("a {} is of an unknown kind", what));
  return static_cast<Enum>(value);
}

// Walks through the columns of definitions.
class DefinitionReader {
 public:
  explicit DefinitionReader(const FrameData& data) : d_(data) {}

  Body body(std::size_t row) {
    Body b;
    b.id = BodyId{d_.def_id[row]};
    b.kind = one_of(d_.def_kind[row], BodyKind::finite_element, "body");
    b.scheme = one_of(d_.def_scheme[row], Scheme::def_imp, "scheme");
    const std::size_t size = d_.def_label_size[row];
    b.label.assign(d_.def_label_text.begin() + offset(label_),
                   d_.def_label_text.begin() + offset(label_ + size));
    label_ += size;
    b.material = d_.def_material[row];
    b.density = d_.def_density[row];
    b.damping = d_.def_damping[row];
    b.form = one_of(d_.def_form[row], Form::body_corotational, "form");
    b.plain_elements = d_.def_plain_elements[row] != 0;
    b.self_contact = d_.def_self_contact[row] != 0;
    b.node_contact = d_.def_node_contact[row] != 0;
    b.nodes = narrow<int>(d_.def_nodes[row]);
    for (std::uint32_t k = 0; k < d_.def_volume_materials[row]; k++, volume_material_++)
      b.volume_materials.push_back({d_.volume_material[2 * volume_material_],
                                    d_.volume_material[2 * volume_material_ + 1],
                                    d_.volume_density[volume_material_]});
    b.reference.mass = d_.def_mass[row];
    b.reference.volume = d_.def_volume[row];
    b.reference.center = Eigen::Map<const Vec3>(&d_.def_center[3 * row]);
    b.reference.tensor = Eigen::Map<const Mat3>(&d_.def_tensor[9 * row]);
    auto shape = std::make_shared<Shape>();
    for (std::uint32_t k = 0; k < d_.def_solids[row]; k++) shape->push_back(solid());
    if (d_.def_background[row] != 0) {
      if (shape->empty() || !std::holds_alternative<Mesh>(shape->back()))
        throw RunError("a background mesh is none");
      b.background = std::make_shared<const Mesh>(std::get<Mesh>(std::move(shape->back())));
      shape->pop_back();
    }
    b.shape = std::move(shape);
    for (std::uint32_t k = 0; k < d_.def_loads[row]; k++) b.loads.push_back(load());
    for (std::uint32_t k = 0; k < d_.def_joints[row]; k++) b.joints.push_back(joint());
    return b;
  }

 private:
  static std::ptrdiff_t offset(std::size_t n) { return static_cast<std::ptrdiff_t>(n); }

  Solid solid() {
    const std::size_t row = solid_++;
    Entries points(d_.solid_point, point_, 3 * std::size_t{d_.solid_points[row]});
    Entries reals(d_.solid_real, real_, d_.solid_reals[row]);
    Entries integers(d_.solid_integer, integer_, d_.solid_integers[row]);
    Solid result;
    switch (d_.solid_kind[row]) {
      case 0: {
        result = polyhedron(points, integers);
        reals.skip();  // where the background mesh has it: found again
        break;
      }
      case 1:
        result = mesh(points, integers);
        break;
      case 2:
        result = Sphere{points.vector(), reals.next()};
        break;
      case 3: {
        Ellipsoid e;
        e.center = points.vector();
        e.radii = reals.vector();
        for (int column = 0; column < 3; column++) e.rotation.col(column) = reals.vector();
        result = e;
        break;
      }
      default:
        throw RunError("a shape is of an unknown kind");
    }
    std::visit(
        [&](auto& s) {
          using S = std::remove_cvref_t<decltype(s)>;
          if constexpr (!std::is_same_v<S, Mesh>) s.volume = d_.solid_volume[row];
          if constexpr (std::is_same_v<S, Sphere> || std::is_same_v<S, Ellipsoid>)
            s.surface = integers.next();
        },
        result);
    if (points.left() + reals.left() + integers.left() > 0)
      throw RunError("a shape has more numbers than it needs");
    return result;
  }

  static Polyhedron polyhedron(Entries<double>& points, Entries<std::int32_t>& integers) {
    Polyhedron p;
    while (points.left() > 0) p.vertices.push_back(points.vector());
    while (integers.left() > 0) {
      std::vector<int> loop(integers.count());
      for (int& v : loop) v = integers.next();
      p.faces.add(loop);
      p.surface.push_back(integers.next());
    }
    return p;
  }

  static Mesh mesh(Entries<double>& points, Entries<std::int32_t>& integers) {
    Mesh m;
    while (points.left() > 0) m.nodes.push_back(points.vector());
    m.elements.resize(integers.count());
    for (Element& e : m.elements) {
      e.nodes = integers.next();
      if (e.nodes != 4 && e.nodes != 5 && e.nodes != 6 && e.nodes != 8)
        throw RunError(fmt::format("an element has {} nodes", e.nodes));
      for (int k = 0; k < e.nodes; k++) e.node[k] = integers.next();
      e.volume = integers.next();
    }
    while (integers.left() > 0) {
      BoundaryFace face;
      face.element = integers.next();
      face.side = integers.next();
      face.surface = integers.next();
      m.boundary.push_back(face);
    }
    return m;
  }

  Load load() {
    const std::size_t row = load_++;
    const Frame frame = one_of(d_.load_frame[row], Frame::convected, "load");
    const Vec3 point = Eigen::Map<const Vec3>(&d_.load_point[3 * row]);
    const Vec3 direction = Eigen::Map<const Vec3>(&d_.load_direction[3 * row]);
    TimeSeries series = read_series(d_.load_series, d_.load_series_points[row], series_);
    switch (d_.load_kind[row]) {
      case 0:
        return PointForce{frame, point, direction, std::move(series)};
      case 1:
        return Torque{frame, direction, std::move(series)};
      case 2:
        return UserForce{d_.load_function[row], nullptr};
      case 3:
        return Pressure{d_.load_surface[row], std::move(series), {}};
      default:
        throw RunError("a load is of an unknown kind");
    }
  }

  static TimeSeries read_series(const std::vector<double>& column, std::uint32_t points,
                                std::size_t& at) {
    std::vector<double> times, values;
    for (std::uint32_t k = 0; k < points; k++, at++) {
      times.push_back(column[2 * at]);
      values.push_back(column[2 * at + 1]);
    }
    if (points > 1) return {std::move(times), std::move(values)};
    return TimeSeries(points == 1 ? values[0] : 0.0);
  }

  Joint joint() {
    const std::size_t row = joint_++;
    const auto vector = [&](const std::vector<double>& column) {
      return Eigen::Map<const Vec3>(&column[3 * row]);
    };
    Joint j;
    j.kind = one_of(d_.joint_kind[row], ConstraintKind::spring, "joint");
    j.number = d_.joint_number[row];
    j.other = BodyId{d_.joint_other[row]};
    j.second = d_.joint_second[row] != 0;
    j.point = vector(d_.joint_point);
    j.other_point = vector(d_.joint_other_point);
    j.direction = vector(d_.joint_direction);
    j.strength = d_.joint_strength[row];
    j.start = d_.joint_start[row];
    j.measured = d_.joint_measured[row] != 0;
    j.rest = d_.joint_rest[row];
    const auto given = one_of(d_.joint_given[row], Motion::Given::acceleration, "motion");
    j.motion =
        Motion(given, read_series(d_.joint_series, d_.joint_series_points[row], joint_series_));
    for (std::uint32_t k = 0; k < d_.joint_across[row]; k++, across_++)
      j.across.push_back(
          {Eigen::Map<const Vec3>(&d_.across_direction[3 * across_]),
           Motion(given, read_series(d_.across_series, d_.across_series_points[across_],
                                     across_series_))});
    j.spring = {d_.joint_function[row], one_of(d_.joint_axis[row], SpringAxis::body2, "spring"),
                d_.joint_limits[2 * row], d_.joint_limits[2 * row + 1]};
    return j;
  }

  const FrameData& d_;
  std::size_t joint_ = 0, joint_series_ = 0, across_ = 0, across_series_ = 0;
  std::size_t volume_material_ = 0, label_ = 0;
  std::size_t solid_ = 0, point_ = 0, real_ = 0, integer_ = 0, load_ = 0, series_ = 0;
};

}  // namespace

void append_header(FrameData& d, const FrameHeader& h) {
  d.time.push_back(h.time);
  d.step.push_back(h.step);
  d.number.push_back(h.number);
  d.merit.push_back(h.merit);
  d.solver.push_back(static_cast<std::uint8_t>(h.solver));
  d.iterations.push_back(h.iterations);
  d.new_bodies.push_back(h.new_bodies);
  d.run.push_back(h.run);
  d.run_ended.push_back(h.run_ended ? 1 : 0);
  d.run_start.push_back(h.run_start);
  d.next_output.push_back(h.next_output);
  d.next_callback.push_back(h.next_callback);
  d.next_body.push_back(h.next_body);
}

void clear(FrameData& data) {
  visit_columns(data, [](const char*, auto& column, auto&&...) { column.clear(); });
}

std::size_t size(const FrameData& data) {
  std::size_t bytes = 0;
  visit_columns(data, [&](const char*, const auto& column, auto&&...) {
    bytes += column.size() * sizeof(column[0]);
  });
  return bytes;
}

void append(FrameData& data, const FrameData& next) {
  // Both visits run through the same columns in the same order.
  std::vector<const void*> columns;
  visit_columns(next,
                [&](const char*, const auto& column, auto&&...) { columns.push_back(&column); });
  std::size_t k = 0;
  visit_columns(data, [&](const char*, auto& column, auto&&...) {
    const auto& other =
        *static_cast<const std::remove_reference_t<decltype(column)>*>(columns[k++]);
    column.insert(column.end(), other.begin(), other.end());
  });
}

void append_definition(FrameData& d, const Body& b) {
  d.def_id.push_back(b.id.value);
  d.def_kind.push_back(narrow<std::uint8_t>(b.kind));
  d.def_scheme.push_back(narrow<std::uint8_t>(b.scheme));
  d.def_label_size.push_back(narrow<std::uint32_t>(b.label.size()));
  d.def_label_text.insert(d.def_label_text.end(), b.label.begin(), b.label.end());
  d.def_material.push_back(b.material);
  d.def_density.push_back(b.density);
  d.def_damping.push_back(b.damping);
  d.def_form.push_back(narrow<std::uint8_t>(b.form));
  d.def_plain_elements.push_back(b.plain_elements ? 1 : 0);
  d.def_self_contact.push_back(b.self_contact ? 1 : 0);
  d.def_node_contact.push_back(b.node_contact ? 1 : 0);
  d.def_background.push_back(b.background ? 1 : 0);
  d.def_nodes.push_back(narrow<std::uint32_t>(b.nodes));
  d.def_volume_materials.push_back(narrow<std::uint32_t>(b.volume_materials.size()));
  for (const VolumeMaterial& v : b.volume_materials) {
    d.volume_material.push_back(v.volume);
    d.volume_material.push_back(v.material);
    d.volume_density.push_back(v.density);
  }
  d.def_mass.push_back(b.reference.mass);
  d.def_volume.push_back(b.reference.volume);
  put(d.def_center, b.reference.center);
  put(d.def_tensor, b.reference.tensor);
  append_shape(d, b);
  d.def_loads.push_back(narrow<std::uint32_t>(b.loads.size()));
  for (const Load& load : b.loads) append_load(d, load);
  d.def_joints.push_back(narrow<std::uint32_t>(b.joints.size()));
  for (const Joint& joint : b.joints) append_joint(d, joint);
}

std::vector<Body> read_definitions(const FrameData& data) {
  DefinitionReader reader(data);
  std::vector<Body> bodies;
  for (std::size_t row = 0; row < data.def_id.size(); row++) bodies.push_back(reader.body(row));
  return bodies;
}

}  // namespace solfec
