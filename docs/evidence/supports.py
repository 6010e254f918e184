"""Time of a step of a finite-element body that is held along its edges, by solver times of the program.

    build/bin/solfec -w docs/evidence/supports.py [--cells 24 40 1] [--form TL|BC] [--analysis QUASI_STATIC|DYNAMIC]
                     [--strength N] [--steps 9]

A membrane of cells hexahedra under a pressure; all nodes of its four sides are fixed: by FIX_SURFACE, or with
--strength by FIX_POINTs that break above that force, which are rows of W. Prints the median time of the phases of a
step.
"""

import argparse
import statistics

parser = argparse.ArgumentParser()
parser.add_argument('--cells', type=int, nargs=3, default=(24, 40, 1))
parser.add_argument('--form', default='TL', choices=('TL', 'BC'))
parser.add_argument('--analysis', default='QUASI_STATIC', choices=('QUASI_STATIC', 'DYNAMIC'))
parser.add_argument('--strength', type=float)
parser.add_argument('--steps', type=int, default=9)
args = parser.parse_args(NON_SOLFEC_ARGV())

sizes = (0.6, 1.0, 0.01)
solfec = SOLFEC(args.analysis, 1E-3, 'out/supports')
solfec.verbose = 'OFF'
OUTPUT(solfec, 1E6)
material = BULK_MATERIAL(solfec, young=1E7, poisson=0.3, density=1000)
SURFACE_MATERIAL(solfec)
corners = [size * bit for corner in ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1),
                                     (0, 1, 1)) for size, bit in zip(sizes, corner)]
body = BODY(solfec, 'FINITE_ELEMENT', HEX(corners, *args.cells, 1, [1, 2, 2, 2, 2, 6]), material, form=args.form)
if args.analysis == 'DYNAMIC':
    body.scheme = 'DEF_LIM2'
PRESSURE(body, 6, 100)
if args.strength is None:
    supports = FIX_SURFACE(body, 2)
else:
    points = [[size * n / count for size, n, count in zip(sizes, (i, j, k), args.cells)]
              for i in range(args.cells[0] + 1) for j in range(args.cells[1] + 1) for k in range(args.cells[2] + 1)
              if i in (0, args.cells[0]) or j in (0, args.cells[1])]
    supports = [FIX_POINT(body, point, args.strength) for point in points]
solver = AUTO_SOLVER(1E-6)
phases = ('TIMINT', 'CONDET', 'LOCDYN', 'CONSOL')
seen = []
for _ in range(args.steps):
    RUN(solfec, solver, solfec.step)
    seen.append([TIMING(solfec, phase) for phase in phases])
medians = [1E3 * statistics.median(column) for column in zip(*seen)]
middle = DISPLACEMENT(body, [size / 2 for size in sizes[:2]] + [0])[2]
print('%d supported nodes: a step %.1f ms, ' % (len(supports), sum(medians))
      + ', '.join('%s %.1f' % pair for pair in zip(phases, medians)) + '; the middle has moved by %.6g m' % middle)
