"""The first bending mode of an elastic bar, clamped and free: amplitude that is left after ten periods.

    build/bin/solfec -w docs/evidence/held_damping.py

A line for each scheme, with 20, 40 and 80 steps a period: of the bar that FIX_SURFACE clamps at one end, and of the
free one.
"""
from math import pi, sqrt

from solfec import *

LENGTH, THICKNESS, YOUNG, DENSITY, ELEMENTS = 1.0, 0.1, 1E7, 1000.0, 8
FREQUENCIES = {'clamped': 3.516, 'free': 22.373}  # [sqrt(E I / (rho A L^4))]
PERIODS, LEFT_AFTER = 13, 10


def bar(support, scheme, steps_a_period, number):
    """Amplitude after so many periods over that at the start."""
    stiffness = sqrt(YOUNG * THICKNESS**2 / 12 / DENSITY) / LENGTH**2
    period = 2 * pi / (FREQUENCIES[support] * stiffness)
    solfec = SOLFEC('DYNAMIC', period / steps_a_period, 'out/held-damping-%d' % number)
    solfec.verbose = 'OFF'
    OUTPUT(solfec, solfec.step)
    a = 0.5 * THICKNESS
    shape = HEX([0, -a, -a, LENGTH, -a, -a, LENGTH, a, -a, 0, a, -a, 0, -a, a, LENGTH, -a, a, LENGTH, a, a, 0, a, a],
                ELEMENTS, 1, 1, 1, [1, 2, 3, 4, 5, 6])
    body = BODY(solfec, 'FINITE_ELEMENT', shape, BULK_MATERIAL(solfec, young=YOUNG, poisson=0, density=DENSITY))
    body.scheme = scheme
    if support == 'clamped':
        FIX_SURFACE(body, 2)
    push = TIME_SERIES([0, 0, 2 * period, 1, 2.0001 * period, 0, 1E9, 0])  # slowly, and let go
    pull = TIME_SERIES([0, 0, 2 * period, -1, 2.0001 * period, 0, 1E9, 0])
    for y in (-a, a):
        for z in (-a, a):
            FORCE(body, 'SPATIAL', (LENGTH, y, z), (0, 0, 0.01), push)
            if support == 'free':
                FORCE(body, 'SPATIAL', (0, y, z), (0, 0, 0.01), push)
                FORCE(body, 'SPATIAL', (0.5 * LENGTH, y, z), (0, 0, 0.02), pull)
    RUN(solfec, AUTO_SOLVER(1E-16), (PERIODS + 1) * period)
    times, end, middle = HISTORY(solfec, [(body, (LENGTH, 0, 0), 'DZ'), (body, (0.5 * LENGTH, 0, 0), 'DZ')], 0,
                                 solfec.time)
    bent = [e - m for e, m in zip(end, middle)]

    def amplitude(start):
        part = [b for t, b in zip(times, bent) if start <= t / period <= start + 1]
        return 0.5 * (max(part) - min(part))

    return amplitude(2.5 + LEFT_AFTER) / amplitude(2.5)


number = 0
for scheme in ('DEF_LIM', 'DEF_LIM2', 'DEF_IMP', 'DEF_EXP'):
    for support in FREQUENCIES:
        left = []
        for steps in (20, 40, 80):
            number += 1
            left.append('%.2f' % bar(support, scheme, steps, number))
        print('%-8s %-7s %s' % (scheme, support, ' '.join(left)), flush=True)
