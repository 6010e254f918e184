"""CONVEX, HULL, MESH, HEX, PIPE, SPHERE, ELLIP and what moves, copies and measures them."""

import math

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


def test_moves_return_the_same_shape():
    ball = SPHERE((1, 0, 0), 1, 1, 1)
    assert TRANSLATE(ball, (0, 0, 1)) is ball and ball.center == (1, 0, 1)
    assert ROTATE(ball, (0, 0, 1), (0, 0, 2), 90) is ball and ball.center == approx((0, 1, 1))
    assert SCALE(ball, (3, 2, 1)) is ball and ball.center == approx((0, 2, 1)) and ball.radius == 3
    nested = [ball, [cube(), (cube(),)]]
    assert TRANSLATE(nested, (1, 0, 0)) is nested and MASS_CENTER(nested[1][1]) == approx((1.5, 0.5, 0.5))


def test_moves_of_points():
    for point in ((1, 2, 3), [1, 2, 3]):
        assert TRANSLATE(point, (1, 1, 1)) == (2, 3, 4)
        assert SCALE(point, (0, 1, 2)) == (0, 2, 6)
        assert ROTATE(point, (0, 0, 0), (0, 0, 1), 90) == approx((-2, 1, 3))
    assert list(point) == [1, 2, 3]


def test_copy():
    one, balls = cube(), SPHERE((0, 0, 0), 1, 1, 1)
    copy = COPY(one)
    TRANSLATE(copy, (1, 0, 0))
    assert MASS_CENTER(one) == approx((0.5, 0.5, 0.5)) and MASS_CENTER(copy) == approx((1.5, 0.5, 0.5))
    assert isinstance(COPY([cube(), cube()]), CONVEX)
    mixed = COPY([one, balls, HEX(CORNERS, 1, 1, 1, 1, [1] * 6), ELLIP((0, 0, 0), (1, 1, 1), 1, 1)])
    assert sorted(type(s).__name__ for s in mixed) == ['CONVEX', 'ELLIP', 'MESH', 'SPHERE']
    assert one.nver == 8 and balls.radius == 1


def test_mass_center(model):
    assert MASS_CENTER(cube()) == approx((0.5, 0.5, 0.5))
    assert MASS_CENTER([cube(), cube(3)]) == approx((2, 0.5, 0.5))
    assert MASS_CENTER(model.ball) == model.ball.center
    DELETE(model.solfec, model.ball)
    with pytest.raises(ValueError, match="MASS_CENTER: 'shape': this BODY object has been emptied"):
        MASS_CENTER(model.ball)
