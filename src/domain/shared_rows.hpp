// Delassus contributions of ghost bodies. The owner of a contact requests from the owner of the
// other body that body's velocities H u and H b at the contact point and its block G = +-H L^-T of
// the row. The reply also brings the other rows on the same body: the external rows, of the halo.
#pragma once

#include <functional>
#include <span>

#include "body/body_store.hpp"
#include "constraint/constraint_store.hpp"
#include "domain/joint_changes.hpp"
#include "local_dynamics/local_dynamics.hpp"
#include "parallel/communicator.hpp"

namespace solfec {

/// Contribution of one body to a row: +- its velocities at the contact point, in space, and the
/// rows of +-base^T H L^-T (3 x row_size, row by row).
struct BodyContribution {
  Vec3 b, u;
  Mat3 rate = Mat3::Zero();  ///< velocity_gradient, without the sign
  bool held = false;         ///< along the normal (is_held)
  JointMotion joint_motion;  ///< +-, of the contact point
  std::vector<double> G;
};

/// Of which matrix A = L L^T is: that of the step, or the masses alone.
enum class RowScale : std::uint8_t { step, mass };

template <class Archive>
void visit_fields(Archive& archive, BodyContribution& part) {
  archive(part.b, part.u, part.rate, part.held, part.joint_motion, part.G);
}

/// Contribution of body i, owned here, to a row; side 0 is the first body, side 1 the second one.
BodyContribution body_contribution(const BodyStore& bodies, int i, int side, const Place& place,
                                   const Mat3& base, RowScale scale = RowScale::step);
/// Contribution of both sides of a contact of a body with itself.
BodyContribution self_contact_contribution(const BodyStore& bodies, const PlacedRows& rows,
                                           int row);

/// Of one step; keeps its memory.
class SharedRows {
 public:
  /// Tells the owners of ghosts of the rows on them: then remote_contacts() are known, with the
  /// reactions that their rows had. Collective.
  void request(const BodyStore& bodies, const PlacedRows& rows, const Communicator& communicator);
  /// Replies to what was requested; prepares the rows of this step of bodies with meshes.
  /// Collective.
  void reply(const BodyStore& bodies, const PlacedRows& rows, const Communicator& communicator,
             const JointChanges* changes, RowScale scale = RowScale::step);
  /// Contribution of one side (0 or 1) of an owned row, if it was exchanged: of a ghost, or of an
  /// owned body that also has rows of other ranks; else null.
  const BodyContribution* contribution(int row, int side) const {
    const int k = contribution_of_block_.empty() ? -1 : contribution_of_block_[2 * row + side];
    return k < 0 ? nullptr : &contributions_[k];
  }

  /// Adds the external rows (the owned ones are there), their order and the halo.
  void add_external(const BodyStore& bodies, std::span<const Constraint> contacts,
                    LocalDynamics& problem);

  /// Keys of the external rows.
  const std::vector<ContactKey>& external_keys() const { return external_keys_; }

  /// A contact of another rank on a body owned here.
  struct RemoteContact {
    ContactKey key;
    int side, body;
    Place place{Vec3::Zero()};
    Mat3 base;
    int rank;
    BodyContribution part;
    Vec3 R = Vec3::Zero();  ///< of the step before, until return_reactions
  };
  /// Sorted by key.
  const std::vector<RemoteContact>& remote_contacts() const { return remote_contacts_; }
  /// Own rows and those of other ranks on bodies here, in the order of keys: so each body has its
  /// sum over rows in the same order on any number of ranks.
  template <class Own, class Remote>
  void for_each_row(std::span<const Constraint> rows, const Own& own, const Remote& remote) const {
    auto next = remote_contacts_.begin();
    for (int row = 0; row < static_cast<int>(rows.size()); row++) {
      for (; next != remote_contacts_.end() && next->key < rows[row].key; next++) remote(*next);
      own(row);
    }
    for (; next != remote_contacts_.end(); next++) remote(*next);
  }
  /// Hands reactions, or other vectors of owned rows, to the owners of the ghosts. Collective
  /// between neighbours.
  void return_reactions(std::span<const Vec3> R, Channel& channel);
  /// A vector for each owned row on a ghost, computed by work(remote) on the rank that owns the
  /// body; zero for other rows. Collective between neighbours.
  std::vector<Vec3> collect(Channel& channel,
                            const std::function<Vec3(const RemoteContact&)>& work) const;

 private:
  /// Block of a row of another rank, on a body that also has a row of this rank.
  struct ExternalBlock {
    ContactKey key;
    int side, body, rank;
    std::vector<double> G;
  };
  void send_requests(const BodyStore& bodies, const PlacedRows& rows,
                     const Communicator& communicator);
  void send_replies(const BodyStore& bodies, std::span<const Constraint> contacts,
                    const Communicator& communicator);
  void prepare_rows(const BodyStore& bodies, const PlacedRows& rows) const;
  void list_own_blocks(const BodyStore& bodies, const PlacedRows& rows,
                       const JointChanges* changes);

  struct Request {
    int rank;
    std::vector<int> rows;
  };
  // Block of an own row, on an owned body that has remote contacts.
  struct OwnBlock {
    int body, row, side;
    auto operator<=>(const OwnBlock&) const = default;
  };
  RowScale scale_ = RowScale::step;
  std::vector<Request> requests_;  // by rank: own rows on its bodies
  std::vector<Request>
      replies_;  // by rank: positions in remote_contacts_, in the order of its rows
  std::vector<OwnBlock> own_blocks_;  // rising
  std::size_t own_rows_ = 0;
  std::vector<int>
      contribution_of_block_;  // two for each own row, none of one rank; -1: not exchanged
  std::vector<BodyContribution> contributions_;
  std::vector<RemoteContact> remote_contacts_;
  std::vector<ExternalBlock> external_;
  std::vector<ContactKey> external_keys_;  // rising
};

}  // namespace solfec
