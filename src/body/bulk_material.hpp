// Bulk materials: the Saint Venant-Kirchhoff solid.
#pragma once

#include <string>
#include <vector>

namespace solfec {

struct BulkMaterial {
  std::string label;
  double young = 1e6;  ///< [Pa]
  double poisson = 0.25;
  double density = 1e3;  ///< [kg/m^3]

  /// Lame constants [Pa] (manual, equations 7.18 and 7.19).
  double lambda() const { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }
  double mu() const { return young / (2 + 2 * poisson); }

  bool operator==(const BulkMaterial&) const = default;
};

/// The materials of a model; bodies name them by index. Storing under a label that exists
/// overwrites, and the bodies that use the material follow.
class BulkMaterials {
 public:
  int store(const BulkMaterial& material) {
    const int known = find(material.label);
    if (known >= 0) {
      table_[known] = material;
      return known;
    }
    table_.push_back(material);
    return static_cast<int>(table_.size()) - 1;
  }
  /// Index, or -1.
  int find(const std::string& label) const {
    for (std::size_t i = 0; i < table_.size(); i++)
      if (table_[i].label == label) return static_cast<int>(i);
    return -1;
  }
  const BulkMaterial& operator[](int index) const { return table_[index]; }
  BulkMaterial& operator[](int index) { return table_[index]; }
  int count() const { return static_cast<int>(table_.size()); }
  const std::vector<BulkMaterial>& all() const { return table_; }

 private:
  std::vector<BulkMaterial> table_;
};

}  // namespace solfec
