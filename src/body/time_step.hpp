// When, within a step, loads act and constraints are found.
#pragma once

#include <cstdint>

namespace solfec {

enum class Analysis : std::uint8_t { dynamic, quasi_static };

/// As scripts and results write it.
inline const char* analysis_name(Analysis analysis) {
  return analysis == Analysis::dynamic ? "DYNAMIC" : "QUASI_STATIC";
}

/// From `time` over h [s]. Dynamic: bodies go half of it, meet loads and constraints, and go on.
/// Quasi-static: they meet the constraints where they are and the loads of the end, from rest.
struct TimeStep {
  double time, h;
  Analysis analysis = Analysis::dynamic;

  bool dynamic() const { return analysis == Analysis::dynamic; }
  double end() const { return time + h; }
  /// Time of the configuration at which constraints are found.
  double contact_time() const { return dynamic() ? time + 0.5 * h : time; }
  double load_time() const { return dynamic() ? time + 0.5 * h : end(); }
  /// From that configuration to the end.
  double remaining() const { return dynamic() ? 0.5 * h : h; }
};

}  // namespace solfec
