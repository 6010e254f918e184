// Rows that a problem shares with other ranks.
#pragma once

#include <vector>

#include "core/vector.hpp"

namespace solfec {

/// The external rows of a problem are those of other ranks that share a group with one of its own.
/// The relation is symmetric: two ranks that need rows of each other are neighbours, and both list
/// the rows that pass between them in the same order (that of their keys).
struct Halo {
  struct Neighbour {
    int rank;
    std::vector<int> send;     ///< own rows that the other needs
    std::vector<int> receive;  ///< external rows that the other owns
  };
  std::vector<Neighbour> neighbours;  ///< ranks rising
};

}  // namespace solfec
