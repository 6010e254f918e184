"""Starts scripts on several ranks."""

import json
import os
import pathlib
import subprocess
import textwrap

PROGRAM = os.environ.get('SOLFEC_MPI_PROGRAM', str(pathlib.Path(__file__).parents[2] / 'build' / 'bin' / 'solfec-mpi'))
SERIAL = str(pathlib.Path(PROGRAM).with_name('solfec'))
MPIEXEC = os.environ.get('MPIEXEC', 'mpirun')
SANITIZED = b'__asan_init' in pathlib.Path(PROGRAM).read_bytes()
PATIENCE = 5 if SANITIZED else 1  # as of the time limits in tests/CMakeLists.txt
# Run by anybody (root too), on any number of cores, without busy waiting. mpirun waits for nothing when a rank has
# failed: by then its message is printed, and two seconds in each of a hundred tests are long.
ENVIRONMENT = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1',
               'OMPI_MCA_rmaps_base_oversubscribe': '1', 'OMPI_MCA_mpi_yield_when_idle': '1',
               'OMPI_MCA_odls_base_sigkill_timeout': '0'}

# Bodies far from each other; tell() leaves values of this rank for the test.
HEAD = """\
import json, os, signal, sys, time
s = SOLFEC('DYNAMIC', 1E-3, 'out')
s.verbose = 'OFF'
m = BULK_MATERIAL(s, label='stuff')
SURFACE_MATERIAL(s, label='skin')
solver = GAUSS_SEIDEL_SOLVER(1E-6, 100, 1E-9)
told = {}
def ball(x, kind='RIGID', label='', radius=1):
    return BODY(s, kind, SPHERE((10 * x, 0, 0), radius, 1, 1), m, label)
def tell(**values):
    told.update(values)
    with open(f'told.{RANK()}', 'w') as file:
        json.dump(told, file)
def run(steps=1):
    RUN(s, solver, steps * s.step)
"""
LINES = HEAD.count('\n')  # the test's own script starts after them


class Done:
    """How the ranks have ended, and what each of them has told."""

    def __init__(self, process, directory, ranks):
        self.code, self.out, self.err = process.returncode, process.stdout, process.stderr
        files = [directory / f'told.{rank}' for rank in range(ranks)]
        self.told = [json.loads(file.read_text()) if file.exists() else {} for file in files]

    def well(self):
        """What was told, after a run without complaints."""
        assert self.code == 0 and self.err == '', self.err
        return self.told

    def alike(self):
        """What was told, by all ranks the same."""
        told = self.well()
        assert all(other == told[0] for other in told), told
        return told[0]

    def errors(self):
        """Last lines of the error messages of our ranks (and not of the program that starts them)."""
        lines = [line for line in self.err.splitlines() if line]
        return [line for line in lines
                if line.startswith(('solfec: ', 'RuntimeError: ', 'ValueError: ', 'ZeroDivisionError: ',
                                    'SyntaxError: '))]


def start(directory, ranks, script, *words, timeout=60, head=HEAD):
    """`ranks`: their number, or 'serial' for the serial program."""
    for file in directory.glob('told.*'):
        file.unlink()
    (directory / 'script.py').write_text(head + textwrap.dedent(script).lstrip('\n'))
    program = [SERIAL] if ranks == 'serial' else [MPIEXEC, '-np', str(ranks), PROGRAM]
    process = subprocess.run([*program, *words, 'script.py'], cwd=directory, text=True, capture_output=True,
                             timeout=PATIENCE * timeout, stdin=subprocess.DEVNULL,
                             env={**os.environ, **ENVIRONMENT})
    return Done(process, directory, 1 if ranks == 'serial' else ranks)
