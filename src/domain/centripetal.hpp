// Accelerations omega x v of rigid bodies that contacts carry round (contact_motion.hpp).
#pragma once

namespace solfec {

struct Domain;

/// By owned body, in domain.centripetal, after SharedRows::request; empty where contacts are not to
/// be corrected. Of rigid bodies that contacts pressed in the step before beta omega x v, with
///
///   beta = 3 - 4 |a.(omega x v) / |omega x v|^2 - 1|  in [0, 1],
///   a = (reactions then + loads now) / m
///
/// which is one where omega x v is what bends the path, and zero in impacts, and where a body turns
/// while it moves straight on. Zero of bodies that joints hold, and of those that deform: their
/// vibrations turn too, and are not carried.
void find_centripetal(Domain& domain, bool corrects);

}  // namespace solfec
