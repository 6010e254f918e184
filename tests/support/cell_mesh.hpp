// Meshes of a grid of cells, each of them one hexahedron or cut into other elements.
#pragma once

#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "geometry/mesh.hpp"

namespace solfec::testing {

enum class Cell { hexahedron, wedges, pyramids, tetrahedra };

/// A grid of cells in the unit cube and its image under a map. Pyramids, and tetrahedra, meet in
/// the middle of their cell; faces normal to z next to wedges, and all faces of tetrahedra, are cut
/// from their lowest corner to the highest, so that neighbours fit.
class CellMesh {
 public:
  using Place = std::array<int, 3>;
  using Kind = std::function<Cell(const Place&)>;

  CellMesh(const Place& divisions, Kind kind) : divisions_(divisions), kind_(std::move(kind)) {
    Place p;
    for (p[2] = 0; p[2] <= divisions[2]; p[2]++)
      for (p[1] = 0; p[1] <= divisions[1]; p[1]++)
        for (p[0] = 0; p[0] <= divisions[0]; p[0]++) add_node(Vec3(p[0], p[1], p[2]));
    for (p[2] = 0; p[2] < divisions[2]; p[2]++)
      for (p[1] = 0; p[1] < divisions[1]; p[1]++)
        for (p[0] = 0; p[0] < divisions[0]; p[0]++) cut(p);
  }

  /// Of the nodes, in the unit cube.
  const std::vector<Vec3>& places() const { return places_; }
  /// Of the image.
  Mesh mesh(const std::function<Vec3(const Vec3& place)>& map) const {
    std::vector<Vec3> nodes;
    for (const Vec3& place : places_) nodes.push_back(map(place));
    return make_mesh(std::move(nodes), elements_, 0, {});
  }

 private:
  void add_node(const Vec3& p) {
    const Vec3 divisions(divisions_[0], divisions_[1], divisions_[2]);
    places_.push_back(p.cwiseQuotient(divisions));
  }
  int node(const Place& p) const {
    return p[0] + (divisions_[0] + 1) * (p[1] + (divisions_[1] + 1) * p[2]);
  }
  bool wedges(const Place& p) const {
    return p[2] >= 0 && p[2] < divisions_[2] && kind_(p) == Cell::wedges;
  }

  void cut(const Place& p) {
    std::array<int, 8> c;
    for (int m = 0; m < 8; m++) {
      const int x = m % 4 == 1 || m % 4 == 2, y = m % 4 >= 2, z = m / 4;
      c[m] = node({p[0] + x, p[1] + y, p[2] + z});
    }
    switch (kind_(p)) {
      case Cell::hexahedron:
        elements_.push_back({8, c, 0});
        break;
      case Cell::wedges:
        elements_.push_back({6, {c[0], c[1], c[2], c[4], c[5], c[6]}, 0});
        elements_.push_back({6, {c[0], c[2], c[3], c[4], c[6], c[7]}, 0});
        break;
      default:
        cut_from_center(p);
    }
  }

  void cut_from_center(const Place& p) {
    const int center = static_cast<int>(places_.size());
    add_node(Vec3(p[0] + 0.5, p[1] + 0.5, p[2] + 0.5));
    for (int d = 0; d < 3; d++)
      for (int side = 0; side < 2; side++) {
        std::array<int, 4> face;  // from the lowest corner round to the highest and back
        for (int m = 0; m < 4; m++) {
          Place q = p;
          q[d] += side;
          if (m == 1 || m == 2) q[(d + 1) % 3]++;
          if (m >= 2) q[(d + 2) % 3]++;
          face[m] = node(q);
        }
        Place other = p;
        other[d] += side == 0 ? -1 : 1;
        if (kind_(p) == Cell::tetrahedra || (d == 2 && wedges(other))) {
          elements_.push_back({4, {face[0], face[1], face[2], center}, 0});
          elements_.push_back({4, {face[0], face[2], face[3], center}, 0});
        } else {
          elements_.push_back({5, {face[0], face[1], face[2], face[3], center}, 0});
        }
      }
  }

  Place divisions_;
  Kind kind_;
  std::vector<Vec3> places_;
  std::vector<Element> elements_;
};

}  // namespace solfec::testing
