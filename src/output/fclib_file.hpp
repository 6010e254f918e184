// Problems of contacts in files of the FCLib layout (Acary, Bremond, Koziara, Perignon 2014), the
// common format of collections of frictional contact problems. A matrix is a group:
//
//   m, n: int[1];  nz: int[1];  nzmax: int[1], not needed
//   nz = -2, compressed rows: p int[m + 1], i int[nnz] columns, x float64
//   nz = -1, compressed columns: p int[n + 1], i rows
//   nz >= 0, so many triplets: p rows, i columns; entries at one place add
//
// A local problem:   u = W r + V l + q,  0 = V^T r + R l + s,  and a friction cone between u and r
//
//   fclib_local/W, V, R       of m = 3 x contacts, and p equality rows; V and R may be absent
//   fclib_local/vectors       q float64[m], s float64[p], mu float64[contacts]
//
// A global problem:  M v = H r + G l + f,  u = H^T v + w,  0 = G^T v + b
//
//   fclib_global/M, H, G      of n velocities; G may be absent
//   fclib_global/vectors      f float64[n], w float64[m], b float64[p], mu
//
// Both have
//
//   spacedim                  int[1] = 3
//   info                      title, description, math_info: texts, may be absent
//
// in their group, and a file may have guesses, of which the first one is taken:
//
//   guesses/number_of_guesses int[1]
//   guesses/1                 r float64[m]; l float64[p], v float64[n] if there are any; u
//
// Components of contacts are (normal, tangent, tangent); ours are (T1, T2, N). Solutions in a file
// are left aside, and so is a global problem beside a local one.
#pragma once

#include <string>

#include "local_dynamics/contact_problem.hpp"

namespace solfec {

/// What becomes of a guess in a file.
enum class FileGuess { take, ignore };

/// Of a global problem with its bodies (global_problem.hpp). Throws InputError that names the file
/// and what is wrong: it cannot be read, is no HDF5 file, has no problem, arrays are absent or
/// their sizes do not fit, it is not in three dimensions, indices are out of range, numbers are not
/// finite, mu is negative, M is not symmetric and positive definite, an equality row moves nothing.
ContactProblem read_fclib(const std::string& path, FileGuess guess = FileGuess::take);

/// A local problem, or a global one if W is given by bodies, and the guess if there is one. W is
/// written in compressed rows with all nine numbers of each block, M with all numbers of each body,
/// so that they stay bodies; equal problems make equal files. The file appears whole or not at all.
/// Throws RunError that names the file when it cannot be written.
void write_fclib(const ContactProblem& problem, const std::string& path);

}  // namespace solfec
