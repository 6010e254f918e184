// What the package needs to show a model: its state as arrays, stresses at nodes, and RUNs that
// wait until somebody starts them. Not for scripts: scene.py and _viewer.py have what those see.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "input/objects.hpp"
#include "input/session.hpp"
#include "output/results_reader.hpp"
#include "simulation/present_frame.hpp"
#include "simulation/run.hpp"

namespace solfec::input {
namespace {

template <class T>
py::array_t<T> array_of(const std::vector<T>& values, std::size_t width) {
  if (width == 1) return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
  return py::array_t<T>({values.size() / width, width}, values.data());
}

// All columns by their path in files of results.
py::dict columns_of(const FrameData& frame) {
  py::dict columns;
  frame.visit_columns([&](const Column& c) {
    columns[c.path] = std::visit(
        [&](const auto& numbers) { return py::object(array_of(numbers, c.width)); }, c.numbers);
  });
  return columns;
}

py::dict materials_of(const std::vector<BulkMaterial>& materials) {
  py::list label;
  std::vector<double> young, poisson;
  for (const BulkMaterial& m : materials) {
    label.append(m.label);
    young.push_back(m.young);
    poisson.push_back(m.poisson);
  }
  py::dict result;
  result["label"] = label;
  result["young"] = array_of(young, 1);
  result["poisson"] = array_of(poisson, 1);
  return result;
}

struct FeedObject {
  std::shared_ptr<Simulation> simulation;
  std::shared_ptr<PresentFrames> frames = std::make_shared<PresentFrames>();
};

// Stresses of results, whose bodies are those of one frame; q and x may be those of others.
struct StressObject {
  std::shared_ptr<Domain> domain = std::make_shared<Domain>();

  StressObject(const std::string& directory, int frame) {
    const ResultsReader reader(directory);
    if (frame < 0 || frame >= reader.frames())
      throw value_error("there is no frame of this number");
    for (const BulkMaterial& m : reader.index().bulk_materials) domain->bulk_materials.store(m);
    const BodyStore& bodies = domain->bodies;
    reader.load(frame, *domain, [](int) -> ForceFunction { return {}; });
    for (int i = 0; i < bodies.owned(); i++)
      if (is_meshed(bodies.kind(i)) &&
          largest_material(bodies[i]) >= domain->bulk_materials.count())
        Hdf5Reader::fail_results(directory, "a body is of a bulk material that is not there");
  }

  py::array_t<double> at(const py::array_t<double>& q, const py::array_t<double>& x) {
    BodyStore& bodies = domain->bodies;
    const auto copy = [](const py::array_t<double>& from, double* to, py::ssize_t size,
                         const char* name) {
      if (from.size() != size || !(from.flags() & py::array::c_style))
        throw value_error(std::string(name) + " is not that of the bodies of this frame");
      std::copy_n(from.data(), size, to);
    };
    copy(q, bodies.q(0), BodyStore::kConfiguration * bodies.owned(), "q");
    py::ssize_t positions = 0;
    for (int i = 0; i < bodies.owned(); i++) positions += bodies.x.count(i);
    copy(x, bodies.x(0), positions, "x");
    return array_of(nodal_stresses(*domain), 6);
  }
};

}  // namespace

void define_viewing(Commands& commands) {
  py::module_& module = commands.module();
  py::class_<FeedObject>(module, "_Feed")
      .def(py::init([](const SolfecObject& o) { return FeedObject{o.simulation}; }))
      .def("directory", [](const FeedObject& o) { return o.simulation->results.directory; })
      .def("mode",
           [](const FeedObject& o) { return o.simulation->mode == Mode::read ? "READ" : "WRITE"; })
      .def("take", [](FeedObject& o) { return columns_of(o.frames->take(*o.simulation)); })
      .def("nodal_stress",
           [](FeedObject& o) { return array_of(nodal_stresses(o.simulation->domain), 6); })
      .def("bulk_materials",
           [](FeedObject& o) { return materials_of(o.simulation->domain.bulk_materials.all()); })
      .def("figures", [](FeedObject& o) {
        const Simulation& s = *o.simulation;
        py::dict figures;
        figures["time"] = s.clock.time;
        figures["start"] = s.clock.run_start;
        figures["step"] = s.last.h;
        figures["steps"] = s.clock.steps;
        figures["iterations"] = s.last.solution.iterations;
        figures["merit"] = s.last.solution.merit;
        figures["contacts"] = constraint_count(s);
        figures["bodies"] = body_count(s);
        return figures;
      });
  py::class_<StressObject>(module, "_NodalStress")
      .def(py::init<const std::string&, int>())
      .def("at", &StressObject::at);

  // Of files of results: path, type, numbers a row, unit, meaning, and the column of counts that
  // tells how many rows belong to a row of another table.
  module.def("_result_columns", [] {
    static constexpr std::array kTypes = {"float64", "int32", "uint32", "int64", "uint8"};
    py::list list;
    for (const Table& table : FrameData().tables)
      for (const Column& c : table.columns)
        list.append(py::make_tuple(c.path, kTypes[static_cast<std::size_t>(c.type())], c.width,
                                   c.unit, c.meaning, table.counts));
    return list;
  });

  const auto session = commands.session();
  module.def("_display_points", [session](const SolfecObject& o) {
    py::list list;
    for (const DisplayPoint& p : session->display_points)
      if (p.simulation.lock() == o.simulation)
        list.append(py::make_tuple(p.body->id.value,
                                   py::make_tuple(p.point.x(), p.point.y(), p.point.z()), p.label));
    return list;
  });
  module.def("_models", [session] {
    py::list list;
    for (const auto& one : session->simulations)
      if (const auto simulation = one.lock()) list.append(SolfecObject{simulation});
    return list;
  });
  module.def("_put_off_runs", [session](const py::function& tell, const py::function& wait) {
    session->viewer = Viewer{tell, wait};
  });
}

}  // namespace solfec::input
