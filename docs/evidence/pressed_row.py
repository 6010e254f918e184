"""Five cubes in a row that a force presses against a wall, by 72 times the weight of one; 25 times would hold them
by a friction of 0.4 and keep the row together: how far the last one has moved along z after 3 s, or when it has sunk
by a centimetre.

    build/bin/solfec -w docs/evidence/pressed_row.py
"""

import tempfile

SIDE, COUNT, DENSITY, GRAVITY_ = 0.1, 5, 1000, 9.81


def sink(directory, step, merit, correction):
    solfec = SOLFEC('DYNAMIC', step, f'{directory}/{step}-{merit}-{correction}')
    solfec.verbose, solfec.contact_correction = 'OFF', correction
    OUTPUT(solfec, 10)
    GRAVITY(solfec, (0, 0, -GRAVITY_))
    SURFACE_MATERIAL(solfec, friction=0.4)
    material = BULK_MATERIAL(solfec, density=DENSITY)
    BODY(solfec, 'OBSTACLE', BOX((-0.1, 0, 0), (0.2, 1, 1)), material)
    cubes = [BODY(solfec, 'RIGID', BOX(((k + 0.5) * SIDE, 0, 0), (SIDE, SIDE, SIDE)), material) for k in range(COUNT)]
    FORCE(cubes[-1], 'SPATIAL', (COUNT * SIDE, 0, 0), (-1, 0, 0), 72 * cubes[0].mass * GRAVITY_)

    def depth():
        return -DISPLACEMENT(cubes[-1], cubes[-1].center)[2]
    CALLBACK(solfec, step, None, lambda: depth() < 0.01)
    RUN(solfec, AUTO_SOLVER(merit), 3)
    return '%.0E m' % abs(depth()) if depth() < 0.01 else 'falls at %.2f s' % solfec.time


CASES = (1E-8, 'ON'), (1E-10, 'ON'), (1E-12, 'ON'), (1E-8, 'AHEAD')
print('| step | %s |' % ' | '.join("%.0E, '%s'" % case for case in CASES))
with tempfile.TemporaryDirectory() as directory:
    for step in 1E-3, 2E-3, 5E-3:
        print('| %g ms | %s |' % (1E3 * step, ' | '.join(sink(directory, step, *case) for case in CASES)), flush=True)
