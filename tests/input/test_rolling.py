"""Curved bodies that rock and roll: no sinking, orders of convergence, overlap; docs/evidence/rolling.py has long
runs."""

import math

import numpy
import pytest
from conftest import cube
from pytest import approx
from table import Table

from solfec import *


def rotation(body):
    return numpy.array(body.conf[:9]).reshape(3, 3).T


def energy(body):
    """Of motion, and of height."""
    w, v = numpy.array(body.velo[:3]), numpy.array(body.velo[3:])
    return (0.5 * body.mass * v @ v + 0.5 * w @ numpy.array(body.tensor).reshape(3, 3) @ w,
            10 * body.mass * body.conf[11])


AXES = (0.5, 0.2, 0.1)


def rocking(step, correction, duration=5.0):
    """Depth over half height, and energy of rocking over that at the start."""
    table = Table('rocking', step, correction)
    s, c = math.sin(math.radians(5)), math.cos(math.radians(5))
    z = math.hypot(0.5 * s, 0.1 * c)
    body = table.put(ROTATE(ELLIP((0, 0, z - 5E-6), AXES, 1, 1), (0, 0, z), (0, 1, 0), 5.0))
    rest = 10 * body.mass * 0.1
    start = sum(energy(body)) - rest
    table.run(duration)
    tilted = rotation(body) @ numpy.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    low = body.conf[11] - numpy.linalg.norm(numpy.array(AXES) * tilted[2])
    return -low / 0.1, (sum(energy(body)) - rest) / start


def test_a_rocking_ellipsoid_does_not_sink():
    depth, swing = rocking(2E-3, 'ON')
    assert abs(depth) < 1E-3 and swing == approx(1, abs=0.01)


FLOOR = [x for z in (-0.1, 0) for x in (-1, -0.5, z, 3, -0.5, z, 3, 0.5, z, -1, 0.5, z)]


@pytest.mark.parametrize('floor', ('FINITE_ELEMENT', 'PSEUDO_RIGID'))
@pytest.mark.parametrize('kind', ('RIGID', 'PSEUDO_RIGID'))
def test_a_ball_does_not_sink_into_a_floor_that_deforms(floor, kind, r=0.1, v=3.0):
    """With the material point of the ball in place of its surface it falls by h v^2 / (2 r) = 0.045 m/s."""
    solfec = SOLFEC('DYNAMIC', 1E-3, 'out/soft_floor_%s_%s' % (floor, kind))
    material = BULK_MATERIAL(solfec, density=1000, young=1E10, poisson=0.2)
    SURFACE_MATERIAL(solfec, friction=0.3)
    GRAVITY(solfec, (0, 0, -10))
    body = BODY(solfec, floor, HEX(FLOOR, 5, 2, 1, 0, [5, 0, 0, 0, 0, 0]), material)
    if floor == 'FINITE_ELEMENT':
        FIX_SURFACE(body, 5)
    else:
        for k in (0, 3, 6, 9):
            FIX_POINT(body, FLOOR[k:k + 3])
    ball = BODY(solfec, kind, SPHERE((0, 0.05, r), r), material)
    for b in (body, ball):
        if b.kind != 'RIGID':
            b.scheme = 'DEF_IMP'
    INITIAL_VELOCITY(ball, (v, 0, 0), (0, v / r, 0))
    RUN(solfec, AUTO_SOLVER(1E-10), 0.3)
    assert abs(DISPLACEMENT(ball, ball.center)[2]) < 1E-3 * r
    assert VELOCITY(ball, ball.center)[0] == approx(v, rel=1E-4)
    assert abs(ENERGY(solfec, ball)[3]) < 1E-3 * ball.mass * v**2


def test_a_ball_leaves_a_tile_as_if_there_were_none():
    """In the step in which it goes from one to the next it touches a plane, not the edge that it leaves."""
    for tiles in (1, 12):
        solfec = SOLFEC('DYNAMIC', 1E-3, 'out/tiles%d' % tiles)
        material = BULK_MATERIAL(solfec, density=1000)
        SURFACE_MATERIAL(solfec, friction=0.3)
        GRAVITY(solfec, (0, 0, -10))
        for k in range(tiles):
            BODY(solfec, 'OBSTACLE', BOX((-0.5 + 3.6 * (k + 0.5) / tiles, 0, -0.05), (3.6 / tiles, 1, 0.1)), material)
        ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0.1), 0.1), material)
        INITIAL_VELOCITY(ball, (2.7, 0, 0), (0, 27, 0))
        RUN(solfec, AUTO_SOLVER(1E-10), 0.9)
        assert abs(DISPLACEMENT(ball, ball.center)[2]) < 1E-8
        assert VELOCITY(ball, ball.center)[0] == approx(2.7, rel=1E-9)


def test_the_laws_of_the_manual_let_it_sink():
    depth, swing = rocking(2E-3, 'OFF')
    assert depth > 0.05 and swing < 0.7


def turntable_error(step, duration=2.0, omega=2.0, r=0.1):
    """Of the place of a ball on a table that turns: it goes in a circle, at 2/7 of that."""
    table = Table('turntable%g' % step, step)
    INITIAL_VELOCITY(table.table, (0, 0, 0), (0, 0, omega))
    ball = table.put(SPHERE((1, 0, r - 5E-6), r, 1, 1))
    vx, vy, arm = 0.2, 0.3, r - 2.5E-6  # halfway through the overlap
    INITIAL_VELOCITY(ball, (vx, vy, 0), ((omega - vy) / arm, vx / arm, 0))
    t = table.run(duration).solfec.time
    w = omega / (1 + 2.5 * (arm / r)**2)
    s, c = math.sin(w * t), math.cos(w * t)
    return math.hypot(ball.conf[9] - 1 - (vx * s - vy * (1 - c)) / w, ball.conf[10] - (vx * (1 - c) + vy * s) / w)


def test_a_ball_rolls_on_a_turntable_at_second_order():
    errors = [turntable_error(h) for h in (8E-3, 4E-3, 2E-3)]
    assert errors[2] < 1E-5
    for a, b in zip(errors, errors[1:]):
        assert math.log2(a / b) > 1.8


def wobbling(step, kind='RIGID'):
    table = Table('wobbling%g' % step, step)
    body = table.put(ELLIP((0, 0, 0.1 - 5E-6), (0.3, 0.2, 0.1), 1, 1))
    body.scheme = 'RIG_IMP'
    arm = 0.1 - 2.5E-6
    INITIAL_VELOCITY(body, (0.4 * arm, -0.3 * arm, 0), (0.3, 0.4, 1))
    table.run(1.0)
    return numpy.array(body.conf)


def test_a_wobbling_ellipsoid_is_of_second_order():
    exact = wobbling(1.25E-4)
    errors = [numpy.linalg.norm(wobbling(h) - exact) for h in (2E-3, 1E-3, 5E-4)]
    assert errors[2] < 1E-4
    for a, b in zip(errors, errors[1:]):
        assert math.log2(a / b) > 1.8


def test_overlap_is_taken_back_without_motion():
    table = Table('overlap', 1E-3)
    body = table.put(cube(0, 0, -0.01))
    other = table.put(SPHERE((3, 3, 0.99), 1, 1, 1))
    table.run(0.002)
    heights = [body.conf[11], other.conf[11]]
    table.run(0.2)
    assert table.overlap == approx(2E-5, rel=0.1)  # 10 GEOMETRIC_EPSILON + h^2 |gravity|
    for b, before in zip((body, other), heights):
        kinetic, height = energy(b)
        assert b.conf[11] - before == approx(0.01, rel=0.5)
        assert kinetic < 1E-6 * (height - 10 * b.mass * before)


def test_restitution_takes_nothing_for_overlap():
    """A ball bounces as without the correction."""
    heights = []
    for correction in ('ON', 'OFF'):
        table = Table('bounce' + correction, 1E-3, correction)
        table.surface.restitution = 0.9
        ball = table.put(SPHERE((0, 0, 1.2), 1, 1, 1))
        table.run(3.0)
        heights.append(ball.conf[11])
    assert heights[0] == heights[1]


@pytest.mark.parametrize('solver', [lambda: AUTO_SOLVER(1E-8), lambda: NEWTON_SOLVER(meritval=1E-8, delta=1E-8)])
def test_a_pile_does_not_sink(solver):
    table = Table('pile', 2E-3, friction=0.5)
    for k in range(6):
        at = (0.11 * (k % 2), 0.03 * k, 0.1 + 0.11 * k)
        table.put(ELLIP(at, (0.2, 0.15, 0.05), 1, 1) if k % 2 else cube(*at, 0.1))
    table.solver = solver()
    table.run(3.0)
    assert table.overlap < 5E-4


@pytest.mark.parametrize('correction', ('ON', 'AHEAD'))
def test_a_coin_on_a_smooth_table_keeps_its_angular_momentum(correction):
    """About the vertical: all forces are vertical. The correction of overlap turns the coin while it spins."""
    table = Table('coin', 1E-3, correction, friction=0)
    tilt = math.radians(60)
    z = math.hypot(0.1 * math.sin(tilt), 0.02 * math.cos(tilt))
    coin = table.put(ROTATE(ELLIP((0, 0, z), (0.1, 0.1, 0.02), 1, 1), (0, 0, z), (1, 0, 0), 60.0))
    INITIAL_VELOCITY(coin, (0, 0, 0), (0, 0, 12))

    def momentum():
        return (rotation(coin) @ numpy.array(coin.tensor).reshape(3, 3) @ numpy.array(coin.velo[:3]))[2]
    start = momentum()
    table.run(1.0)
    assert momentum() == approx(start, rel=1E-12)


@pytest.mark.parametrize('step', (1E-3, 2E-3))
def test_a_ladder_presses_on_the_wall_until_it_leaves(step, r=0.05):
    """Without friction, a rod with balls at its ends: N = 3/4 m g cos t (3 sin t - 2 sin t0). Both gaps grow all
    the way, by third order in a step."""
    solfec = SOLFEC('DYNAMIC', step, 'out/ladder_%g' % step)
    solfec.verbose = 'OFF'
    material = BULK_MATERIAL(solfec, density=2000)
    SURFACE_MATERIAL(solfec, friction=0)
    GRAVITY(solfec, (0, 0, -9.81))
    start = math.radians(70)
    x, z = math.cos(start), math.sin(start)
    BODY(solfec, 'OBSTACLE', BOX((2, 0, -r - 0.5), (6, 4, 1)), material)
    BODY(solfec, 'OBSTACLE', BOX((-r - 0.5, 0, 2), (1, 4, 6)), material)
    rod = BODY(solfec, 'RIGID', [SPHERE((0, 0, z), r), SPHERE((x, 0, 0), r)], material)
    BODY_CHARS(rod, 1, 1E-3, (x / 2, 0, z / 2), [1 / 12, 0, 0, 0, 1 / 12, 0, 0, 0, 1 / 12])
    worst = [0]

    def look():
        sine = 2 * rod.conf[11]
        exact = 0.75 * 9.81 * math.sqrt(1 - sine**2) * (3 * sine - 2 * z)
        wall = sum(c.R[2] for c in rod.constraints if abs(c.base[2]) > 0.9)
        if solfec.time > 0.02:
            worst[0] = max(worst[0], abs(wall - exact))
        return 1
    CALLBACK(solfec, step, None, look)
    RUN(solfec, AUTO_SOLVER(1E-14), 0.4)
    assert worst[0] < 0.05
