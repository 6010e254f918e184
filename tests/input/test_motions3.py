"""SET_DISPLACEMENT3, SET_VELOCITY3, SET_ACCELERATION3: the path of a point in space."""

import itertools
from math import cos, sin

import pytest
from pytest import approx

from solfec import *
from solfec.results import Results

# Right-handed, turned about (1, 1, 1); lengths do not matter.
AXES = ((2 / 3, 2 / 3, -1 / 3), (-1 / 3, 2 / 3, 2 / 3), (2 / 3, -1 / 3, 2 / 3))
BASE = [length * AXES[direction][row] for row in range(3) for direction, length in enumerate((1, 2, 0.5))]
WAYS = (lambda t: 0.1 * sin(10 * t)**2, lambda t: 0.05 * (cos(12 * t) - 1), lambda t: t**2)
SPEEDS = (lambda t: sin(20 * t), lambda t: -0.6 * sin(12 * t), lambda t: 2 * t)
PUSHES = (lambda t: 20 * cos(20 * t), lambda t: -7.2 * cos(12 * t), lambda t: 2.0)
COMMANDS = {'SET_DISPLACEMENT3': WAYS, 'SET_VELOCITY3': SPEEDS, 'SET_ACCELERATION3': PUSHES}


def sampled(f, interval=1E-4, end=0.5):
    return TIME_SERIES([x for k in range(round(end / interval) + 1) for x in (k * interval, f(k * interval))])


def along(vector):
    return [sum(a * x for a, x in zip(axis, vector)) for axis in AXES]


OUTPUTS = (f'motion{number}' for number in itertools.count())


def model(analysis='DYNAMIC', step=1E-3):
    solfec = SOLFEC(analysis, step, next(OUTPUTS))
    solfec.verbose = 'OFF'
    stuff = BULK_MATERIAL(solfec, young=1E9, density=1000)
    SURFACE_MATERIAL(solfec)
    GRAVITY(solfec, (0, 0, -10))
    return solfec, stuff


def make(solfec, kind, stuff, center):
    x, y, z = center
    corners = [x - .1, y - .1, z - .1, x + .1, y - .1, z - .1, x + .1, y + .1, z - .1, x - .1, y + .1, z - .1,
               x - .1, y - .1, z + .1, x + .1, y - .1, z + .1, x + .1, y + .1, z + .1, x - .1, y + .1, z + .1]
    body = BODY(solfec, kind, HEX(corners, 1, 1, 1, 1, [1] * 6), stuff)
    if kind not in ('RIGID', 'OBSTACLE'):
        body.scheme = 'DEF_LIM'
    return body


@pytest.mark.parametrize('kind', ('RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT', 'OBSTACLE'))
@pytest.mark.parametrize('name', COMMANDS)
def test_path_is_met_at_the_end_of_every_step(name, kind):
    """Of a corner, about which the body swings ever faster: that makes errors of second order."""
    solfec, stuff = model(step=2.5E-4)
    corner = (0.1, 0.1, 0.1)
    body = make(solfec, kind, stuff, (0, 0, 0))
    joint = globals()[name](body, corner, BASE, [sampled(f) for f in COMMANDS[name]])
    assert joint.kind == 'VELODIR3'

    def look():
        assert along(DISPLACEMENT(body, corner)) == approx([f(solfec.time) for f in WAYS], abs=1E-6)
        if kind == 'OBSTACLE':
            assert along(VELOCITY(body, corner)) == approx([f(solfec.time) for f in SPEEDS], abs=1E-3)
            assert joint.R == (0, 0, 0)
    CALLBACK(solfec, 1E-9, (), look)
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-10, 1000, 1E-14), 0.2)
    assert joint.base == approx([AXES[k % 3][k // 3] for k in range(9)])
    assert joint.point == approx([c + x for c, x in zip(corner, DISPLACEMENT(body, corner))], abs=1E-3)
    assert solfec.ncon == (0 if kind == 'OBSTACLE' else 1)


def test_reaction_in_the_base():
    """A body that is accelerated at its centre: R = m (a - g), in components along the base."""
    solfec, stuff = model()
    body = make(solfec, 'RIGID', stuff, (0, 0, 0))
    push = (1, 2, 3)
    joint = SET_ACCELERATION3(body, body.center, BASE, push)
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-10, 1000, 1E-14), 0.05)
    weight = along((0, 0, -10))
    assert joint.R == approx([body.mass * (a - g) for a, g in zip(push, weight)], rel=1E-6)
    assert joint.U == approx([a * 0.05 for a in push], rel=1E-6)
    total = [body.mass * (sum(a * axis[k] for a, axis in zip(push, AXES)) + (10 if k == 2 else 0)) for k in range(3)]
    _, *R = HISTORY(solfec, [(body, direction, None, 'R') for direction in ((1, 0, 0), (0, 1, 0), (0, 0, 1))], 0.04, 1)
    assert [r[-1] for r in R] == approx(total, rel=1E-6)


def test_motions_of_an_obstacle_add_up():
    solfec, stuff = model()
    floor = make(solfec, 'OBSTACLE', stuff, (0, 0, 0))
    unit = (1, 0, 0, 0, 1, 0, 0, 0, 1)
    SET_VELOCITY3(floor, (0, 0, 0), unit, (1, 2, TIME_SERIES([0, 3, 1, 3])))
    SET_ACCELERATION3(floor, (0, 0, 0), unit, (0, TIME_SERIES([0, 4, 1, 4]), 0))
    SET_VELOCITY(floor, (0, 0, 0), (1, 0, 0), 5)
    SET_DISPLACEMENT3(floor, (0, 0, 0), unit, (0, 0, TIME_SERIES([0, 0, 1, 7])))
    INITIAL_VELOCITY(floor, (0, 0, 8), (0, 0, 0))
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 10), 0.1)
    assert DISPLACEMENT(floor, (0, 0, 0)) == approx((0.6, 0.22, 1.8), abs=1E-9)
    assert VELOCITY(floor, (0, 0, 0)) == approx((6, 2.4, 18), abs=1E-9)


@pytest.mark.parametrize('kind', ('RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT', 'OBSTACLE'))
def test_quasi_static(kind):
    solfec, stuff = model('QUASI_STATIC')
    solid = make(solfec, kind, stuff, (0, 0, 0))
    SET_DISPLACEMENT3(solid, (0.1, 0.1, 0.1), BASE, [sampled(f) for f in WAYS])
    look = []
    CALLBACK(solfec, 1E-9, (), lambda: look.append((along(DISPLACEMENT(solid, (0.1, 0.1, 0.1))), solfec.time)))
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-10, 1000, 1E-14), 0.1)
    for way, t in look:
        assert way == approx([f(t) for f in WAYS], abs=5E-6)  # it turns


def test_results_and_a_run_that_goes_on(program):
    script = """
        s = SOLFEC('DYNAMIC', 1E-3, 'out')
        s.verbose = 'OFF'
        m = BULK_MATERIAL(s)
        SURFACE_MATERIAL(s)
        GRAVITY(s, (0, 0, -10))
        ball = BODY(s, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), m)
        base = [0, 0, 1, 1, 0, 0, 0, 1, 0]
        joint = SET_VELOCITY3(ball, (0, 0.5, 0), base, (1, TIME_SERIES([0, 0, 1, 2]), TIME_SERIES([0, 1, 0.1, 0])))
        CALLBACK(s, 0.01, s, killed)
        RUN(s, GAUSS_SEIDEL_SOLVER(1E-10, 100, 1E-12), 0.1)
        SEEK(s, 0.1)
        print(joint.kind, joint.base, [round(x, 9) for x in joint.R], [round(x, 9) for x in s.constraints[0].point])
        """
    whole = program.run(script)
    assert whole.returncode == 0, whole.stderr
    assert whole.stdout.startswith('VELODIR3 (0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0)')
    read = program.run(script)
    assert read.returncode == 0 and read.stdout == whole.stdout, read.stderr
    wanted = Results(str(program.directory / 'out')).frame(-1)
    assert wanted.joints['arm'][0] == approx((0, 1, 0)) and wanted.joints['normal'][0] == approx((1, 0, 0))
    assert program.kill_and_resume(script).stdout == whole.stdout


UNIT = (1, 0, 0, 0, 1, 0, 0, 0, 1)


@pytest.mark.parametrize('call, message', [
    (lambda m: SET_VELOCITY3(m.ball, (0, 0, 0), (1, 0, 0, 0, 1, 0), (0, 0, 0)),
     r"SET_VELOCITY3: 'base' must be .*; got \(1, 0, 0, 0, 1, 0\)"),
    (lambda m: SET_VELOCITY3(m.ball, (0, 0, 0), (1, 1, 0, 0, 1, 0, 0, 0, 1), (0, 0, 0)),
     r"SET_VELOCITY3: 'base' must be nine numbers, row by row, .* right angles"),
    (lambda m: SET_VELOCITY3(m.ball, (0, 0, 0), (0, 1, 0, 1, 0, 0, 0, 0, 1), (0, 0, 0)), "right-handed"),
    (lambda m: SET_VELOCITY3(m.ball, (0, 0, 0), UNIT, 1),
     r"SET_VELOCITY3: 'tms' must be a tuple of three entries, each a number or a TIME_SERIES object; got 1"),
    (lambda m: SET_VELOCITY3(m.ball, (0, 0, 0), UNIT, (0, 'x', 0)), r"SET_VELOCITY3: 'tms', entry 1 must be a number"),
    (lambda m: SET_DISPLACEMENT3(m.ball, (0, 0, 0), UNIT, (0, 0, 1)),
     r"SET_DISPLACEMENT3: 'tms', entry 2 must be a TIME_SERIES object, or 0; got 1"),
    (lambda m: SET_ACCELERATION3(m.ball, (0, 0), UNIT, (0, 0, 0)), r"SET_ACCELERATION3: 'point' must be")])
def test_wrong_arguments(call, message, free):
    with pytest.raises((ValueError, TypeError), match=message):
        call(free)
    assert free.solfec.ncon == 0
