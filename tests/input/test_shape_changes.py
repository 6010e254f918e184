"""COPY, SCALE, TRANSLATE, ROTATE, MASS_CENTER."""

import pytest
from commands import CORNERS
from conftest import cube
from pytest import approx

from solfec import *


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


def test_shapes_stay_within_numbers():
    """What is moved, turned or scaled out of all bounds is refused where that happens, and stays what it was."""
    for make in (cube, lambda: SPHERE((1, 0, 0), 1, 1, 1), lambda: ELLIP((1, 0, 0), (1, 2, 3), 1, 1),
                 lambda: HEX(CORNERS, 1, 1, 1, 1, [1] * 6)):
        shape = make()
        SCALE(shape, (1E40, 1E40, 1E40))
        before = MASS_CENTER(shape)
        for call, name in ((lambda: SCALE(shape, (1E40, 1E40, 1E40)), 'SCALE'),
                           (lambda: TRANSLATE(shape, (0, 1E50, 9E49)), 'TRANSLATE'),
                           (lambda: ROTATE(shape, (1E50, 0, 0), (0, 0, 1), 180), 'ROTATE')):
            with pytest.raises(ValueError, match=rf"^{name}: 'shape': the shape would have coordinates above 1e\+50"):
                call()
        assert MASS_CENTER(shape) == before


def test_mass_center(model):
    assert MASS_CENTER(cube()) == approx((0.5, 0.5, 0.5))
    assert MASS_CENTER([cube(), cube(3)]) == approx((2, 0.5, 0.5))
    assert MASS_CENTER(model.ball) == model.ball.center
    DELETE(model.solfec, model.ball)
    with pytest.raises(ValueError, match="MASS_CENTER: 'shape': this BODY object has been emptied"):
        MASS_CENTER(model.ball)
