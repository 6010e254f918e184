#include "output/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "body/kinematics.hpp"
#include "core/error.hpp"

namespace solfec {
namespace {

template <class T>
std::vector<double> thinned(const std::vector<T>& values, std::size_t width, std::size_t entry,
                            int skip) {
  std::vector<double> result;
  for (std::size_t k = entry; k < values.size(); k += width * static_cast<std::size_t>(skip))
    result.push_back(values[k]);
  return result;
}

double point_value(const BodyStore& body, const BulkMaterials& materials, const PointItem& item) {
  const auto entity = static_cast<int>(item.entity);
  const Place place = place_of(body, 0, item.point);
  if (item.entity <= PointEntity::DZ) return place.x[entity] - item.point[entity];
  if (item.entity <= PointEntity::VZ) return velocity_at(body, 0, place, body.u(0))[entity - 3];
  return stress_components(cauchy_stress(body, materials, 0, item.point))[entity - 6];
}

std::vector<double> values(const ResultsReader& results, const BulkMaterials& materials,
                           const PointItem& item, int begin, int end, int skip) {
  const auto states = results.body_states(item.body, begin, end);
  const auto definitions = results.definitions_of(item.body);
  std::vector<double> result;
  BodyStore body;  // holds this body alone, as it is defined in the frame
  std::size_t next = 0;
  for (int k = 0; k < end - begin; k += skip) {
    for (; next < definitions.size() && definitions[next].first <= begin + k; next++) {
      Body definition = definitions[next].second;
      definition.loads.clear();
      if (!may_hold(definition, item.point))
        throw RunError(fmt::format("({:g}, {:g}, {:g}) is not a point of body {}", item.point.x(),
                                   item.point.y(), item.point.z(), item.body.value));
      if (largest_material(definition) >= materials.count())
        throw RunError(fmt::format("the bulk material of body {} is not made by this script",
                                   item.body.value));
      body.clear();
      body.add(std::move(definition));
    }
    const double* q = &states.q[kConfigurationSize * static_cast<std::size_t>(k)];
    if (std::isnan(q[0])) {
      result.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const auto frame = static_cast<std::ptrdiff_t>(k);
    std::copy_n(q, kConfigurationSize, body.q(0));
    std::copy_n(states.u.begin() + frame * body.dofs(0), body.dofs(0), body.u(0));
    std::copy_n(states.x.begin() + frame * body.x.count(0), body.x.count(0), body.x(0));
    result.push_back(point_value(body, materials, item));
  }
  return result;
}

std::vector<double> values(const ResultsReader& results, const BulkMaterials&,
                           const EnergyItem& item, int begin, int end, int skip) {
  const auto entry = static_cast<std::size_t>(item.kind);
  if (!item.bodies) return thinned(results.frame_column("energy", begin, end), 5, entry, skip);
  std::vector<double> sum;
  for (BodyId id : *item.bodies) {
    const auto one = thinned(results.body_energies(id, begin, end), 5, entry, skip);
    sum.resize(one.size(), 0.0);
    for (std::size_t k = 0; k < one.size(); k++) sum[k] += one[k];
  }
  return sum;
}

std::vector<double> values(const ResultsReader& results, const BulkMaterials&,
                           const FrameItem& item, int begin, int end, int skip) {
  auto result =
      thinned(results.frame_column(item.column, begin, end), static_cast<std::size_t>(item.width),
              static_cast<std::size_t>(item.entry), skip);
  if (item.only_of) {
    const auto solver = thinned(results.frame_column("solver", begin, end), 1, 0, skip);
    for (std::size_t k = 0; k < result.size(); k++)
      if (solver[k] != static_cast<double>(*item.only_of)) result[k] = 0;
  }
  return result;
}

// Accumulates one frame's constraints.
class ConstraintSum {
 public:
  explicit ConstraintSum(const ConstraintItem& item) : item_(item) {
    if (item.bodies)
      for (BodyId id : *item.bodies) bodies_.insert(id.value);
  }

  double value(const ResultsReader::ConstraintRows& rows) const {
    double sum = 0, smallest = std::numeric_limits<double>::infinity();
    Vec3 resultant = Vec3::Zero();
    std::size_t count = 0;
    for (std::size_t i = 0; i < rows.count; i++) {
      const bool first = !item_.bodies || bodies_.contains(rows.body1[i]);
      const bool second = item_.bodies && bodies_.contains(rows.body2[i]);
      if (!first && !second) continue;
      const auto kind = static_cast<ConstraintKind>(rows.kind[i]);
      if ((only_contacts() || item_.surfaces) && !is_contact(kind)) continue;
      if (item_.surfaces && std::minmax(rows.surface1[i], rows.surface2[i]) !=
                                std::minmax(item_.surfaces->first, item_.surfaces->second))
        continue;
      count++;
      const double* local = is_velocity() ? &rows.U[3 * i] : &rows.R[3 * i];
      if (item_.entity == ConstraintEntity::GAP) {
        smallest = std::min(smallest, rows.gap[i]);
      } else if (!item_.direction) {
        sum += local[2];
      } else {
        const Mat3 base = constraint_base(kind, Eigen::Map<const Vec3>(&rows.normal[3 * i]),
                                          Eigen::Map<const Vec3>(&rows.arm[3 * i]));
        const Vec3 global = base * Eigen::Map<const Vec3>(local);
        // What acts on the named bodies: +R on the first of a pair, -R on the second.
        if (item_.bodies && !is_velocity())
          resultant += (first ? 1.0 : 0.0) * global - (second ? 1.0 : 0.0) * global;
        else
          resultant += global;
      }
    }
    if (item_.entity == ConstraintEntity::GAP) return count > 0 ? smallest : 0.0;
    if (item_.direction) sum = resultant.dot(item_.direction->normalized());
    return is_velocity() && count > 0 ? sum / static_cast<double>(count) : sum;
  }

 private:
  bool only_contacts() const {
    return item_.entity != ConstraintEntity::R && item_.entity != ConstraintEntity::U;
  }
  bool is_velocity() const {
    return item_.entity == ConstraintEntity::U || item_.entity == ConstraintEntity::CU;
  }
  const ConstraintItem& item_;
  std::set<std::uint32_t> bodies_;
};

std::vector<double> values(const ResultsReader& results, const BulkMaterials&,
                           const ConstraintItem& item, int begin, int end, int skip) {
  const ConstraintSum sum(item);
  std::vector<double> result;
  results.visit_constraints(begin, end, [&](int frame, const ResultsReader::ConstraintRows& rows) {
    if ((frame - begin) % skip == 0) result.push_back(sum.value(rows));
  });
  return result;
}

}  // namespace

std::vector<double> history(const ResultsReader& results, const BulkMaterials& materials,
                            const HistoryItem& item, int begin, int end, int skip) {
  return std::visit(
      [&](const auto& one) { return values(results, materials, one, begin, end, skip); }, item);
}

std::array<double, 7> stress_components(const Mat3& s) {
  const double a = s(0, 0) - s(1, 1), b = s(1, 1) - s(2, 2), c = s(2, 2) - s(0, 0);
  const double shear = s(0, 1) * s(0, 1) + s(0, 2) * s(0, 2) + s(1, 2) * s(1, 2);
  return {s(0, 0),
          s(1, 1),
          s(2, 2),
          s(0, 1),
          s(0, 2),
          s(1, 2),
          std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * shear)};
}

}  // namespace solfec
