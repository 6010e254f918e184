"""Processor seconds of drawing, for docs/viewing/picture.md:

    PYTHONPATH=build/python /usr/bin/python3 docs/evidence/drawing.py [sampling]

Piles of balls and of polyhedra that are not run: their present state is drawn, 1200x900 pixels; medians of five.
"""

import statistics
import sys
import tempfile
import time
from math import cos, sin

from solfec import *
from solfec.rendering import Drawing
from solfec.scene import Scene
from solfec.view_settings import ViewSettings

GOLDEN = 2.399963229728653  # the golden angle, for corners spread over a sphere
sampling = int(sys.argv[1]) if len(sys.argv) > 1 else 1


def stone(center):
    corners = []
    for k in range(12):
        z = 1 - (2 * k + 1) / 12
        r = (1 - z * z) ** 0.5
        corners += [center[0] + 0.05 * r * cos(GOLDEN * k), center[1] + 0.05 * r * sin(GOLDEN * k),
                    center[2] + 0.05 * z]
    return HULL(corners, 1, 1)


def pile(kind, count, folder):
    solfec = SOLFEC('DYNAMIC', 1E-3, f'{folder}/{kind}-{count}')
    material = BULK_MATERIAL(solfec)
    side = round(count ** (1 / 3))
    for k in range(count):
        center = (0.1 * (k % side), 0.1 * (k // side % side), 0.1 * (k // side ** 2))
        BODY(solfec, 'RIGID', SPHERE(center, 0.045, 1, 1) if kind == 'balls' else stone(center), material)
    return solfec


def seconds(work):
    """Median of the processor time of five calls, after one."""
    work()
    times = []
    for k in range(5):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return statistics.median(times)


def measure(scene, shadows):
    """Seconds of another view and of the next frame."""
    settings = ViewSettings(shadows=shadows)
    drawing = Drawing(scene, settings, size=(1200, 900), sampling=sampling)
    directions = iter([(1, k, -1) for k in range(2, 20)])

    def turn():
        drawing.view_along(next(directions), (0, 0, 1))
        drawing.image()

    def next_frame():
        scene.update()
        scene.frame(0)
        drawing.update()
        drawing.image()

    return seconds(turn), seconds(next_frame)


with tempfile.TemporaryDirectory() as folder:
    print('%-20s %12s %12s %24s' % ('bodies', 'another view', 'next frame', 'another view, shadows'))
    for kind, count in (('balls', 1000), ('balls', 10000), ('balls', 100000), ('polyhedra', 1000),
                        ('polyhedra', 20000)):
        solfec = pile(kind, count, folder)
        scene = Scene(solfec)
        turn, next_frame = measure(scene, False)
        print('%-20s %12.3f %12.3f %24.3f' % (f'{count} {kind}', turn, next_frame, measure(scene, True)[0]), flush=True)
