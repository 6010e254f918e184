"""Where blocks touch: what stands, what falls, and what an impact leaves, however the blocks are meshed."""

import itertools
from math import atan, degrees, sin, sqrt

import pytest
from pytest import approx

from solfec import *

OUTPUTS = ('out/%d' % k for k in itertools.count())
GRAVITY_ = 10.0


def block(low, high, elements=(1, 1, 1)):
    """A mesh between two corners."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    return HEX([x0, y0, z0, x1, y0, z0, x1, y1, z0, x0, y1, z0, x0, y0, z1, x1, y0, z1, x1, y1, z1, x0, y1, z1],
               *elements, 1, [1] * 6)


def model(step, friction):
    solfec = SOLFEC('DYNAMIC', step, next(OUTPUTS))
    solfec.verbose = 'OFF'
    OUTPUT(solfec, 1E6)
    GRAVITY(solfec, (0, 0, -GRAVITY_))
    SURFACE_MATERIAL(solfec, friction=friction)
    return solfec, BULK_MATERIAL(solfec, density=1000, young=1E8, poisson=0.25)


def solver():
    return GAUSS_SEIDEL_SOLVER(1E-10, 5000, 1E-14)


def rocking(step, elements=(1, 1, 1), floor=(1, 1, 1), tilt=0.1):
    """A slender block rocks from one edge of its base to the other. Ratio of the angular velocities after and before
    its first two impacts, and the tilt over time. Between impacts the energy is kept, so that it tells the velocity;
    it is read where the block turns round."""
    solfec, material = model(step, friction=1)
    half_width, height = 0.1, 1.0
    BODY(solfec, 'OBSTACLE', block((-2, -1, -1), (2, 1, 0), floor), material)
    shape = block((-half_width, -0.15, 0), (half_width, 0.15, height), elements)
    body = BODY(solfec, 'RIGID', ROTATE(shape, (half_width, 0, 0), (0, 1, 0), degrees(tilt)), material)
    energies, spins, tilts = [], [], []

    def watch():
        energies.append(ENERGY(solfec)[0] + body.mass * GRAVITY_ * (body.conf[11] - height / 2))
        spins.append(body.velo[1])
        tilts.append(body.conf[6])
        return True

    CALLBACK(solfec, step, None, watch)
    RUN(solfec, solver(), 1.6)
    at_rest = [energies[0]] + [e for e, a, b in zip(energies[1:], spins, spins[1:]) if a * b < 0]
    assert len(at_rest) == 3
    return [sqrt(b / a) for a, b in zip(at_rest, at_rest[1:])], tilts


# The impulse of the impact acts at the corner of the base that arrives: there the angular momentum is kept, and a
# slender block, of the moment of inertia 4/3 m R^2 about its corner, keeps this much of its angular velocity (Housner
# 1963).
HOUSNER = 1 - 1.5 * sin(atan(0.2))**2


def test_a_rocking_block_converges_to_the_exact_impact():
    errors = []
    for step in (2E-4, 1E-4, 5E-5, 2.5E-5):
        errors.append([HOUSNER - ratio for ratio in rocking(step)[0]])
        assert errors[-1] == approx([0, 0], abs=5 * step), step
    for coarse, fine in zip(errors[1:], errors[2:]):  # without the step whose overlap is taken back: it is better
        assert all(abs(f) < 0.75 * abs(c) for c, f in zip(coarse, fine)), errors


@pytest.mark.parametrize('epsilon', (1E-9, 1E-7, 1E-5))
def test_the_geometric_epsilon_is_no_matter_of_physics(epsilon):
    GEOMETRIC_EPSILON(epsilon)
    for elements in ((1, 1, 1), (2, 2, 2)):
        assert rocking(2E-4, elements)[0] == approx([HOUSNER] * 2, abs=1E-3)


def test_blocks_of_any_pieces_rock_alike():
    whole, tilts = rocking(1E-3)
    for elements, floor in (((2, 2, 2), (1, 1, 1)), ((3, 1, 1), (1, 1, 1)), ((4, 2, 1), (7, 3, 1))):
        ratios, others = rocking(1E-3, elements, floor)
        assert ratios == approx(whole, abs=5E-5), elements
        assert others == approx(tilts, abs=1E-4), elements


def harmonic_stack(part, elements=(1, 1, 1), blocks=8):
    """Way down of the top block in half a second. Seen from the top, the k-th block reaches beyond the one below it, or
    beyond the edge of the table, by a part of the length / 2 k; together they stand for parts up to one."""
    solfec, material = model(2E-3, friction=0.5)
    length, height = 1.0, 0.2
    BODY(solfec, 'OBSTACLE', block((-length, -1, -1), (0, 1, 0)), material)
    edge = 0
    for n in range(blocks):
        edge += part * length / (2 * (blocks - n))
        top = BODY(solfec, 'RIGID', block((edge - length, -0.15, n * height), (edge, 0.15, (n + 1) * height), elements),
                   material)
    start = top.center[2]
    RUN(solfec, solver(), 0.5)
    return start - top.conf[11]


@pytest.mark.parametrize('elements', ((1, 1, 1), (2, 2, 2)))
def test_a_harmonic_stack_stands_up_to_its_limit(elements):
    assert harmonic_stack(0.99, elements) == approx(0, abs=1E-6)
    assert harmonic_stack(1.01, elements) > 5E-3


def test_blocks_have_the_same_contacts_of_any_pieces():
    """Four corners carry a block with a quarter of its weight each; an overhanging one is carried at the edge."""
    for elements in ((1, 1, 1), (2, 2, 2), (5, 4, 1)):
        for floor in (1, 3):
            solfec, material = model(1E-3, friction=0.5)
            BODY(solfec, 'OBSTACLE', block((-2, -2, -1), (2, 2, 0), (floor, floor, 1)), material)
            BODY(solfec, 'RIGID', block((-0.7, -0.5, 0), (0.5, 0.4, 0.5), elements), material)
            BODY(solfec, 'RIGID', block((1.5, -0.5, 0), (2.4, 0.4, 0.5), elements), material)
            RUN(solfec, solver(), 0.02)
            places = sorted((round(c.point[0], 5), round(c.point[1], 5)) for c in solfec.constraints)
            assert places == [(x, y) for x in (-0.7, 0.5, 1.5, 2.0) for y in (-0.5, 0.4)], (elements, floor)
            weights = sorted(c.R[2] for c in solfec.constraints)
            assert sum(weights) == approx((1.2 + 0.9) * 0.9 * 0.5 * 1E4, rel=1E-6)
            assert [c.area for c in solfec.constraints] == approx([1.2 * 0.9 / 4] * 4 + [0.5 * 0.9 / 4] * 4, rel=1E-4)


def test_a_block_in_a_corner_touches_the_floor_and_the_wall():
    """Pushed into the corner below its middle it stays: the wall pushes at all four corners of its face."""
    solfec, material = model(1E-3, friction=0)
    BODY(solfec, 'OBSTACLE', [block((-1, -1, -1), (2, 1, 0)), block((-1, -1, 0), (0, 1, 2))], material)
    body = BODY(solfec, 'RIGID', block((0, -0.5, 0), (0.4, 0.5, 1)), material)
    FORCE(body, 'SPATIAL', (0.4, 0, 0.1), (-1, 0, 0), 2E4)
    RUN(solfec, solver(), 0.5)
    walls = [c for c in solfec.constraints if abs(c.base[2]) > 0.9]
    assert len(walls) == 4 and solfec.ncon == 8
    assert body.conf[:9] == approx((1, 0, 0, 0, 1, 0, 0, 0, 1), abs=1E-8)


def test_a_bar_one_element_wide_stays_where_it_is_pressed():
    """A slender bar of finite elements on a table, pressed down along its middle: no turning about its axis."""
    solfec, material = model(1E-3, friction=0.3)
    BODY(solfec, 'OBSTACLE', block((-1, -1, -1), (2, 1, 0)), material)
    bar = BODY(solfec, 'FINITE_ELEMENT', block((0, -0.05, 0), (1, 0.05, 0.1), (6, 1, 1)), material, form='BC')
    bar.scheme, bar.damping = 'DEF_LIM', 1E-3
    for k in range(7):
        FORCE(bar, 'SPATIAL', (k / 6, 0, 0.1), (0, 0, -1), 2E3)
    RUN(solfec, solver(), 0.5)
    assert solfec.ncon == 14
    assert sum(c.R[2] for c in solfec.constraints) == approx(7 * 2E3 + 10 * GRAVITY_, rel=1E-3)
    for y in (-0.05, 0.05):
        assert DISPLACEMENT(bar, (0.5, y, 0.1)) == approx((0, 0, 0), abs=1E-3)
        assert VELOCITY(bar, (0.5, y, 0.1)) == approx((0, 0, 0), abs=1E-3)


def test_a_settled_pile_of_boxes_stays():
    """Boxes of one and of eight pieces, crosswise on each other, at rest to round-off of the solver after they have
    come to rest, and carried as a whole."""
    solfec, material = model(1E-3, friction=0.5)
    BODY(solfec, 'OBSTACLE', block((-2, -2, -1), (2, 2, 0), (3, 3, 1)), material)
    bodies = []
    for level in range(4):
        for side in (-0.35, 0.35):
            low, high = (-0.5, side - 0.12), (0.5, side + 0.12)
            if level % 2:
                low, high = low[::-1], high[::-1]
            shape = block((*low, 0.2 * level), (*high, 0.2 * level + 0.2), (1, 1, 1) if side < 0 else (2, 2, 2))
            bodies.append(BODY(solfec, 'RIGID', ROTATE(shape, (0, 0, 0), (0, 0, 1), 3.0 * level), material))
    RUN(solfec, solver(), 0.2)
    places = [body.conf for body in bodies]
    RUN(solfec, solver(), 0.5)
    for body, place in zip(bodies, places):
        assert body.conf == approx(place, abs=1E-6)
        assert body.velo == approx([0] * 6, abs=1E-7)
    carried = sum(c.R[2] for c in solfec.constraints if any(b.kind == 'OBSTACLE' for b in c.adjbod))
    assert carried == approx(8 * 0.24 * 0.2 * 1000 * GRAVITY_, rel=1E-6)


def flush_floor(correction, joint, kind='RIGID', friction=0.0):
    """A block of 0.2 m that stands exactly on the first of three such blocks in a row."""
    solfec, material = model(1E-3, friction)
    solfec.contact_correction = correction
    for k in range(3):
        low = k * (0.2 + joint)
        BODY(solfec, 'OBSTACLE', block((low, 0, -0.2), (low + 0.2, 0.2, 0)), material)
    return solfec, BODY(solfec, kind, block((0, 0, 0), (0.2, 0.2, 0.2)), material)


@pytest.mark.parametrize('correction', ('OFF', 'ON', 'AHEAD'))
@pytest.mark.parametrize('joint', (0, 5E-7, 1E-5))
def test_a_block_is_pushed_over_a_seam(correction, joint):
    """x = F t^2 / (2 m); the sides of the other blocks are covered by their neighbours."""
    for kind in 'RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT':
        solfec, body = flush_floor(correction, joint, kind)
        if kind != 'RIGID':
            body.scheme = 'DEF_LIM2'
        FORCE(body, 'SPATIAL', (0.1, 0.1, 0), (1, 0, 0), 0.2 * GRAVITY_ * body.mass)
        RUN(solfec, AUTO_SOLVER(), 0.3)
        assert DISPLACEMENT(body, (0.1, 0.1, 0.1))[0] == approx(0.09, rel=1E-3)


@pytest.mark.parametrize('correction', ('OFF', 'ON', 'AHEAD'))
def test_a_block_slides_over_seams_at_any_phase_of_the_step(correction):
    for phase in range(20):
        solfec, body = flush_floor(correction, 0)
        INITIAL_VELOCITY(body, (1 + 0.02 * phase, 0, -0.05), (0, 0, 0))
        RUN(solfec, AUTO_SOLVER(), 0.3)
        assert body.velo[3] == approx(1 + 0.02 * phase, rel=1E-3)


@pytest.mark.parametrize('correction', ('OFF', 'ON', 'AHEAD'))
@pytest.mark.parametrize('pieces', (False, True), ids=('bodies', 'pieces'))
def test_balls_slide_over_seams(correction, pieces):
    """A ball and an ellipsoid, sunk in a little as after a fall, cross twenty of them each, on a smooth floor."""
    solfec, material = model(1E-3, 0)
    solfec.contact_correction = correction
    tiles = [block((x / 10, y, -0.1), ((x + 1) / 10, y + 1, 0)) for x in range(22) for y in (0, 1)]
    for shape in [tiles] if pieces else tiles:
        BODY(solfec, 'OBSTACLE', shape, material)
    shapes = SPHERE((0.05, 0.5, 0.04999), 0.05), ELLIP((0.05, 1.5, 0.04999), (0.1, 0.07, 0.05))
    bodies = [BODY(solfec, 'RIGID', shape, material) for shape in shapes]
    for body in bodies:
        INITIAL_VELOCITY(body, (2, 0.1, 0), (0, 0, 0))
    RUN(solfec, AUTO_SOLVER(), 1)
    for body in bodies:
        assert body.velo[3:] == approx([2, 0.1, 0], abs=1E-9)


def test_a_push_over_an_open_joint_costs_friction_only():
    solfec = SOLFEC('QUASI_STATIC', 0.01, next(OUTPUTS))
    solfec.verbose = 'OFF'
    GRAVITY(solfec, (0, 0, -GRAVITY_))
    SURFACE_MATERIAL(solfec, friction=0.3)
    material = BULK_MATERIAL(solfec, density=1000)
    for low in 0, 0.2 + 1E-5:
        BODY(solfec, 'OBSTACLE', block((low, 0, -0.2), (low + 0.2, 0.2, 0)), material)
    body = BODY(solfec, 'RIGID', block((0, 0, 0), (0.2, 0.2, 0.2)), material)
    push = SET_VELOCITY(body, (0.1, 0.1, 0), (1, 0, 0), 0.01)
    from_rest = body.mass * 0.01 / 0.01  # in each step
    for _ in range(20):
        RUN(solfec, AUTO_SOLVER(), 0.01)
        assert push.R[2] == approx(0.3 * body.mass * GRAVITY_ + from_rest, rel=1E-3)


def test_bricks_of_one_course_slide_together():
    """A stack-bond wall, the top course pushed by half of its weight: four bricks meet at each edge."""
    solfec, material = model(1E-3, 0.3)
    BODY(solfec, 'OBSTACLE', block((-1, -1, -0.2), (2, 1, 0)), material)
    top = []
    for column in range(4):
        for course in range(3):
            at = 0.2 * column, 0, 0.1 * course
            brick = BODY(solfec, 'RIGID', block(at, (at[0] + 0.2, 0.1, at[2] + 0.1)), material)
            if course == 2:
                top.append(brick)
                FORCE(brick, 'SPATIAL', (at[0] + 0.1, 0.05, at[2]), (1, 0, 0), 0.5 * GRAVITY_ * brick.mass)
    RUN(solfec, AUTO_SOLVER(), 0.2)
    for brick in top:
        assert DISPLACEMENT(brick, brick.center)[0] == approx(0.5 * 0.2 * GRAVITY_ * 0.2**2, rel=0.01)


@pytest.mark.parametrize('elements', (3, 4))
def test_a_node_has_one_spring(elements):
    """Elements at a node touch a floor at one point: with one of each, deep springs bore up to 1.5 times as much."""
    solfec, material = model(1E-3, friction=0.3)
    SURFACE_MATERIAL(solfec, model='SPRING_DASHPOT', spring=2E4, dashpot=400)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (2, 2, 1)), material)
    side = 0.2
    body = BODY(solfec, 'FINITE_ELEMENT', block((0, 0, 0), (side, side, side), (elements,) * 3), material)
    body.scheme = 'DEF_LIM'
    RUN(solfec, AUTO_SOLVER(), 0.5)
    assert len(solfec.constraints) == (elements + 1)**2
    sink = body.mass * GRAVITY_ / (2E4 * (elements + 1)**2)
    assert DISPLACEMENT(body, (side / 2, side / 2, 0))[2] == approx(-sink, rel=0.02)
