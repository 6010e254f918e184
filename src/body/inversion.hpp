// Bodies that have turned inside out: the stored energy of their material is finite where det F =
// 0, so that loads that are too large take them through it.
#pragma once

#include "body/body_store.hpp"

namespace solfec {

/// Of a PSEUDO_RIGID body det F <= 0, of a FINITE_ELEMENT one det dx/dX <= 0 in the middle of an
/// element.
bool is_inside_out(const BodyStore& bodies, int body);

}  // namespace solfec
