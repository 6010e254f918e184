// What must not touch.
#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <utility>

#include "core/ids.hpp"

namespace solfec {

/// What must not touch, by choice of the user.
class ContactExclusions {
 public:
  using Piece = std::pair<BodyId, int>;  ///< body and feature

  void exclude_bodies(BodyId a, BodyId b) { bodies_.insert(std::minmax(a, b)); }
  void exclude_surfaces(int a, int b) { surfaces_.insert(std::minmax(a, b)); }
  void exclude_pieces(BodyId body1, int feature1, BodyId body2, int feature2);
  /// Bodies that take the place of another one inherit what is excluded of it; `piece` tells which
  /// of their pieces was a piece of it.
  void inherit(BodyId from, std::span<const BodyId> heirs,
               const std::function<Piece(int feature)>& piece);

  bool bodies(BodyId a, BodyId b) const {
    return !bodies_.empty() && bodies_.contains(std::minmax(a, b));
  }
  bool surfaces(int a, int b) const {
    return !surfaces_.empty() && surfaces_.contains(std::minmax(a, b));
  }
  bool pieces(BodyId body1, int feature1, BodyId body2, int feature2) const;

  bool empty() const { return bodies_.empty() && surfaces_.empty() && pieces_.empty(); }
  /// Of bodies and of surfaces, which all ranks know; pieces are known to their owners.
  template <class Archive>
  void common(Archive& archive) const {
    for (const auto& [a, b] : bodies_) archive(a, b);
    archive(bodies_.size());
    for (const auto& [a, b] : surfaces_) archive(a, b);
  }

 private:
  std::set<std::pair<BodyId, BodyId>> bodies_;
  std::set<std::pair<int, int>> surfaces_;
  std::set<std::pair<Piece, Piece>> pieces_;
};

}  // namespace solfec
