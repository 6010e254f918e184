"""BODY and its members; BODY_CHARS, INITIAL_VELOCITY, DELETE, BYLABEL."""

import math

import pytest
from commands import CORNERS
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


def test_schemes(model):
    rigid = model.ball
    deformable = BODY(model.solfec, 'PSEUDO_RIGID', cube(3, 3, 3), model.material)
    assert (rigid.scheme, deformable.scheme, model.floor.scheme) == ('RIG_NEG', 'DEF_EXP', 'DEFAULT')
    for body, schemes in ((rigid, ('RIG_POS', 'RIG_IMP', 'RIG_NEG')), (deformable, ('DEF_LIM', 'DEF_LIM2', 'DEF_IMP', 'DEF_EXP'))):
        for scheme in schemes:
            body.scheme = scheme
            assert body.scheme == scheme
        body.scheme = 'DEFAULT'
        assert body.scheme == schemes[-1]
    for body, wrong in ((rigid, 'DEF_EXP'), (deformable, 'RIG_NEG'), (model.floor, 'RIG_NEG')):
        with pytest.raises(ValueError, match=f"BODY.scheme must be one of 'DEFAULT'.*; got '{wrong}'"):
            body.scheme = wrong


def test_constraints_of_a_body(model):
    model.run()
    assert model.ball.ncon == model.floor.ncon == 1
    assert model.ball.constraints == model.floor.constraints == model.solfec.constraints


def test_body_chars(new_model):
    model = new_model(drop=5)
    FORCE(model.ball, 'SPATIAL', model.ball.center, (1, 0, 0), 10)
    BODY_CHARS(model.ball, 2, 3, (0, 0, 6), (1, 0, 0, 0, 2, 0, 0, 0, 3))
    assert (model.ball.mass, model.ball.volume, model.ball.center) == (2, 3, (0, 0, 6))
    assert model.ball.tensor == (1, 0, 0, 0, 2, 0, 0, 0, 3)
    model.run(10)
    assert model.ball.velo[3] == approx(10 / 2 * 0.01)
    BODY_CHARS(model.ball, 4, 3, (0, 0, 6), (1, 0, 0, 0, 2, 0, 0, 0, 3))  # acts also during a run
    before = model.ball.velo[3]
    model.run(10)
    assert model.ball.velo[3] - before == approx(10 / 4 * 0.01)


def test_initial_velocity(new_model):
    model = new_model(drop=5)
    deformable = BODY(model.solfec, 'PSEUDO_RIGID', cube(3, 3, 3), model.material)
    for body in (model.ball, deformable):
        INITIAL_VELOCITY(body, (1, 2, 3), (0, 0, 0.5))
    assert model.ball.velo == (0, 0, 0.5, 1, 2, 3)
    assert deformable.velo == (0, 0.5, 0, -0.5, 0, 0, 0, 0, 0, 1, 2, 3)  # columns of the rate of F
    assert VELOCITY(deformable, (4.5, 3.5, 3.5)) == approx((1, 2.5, 3))
    assert VELOCITY(model.ball, (1, 0, 6)) == approx((1, 2.5, 3))


def test_a_moving_obstacle(model):
    """An OBSTACLE moves with the velocity it was given, and takes another one during a run."""
    INITIAL_VELOCITY(model.floor, (0.1, 0, -1), (0, 0, math.pi))
    model.run(100)
    assert DISPLACEMENT(model.floor, (0, 0, -5)) == approx((0.01, 0, -0.1))
    assert DISPLACEMENT(model.floor, (1, 0, -5)) == approx((math.cos(0.1 * math.pi) - 1 + 0.01, math.sin(0.1 * math.pi),
                                                            -0.1))
    INITIAL_VELOCITY(model.floor, (0, 0, 0), (0, 0, 0))
    model.run(10)
    assert DISPLACEMENT(model.floor, (0, 0, -5)) == approx((0.01, 0, -0.1))


def test_delete(model):
    contact = model.contact
    DELETE(model.solfec, contact)
    assert model.solfec.ncon == 0
    model.run()
    assert model.solfec.ncon == 1  # still overlaps: found again
    ball = model.solfec.bodies[1]
    DELETE(model.solfec, model.ball)
    assert model.solfec.nbod == 1 and model.solfec.ncon == 0
    with pytest.raises(ValueError, match='BODY.conf: body 1 is not there at time 0.002'):
        ball.conf  # another object for the same body
    with pytest.raises(ValueError, match="DELETE: 'object': body 1 is not there"):
        DELETE(model.solfec, ball)
    model.run()
    assert BODY(model.solfec, 'RIGID', cube(), model.material).id == 2  # numbers are never given again


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
    assert repr(model.ball) == '<BODY 1>'
    DELETE(model.solfec, model.ball)
    assert repr(model.ball) == '<BODY 1, emptied>'
