"""Files that are there as a whole, or not at all."""

import contextlib
import json
import os


@contextlib.contextmanager
def whole_file(path, mode='w', **options):
    """As open(path, mode), for writing. The file takes its place when the with statement ends without an error, and
    what was there before stays until then. Links are followed; pipes and devices are written to as they are."""
    path = os.path.realpath(path)
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, mode, **options) as file:
            yield file
        return
    folder, name = os.path.split(path)
    part = os.path.join(folder, '.%s.%d.part' % (name, os.getpid()))
    try:
        with open(part, mode, **options) as file:
            yield file
        os.replace(part, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(part)


def write_json(path, values):
    """Writes values as JSON that people can read."""
    with whole_file(path) as file:
        json.dump(values, file, indent=2)
        file.write('\n')
