#include "contact/exclusions.hpp"

namespace solfec {

void ContactExclusions::exclude_pieces(BodyId body1, int feature1, BodyId body2, int feature2) {
  pieces_.insert(std::minmax(Piece{body1, feature1}, Piece{body2, feature2}));
}

void ContactExclusions::inherit(BodyId from, std::span<const BodyId> heirs,
                                const std::function<Piece(int feature)>& piece) {
  const auto bodies = bodies_;
  for (const auto& [a, b] : bodies) {
    if (a != from && b != from) continue;
    for (BodyId heir : heirs) exclude_bodies(heir, a == from ? b : a);
  }
  const auto pieces = pieces_;
  const auto heir_of = [&](const Piece& p) { return p.first == from ? piece(p.second) : p; };
  for (const auto& [a, b] : pieces)
    if (a.first == from || b.first == from) pieces_.insert(std::minmax(heir_of(a), heir_of(b)));
}

bool ContactExclusions::pieces(BodyId body1, int feature1, BodyId body2, int feature2) const {
  return !pieces_.empty() &&
         pieces_.contains(std::minmax(Piece{body1, feature1}, Piece{body2, feature2}));
}

}  // namespace solfec
