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
    assert (rigid.scheme, deformable.scheme, model.floor.scheme) == ('RIG_IMP', 'DEF_EXP', 'DEFAULT')
    for body, schemes in ((rigid, ('RIG_POS', 'RIG_NEG', 'RIG_IMP')), (deformable, ('DEF_LIM', 'DEF_LIM2', 'DEF_IMP', 'DEF_EXP'))):
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
    assert repr(model.ball) == '<BODY 1>'
    DELETE(model.solfec, model.ball)
    assert repr(model.ball) == '<BODY 1, emptied>'
