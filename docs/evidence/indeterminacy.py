"""Cost of INDETERMINACY: walls of bricks with friction, and balls that have settled in a box; clusters of growing size.

    build/bin/solfec docs/evidence/indeterminacy.py [bricks] [balls]

prints bodies, components, degree of static indeterminacy, and its time divided by that of a step.
"""

import random
import time

sizes = [int(word) for word in NON_SOLFEC_ARGV() or ()]


def model(name, friction, step):
    solfec = SOLFEC('DYNAMIC', step, 'out/indeterminacy-' + name)
    solfec.verbose = 'OFF'
    GRAVITY(solfec, (0, 0, -9.81))
    SURFACE_MATERIAL(solfec, friction=friction)
    return solfec, BULK_MATERIAL(solfec, density=2000)


def wall(bricks):
    solfec, stone = model('wall-%d' % bricks, 0.8, 1E-3)
    across = max(int((bricks / 2)**0.5), 2)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (2 * across + 9, 9, 1)), stone)
    for k in range(bricks):
        x, z = k % across, k // across
        BODY(solfec, 'RIGID', BOX((x - across / 2 + 0.5 * (z % 2), 0, 0.25 + 0.5 * z), (0.999, 0.5, 0.5)), stone)
    return solfec, 2


def heap(balls):
    solfec, stone = model('balls-%d' % balls, 0.5, 4E-3)
    chance = random.Random(1)
    side = max(int((balls / 1.5)**(1 / 3)), 2)
    for axis in range(3):
        for end in (-1, 1):
            if (axis, end) != (2, 1):
                center, sizes = [side / 2, side / 2, side], [side + 20, side + 20, 6 * side]
                center[axis] = -5 if end < 0 else side + 5
                sizes[axis] = 10
                BODY(solfec, 'OBSTACLE', BOX(center, sizes), stone)
    for k in range(balls):
        x, y, z = k % side, k // side % side, k // side**2
        BODY(solfec, 'RIGID', SPHERE((x + 0.5 + chance.uniform(0, 0.02), y + 0.5, z + 0.55), chance.uniform(0.35, 0.49),
                                     1, 1), stone)
    return solfec, 300


def measure(solfec, steps):
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-4, 100), (steps - 1) * solfec.step)
    began = time.perf_counter()
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-4, 100), solfec.step)
    step = time.perf_counter() - began
    began = time.perf_counter()
    found = INDETERMINACY(solfec)
    took = time.perf_counter() - began
    largest = max(found['clusters'], key=lambda cluster: cluster['components'])
    print('%-28s %7d %9d %9s +- %-6.1f %s %8.2f' % (solfec.outpath[-28:], largest['bodies'], largest['components'],
                                                   largest['degree'], largest['deviation'],
                                                   'resolved' if found['resolved'] else 'NOT RESOLVED', took / step))
    return took, step


for make, counts in ((wall, sizes[:1] or [100, 400, 1600]), (heap, sizes[1:] or [100, 400, 1600])):
    for count in counts:
        print('%.2f s, step %.2f s' % measure(*make(count)))
