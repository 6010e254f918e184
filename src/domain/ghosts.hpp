// Geometry of bodies that other ranks own and that may touch owned ones.
#pragma once

#include <map>
#include <vector>

#include "body/body_store.hpp"

namespace solfec {

struct Domain;

/// Global bounds of the moving bodies. A smaller body of size s reaches no farther from
/// its mass centre than  ratio min(s, largest size): with that, and with its centre in the region
/// of its owner, a body knows which regions may hold smaller bodies that touch it.
struct BodyBounds {
  double size = 0;         ///< largest BodyExtent::size [m]
  double ratio = 0;        ///< largest reach in the present configuration per size
  double travel = 0;       ///< farthest_travel until contacts are found next [m]
  bool connected = false;  ///< bonds or joints exist: their bodies are ghosts of each other's ranks
  bool unknown_partner = false;  ///< the rank of some partner is not known: new, or after a restart
};

/// Of the bodies and contacts of this rank, but for `travel`.
BodyBounds body_bounds(const Domain& domain);

/// Sends and receives ghosts; keeps what was sent to which rank.
class GhostExchange {
 public:
  /// Gives the domain its ghosts, at the owners' present configurations. Collective.
  void refresh(Domain& domain, const BodyBounds& all);
  /// Bodies that moved to other ranks in this step: requests for them are forwarded.
  std::map<BodyId, int>& migrated() { return migrated_; }

 private:
  /// Ranks that need bodies owned here, because of bonds and joints.
  std::map<BodyId, std::vector<int>> subscriptions(Domain& domain, const BodyBounds& all);

  struct Known {
    BodyId id;
    int changes;
    bool operator==(const Known&) const = default;
  };
  std::map<int, std::vector<Known>> sent_;  // by rank, ids rising: in the last step
  std::vector<GhostBody> ghosts_;           // ids rising
  std::map<BodyId, int> migrated_;
};

}  // namespace solfec
