"""BOX, CYLINDER, SPHERE, ELLIP, CONVEX, HULL, MESH, HEX, ROUGH_HEX and PIPE."""

import math

import numpy
import pytest
from commands import CORNERS, CUBE_FACES
from conftest import cube
from pytest import approx

from solfec import *


def measured(shape):
    """Volume, mass, mass centre and Euler tensor of a body of this shape."""
    solfec = SOLFEC('DYNAMIC', 1, 'out/%d' % id(shape))
    body = BODY(solfec, 'PSEUDO_RIGID', shape, BULK_MATERIAL(solfec, density=2))
    return body.volume, body.mass, body.center, body.tensor


def test_convex():
    solid = CONVEX(CORNERS, CUBE_FACES, 7)
    assert solid.nver == 8
    assert [solid.vertex(n) for n in (0, 6)] == [(0, 0, 0), (1, 1, 1)]
    for n in (-1, 8):
        with pytest.raises(ValueError, match=f"CONVEX.vertex: 'n' must be from 0 to 7; got {n}"):
            solid.vertex(n)
    two = CONVEX([x + 1 for x in CORNERS], CUBE_FACES, 7, solid)
    assert two.vertex(0) == (1, 1, 1)  # the last one
    with pytest.raises(ValueError, match='CONVEX.nver: this object has been emptied'):
        solid.nver
    assert measured(two)[0] == approx(2)


def test_convex_must_be_convex():
    dented = list(CORNERS)
    dented[18:21] = 0.2, 0.2, 0.2
    with pytest.raises(ValueError, match="^CONVEX: 'faces'"):
        CONVEX(dented, CUBE_FACES, 1)
    inside_out = [4, 1, 2, 3, 0] + CUBE_FACES[5:]
    with pytest.raises(ValueError, match="^CONVEX: 'faces'"):
        CONVEX(CORNERS, inside_out[:4] + [inside_out[4], 2] + inside_out[5:], 1)


def test_hull():
    octahedron = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1]
    hull = HULL(octahedron + [0.1, 0.1, 0.1], 1, 1)
    assert hull.nver == 6  # the inner point is dropped
    volume, mass, center, _ = measured(hull)
    assert volume == approx(4 / 3) and mass == approx(8 / 3) and center == approx((0, 0, 0))
    for flat in ([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], [0, 0, 0] * 4):
        with pytest.raises(RuntimeError, match='^HULL: '):
            HULL(flat, 1, 1)


def test_a_failed_hull_empties_nothing():
    other = cube()
    with pytest.raises(RuntimeError):
        HULL([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], 1, 1, other)
    assert other.nver == 8


@pytest.mark.parametrize('nodes, elements, volume', [
    ([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [4, 0, 1, 2, 3, 1], 1 / 6),
    ([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1], [5, 0, 1, 2, 3, 4, 1], 1 / 3),
    ([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1], [6, 0, 1, 2, 3, 4, 5, 1], 1 / 2),
    (CORNERS, [8, 0, 1, 2, 3, 4, 5, 6, 7, 1], 1),
    (CORNERS, [8, 4, 5, 6, 7, 0, 1, 2, 3, 1], 1)])  # inside out
def test_mesh(nodes, elements, volume):
    mesh = MESH(nodes, elements, 1)
    assert mesh.nnod == len(nodes) // 3 and mesh.node(1) == tuple(nodes[3:6])
    with pytest.raises(ValueError, match=f"MESH.node: 'n' must be from 0 to {mesh.nnod - 1}"):
        mesh.node(mesh.nnod)
    assert measured(mesh)[0] == approx(volume)


def test_nodes_of_a_surface():
    mesh = HEX(CORNERS, 2, 1, 1, 1, [1, 2, 3, 4, 5, 6])
    for surface, coordinate, value in ((1, 2, 0), (2, 0, 0), (3, 1, 1), (4, 0, 1), (5, 1, 0), (6, 2, 1)):
        nodes = mesh.nodes_on_surface(surface)
        assert nodes == [n for n in range(mesh.nnod) if mesh.node(n)[coordinate] == value] and len(nodes) in (4, 6)
    assert mesh.nodes_on_surface(7) is None
    with pytest.raises(TypeError, match="^MESH.nodes_on_surface: 'surfid' must be an integer; got 'x'"):
        mesh.nodes_on_surface('x')


def test_parts_of_a_mesh(capfd):
    """Nodes at one place do not join elements, and no two elements have the same nodes."""
    above = [x + (i % 3 == 2) for i, x in enumerate(CORNERS)]
    two = [8, *range(8), 1, 8, *range(8, 16), 1]
    MESH(CORNERS + above, two)
    assert 'warning: MESH: its elements make 2 parts without a common node' in capfd.readouterr().err
    MESH(CORNERS + above[12:], two[:10] + [8, *range(4, 12), 1])
    assert 'warning' not in capfd.readouterr().err
    with pytest.raises(ValueError, match="^MESH: 'elements': element 1 has the nodes of element 0"):
        MESH(CORNERS, [8, *range(8), 1, 8, 4, 5, 6, 7, 0, 1, 2, 3, 1])


def test_nodes_without_an_element(capfd, model):
    """They are left out, with one warning, and the others keep their order; faces name the nodes that were given."""
    apart = [9, 9, 9]
    nodes = apart + CORNERS[:12] + apart + CORNERS[12:] + apart
    mesh = MESH(nodes, [8, 1, 2, 3, 4, 6, 7, 8, 9, 1], [1, 4, 6, 7, 8, 9, 2])
    lines = [line for line in capfd.readouterr().err.splitlines() if 'warning' in line]
    assert len(lines) == 1 and 'MESH: 3 of the 11 nodes belong to no element' in lines[0]
    assert [x for n in range(mesh.nnod) for x in mesh.node(n)] == CORNERS
    assert mesh.nodes_on_surface(2) == [4, 5, 6, 7] and mesh.nodes_on_surface(1) == list(range(8))
    assert BODY(model.solfec, 'FINITE_ELEMENT', mesh, model.material).volume == approx(1)
    with pytest.raises(ValueError, match="^MESH: 'surfids': node 5 of a face belongs to no element"):
        MESH(nodes, [8, 1, 2, 3, 4, 6, 7, 8, 9, 1], [1, 3, 5, 6, 7, 2])
    capfd.readouterr()
    MESH(CORNERS, [8, 0, 1, 2, 3, 4, 5, 6, 7, 1], 1)
    assert 'MESH' not in capfd.readouterr().err


def surfaces(model, shape):
    """Of the contacts of a body of the shape, which reaches a hair into the floor."""
    low = min(z for z in (shape.vertex(n)[2] for n in range(shape.nver))) if isinstance(shape, CONVEX) else 0
    body = BODY(model.solfec, 'RIGID', TRANSLATE(shape, (3, 3, -1E-3 - low)), model.material)
    model.run()
    found = {c.spair[0] for c in body.constraints}
    DELETE(model.solfec, body)
    return found


def test_identifiers_are_0_unless_they_are_given(model):
    low = [-0.5 + x if k % 3 < 2 else x for k, x in enumerate(CORNERS)]
    for shape in (HULL(low), HEX(low, 1, 1, 1), MESH(low, [8, 0, 1, 2, 3, 4, 5, 6, 7, 7]), SPHERE((0, 0, 1), 1),
                  ELLIP((0, 0, 1), (1, 1, 1)), PIPE((0, 0, 0), (0, 0, 1), 1, 1, 1, 8, 1)):
        assert surfaces(model, shape) == {0}
    for shape in (HULL(low, surfid=5), HEX(low, 1, 1, 1, surfids=5), MESH(low, [8, 0, 1, 2, 3, 4, 5, 6, 7, 7], 5),
                  SPHERE((0, 0, 1), 1, surfid=5), ELLIP((0, 0, 1), (1, 1, 1), surfid=5),
                  PIPE((0, 0, 0), (0, 0, 1), 1, 1, 1, 8, 1, surfids=5)):
        assert surfaces(model, shape) == {5}
    heavy = BULK_MATERIAL(model.solfec, density=2000)
    for shape in (HULL(low), HEX(low, 1, 1, 1), CONVEX(low, CUBE_FACES), SPHERE((0, 0, 0), 1),
                  ELLIP((0, 0, 0), (1, 1, 1)), PIPE((0, 0, 0), (0, 0, 1), 1, 1, 1, 8, 1)):
        body = BODY(model.solfec, 'RIGID', shape, model.material)
        mass = body.mass
        MATERIAL(model.solfec, body, 0, heavy)
        assert body.mass == approx(2 * mass)


def test_points_and_rows():
    """Coordinates as triples or (n, 3) arrays, faces and elements as rows: the same shapes as from flat lists."""
    def vertices(shape):
        number, point = (shape.nver, shape.vertex) if isinstance(shape, CONVEX) else (shape.nnod, shape.node)
        return [point(n) for n in range(number)]

    triples = [tuple(CORNERS[k:k + 3]) for k in range(0, 24, 3)]
    faces = [CUBE_FACES[k:k + 6] for k in range(0, 36, 6)]
    element = [8, 0, 1, 2, 3, 4, 5, 6, 7, 1]
    for points in (triples, [list(p) for p in triples], tuple(triples), numpy.array(triples),
                   numpy.array(triples, dtype=numpy.float32), list(numpy.array(triples))):
        assert vertices(HULL(points)) == vertices(HULL(CORNERS))
        assert vertices(HEX(points, 2, 1, 1)) == vertices(HEX(CORNERS, 2, 1, 1))
        for rows in (faces, [tuple(face) for face in faces], numpy.array(faces)):
            assert vertices(CONVEX(points, rows, 1)) == triples
        for rows in ([element], numpy.array([element])):
            mesh = MESH(points, rows, [1, [4, 0, 1, 2, 3, 2], (4, 4, 5, 6, 7, 3)])
            assert vertices(mesh) == triples and mesh.nodes_on_surface(3) == [4, 5, 6, 7]
    for call, error, message in (
            (lambda: HULL(triples[:3] + [(1, 2)]), ValueError,
             "HULL: 'points', entry 3 must be a tuple of three numbers; got (1, 2)"),
            (lambda: HULL(triples[:3] + [1]), TypeError,
             "HULL: 'points', entry 3 must be a tuple of three numbers; got 1"),
            (lambda: HULL(triples[:3]), ValueError, "HULL: 'points' must be a list of 4 or more points; got 3"),
            (lambda: HULL(CORNERS[:11]), ValueError,
             "HULL: 'points' must be a list of 12, 15, 18 ... numbers; got 11"),
            (lambda: HEX(triples[:7], 1, 1, 1), ValueError, "HEX: 'nodes' must be a list of 8 or more points; got 7"),
            (lambda: HEX(triples * 2, 1, 1, 1), ValueError,
             "HEX: 'nodes' must be a list of 24 numbers, or of 8 points"),
            (lambda: CONVEX(triples, faces[:5] + [[4, 4, 5, 6.5, 7, 2]]), TypeError,
             "CONVEX: 'faces', entry 5 must be a list of integers (entry 3 is 6.5)"),
            (lambda: MESH(triples, [[8, 0, 1, 2]]), ValueError,
             "MESH: 'elements', entry 0 must be a list of 10 integers, since it begins with 8; got [8, 0, 1, 2]"),
            (lambda: MESH(triples, [element], [[4, 0, 1, 2, 3, 2]]), TypeError,
             "MESH: 'surfids', entry 0 must be an integer; got [4, 0, 1, 2, 3, 2]"),
            (lambda: MESH(triples, [element], [1, [4, 0, 1, 2, 3]]), ValueError,
             "MESH: 'surfids', entry 1 must be a list of 6 integers, since it begins with 4; got [4, 0, 1, 2, 3]"),
            (lambda: HEX(triples, 1, 1, 1, 1, [1] * 5), ValueError,
             "HEX: 'surfids' must be an integer or a list of 6 integers"),
            (lambda: PIPE((0, 0, 0), (0, 0, 1), 1, 1, 1, 8, 1, 1, [1] * 5), ValueError,
             "PIPE: 'surfids' must be an integer or a list of 6 or 4 integers")):
        with pytest.raises(error) as caught:
            call()
        assert str(caught.value).startswith(message)


def test_mesh_surfaces_reach_the_contacts(model):
    """Default identifier, then exceptions: the bottom of an element has another one."""
    low = [x - 0.5 + (0.499 if k % 3 == 2 else 0) for k, x in enumerate(CORNERS)]
    BODY(model.solfec, 'RIGID', TRANSLATE(MESH(low, [8, 0, 1, 2, 3, 4, 5, 6, 7, 1], [8, 4, 3, 2, 1, 0, 9]), (3, 3, 0)),
         model.material)
    model.run()
    assert {c.spair for c in model.solfec.constraints} == {(2, 1), (9, 1)}


def test_hex():
    mesh = HEX([2 * x for x in CORNERS], 2, 3, 1, 5, [1, 2, 3, 4, 5, 6], dx=[1, 3], dy=[1, 1, 2])
    assert mesh.nnod == 3 * 4 * 2
    nodes = [mesh.node(n) for n in range(mesh.nnod)]
    assert sorted({round(p[0], 12) for p in nodes}) == [0, 0.5, 2]
    assert sorted({round(p[1], 12) for p in nodes}) == [0, 0.5, 1, 2]
    assert measured(mesh)[0] == approx(8)
    upside_down = HEX(CORNERS[12:] + CORNERS[:12], 1, 1, 1, 1, [1] * 6)
    assert measured(upside_down)[0] == approx(1)


def test_rough_hex():
    """The least box along the principal axes, here those of a turned slab."""
    slab = ROTATE(HEX([x for k in range(8) for x in (4 * CORNERS[3 * k], 2 * CORNERS[3 * k + 1], CORNERS[3 * k + 2])],
                      1, 1, 1, 7, [1] * 6), (0, 0, 0), (1, 2, 3), 20)
    mesh = ROUGH_HEX(slab, 4, 2, 1, dx=[1, 2, 3, 4])
    assert mesh.nnod == 5 * 3 * 2 and MASS_CENTER(mesh) == approx(MASS_CENTER(slab))
    assert min(math.dist(mesh.node(n), slab.node(0)) for n in range(mesh.nnod)) < 1E-9
    assert measured(mesh)[0] == approx(8)
    ball = ROUGH_HEX(SPHERE((1, 2, 3), 0.5, 1, 1), 2, 2, 2)
    assert ball.node(0) == approx((0.5, 1.5, 2.5)) and measured(ball)[0] == approx(1)


def test_hex_surfaces(model):
    """bottom, i-, j+, i+, j-, top: six cubes, each turned to stand on another side."""
    turns = {1: ((1, 0, 0), 0), 6: ((1, 0, 0), 180), 2: ((0, 1, 0), -90), 4: ((0, 1, 0), 90), 3: ((1, 0, 0), -90),
             5: ((1, 0, 0), 90)}
    for k, (surface, (axis, angle)) in enumerate(turns.items()):
        mesh = ROTATE(HEX(CORNERS, 1, 1, 1, 1, [11, 12, 13, 14, 15, 16]), (0.5, 0.5, 0.5), axis, angle)
        TRANSLATE(mesh, (1.5 * k - 4.8, 2, -0.001))
        BODY(model.solfec, 'RIGID', mesh, model.material, 'stands on %d' % (10 + surface))
    model.run()
    found = {c.adjbod[0].label: c.spair[0] for c in model.solfec.constraints}
    for surface in turns:
        assert found['stands on %d' % (10 + surface)] == 10 + surface


def test_pipe():
    around, inner, thickness, length = 64, 1.0, 0.5, 3.0
    four = PIPE((0, 0, 1), (0, 0, length), inner, thickness, 2, around, 1, 1, [1, 2, 3, 4])
    assert four.nnod == 3 * around * 2
    volume, _, center, _ = measured(four)
    polygon = around / 2 * math.sin(2 * math.pi / around)
    assert volume == approx(polygon * ((inner + thickness)**2 - inner**2) * length) and center == approx((0, 0, 2.5))
    six = PIPE((0, 0, 0), (1, 0, 0), 1, 0.1, 1, 8, 1, 1, [1, 2, 3, 4, 5, 6])
    assert six.nnod == 2 * 8 * 2


def test_box(model):
    box = BOX((1, 2, 3), (2, 4, 6), 7, [1, 2, 3, 4, 5, 6])
    assert isinstance(box, CONVEX) and box.nver == 8
    points = [box.vertex(n) for n in range(8)]
    assert sorted(points) == sorted((x, y, z) for x in (0, 2) for y in (0, 4) for z in (0, 6))
    volume, mass, center, tensor = measured(BOX((1, 2, 3), (2, 4, 6)))
    assert (volume, mass) == (approx(48), approx(96)) and center == approx((1, 2, 3))
    assert tensor == approx([mass / 12 * x for x in (4, 0, 0, 0, 16, 0, 0, 0, 36)], abs=1E-9)
    two = BOX((9, 9, 9), (1, 1, 1), convex=box)
    assert two.vertex(6) == (9.5, 9.5, 9.5) and measured(two)[0] == approx(49)
    with pytest.raises(ValueError, match='emptied'):
        box.nver
    for far in (1E12, 1E40):
        with pytest.raises(ValueError, match="^BOX: 'sizes': "):  # there is nothing between numbers
            BOX((far, 0, 0), (1E-6, 1, 1))


def test_box_stands_on_each_of_its_surfaces(model):
    turns = {1: ((1, 0, 0), 0), 6: ((1, 0, 0), 180), 2: ((0, 1, 0), -90), 4: ((0, 1, 0), 90), 3: ((1, 0, 0), -90),
             5: ((1, 0, 0), 90)}
    for surface, (axis, angle) in turns.items():
        box = ROTATE(BOX((0, 0, 0), (1, 1, 1), 1, [11, 12, 13, 14, 15, 16]), (0, 0, 0), axis, angle)
        assert surfaces(model, box) == {10 + surface}
    assert surfaces(model, BOX((0, 0, 0), (1, 1, 1), surfids=5)) == {5}
    assert surfaces(model, BOX((0, 0, 0), (1, 1, 1))) == {0}


def test_cylinder(model):
    radius, length = 0.5, 3.0
    for given, n in (((), 24), ((8,), 8), ((100,), 100)):
        cylinder = CYLINDER((0, 0, 1), (0, 0, length), radius, *given)
        assert cylinder.nver == 2 * n
        assert all(math.hypot(*cylinder.vertex(k)[:2]) == approx(radius) for k in range(2 * n))
        volume, mass, center, tensor = measured(cylinder)
        assert volume == approx(n / 2 * math.sin(2 * math.pi / n) * radius**2 * length)
        assert center == approx((0, 0, 2.5), abs=1E-12)
    round_one = mass * radius**2 / 4
    assert tensor == approx([round_one, 0, 0, 0, round_one, 0, 0, 0, mass * length**2 / 12], rel=2E-3, abs=1E-9)
    make = lambda: CYLINDER((0, 0, 0), (0, 0, 1), 0.5, 4, 1, [11, 12, 13])
    assert surfaces(model, make()) == {11} and surfaces(model, ROTATE(make(), (0, 0, 0), (1, 0, 0), 180)) == {12}
    lying = ROTATE(CYLINDER((0, 0, 0), (1, 0, 0), 0.5, 4, 1, [11, 12, 13]), (0, 0, 0), (1, 0, 0), 45)
    assert surfaces(model, lying) == {13}
    assert measured(CYLINDER((5, 0, 0), (0, 1, 0), 1, 4, convex=make()))[0] == approx(2 + 0.5)


def test_sphere_and_ellip():
    ball = SPHERE([1, 2, 3], 2, 1, 1)
    assert ball.center == (1, 2, 3) and ball.radius == 2
    two = SPHERE((0, 0, 0), 1, 1, 1, ball)
    with pytest.raises(ValueError, match='SPHERE.radius: this object has been emptied'):
        ball.radius
    assert measured(two)[0] == approx(4 / 3 * math.pi * 9)
    ellip = ELLIP((0, 0, 0), (1, 2, 3), 1, 1)
    assert ellip.rot == (1, 0, 0, 0, 1, 0, 0, 0, 1)
    ROTATE(ellip, (0, 0, 0), (0, 0, 1), 90)
    assert ellip.rot == approx((0, 1, 0, -1, 0, 0, 0, 0, 1), abs=1E-15) and ellip.radii == (1, 2, 3)
    volume, mass, _, tensor = measured(ellip)
    assert volume == approx(4 / 3 * math.pi * 6)
    assert tensor == approx([mass / 5 * x for x in (4, 0, 0, 0, 1, 0, 0, 0, 9)], abs=1E-9)
