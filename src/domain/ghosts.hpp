// Geometry of bodies that other ranks own and that may touch owned ones.
#pragma once

#include <map>
#include <vector>

#include "body/body_store.hpp"

namespace solfec {

struct Domain;

/// What is known of all moving bodies together. A smaller body of size s reaches no farther from
/// its mass centre than  ratio min(s, largest size): with that, and with its centre in the region
/// of its owner, a body knows which regions may hold smaller bodies that touch it.
struct Extremes {
  double size = 0;     ///< largest BodyStore::size [m]
  double ratio = 0;    ///< largest reach in the present configuration per size
  bool links = false;  ///< bonds or joints exist somewhere: their bodies must know of each other
  bool unknown =
      false;  ///< and the rank of some partner is not known: new ones, and after a restart
};

/// Of the bodies and contacts of this rank.
Extremes extremes(const Domain& domain);

/// Sends and receives ghosts; remembers what the others know.
class GhostExchange {
 public:
  /// Gives the domain its ghosts, at the owners' present configurations. Collective.
  void refresh(Domain& domain, const Extremes& all);
  /// Bodies that have gone to other ranks in this step; who asks for them here is sent on.
  std::map<BodyId, int>& departed() { return departed_; }

 private:
  /// Ranks that want bodies owned here, because of bonds and joints.
  std::map<BodyId, std::vector<int>> wanted(Domain& domain, const Extremes& all);

  struct Known {
    BodyId id;
    int changes;
    bool operator==(const Known&) const = default;
  };
  std::map<int, std::vector<Known>> sent_;  // by rank, ids rising: in the last step
  std::vector<GhostBody> ghosts_;           // ids rising
  std::map<BodyId, int> departed_;
};

}  // namespace solfec
