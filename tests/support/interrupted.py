"""A run that is interrupted: its model, and what it takes to have gone on as if it had not been.

Texts for scripts of their own process, on one rank or on many.
"""

import numpy

# Balls fall on an obstacle. For scripts of their own process.
FALLING = """
def falling(output, balls=3, step=1E-3):
    solfec = SOLFEC('DYNAMIC', step, output)
    material = BULK_MATERIAL(solfec)
    SURFACE_MATERIAL(solfec, friction=0.5, restitution=0.3)
    GRAVITY(solfec, (0, 0, -10))
    floor = [c for i in range(8) for c in (20 * (i & 1) - 10, 20 * (i >> 1 & 1) - 10, (i >> 2) - 1)]
    BODY(solfec, 'OBSTACLE', HULL(floor, 1, 1), material)
    for i in range(balls):
        ball = BODY(solfec, 'RIGID', SPHERE((0.01 * i, 0, 0.5 + 1.05 * i), 0.5, 1, 1), material)
        INITIAL_VELOCITY(ball, (0.1 * i, 0, 0), (0, 1, 0))
    return solfec
"""

# Three RUNs: glued blocks that are torn apart by a force that grows, balls that fall, bodies made by the script
# between RUNs and by callbacks within them, changes of output and of a body. The run can end itself at a time.
MODEL = """
import os, signal, sys, time
how, when = (sys.argv[1:] + ['never', '1E9'])[:2]
solfec = falling('out', balls=3)
solfec.verbose = 'OFF'
SURFACE_MATERIAL(solfec, friction=0.5, restitution=0.3, spring=1E6, dashpot=100)
SURFACE_MATERIAL(solfec, 7, 8, cohesion=11000, friction=0.4, spring=1E6, dashpot=100)

def block(z, surface):
    corners = [c for i in range(8) for c in (4 + (i & 1), i >> 1 & 1, z + (i >> 2))]
    return HULL(corners, 1, surface)

BODY(solfec, 'OBSTACLE', block(3, 7), 'BULK_MATERIAL_0')
glued = BODY(solfec, 'PSEUDO_RIGID', block(2.001, 8), 'BULK_MATERIAL_0', 'glued')
glued.scheme = 'DEF_LIM'
FORCE(glued, 'SPATIAL', glued.center, (0, 0, -1), TIME_SERIES([0, 0, 1, 1E4]))
solver = GAUSS_SEIDEL_SOLVER(1E-5, 50, 1E-8)

def pull(q, u, t, h):
    return (-50 * q[9], 0, 0, 0, 0, 0, 0, 0, 0)

def tick(size):
    if solfec.nbod < size:
        place = (-4.5 if solfec.time > 0.1205 else -3, 1.3 * solfec.nbod - 6, 0.7)  # none in another one
        ball = BODY(solfec, 'RIGID', SPHERE(place, 0.6, 1, 1), 'BULK_MATERIAL_0')
        INITIAL_VELOCITY(ball, (1, 0, -1), (0, 0, 3))
        FORCE(ball, 'SPATIAL', ball.center, (0, 1, 0), 300)
    if solfec.time > float(when) - 1E-9:
        if how == 'kill':
            HISTORY(solfec, 'STEP', 0, 1)  # frames that wait are published
            if RANK() == NCPU() - 1:
                os.kill(os.getpid(), signal.SIGKILL)
        if how == 'interrupt' and RANK() == 0:
            os.kill(os.getpid(), signal.SIGINT)
        if how == 'exit':
            sys.exit(9)
        if how == 'stop':
            if RANK() == 0:
                open('out/STOP', 'w').close()
            time.sleep(0.3)

def run(duration, end):
    RUN(solfec, solver, duration)
    if RANK() == 0:
        print('%.6f' % solfec.time, solfec.nbod)
    if solfec.time < end - 1E-9:
        if RANK() == 0 and os.path.exists('out/STOP'):  # made again before the run ended
            os.remove('out/STOP')
        sys.exit(9)

OUTPUT(solfec, 0.007)
CALLBACK(solfec, 0.02, 7, tick)
run(0.06, 0.06)
for body in solfec.bodies:  # of this rank
    if body.id == 1:
        INITIAL_VELOCITY(body, (0.5, 0, 0), (0, 0, 1))
late = BODY(solfec, 'RIGID', SPHERE((0, 4, 0.499), 0.5, 1, 1), 'BULK_MATERIAL_0', 'late')
FORCE(late, 'SPATIAL', late.center, (1, 0, 0), pull, None)
OUTPUT(solfec, 0.003)
run(1E-9, 0.06)
CALLBACK(solfec, 0.001, 9, tick)
run(0.06, 0.12)
glued.damping = 1E-4
DELETE(solfec, late)
OUTPUT(solfec, 0)
run(0.05, 0.17)
"""
PENALTY_MODEL = MODEL.replace('GAUSS_SEIDEL_SOLVER(1E-5, 50, 1E-8)', 'PENALTY_SOLVER()')


def assert_same_column(found, wanted, name, ranks_differ):
    """To the last bit; a merit is a sum over the ranks."""
    if ranks_differ and name.endswith('merit'):
        numpy.testing.assert_allclose(found, wanted, rtol=1E-9, atol=1E-15, err_msg=name)
    else:
        assert numpy.array_equal(found, wanted), name


def assert_same_state(results, wanted, number, ranks_differ=False):
    """A frame equals that of the whole run at its time."""
    found = results.frame(number)
    same = wanted.frame(int(numpy.flatnonzero(wanted.times == found.time)[0]))
    assert [b.id for b in found.bodies] == [b.id for b in same.bodies]
    for a, b in zip(found.bodies, same.bodies):
        assert a.label == b.label and a.definition.mass == b.definition.mass
        for name in ('gradient', 'center', 'velocity'):
            assert numpy.array_equal(getattr(a, name), getattr(b, name)), (found.time, a.id, name)
    for name, column in found.contacts.items():
        assert_same_column(column, same.contacts[name], name, ranks_differ)


def assert_same_end(results, wanted, ranks_differ=False):
    assert set(wanted.times) <= set(results.times)
    assert (numpy.diff(results.times) > 0).all()
    for number in (0, len(results) // 2, -2, -1):
        if results.times[number] in wanted.times:
            assert_same_state(results, wanted, number, ranks_differ)
    assert results.times[-1] == wanted.times[-1]
    for path in ('frame/energy', 'frame/number', 'frame/merit', 'frame/next_body', 'frame/next_callback',
                 'frame/run', 'frame/run_start'):
        assert_same_column(results.column(path)[-1], wanted.column(path)[-1], path, ranks_differ)
    found, same = results.definitions(len(results) - 1), wanted.definitions(len(wanted) - 1)
    assert found.keys() == same.keys()
