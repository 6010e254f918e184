"""How the sources are compiled, for checks that call a compiler themselves."""

import json
import shlex


def compiled_sources(build):
    """Words of the compiler's command line for each source of src/, or group of them, by its file; without the file and
    without what is written. The build directory needs no programs."""
    found = {}
    for entry in json.loads((build / 'compile_commands.json').read_text()):
        file, words = entry['file'], shlex.split(entry['command'])
        if '/tests/' in file or 'cmake_pch' in file:
            continue
        for option in ('-o', '-c'):
            at = words.index(option)
            del words[at:at + 2]
        found[file] = words
    return found
