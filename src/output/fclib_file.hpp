// Problems of contacts in files of the FCLib layout (Acary, Bremond, Koziara, Perignon 2014), the
// common format of collections of frictional contact problems:
//
//   fclib_local/W             m, n: int[1], 3 x contacts; nz: int[1]
//                             nz = -2, compressed rows: p int[m + 1], i int[nnz] columns, x float64
//                             nz = -1, compressed columns: p int[n + 1], i rows
//                             nz >= 0, so many triplets: p rows, i columns; entries at one place
//                             add
//   fclib_local/vectors       q float64[m], mu float64[contacts]
//   fclib_local/spacedim      int[1] = 3
//   fclib_local/info          title, description, math_info: texts, may be absent
//
// with U = W R + q and components (normal, tangent, tangent); ours are (T1, T2, N). Solutions and
// guesses in a file are left aside. Equality rows (V, R, s of FCLib) are refused: our problems are
// of contacts alone, and to eliminate them would fill W.
#pragma once

#include <string>

#include "local_dynamics/contact_problem.hpp"

namespace solfec {

/// Throws InputError that names the file and what is wrong: it cannot be read, is no HDF5 file, has
/// no local problem, arrays are absent or their sizes do not fit, it is not in three dimensions,
/// indices are out of range, there are equality rows, numbers are not finite or mu is negative.
ContactProblem read_fclib(const std::string& path);

/// Writes compressed rows, all nine numbers of each block; equal problems make equal files. The
/// file appears whole or not at all. Throws RunError that names the file when it cannot be written.
void write_fclib(const ContactProblem& problem, const std::string& path);

}  // namespace solfec
