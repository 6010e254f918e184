"""BODY_CHARS, INITIAL_VELOCITY, DELETE; MATERIAL is tried on meshes, in test_finite_elements.py."""

import math

import pytest
from conftest import cube
from pytest import approx

from solfec import *


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


@pytest.mark.parametrize('kind', ('RIGID', 'PSEUDO_RIGID'))
def test_the_new_centre_of_a_body_that_turns_moves_as_its_point_does(kind):
    """A cube that turns about z flies on without forces; then one half becomes heavier, or another centre is given."""
    for by_material in (True, False):
        solfec = SOLFEC('DYNAMIC', 1E-3, 'out/moved-centre-%s-%d' % (kind, by_material))
        light, heavy = (BULK_MATERIAL(solfec, label=label, young=1E9, density=density)
                        for label, density in (('light', 1000), ('heavy', 3000)))
        body = BODY(solfec, kind, [BOX((x, 0, 0), (1, 1, 1), volume) for volume, x in ((1, -0.5), (2, 0.5))], light)
        INITIAL_VELOCITY(body, (1, 0, 0), (0, 0, 2))
        RUN(solfec, AUTO_SOLVER(), 0.01)
        point = (0.25, 0, 0)
        before = VELOCITY(body, point)
        if by_material:
            MATERIAL(solfec, body, 2, heavy)
        else:
            BODY_CHARS(body, body.mass, body.volume, point, body.tensor)
        assert body.center == approx(point)
        assert body.velo[-3:] == approx(before) and before[1] == approx(0.5, rel=1E-3)
        assert VELOCITY(body, point) == approx(before)
        RUN(solfec, AUTO_SOLVER(), 0.01)
        assert body.velo[-3:] == approx(before)


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
