"""Joints that bind a motion more than once, and joints that contradict each other."""

import math

import pytest
from test_mechanisms import bar, model, rigid

from solfec import *

WEIGHT = 9.81  # of a bar


def hinge(body, point, other=None):
    """About an axis along y: two points of it, 6 rows of which 5 are independent."""
    for y in (-0.1, 0.1):
        place = (point[0], y, point[2])
        PUT_RIGID_LINK(body, other, place, place)


def loop(solfec, bars):
    """Bars of unit mass on a half circle of radius 1 m between two hinges of the ground, hanging down."""
    place = [(-math.cos(math.pi * k / bars), 0, -math.sin(math.pi * k / bars)) for k in range(bars + 1)]
    made = [bar(solfec, a, b) for a, b in zip(place, place[1:])]
    hinge(made[0], place[0])
    hinge(made[-1], place[-1])
    for k in range(1, bars):
        hinge(made[k - 1], place[k], made[k])
    return made


SOLVERS = {'AUTO 1E-8': lambda: AUTO_SOLVER(1E-8, failure='EXIT'),
           'AUTO 1E-14': lambda: AUTO_SOLVER(1E-14, failure='EXIT'),
           'AUTO 1E-20': lambda: AUTO_SOLVER(1E-20, failure='EXIT'),
           'GS': lambda: GAUSS_SEIDEL_SOLVER(1E-10, 20000, 1E-14, 'EXIT'),
           'NEWTON': lambda: NEWTON_SOLVER(1E-12, delta=0.01, reldelta='avgWii', failure='EXIT')}


@pytest.mark.parametrize('solver', SOLVERS)
def test_a_bar_between_two_hinges_shares_its_weight(solver, tmp_path):
    """Its four points carry a quarter each, and do not push against each other."""
    solfec = model(1E-3, output=str(tmp_path / 'out'))
    loop(solfec, 1)
    RUN(solfec, SOLVERS[solver](), 0.02)
    assert len(solfec.constraints) == 4
    for c in solfec.constraints:
        assert abs(c.R[2] - WEIGHT / 4) < 1E-3 * WEIGHT and math.hypot(*c.R[:2]) < 1E-3 * WEIGHT, (c.point, c.R)


def test_shares_are_those_of_least_norm_without_an_iteration(tmp_path):
    """What closes the joints begins the step, and satisfies it already."""
    solfec = model(1E-3, output=str(tmp_path / 'out'))
    body = bar(solfec, (-1, 0, 0), (1, 0, 0))
    points = [FIX_POINT(body, (0, y, 0)) for y in (-0.1, 0, 0.1)]
    solver = NONSMOOTH_SOLVER('EG-VI-UPK')
    RUN(solfec, solver, 0.02)
    assert solver.iters == 0
    assert [c.R[2] for c in points] == pytest.approx([WEIGHT / 3] * 3, rel=1E-3)


@pytest.mark.parametrize('bars, solver', [(3, solver) for solver in SOLVERS] + [(6, 'AUTO 1E-8'), (6, 'AUTO 1E-20')])
def test_loops_of_hinges_in_a_plane(bars, solver, tmp_path):
    """Every step converges, and reactions stay of the size of the weight."""
    solfec = model(1E-3, output=str(tmp_path / 'out'))
    bodies = loop(solfec, bars)
    largest = []
    CALLBACK(solfec, 1E-6, None, lambda: largest.append(max(math.hypot(*c.R) for c in solfec.constraints)) or 1)
    RUN(solfec, SOLVERS[solver](), 0.1)
    assert len(largest) == 100 and max(largest) < 5 * bars * WEIGHT
    # All in the plane.
    assert max(abs(DISPLACEMENT(body, body.center)[1]) for body in bodies) < 1E-6


def test_two_motions_of_one_point_contradict_each_other(tmp_path):
    solfec = model(1E-3, output=str(tmp_path / 'out'))
    ball = rigid(solfec, (0, 0, 0))
    rigid(solfec, (1, 0, 0))
    SET_VELOCITY(ball, (0, 0, 0), (0, 0, 1), 0.5)
    SET_VELOCITY(ball, (0, 0, 0), (0, 0, 1), 0.4)
    with pytest.raises(RuntimeError, match=r'joints contradict each other at time 0.001: prescribed motion of body '
                                           r'\d+ at \(0, 0, 0.*\), prescribed motion of body \d+ at'):
        RUN(solfec, AUTO_SOLVER(), 0.1)


@pytest.mark.parametrize('part, duration', ((1E-3, 0.0095), (1E-4, 0.0195)))
def test_motions_that_differ_by_little_are_told(part, duration, tmp_path, capfd):
    """The error comes with time, or not at all: neither more iterations nor shorter steps help."""
    solfec = model(1E-3, output=str(tmp_path / 'out'))
    ball = rigid(solfec, (0, 0, 0))
    SET_VELOCITY(ball, (0, 0, 0), (0, 0, 1), 0.5)
    SET_VELOCITY(ball, (0, 0, 0), (0, 0, 1), 0.5 * (1 + part))
    RUN(solfec, AUTO_SOLVER(), duration)
    assert 'joints contradict each other by a little: prescribed motion of body' in capfd.readouterr().err


@pytest.mark.parametrize('solver', [AUTO_SOLVER, GAUSS_SEIDEL_SOLVER, NEWTON_SOLVER])
def test_a_bar_that_is_held_at_one_end_cannot_be_driven_away_at_the_other(solver, tmp_path):
    solfec = model(1E-3, output=str(tmp_path / 'out'))
    held = bar(solfec, (0, 0, 0), (1, 0, 0))
    swings = bar(solfec, (0, 0, 2), (1, 0, 2))
    FIX_POINT(held, (0, 0, 0))
    FIX_POINT(swings, (0, 0, 2))
    SET_VELOCITY(held, (1, 0, 0), (1, 0, 0), TIME_SERIES([0, 0, 1, 1]))
    with pytest.raises(RuntimeError, match='joints contradict each other .*FIX_POINT of') as error:
        RUN(solfec, solver(), 1)
    assert 'prescribed motion' in str(error.value) and '2)' not in str(error.value)


def test_joints_that_agree_up_to_round_off_do_not_contradict(tmp_path):
    """The same motion twice, and a bar driven about its fixed end."""
    solfec = model(1E-3, output=str(tmp_path / 'out'))
    ball = rigid(solfec, (0, 0, 0))
    for _ in range(2):
        SET_VELOCITY(ball, (0, 0, 0), (0, 0, 1), 0.1 + 0.2)
    SET_VELOCITY(ball, (0, 0, 0), (0, 0, 1), 0.3)
    RUN(solfec, AUTO_SOLVER(1E-12, failure='EXIT'), 0.1)
    assert abs(DISPLACEMENT(ball, (0, 0, 0))[2] - 0.03) < 1E-3


@pytest.mark.parametrize('offset', (1E-10, 1E-9, 5E-7))
@pytest.mark.parametrize('swapped', (False, True))
def test_pins_whose_points_nearly_coincide_make_a_hinge(offset, swapped):
    """Points become one, or the distances of the pins would differ by as much: no rigid bodies could have both."""
    solfec = model(1E-3)
    first, second = rigid(solfec, (0, 0, 0)), rigid(solfec, (0, 0, 0.2))
    CONTACT_EXCLUDE_BODIES(first, second)
    INITIAL_VELOCITY(first, (0, 0, 0), (0, 1, 0))
    bodies = (second, first) if swapped else (first, second)
    pins = [PUT_RIGID_LINK(*bodies, (x, 0, 0.1), (x + (offset if x > 0 else 0), 0, 0.1)) for x in (-0.4, 0.4)]
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-12, 1000, 1E-16), 0.1)
    assert [pin.kind for pin in pins] == ['FIXPNT'] * 2
    for pin in pins:
        assert math.hypot(*pin.R) < 10
    x = (0.4, 0, 0.1)
    ends = [DISPLACEMENT(body, x) for body in (first, second)]
    assert ends[0] == pytest.approx(ends[1], abs=2 * offset)


def test_bodies_without_room_are_told(capfd):
    """A plate is driven into a box on the floor: no motion satisfies that, and no solver or step helps."""
    solfec = model(1E-3)
    SURFACE_MATERIAL(solfec, friction=0.3)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.1), (2, 2, 0.2)), 'BULK_MATERIAL_0')
    BODY(solfec, 'RIGID', BOX((0, 0, 0.1), (0.2, 0.2, 0.2)), 'BULK_MATERIAL_0')
    plate = BODY(solfec, 'OBSTACLE', BOX((0, 0, 0.251), (0.4, 0.4, 0.1)), 'BULK_MATERIAL_0')
    SET_VELOCITY(plate, plate.center, (0, 0, 1), -0.1)
    RUN(solfec, AUTO_SOLVER(), 0.1)
    assert 'bodies have no room there, by a prescribed motion' in capfd.readouterr().err


def test_bodies_that_are_driven_into_each_other():
    """No step solves that. They go where they are driven, and do not fly apart, though nothing bounds the reactions."""
    solfec = SOLFEC('DYNAMIC', 1E-3, 'out/driven_together')
    solfec.verbose = 'OFF'
    material = BULK_MATERIAL(solfec, density=1000)
    SURFACE_MATERIAL(solfec, friction=0.5)
    bodies = [BODY(solfec, 'RIGID', BOX((x, 0, 0), (1, 1, 1)), material) for x in (0, 1.01)]
    for body, speed in zip(bodies, (1, -1)):
        SET_VELOCITY(body, body.center, (1, 0, 0), speed)
    RUN(solfec, AUTO_SOLVER(), 0.05)
    for body, speed in zip(bodies, (1, -1)):
        assert list(body.velo) == pytest.approx([0, 0, 0, speed, 0, 0], abs=1E-6)
    with pytest.raises(RuntimeError, match='has not converged .* not where prescribed motions leave bodies no room'):
        RUN(solfec, AUTO_SOLVER(failure='EXIT'), 0.05)
