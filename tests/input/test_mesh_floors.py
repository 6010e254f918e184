"""Edges and corners that meet lines and nodes of a mesh: each element could leave the contact to the others, or have
its own normal. A floor of any elements is as flat as one box, and a node that stands out touches as a vertex does."""

import itertools

import numpy
import pytest
from pytest import approx

from solfec import *


def mesh(size, cells, kind, least=(0, 0, 0), place=lambda node: node):
    """Of a box, whose nodes may have other places. Each cell is a hexahedron, two wedges, six tetrahedra, or six
    pyramids about its middle."""
    counts = [n + 1 for n in cells]
    nodes = [[least[d] + size[d] * i[d] / cells[d] for d in range(3)] for i in itertools.product(*map(range, counts))]
    elements = []
    for i in itertools.product(*map(range, cells)):
        c = [int(numpy.ravel_multi_index(numpy.add(i, o), counts))
             for z in (0, 1) for o in ((0, 0, z), (1, 0, z), (1, 1, z), (0, 1, z))]
        if kind == 'hexahedra':
            parts = [range(8)]
        elif kind == 'wedges':
            parts = [(0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7)]
        elif kind == 'wedges across':
            parts = [(0, 1, 5, 3, 2, 6), (0, 5, 4, 3, 6, 7)]
        elif kind == 'tetrahedra':
            parts = [(0, a, b, 6) for a, b in ((1, 2), (2, 3), (3, 7), (7, 4), (4, 5), (5, 1))]
        else:
            c.append(len(nodes))
            nodes.append(numpy.mean([nodes[n] for n in c[:8]], axis=0).tolist())
            parts = [(*side, 8) for side in ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6),
                                             (3, 0, 4, 7))]
        elements += [[len(part), *(c[k] for k in part), 1] for part in parts]
    return MESH([x for node in nodes for x in place(node)], [x for element in elements for x in element], 1)


KINDS = ('hexahedra', 'wedges', 'tetrahedra', 'pyramids')


def floor(kind):
    if kind == 'box':
        return BOX((0, 0, -0.25), (2, 2, 0.5))
    return mesh((2, 2, 0.5), (4, 4, 1), kind, (-1, -1, -0.5))


names = itertools.count()


def scene(step=1E-3, **surface):
    solfec = SOLFEC('DYNAMIC', step, 'out/mesh_floors_%d' % next(names))
    solfec.verbose = 'OFF'
    SURFACE_MATERIAL(solfec, **surface)
    return solfec, BULK_MATERIAL(solfec, young=1E10, poisson=0, density=1000)


@pytest.mark.parametrize('kind', KINDS)
@pytest.mark.parametrize('offset', (0, 1E-8, 1E-6, 3E-5, -3E-4))
def test_a_cube_on_its_edge_bounces_straight_up(kind, offset, tilt=45):
    solfec, material = scene(restitution=1)
    BODY(solfec, 'OBSTACLE', floor(kind), material)
    cube = ROTATE(BOX((offset, 0.1, 0.15), (0.2, 0.2, 0.2)), (offset, 0.1, 0.15), (0, 1, 0), tilt)
    body = BODY(solfec, 'RIGID', cube, material)
    INITIAL_VELOCITY(body, (0, 0, -1), (0, 0, 0))
    RUN(solfec, 0.03)
    assert list(body.velo[3:]) == approx([0, 0, 1], abs=1E-5)  # pushed out of what it overlapped
    assert list(body.velo[:3]) == approx([0, 0, 0], abs=1E-3)


def corners(number):
    """A box, a needle with four corners, or a stone; turned at random."""
    random = numpy.random.default_rng(number)
    if number % 3 == 0:
        points = numpy.array(list(itertools.product((-1, 1), repeat=3))) * random.uniform(0.05, 0.15, 3)
    elif number % 3 == 1:
        points = random.normal(size=(4, 3)) * (0.02, 0.05, 0.15)
    else:
        points = random.normal(size=(10, 3)) * 0.1
    turn = numpy.linalg.qr(random.normal(size=(3, 3)))[0]
    return points @ (turn * numpy.sign(numpy.linalg.det(turn)))


def lowest(kind, number, place):
    """Of a body that falls on a corner, within 0.12 s."""
    solfec, material = scene(friction=0.3)
    GRAVITY(solfec, (0, 0, -10))
    BODY(solfec, 'OBSTACLE', floor(kind), material)
    points = corners(number)
    low = points[points[:, 2].argmin()]
    points = points + (place[0] - low[0], place[1] - low[1], 0.002 - low[2])
    body = BODY(solfec, 'RIGID', HULL(points.ravel().tolist(), 1, 1), material)
    INITIAL_VELOCITY(body, (0, 0, -1), (0, 0, 0))
    depth = [0.0]

    def look():
        x, gradient = numpy.array(body.conf[9:]), numpy.array(body.conf[:9]).reshape(3, 3).T
        depth[0] = min(depth[0], (x + (points - body.center) @ gradient.T)[:, 2].min())
        return 1
    CALLBACK(solfec, 1E-3, None, look)
    RUN(solfec, 0.12)
    return depth[0]


@pytest.mark.parametrize('kind', KINDS)
@pytest.mark.parametrize('place', ((0, 0), (0, 0.17), (0.2, 0.2)))  # node, line, diagonal
def test_corners_do_not_fall_through(kind, place):
    for number in range(12):
        assert lowest(kind, number, place) > -0.005, number


@pytest.mark.parametrize('kind', KINDS)
@pytest.mark.parametrize('under', ('box', 'hexahedra'))
@pytest.mark.parametrize('body_kind', ('RIGID', 'FINITE_ELEMENT'))
def test_a_cube_of_elements_falls_flat(kind, under, body_kind):
    """Elements at its sides have no face that looks at the floor."""
    solfec, material = scene(friction=0.3)
    GRAVITY(solfec, (0, 0, -10))
    BODY(solfec, 'OBSTACLE', floor(under), material)
    cube = BODY(solfec, body_kind, TRANSLATE(mesh((0.2, 0.2, 0.2), (2, 2, 2), kind), (-0.1, -0.1, 0.001)), material)
    if body_kind == 'FINITE_ELEMENT':
        cube.scheme, cube.damping = 'DEF_LIM', 1E-3
    INITIAL_VELOCITY(cube, (0, 0, -1), (0, 0, 0))
    for _ in range(10):
        RUN(solfec, 1E-3)
        assert all(c.base[8] > 0.99 and c.gap > -2E-3 for c in solfec.constraints)


@pytest.mark.parametrize('kind', KINDS)
@pytest.mark.parametrize('under', KINDS)
def test_an_edge_of_soft_elements_stays_on_a_line(kind, under):
    solfec, material = scene(friction=0.3)
    GRAVITY(solfec, (0, 0, -10))
    BODY(solfec, 'OBSTACLE', floor(under), material)
    soft = BULK_MATERIAL(solfec, label='soft', young=1E7, poisson=0.3, density=1000)
    shape = ROTATE(mesh((0.2, 0.2, 0.2), (2, 2, 2), kind, (-0.1, -0.1, -0.1)), (0, 0, 0), (0, 1, 0), 45)
    cube = BODY(solfec, 'FINITE_ELEMENT', TRANSLATE(shape, (0, 0, 0.1 * 2**0.5 + 0.001)), soft)
    cube.scheme, cube.damping = 'DEF_LIM', 1E-3
    INITIAL_VELOCITY(cube, (0, 0, -1), (0, 0, 0))
    height = cube.center[2]
    RUN(solfec, 0.1)
    assert height + DISPLACEMENT(cube, (0, 0, height))[2] > 0.139
    assert all(c.gap > -1E-3 for c in solfec.constraints)


def fan(count, slope, least=(0, 0, 0)):
    """Tetrahedra about an axis, with a common node below, from which their faces rise by the slope."""
    x, y, z = least
    rim = [(x + 0.1 * numpy.cos(a), y + 0.1 * numpy.sin(a), z + 0.1 * slope)
           for a in 2 * numpy.pi * numpy.arange(count) / count]
    nodes = [least, *rim, (x, y, z + 0.1 * (slope + 1))]
    elements = [(4, 0, 1 + i, 1 + (i + 1) % count, count + 1, 1) for i in range(count)]
    return MESH([float(v) for node in nodes for v in node], [n for element in elements for n in element], 1)


@pytest.mark.parametrize('count, slope', ((3, 0.5), (4, 0.2), (8, 0.05)))
@pytest.mark.parametrize('correction', ('ON', 'AHEAD'))
@pytest.mark.parametrize('kind', ('RIGID', 'FINITE_ELEMENT'))
def test_a_node_that_stands_out_slides_freely(count, slope, correction, kind):
    """Faces of elements at it lean; the floor's normal does not, and without friction momentum stays what it was."""
    solfec, material = scene()
    solfec.contact_correction = correction
    GRAVITY(solfec, (0, 0, -10))
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.25), (2, 2, 0.5)), material)
    body = BODY(solfec, kind, fan(count, slope), material)
    if kind == 'FINITE_ELEMENT':
        body.scheme, body.damping = 'DEF_LIM', 1E-3
    INITIAL_VELOCITY(body, (1, 0, 0), (0, 0, 0))
    leans = []

    def look():
        leans.extend(1 - abs(c.base[8]) for c in solfec.constraints)
        return 1
    CALLBACK(solfec, 1E-3, None, look)
    RUN(solfec, 0.05)
    assert leans and max(leans) < 1E-9
    moved = DISPLACEMENT(body, body.center)
    assert moved[:2] == approx((0.05, 0), abs=1E-7)


@pytest.mark.parametrize('plate_kind', ('box', 'hexahedra'))
def test_a_plate_slides_over_nodes_that_stand_out(plate_kind):
    solfec, material = scene()
    GRAVITY(solfec, (0, 0, -10))
    for place in ((-0.3, -0.3, 0), (0.3, -0.3, 0), (0, 0.3, 0)):
        BODY(solfec, 'OBSTACLE', ROTATE(fan(4, 0.2, place), place, (1, 0, 0), 180), material)
    shape = BOX((0, 0, 0.05), (1.2, 1.2, 0.1)) if plate_kind == 'box' else \
        mesh((1.2, 1.2, 0.1), (5, 5, 1), plate_kind, (-0.6, -0.6, 0))
    plate = BODY(solfec, 'RIGID', shape, material)
    INITIAL_VELOCITY(plate, (0.1, 0, 0), (0, 0, 0))
    RUN(solfec, 0.2)
    assert list(plate.velo) == approx([0, 0, 0, 0.1, 0, 0], abs=1E-7)


@pytest.mark.parametrize('kind', ('tetrahedra', 'wedges across'))
@pytest.mark.parametrize('correction', ('ON', 'AHEAD'))
def test_a_ball_on_a_node_of_a_thin_plate_stays_on_it(kind, correction):
    """Elements whose only face of the surface is below touch the ball's node, too."""
    solfec, material = scene()
    solfec.contact_correction = correction
    GRAVITY(solfec, (0, 0, -10))
    BODY(solfec, 'OBSTACLE', mesh((2, 2, 0.2), (2, 2, 1), kind, (-1, -1, -0.2)), material)
    ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0.101), 0.1, 1, 1), material)
    RUN(solfec, 0.3)
    assert DISPLACEMENT(ball, ball.center)[2] == approx(-1E-3, abs=1E-4)
    assert [c.base[8] for c in solfec.constraints if c.gap < -1E-3] == []


@pytest.mark.parametrize('cells', (10, 11))
def test_a_beam_stands_on_edges_under_its_nodes(cells):
    solfec, material = scene()
    GRAVITY(solfec, (0, 0, -10))
    for x in (-0.3, 0.3):
        edge = [x, -0.2, -1E-3, x, 0.2, -1E-3] + [v for dx in (-0.1, 0.1) for y in (-0.2, 0.2)
                                                for v in (x + dx, y, -0.2)]
        BODY(solfec, 'OBSTACLE', HULL(edge, 1, 1), material)
    beam = BODY(solfec, 'FINITE_ELEMENT', mesh((1, 0.1, 0.1), (cells, 1, 1), 'hexahedra', (-0.5, -0.05, 0)), material)
    beam.scheme, beam.damping = 'DEF_LIM', 1E-3
    RUN(solfec, 0.3)
    assert DISPLACEMENT(beam, (0, 0, 0.05))[2] == approx(-1E-3, abs=1E-4)
    pressed = [c for c in solfec.constraints if c.R[2] > 1]
    assert sum(c.R[2] * abs(c.base[8]) for c in pressed) == approx(10 * beam.mass, rel=0.02)
    assert all(abs(c.base[8]) > 0.99 for c in pressed)


def test_a_knife_over_a_node_presses_along_the_surface_normal():
    """In three-point bending; flanks of the knife press against the sides of no element."""
    forces = []
    for cells in (40, 41):
        solfec = SOLFEC('QUASI_STATIC', 1.0, 'out/mesh_floors_knife_%d' % cells)
        solfec.verbose = 'OFF'
        SURFACE_MATERIAL(solfec)
        material = BULK_MATERIAL(solfec, young=2E9, poisson=0, density=2000)
        t = 0.05
        beam = BODY(solfec, 'FINITE_ELEMENT', mesh((1, t, t), (cells, 1, 2), 'hexahedra'), material)
        for x, z, up in ((0.05, 0, -1), (0.95, 0, -1), (0.5, t, 1)):
            edge = [x, -0.1, z, x, 0.2, z] + [v for dx in (-0.01, 0.01) for y in (-0.1, 0.2)
                                            for v in (x + dx, y, z + 0.05 * up)]
            knife = BODY(solfec, 'OBSTACLE', HULL(edge, 1, 1), material)
        SET_DISPLACEMENT(knife, (0, 0, 0), (0, 0, 1), TIME_SERIES([0, 0, 5, -0.005]))
        FIX_DIRECTION(beam, (0.5, 0, 0), (1, 0, 0))
        FIX_DIRECTION(beam, (0.5, 0, 0), (0, 1, 0))
        FIX_DIRECTION(beam, (0.5, t, 0), (1, 0, 0))
        RUN(solfec, 5.0)
        pressed = [c for c in solfec.constraints if c.kind == 'CONTACT' and c.R[2] > 1]
        assert all(abs(c.base[8]) > 0.99 for c in pressed)
        forces.append(sum(c.R[2] * c.base[8] for c in pressed if abs(c.point[0] - 0.5) < 0.1))
    assert forces[0] == approx(forces[1], rel=0.01)


def block(kind, height, tilt, turn, shift=0):
    """Its lowest (height > 0) or highest edge goes through the origin."""
    size, least = (0.2, 0.2, 0.2), (-0.1 - shift, -0.2, min(height, 0))
    if kind == 'box':
        shape = BOX([x + 0.1 for x in least], size)
    elif kind == 'bricks':
        shape = [BOX([x + dx for x, dx in zip(least, at)], (0.1, 0.1, 0.1))
                 for at in itertools.product((0.05, 0.15), repeat=3)]
    else:
        shape = mesh(size, (2, 2, 2), kind, least)
    tilted = ROTATE(shape, (0, 0, 0), (1, 0, 0), -tilt if height > 0 else tilt)
    return ROTATE(tilted, (0, 0, 0), (0, 0, 1), turn)


@pytest.mark.parametrize('correction, under, over, tilt, turn, shift', (
    ('ON', 'hexahedra', 'box', 20, 60, 1E-6), ('ON', 'wedges across', 'wedges', 45, 90, 0.03),
    ('ON', 'tetrahedra', 'tetrahedra', 30, 40, 0.03), ('AHEAD', 'hexahedra', 'hexahedra', 45, 70, 1E-5),
    ('AHEAD', 'hexahedra', 'box', 30, 40, 0), ('AHEAD', 'box', 'hexahedra', 30, 40, 1E-4),
    ('AHEAD', 'tetrahedra', 'box', 30, 40, 0.03), ('AHEAD', 'pyramids', 'box', 30, 40, 0.03),
    ('AHEAD', 'bricks', 'box', 20, 40, 1E-6), ('AHEAD', 'box', 'bricks', 20, 70, 1E-4)))
def test_edges_that_cross_press_along_the_normal_of_both(correction, under, over, tilt, turn, shift):
    """Also where one of them is that of tetrahedra or pyramids, which have one face at it each, and of solids of a
    shape, which have no nodes in common."""
    solfec, material = scene()
    solfec.contact_correction = correction
    BODY(solfec, 'OBSTACLE', block(under, -0.2, tilt, 0, shift), material)
    body = BODY(solfec, 'RIGID', TRANSLATE(block(over, 0.2, 45, turn), (0, 0, 2E-4)), material)
    INITIAL_VELOCITY(body, (0, 0, -0.5), (0, 0, 0))
    RUN(solfec, 0.02)
    assert list(body.velo[3:]) == approx([0, 0, 0], abs=1E-4)


def with_ridge(size, cells, kind, least, slope):
    """Along x at y = 0, in the side at z = 0; of one HULL for each half, or of a mesh."""
    def place(node):
        x, y, z = node
        return x, y, slope * abs(y) if z == 0 else z
    if kind != 'hulls':
        return mesh(size, cells, kind, least, place)
    corners = [[least[k] + i * size[k] for i in (0, 1)] for k in range(3)]
    return [HULL([x for node in itertools.product(corners[0], (0, y), corners[2]) for x in place(node)], 1, 1)
            for y in corners[1]]


@pytest.mark.parametrize('kind', ('wedges', 'tetrahedra', 'hulls'))
@pytest.mark.parametrize('correction', ('ON', 'AHEAD'))
@pytest.mark.parametrize('slope', (-0.75, 0.75))
def test_a_ridge_slides_in_a_valley(kind, correction, slope):
    """Elements at either side of the line barely touch those of the other body at the other side, along no normal."""
    def velocity(kind, correction):
        solfec, material = scene(5E-4, friction=0.3)
        solfec.contact_correction = correction
        GRAVITY(solfec, (0, 0, -9.81))
        BODY(solfec, 'OBSTACLE', with_ridge((6, 1, 1), (15, 2, 1), kind, (-2, -0.5, -1), slope), material)
        shape = with_ridge((0.6, 0.4, 0.4), (4, 2, 1), kind, (-0.3, -0.2, 0), slope)
        shape = ROTATE(shape, (0, 0, 0), (0, 1, 0), 0.5)
        body = BODY(solfec, 'RIGID', TRANSLATE(shape, (0.03, 0, 0.0126)), material)
        INITIAL_VELOCITY(body, (1.5, 0, 0), (0, 0, 0))
        RUN(solfec, 0.1)
        assert all(c.gap > -1E-3 for c in solfec.constraints)
        return list(VELOCITY(body, body.center))
    assert velocity(kind, correction) == approx(velocity('hulls', 'ON'), abs=0.02)
