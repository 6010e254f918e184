// Rows between bodies of different ranks. The owner of a contact asks the owner of the other body
// for that body's end of the row; the answer holds velocities at the point and the block
// G = +-H L^-T, and with it come the other rows on the same body: the external rows.
#pragma once

#include <functional>
#include <span>

#include "body/body_store.hpp"
#include "constraint/constraint_store.hpp"
#include "local_dynamics/local_dynamics.hpp"
#include "parallel/communicator.hpp"

namespace solfec {

/// What one body gives to a row: +- its velocities at the contact point, in space, and the rows of
/// +-base^T H L^-T (3 x row_size, row by row).
struct BodyShare {
  Vec3 b, u;
  Mat3 rate = Mat3::Zero();  ///< velocity_gradient, without the sign
  std::vector<double> G;
};

/// Of which matrix A = L L^T is: that of the step, or the masses alone.
enum class RowScale : std::uint8_t { step, mass };

template <class Archive>
void visit_fields(Archive& archive, BodyShare& part) {
  archive(part.b, part.u, part.rate, part.G);
}

/// The part of body i, owned here, in a row; side 0 is the first body, side 1 the second one.
BodyShare body_share(const BodyStore& bodies, int i, int side, const Place& place, const Mat3& base,
                     RowScale scale = RowScale::step);
/// Both sides of a contact of a body with itself.
BodyShare internal_share(const BodyStore& bodies, const Constraint& contact);

/// Of one step; keeps its memory.
class SharedRows {
 public:
  /// Asks and answers, and prepares the rows of this step of bodies with meshes. Collective.
  void exchange(const BodyStore& bodies, std::span<const Constraint> contacts,
                const Communicator& communicator, RowScale scale = RowScale::step);
  /// The part of one end (side 0 or 1) of an owned row, if it is known: that of a ghost, and what
  /// other ranks have been told of a body owned here; else null.
  const BodyShare* share(int row, int side) const {
    const int k = share_of_end_[2 * row + side];
    return k < 0 ? nullptr : &shares_[k];
  }

  /// Adds the external rows (the owned ones are there), their order and the halo.
  void add_external(const BodyStore& bodies, std::span<const Constraint> contacts,
                    LocalDynamics& problem);

  /// Keys of the external rows.
  const std::vector<ContactKey>& external_keys() const { return external_keys_; }

  /// A contact of another rank on a body owned here.
  struct Guest {
    ContactKey key;
    int side, body;
    Place place{Vec3::Zero()};
    Mat3 base;
    int rank;
    BodyShare part;
    Vec3 R = Vec3::Zero();  ///< after return_reactions
  };
  /// In the order of keys.
  const std::vector<Guest>& guests() const { return guests_; }
  /// Hands reactions, or other vectors of owned rows, to the owners of the ghosts. Collective
  /// between neighbours.
  void return_reactions(std::span<const Vec3> R, Channel& channel);
  /// Brings a vector for each owned row with an end on a ghost, as work(guest) tells it where that
  /// body is; zero for other rows. Collective between neighbours.
  std::vector<Vec3> collect(Channel& channel, const std::function<Vec3(const Guest&)>& work) const;

 private:
  /// A row of another rank on a body where this rank has one, too.
  struct ExternalEnd {
    ContactKey key;
    int side, body, rank;
    std::vector<double> G;
  };
  void ask(const BodyStore& bodies, std::span<const Constraint> contacts,
           const Communicator& communicator);
  void answer(const BodyStore& bodies, std::span<const Constraint> contacts,
              const Communicator& communicator);
  void prepare_rows(const BodyStore& bodies, std::span<const Constraint> contacts) const;
  void list_own_ends(const BodyStore& bodies, std::span<const Constraint> contacts);

  struct Asked {
    int rank;
    std::vector<int> rows;
  };
  // An own row on an owned body that has guests.
  struct OwnEnd {
    int body, row, side;
    auto operator<=>(const OwnEnd&) const = default;
  };
  RowScale scale_ = RowScale::step;
  std::vector<Asked> asked_;       // by rank: own rows with an end on its bodies
  std::vector<Asked> asking_;      // by rank: positions in guests_, in the order of its rows
  std::vector<OwnEnd> own_ends_;   // rising
  std::vector<int> share_of_end_;  // two for each own row; -1: not known
  std::vector<BodyShare> shares_;
  std::vector<Guest> guests_;
  std::vector<ExternalEnd> external_;
  std::vector<ContactKey> external_keys_;  // rising
};

}  // namespace solfec
