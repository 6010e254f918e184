"""Time of a step of a finite-element slab that hundreds of joints hold and rigid cubes lie on.

    build/bin/solfec -w docs/evidence/held_slab.py [--cells 20] [--layers 12] [--every 2] [--cubes 4] [--form TL]
                     [--solver AUTO|NEWTON|NEWTON_OFF] [--steps 11]

The slab has cells x cells x layers hexahedra; every second node of its lower face (--every 2) is on a FIX_POINT; cubes
x cubes rigid cubes of eight hexahedra's faces lie on it. Prints medians over the steps.
"""

import argparse
import statistics
import time

parser = argparse.ArgumentParser()
for name, default in (('cells', 20), ('layers', 12), ('every', 2), ('cubes', 4), ('steps', 11)):
    parser.add_argument('--' + name, type=int, default=default)
parser.add_argument('--form', default='TL', choices=('TL', 'BC'))
parser.add_argument('--solver', default='AUTO', choices=('AUTO', 'NEWTON', 'NEWTON_OFF'))
args = parser.parse_args(NON_SOLFEC_ARGV())


def box(low, high):
    return [(low, high)[bit][axis] for corner in ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1),
                                                  (1, 1, 1), (0, 1, 1)) for axis, bit in enumerate(corner)]


length, height = 1.6, 0.3
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/held-slab')
solfec.verbose = 'OFF'
material = BULK_MATERIAL(solfec, young=1E7, poisson=0.3, density=1000)
SURFACE_MATERIAL(solfec, friction=0.3)
GRAVITY(solfec, (0, 0, -10))
mesh = HEX(box((0, 0, 0), (length, length, height)), args.cells, args.cells, args.layers, 1, [1] * 6)
slab = BODY(solfec, 'FINITE_ELEMENT', mesh, material, form=args.form)
slab.scheme = 'DEF_LIM'
joints = 0
for i in range(0, args.cells + 1, args.every):
    for j in range(0, args.cells + 1, args.every):
        FIX_POINT(slab, (length * i / args.cells, length * j / args.cells, 0))
        joints += 1
pitch = length / args.cubes
for i in range(args.cubes):
    for j in range(args.cubes):
        low = (pitch * (i + 0.2), pitch * (j + 0.2), height)
        BODY(solfec, 'RIGID', HULL(box(low, [low[0] + 0.6 * pitch, low[1] + 0.6 * pitch, low[2] + 0.6 * pitch]), 2, 2),
             material)
solver = {'AUTO': lambda: AUTO_SOLVER(1E-6), 'NEWTON': lambda: NEWTON_SOLVER(1E-6, 200),
          'NEWTON_OFF': lambda: NEWTON_SOLVER(1E-6, 200, 'OFF')}[args.solver]()
kinds = ('TIMINT', 'LOCDYN', 'CONSOL')
seen = []
for _ in range(args.steps):
    start = time.perf_counter()
    RUN(solfec, solver, solfec.step)
    seen.append([time.perf_counter() - start] + [TIMING(solfec, kind) for kind in kinds])
medians = [1E3 * statistics.median(column) for column in zip(*seen)]
print('%d nodes, %d joints, %d contacts: a step %.0f ms; ' % ((args.cells + 1)**2 * (args.layers + 1), joints,
                                                             len(solfec.constraints) - joints, medians[0])
      + ', '.join('%s %.1f' % pair for pair in zip(kinds, medians[1:])))
