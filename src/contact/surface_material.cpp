#include "contact/surface_material.hpp"

#include <algorithm>

namespace solfec {
namespace {

std::uint64_t pair_key(int s1, int s2) {
  const auto [low, high] = std::minmax(s1, s2);
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(low)) << 32 |
         static_cast<std::uint32_t>(high);
}

}  // namespace

SurfaceMaterials::SurfaceMaterials() { table_.emplace_back().label = "DEFAULT"; }

int SurfaceMaterials::store(SurfaceMaterial material) {
  made_++;
  if (!material.surface1) std::swap(material.surface1, material.surface2);
  int index = 0;
  if (material.surface1) {
    const int next = count();
    index = material.surface2
                ? pair_.try_emplace(pair_key(*material.surface1, *material.surface2), next)
                      .first->second
                : single_.try_emplace(*material.surface1, next).first->second;
    if (index == next) table_.emplace_back();
  }
  has_default_ = has_default_ || index == 0;
  table_[index] = std::move(material);
  return index;
}

int SurfaceMaterials::find_pair(int s1, int s2) const {
  if (!pair_.empty())
    if (const auto found = pair_.find(pair_key(s1, s2)); found != pair_.end()) return found->second;
  if (!single_.empty())
    for (int s : {std::min(s1, s2), std::max(s1, s2)})
      if (const auto found = single_.find(s); found != single_.end()) return found->second;
  return 0;
}

int SurfaceMaterials::find_label(const std::string& label) const {
  const auto found = std::ranges::find(table_, label, &SurfaceMaterial::label);
  return found == table_.end() ? -1 : static_cast<int>(found - table_.begin());
}

bool SurfaceMaterials::has_cohesion() const {
  return std::ranges::any_of(table_, [](const SurfaceMaterial& m) { return m.cohesion > 0; });
}

}  // namespace solfec
