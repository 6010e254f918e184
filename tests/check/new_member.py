"""Lists the places of the sources that a new member of a closed set needs: those that the compiler names.

    python3 tests/check/new_member.py body|joint|shape|solver|scheme|law [--build DIRECTORY]

A copy of src/ is given the member and nothing else, and each folder is compiled, for its errors only. It takes
minutes. The build directory needs no programs: `cmake --preset release` is enough.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

from compiled_sources import compiled_sources

ROOT = pathlib.Path(__file__).resolve().parents[2]
# File, what stands there, and what stands there with the new member.
MEMBERS = {
    'body': ('body/body_kind.hpp', 'finite_element };', 'finite_element, dummy };'),
    'joint': ('body/constraint_kind.hpp', '  spring  ', '  dummy, spring  '),
    'shape': ('geometry/shape.hpp', 'using Solid = std::variant<Polyhedron,',
              'struct Dummy {};\nusing Solid = std::variant<Dummy, Polyhedron,'),
    'solver': ('core/solver_kind.hpp', '  nonsmooth,\n', '  dummy,\n  nonsmooth,\n'),
    'scheme': ('body/body_store.hpp', '  none,\n  rig_pos', '  none,\n  dummy,\n  rig_pos'),
    'law': ('local_dynamics/contact_law.hpp', 'enum class LawKind : std::uint8_t {',
            'enum class LawKind : std::uint8_t {\n  dummy,')}


def commands(build, copy):
    """The compiler's arguments for each source or group of sources, of the copy."""
    seen = {}
    for file, words in compiled_sources(build).items():
        arguments = [word.replace(str(ROOT / 'src'), str(copy)) for word in words]
        source = file.replace(str(ROOT / 'src'), str(copy))
        if '/Unity/' in file:
            source = str(copy / (re.sub(r'\W', '_', file) + '.cpp'))
            pathlib.Path(source).write_text(pathlib.Path(file).read_text().replace(str(ROOT / 'src'), str(copy)))
        seen[source] = [*arguments, '-fsyntax-only', '-Wno-invalid-pch', source]
    return seen


def compiled(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True, env={**os.environ, 'LC_ALL': 'C'})
    return done.stderr


def places(text, copy):
    """What is wrong at which (file, line) of the sources, in few words."""
    pattern = re.escape(str(copy)) + r'/([\w/.]+):(\d+):\d+: error: (.*)'
    return {(file, int(line)): textwrap.shorten(what, 90, placeholder=' ...')
            for file, line, what in re.findall(pattern, text)}


def main():
    parser = argparse.ArgumentParser(description='Lists what a new member of a closed set needs.')
    parser.add_argument('member', choices=MEMBERS)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    options = parser.parse_args()
    name, before, after = MEMBERS[options.member]
    with tempfile.TemporaryDirectory() as directory:
        copy = pathlib.Path(directory) / 'src'
        subprocess.run(['cp', '-r', str(ROOT / 'src'), str(copy)], check=True)
        text = (copy / name).read_text()
        if text.count(before) != 1:
            sys.exit(f"{name} does not hold '{before}' once")
        (copy / name).write_text(text.replace(before, after))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            output = ''.join(pool.map(compiled, commands(options.build, copy).values()))
        found = places(output, copy)
    for (file, line), what in sorted(found.items()):
        print(f'src/{file}:{line}: {what}')
    files = {file for file, line in found}
    print(f'a new {options.member} does not compile: {len(found)} places in {len(files)} files')
    return 0 if found else 1


if __name__ == '__main__':
    sys.exit(main())
