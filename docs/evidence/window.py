"""What the window needs to open results and to play them, for docs/viewing/window.md:

    PYTHONPATH=build/python /usr/bin/python3 docs/evidence/window.py [KIND:COUNT...]

KIND is balls, polyhedra or tetrahedra (of one finite-element body). Each model runs a few steps first, and is then
shown in a window of 1200x900 pixels on a virtual display. Printed are seconds until results are open, from then on
until the first picture is there, from one picture to the next as frames are played, and processor seconds of the same
(medians); memory of the window [MB].
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import permutations
from math import cos, pi, sin

CASES = 'balls:10000', 'balls:100000', 'polyhedra:20000', 'tetrahedra:1000000'
SIZE = 1200, 900                     # of the window, with its panels [pixels]
SPACING, STEP, STEPS = 0.1, 1E-3, 8  # [m], [s]
GOLDEN = pi * (3 - 5 ** 0.5)         # the golden angle, for corners spread over a sphere
PICTURES = 40                        # that are played


def main(cases):
    from solfec.rendering.display import require_display
    require_display()
    print('%-20s %8s %14s %13s %13s %12s' % ('model', 'open', 'first picture', 'next picture', 'processor', 'memory'))
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            for task in 'run', 'show':
                subprocess.run([sys.executable, __file__, task, case, folder + '/model'], check=True)


def run(case, path):
    """Writes results of a few steps."""
    from solfec import GAUSS_SEIDEL_SOLVER, GRAVITY, OUTPUT, RUN, SOLFEC, SURFACE_MATERIAL
    kind, count = case.split(':')
    solfec = SOLFEC('DYNAMIC', STEP, path)
    solfec.verbose = 'OFF'
    OUTPUT(solfec, STEP)
    GRAVITY(solfec, (0, 0, -9.81))
    SURFACE_MATERIAL(solfec, friction=0.4)
    if kind == 'tetrahedra':
        block(solfec, int(count))
    else:
        pile(solfec, {'balls': ball, 'polyhedra': stone}[kind], int(count))
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-2, 3), STEPS * STEP)


def pile(solfec, shape, count):
    """Bodies in a lattice that move, and so touch each other."""
    from solfec import BODY, BULK_MATERIAL, INITIAL_VELOCITY
    material, side = BULK_MATERIAL(solfec), round(count ** (1 / 3))
    for k in range(count):
        center = [SPACING * i for i in (k % side, k // side % side, k // side ** 2)]
        body = BODY(solfec, 'RIGID', shape(center), material)
        INITIAL_VELOCITY(body, (cos(k), sin(k), 0), (0, 0, sin(3 * k)))


def ball(center):
    from solfec import SPHERE
    return SPHERE(center, 0.5 * SPACING, 1, 1)


def stone(center):
    from solfec import HULL
    corners = []
    for k in range(12):
        z = 1 - (2 * k + 1) / 12
        r = (1 - z * z) ** 0.5
        corners += [c + 0.5 * SPACING * x for c, x in zip(center, (r * cos(GOLDEN * k), r * sin(GOLDEN * k), z))]
    return HULL(corners, 1, 1)


def block(solfec, count):
    """A cube of so many tetrahedra, six in each cell of a grid."""
    from solfec import BODY, BULK_MATERIAL, INITIAL_VELOCITY, MESH
    side = round((count / 6) ** (1 / 3))
    grid = range(side + 1)
    nodes = [SPACING * x for k in grid for j in grid for i in grid for x in (i, j, k)]
    across = 1, side + 1, (side + 1) ** 2
    elements = []
    for cell in (i + j * across[1] + k * across[2] for k in range(side) for j in range(side) for i in range(side)):
        for a, b in permutations(across, 2):  # along edges of the cell, from one corner to the opposite one
            elements += [4, cell, cell + a, cell + a + b, cell + sum(across), 1]
    body = BODY(solfec, 'FINITE_ELEMENT', MESH(nodes, elements, 1), BULK_MATERIAL(solfec, young=1E6))
    INITIAL_VELOCITY(body, (0, 0, 0), (0, 0, 1))


def show(case, path):
    """Opens the window, plays, and prints a line."""
    os.environ['XDG_STATE_HOME'] = path  # as if it was never opened before
    from solfec.window import __main__ as window
    window.require_graphics()
    begun = time.monotonic()
    models = window.open_models(window.parse([path]))
    opened = time.monotonic()
    from PyQt5.QtWidgets import QApplication
    from solfec.window.main_window import MainWindow
    from solfec.window.session import Session
    application, session, drawn = QApplication(['solfec']), Session(), []
    main_window = MainWindow(session)
    session.drawn.connect(lambda: drawn.append((time.monotonic(), time.process_time())))
    main_window.open_at(*SIZE)
    session.add(models[0])
    while not drawn:
        application.processEvents()
    first = drawn[0][0]
    application.processEvents()
    main_window.view.hurry(True)  # as while playing
    drawn.clear()
    for k in range(PICTURES):
        session.show(k % len(models[0].times))
        application.processEvents()
    wall, cpu = (statistics.median(b - a for a, b in zip(clock, clock[1:])) for clock in zip(*drawn))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = opened - begun, first - opened, wall, cpu, memory
    print('%-20s %8.2f %14.2f %13.3f %13.3f %12.0f' % (case, *figures), flush=True)
    os._exit(0)  # Qt and VTK would close their windows in an order of their own


if __name__ == '__main__':
    if sys.argv[1:2] == ['run']:
        run(*sys.argv[2:])
    elif sys.argv[1:2] == ['show']:
        show(*sys.argv[2:])
    else:
        main(sys.argv[1:] or CASES)
