"""Energy of impacts with friction (theory, section 8)."""

import itertools
import math
import random

import pytest
from conftest import cube
from pytest import approx

from solfec import *


OUTPUTS = (f'out{k}' for k in itertools.count())


def kinetic_energy(solfec):
    return ENERGY(solfec)[0]


def new_solfec(step, friction, restitution, tangential):
    solfec = SOLFEC('DYNAMIC', step, next(OUTPUTS))
    solfec.verbose = 'OFF'
    BULK_MATERIAL(solfec, density=1000, label='stuff')
    SURFACE_MATERIAL(solfec, friction=friction, restitution=restitution, tangential_restitution=tangential)
    return solfec


@pytest.mark.parametrize('tangential, change', [(0, 0.225 / 1.36), (1, 0)])
def test_thin_bar_on_its_end(tangential, change):
    """Sticking, with W = [[5, 3], [3, 5]] / 2m: Newton's law adds m V_T (6 V_N - 5 V_T) / 8, Moreau's nothing."""
    solfec = new_solfec(1E-4, 3, 1, tangential)
    BODY(solfec, 'OBSTACLE', cube(-5, -5, -10, 10), 'stuff')
    thick = 0.002
    bar = HULL([c for i in range(8) for c in ((i & 1) - 0.5, thick * ((i >> 1 & 1) - 0.5), thick * ((i >> 2) - 0.5))],
               1, 1)
    bar = TRANSLATE(ROTATE(bar, (0, 0, 0), (0, 1, 0), 45), (0, 0, math.sqrt(0.125) + 1E-4))
    body = BODY(solfec, 'RIGID', bar, 'stuff')
    INITIAL_VELOCITY(body, (-0.6, 0, -1), (0, 0, 0))
    before = 0.5 * body.mass * 1.36
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-12, 1000, 1E-20), 0.002)
    assert VELOCITY(body, body.center)[2] > -0.9, 'it has met the floor'
    assert kinetic_energy(solfec) / before - 1 == approx(change, abs=2E-3)


def test_heap_of_blocks():
    """Hundreds of impacts at several contacts each: with equal restitutions no step adds energy."""
    solfec = new_solfec(1E-3, 1, 0.8, 0.8)
    numbers = random.Random(1)
    for k in range(27):
        block = ROTATE(cube(-0.5, -0.5, -0.5), (0, 0, 0), [numbers.gauss(0, 1) for _ in range(3)],
                       numbers.uniform(0, 90))
        centre = [1.8 * (k // 3**d % 3 - 1) for d in range(3)]
        body = BODY(solfec, 'RIGID', TRANSLATE(block, centre), 'stuff')
        INITIAL_VELOCITY(body, [-5 * c for c in centre], [numbers.gauss(0, 2) for _ in range(3)])
    solver = GAUSS_SEIDEL_SOLVER(1E-10, 1000, 1E-16)
    most, last, touching = 0, None, 0
    for _ in range(400):
        RUN(solfec, solver, solfec.step)
        now = kinetic_energy(solfec)
        if last:
            most = max(most, now / last - 1)
        last = now
        touching += solfec.ncon
    assert touching > 100
    assert most < 1E-8


def test_stiff_deformable_bodies_gain_nothing_by_friction():
    """With e = e_T: what steps do not resolve turns V_T round once, not twice."""
    solfec = SOLFEC('DYNAMIC', 1E-3, next(OUTPUTS))
    solfec.verbose = 'OFF'
    OUTPUT(solfec, 1E6)
    material = BULK_MATERIAL(solfec, young=1E9, poisson=0.3, density=1000)
    SURFACE_MATERIAL(solfec, friction=1.5, restitution=1, tangential_restitution=1)
    for z in (-0.1, 1.1):
        BODY(solfec, 'OBSTACLE', BOX((0, 0, z), (9, 9, 0.2)), material)
    shape = BOX((0, 0, 0.5), (0.4, 0.3, 0.2))
    ROTATE(shape, (0, 0, 0.5), (0, 1, 0), 25)
    body = BODY(solfec, 'PSEUDO_RIGID', shape, material)
    body.scheme = 'DEF_IMP'
    INITIAL_VELOCITY(body, (1, 0.5, -3), (1, 2, 3))
    start = body.mass * (1 + 0.25 + 9) / 2
    for _ in range(40):
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 1000, 1E-14), 0.05)
        assert ENERGY(solfec)[4] < 1E-6 * start


def stone(center):
    """Of twelve corners, on a sphere of 0.08 m."""
    corners = []
    for k in range(12):
        z = 1 - 2 * (k + 0.5) / 12
        x, y = math.cos(2.4 * k) * math.sqrt(1 - z * z), math.sin(2.4 * k) * math.sqrt(1 - z * z)
        corners += [c + 0.08 * v for v, c in zip((x, y, z), center)]
    return HULL(corners, 1, 1)


def test_elastic_stones_that_tumble_keep_energy():
    """A gas of stones that turn by 5 degrees and go a tenth of their size in a step. Contacts that open while a corner
    comes round got energy from what was to hold them on its way; a slow approach was no impact."""
    solfec = new_solfec(1E-3, 0, 1, 1)
    numbers = random.Random(9)
    for axis in range(3):
        for side in (-1, 1):
            size, place = [4.0] * 3, [0.0] * 3
            size[axis], place[axis] = 1, side
            BODY(solfec, 'OBSTACLE', BOX(place, size), 'stuff')
    for place in itertools.product((-0.3, 0, 0.3), repeat=3):
        body = BODY(solfec, 'RIGID', stone(place), 'stuff')
        INITIAL_VELOCITY(body, [numbers.gauss(0, 10) for _ in range(3)], [numbers.gauss(0, 50) for _ in range(3)])
    before = kinetic_energy(solfec)
    for _ in range(8):
        RUN(solfec, AUTO_SOLVER(), 0.5)
        assert kinetic_energy(solfec) == approx(before, rel=0.05)


@pytest.mark.parametrize('kind, bodies', (('FINITE_ELEMENT', 1), ('PSEUDO_RIGID', 1), ('FINITE_ELEMENT', 2)))
def test_elastic_impacts_by_def_imp_keep_energy(kind, bodies):
    """Soft cubes that turn in a closed box, in some thirty impacts. With laws met by velocities that are linear in
    reactions one of finite elements gained a fifth of its energy."""
    solfec = new_solfec(1E-3, 0, 1, 0)
    rubber = BULK_MATERIAL(solfec, label='rubber', young=1E7, poisson=0.25, density=1000)
    for axis in range(3):
        for side in (-1, 1):
            size, place = [4.0] * 3, [0.0] * 3
            size[axis], place[axis] = 1, side * (0.5 + 0.4 * bodies)
            BODY(solfec, 'OBSTACLE', BOX(place, size), rubber)
    for k in range(bodies):
        low, corner = -0.1 + 0.3 * k, 0.1 + 0.3 * k
        corners = [c for z in (low, corner) for x, y in ((low, low), (corner, low), (corner, corner), (low, corner))
                   for c in (x, y, z)]
        shape = HEX(corners, 2, 2, 2, 1, [1] * 6) if kind == 'FINITE_ELEMENT' else HULL(corners, 1, 1)
        body = BODY(solfec, kind, shape, rubber)
        body.scheme = 'DEF_IMP'
        INITIAL_VELOCITY(body, (1, 0.7, 0.4) if k == 0 else (-1, -0.4, 0.2), (1, 3, -1))
    RUN(solfec, AUTO_SOLVER(1E-12), 2)
    kinetic, internal, _, contact, _ = ENERGY(solfec)
    assert kinetic + internal > 3
    assert abs(contact) < 1E-4 * (kinetic + internal)
