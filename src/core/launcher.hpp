// What mpirun tells the processes that it starts, in their environment.
#pragma once

namespace solfec {

/// Number of processes that mpirun has started; 1 without it.
int launched_processes();
/// Number of this one among them.
int launched_rank();

/// How many of them are on this machine.
int processes_on_machine();

/// Whether mpirun has started this process, or one that has started it.
bool has_launcher();

/// For a rank: from here on programs that it starts are no ranks, although they have its
/// environment.
void end_launch();

}  // namespace solfec
