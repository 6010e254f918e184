"""Runs random cases until the time is up, and tells what went wrong: see README.md."""

import argparse
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent import futures

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / 'build'
KINDS = ('calls', 'geometry', 'simulations', 'files')
MPI = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_rmaps_base_oversubscribe': '1',
       'OMPI_MCA_mpi_yield_when_idle': '1'}
# HDF5 asks for as much memory as a damaged file says, and goes on when there is none: malloc may fail, `new` may not.
SANITIZERS = {'ASAN_OPTIONS': 'abort_on_error=1:detect_leaks=0:max_allocation_size_mb=2048:allocator_may_return_null=1',
              'UBSAN_OPTIONS': 'abort_on_error=1:print_stacktrace=1', 'PYTHONMALLOC': 'malloc'}
TROUBLE = re.compile(r'FINDING.*|internal error.*|ERROR: AddressSanitizer.*|runtime error: .*|terminate called.*')

# After a call that failed on the rank that has its body, and was made by the others.
MISMATCH = re.compile('every rank must run the same script|the scripts of the ranks differ')


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('kinds', nargs='*', metavar='kind', help=f'of {", ".join(KINDS)} (default: all of them)')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--minutes', type=float, default=1, help='for each kind')
    parser.add_argument('--cases', type=int, help='of each kind: a number of them instead of minutes')
    parser.add_argument('--jobs', type=int, default=1, help='cases that run at the same time')
    parser.add_argument('--first', type=int, default=0, help='number of the first case')
    parser.add_argument('--program', type=pathlib.Path)
    parser.add_argument('--ranks', type=int, default=1)
    parser.add_argument('--limit', type=float, default=120, help='seconds for a case')
    parser.add_argument('--keep', type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / 'solfec-fuzz',
                        help='where directories of findings are kept')
    chosen = parser.parse_args()
    unknown = set(chosen.kinds) - set(KINDS)
    if unknown:
        parser.error(f'no such kind: {", ".join(sorted(unknown))}; there are {", ".join(KINDS)}')
    chosen.kinds = chosen.kinds or KINDS
    chosen.program = chosen.program or BUILD / 'bin' / ('solfec' if chosen.ranks == 1 else 'solfec-mpi')
    return chosen


def run_case(chosen, kind, number, directory):
    """What went wrong in one case, or nothing."""
    command = [str(chosen.program.resolve()), str(HERE / 'case.py'), kind, str(chosen.seed), str(number)]
    if chosen.ranks > 1:
        command = ['mpiexec', '-np', str(chosen.ranks), *command]
    environment = {**os.environ, **MPI, **SANITIZERS}
    try:
        done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, timeout=chosen.limit,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f'no end after {chosen.limit:g} s'
    output = (done.stdout + done.stderr).decode(errors='replace')
    (directory / 'output').write_text(output)
    found = TROUBLE.search(output)
    if found:
        return found.group()[:300]
    if chosen.ranks > 1 and MISMATCH.search(output):
        return None
    return f'exit code {done.returncode}: {output.strip()[-300:]}' if done.returncode != 0 else None


def try_case(chosen, kind, number):
    """Runs a case in a directory of its own, which is kept when something went wrong. Returns whether it has."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix='solfec-fuzz-'))
    trouble = run_case(chosen, kind, number, directory)
    if trouble:
        kept = chosen.keep / f'{kind}-{chosen.seed}-{number}-{chosen.ranks}'
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(directory, kept, symlinks=True)
        log = (directory / 'log').read_text().splitlines() if (directory / 'log').is_file() else []
        print(f'{kind} {number}: {trouble}\n  at: {log[-1] if log else "the beginning"}\n  kept in {kept}; again: '
              f'{sys.executable} {__file__} {kind} --seed {chosen.seed} --first {number} --cases 1 '
              f'--ranks {chosen.ranks} '
              f'--program {chosen.program}', flush=True)
    shutil.rmtree(directory, ignore_errors=True)
    return bool(trouble)


def try_kind(chosen, kind, pool):
    """Cases of a kind, until their time is up. Returns how many there were, and how many findings."""
    numbers = itertools.count(chosen.first)
    if chosen.cases is not None:
        numbers = range(chosen.first, chosen.first + chosen.cases)
    end = time.monotonic() + 60 * chosen.minutes
    running, count, findings = set(), 0, 0
    for number in numbers:
        if chosen.cases is None and time.monotonic() > end:
            break
        running.add(pool.submit(try_case, chosen, kind, number))
        count += 1
        if len(running) == chosen.jobs:
            done, running = futures.wait(running, return_when=futures.FIRST_COMPLETED)
            findings += sum(one.result() for one in done)
    return count, findings + sum(one.result() for one in running)


def main():
    chosen = options()
    total = 0
    with futures.ThreadPoolExecutor(chosen.jobs) as pool:
        for kind in chosen.kinds:
            count, findings = try_kind(chosen, kind, pool)
            total += findings
            print(f'{count} cases of {kind}, seed {chosen.seed}: {findings} findings', flush=True)
    return 1 if total else 0


if __name__ == '__main__':
    sys.exit(main())
