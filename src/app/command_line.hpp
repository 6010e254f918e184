// The command line of solfec and solfec-mpi.
#pragma once

#include <string>
#include <vector>

namespace solfec {

struct CommandLine {
  std::string script;
  bool overwrite = false;
  bool resume = false;
  int threads = 1;  ///< of each rank
  std::string subdirectory;
  bool viewer = false;
  std::string window_size;         ///< WIDTHxHEIGHT, or empty
  std::vector<std::string> words;  ///< not ours: for the script
  std::string notice;              ///< not empty: to be said before the script runs

  /// Not empty: to be printed instead of running anything.
  std::string message;
  int exit_code = 0;
};

/// `solfec [-v] [-w | -c] [-j threads] [-g WIDTHxHEIGHT] [-s sub-directory] path [words]`. Only
/// whole words are taken for switches, so that a script may have options like -step or -weak; the
/// first other word that names a file is the script, the rest goes to the script. What looks like a
/// switch and stands before the script may be misspelt: the notice names it.
CommandLine parse_command_line(int argc, char** argv);

/// True, and says so, when mpirun has started more processes than the `ranks` of the communicator:
/// each would run the whole script. So it is for solfec, and for solfec-mpi under the mpirun of
/// another MPI. Not so for a program that a script of solfec-mpi starts, which has the environment
/// of a rank too.
bool refuse_ranks(int ranks);

}  // namespace solfec
