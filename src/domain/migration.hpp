// Bodies on their way between ranks.
#pragma once

#include "domain/domain.hpp"

namespace solfec {

/// Divides space anew when there is no division yet, or when the load is out of balance. Looks at
/// the balance in every tenth step; `sweeps` are those of the step before. Returns whether it did.
/// Bodies are where the regions want them. Collective.
bool balance(Domain& domain, std::int64_t step, int sweeps);

/// Sends every body to the rank whose region will hold its mass centre at the middle of the coming
/// step of size h, with the contacts it owns. Collective.
void migrate(Domain& domain, double h);

}  // namespace solfec
