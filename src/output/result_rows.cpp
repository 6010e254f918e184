#include "output/result_rows.hpp"

#include <fmt/format.h>

namespace solfec {
namespace {

template <class Row>
void append_row(FrameData& data, const Row& row) {
  RowWriter archive(data, kTableOf<Row>);
  columns(archive, const_cast<Row&>(row));  // it only reads for this archive
}

template <class Row>
void list_columns(FrameData& data) {
  ColumnLister archive(data, kTableOf<Row>);
  Row row{};
  columns(archive, row);
}

}  // namespace

FrameData::FrameData() {
  list_columns<FrameRow>(*this);
  list_columns<LayoutRow>(*this);
  list_columns<CutRow>(*this);
  const double number = 0;
  ColumnLister(*this, TableId::configuration)(
      "body/q", number, "",
      "configurations, 12 numbers a body: rotation or deformation gradient column-wise, centre "
      "[m]");
  ColumnLister(*this, TableId::velocity)(
      "body/u", number, "",
      "velocities: angular in the body's axes [1/s] (6 numbers) or rate of the deformation "
      "gradient column-wise [1/s] (12 numbers), then of the centre [m/s]; of the nodes of a "
      "finite-element body [m/s]");
  ColumnLister(*this, TableId::position)(
      "body/x", number, "m", "positions of the nodes of finite-element bodies, 3 numbers a node");
  ColumnLister(*this, TableId::energy)("body/energy", std::array<double, 5>{}, "J",
                                       "kinetic, internal, external, contact, friction");
  list_columns<ConstraintRow>(*this);
  list_columns<BondRow>(*this);
  list_columns<Body>(*this);
}

void check_window(Motion::Given given, double window) {
  if (given == Motion::Given::displacement && !(window > 0 && std::isfinite(window)))
    throw RunError("a prescribed displacement has no window");
}

LoadColumns columns_of(const Load& load) {
  LoadColumns c;
  c.kind = static_cast<std::uint8_t>(load.index());
  if (const auto* force = std::get_if<PointForce>(&load)) {
    c.frame = force->frame;
    c.point = force->point;
    c.direction = force->direction;
    c.series = force->value;
  } else if (const auto* torque = std::get_if<Torque>(&load)) {
    c.frame = torque->frame;
    c.direction = torque->direction;
    c.series = torque->value;
  } else if (const auto* pressure = std::get_if<Pressure>(&load)) {
    c.surface = pressure->surface;
    c.series = pressure->value;
  } else {
    c.function = std::get<UserForce>(load).number;
  }
  return c;
}

std::vector<std::array<double, 2>> points_of(const std::optional<TimeSeries>& series) {
  std::vector<std::array<double, 2>> points;
  if (!series) return points;
  for (std::size_t k = 0; k < series->times().size(); k++)
    points.push_back({series->times()[k], series->values()[k]});
  return points;
}

std::optional<TimeSeries> series_of(const std::vector<std::array<double, 2>>& points) {
  if (points.empty()) return std::nullopt;
  if (points.size() == 1) return TimeSeries(points[0][1]);
  std::vector<double> times, values;
  for (const auto& [time, value] : points) {
    times.push_back(time);
    values.push_back(value);
  }
  return TimeSeries(std::move(times), std::move(values));
}

Load load_of(const LoadColumns& c) {
  TimeSeries series = c.series.value_or(TimeSeries());
  switch (c.kind) {
    case 0:
      return PointForce{c.frame, c.point, c.direction, std::move(series)};
    case 1:
      return Torque{c.frame, c.direction, std::move(series)};
    case 2:
      return UserForce{c.function, nullptr};
    case 3:
      return Pressure{c.surface, std::move(series), {}};
    default:
      throw RunError("a load is of an unknown kind");
  }
}

void set_shape(Body& body, const std::vector<SolidNumbers>& solids, bool has_background) {
  auto shape = std::make_shared<Shape>();
  for (const SolidNumbers& numbers : solids) shape->push_back(solid_of(numbers));
  if (has_background) {
    if (shape->empty() || !std::holds_alternative<Mesh>(shape->back()))
      throw RunError("a background mesh is none");
    body.background = std::make_shared<const Mesh>(std::get<Mesh>(std::move(shape->back())));
    shape->pop_back();
  }
  body.shape = std::move(shape);
}

void append(FrameData& data, const FrameRow& row) { append_row(data, row); }
void append(FrameData& data, const LayoutRow& row) { append_row(data, row); }
void append(FrameData& data, const CutRow& row) { append_row(data, row); }
void append(FrameData& data, const ConstraintRow& row) { append_row(data, row); }
void append(FrameData& data, const BondRow& row) { append_row(data, row); }
void append(FrameData& data, const Body& body) { append_row(data, body); }

template <class Row>
std::vector<Row> rows_of(const FrameData& data) {
  std::vector<Row> rows;
  RowReader reader(data, kTableOf<Row>);
  while (!reader.done()) rows.push_back(reader.next<Row>());
  return rows;
}
template std::vector<FrameRow> rows_of(const FrameData&);
template std::vector<LayoutRow> rows_of(const FrameData&);
template std::vector<CutRow> rows_of(const FrameData&);
template std::vector<ConstraintRow> rows_of(const FrameData&);
template std::vector<BondRow> rows_of(const FrameData&);
template std::vector<Body> rows_of(const FrameData&);

namespace {

// Numbers of one column, whatever their type.
class NumberPicker {
 public:
  static constexpr bool kReads = false, kWrites = true;
  std::vector<double> numbers;
  bool found = false;

  explicit NumberPicker(const std::string& path) : path_(path) {}

  template <class T>
  void operator()(const char* path, const T& value, const char*, const char*) {
    if (path_ != path) return;
    found = true;
    std::vector<typename Stored<T>::Number> stored;
    Stored<T>::put(stored, value);
    for (auto number : stored) numbers.push_back(static_cast<double>(number));
  }

 private:
  const std::string& path_;
};

}  // namespace

std::optional<std::vector<double>> frame_numbers(std::span<const FrameRow> rows,
                                                 const std::string& path) {
  NumberPicker picker(path);
  for (const FrameRow& row : rows) columns(picker, const_cast<FrameRow&>(row));
  if (!picker.found) return std::nullopt;
  return std::move(picker.numbers);
}

}  // namespace solfec
