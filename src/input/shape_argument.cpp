#include <fmt/format.h>

#include <algorithm>

#include "input/objects.hpp"

namespace solfec::input {
namespace {

template <class T, class Work>
bool with_solids_of(const py::handle& object, Work&& work) {
  if (!py::isinstance<SolidObject<T>>(object)) return false;
  work(object.cast<SolidObject<T>&>());
  return true;
}

// Calls work(object) with the C++ object behind a shape object; false for other objects.
template <class Work>
bool with_solids(const py::handle& object, Work&& work) {
  return with_solids_of<Polyhedron>(object, work) || with_solids_of<Mesh>(object, work) ||
         with_solids_of<Sphere>(object, work) || with_solids_of<Ellipsoid>(object, work);
}

}  // namespace

ShapeArgument::ShapeArgument(const Value& value) { collect(value.object(), value); }

void ShapeArgument::collect(const py::handle& object, const Value& value) {
  const bool solid = with_solids(object, [&](auto& shape) {
    const std::string kind = py::type::of(object).attr("__name__").cast<std::string>();
    if (shape.emptied)
      value.fail_value_saying("this " + kind +
                              " object has been emptied: its solids went into another object "
                              "(COPY keeps one)");
    const bool twice =
        std::ranges::any_of(objects_, [&](const py::object& o) { return o.is(object); });
    if (twice) value.fail_value_saying("the same " + kind + " object stands in the list twice");
    objects_.push_back(py::reinterpret_borrow<py::object>(object));
  });
  if (solid) return;
  if (!py::isinstance<py::list>(object) && !py::isinstance<py::tuple>(object))
    value.fail_type("a CONVEX, MESH, SPHERE or ELLIP object, or a list of them");
  const auto list = py::reinterpret_borrow<py::sequence>(object);
  if (list.size() == 0) value.fail_value("a list with at least one object");
  constexpr std::size_t kDeepest = 100;
  const bool open = std::ranges::any_of(lists_, [&](py::handle l) { return l.is(object); });
  if (open || lists_.size() == kDeepest)
    value.fail_value_saying(
        fmt::format("the list holds itself, or is nested more than {} times", kDeepest));
  lists_.push_back(object);
  for (const py::object item : list) collect(item, value);
  lists_.pop_back();
}

Shape ShapeArgument::copy() const {
  Shape shape;
  for (const py::object& object : objects_)
    with_solids(object,
                [&](auto& o) { shape.insert(shape.end(), o.solids.begin(), o.solids.end()); });
  return shape;
}

Shape ShapeArgument::take() {
  Shape shape;
  for (const py::object& object : objects_)
    with_solids(object, [&](auto& o) {
      for (auto& solid : o.solids) shape.emplace_back(std::move(solid));
      o.solids.clear();
      o.emptied = true;
    });
  return shape;
}

void ShapeArgument::for_each(const std::function<void(Solid&)>& change) {
  for (const py::object& object : objects_)
    with_solids(object, [&](auto& o) {
      for (auto& one : o.solids) {
        using T = std::remove_reference_t<decltype(one)>;
        Solid solid = std::move(one);
        change(solid);
        one = std::get<T>(std::move(solid));
      }
    });
}

}  // namespace solfec::input
