"""Checks that the tests mirror the sources: src/<folder>/<file>.cpp has tests/unit/<folder>/<file>_test.cpp; the
input language and the programs, which only Python can exercise, have tests/input/test_<file>.py."""

import pathlib
import sys

# Message passing is tested on several ranks, in tests/parallel.
ELSEWHERE = {'parallel/mpi_communicator': 'tests/parallel/mpi_communicator_test.cpp',
             'parallel/partitioner': 'tests/parallel/partitioner_test.cpp',
             'parallel/zoltan_partitioner': 'tests/parallel/partitioner_test.cpp',
             'domain/ghosts': 'tests/parallel/distribution_test.cpp',
             'domain/migration': 'tests/parallel/distribution_test.cpp',
             'domain/shared_rows': 'tests/parallel/distribution_test.cpp',
             'app/main': 'tests/input/test_program.py',
             'app/solve': 'tests/input/test_solve_program.py',
             'app/python_extension': 'tests/input/test_package.py',
             'input/module': 'tests/input/test_package.py',
             'input/body_objects': 'tests/input/test_bodies.py',
             'synchronisation/reconciliation': 'tests/parallel/test_language.py',
             'input/synchronisation': 'tests/parallel/test_language.py'}


def mirror(source):
    """Path of the test of a source file given by folder/name."""
    folder, name = source.split('/')
    if source in ELSEWHERE:
        return ELSEWHERE[source]
    if folder in ('input', 'app'):
        return f'tests/input/test_{name}.py'
    return f'tests/unit/{folder}/{name}_test.cpp'


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    sources = [path.relative_to(root / 'src').with_suffix('').as_posix()
               for path in sorted((root / 'src').rglob('*.cpp'))]
    missing = [f'src/{source}.cpp has no {mirror(source)}' for source in sources
               if not (root / mirror(source)).is_file()]
    print('\n'.join(missing) or f'{len(sources)} source files, each with its test')
    return 1 if missing or not sources else 0


if __name__ == '__main__':
    sys.exit(main())
