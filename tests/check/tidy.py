"""Runs clang-tidy 16 (.clang-tidy) on the sources, group by group as they are compiled.

    python3 tests/check/tidy.py [--build DIRECTORY] [FOLDER...]

FOLDER: of src/, as body; all of them without. The build directory needs no programs: `cmake --preset release` is
enough. Takes minutes; ends with 1 where something is found.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
GCC_ONLY = ('-Werror', '-Winvalid-pch', '-fno-gnu-unique')


def groups(build, folders):
    """Sources, or groups of them, with the compiler's arguments that clang understands."""
    found = {}
    for entry in json.loads((build / 'compile_commands.json').read_text()):
        file, words = entry['file'], shlex.split(entry['command'])
        target = next((word for word in words if 'CMakeFiles/' in word and word.endswith('.o')), '')
        if '/src/' not in target and not target.startswith('src/') or 'cmake_pch' in file:
            continue
        if folders and not any(f'solfec_{folder}.dir' in target for folder in folders):
            continue
        arguments = []
        words = iter(words[1:])
        for word in words:
            if word in ('-o', '-c', '-include'):
                next(words)
            elif word not in GCC_ONLY and not word.startswith('-fdiagnostics'):
                arguments.append(word)
        found[file] = arguments
    return found


def look(file, arguments):
    done = subprocess.run(['clang-tidy-16', '--quiet', file, '--config-file', ROOT / '.clang-tidy', '--',
                           *arguments, '-Wno-unknown-warning-option', '-Wno-everything'],
                          capture_output=True, text=True, env={**os.environ, 'LC_ALL': 'C'})
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build', help='build directory (default: build)')
    parser.add_argument('folders', metavar='FOLDER', nargs='*')
    given = parser.parse_args()
    work = groups(given.build, given.folders)
    if not work:
        parser.error('no sources: run cmake --preset release first, and name folders of src/')
    found = set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for text in pool.map(look, work, work.values()):
            for part in text.split('\n/'):
                found.add(part.strip())
    found = sorted(part for part in found if ': error:' in part or ': warning:' in part)
    print('\n'.join(found))
    print(f'{len(work)} groups of sources, {len(found)} findings')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
