"""Checks that includes only point down (docs/developer.md, "Layers").

A folder of src/ may include itself, the folders it may look at, and what those may include. Headers of outside
libraries that belong to one folder only are held there.
"""

import pathlib
import re
import sys

MAY_LOOK_AT = {
    'core': [],
    'math': ['core'],
    'parallel': ['core'],
    'geometry': ['math'],
    'body': ['geometry'],
    'contact': ['body'],
    'constraint': ['contact', 'local_dynamics'],
    'local_dynamics': ['math', 'parallel'],
    'solver': ['local_dynamics'],
    'domain': ['constraint', 'parallel'],
    'output': ['domain'],
    'synchronisation': ['domain'],
    'simulation': ['synchronisation', 'solver', 'output'],
    'input': ['simulation'],
    'app': ['input'],
}
HELD = {r'mpi\.h|zoltan.*': ['parallel'], r'hdf5.*': ['output'], r'pybind11/.*|Python\.h': ['input', 'app'],
        r'CLI/.*': ['app'], r'libqhull.*|metis\.h': ['geometry'],
        r'cholmod\.h': ['body']}


def reach(folder):
    """The folder itself and all below it."""
    return {folder}.union(*(reach(below) for below in MAY_LOOK_AT[folder]))


def main():
    source = pathlib.Path(__file__).resolve().parents[2] / 'src'
    problems = []
    count = 0
    for path in sorted(source.rglob('*.[ch]pp')):
        folder = path.relative_to(source).parts[0]
        if folder not in MAY_LOOK_AT:
            problems.append(f'{path}: the folder {folder} is not in the table of layers')
            continue
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            include = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
            if not include:
                if re.match(r'\s*#\s*if.*MPI', line) and folder != 'parallel':
                    problems.append(f'{path}:{number}: a condition on MPI outside of src/parallel')
                continue
            count += 1
            kind, name = include.groups()
            if kind == '"' and name.split('/')[0] not in reach(folder):
                problems.append(f'{path}:{number}: {folder} may not look at {name}')
            for pattern, folders in HELD.items():
                if kind == '<' and re.fullmatch(pattern, name) and folder not in folders:
                    problems.append(f'{path}:{number}: {name} belongs in {", ".join(folders)} only')
    print('\n'.join(problems) or f'{count} includes, all of them downwards')
    return 1 if problems or count == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
