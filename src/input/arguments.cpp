#include "input/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <sstream>

namespace solfec::input {
namespace {

// Nothing when the object is no number (strings and arrays are none).
bool as_double(const py::handle& object, double& value) {
  PyObject* p = object.ptr();
  const bool number = PyFloat_Check(p) || PyLong_Check(p);
  const bool numpy_scalar =
      PyIndex_Check(p) || (PyNumber_Check(p) && !PySequence_Check(p) && !PyComplex_Check(p));
  if (!number && !numpy_scalar) return false;
  value = PyFloat_AsDouble(p);
  if (PyErr_Occurred()) {
    PyErr_Clear();
    return false;
  }
  return true;
}

bool as_integer(const py::handle& object, int& value) {
  double real;
  if (!PyIndex_Check(object.ptr()) || !as_double(object, real)) return false;
  if (std::abs(real) > std::numeric_limits<int>::max()) return false;
  value = static_cast<int>(real);
  return true;
}

// Small edit distance, for "did you mean".
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); j++) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); i++) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); j++) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string capital(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

}  // namespace

std::string shown(const py::handle& object) {
  const py::str text = py::repr(object);
  constexpr int kLongest = 70;
  if (py::len(text) <= kLongest) return text;
  // Cut between characters, not between the bytes of one.
  return py::str(text[py::slice(0, kLongest - 3, 1)]).cast<std::string>() + "...";
}

std::string quoted(const std::string& text) { return py::repr(py::str(text)); }

std::string suggestion(const std::vector<std::string>& names, const std::string& given) {
  constexpr std::size_t kAlike = 2;
  const auto far = [&](const std::string& name) { return distance(capital(name), capital(given)); };
  const auto near = std::ranges::min_element(names, {}, far);
  const bool alike = near != names.end() && far(*near) <= std::min(kAlike, given.size() / 2);
  return alike ? fmt::format(" (did you mean '{}'?)", *near) : "";
}

py::tuple tuple3(const Vec3& v) { return py::make_tuple(v.x(), v.y(), v.z()); }

void Value::fail_type(const std::string& expected) const {
  throw InputError(InputError::Kind::type,
                   fmt::format("{} must be {}; got {} ({})", where_, expected, shown(object_),
                               Py_TYPE(object_.ptr())->tp_name));
}

void Value::fail_choice(const std::vector<std::string>& names) const {
  throw value_error(fmt::format("{} must be one of '{}'; got {}{}", where_,
                                fmt::join(names, "', '"), shown(object_),
                                suggestion(names, text())));
}

void Value::fail_value(const std::string& expected) const {
  throw value_error(fmt::format("{} must be {}; got {}", where_, expected, shown(object_)));
}

void Value::fail_value_saying(const std::string& message) const {
  throw value_error(fmt::format("{}: {}", where_, message));
}

bool Value::is_list() const {
  PyObject* p = object_.ptr();
  if (!PySequence_Check(p) || PyUnicode_Check(p) || PyBytes_Check(p)) return false;
  if (PySequence_Size(p) >= 0) return true;
  PyErr_Clear();  // an array without dimensions
  return false;
}

double Value::real() const {
  double value;
  if (!as_double(object_, value)) fail_type("a number");
  if (!std::isfinite(value)) fail_value("a finite number");
  return value;
}

double Value::real_or_infinite() const {
  double value;
  if (!as_double(object_, value)) fail_type("a number");
  if (std::isnan(value)) fail_value("a number");
  return value;
}

double Value::positive() const {
  const double value = real();
  if (!(value > 0)) fail_value("a number > 0");
  return value;
}

double Value::non_negative() const {
  const double value = real();
  if (!(value >= 0)) fail_value("a number >= 0");
  return value;
}

double Value::between(double low, double high) const {
  const double value = real();
  if (!(value >= low && value <= high))
    fail_value(fmt::format("a number from {:g} to {:g}", low, high));
  return value;
}

double Value::length() const {
  const double value = positive();
  if (value > kLargest) fail_value(fmt::format("a length of at most {:g}", kLargest));
  return value;
}

int Value::integer() const {
  int value;
  if (as_integer(object_, value)) return value;
  if (PyLong_Check(object_.ptr())) fail_value("an integer of at most 31 bits");
  fail_type("an integer");
}

int Value::positive_integer() const {
  const int value = integer();
  if (value <= 0) fail_value("an integer > 0");
  return value;
}

std::string Value::text() const {
  if (!py::isinstance<py::str>(object_)) fail_type("a string");
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(object_.ptr(), &size);
  if (!bytes) {
    PyErr_Clear();
    fail_value("a string that UTF-8 can encode");
  }
  return {bytes, static_cast<std::size_t>(size)};
}

std::string Value::path() const {
  constexpr std::size_t kLongestName = 255, kLongestPath = 4095;  // bytes, on Linux
  const std::string path = text();
  if (path.find('\0') != std::string::npos) fail_value("a path, without NUL characters");
  std::size_t longest = 0, start = 0;
  for (std::size_t end = 0; end <= path.size(); end++)
    if (end == path.size() || path[end] == '/') {
      longest = std::max(longest, end - start);
      start = end + 1;
    }
  if (path.size() > kLongestPath || longest > kLongestName)
    fail_value(fmt::format("a path of at most {} bytes, in names of at most {}", kLongestPath,
                           kLongestName));
  return path;
}

bool Value::flag() const { return choice<bool>({{"ON", true}, {"OFF", false}}); }

py::function Value::function() const {
  if (!PyCallable_Check(object_.ptr())) fail_type("a callable");
  return py::reinterpret_borrow<py::function>(object_);
}

Vec3 Value::vector() const {
  if (!is_list()) fail_type("a tuple of three numbers");
  if (py::len(object_) != 3) fail_value("a tuple of three numbers");  // before all of them are read
  const std::vector<double> v = reals();
  for (double x : v)
    if (std::abs(x) > kLargest)
      fail_value(fmt::format("a tuple of three numbers of at most {:g}", kLargest));
  return {v[0], v[1], v[2]};
}

std::vector<Vec3> Value::points(std::size_t least) const {
  if (!is_list()) fail_type("a list of numbers, or of points (x, y, z)");
  const auto list = py::reinterpret_borrow<py::sequence>(object_);
  std::vector<Vec3> points;
  if (list.size() > 0 && Value(where_, list[0]).is_list()) {
    for (const py::object item : list)
      points.push_back(Value(fmt::format("{}, entry {}", where_, points.size()), item).vector());
  } else {
    const std::vector<double> numbers = reals(3 * least, 3);
    for (std::size_t k = 0; k < numbers.size(); k += 3)
      points.emplace_back(numbers[k], numbers[k + 1], numbers[k + 2]);
  }
  for (const Vec3& p : points)
    if (p.cwiseAbs().maxCoeff() > kLargest)
      throw value_error(fmt::format("{} must be a list of coordinates of at most {:g}; got {:g}",
                                    where_, kLargest, p.cwiseAbs().maxCoeff()));
  if (points.size() < least)
    throw value_error(fmt::format("{} must be a list of {} or more points; got {}", where_, least,
                                  points.size()));
  return points;
}

Vec3 Value::direction() const {
  const Vec3 v = vector();
  if (!(v.norm() > 0)) fail_value("a vector of non-zero length");
  return v.normalized();
}

std::vector<double> Value::reals(std::size_t least, std::size_t group) const {
  if (!is_list()) fail_type("a list of numbers");
  // Owned one by one: the entries of an array are made when they are asked for.
  const auto list = py::reinterpret_borrow<py::sequence>(object_);
  std::vector<double> values;
  for (const py::object item : list) {
    double value;
    if (!as_double(item, value))
      fail_type(fmt::format("a list of numbers (entry {} is {})", values.size(), shown(item)));
    if (!std::isfinite(value))
      fail_value(fmt::format("a list of finite numbers (entry {} is {})", values.size(), value));
    values.push_back(value);
  }
  if (values.size() < least || values.size() % group != 0)
    throw value_error(fmt::format(
        "{} must be a list of {} numbers; got {} numbers", where_,
        group > 1 ? fmt::format("{0}, {1}, {2} ...", std::max(least, group),
                                std::max(least, group) + group, std::max(least, group) + 2 * group)
                  : fmt::format("{} or more", least),
        values.size()));
  return values;
}

std::vector<double> Value::numbers(std::size_t count) const {
  std::vector<double> values = reals();
  if (values.size() != count)
    throw value_error(
        fmt::format("{} must be a list of {} numbers; got {}", where_, count, values.size()));
  return values;
}

std::vector<int> Value::integers(std::size_t least) const {
  if (!is_list()) fail_type("a list of integers");
  std::vector<int> values;
  for (const py::object item : py::reinterpret_borrow<py::sequence>(object_)) {
    int value;
    if (!as_integer(item, value))
      fail_type(fmt::format("a list of integers (entry {} is {})", values.size(), shown(item)));
    values.push_back(value);
  }
  if (values.size() < least) fail_value(fmt::format("a list of {} or more integers", least));
  return values;
}

std::vector<int> Value::grouped_integers(std::size_t least, std::size_t before) const {
  if (!is_list()) fail_type("a list of integers");
  const auto list = py::reinterpret_borrow<py::sequence>(object_);
  bool grouped = false;
  for (const py::object item : list) grouped = grouped || Value(where_, item).is_list();
  if (!grouped) return integers(least);
  std::vector<int> values;
  std::size_t number = 0;
  for (const py::object item : list) {
    const Value entry(fmt::format("{}, entry {}", where_, number), item);
    if (number++ < before) {
      values.push_back(entry.integer());
      continue;
    }
    const std::vector<int> group = entry.integers(1);
    if (group[0] < 0 || group.size() != static_cast<std::size_t>(group[0]) + 2)
      entry.fail_value(fmt::format("a list of {} integers, since it begins with {}",
                                   std::max<std::int64_t>(group[0], 0) + 2, group[0]));
    values.insert(values.end(), group.begin(), group.end());
  }
  if (values.size() < least) fail_value(fmt::format("a list of {} or more integers", least));
  return values;
}

std::vector<int> Value::integer_or_integers(std::size_t least) const {
  int value;
  if (as_integer(object_, value)) return {value};
  if (!is_list()) fail_type("an integer or a list of integers");
  return integers(least);
}

int Value::integer_or(int otherwise) const { return given() ? integer() : otherwise; }

std::vector<int> Value::surfaces(const std::vector<std::size_t>& counts) const {
  if (!given()) return std::vector<int>(counts[0], 0);
  if (PyLong_Check(object_.ptr())) return std::vector<int>(counts[0], integer());
  if (int value; as_integer(object_, value)) return std::vector<int>(counts[0], value);
  if (!is_list()) fail_type("an integer or a list of integers");
  std::vector<int> list = integers();
  if (std::ranges::find(counts, list.size()) != counts.end()) return list;
  fail_value(fmt::format("an integer or a list of {} integers", fmt::join(counts, " or ")));
}

Signature::Signature(std::string command, const std::string& arguments)
    : command_(std::move(command)), text_(command_ + " (" + arguments + ")") {
  bool required = true;
  std::string word;
  std::istringstream words(arguments);
  while (words >> word) {
    if (word == "|") {
      required = false;
      continue;
    }
    if (word.back() == ',') word.pop_back();
    const std::size_t slash = word.find('/');
    parameters_.push_back({word.substr(0, slash),
                           slash == std::string::npos ? "" : word.substr(slash + 1), required});
  }
}

std::string Signature::heading() const {
  constexpr std::size_t kWidth = 120;
  const std::string indent(command_.size() + 2, ' ');
  std::string result, line;
  std::istringstream words(text_);
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > kWidth) {
      result += line + '\n';
      line = indent + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return result + line;
}

std::string Signature::for_python(const std::string& name, bool self) const {
  std::string text = self ? "self" : "";
  for (const Parameter& p : parameters_)
    text += (text.empty() ? "" : ", ") + p.name + (p.required ? "" : "=None");
  return fmt::format("{}({})\n--\n\n", name, text);
}

namespace {

bool is_solfec(const py::object& value) {
  return py::str(py::type::of(value).attr("__name__")).cast<std::string>() == "SOLFEC";
}

}  // namespace

Arguments::Arguments(const Signature& signature, const py::args& positional,
                     const py::kwargs& named)
    : signature_(signature) {
  const auto& parameters = signature.parameters_;
  values_.assign(parameters.size(), py::none());
  if (positional.size() > parameters.size())
    fail(fmt::format("takes at most {} arguments, got {}", parameters.size(), positional.size()));
  std::vector<bool> set(parameters.size());
  for (std::size_t i = 0; i < positional.size(); i++) {
    values_[i] = positional[i];
    set[i] = true;
  }
  for (const auto& [key, value] : named) {
    const auto name = key.cast<std::string>();
    const auto found = std::ranges::find_if(parameters, [&](const Signature::Parameter& p) {
      return p.name == name || (!p.alias.empty() && p.alias == name);
    });
    if (found == parameters.end()) {
      std::vector<std::string> names;
      for (const Signature::Parameter& p : parameters) names.push_back(p.name);
      fail(fmt::format("has no argument '{}'{}", name, suggestion(names, name)));
    }
    const auto i = static_cast<std::size_t>(found - parameters.begin());
    if (set[i]) fail(fmt::format("'{}' is given twice", found->name));
    values_[i] = py::reinterpret_borrow<py::object>(value);
    set[i] = true;
  }
  for (std::size_t i = 0; i < parameters.size(); i++) {
    if (!parameters[i].required || set[i]) continue;
    // All others have moved up then.
    if (parameters[0].name == "solfec" && set[0] && !is_solfec(values_[0]))
      fail(fmt::format("'solfec' must be a SOLFEC; got {}", shown(values_[0])));
    fail(fmt::format("'{}' is missing", parameters[i].name));
  }
}

void Arguments::fail(const std::string& message) const {
  throw InputError(InputError::Kind::type,
                   fmt::format("{}: {}; usage: {}", command(), message, signature_.text()));
}

Value Arguments::operator[](const char* name) const {
  const auto& parameters = signature_.parameters_;
  const auto found = std::ranges::find(parameters, name, &Signature::Parameter::name);
  DEMAND(found != parameters.end());
  return {fmt::format("{}: '{}'", signature_.command(), name),
          values_[static_cast<std::size_t>(found - parameters.begin())]};
}

}  // namespace solfec::input
