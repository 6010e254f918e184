"""Finite-element bodies of convexes in a background mesh: as good as meshes where they fill it, exact in tension where
they cut it, and in contact as the convexes are."""

import itertools
import math

import pytest
from pytest import approx

from solfec import *

OUTPUTS = (f'out{number}' for number in itertools.count())
YOUNG, POISSON, DENSITY = 1E6, 0.3, 1000.0


def model(step=1E-3, analysis='DYNAMIC', friction=0.0, gravity=None):
    solfec = SOLFEC(analysis, step, next(OUTPUTS))
    solfec.verbose, solfec.contact_points = 'OFF', 'MANY'
    BULK_MATERIAL(solfec, young=YOUNG, poisson=POISSON, density=DENSITY)
    SURFACE_MATERIAL(solfec, friction=friction)
    if gravity:
        GRAVITY(solfec, gravity)
    OUTPUT(solfec, 1E6)
    return solfec


def corners(lower, upper):
    (x, y, z), (X, Y, Z) = lower, upper
    return [x, y, z, X, y, z, X, Y, z, x, Y, z, x, y, Z, X, y, Z, X, Y, Z, x, Y, Z]


def mesh(lower, upper, divisions):
    return HEX(corners(lower, upper), *divisions, 1, [1] * 6)


def cells(lower, upper, divisions):
    """A convex for each hexahedron of the mesh."""
    axes = [[a + (b - a) * k / n for k in range(n + 1)] for a, b, n in zip(lower, upper, divisions)]
    return [HULL(corners((xs[0], ys[0], zs[0]), (xs[1], ys[1], zs[1])), 1, 1)
            for xs in zip(axes[0], axes[0][1:]) for ys in zip(axes[1], axes[1][1:]) for zs in zip(axes[2], axes[2][1:])]


def solver():
    return GAUSS_SEIDEL_SOLVER(1E-12, 1000, 1E-16)


def body_of(solfec, shape, background=None, scheme='DEF_LIM', **options):
    if background:
        options['mesh'] = background
    body = BODY(solfec, 'FINITE_ELEMENT', shape, 'BULK_MATERIAL_0', **options)
    body.scheme = scheme
    return body


@pytest.mark.parametrize('form', ('TL', 'BC'))
@pytest.mark.parametrize('elements', ('ENHANCED', 'PLAIN'))
def test_filled_meshes_are_meshes(form, elements):
    """A beam that bends under its weight: of convexes that fill the elements it moves as the mesh does."""
    box, ends = ((0, 0, 0), (2, 0.5, 0.5), (4, 2, 2)), []
    for convexes in (False, True):
        solfec = model(1E-3, gravity=(0, 0, -10))
        shape, background = (cells(*box), mesh(*box)) if convexes else (mesh(*box), None)
        body = body_of(solfec, shape, background, form=form, elements=elements)
        assert body.mass == approx(500) and body.center == approx((1, 0.25, 0.25))
        for y in (0, 0.5):
            for z in (0, 0.5):
                FIX_POINT(body, (0, y, z))
        RUN(solfec, solver(), 0.1)
        point = (2, 0.5, 0.5)
        ends.append((*DISPLACEMENT(body, point), *VELOCITY(body, point), *STRESS(body, (0.3, 0.2, 0.4))))
        assert len(body.conf) == 3 * 5 * 3 * 3
    assert abs(ends[0][2]) > 1E-3
    assert ends[1][:6] == approx(ends[0][:6], rel=1E-6, abs=1E-9)
    assert ends[1][6:] == approx(ends[0][6:], rel=1E-6, abs=1E-3)


SECTION = ((0.2, 0.1), (0.9, 0.3), (0.8, 0.9), (0.1, 0.6))


def prism(length):
    return HULL([c for x in (0, length) for y, z in SECTION for c in (x, y, z)], 1, 1)


@pytest.mark.parametrize('stretch', (1E-3, -1E-3))
@pytest.mark.parametrize('form', ('TL', 'BC'))
def test_an_oblique_bar_in_tension(form, stretch):
    """Its sides cut through the elements, and its stress is uniform all the same."""
    solfec = model(0.05)
    body = body_of(solfec, prism(4), mesh((0, 0, 0), (4, 1, 1), (4, 1, 1)), form=form, scheme='DEF_LIM2')
    for y, z in SECTION:
        FIX_DIRECTION(body, (0, y, z), (1, 0, 0))
        SET_DISPLACEMENT(body, (4, y, z), (1, 0, 0), TIME_SERIES([0, 0, 1, 4 * stretch, 1E3, 4 * stretch]))
    RUN(solfec, solver(), 120 * solfec.step)
    # Green's strain and its stress of TL; with free sides E_y = E_z = -nu E_x and S_x = E_young E_x.
    strain = stretch if form == 'BC' else stretch + stretch**2 / 2
    force = YOUNG * strain * (1 if form == 'BC' else 1 + stretch)
    sides = 1 if form == 'BC' else 1 - 2 * POISSON * strain
    for point in ((0.5, 0.5, 0.5), (1.9, 0.4, 0.6), (3.2, 0.7, 0.7)):
        stress = STRESS(body, point)
        assert stress[0] == approx(force / sides, rel=1E-6)
        assert stress[1:6] == approx((0,) * 5, abs=1E-6 * YOUNG * abs(stretch))
    area = abs(sum(SECTION[k - 1][0] * SECTION[k][1] - SECTION[k][0] * SECTION[k - 1][1] for k in range(4))) / 2
    held = sum(con.R[2] for con in solfec.constraints if con.kind == 'FIXDIR')
    assert abs(held) == approx(area * abs(force), rel=1E-5)


def ball_of_convexes(center, radius):
    """Hulls of points on a sphere, its upper and its lower half."""
    points = []
    for k in range(40):
        z = 1 - 2 * (k + 0.5) / 40
        turn, across = 2.399963 * k, math.sqrt(1 - z * z)
        points.append((across * math.cos(turn), across * math.sin(turn), z))
    rim = [(math.cos(a), math.sin(a), 0) for a in (2 * math.pi * k / 12 for k in range(12))]
    halves = ([p for p in points if sign * p[2] > 0] + rim for sign in (1, -1))
    return [HULL([c + radius * v for p in half for c, v in zip(center, p)], 1, 1) for half in halves]


@pytest.mark.parametrize('form', ('TL', 'BC'))
def test_a_lump_comes_to_rest_with_its_weight(form):
    """On a table: its contacts carry its weight, at the height of its lowest points."""
    solfec = model(0.02, friction=0.3, gravity=(0, 0, -10), analysis='QUASI_STATIC')
    lump = ball_of_convexes((0, 0, 0.5), 0.5)
    body = body_of(solfec, lump, ROUGH_HEX(lump, 3, 3, 3), form=form)
    BODY(solfec, 'OBSTACLE', HULL(corners((-2, -2, -1), (2, 2, 0)), 1, 1), 'BULK_MATERIAL_0')
    RUN(solfec, solver(), 240 * solfec.step)  # it rolls to one of its facets
    assert sum(con.R[2] for con in solfec.constraints) == approx(10 * body.mass, rel=0.005)
    assert all(abs(con.point[2]) < 1E-6 for con in solfec.constraints if con.R[2] > 0)


def test_a_block_stands_on_a_table():
    """A block in a mesh that reaches beyond it, at rest: its weight, and no contact of the mesh itself."""
    solfec = model(0.1, gravity=(0, 0, -10), analysis='QUASI_STATIC')
    solfec.contact_points = 'MANY'
    block = HULL(corners((0, 0, 0), (1, 1, 0.5)), 1, 1)
    body = body_of(solfec, block, mesh((-0.3, -0.3, -0.2), (1.2, 1.3, 0.9), (2, 2, 2)))
    BODY(solfec, 'OBSTACLE', HULL(corners((-1, -1, -1), (2, 2, 0)), 1, 1), 'BULK_MATERIAL_0')
    RUN(solfec, solver(), 40 * solfec.step)
    assert body.mass == approx(500)
    assert sum(con.R[2] for con in solfec.constraints) == approx(5000, rel=1E-3)
    assert -3E-2 < DISPLACEMENT(body, (0.5, 0.5, 0.25))[2] < 0


def test_elements_that_hold_nothing_are_left_out():
    solfec = model()
    background = mesh((0, 0, 0), (4, 1, 1), (4, 1, 1))
    body = body_of(solfec, HULL(corners((0.1, 0.1, 0.1), (1.9, 0.9, 0.9)), 1, 1), background)
    assert len(body.conf) == len(body.velo) == 3 * 3 * 4
    assert body.volume == approx(1.8 * 0.8 * 0.8)
    with pytest.raises(ValueError, match="FORCE: 'point'"):
        FORCE(body, 'SPATIAL', (0.05, 0.5, 0.5), (0, 0, 1), 1)  # in the mesh, not in the shape
    FORCE(body, 'SPATIAL', (0.1, 0.5, 0.5), (0, 0, 1), 1)
    RUN(solfec, solver(), 10 * solfec.step)
    INITIAL_VELOCITY(body, (0, 0, 1), (0, 0, 0))
    assert VELOCITY(body, (1, 0.5, 0.5)) == approx((0, 0, 1), abs=1E-12)
    assert ENERGY(solfec)[0] == approx(body.mass / 2)


def test_materials_of_volumes_in_one_element():
    """Two halves of an element, one of them of another material: mass and centre follow."""
    solfec = model()
    BULK_MATERIAL(solfec, label='heavy', young=YOUNG, poisson=POISSON, density=3 * DENSITY)
    shape = [HULL(corners((0, 0, 0), (0.5, 1, 1)), 1, 1), HULL(corners((0.5, 0, 0), (1, 1, 1)), 2, 1)]
    body = body_of(solfec, shape, mesh((0, 0, 0), (1, 1, 1), (1, 1, 1)))
    MATERIAL(solfec, body, 2, 'heavy')
    assert body.mass == approx(2000) and body.center == approx((0.625, 0.5, 0.5))
    RUN(solfec, solver(), solfec.step)
    with pytest.raises(ValueError, match="MATERIAL: 'volid' must be a volume identifier"):
        MATERIAL(solfec, body, 3, 'heavy')


def test_refusals():
    solfec = model()
    block = lambda: HULL(corners((0, 0, 0), (1, 1, 1)), 1, 1)
    make = lambda shape, background: BODY(solfec, 'FINITE_ELEMENT', shape, 'BULK_MATERIAL_0', mesh=background)
    around = mesh((0, 0, 0), (1, 1, 1), (2, 2, 2))
    with pytest.raises(ValueError, match="BODY: 'shape' must be CONVEX objects only"):
        make(SPHERE((0.5, 0.5, 0.5), 0.2, 1, 1), around)
    with pytest.raises(ValueError, match="BODY: 'shape' must be CONVEX objects only"):
        make([block(), mesh((0, 0, 0), (1, 1, 1), (1, 1, 1))], around)
    with pytest.raises(TypeError, match="BODY: 'mesh' must be a MESH object"):
        make(block(), block())
    shape = block()
    small = mesh((0, 0, 0), (1, 1, 0.8), (2, 2, 2))
    with pytest.raises(ValueError, match="BODY: 'mesh': the mesh does not hold the whole of the shape: 0.2 of its 1 m"):
        make(shape, small)
    assert small.nnod == 27 and shape.nver == 8  # a failure empties nothing
    nodes = corners((0, 0, 0), (1, 1, 1)) + corners((0.5, 0, 0), (1.5, 1, 1))
    twice = MESH(nodes, [8, *range(8), 1, 8, *range(8, 16), 1], 1)
    with pytest.raises(ValueError, match="BODY: 'mesh': elements of the mesh overlap"):
        make(shape, twice)
    body = make(shape, around)
    with pytest.raises(ValueError, match='emptied'):
        shape.nver
    with pytest.raises(ValueError, match='emptied'):
        around.nnod
    with pytest.raises(ValueError, match="BODY: 'mesh': this MESH object has been emptied"):
        make(block(), around)
    with pytest.raises(ValueError, match="PARTITION: 'body'"):
        PARTITION(body, 2)


def test_results_come_back():
    solfec = model(1E-3, gravity=(0, 0, -10))
    OUTPUT(solfec, 2E-3)
    block = HULL(corners((0, 0, 0), (1, 1, 1)), 1, 1)
    body = body_of(solfec, block, mesh((-0.2, -0.1, 0), (1.1, 1.2, 1.3), (2, 2, 2)))
    BODY(solfec, 'OBSTACLE', HULL(corners((-1, -1, -1), (2, 2, 0)), 1, 1), 'BULK_MATERIAL_0')
    RUN(solfec, solver(), 0.01)
    point = (1, 0.4, 0.3)
    now = DISPLACEMENT(body, point), VELOCITY(body, point), STRESS(body, point)
    histories = HISTORY(solfec, [(body, point, 'DZ'), (body, point, 'VZ'), (body, point, 'SZ')], 0, 0.01)
    assert [series[-1] for series in histories[1:]] == [now[0][2], now[1][2], now[2][2]]


@pytest.mark.parametrize('form, scheme', (('BC', 'DEF_LIM'), ('TL', 'DEF_IMP')))
def test_flush_blocks_that_vibrate_do_not_sink_in(form, scheme):
    """Faces of the convexes bend with the mesh. As planes they had one contact in the middle of each at times, and sank
    by 3 mm a second."""
    deepest = []
    for convexes in (False, True):
        solfec = model(friction=0.5, gravity=(0, 0, -10))
        material = BULK_MATERIAL(solfec, label='stiff', young=1E8, poisson=POISSON, density=2000)
        BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (6, 6, 1)), material)
        for low in (0, 1):
            box = (-0.5, -0.5, low), (0.5, 0.5, low + 1), (2, 2, 2)
            shape, background = (cells(*box), {'mesh': mesh(*box)}) if convexes else (mesh(*box), {})
            BODY(solfec, 'FINITE_ELEMENT', shape, material, form=form, **background).scheme = scheme
        gaps = []
        CALLBACK(solfec, solfec.step, gaps, lambda gaps: gaps.append(min(c.gap for c in solfec.constraints)) or 1)
        RUN(solfec, AUTO_SOLVER(1E-10), 0.5)
        deepest.append(-min(gaps))
    assert deepest[1] < 1.2 * deepest[0] < 1E-4
