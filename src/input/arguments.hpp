// Arguments of commands: bound to their names, then checked one by one before anything is made.
// Every error names the command, the argument, what was expected and what came.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/vector.hpp"

namespace solfec::input {

namespace py = pybind11;

/// Largest coordinate or length [m]: moments of inertia of what is that large are still numbers.
constexpr double kLargest = 1e50;

/// One value from the script, and the place it was given at ("SPHERE: 'radius'").
class Value {
 public:
  Value(std::string where, py::object object)
      : where_(std::move(where)), object_(std::move(object)) {}

  /// False for an optional argument that was left out (or given as None).
  bool given() const { return !object_.is_none(); }
  const py::object& object() const { return object_; }
  const std::string& where() const { return where_; }

  /// A list, a tuple or an array: something with a length and entries that is no text.
  bool is_list() const;

  double real() const;              ///< finite
  double real_or_infinite() const;  ///< no NaN
  double positive() const;
  double non_negative() const;
  double between(double low, double high) const;
  double length() const;  ///< > 0, at most kLargest
  int integer() const;
  int positive_integer() const;
  int integer_or(int otherwise) const;  ///< `otherwise` when it is not given
  std::string text() const;
  std::string path() const;  ///< text that can name a file; may be empty
  bool flag() const;         ///< 'ON' or 'OFF'
  py::function function() const;
  Vec3 vector() const;     ///< of numbers up to kLargest
  Vec3 direction() const;  ///< a vector of non-zero length, normalised
  /// Coordinates of at least `least` points: a flat list [x0, y0, z0, x1, ...], or a list of points
  /// (x, y, z), as which an array of n x 3 numbers counts.
  std::vector<Vec3> points(std::size_t least) const;
  /// A flat list, tuple or array of at least `least` numbers, in groups of `group`.
  std::vector<double> reals(std::size_t least = 0, std::size_t group = 1) const;
  /// The same of `count` numbers.
  std::vector<double> numbers(std::size_t count) const;
  std::vector<int> integers(std::size_t least = 0) const;
  /// Integers in groups (n, n integers, one more), after `before` others: flat, or with a list for
  /// each group.
  std::vector<int> grouped_integers(std::size_t least, std::size_t before = 0) const;
  /// A number, or a flat list of integers.
  std::vector<int> integer_or_integers(std::size_t least = 1) const;

  /// Identifiers of so many surfaces, given as one for all of them or as a list; 0 when they are
  /// not given. There may be several `counts`: one identifier is then that of the first.
  std::vector<int> surfaces(const std::vector<std::size_t>& counts) const;

  template <class E>
  E choice(const std::vector<std::pair<const char*, E>>& choices) const {
    const std::string given = text();
    std::vector<std::string> names;
    for (const auto& [name, value] : choices) {
      if (given == name) return value;
      names.push_back(name);
    }
    fail_choice(names);
  }

  /// The C++ object behind a Python one of the wanted class; `kind` is its documented name.
  template <class T>
  T& instance(const char* kind) const {
    if (!py::isinstance<T>(object_)) fail_type(std::string("a ") + kind + " object");
    return object_.cast<T&>();
  }

  [[noreturn]] void fail_type(const std::string& expected) const;
  [[noreturn]] void fail_value(const std::string& expected) const;
  [[noreturn]] void fail_value_saying(const std::string& message) const;

 private:
  [[noreturn]] void fail_choice(const std::vector<std::string>& names) const;

  std::string where_;
  py::object object_;
};

/// Names of arguments, as documented: "a, b | c, d" has optional c and d; "surfids/surids" may be
/// given under either name.
class Signature {
 public:
  Signature(std::string command, const std::string& arguments);

  const std::string& command() const { return command_; }
  const std::string& text() const { return text_; }
  /// The same in lines of at most 120 characters.
  std::string heading() const;
  /// The same as Python writes it, where documentation begins with it: inspect.signature and
  /// editors know the arguments then, and __doc__ is what follows. The last part of the name stands
  /// there; methods have `self`.
  std::string for_python(const std::string& name, bool self) const;

 private:
  friend class Arguments;
  struct Parameter {
    std::string name, alias;
    bool required;
  };
  std::string command_, text_;
  std::vector<Parameter> parameters_;
};

class Arguments {
 public:
  /// Throws InputError for missing, superfluous, repeated and unknown arguments.
  Arguments(const Signature& signature, const py::args& positional, const py::kwargs& named);

  Value operator[](const char* name) const;
  /// Throws InputError: `message`, and what the command takes.
  [[noreturn]] void fail(const std::string& message) const;
  const std::string& command() const { return signature_.command(); }
  const std::vector<py::object>& values() const { return values_; }

 private:
  const Signature& signature_;
  std::vector<py::object> values_;
};

/// Short form of an object for a message.
std::string shown(const py::handle& object);

/// A text of the script in quotes, on one line.
std::string quoted(const std::string& text);

/// " (did you mean 'name'?)", or nothing where no name is much like the given one.
std::string suggestion(const std::vector<std::string>& names, const std::string& given);

py::tuple tuple3(const Vec3& v);

/// Runs a geometric construction; its complaints are charged to one argument.
template <class Work>
auto charged_to(const Value& value, Work&& work) {
  try {
    return work();
  } catch (const InputError& error) {
    value.fail_value_saying(error.what());
  }
}

}  // namespace solfec::input
