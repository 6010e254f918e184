"""Stiff deformable bars that turn on a joint, by steps that do not resolve their vibrations (theory, section 5)."""

import itertools
import math

import pytest
from pytest import approx

from solfec import *

OUTPUTS = (f'out{k}' for k in itertools.count())

CASES = [(kind, form, scheme)
         for kind, form in (('PSEUDO_RIGID', 'TL'), ('FINITE_ELEMENT', 'TL'), ('FINITE_ELEMENT', 'BC'))
         for scheme in ('DEF_LIM', 'DEF_LIM2')]
CASES += [(kind, 'TL', 'DEF_IMP') for kind in ('PSEUDO_RIGID', 'FINITE_ELEMENT')]


STEP, LENGTH, A = 1E-3, 0.4, 0.01


def steel_bar(kind, form, scheme, speed, points):
    """On one point it turns about z, on two, a hinge, about y."""
    solfec = SOLFEC('DYNAMIC', STEP, next(OUTPUTS))
    solfec.verbose = 'OFF'
    steel = BULK_MATERIAL(solfec, young=2E11, poisson=0.3, density=7800)
    corners = [c for z in (-A, A) for x, y in ((0, -A), (LENGTH, -A), (LENGTH, A), (0, A)) for c in (x, y, z)]
    shape = HULL(corners, 1, 1) if kind == 'PSEUDO_RIGID' else HEX(corners, 8, 1, 1, 1, [1] * 6)
    bar = BODY(solfec, kind, shape, steel, **({'form': form} if kind == 'FINITE_ELEMENT' else {}))
    bar.scheme = scheme
    if points == 1:
        FIX_POINT(bar, (0, 0, 0))
        INITIAL_VELOCITY(bar, (0, speed * LENGTH / 2, 0), (0, 0, speed))
    else:
        FIX_POINT(bar, (0, -A, 0))
        FIX_POINT(bar, (0, A, 0))
        INITIAL_VELOCITY(bar, (0, 0, -speed * LENGTH / 2), (0, speed, 0))
    return solfec, bar


def tip_speed(bar):
    return math.sqrt(sum(v * v for v in VELOCITY(bar, (LENGTH, 0, 0))))


@pytest.mark.parametrize('points', (1, 2))
@pytest.mark.parametrize('kind, form, scheme', CASES)
def test_a_steel_bar_keeps_its_energy(kind, form, scheme, points):
    """Forty turns by 0.05 in a step of twelve transits of sound; the speed of the tip, and nothing of strain."""
    turns, speed = 40, 0.05 / STEP
    solfec, bar = steel_bar(kind, form, scheme, speed, points)
    elements = 8 if kind == 'FINITE_ELEMENT' else float('inf')  # masses are at nodes
    moment = bar.mass * (LENGTH**2 / 3 * (1 + 0.5 / elements**2) + A**2 * (1 if kind == 'FINITE_ELEMENT' else 1 / 3))
    start = 0.5 * moment * speed**2
    seen = []
    for _ in range(turns):
        RUN(solfec, AUTO_SOLVER(1E-12), 2 * math.pi / speed)
        seen.append(ENERGY(solfec))
    kinetic, internal = [e[0] for e in seen], [e[1] for e in seen]
    assert [k + i for k, i in zip(kinetic, internal)] == approx([start] * turns, rel=1E-3)
    assert max(kinetic) - min(kinetic) < 1E-4 * start
    assert max(internal) < 1E-3 * start
    assert tip_speed(bar) == approx(speed * LENGTH, rel=1E-3)


@pytest.mark.parametrize('kind, form, scheme', CASES)
def test_turns_of_21_steps(kind, form, scheme):
    """A hundred turns by 0.3 in a step."""
    speed = 0.3 / STEP
    solfec, bar = steel_bar(kind, form, scheme, speed, 1)
    RUN(solfec, AUTO_SOLVER(1E-12), STEP)
    start = sum(ENERGY(solfec)[:2])
    for _ in range(10):
        RUN(solfec, AUTO_SOLVER(1E-12), 20 * math.pi / speed)
        assert sum(ENERGY(solfec)[:2]) == approx(start, rel=3E-3)
    assert tip_speed(bar) == approx(speed * LENGTH, rel=3E-3)


@pytest.mark.parametrize('scheme', ('DEF_LIM', 'DEF_LIM2'))
def test_soft_bars_on_a_hinge_beside_their_axis(scheme):
    """Form BC, sixteen turns: stretched by a fifth of a percent, its forces in small strain have a torque about the
    hinge, which took half of its energy."""
    speed, length, a = 50.0, 0.4, 0.02
    solfec = SOLFEC('DYNAMIC', 1E-3, next(OUTPUTS))
    solfec.verbose = 'OFF'
    soft = BULK_MATERIAL(solfec, young=1E8, poisson=0.3, density=1000)
    corners = [c for z in (-a, a) for x, y in ((0, -a), (length, -a), (length, a), (0, a)) for c in (x, y, z)]
    bar = BODY(solfec, 'FINITE_ELEMENT', HEX(corners, 6, 1, 1, 1, [1] * 6), soft, form='BC')
    bar.scheme = scheme
    FIX_POINT(bar, (0, -a, -a))
    FIX_POINT(bar, (0, -a, a))
    INITIAL_VELOCITY(bar, (-speed * a, speed * length / 2, 0), (0, 0, speed))
    RUN(solfec, AUTO_SOLVER(1E-12), 1E-3)
    start = sum(ENERGY(solfec)[:2])
    for _ in range(4):
        RUN(solfec, AUTO_SOLVER(1E-12), 0.5)
        kinetic, internal = ENERGY(solfec)[:2]
        assert kinetic + internal == approx(start, rel=5E-3)
        assert 0 < internal < 5E-3 * start


@pytest.mark.parametrize('kind', ('PSEUDO_RIGID', 'FINITE_ELEMENT'))
def test_joints_of_soft_bars_stay_closed(kind):
    """DEF_IMP, stretched by a fifth as they turn: the reaction meets the joint in the motion that is found, not in a
    linear one."""
    speed, length, a = 30.0, 0.4, 0.02
    solfec = SOLFEC('DYNAMIC', 1E-3, next(OUTPUTS))
    solfec.verbose = 'OFF'
    soft = BULK_MATERIAL(solfec, young=2E5, poisson=0.3, density=1000)
    corners = [c for z in (-a, a) for x, y in ((0, -a), (length, -a), (length, a), (0, a)) for c in (x, y, z)]
    shape = HULL(corners, 1, 1) if kind == 'PSEUDO_RIGID' else HEX(corners, 4, 1, 1, 1, [1] * 6)
    bar = BODY(solfec, kind, shape, soft)
    bar.scheme = 'DEF_IMP'
    FIX_POINT(bar, (0, 0, 0))
    INITIAL_VELOCITY(bar, (0, speed * length / 2, 0), (0, 0, speed))
    start = sum(ENERGY(solfec)[:2])
    longest = 0
    for _ in range(100):
        RUN(solfec, AUTO_SOLVER(1E-12), 0.02)
        kinetic, internal = ENERGY(solfec)[:2]
        assert kinetic + internal == approx(start, rel=1E-6)
        assert DISPLACEMENT(bar, (0, 0, 0)) == approx((0, 0, 0), abs=1E-11)
        assert VELOCITY(bar, (0, 0, 0)) == approx((0, 0, 0), abs=1E-8)
        longest = max(longest, math.dist(DISPLACEMENT(bar, (length, 0, 0)), (-length, 0, 0)))
    assert longest > 1.15 * length


@pytest.mark.parametrize('young, kept', ((2E11, 3E-3), (1E8, 5E-2)))
def test_bars_of_a_chain(young, kept):
    """Form BC, three bars that tumble: those that only others hold turn about their pins, too. Steel had work of -1 %
    of its energy done against the torque of small strain, soft bars ran away after 5 s."""
    length, a, speeds = 0.4, 0.01, (20, -10, 30)
    solfec = SOLFEC('DYNAMIC', 1E-3, next(OUTPUTS))
    solfec.verbose = 'OFF'
    stuff = BULK_MATERIAL(solfec, young=young, poisson=0.3, density=7800 if young > 1E9 else 1000)
    SURFACE_MATERIAL(solfec)
    CONTACT_EXCLUDE_SURFACES(solfec, 1, 1)
    bars, v = [], 0.0
    for k, speed in enumerate(speeds):
        corners = [c for z in (-a, a) for x, y in ((0, -a), (length, -a), (length, a), (0, a))
                   for c in (x + k * length, y, z)]
        bar = BODY(solfec, 'FINITE_ELEMENT', HEX(corners, 6, 1, 1, 1, [1] * 6), stuff, form='BC')
        bar.scheme = 'DEF_LIM'
        end = (k * length, 0, 0)
        if bars:
            PUT_RIGID_LINK(bars[-1], bar, end, end)
        else:
            FIX_POINT(bar, end)
        INITIAL_VELOCITY(bar, (0, v + speed * length / 2, 0), (0, 0, speed))
        v += speed * length
        bars.append(bar)
    RUN(solfec, AUTO_SOLVER(1E-12), 1E-3)
    start = sum(ENERGY(solfec)[:2])
    for _ in range(7):
        RUN(solfec, AUTO_SOLVER(1E-12), 1.0)
        kinetic, internal = ENERGY(solfec)[:2]
        assert kinetic + internal == approx(start, rel=kept)
        assert -1E-4 * start < internal < 2E-2 * start
