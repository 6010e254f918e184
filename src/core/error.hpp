// Three kinds of errors:
//   InputError       the user's input is wrong: raised before anything is created or written
//   RunError         the simulation cannot go on (NaN, unphysical penetration, full disk, ...)
//   DEMAND(...)      an invariant of the program is broken: always checked, cheap, names its place
#pragma once

#include <stdexcept>
#include <string>

namespace solfec {

/// Wrong input. `Kind` selects the Python exception: a wrong type or a wrong value.
class InputError : public std::runtime_error {
 public:
  enum class Kind { type, value };

  InputError(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

/// The value of an input is wrong.
inline InputError value_error(const std::string& message) {
  return {InputError::Kind::value, message};
}

/// The simulation cannot go on.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void broken_invariant(const char* condition, const char* file, int line);

}  // namespace solfec

/// Always checked; for cheap conditions outside inner loops.
#define DEMAND(condition) \
  ((condition) ? (void)0 : ::solfec::broken_invariant(#condition, __FILE__, __LINE__))
