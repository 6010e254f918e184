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
  int integer() const;
  int positive_integer() const;
  std::string text() const;
  std::string path() const;  ///< text that can name a file; may be empty
  bool flag() const;         ///< 'ON' or 'OFF'
  py::function function() const;
  Vec3 vector() const;
  Vec3 direction() const;  ///< a vector of non-zero length, normalised
  /// A flat list, tuple or array of at least `least` numbers, in groups of `group`.
  std::vector<double> reals(std::size_t least = 0, std::size_t group = 1) const;
  std::vector<int> integers(std::size_t least = 0) const;
  /// A number, or a flat list of integers.
  std::vector<int> integer_or_integers(std::size_t least = 1) const;

  template <class E>
  E choice(const std::vector<std::pair<const char*, E>>& choices) const {
    const std::string given = text();
    std::string names;
    for (const auto& [name, value] : choices) {
      if (given == name) return value;
      names += (names.empty() ? "'" : ", '") + std::string(name) + "'";
    }
    fail_value("one of " + names);
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
  const std::string& command() const { return signature_.command(); }

 private:
  const Signature& signature_;
  std::vector<py::object> values_;
};

/// Short form of an object for a message.
std::string shown(const py::handle& object);

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
