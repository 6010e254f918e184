// Time histories from results (command HISTORY).
#pragma once

#include <variant>

#include "output/results_reader.hpp"

namespace solfec {

/// Entities of a material point: displacement, velocity, Cauchy stress.
enum class PointEntity { DX, DY, DZ, VX, VY, VZ, SX, SY, SZ, SXY, SXZ, SYZ, MISES };
enum class EnergyKind { kinetic, internal, external, contact, friction };
/// Smallest gap, resultant reaction, average relative velocity; C...: of contacts only.
enum class ConstraintEntity { GAP, R, U, CR, CU };

struct PointItem {
  BodyId body;
  Vec3 point;  ///< referential
  PointEntity entity;
};
/// No bodies named: all of the model.
struct EnergyItem {
  std::optional<std::vector<BodyId>> bodies;
  EnergyKind kind;
};
struct ConstraintItem {
  std::optional<std::vector<BodyId>> bodies;
  std::optional<Vec3> direction;                ///< instead of the normal
  std::optional<std::pair<int, int>> surfaces;  ///< only between these two
  ConstraintEntity entity;
};
/// A column of the frames: "time", "step", "merit", ... and the entry within its row.
struct FrameItem {
  std::string column;
  int entry = 0, width = 1;
  std::optional<SolverKind> only_of;  ///< zero in frames of other solvers
};

using HistoryItem = std::variant<PointItem, EnergyItem, ConstraintItem, FrameItem>;

/// Values of an item in the frames begin, begin + skip, ... < end.
std::vector<double> history(const ResultsReader& results, const BulkMaterials& materials,
                            const HistoryItem& item, int begin, int end, int skip);

/// Six stress components (x, y, z, xy, xz, yz) and their von Mises norm.
std::array<double, 7> stress_components(const Mat3& stress);

}  // namespace solfec
