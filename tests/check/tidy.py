"""Runs clang-tidy 16 (.clang-tidy) on the sources, group by group as they are compiled.

    python3 tests/check/tidy.py [--build DIRECTORY] [FOLDER...]

FOLDER: of src/, as body; all of them without. The build directory needs no programs: `cmake --preset release` is
enough. Takes minutes; ends with 1 where something is found.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

from compiled_sources import compiled_sources

ROOT = pathlib.Path(__file__).resolve().parents[2]
GCC_ONLY = ('-Werror', '-Winvalid-pch')


def folder_of(file):
    """Folder of src/ that a source, or the first source of a group, is in."""
    if '/Unity/' in file:
        file = re.search(r'#include "(.*)"', pathlib.Path(file).read_text()).group(1)
    return pathlib.Path(file).relative_to(ROOT / 'src').parts[0]


def groups(build, folders):
    """Sources, or groups of them, with the compiler's arguments that clang understands."""
    found = {}
    for file, words in compiled_sources(build).items():
        if folders and folder_of(file) not in folders:
            continue
        words = [word for word in words[1:] if word not in GCC_ONLY]
        if '-include' in words:  # a header that GCC has compiled
            at = words.index('-include')
            del words[at:at + 2]
        found[file] = words
    return found


def look(file, arguments):
    done = subprocess.run(['clang-tidy-16', '--quiet', file, '--config-file', ROOT / '.clang-tidy', '--',
                           *arguments, '-Wno-unknown-warning-option', '-Wno-everything'],
                          capture_output=True, text=True, env={**os.environ, 'LC_ALL': 'C'})
    found = [part for part in re.split(r'\n(?=/)', done.stdout) if ': error:' in part or ': warning:' in part]
    if done.returncode != 0 and not found:
        sys.exit('clang-tidy-16 failed:\n' + done.stderr)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build', help='build directory (default: build)')
    parser.add_argument('folders', metavar='FOLDER', nargs='*')
    given = parser.parse_args()
    if shutil.which('clang-tidy-16') is None:
        parser.error('clang-tidy-16 is missing: apt-get install clang-tidy-16 libomp-16-dev')
    work = groups(given.build, given.folders)
    missing = set(given.folders) - {folder_of(file) for file in work}
    if missing or not work:
        parser.error('no sources of src/' + ', src/'.join(sorted(missing)) + ': run cmake --preset release first')
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = sorted({part.strip() for parts in pool.map(look, work, work.values()) for part in parts})
    print('\n'.join(found))
    print(f'{len(work)} groups of sources, {len(found)} findings')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
