"""Contacts of meshed blocks, and what a step with them takes (a minute):

    build/bin/solfec -w docs/evidence/contact_points.py

Blocks of k x k x k hexahedra lie on a table of one piece, under their weight. For each kind of body and each setting of
contact_points: contacts, and time of a step (the best of three runs of 20).
"""

import os
import tempfile
from time import perf_counter


def block(low, high, n):
    (x0, y0, z0), (x1, y1, z1) = low, high
    return HEX([x0, y0, z0, x1, y0, z0, x1, y1, z0, x0, y1, z0, x0, y0, z1, x1, y0, z1, x1, y1, z1, x0, y1, z1],
               n, n, n, 1, [1] * 6)


def measure(kind, k, points, run):
    solfec = SOLFEC('DYNAMIC', 1E-3, '%s-%d-%s-%d' % (kind, k, points, run))
    solfec.verbose, solfec.contact_points = 'OFF', points
    OUTPUT(solfec, 1E6)
    GRAVITY(solfec, (0, 0, -10))
    SURFACE_MATERIAL(solfec, friction=0.5)
    material = BULK_MATERIAL(solfec, young=1E8, poisson=0.25, density=1000)
    BODY(solfec, 'OBSTACLE', block((-1, -1, -1), (2, 2, 0), 1), material)
    body = BODY(solfec, kind, block((0, 0, 0), (1, 1, 1), k), material)
    if kind == 'FINITE_ELEMENT':
        body.scheme = 'DEF_LIM'
    solver = AUTO_SOLVER(1E-8)
    RUN(solfec, solver, 5E-3)
    start = perf_counter()
    RUN(solfec, solver, 0.02)
    return solfec.ncon, 1000 * (perf_counter() - start) / 20


with tempfile.TemporaryDirectory() as directory:
    os.chdir(directory)
    print('%-15s %2s   %22s   %22s' % ('', 'k', "'ONE': contacts, ms", "'MANY': contacts, ms"))
    for kind in ('RIGID', 'FINITE_ELEMENT'):
        for k in (1, 2, 4, 8, 16) if kind == 'RIGID' else (1, 2, 4, 8):
            best = [min((measure(kind, k, points, run) for run in range(3)), key=lambda c: c[1])
                    for points in ('ONE', 'MANY')]
            print('%-15s %2d   %14d %7.2f   %14d %7.2f' % (kind, k, *best[0], *best[1]), flush=True)
