// Contact manifolds: the few points that stand for all points of a patch.
//
// Forces along one normal at points of a rigid body act as forces at the corners of the convex hull
// of these points, seen along the normal, and velocities at them are means of those at the corners.
// So where all have the same law, the corners are enough, however many pieces the bodies have. The
// same holds of homogeneous deformation. Corners are sought among all points of the patch, touching
// or not: under a face that is tilted by a little, a node in the middle of it touches before the
// far corner does when the near one has sunk in, but it is the corner that stops the face.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/detected_contact.hpp"

namespace solfec {

/// Of the tolerance of contacts: what differs by less is equal, and the first of it is taken.
inline constexpr double kTie = 1e-3;

/// A point of a patch and how deep the bodies overlap there.
struct PatchPoint {
  Vec3 point;
  double depth;
  Vertex vertex = Vertex::none;
};

/// Patches are flat, and have one normal, to this angle.
inline constexpr double kFlat = 1e-2;

/// Corners of a hull that are taken at most.
inline constexpr int kMostCorners = 8;

/// Indices of chosen points, rising.
struct ChosenPoints {
  std::array<int, ContactPoints::kMost> index{};
  int count = 0;

  void add(int i) { index[count++] = i; }
  auto begin() { return index.begin(); }
  auto end() { return index.begin() + count; }
  auto begin() const { return index.begin(); }
  auto end() const { return index.begin() + count; }
};

/// Corners of the points' convex hull, seen along `normal`: all of them, or of more than
/// kMostCorners those that leave least outside; and the deepest point where it is deeper than all
/// of these by more than `tolerance`. Points nearer to each other, or to the hull of the chosen
/// ones, than `apart`, or a thousandth of the patch, are taken as one, at a corner the deepest of
/// them. Of points that are equal but for rounding, or `tolerance`, the first one counts.
ChosenPoints spanning_points(std::span<const PatchPoint> points, const Vec3& normal, double apart,
                             double tolerance);

/// The points that carry a patch of which some touch (depth at least -`distance`): of the corners
/// of all points those that touch, and of the others those that stand out from the patch, by more
/// than the tolerance, as far as they span these: also where they are in line with corners, as the
/// ends of a ridge. Then, when `corners` is set, the corners that do not touch.
ChosenPoints carrying_points(std::span<const PatchPoint> points, const Vec3& normal,
                             double distance, double tolerance, bool corners);

/// Reduces the contacts of a pair of bodies; keeps its memory between calls.
class ManifoldReducer {
 public:
  /// Contacts of the same surfaces that lie in a plane and have the same normal make a patch; some
  /// are corners that do not touch (ContactMode::patch), with a gap of more than `distance`. Sets
  /// `dropped` in all but the points that carry it; these share the area of the patch. The patches
  /// depend on nothing but the contacts (in the order of their keys).
  void reduce(std::span<DetectedContact> contacts, double distance, double tolerance);

 private:
  struct Patch {
    int leader;  // its first contact
    double area = 0;
    int members = 0;
  };
  int patch_of(std::span<const DetectedContact> contacts, int contact, double tolerance);
  void reduce(std::span<DetectedContact> contacts, const Patch& patch, std::span<const int> members,
              double distance, double tolerance);

  std::vector<Patch> patches_;
  std::vector<int> patch_;           // of each contact
  std::vector<int> begin_, member_;  // contacts by patch
  std::vector<PatchPoint> points_;
};

}  // namespace solfec
