// All overlapping pairs of a set of boxes, in O(n log n + pairs).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/box.hpp"

namespace solfec {

/// A binary tree of boxes over the boxes sorted along a space-filling (Morton) curve, nodes in
/// depth-first order, each with the number of the node to go on with when its box is missed. Keeps
/// its memory between builds.
class BoxTree {
 public:
  void build(std::span<const Box> boxes);

  int size() const { return static_cast<int>(order_.size()); }

  /// Calls visit(i, j) once for each pair of overlapping boxes, in no particular order.
  template <class Visit>
  void overlaps(Visit&& visit) const {
    overlaps(0, size(), visit);
  }
  /// The same in parts, which together are all places [0, size()) along the curve.
  template <class Visit>
  void overlaps(int begin, int end, Visit&& visit) const {
    for (int position = begin; position < std::min(end, size() - 1); position++) {
      const Box& box = leaves_[position];
      for (int n = 0; n < static_cast<int>(nodes_.size());) {
        const Node& node = nodes_[n];
        // Only later positions: each pair is met once.
        if (node.last <= position + 1 || !overlap(node.box, box)) {
          n = node.skip;
          continue;
        }
        if (node.leaf)
          for (int other = std::max(node.first, position + 1); other < node.last; other++)
            if (overlap(leaves_[other], box)) visit(order_[position], order_[other]);
        n++;
      }
    }
  }

  /// Calls visit(i) for each box that overlaps the given one.
  template <class Visit>
  void overlapping(const Box& box, Visit&& visit) const {
    for (int n = 0; n < static_cast<int>(nodes_.size());) {
      const Node& node = nodes_[n];
      if (!overlap(node.box, box)) {
        n = node.skip;
        continue;
      }
      if (node.leaf)
        for (int other = node.first; other < node.last; other++)
          if (overlap(leaves_[other], box)) visit(order_[other]);
      n++;
    }
  }

 private:
  struct Node {
    Box box;
    int first, last;  // positions along the curve
    int skip;         // next node outside of this subtree
    bool leaf;
  };
  void add_node(int first, int last);

  struct Coded {
    std::uint64_t code;
    int index;
  };
  std::vector<Coded> coded_;
  std::vector<int> order_;   // position -> box
  std::vector<Box> leaves_;  // boxes by position
  std::vector<Node> nodes_;
};

}  // namespace solfec
