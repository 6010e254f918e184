#include "body/nodal_dilatation.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace solfec {

NodalDilatation::NodalDilatation(std::span<const Member> members) {
  std::map<std::pair<int, int>, int> number;  // of the patch, by node and material
  for (const Member& member : members) {
    const auto index = static_cast<int>(cells_.size());
    Cell cell{static_cast<int>(member.nodes.size()), 0, {}, {}, member.shares};
    for (int a = 0; a < cell.nodes; a++) {
      cell.node[a] = member.nodes[a];
      cell.volume += cell.share[a];
      const auto [at, added] = number.try_emplace({cell.node[a], member.material}, patches());
      if (added) patches_.emplace_back();
      cell.patch[a] = at->second;
      Patch& patch = patches_[at->second];
      patch.volume += cell.share[a];
      patch.shares.push_back({index, cell.share[a]});
      patch.nodes.insert(patch.nodes.end(), member.nodes.begin(), member.nodes.end());
    }
    cells_.push_back(cell);
  }
  for (Patch& patch : patches_) {
    std::sort(patch.nodes.begin(), patch.nodes.end());
    patch.nodes.erase(std::unique(patch.nodes.begin(), patch.nodes.end()), patch.nodes.end());
  }
}

void NodalDilatation::subtract_from_averages(std::span<double> theta) const {
  std::vector<double> nodal(patches_.size());
  for (std::size_t p = 0; p < nodal.size(); p++)
    nodal[p] = mean(patches_[p], [&](int e) { return theta[e]; });
  for (std::size_t e = 0; e < cells_.size(); e++)
    theta[e] = mean(cells_[e], [&](int p) { return nodal[p]; }) - theta[e];
}

Eigen::Index NodalDilatation::column(const Patch& patch, int node) {
  return std::lower_bound(patch.nodes.begin(), patch.nodes.end(), node) - patch.nodes.begin();
}

}  // namespace solfec
