"""Contacts that are known before bodies touch (SOLFEC.contact_correction = 'AHEAD'): nothing passes through, no overlap
is made, no energy either, and what misses is not held."""

import itertools
import math

import pytest
from pytest import approx

from solfec import *


COUNT = itertools.count()


def model(step, gravity=0.0, friction=0.3, restitution=0.0):
    solfec = SOLFEC('DYNAMIC', step, 'ahead%d' % next(COUNT))
    solfec.verbose, solfec.contact_correction = 'OFF', 'AHEAD'
    OUTPUT(solfec, 1E6)
    GRAVITY(solfec, (0, 0, -gravity))
    SURFACE_MATERIAL(solfec, friction=friction, restitution=restitution)
    return solfec, BULK_MATERIAL(solfec, density=1000)


def deepest(solfec):
    return max((-c.gap for c in solfec.constraints), default=0)


@pytest.mark.parametrize('restitution', [0, 0.5, 1])
def test_a_fast_ball_does_not_pass_a_thin_plate(restitution):
    """100 m/s and 20 ms a step, from anywhere within four steps: it is stopped at a plate of 1 mm, or goes back."""
    for k in range(40):
        solfec, material = model(0.02, restitution=restitution)
        BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.0005), (100, 100, 0.001)), material)
        ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0.1001 + 0.2 * k), 0.1, 1, 1), material)
        INITIAL_VELOCITY(ball, (0, 0, -100), (0, 0, 0))
        solver = GAUSS_SEIDEL_SOLVER(1, 100, 1E-14)
        for step in range(10):
            RUN(solfec, solver, 0.02)
            assert ball.conf[11] > 0.1 - 1E-9 and deepest(solfec) < 1E-9
            assert abs(ball.velo[5]) < 100 + 1E-9
        assert ball.velo[5] == approx(100 * restitution, abs=1E-5)
        if restitution == 0:
            assert ball.conf[11] == approx(0.1, abs=1E-6)


def test_what_misses_is_not_touched():
    """A plate within reach of the ball, but not on its way."""
    solfec, material = model(0.02)
    BODY(solfec, 'OBSTACLE', BOX((0.7, 0, 0), (1, 2, 2)), material)
    ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 5), 0.1, 1, 1), material)
    INITIAL_VELOCITY(ball, (0, 0, -100), (0, 0, 0))
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1, 100, 1E-14), 0.2)
    assert ball.velo == approx((0, 0, 0, 0, 0, -100))
    assert ball.conf[11] == approx(-15, abs=1E-3)


@pytest.mark.parametrize('shape', ['box', 'ball'])
def test_seams_between_blocks_are_not_felt(shape):
    """A box and a ball slide over abutting blocks without friction."""
    solfec, material = model(2E-3, gravity=10, friction=0)
    for k in range(6):
        BODY(solfec, 'OBSTACLE', BOX((k, 0, -0.5), (1, 2, 1)), material)
    body = BODY(solfec, 'RIGID', BOX((0, 0, 0.25), (0.5, 0.5, 0.5)) if shape == 'box' else
                SPHERE((0, 0, 0.25), 0.25, 1, 1), material)
    INITIAL_VELOCITY(body, (5, 0, 0), (0, 0, 0))
    RUN(solfec, AUTO_SOLVER(1E-14), 0.9)
    assert body.velo[3] == approx(5, abs=0.01)
    assert body.conf[11] == approx(0.25, abs=1E-4)


def test_a_fly_by_is_not_felt():
    """A fast ball passes a fixed one at 1 % of its size, from many starts."""
    for k in range(20):
        solfec, material = model(1E-2)
        BODY(solfec, 'OBSTACLE', SPHERE((0, 0, 0), 0.5, 1, 1), material)
        ball = BODY(solfec, 'RIGID', SPHERE((1.005, 0, 1 + 0.01 * k), 0.5, 1, 1), material)
        INITIAL_VELOCITY(ball, (0, 0, -20), (0, 0, 0))
        RUN(solfec, AUTO_SOLVER(1E-14), 0.15)
        assert ball.velo[3:] == approx((0, 0, -20), abs=1E-6)


def test_who_is_pushed_by_others_is_held():
    """Of three balls with gaps of 1 %, the middle one is hit, and does not run into the third."""
    solfec, material = model(2E-3)
    balls = [BODY(solfec, 'RIGID', SPHERE((x, 0, 0), 0.5, 1, 1), material) for x in (-1.5, 0, 1.01)]
    INITIAL_VELOCITY(balls[0], (20, 0, 0), (0, 0, 0))
    for step in range(50):
        RUN(solfec, AUTO_SOLVER(1E-14), 2E-3)
        assert deepest(solfec) < 1E-6
    assert sum(ball.velo[3] for ball in balls) == approx(20)
    assert balls[2].velo[3] > 5


def test_turning_cubes_rebound_without_gain():
    """With e = 1 and without friction the energy of motion is kept, whatever way round the cube comes."""
    for k in range(12):
        solfec, material = model(1E-3, friction=0, restitution=1)
        BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (9, 9, 1)), material)
        shape = BOX((0, 0, 0.6), (0.5, 0.5, 0.5))
        cube = BODY(solfec, 'RIGID', ROTATE(shape, (0, 0, 0.6), (1, k, 2), 29 * k), material)
        INITIAL_VELOCITY(cube, (0, 0, -3), (0.3 * k, 2, 1))
        RUN(solfec, AUTO_SOLVER(1E-14), 1E-6)
        before = ENERGY(solfec)[0]
        RUN(solfec, AUTO_SOLVER(1E-14), 0.4)
        assert ENERGY(solfec)[0] == approx(before, rel=1E-3)
        assert cube.velo[5] > 0


def test_tangential_restitution_is_that_of_one_impact():
    """A ball with e = e_T = 1 turns its contact velocity round."""
    solfec, material = model(1E-3)
    SURFACE_MATERIAL(solfec, friction=10, restitution=1, tangential_restitution=1)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (9, 9, 1)), material)
    ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0.6123), 0.1, 1, 1), material)
    INITIAL_VELOCITY(ball, (3, 0, -10), (0, 0, 0))
    RUN(solfec, AUTO_SOLVER(1E-14), 0.1)
    # The impulse is that of -2 (3, 0) on 7/2 of the mass.
    assert ball.velo[3] == approx(3 - 2 * 3 / 3.5, rel=1E-3)
    assert ball.velo[5] == approx(10)


def test_explicit_bodies_do_not_hold_others_off():
    """Steps are shorter than `step` then, and so is what contacts look ahead to."""
    solfec, _ = model(5E-3, gravity=10)
    material = BULK_MATERIAL(solfec, label='stiff', young=1E8, density=1000)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (9, 9, 1)), material)
    BODY(solfec, 'PSEUDO_RIGID', BOX((3, 0, 5), (0.5, 0.5, 0.5)), material).scheme = 'DEF_EXP'
    ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0.6), 0.1, 1, 1), material)
    INITIAL_VELOCITY(ball, (0, 0, -10), (0, 0, 0))
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1, 100, 1E-12), 0.1)
    assert ball.conf[11] == approx(0.1, abs=1E-5)


def test_free_flight_ends_at_the_floor():
    """A ball that falls comes to rest where it touches, to the accuracy of the solver, for any step."""
    for step in (1E-3, 4E-3, 0.0171):
        solfec, material = model(step, gravity=10)
        BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (4, 4, 1)), material)
        ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 1.5), 0.5, 1, 1), material)
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1, 100, 1E-16), 1)
        assert ball.conf[11] == approx(0.5, abs=1E-6)
        assert solfec.constraints[0].R[2] == approx(10 * ball.mass)


@pytest.mark.parametrize('kind', ['RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT'])
def test_boxes_land_on_each_other(kind):
    """Four boxes, the upper ones turned about the vertical, fall at 5 m/s: touching, without overlap."""
    solfec, _ = model(2E-3, gravity=10)
    material = BULK_MATERIAL(solfec, label='stiff', young=1E9, poisson=0, density=1000)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (4, 4, 1)), material)
    boxes = []
    for n in range(4):
        z = 0.1 + 0.6 * n
        corners = [-0.25, -0.25, z, 0.25, -0.25, z, 0.25, 0.25, z, -0.25, 0.25, z,
                   -0.25, -0.25, z + 0.5, 0.25, -0.25, z + 0.5, 0.25, 0.25, z + 0.5, -0.25, 0.25, z + 0.5]
        shape = ROTATE(HEX(corners, 2, 2, 2, 1, [1] * 6), (0, 0, z), (0, 0, 1), 20 * n)
        boxes.append(BODY(solfec, kind, shape, material))
        if kind == 'RIGID':
            INITIAL_VELOCITY(boxes[-1], (0, 0, -5), (0, 0, 0))
    solver = AUTO_SOLVER(1E-12)
    worst = 0
    for step in range(150):
        RUN(solfec, solver, 2E-3)
        worst = max(worst, deepest(solfec))
    assert worst < (1E-5 if kind == 'RIGID' else 1E-3)
    assert all(box.center[2] > 0.249 + 0.498 * n for n, box in enumerate(boxes))


def test_a_pile_has_no_overlap_and_gains_no_energy():
    """Balls of many sizes fall into a box and settle: energy only falls, overlap stays below 1E-4 of the least one."""
    solfec, material = model(2E-3, gravity=10)
    for center, sizes in (((0, 0, -0.5), (4, 4, 1)), ((-1.6, 0, 3), (1, 4, 6)), ((1.6, 0, 3), (1, 4, 6)),
                          ((0, -1.6, 3), (4, 1, 6)), ((0, 1.6, 3), (4, 1, 6))):
        BODY(solfec, 'OBSTACLE', BOX(center, sizes), material)
    balls = [BODY(solfec, 'RIGID', SPHERE((0.5 * (n % 4) - 0.75 + 0.01 * (n % 3), 0.5 * (n // 4 % 4) - 0.75,
                                           0.3 + 0.5 * (n // 16)), 0.15 + 0.02 * (n % 5), 1, 1), material)
             for n in range(64)]
    solver = AUTO_SOLVER(1E-12)

    def energy():
        return ENERGY(solfec)[0] + sum(10 * ball.mass * ball.conf[11] for ball in balls)
    before, worst = energy(), 0
    for step in range(400):
        RUN(solfec, solver, 2E-3)
        now, before_that = energy(), before
        # Overlap is taken back by moving bodies, up to 1E-5 of their height here.
        assert now < before_that + 1E-5 * abs(before_that)
        before, worst = now, max(worst, deepest(solfec))
    assert worst < 1E-4 * 0.3
    assert ENERGY(solfec)[0] < 0.05 * before


def test_springs_act_on_overlap_only():
    """Contacts of SPRING_DASHPOT are known ahead too; a dashpot does not brake what has not arrived."""
    solfec, material = model(1E-3)
    SURFACE_MATERIAL(solfec, model='SPRING_DASHPOT', spring=1E6, dashpot=1E5)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (4, 4, 1)), material)
    ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0.505), 0.5, 1, 1), material)
    INITIAL_VELOCITY(ball, (0, 0, -4), (0, 0, 0))
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1, 100, 1E-14), 1E-3)
    assert ball.velo[5] == approx(-4)
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1, 100, 1E-14), 1E-3)
    assert ball.velo[5] > -4


def test_bonds_are_not_made_at_a_distance():
    solfec, material = model(1E-2)
    SURFACE_MATERIAL(solfec, friction=0.3, cohesion=1E6)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (4, 4, 1)), material)
    box = BODY(solfec, 'RIGID', BOX((0, 0, 0.55), (1, 1, 1)), material)
    INITIAL_VELOCITY(box, (0, 0, 5), (0, 0, 0))
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1, 100, 1E-14), 5E-2)
    assert box.velo[5] == approx(5)


JOINTS = {'FIX_DIRECTION': lambda body, p: FIX_DIRECTION(body, p, (0, 0, 1)), 'FIX_POINT': FIX_POINT,
          'PUT_RIGID_LINK': lambda body, p: PUT_RIGID_LINK(body, None, p, (p[0], p[1], 1))}


@pytest.mark.parametrize('joint', JOINTS)
@pytest.mark.parametrize('correction, step', [('AHEAD', 1E-3), ('ON', 1E-9)])
def test_rounding_in_short_steps_makes_no_forces(correction, step, joint):
    """A box at rest that a joint holds above a corner on the floor: its joint, by its rounding, and its contact would
    press against each other. The first step of 'AHEAD' is a millionth of the others."""
    solfec, material = model(step, gravity=10)
    solfec.contact_correction = correction
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (4, 4, 1)), material)
    box = BODY(solfec, 'RIGID', BOX((0, 0, 0.1), (0.2, 0.2, 0.2)), material)
    JOINTS[joint](box, (-0.1, -0.1, 0.2))
    for _ in range(5):
        RUN(solfec, AUTO_SOLVER(), step)
        assert max(abs(r) for c in solfec.constraints for r in c.R) < 80
        assert max(map(abs, box.velo)) < 1E-3 * 10 * step


@pytest.mark.parametrize('tilt', [5, 17])
def test_a_tilted_cube_of_elements_lands_no_deeper_than_without(tilt):
    """Corners that touch keep their contacts beside larger ones that hover."""
    deepest_of = {}
    for correction in ('ON', 'AHEAD'):
        solfec, _ = model(1E-3, gravity=10)
        solfec.contact_correction = correction
        material = BULK_MATERIAL(solfec, label='soft', young=1E8, poisson=0.25, density=1000)
        BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (10, 10, 1)), material)
        corners = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
        shape = HEX([0.5 * c for c in corners], 2, 2, 2, 1, [1] * 6)
        ROTATE(shape, (0.25, 0.25, 0.25), (1, 0.3, 0.1), tilt)
        TRANSLATE(shape, (0, 0, 0.05 - min(shape.node(n)[2] for n in range(shape.nnod))))
        cube = BODY(solfec, 'FINITE_ELEMENT', shape, material, form='BC')
        cube.scheme = 'DEF_LIM2'
        INITIAL_VELOCITY(cube, (0, 0, -5), (0, 0, 0))
        deepest_of[correction] = 0
        for _ in range(60):
            RUN(solfec, AUTO_SOLVER(1E-10), 1E-3)
            deepest_of[correction] = max(deepest_of[correction], deepest(solfec))
    assert deepest_of['ON'] > 1E-3
    assert deepest_of['AHEAD'] < deepest_of['ON']


def deepest_of_a_turned_cube(step):
    """It falls at 10 m/s on a corner; then, while that which is nearest to the floor rises, another one comes down."""
    solfec = SOLFEC('DYNAMIC', step, 'out/turned_cube_%g' % step)
    solfec.verbose = 'OFF'
    solfec.contact_correction = 'AHEAD'
    SURFACE_MATERIAL(solfec, friction=0.3)
    GRAVITY(solfec, (0, 0, -9.81))
    material = BULK_MATERIAL(solfec, density=1000)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (18, 18, 1)), material)
    cube = BODY(solfec, 'RIGID', ROTATE(BOX((0, 0, 1), (0.5, 0.5, 0.5)), (0, 0, 1), (1, 2, 0), 37), material)
    INITIAL_VELOCITY(cube, (0, 0, -10), (1, 0, 0))
    gaps = []

    def look():
        gaps.extend(c.gap for c in solfec.constraints)
        return 1
    CALLBACK(solfec, step, None, look)
    RUN(solfec, AUTO_SOLVER(1E-12), 0.25)
    return -min(gaps)


def test_corners_are_known_ahead_while_the_nearest_one_rises():
    assert deepest_of_a_turned_cube(5E-3) < 2E-4
    assert deepest_of_a_turned_cube(2.5E-3) < 5E-5


@pytest.mark.parametrize('sides, meshed', ((24, False), (24, True), (100, False)))
def test_a_wheel_with_corners_rolls_straight(sides, meshed):
    """Both ends of the edge that lands are known, though they are in line with those of the edges beside it."""
    solfec, material = model(1E-3, friction=0.6)
    GRAVITY(solfec, (3, 0, -10))
    corners = [v for x in (-2, 6) for y in (-2, 2) for z in (-1, 0) for v in (x, y, z)]
    nodes = [corners[3 * k:3 * k + 3] for k in (0, 4, 6, 2, 1, 5, 7, 3)]
    floor = HEX([v for node in nodes for v in node], 17, 4, 1, 1, [1] * 6) if meshed else HULL(corners, 1, 1)
    BODY(solfec, 'OBSTACLE', floor, material)
    turn, low = 2 * math.pi / sides, 0.2 * math.cos(math.pi / sides)
    rim = [(0.2 * math.cos((k + 0.5) * turn), low + 0.2 * math.sin((k + 0.5) * turn)) for k in range(sides)]
    wheel = BODY(solfec, 'RIGID', HULL([v for x, z in rim for y in (-0.03, 0.17) for v in (x, y, z)], 1, 1), material)
    RUN(solfec, AUTO_SOLVER(1E-10), 0.8)
    velocity = VELOCITY(wheel, wheel.center)
    assert velocity[0] > 1 and abs(velocity[1]) < 1E-6
