"""Deformable bodies that steps do not resolve: impacts take energy, and bodies come to rest (theory, section 8)."""

import itertools

import pytest
from conftest import cube

from solfec import *

OUTPUTS = (f'out{k}' for k in itertools.count())


def falls(kind, scheme, step, angle, form='TL', duration=3):
    """A steel cube (0.2 m) that falls onto a table; its energies after every hundredth of the duration."""
    solfec = SOLFEC('DYNAMIC', step, next(OUTPUTS))
    solfec.verbose = 'OFF'
    steel = BULK_MATERIAL(solfec, young=2E11, poisson=0.3, density=7800)
    SURFACE_MATERIAL(solfec, friction=0.3)
    GRAVITY(solfec, (0, 0, -10))
    BODY(solfec, 'OBSTACLE', cube(-5, -5, -10, 10), steel)
    corners = [c for z in (0, 0.2) for x, y in ((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)) for c in (x, y, z)]
    shape = HEX(corners, 2, 2, 2, 1, [1] * 6) if kind == 'FINITE_ELEMENT' else HULL(corners, 1, 1)
    shape = TRANSLATE(ROTATE(shape, (0, 0, 0.1), (1, 0.3, 0), angle), (0, 0, 0.1))
    body = BODY(solfec, kind, shape, steel, **({'form': form} if kind == 'FINITE_ELEMENT' else {}))
    body.scheme = scheme
    energies = []
    for _ in range(100):
        RUN(solfec, AUTO_SOLVER(1E-8), duration / 100)
        energies.append(ENERGY(solfec))
    return body, energies


CASES = [('FINITE_ELEMENT', 'DEF_LIM', 1E-3, 0, 'TL'), ('FINITE_ELEMENT', 'DEF_LIM', 3E-3, 20, 'TL'),
         ('FINITE_ELEMENT', 'DEF_IMP', 1E-3, 20, 'TL'), ('FINITE_ELEMENT', 'DEF_LIM', 1E-3, 20, 'BC'),
         ('PSEUDO_RIGID', 'DEF_LIM', 1E-3, 20, 'TL')]


@pytest.mark.parametrize('kind, scheme, step, angle, form', CASES)
def test_no_impact_gives_energy(kind, scheme, step, angle, form):
    body, energies = falls(kind, scheme, step, angle, form)
    most = 0.2**3 * 7800 * 10 * 0.1  # the cube falls by less than that [J]
    contacts = [contact + friction for _, _, _, contact, friction in energies]
    for before, after in zip(contacts, contacts[1:]):
        assert after <= before + 1E-3 * most, 'work of contacts'
    kinetic, internal = energies[-1][:2]
    assert kinetic + internal < 0.02 * most, 'it lies, but for vibrations'
    assert abs(VELOCITY(body, body.center)[2]) < 0.05
