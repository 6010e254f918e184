// The memory that a BLAS works in.
#pragma once

namespace solfec {

/// Before the first call of a BLAS or LAPACK routine: lets it take what it works in, which it
/// keeps; throws std::bad_alloc when there is none. OpenBLAS itself would ask for it again and
/// again, for ever.
void take_blas_memory();

}  // namespace solfec
