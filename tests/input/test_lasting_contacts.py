"""Contacts that last: they have the right normal from the first step, in which bodies just touch; where they are known
ahead, what a solver leaves does not open them until they are lost."""

import math

import numpy
import pytest
from pytest import approx

from solfec import *

ANGLE, LENGTH, THICKNESS = math.radians(60), 5.0, 0.1
WALL_FORCE = 0.5 / math.tan(ANGLE) - 0.5 * THICKNESS / LENGTH  # over the weight: moments about the foot


def ladder(name, friction, correction):
    """It leans on a smooth wall; both its edges just touch."""
    solfec = SOLFEC('DYNAMIC', 1E-3, 'out/lasting-' + name)
    solfec.contact_correction = correction
    GRAVITY(solfec, (0, 0, -10))
    SURFACE_MATERIAL(solfec, friction=friction)
    SURFACE_MATERIAL(solfec, 7, friction=0)
    material = BULK_MATERIAL(solfec, density=1000)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (20, 20, 1)), material)
    wall = BODY(solfec, 'OBSTACLE', BOX((-0.5, 0, 5), (1, 10, 10), 0, 7), material)
    along, across = (-math.cos(ANGLE), math.sin(ANGLE)), (math.sin(ANGLE), math.cos(ANGLE))
    corners = [(LENGTH * math.cos(ANGLE) + u * along[0] + w * across[0], y, u * along[1] + w * across[1])
               for y in (-0.2, 0.2) for u in (0, LENGTH) for w in (0, THICKNESS)]
    return solfec, wall, BODY(solfec, 'RIGID', HULL(corners), material)


@pytest.mark.parametrize('correction', ('ON', 'OFF', 'AHEAD'))
def test_edges_that_just_touch_faces_have_their_normals(correction):
    solfec, wall, body = ladder('stands-' + correction, 0.6, correction)
    RUN(solfec, AUTO_SOLVER(1E-12), solfec.step)
    on_wall = [c for c in solfec.constraints if wall in c.adjbod]
    assert 1 <= len(on_wall) < solfec.ncon
    for c in solfec.constraints:
        normal = numpy.array(c.base).reshape(3, 3)[:, 2]
        assert abs(normal[0 if c in on_wall else 2]) == approx(1, abs=1E-9)
    weight = 10 * body.mass
    assert sum(c.R[2] for c in on_wall) == approx(WALL_FORCE * weight, rel=1E-3)
    assert sum(c.R[2] for c in solfec.constraints if c not in on_wall) == approx(weight, rel=1E-3)


@pytest.mark.parametrize('ratio', (0.97, 1.03))
def test_ladder_slips_below_its_friction(ratio):
    solfec, _, body = ladder('slips-%g' % ratio, ratio * WALL_FORCE, 'ON')
    RUN(solfec, AUTO_SOLVER(1E-12), 0.5)
    moved = math.hypot(*DISPLACEMENT(body, body.center))
    assert moved > 0.01 if ratio < 1 else moved < 1E-6


COLLAPSE = 0.28657  # horizontal load over the weight, by linear programming (limit analysis of the blocks)


def arch(name, share, correction, step=1E-2, duration=6.0):
    """17 voussoirs between radii of 9 and 11 m; returns how far one has moved after some seconds."""
    solfec = SOLFEC('DYNAMIC', step, 'out/lasting-' + name)
    solfec.contact_correction = correction
    GRAVITY(solfec, (share * COLLAPSE * 9.81, 0, -9.81))
    SURFACE_MATERIAL(solfec, friction=0.7)
    material = BULK_MATERIAL(solfec, density=2000)
    for x in (-10, 10):
        BODY(solfec, 'OBSTACLE', BOX((x, 0, -1), (4, 4, 2)), material)
    joints = [math.pi * i / 17 for i in range(18)]
    blocks = [BODY(solfec, 'RIGID', HULL([(r * math.cos(t), y, r * math.sin(t)) for y in (-1, 1) for r in (9, 11)
                                          for t in pair]), material) for pair in zip(joints, joints[1:])]
    RUN(solfec, AUTO_SOLVER(), duration)
    return max(math.hypot(*DISPLACEMENT(block, block.center)) for block in blocks)


@pytest.mark.parametrize('correction', ('ON', 'AHEAD'))
@pytest.mark.parametrize('share', (0, 0.3, 0.5, 0.8, 0.9))
def test_arch_stands_in_long_steps(share, correction):
    """With the default accuracy: what the solver leaves must not open joints until their contacts are lost."""
    assert arch('arch-%s-%g' % (correction, share), share, correction) < 1E-3


def test_arch_stands_in_short_steps():
    assert arch('arch-short', 0.8, 'ON', 1E-3, 2.0) < 1E-5


@pytest.mark.parametrize('correction', ('ON', 'AHEAD'))
def test_arch_falls_above_its_limit(correction):
    assert arch('arch-falls-' + correction, 1.05, correction) > 0.1


@pytest.mark.parametrize('correction', ('OFF', 'ON'))
def test_friction_holds_a_row_of_blocks(correction):
    """Five of them in a vise, 5 % above what holds them, pressed by a force that comes and goes. What each step leaves
    must not add up until the reactions of corners, which are not unique, no longer hold the blocks upright."""
    solfec = SOLFEC('DYNAMIC', 1E-3, 'out/lasting-vise-' + correction)
    solfec.verbose, solfec.contact_correction = 'OFF', correction
    GRAVITY(solfec, (0, 0, -9.81))
    SURFACE_MATERIAL(solfec, friction=0.4)
    material = BULK_MATERIAL(solfec, density=2000)
    BODY(solfec, 'OBSTACLE', BOX((-0.07, 0, 0.05), (0.04, 0.08, 0.08)), material)
    blocks = [BODY(solfec, 'RIGID', BOX((0.1 * k, 0, 0.05), (0.1, 0.1, 0.1)), material) for k in range(5)]
    jaw = BODY(solfec, 'RIGID', BOX((0.4700001, 0, 0.05), (0.04, 0.08, 0.08)), material)
    x, y, z = jaw.center
    for point in (x, y - 0.02, z - 0.02), (x, y + 0.02, z - 0.02), (x + 0.01, y, z + 0.02):
        FIX_DIRECTION(jaw, point, (0, 0, 1))
    for point in (x, y, z), (x + 0.01, y, z):
        FIX_DIRECTION(jaw, point, (0, 1, 0))
    least = 1.05 * 5 * blocks[0].mass * 9.81 / (2 * 0.4)
    times = [k / 100 for k in range(301)]
    force = [least * (1 + 0.25 * (1 - math.cos(2 * math.pi * t))) for t in times]
    FORCE(jaw, 'SPATIAL', jaw.center, (-1, 0, 0), TIME_SERIES([v for pair in zip(times, force) for v in pair]))
    RUN(solfec, AUTO_SOLVER(), 3)
    for k, block in enumerate(blocks):
        assert block.conf[9:] == approx((0.1 * k, 0, 0.05), abs=1E-5)


@pytest.mark.parametrize('weights', (72, 276))
def test_a_row_that_a_large_force_presses_holds_in_long_steps(weights):
    """The merit is relative to what the force would do; gaps that it lets pass must not lose contacts."""
    solfec = SOLFEC('DYNAMIC', 5E-3, 'out/lasting-row-%d' % weights)
    solfec.verbose = 'OFF'
    GRAVITY(solfec, (0, 0, -9.81))
    SURFACE_MATERIAL(solfec, friction=0.4)
    material = BULK_MATERIAL(solfec, density=1000)
    BODY(solfec, 'OBSTACLE', BOX((-0.1, 0, 0), (0.2, 1, 1)), material)
    cubes = [BODY(solfec, 'RIGID', BOX((0.1 * k + 0.05, 0, 0), (0.1, 0.1, 0.1)), material) for k in range(5)]
    FORCE(cubes[-1], 'SPATIAL', (0.5, 0, 0), (-1, 0, 0), weights * cubes[0].mass * 9.81)
    RUN(solfec, AUTO_SOLVER(), 1.5)
    for cube in cubes:
        assert math.hypot(*DISPLACEMENT(cube, cube.center)) < 1E-3


def test_glue_does_not_creep():
    """A cube of 1 cm that is glued with ten thousand times its weight, and pulled by more and more."""
    solfec = SOLFEC('DYNAMIC', 1E-3, 'out/lasting-glue')
    GRAVITY(solfec, (0, 0, -10))
    cohesion, side = 1E6, 0.01
    SURFACE_MATERIAL(solfec, friction=0.5, cohesion=cohesion)
    material = BULK_MATERIAL(solfec, density=1000)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.05), (1, 1, 0.1)), material)
    cube = BODY(solfec, 'RIGID', BOX((0, 0, side / 2), (side, side, side)), material)
    strength = cohesion * side**2
    FORCE(cube, 'SPATIAL', cube.center, (0, 0, 1), TIME_SERIES([0, 0, 1.1, 1.1 * strength]))
    RUN(solfec, AUTO_SOLVER(), 0.9)
    assert len(cube.constraints) == 4 and abs(DISPLACEMENT(cube, cube.center)[2]) < 1E-3 * side
    RUN(solfec, AUTO_SOLVER(), 0.15)
    assert DISPLACEMENT(cube, cube.center)[2] > side


@pytest.mark.parametrize('make', (AUTO_SOLVER, lambda: NONSMOOTH_SOLVER('IPM')), ids=('AUTO', 'IPM'))
def test_glue_breaks_in_shear(make):
    """By every solver: a cube of a tonne that holds 10 kN is pushed by 12 kN, and slides with half its weight."""
    solfec = SOLFEC('DYNAMIC', 1E-3, 'out/lasting-shear-%s' % make().__class__.__name__)
    GRAVITY(solfec, (0, 0, -10))
    SURFACE_MATERIAL(solfec, friction=0.5, cohesion=1E4)
    material = BULK_MATERIAL(solfec, density=1000)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (9, 9, 1)), material)
    cube = BODY(solfec, 'RIGID', BOX((0, 0, 0.5), (1, 1, 1)), material)
    FORCE(cube, 'SPATIAL', (0, 0, 0.01), (1, 0, 0), 12E3)
    RUN(solfec, make(), 0.5)
    assert cube.velo[3] == pytest.approx(0.5 * (12 - 5), rel=0.01)


def test_stiff_block_under_a_plate_loses_no_contacts():
    """In steps of 10 ms; the weights of lost contacts would fall to the others, and the plate sink again and again."""
    solfec = SOLFEC('DYNAMIC', 1E-2, 'out/lasting-plate')
    SURFACE_MATERIAL(solfec, friction=0)
    material = BULK_MATERIAL(solfec, density=1000, young=1E7, poisson=0.3)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (5, 5, 1)), material)
    corners = (-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0,
               -0.5, -0.5, 1, 0.5, -0.5, 1, 0.5, 0.5, 1, -0.5, 0.5, 1)
    block = BODY(solfec, 'FINITE_ELEMENT', HEX(corners, 3, 3, 3, 1, [1] * 6), material, form='TL')
    block.scheme = 'DEF_LIM2'
    plate = BODY(solfec, 'RIGID', BOX((0, 0, 1.25), (2, 2, 0.5)), material)
    FORCE(plate, 'SPATIAL', plate.center, (0, 0, -1), 1E4)
    RUN(solfec, AUTO_SOLVER(), 3.0)
    # The load F presses by F L / (E A) = 1 mm
    assert ENERGY(solfec)[2] == pytest.approx(1E4 * 1E-3, rel=0.05)
    assert DISPLACEMENT(plate, plate.center)[2] == pytest.approx(-1E-3, rel=0.03)


@pytest.mark.parametrize('merit, sweeps, most', ((1E-4, 20, 2E-4), (1E-6, 30, 1E-5)))
def test_a_wall_of_bricks_rests_by_loose_sweeps(merit, sweeps, most):
    """What sweeps leave is not asked back by the next ones, as long as it stays far below the tolerance of gaps."""
    solfec = SOLFEC('DYNAMIC', 1E-3, 'out/lasting-bricks-%g' % merit)
    solfec.verbose = 'OFF'
    GRAVITY(solfec, (0, 0, -9.81))
    SURFACE_MATERIAL(solfec, friction=0.6)
    material = BULK_MATERIAL(solfec, density=2000)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.1), (6, 2, 0.2)), material)
    bricks = [BODY(solfec, 'RIGID', BOX((0.4 * (i - 4.5 + 0.5 * (j % 2)), 0, 0.1 + 0.2 * j), (0.4, 0.2, 0.2)), material)
              for j in range(10) for i in range(10)]
    solver = GAUSS_SEIDEL_SOLVER(1.0, 200, merit)
    RUN(solfec, solver, 0.5)
    solver.itershist = 'ON'
    RUN(solfec, solver, 0.2)
    assert sum(solver.itershist) < sweeps * len(solver.itershist)
    assert max(math.hypot(*DISPLACEMENT(brick, brick.center)) for brick in bricks) < most
