#include "domain/regions.hpp"

namespace solfec {

Regions::Regions(Partition partition)
    : partition_(std::move(partition)), turned_(partition_.axes != Mat3::Identity()) {}

bool Regions::inside(int rank, const Box& box) const {
  const Box turned = in_axes(box);
  bool result = true;
  descend(partition_.cuts, [&](int k) {
    const auto [d, at] = partition_.cuts[k];
    const bool above = rank > k;
    result = result && (above ? turned.lower[d] > at : turned.upper[d] < at);
    return above;
  });
  return result;
}

// The box in axes about a box in space: half sizes |axes| half, and round-off.
Box Regions::in_axes(const Box& box) const {
  if (!turned_) return box;
  const Vec3 center = partition_.axes * box.center();
  const Vec3 largest = box.lower.cwiseAbs().cwiseMax(box.upper.cwiseAbs());
  const Vec3 half = partition_.axes.cwiseAbs() *
                    (0.5 * box.size() + 16 * std::numeric_limits<double>::epsilon() * largest);
  return {center - half, center + half};
}

}  // namespace solfec
