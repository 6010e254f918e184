// Contact at the nodes of a finite-element body's surface (BODY.nodecontact): each node touches the
// piece of another body that it is in, or nearer to than the tolerance.
//
//   a       vector area of the node, outward: of each face at it the vector area over the number
//           of the face's nodes
//   normal  n, outward of the piece: of its faces that face the node, -a . n >= |a| / 4, the
//           nearest one; faces between elements are none
//   gap     distance of the node from that face, negative inside
//   point   half way between both
//   area    -a . n, so that those of a flat surface add up to its own; half of it where both bodies
//           are touched at their nodes
//
// A node beside a face, by a hundredth of the size of its area, stands on it: else the corners of
// equal blocks that are off each other by next to nothing would stand on nothing.
//
// At an edge that both bodies share, the face beside the node may be nearer than the one that it is
// pressed on: this is why only faces that the node's own ones look at are taken.
#pragma once

#include <vector>

#include "contact/contact_point.hpp"
#include "contact/pieces.hpp"

namespace solfec {

struct NodeContact {
  int corner;  ///< which node of the piece's element
  ContactPoint point;
};

/// Contacts of the nodes that `piece`, of a body with node_contact, stands for, with another
/// piece; `found` is cleared first. Normals are outward of the other piece, surface1 is the node's.
void find_node_contacts(const BodyStore& bodies, PieceStore& pieces, int piece, int other,
                        double tolerance, std::vector<NodeContact>& found);

}  // namespace solfec
