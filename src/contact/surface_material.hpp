// Surface materials: the law of contact between two surfaces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace solfec {

enum class ContactModel : std::uint8_t { signorini_coulomb, spring_dashpot };

struct SurfaceMaterial {
  std::optional<int> surface1, surface2;  ///< nothing: any surface
  ContactModel model = ContactModel::signorini_coulomb;
  std::string label;
  double friction = 0;
  double cohesion = 0;                ///< force per area [Pa]
  double fracture_energy = 0;         ///< of glue, per area [J/m^2]; 0: it breaks as it yields
  double restitution = 0;             ///< in [0, 1]
  double tangential_restitution = 0;  ///< in [0, 1]
  double spring = 0;                  ///< [N/m]
  double dashpot = 0;                 ///< [N s/m]
};

/// The materials of a model. Pairs are unordered. A contact of surfaces s1 <= s2 takes the material
/// of (s1, s2), else of (s1, any), else of (s2, any), else the default (any, any).
class SurfaceMaterials {
 public:
  SurfaceMaterials();

  /// Stores a material; one for the same pair is overwritten and keeps its index.
  int store(SurfaceMaterial material);
  int find_pair(int s1, int s2) const;
  /// Index, or -1.
  int find_label(const std::string& label) const;

  const SurfaceMaterial& operator[](int index) const { return table_[index]; }
  SurfaceMaterial& operator[](int index) { return table_[index]; }
  int count() const { return static_cast<int>(table_.size()); }
  /// Whether one was stored for any two surfaces.
  bool has_default() const { return has_default_; }
  bool has_cohesion() const;
  /// How often a material was stored; numbers the default labels.
  int made() const { return made_; }

 private:
  std::vector<SurfaceMaterial> table_;  // the first one is the default
  std::unordered_map<std::uint64_t, int> pair_;
  std::unordered_map<int, int> single_;
  int made_ = 0;
  bool has_default_ = false;
};

}  // namespace solfec
