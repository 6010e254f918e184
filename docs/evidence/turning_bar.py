"""A steel bar (0.4 m, 0.02 m square) that turns on a FIX_POINT at its end, without loads, at steps of 1 ms.

    build/bin/solfec docs/evidence/turning_bar.py [--turns 100] [--angles 0.01 0.05 0.3]

Of each kind, scheme and angle in a step: least and largest kinetic and stored energy together, over that after the
first step, and the speed of the tip over that of a rigid bar; or when the run ends with an error.
"""

import argparse
import math
import shutil

parser = argparse.ArgumentParser()
parser.add_argument('--turns', type=float, default=100)
parser.add_argument('--angles', type=float, nargs='+', default=[0.01, 0.05, 0.3])
args = parser.parse_args(NON_SOLFEC_ARGV())

STEP, LENGTH, A, LOOKS = 1E-3, 0.4, 0.01, 20
CORNERS = [c for z in (-A, A) for x, y in ((0, -A), (LENGTH, -A), (LENGTH, A), (0, A)) for c in (x, y, z)]
SERIES = [('RIGID', None, 'RIG_IMP')]
SERIES += [('PSEUDO_RIGID', None, scheme) for scheme in ('DEF_LIM', 'DEF_LIM2', 'DEF_IMP')]
SERIES += [('FINITE_ELEMENT', 'TL', scheme) for scheme in ('DEF_LIM', 'DEF_LIM2', 'DEF_IMP')]
SERIES += [('FINITE_ELEMENT', 'BC', scheme) for scheme in ('DEF_LIM', 'DEF_LIM2')]


def turn(kind, form, scheme, angle):
    speed = angle / STEP
    shutil.rmtree('out/turning-bar', ignore_errors=True)
    solfec = SOLFEC('DYNAMIC', STEP, 'out/turning-bar')
    solfec.verbose = 'OFF'
    OUTPUT(solfec, 1E9)
    steel = BULK_MATERIAL(solfec, young=2E11, poisson=0.3, density=7800)
    shape = HEX(CORNERS, 8, 1, 1, 1, [1] * 6) if form else HULL(CORNERS, 1, 1)
    bar = BODY(solfec, kind, shape, steel, **({'form': form} if form else {}))
    bar.scheme = scheme
    FIX_POINT(bar, (0, 0, 0))
    INITIAL_VELOCITY(bar, (0, speed * LENGTH / 2, 0), (0, 0, speed))
    energies = []
    for k in range(LOOKS + 1):
        try:
            RUN(solfec, AUTO_SOLVER(1E-12), 2 * math.pi * args.turns / speed / LOOKS if k else STEP)
        except RuntimeError:
            return 'error after %.3g s' % solfec.time
        energies.append(sum(ENERGY(solfec)[:2]))
    tip = math.sqrt(sum(v * v for v in VELOCITY(bar, (LENGTH, 0, 0))))
    return '%.6f to %.6f; %.4f' % (min(energies) / energies[0], max(energies) / energies[0], tip / (speed * LENGTH))


for kind, form, scheme in SERIES:
    print('| %s | %s |' % (' '.join(filter(None, (kind, form, scheme))),
                           ' | '.join(turn(kind, form, scheme, angle) for angle in args.angles)), flush=True)
