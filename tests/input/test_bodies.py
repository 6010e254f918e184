"""BODY and its members; BODY_CHARS, INITIAL_VELOCITY, DELETE, BYLABEL."""

import math

import pytest
from commands import CORNERS, CUBE_FACES
from conftest import cube
from pytest import approx

from solfec import *


def test_kinds_and_members(model):
    box = [2 * x if k % 3 == 0 else x for k, x in enumerate(CORNERS)]  # 2 x 1 x 1
    for kind in ('RIGID', 'PSEUDO_RIGID', 'OBSTACLE'):
        body = BODY(model.solfec, kind, HEX(box, 1, 1, 1, 1, [1] * 6), model.material, kind.lower())
        assert (body.kind, body.label, body.material) == (kind, kind.lower(), 'stuff')
        assert body.volume == approx(2) and body.mass == approx(2000) and body.center == approx((1, 0.5, 0.5))
        euler = [2000 / 12 * x for x in (4, 1, 1)]
        diagonal = euler if kind == 'PSEUDO_RIGID' else [sum(euler) - e for e in euler]
        assert body.tensor == approx([diagonal[k // 4] if k % 4 == 0 else 0 for k in range(9)], abs=1E-9)
        if kind == 'OBSTACLE':
            assert body.conf is None and body.velo is None
        else:
            assert body.conf == approx((1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0.5, 0.5))
            assert body.velo == (0,) * (6 if kind == 'RIGID' else 12)
        assert body.constraints == [] and body.ncon == 0
        assert (body.damping, body.selfcontact, body.nodecontact) == (0, 'OFF', 'OFF')
    assert [body.id for body in model.solfec.bodies] == [0, 1, 2, 3, 4]
    assert BODY(model.solfec, 'RIGID', cube(), model.material).label == ''


def test_needles(model):
    """Their inertia is singular by round-off; those of any use are not."""
    for length, fine in ((1E5, True), (1E12, False), (1E45, False)):
        box = [length * x if k % 3 == 2 else x for k, x in enumerate(CORNERS)]
        mesh = lambda: HEX(box, 1, 1, 1, 1, [1] * 6)
        for kind in ('RIGID', 'PSEUDO_RIGID'):
            hull = CONVEX(box, CUBE_FACES, 1)
            if fine:
                for shape in (hull, mesh()):
                    assert BODY(model.solfec, kind, shape, model.material).volume == approx(length)
            else:
                with pytest.raises(ValueError, match="^BODY: 'shape' must be a shape whose inertia is not singular"):
                    BODY(model.solfec, kind, hull, model.material)
                COPY(hull)  # is not emptied
                with pytest.raises(ValueError, match="^HEX: .* has no volume"):
                    mesh()


def test_points_far_beyond_a_mesh(model):
    body = BODY(model.solfec, 'FINITE_ELEMENT', HEX([x + 9 for x in CORNERS], 2, 1, 1, 1, [1] * 6), model.material)
    base, series = (1, 0, 0, 0, 1, 0, 0, 0, 1), TIME_SERIES([0, 0, 1, 1])
    for far, kind in (((1E160, 0, 0), 'a tuple of three numbers of at most 1e'), ((0, 1E40, 0), 'a point of the body'),
                      ((0, 0, math.inf), 'a list of finite numbers'), ((math.nan, 0, 0), 'a list of finite numbers')):
        for call in (lambda: FIX_POINT(body, far), lambda: FIX_DIRECTION(body, far, (0, 0, 1)),
                     lambda: SET_VELOCITY(body, far, (0, 0, 1), 1), lambda: SET_VELOCITY3(body, far, base, (0, 0, 0)),
                     lambda: SET_DISPLACEMENT(body, far, (0, 0, 1), series),
                     lambda: SET_DISPLACEMENT3(body, far, base, (series, 0, 0)),
                     lambda: SET_ACCELERATION3(body, far, base, (0, 0, 0)),
                     lambda: FORCE(body, 'SPATIAL', far, (0, 0, 1), 1), lambda: DISPLACEMENT(body, far),
                     lambda: VELOCITY(body, far), lambda: STRESS(body, far)):
            with pytest.raises(ValueError, match=f"^[A-Z_0-9]*: 'point' must be {kind}"):
                call()


def test_schemes(model):
    rigid = model.ball
    deformable = BODY(model.solfec, 'PSEUDO_RIGID', cube(3, 3, 3), model.material)
    assert (rigid.scheme, deformable.scheme, model.floor.scheme) == ('RIG_IMP', 'DEF_EXP', 'DEFAULT')
    for body, schemes in ((rigid, ('RIG_POS', 'RIG_NEG', 'RIG_IMP')),
                          (deformable, ('DEF_LIM', 'DEF_LIM2', 'DEF_IMP', 'DEF_EXP'))):
        for scheme in schemes:
            body.scheme = scheme
            assert body.scheme == scheme
        body.scheme = 'DEFAULT'
        assert body.scheme == schemes[-1]
    for body, wrong in ((rigid, 'DEF_EXP'), (deformable, 'RIG_NEG'), (model.floor, 'RIG_NEG')):
        with pytest.raises(ValueError, match=f"BODY.scheme must be one of 'DEFAULT'.*; got '{wrong}'"):
            body.scheme = wrong


def test_members_refuse(model):
    shapes = (HEX(CORNERS, 1, 1, 1, 1, [1] * 6) for _ in range(2))
    meshed, deformable = (BODY(model.solfec, kind, shape, model.material)
                          for kind, shape in zip(('FINITE_ELEMENT', 'PSEUDO_RIGID'), shapes))
    for body, name, value, reason in (
            (meshed, 'scheme', 'RIG_EXP', "one of 'DEFAULT', 'DEF_EXP', .*; got 'RIG_EXP'"),
            (meshed, 'scheme', 'RIG_NEG', "one of 'DEFAULT', 'DEF_EXP', .*; got 'RIG_NEG'"),
            (meshed, 'damping', -1, 'a number >= 0; got -1'), (meshed, 'damping', math.nan, 'a finite number; got nan'),
            (deformable, 'damping', -1, 'a number >= 0; got -1'), (meshed, 'damping', 'x', "a number; got 'x'"),
            (meshed, 'selfcontact', 'x', "one of 'ON', 'OFF'; got 'x'"), (meshed, 'selfcontact', 1, 'a string; got 1'),
            (deformable, 'selfcontact', 'ON', r"'OFF' \(only a FINITE_ELEMENT body touches itself\); got 'ON'"),
            (model.floor, 'selfcontact', 'ON', r"'OFF' \(only a FINITE_ELEMENT body touches itself\); got 'ON'"),
            (model.floor, 'selfcontact', 'x', "one of 'ON', 'OFF'; got 'x'")):
        before = getattr(body, name)
        with pytest.raises((TypeError, ValueError), match=f'^BODY.{name} must be {reason}'):
            setattr(body, name, value)
        assert getattr(body, name) == before
    for body in (deformable, model.floor, model.ball):
        body.selfcontact = 'OFF'
        assert body.selfcontact == 'OFF'


def test_mesh_of_a_body(model):
    """A copy, where it was made: nodes in the order of conf."""
    shape = HEX([x + 9 for x in CORNERS], 2, 1, 1, 7, [1, 2, 3, 4, 5, 6])
    nodes = [x for n in range(shape.nnod) for x in shape.node(n)]
    body = BODY(model.solfec, 'FINITE_ELEMENT', shape, model.material)
    model.run(3)
    mesh = body.mesh
    assert [x for n in range(mesh.nnod) for x in mesh.node(n)] == nodes != list(body.conf)
    top = mesh.nodes_on_surface(6)
    assert len(top) == 6 and [body.conf[3 * n + 2] for n in top] == approx([10] * 6, rel=1E-3)
    TRANSLATE(mesh, (5, 0, 0))
    assert [x for n in range(body.mesh.nnod) for x in body.mesh.node(n)] == nodes
    around = BODY(model.solfec, 'FINITE_ELEMENT', cube(20, 20, 20), model.material,
                  mesh=ROUGH_HEX(cube(20, 20, 20), 1, 2, 1))
    assert around.mesh.nnod == len(around.conf) // 3 == 12
    assert model.ball.mesh is None and model.floor.mesh is None
    assert BODY(model.solfec, 'RIGID', body.mesh, model.material).volume == approx(1)


def test_materials_that_keep_their_volume(model):
    """poisson = 0.5 is for bodies that do not deform: nothing else divides by 1 - 2 poisson."""
    rubber = BULK_MATERIAL(model.solfec, label='rubber', poisson=0.5)
    meshed = lambda: HEX(CORNERS, 1, 1, 1, 1, [1] * 6)
    for kind in ('RIGID', 'OBSTACLE'):
        assert BODY(model.solfec, kind, meshed(), rubber).mass == approx(1000)
    wanted = "'material': a body that deforms needs a poisson below 0.5; that of the material 'rubber' is 0.5"
    for kind in ('PSEUDO_RIGID', 'FINITE_ELEMENT'):
        with pytest.raises(ValueError, match='^BODY: ' + wanted):
            BODY(model.solfec, kind, meshed(), 'rubber')
    body = BODY(model.solfec, 'FINITE_ELEMENT', meshed(), model.material)
    with pytest.raises(ValueError, match='^MATERIAL: ' + wanted):
        MATERIAL(model.solfec, body, 1, rubber)
    for place, change in (
            ('BULK_MATERIAL.poisson', lambda: setattr(model.material, 'poisson', 0.5)),
            ("BULK_MATERIAL: 'poisson'", lambda: BULK_MATERIAL(model.solfec, label='stuff', poisson=0.5))):
        with pytest.raises(ValueError, match=f'^{place} must be a number below 0.5 .a body that deforms was made of'):
            change()
    assert model.material.poisson == 0.25
    rubber.poisson = 0.49
    assert BODY(model.solfec, 'PSEUDO_RIGID', meshed(), rubber).mass == approx(1000)


def test_constraints_of_a_body(model):
    model.run()
    assert model.ball.ncon == model.floor.ncon == 1
    assert model.ball.constraints == model.floor.constraints == model.solfec.constraints


def test_objects_of_another_model(new_model):
    one, two = new_model(), new_model()
    for thing, kind in ((two.ball, 'BODY'), (two.contact, 'CONSTRAINT')):
        with pytest.raises(ValueError, match=f"DELETE: 'object': this {kind} belongs to another SOLFEC object"):
            DELETE(one.solfec, thing)


def test_bylabel(model):
    assert BYLABEL(model.solfec, 'BODY', 'ball') == model.ball
    assert BYLABEL(model.solfec, 'BULK_MATERIAL', 'stuff').label == 'stuff'
    assert BYLABEL(model.solfec, 'SURFACE_MATERIAL', 'skin').friction == 0.5
    for kind in ('BODY', 'BULK_MATERIAL', 'SURFACE_MATERIAL'):
        assert BYLABEL(model.solfec, kind, 'no such') is None


def test_repr(model):
    again = model.solfec.bodies[1]
    assert repr(model.ball) == repr(again) == "<BODY 1 'ball', RIGID, mass 4188.79 kg>"
    assert repr(BODY(model.solfec, 'PSEUDO_RIGID', cube(), model.material)) == '<BODY 2, PSEUDO_RIGID, mass 1000 kg>'
    assert repr(BODY(model.solfec, 'RIGID', cube(), model.material, "a 'b'\n")) == (
        '<BODY 3 "a \'b\'\\n", RIGID, mass 1000 kg>')
    DELETE(model.solfec, model.ball)
    assert repr(model.ball) == '<BODY 1, emptied>' and repr(again) == '<BODY 1, not there>'
