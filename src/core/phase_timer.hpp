// Wall time spent in the phases of a step, under the names of the TIMING command.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>

namespace solfec {

/// Phases of a step; kPhaseNames gives their documented names.
enum class Phase { integration, constraint_update, detection, local_dynamics, solution, balancing };
inline constexpr std::size_t kPhases = 6;
inline constexpr std::array<const char*, kPhases> kPhaseNames = {"TIMINT", "CONUPD", "CONDET",
                                                                 "LOCDYN", "CONSOL", "PARBAL"};

/// Seconds per phase.
class PhaseTimes {
 public:
  double operator[](Phase phase) const { return seconds_[static_cast<std::size_t>(phase)]; }
  double& operator[](Phase phase) { return seconds_[static_cast<std::size_t>(phase)]; }
  const std::array<double, kPhases>& seconds() const { return seconds_; }
  std::array<double, kPhases>& seconds() { return seconds_; }
  void clear() { seconds_.fill(0.0); }

 private:
  std::array<double, kPhases> seconds_{};
};

/// Adds the life time of this object to one phase.
class PhaseTimer {
 public:
  PhaseTimer(PhaseTimes& times, Phase phase)
      : times_(times), phase_(phase), start_(std::chrono::steady_clock::now()) {}
  ~PhaseTimer() {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    times_[phase_] += elapsed.count();
  }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  PhaseTimes& times_;
  Phase phase_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace solfec
