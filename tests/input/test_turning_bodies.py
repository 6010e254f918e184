"""Stiff deformable bars that turn on a joint, by steps that do not resolve their vibrations (theory, section 5)."""

import itertools
import math

import pytest
from pytest import approx

from solfec import *

OUTPUTS = (f'out{k}' for k in itertools.count())

CASES = [('PSEUDO_RIGID', 'TL', 'DEF_LIM2'), ('PSEUDO_RIGID', 'TL', 'DEF_IMP'), ('FINITE_ELEMENT', 'TL', 'DEF_LIM2'),
         ('FINITE_ELEMENT', 'BC', 'DEF_LIM2')]


@pytest.mark.parametrize('points', (1, 2))
@pytest.mark.parametrize('kind, form, scheme', CASES)
def test_a_steel_bar_keeps_its_energy(kind, form, scheme, points):
    """Forty turns by 0.05 in a step of twelve transits of sound; the speed of the tip, and nothing of strain."""
    step, angle, turns, a, length = 1E-3, 0.05, 40, 0.01, 0.4
    speed = angle / step
    solfec = SOLFEC('DYNAMIC', step, next(OUTPUTS))
    solfec.verbose = 'OFF'
    steel = BULK_MATERIAL(solfec, young=2E11, poisson=0.3, density=7800)
    corners = [c for z in (-a, a) for x, y in ((0, -a), (length, -a), (length, a), (0, a)) for c in (x, y, z)]
    shape = HULL(corners, 1, 1) if kind == 'PSEUDO_RIGID' else HEX(corners, 8, 1, 1, 1, [1] * 6)
    bar = BODY(solfec, kind, shape, steel, **({'form': form} if kind == 'FINITE_ELEMENT' else {}))
    bar.scheme = scheme
    if points == 1:
        FIX_POINT(bar, (0, 0, 0))
        INITIAL_VELOCITY(bar, (0, speed * length / 2, 0), (0, 0, speed))
    else:  # a hinge
        FIX_POINT(bar, (0, -a, 0))
        FIX_POINT(bar, (0, a, 0))
        INITIAL_VELOCITY(bar, (0, 0, -speed * length / 2), (0, speed, 0))
    elements = 8 if kind == 'FINITE_ELEMENT' else float('inf')  # masses are at nodes
    moment = bar.mass * (length**2 / 3 * (1 + 0.5 / elements**2) + a**2 * (1 if kind == 'FINITE_ELEMENT' else 1 / 3))
    start = 0.5 * moment * speed**2
    seen = []
    for _ in range(turns):
        RUN(solfec, AUTO_SOLVER(1E-12), 2 * math.pi / speed)
        seen.append(ENERGY(solfec))
    kinetic, internal = [e[0] for e in seen], [e[1] for e in seen]
    assert [k + i for k, i in zip(kinetic, internal)] == approx([start] * turns, rel=1E-3)
    assert max(kinetic) - min(kinetic) < 1E-4 * start
    assert max(internal) < 1E-3 * start
    tip = VELOCITY(bar, (length, 0, 0))
    assert math.sqrt(sum(v * v for v in tip)) == approx(speed * length, rel=1E-3)
