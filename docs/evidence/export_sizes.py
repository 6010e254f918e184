"""Sizes and times of exports, for docs/viewing/export.md:

    PYTHONPATH=build/python /usr/bin/python3 docs/evidence/export_sizes.py RESULTS...
"""

import os
import sys
import tempfile
import time

from solfec.export.exporter import Settings, export
from solfec.scene import Scene

KINDS = (('.xdmf', {}), ('.xdmf', {'points': True}), ('.vtkhdf', {}), ('.glb', {}))


def megabytes(paths):
    return sum(os.path.getsize(path) for path in paths) / 1E6


print('| results | bodies | frames | results | `.xdmf` | `--points` | `.vtkhdf` | `.glb` |\n' + '|---' * 8 + '|')
for results in sys.argv[1:]:
    scene = Scene(results).frame(-1)
    files = (entry.path for entry in os.scandir(results) if entry.name.endswith('.h5'))
    row = [os.path.basename(os.path.normpath(results)), len(scene.ids), len(scene.times), '%.0f' % megabytes(files)]
    for suffix, values in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            begun = time.monotonic()
            made = export(results, os.path.join(folder, 'a' + suffix), Settings(**values))
            row.append('%.1f, %.0f s' % (megabytes(made.files), time.monotonic() - begun))
    print('| ' + ' | '.join(map(str, row)) + ' |', flush=True)
