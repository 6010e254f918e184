// Contact between an ellipsoid (or a ball) and a convex polyhedron.
//
// As for two ellipsoids the gap is the largest value over unit vectors n, outward of the
// polyhedron, of   g(n) = min_{x in E} n . x - max_{v in P} n . v. On the sphere of normals the
// polyhedron is a map: each vertex owns a region, each edge an arc, each face a point. The search
// climbs on this map from the most separating face: face -> arc of the edge beyond which the
// ellipsoid's nearest point lies -> region of the vertex beyond the edge's end, until the nearest
// points face each other. Every stop is a local maximum; deep pairs start from every face.
#pragma once

#include <optional>

#include "contact/ellipsoid_pair.hpp"
#include "geometry/convex_view.hpp"

namespace solfec {

/// The normal of the result points out of the polyhedron; surface1 is left for the caller, surface2
/// is that of the touched face. A contact whose nearest feature borders an internal face and leans
/// over it is left to the neighbour element behind that face.
std::optional<ContactPoint> ellipsoid_polyhedron(const EllipsoidView& ellipsoid,
                                                 const ConvexView& polyhedron, double tolerance);

}  // namespace solfec
