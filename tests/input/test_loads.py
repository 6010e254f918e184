"""GRAVITY, FORCE, TORQUE: numbers, series, callbacks; spatial and convected."""

import math

import pytest
from commands import CORNERS
from conftest import cube
from pytest import approx

from solfec import *


def test_gravity(new_model):
    model = new_model(drop=50)
    GRAVITY(model.solfec, (1, TIME_SERIES([0, 0, 1, 2]), -3))  # overwrites that of the model
    model.run(10)
    assert model.ball.velo == approx((0, 0, 0, 0.01, 1E-4, -0.03))
    assert DISPLACEMENT(model.floor, (0, 0, 0)) == (0, 0, 0)


@pytest.mark.parametrize('value', [100, TIME_SERIES([0, 100, 1, 100])])
def test_force(value, free):
    FORCE(free.ball, 'SPATIAL', free.ball.center, (0, 3, 0), value)  # the direction is normalised
    free.run(10)
    assert free.ball.velo == approx((0, 0, 0, 0, 100 / free.ball.mass * 0.01, 0), abs=1E-15)
    FORCE(free.ball, 'SPATIAL', free.ball.center, (0, -1, 0), value)  # they add up
    before = free.ball.velo
    free.run(10)
    assert free.ball.velo == approx(before, abs=1E-15)


def test_frames(free):
    """A turned body: a spatial force keeps its direction, a convected one turns with the body."""
    quarter = 3.141592653589793 / 2
    for kind, expected in (('SPATIAL', (1, 0, 0)), ('CONVECTED', (0, 1, 0))):
        ball = BODY(free.solfec, 'RIGID', SPHERE((9, 9, 99), 1, 1, 1), free.material)
        INITIAL_VELOCITY(ball, (0, 0, 0), (0, 0, quarter * 10))
        free.run(100)
        INITIAL_VELOCITY(ball, (0, 0, 0), (0, 0, 0))
        FORCE(ball, kind, ball.center, (1, 0, 0), ball.mass)
        free.run(10)
        assert ball.velo[3:] == approx([0.01 * x for x in expected], abs=1E-9)


def test_an_eccentric_force_turns(free):
    center = free.ball.center
    inertia = free.ball.tensor[0]
    FORCE(free.ball, 'SPATIAL', (center[0] + 1, center[1], center[2]), (0, 1, 0), 10)
    free.run(1)
    assert free.ball.velo[2] == approx(10 / inertia * 1E-3)


def test_torque(free):
    TORQUE(free.ball, 'SPATIAL', (0, 0, 2), 10)
    TORQUE(free.ball, 'CONVECTED', (1, 0, 0), TIME_SERIES([0, 5, 1, 5]))
    free.run(1)
    assert free.ball.velo[:3] == approx([5 / free.ball.tensor[0] * 1E-3, 0, 10 / free.ball.tensor[0] * 1E-3])


def test_callback_of_a_rigid_body(free):
    seen = []

    def force(one, two, q, u, t, h):
        seen.append((one, two, len(q), len(u), t, h))
        return (free.ball.mass, 0, 0, 0, 0, 0, 0, 0, 7)

    FORCE(free.ball, 'SPATIAL', (0, 0, 0), (0, 0, 0), force, (1, 'two'))
    free.run(2)
    assert seen[0] == (1, 'two', 12, 6, approx(0.5E-3), 1E-3) and seen[-1][4] == approx(1.5E-3)
    assert free.ball.velo[3:] == approx((2E-3, 0, 0))
    assert free.ball.velo[2] == approx(7 / free.ball.tensor[8] * 2E-3)


def test_callback_of_a_pseudo_rigid_body(free):
    body = BODY(free.solfec, 'PSEUDO_RIGID', cube(9, 9, 9), free.material)
    FORCE(body, 'SPATIAL', (0, 0, 0), (0, 0, 0), lambda q, u, t, h: [0] * 9 + [body.mass, 0, 0])
    free.run(2)
    assert body.velo[9:] == approx((free.solfec.time, 0, 0))


@pytest.mark.parametrize('form', ['TL', 'BC'])
def test_callback_of_a_finite_element_body(form, free):
    """Nodes in mid-step and velocities of the start go in, a force for each node comes out: that of a point force."""
    pulled, called = (BODY(free.solfec, 'FINITE_ELEMENT', HEX([x + 9 for x in CORNERS], 2, 1, 1, 1, [1] * 6),
                           free.material, form=form) for _ in range(2))
    CONTACT_EXCLUDE_BODIES(pulled, called)
    node = [called.conf[k:k + 3] for k in range(0, 36, 3)].index((10, 9, 10))
    seen, states = [], [(called.conf, called.velo)]

    def force(factor, q, u, t, h):
        seen.append((q, u))
        return [0] * 3 * node + [0, 3 * factor, 4 * factor] + [0] * (33 - 3 * node)

    FORCE(pulled, 'SPATIAL', (10, 9, 10), (0, 3, 4), 500)
    FORCE(called, 'SPATIAL', (0, 0, 0), (1, 0, 0), force, 100)
    for _ in range(3):
        free.run()
        states.append((called.conf, called.velo))
    assert called.conf == approx(pulled.conf, abs=1E-12) and called.velo == approx(pulled.velo, abs=1E-12)
    assert called.velo[3 * node + 1] > 1E-3 and len(seen) == 3 and len(seen[0][0]) == len(seen[0][1]) == 36
    for (q, u), (conf, velo) in zip(seen, states):
        assert u == velo and q == approx([x + free.solfec.step / 2 * v for x, v in zip(conf, velo)], abs=1E-14)


@pytest.mark.parametrize('data, given', [(None, ()), ((1, 2), (1, 2)), (3, (3,)), ([1, 2], ([1, 2],))])
def test_data_of_callbacks(data, given, free):
    seen = []

    def force(*arguments):
        seen.append(arguments[:-4])
        return [0] * 9

    FORCE(free.ball, 'SPATIAL', (0, 0, 0), (0, 0, 0), force, data)
    free.run()
    assert seen[0] == given


@pytest.mark.parametrize('kind, count', [('RIGID', 9), ('PSEUDO_RIGID', 12), ('FINITE_ELEMENT', 24)])
@pytest.mark.parametrize('result, message', [
    (lambda n: None, 'a list of numbers; got None'), (lambda n: 'x', "a list of numbers; got 'x'"),
    (lambda n: ['a'] * n, "a list of numbers .entry 0 is 'a'"),
    (lambda n: [0] * (n - 1), 'a tuple of {} numbers'), (lambda n: [0] * (n + 1), 'a tuple of {} numbers'),
    (lambda n: [0] * (n - 1) + [math.nan], 'a list of finite numbers .entry {last} is nan'),
    (lambda n: [math.inf] * n, 'a list of finite numbers .entry 0 is inf')])
def test_wrong_results_of_callbacks(kind, count, result, message, free):
    """The step is not made."""
    body = BODY(free.solfec, kind, HEX([x + 9 for x in CORNERS], 1, 1, 1, 1, [1] * 6), free.material)
    before = free.ball.conf, body.velo
    FORCE(body, 'SPATIAL', (0, 0, 0), (1, 0, 0), lambda q, u, t, h: result(count))
    INITIAL_VELOCITY(free.ball, (1, 0, 0), (0, 0, 0))
    message = message.format(count, last=count - 1)
    with pytest.raises((TypeError, ValueError), match='^FORCE: what the callback returned must be ' + message):
        free.run()
    assert free.solfec.time == 0 and (free.ball.conf, body.velo) == before


def test_errors_of_callbacks_reach_the_script(free):
    FORCE(free.ball, 'SPATIAL', (0, 0, 0), (0, 0, 0), lambda q, u, t, h: 1 / 0)
    with pytest.raises(ZeroDivisionError) as caught:
        free.run()
    assert caught.value.__notes__ == ['FORCE: raised by its callback, which gets data, if given, q, u, t, h']
    assert free.solfec.time == 0 and DURATION(free.solfec) == 0


def test_refusals(model):
    with pytest.raises(ValueError, match="FORCE: 'body': a force does not move an OBSTACLE"):
        FORCE(model.floor, 'SPATIAL', (0, 0, 0), (1, 0, 0), 1)
    with pytest.raises(ValueError, match="FORCE: 'direction' must be a vector of non-zero length"):
        FORCE(model.ball, 'SPATIAL', (0, 0, 0), (0, 0, 0), 1)
    with pytest.raises(ValueError, match="FORCE: 'data': data goes with a callback only"):
        FORCE(model.ball, 'SPATIAL', (0, 0, 0), (0, 0, 1), 1, (1, 2))
    for value, error in (('x', TypeError), ([1], TypeError), (float('nan'), ValueError)):
        with pytest.raises(error, match="FORCE: 'value' must be"):
            FORCE(model.ball, 'SPATIAL', (0, 0, 0), (0, 0, 1), value)
    deformable = BODY(model.solfec, 'PSEUDO_RIGID', cube(), model.material)
    for body in (model.floor, deformable):
        with pytest.raises(ValueError, match="TORQUE: 'body' must be a BODY of kind 'RIGID'"):
            TORQUE(body, 'SPATIAL', (0, 0, 1), 1)
