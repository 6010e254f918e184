// Whether somebody watches, and on how wide a terminal.
#pragma once

namespace solfec {

/// What terminals that do not tell their width are taken to have.
inline constexpr int kAnyColumns = 10000;

/// Columns of the terminal that a descriptor writes to; 0 when it is no terminal.
int terminal_columns(int descriptor);

/// Columns of the terminal that standard output ends at; 0 when it is a file or a pipe. A rank
/// writes to mpirun, by a terminal made for it: where mpirun itself writes to is what counts.
int output_columns();

}  // namespace solfec
