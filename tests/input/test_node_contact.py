"""Contact at the nodes of finite-element bodies: even pressure, cohesion, momentum, and what it is refused for."""

import itertools

import pytest

from solfec import *

OUTPUTS = (f'out{number}' for number in itertools.count())


def model(step, analysis='QUASI_STATIC', **surface):
    solfec = SOLFEC(analysis, step, next(OUTPUTS))
    solfec.verbose = 'OFF'
    BULK_MATERIAL(solfec, young=1E7, poisson=0.0, density=1000)
    SURFACE_MATERIAL(solfec, **surface)
    return solfec


def corners(lower, upper):
    (x, y, z), (X, Y, Z) = lower, upper
    return [x, y, z, X, y, z, X, Y, z, x, Y, z, x, y, Z, X, y, Z, X, Y, Z, x, Y, Z]


def block(solfec, lower, upper, divisions, form='TL'):
    body = BODY(solfec, 'FINITE_ELEMENT', HEX(corners(lower, upper), *divisions, 1, [1] * 6), 'BULK_MATERIAL_0',
                form=form)
    body.scheme, body.nodecontact = 'DEF_LIM', 'ON'
    return body


def obstacle(solfec, lower, upper):
    return BODY(solfec, 'OBSTACLE', HULL(corners(lower, upper), 1, 1), 'BULK_MATERIAL_0')


def share(point, divisions):
    """Of a unit square, divided so, that its node at this point has."""
    area = 1
    for x, n in zip(point, divisions):
        area /= n if 0.01 < x < 0.99 else 2 * n
    return area


def solver():
    return GAUSS_SEIDEL_SOLVER(1E-12, 5000, 1E-16)


@pytest.mark.parametrize('form', ('TL', 'BC'))
def test_a_block_presses_evenly_on_the_floor(form):
    """Each node carries the weight above its share of the face."""
    solfec = model(0.01)
    GRAVITY(solfec, (0, 0, -10))
    obstacle(solfec, (-1, -1, -1), (2, 2, 0))
    body = block(solfec, (0, 0, -1E-6), (1, 1, 0.5), (3, 2, 2), form)
    assert body.nodecontact == 'ON'
    RUN(solfec, solver(), 0.5)
    contacts = solfec.constraints
    assert len(contacts) == 12
    for con in contacts:
        expected = share(con.point, (3, 2))
        assert con.area == pytest.approx(expected, rel=1E-3)
        assert con.R[2] == pytest.approx(5000 * expected, rel=1E-3)


def test_blocks_of_equal_meshes_press_evenly_on_each_other():
    """A stack whose sides are flush: no node touches the side of its neighbour."""
    solfec = model(0.01)
    GRAVITY(solfec, (0, 0, -10))
    obstacle(solfec, (0, 0, -1), (1, 1, 0))
    lower = block(solfec, (0, 0, -1E-6), (1, 1, 0.5), (2, 2, 1))
    upper = block(solfec, (0, 0, 0.5 - 2E-6), (1, 1, 1), (2, 2, 1))
    RUN(solfec, solver(), 0.5)
    for bodies, weight in (((lower, upper), 5000), ((lower,), 10000)):
        contacts = [con for con in lower.constraints if (upper in con.adjbod) == (upper in bodies)]
        assert len(contacts) == 9
        for con in contacts:
            assert abs(con.base[8]) == pytest.approx(1)
            assert con.R[2] == pytest.approx(weight * share(con.point, (2, 2)), rel=2E-3)


@pytest.mark.parametrize('cohesion, holds', ((5100, True), (4900, False)))
def test_a_block_hangs_from_the_ceiling(cohesion, holds):
    """Its weight is spread as the areas of the nodes are: all of them hold, or none does."""
    solfec = model(0.01, cohesion=cohesion)
    GRAVITY(solfec, (0, 0, TIME_SERIES([0, 0, 0.3, -10, 9, -10])))
    obstacle(solfec, (-1, -1, 0), (2, 2, 1))
    body = block(solfec, (0, 0, -0.5), (1, 1, 1E-6), (3, 2, 2))
    RUN(solfec, solver(), 0.5)
    assert len(body.constraints) == (12 if holds else 0)


def velocity(body, divisions):
    """Of the mass centre; nodes are numbered x fastest, then y, then z."""
    result = [0.0] * 3
    for number, place in enumerate(itertools.product(*(range(n + 1) for n in reversed(divisions)))):
        for k in range(3):
            point = [i / n for i, n in zip(reversed(place), divisions)]
            result[k] += share(point, divisions) * body.velo[3 * number + k]
    return result


@pytest.mark.parametrize('both', (False, True))
def test_momentum_is_conserved(both):
    """Blocks hit each other aslant, one of them touched at its nodes, or both."""
    solfec = model(1E-4, 'DYNAMIC', friction=0.3)
    one = block(solfec, (0, 0, 0), (1, 1, 0.5), (2, 2, 1))
    two = block(solfec, (0.3, 0.2, 0.501), (0.9, 0.9, 1), (3, 2, 1), 'BC')
    one.nodecontact = 'ON' if both else 'OFF'
    INITIAL_VELOCITY(one, (0, 0, 1), (0, 0, 0))
    INITIAL_VELOCITY(two, (0.5, 0, -1), (0, 0, 0))
    most = []
    CALLBACK(solfec, 1E-3, (), lambda: most.append(solfec.ncon))
    RUN(solfec, solver(), 0.02)
    v1, v2 = velocity(one, (2, 2, 1)), velocity(two, (3, 2, 1))
    assert max(most) >= 12 and v1[2] < 0.9
    assert [one.mass * a + two.mass * b for a, b in zip(v1, v2)] == pytest.approx(
        [0.5 * two.mass, 0, one.mass - two.mass], abs=1E-9 * one.mass)


def test_what_it_is_refused_for():
    solfec = model(0.01)
    rigid = BODY(solfec, 'RIGID', HULL(corners((0, 0, 0), (1, 1, 1)), 1, 1), 'BULK_MATERIAL_0')
    around = HEX(corners((0, 0, 0), (1, 1, 1)), 1, 1, 1, 1, [1] * 6)
    cut = BODY(solfec, 'FINITE_ELEMENT', HULL(corners((0, 0, 0), (1, 1, 1)), 1, 1), 'BULK_MATERIAL_0', mesh=around)
    for body, reason in ((rigid, 'only a FINITE_ELEMENT body has nodes'),
                         (cut, 'the nodes of a background mesh are not on the surface')):
        with pytest.raises(ValueError, match=rf"^BODY.nodecontact must be 'OFF' \({reason}\); got 'ON'"):
            body.nodecontact = 'ON'
        body.nodecontact = 'OFF'
        assert body.nodecontact == 'OFF'
