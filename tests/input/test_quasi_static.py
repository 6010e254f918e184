"""QUASI_STATIC analysis against statics: beams, friction, stacks, mechanisms, prescribed motions."""

import itertools
import math

import pytest

from solfec import *

OUTPUTS = (f'out{number}' for number in itertools.count())
G = 10.0


def model(step, young=1E6, poisson=0.0, density=1000.0, gravity=(0, 0, -G), friction=0.0):
    solfec = SOLFEC('QUASI_STATIC', step, next(OUTPUTS))
    solfec.verbose = 'OFF'
    BULK_MATERIAL(solfec, young=young, poisson=poisson, density=density)
    SURFACE_MATERIAL(solfec, friction=friction)
    GRAVITY(solfec, gravity)
    OUTPUT(solfec, 1E6)
    return solfec


def run(solfec, steps):
    RUN(solfec, AUTO_SOLVER(1E-14), steps * solfec.step)


def box(lower, upper, divisions=None):
    (x, y, z), (X, Y, Z) = lower, upper
    corners = [x, y, z, X, y, z, X, Y, z, x, Y, z, x, y, Z, X, y, Z, X, Y, Z, x, Y, Z]
    return HEX(corners, *divisions, 1, [1] * 6) if divisions else HULL(corners, 1, 1)


def body(solfec, kind, shape, **options):
    return BODY(solfec, kind, shape, 'BULK_MATERIAL_0', **options)


def table(solfec):
    return body(solfec, 'OBSTACLE', box((-5, -5, -1), (5, 5, 0)))


def height(b, point=(0, 0, 0)):
    return DISPLACEMENT(b, point)[2]


@pytest.mark.parametrize('poisson', (0.0, 0.3))
@pytest.mark.parametrize('form', ('TL', 'BC'))
def test_a_cantilever_is_bent_in_a_few_steps(form, poisson):
    length, side, young, force = 10.0, 0.5, 1E9, 100.0
    solfec = model(10.0, young, poisson, gravity=(0, 0, 0))
    beam = body(solfec, 'FINITE_ELEMENT', box((0, 0, 0), (length, side, side), (20, 1, 1)), form=form)
    # The clamp lets the section contract: stresses of its own are what Gauss-Seidel finds most slowly.
    for y in (0, side):
        FIX_DIRECTION(beam, (0, y, 0), (0, 0, 1))
        for z in (0, side):
            FIX_DIRECTION(beam, (0, y, z), (1, 0, 0))
            FORCE(beam, 'SPATIAL', (length, y, z), (0, 0, -1), force / 4)
    FIX_DIRECTION(beam, (0, 0, 0), (0, 1, 0))
    run(solfec, 8)
    inertia, shear = side**4 / 12, young / (2 + 2 * poisson) * side**2 * 5 / 6
    exact = force * length**3 / (3 * young * inertia) + force * length / shear
    assert -height(beam, (length, 0, 0)) == pytest.approx(exact, rel=0.03)
    top = (length / 2 + 0.25, side / 2, side)
    assert STRESS(beam, top)[0] == pytest.approx(force * (length - top[0]) * side / 2 / inertia, rel=0.03)
    held = [con.R[2] for con in solfec.constraints if con.base[8] == 1]
    assert len(held) == 2 and sum(held) == pytest.approx(force, rel=1E-8)
    rest = height(beam, (length, 0, 0))
    run(solfec, 1)
    assert height(beam, (length, 0, 0)) == pytest.approx(rest, rel=1E-6), 'equilibrium'


def held(solfec):
    """The resultant of friction along x: bases are row by row, with columns T1, T2, N."""
    return abs(sum(con.base[0] * con.R[0] + con.base[1] * con.R[1] for con in solfec.constraints))


@pytest.mark.parametrize('kind, divisions', (('RIGID', None), ('PSEUDO_RIGID', None), ('FINITE_ELEMENT', (2, 2, 1))))
def test_a_block_slips_when_the_push_exceeds_friction(kind, divisions):
    """A force that grows: the block sticks below mu N, and goes above it."""
    friction, weight = 0.4, 0.5 * 0.5 * 0.2 * 1000 * G
    solfec = model(0.01, friction=friction)
    solfec.contact_points = 'MANY'
    table(solfec)
    block = body(solfec, kind, box((0, 0, 0), (0.5, 0.5, 0.2), divisions))
    end = 0.8
    for y in (0, 0.5):
        FORCE(block, 'SPATIAL', (0, y, 0), (1, 0, 0), TIME_SERIES([0, 0, 0.2, 0, 0.2 + end, 0.6 * friction * weight]))
    slipped = 0.2 + end / 1.2  # when the force is mu N
    run(solfec, round((slipped - 0.05) / solfec.step))
    before = DISPLACEMENT(block, (0.5, 0, 0))[0]
    normal = sum(con.R[2] for con in solfec.constraints)
    assert normal == pytest.approx(weight, rel=1E-3)
    # Reactions of the corners may balance each other in part; each is in its cone.
    assert 0.85 * friction * weight < held(solfec) < 0.95 * friction * weight
    assert all(math.hypot(*con.R[:2]) < (1 + 1E-9) * friction * con.R[2] for con in solfec.constraints)
    assert abs(before) < 1E-8, 'elastic, or nothing'
    run(solfec, round(0.05 / solfec.step) + 8)
    assert DISPLACEMENT(block, (0.5, 0, 0))[0] > before + 1E-4
    assert sum(math.hypot(*con.R[:2]) for con in solfec.constraints) == pytest.approx(friction * weight, rel=0.01)


def test_what_pushes_a_block_is_mu_n():
    """Moved slowly by a prescribed displacement: the force of the joint is friction's."""
    friction, weight = 0.3, 0.2 * 0.2 * 0.1 * 1000 * G
    solfec = model(0.01, friction=friction)
    solfec.contact_points = 'MANY'
    table(solfec)
    block = body(solfec, 'RIGID', box((0, 0, 0), (0.2, 0.2, 0.1)))
    run(solfec, 3)
    SET_DISPLACEMENT(block, (0.1, 0.1, 0), (1, 0, 0), TIME_SERIES([0, 0, 1, 1E-5]))  # slow: drag is m v / h
    for k in range(5):
        run(solfec, 10)
        joint = [con for con in solfec.constraints if con.kind != 'CONTACT'][0]
        assert joint.R[2] == pytest.approx(friction * weight, rel=2E-3)


@pytest.mark.parametrize('kind', ('RIGID', 'PSEUDO_RIGID'))
@pytest.mark.parametrize('step', (0.01, 0.05))
def test_a_stack_rests(kind, step):
    solfec = model(step, young=1E9, friction=0.5)
    solfec.contact_points = 'MANY'
    table(solfec)
    number, weight = 4, 1000 * G
    for k in range(number):
        body(solfec, kind, box((0, 0, k), (1, 1, k + 1)))
    fall = step**2 * G
    for steps in (20, 20):
        run(solfec, steps)
        carried = {}
        for con in solfec.constraints:
            level = round(con.point[2])
            carried[level] = carried.get(level, 0) + con.R[2]
            assert -0.01 * fall < con.gap < 1E-6, 'they touched, and do still'
        for level in range(number):
            assert carried[level] == pytest.approx((number - level) * weight, rel=1E-3)


def test_a_body_above_the_table_comes_to_rest_on_it():
    step = 0.05
    solfec = model(step)
    table(solfec)
    ball = body(solfec, 'RIGID', SPHERE((0, 0, 0.56), 0.5, 1, 1))
    run(solfec, 10)
    assert height(ball, (0, 0, 0.56)) + 0.06 == pytest.approx(0, abs=1E-6), 'it is known before it arrives'
    rest = height(ball, (0, 0, 0.56))
    run(solfec, 10)
    assert height(ball, (0, 0, 0.56)) == pytest.approx(rest, abs=1E-9)
    contact, = solfec.constraints
    assert contact.R[2] == pytest.approx(1000 * 4 / 3 * math.pi / 8 * G, rel=1E-6)


@pytest.mark.parametrize('step', (0.1, 1, 10))
def test_long_steps_of_rigid_bodies_at_rest(step):
    """By a merit of 1E-8 alone corners are lifted by more than GEOMETRIC_EPSILON; boxes fell by metres then."""
    solfec = model(step, friction=0.5)
    table(solfec)
    boxes = [body(solfec, 'RIGID', box((0, 0, 0.3 * k), (0.3, 0.3, 0.3 * (k + 1)))) for k in range(5)]
    RUN(solfec, 200 * step)
    for k, b in enumerate(boxes):
        assert abs(height(b, (0.15, 0.15, 0.3 * k + 0.15))) < max(step**2, 1) * 3E-7


def test_stress_of_own_weight():
    solfec = model(1.0, young=1E8)
    table(solfec)
    column = body(solfec, 'FINITE_ELEMENT', box((0, 0, 0), (1, 1, 4), (1, 1, 8)))
    for x in (0, 1):
        for y in (0, 1):
            FIX_POINT(column, (x, y, 0))
    run(solfec, 10)
    for z in (1.25, 2.25, 3.25):
        assert STRESS(column, (0.5, 0.5, z))[2] == pytest.approx(-1000 * G * (4 - z), rel=1E-2)
    assert height(column, (0.5, 0.5, 4)) == pytest.approx(-1000 * G * 16 / (2 * 1E8), rel=1E-2)


@pytest.mark.parametrize('step, young', [(1.0, 1E9), (0.1, 1E9), (0.1, 2E11), (0.01, 2E11)])
def test_deformable_blocks_on_each_other(step, young):
    """By the default solver, with meshes that do not match: their contacts are more than their freedom to move, and
    deflections some 1E-9 of free flight."""
    solfec = model(step, young=young, friction=0.5)
    table(solfec)
    blocks = [body(solfec, 'FINITE_ELEMENT', box((0, 0, 0.2 * k), (0.4, 0.4, 0.2 * k + 0.2), (n, n, 1)))
              for k, n in enumerate((2, 3, 2))]
    exact = 1000 * G * 0.6**2 / (2 * young)
    for _ in range(10):
        RUN(solfec, 3 * step)
        corners = [-height(blocks[2], (x, y, 0.6)) / exact for x in (0, 0.4) for y in (0, 0.4)]
    assert corners == pytest.approx(4 * [1], abs=0.05)


@pytest.mark.parametrize('kind', ['RIGID', 'FINITE_ELEMENT'])
def test_an_arch_stands(kind):
    """Of 21 voussoirs, three times as thick as it must be, in 200 long steps of the default solver."""
    solfec = model(0.1, young=1E9, density=2000, friction=0.8)
    body(solfec, 'OBSTACLE', box((-2, -0.5, -0.2), (2, 0.5, 0)))
    count, half = 21, 1.5 * 0.1075
    voussoirs = []
    for k in range(count):
        a, b = (math.pi * (k + i) / count for i in range(2))
        nodes = [x for y in (0.25, -0.25) for r, angle in ((1 - half, a), (1 + half, a), (1 + half, b), (1 - half, b))
                 for x in (r * math.cos(angle), y, r * math.sin(angle))]
        voussoirs.append(body(solfec, kind, HEX(nodes, 1, 1, 1, 1, [1] * 6)))
    crown = (0, 0, 1)
    RUN(solfec, 1)
    before = height(voussoirs[count // 2], crown)
    RUN(solfec, 19)
    assert abs(before) < 1E-4 and abs(height(voussoirs[count // 2], crown) - before) < 1E-6


def test_a_pendulum_hangs_still():
    solfec = model(0.1)
    bob = body(solfec, 'RIGID', SPHERE((math.sin(1), 0, -math.cos(1)), 0.1, 1, 1))
    BODY_CHARS(bob, 1, 1, (math.sin(1), 0, -math.cos(1)), (1, 0, 0, 0, 1, 0, 0, 0, 1))
    PUT_RIGID_LINK(bob, None, (math.sin(1), 0, -math.cos(1)), (0, 0, 0))
    run(solfec, 300)
    place = DISPLACEMENT(bob, (math.sin(1), 0, -math.cos(1)))
    assert place == pytest.approx((-math.sin(1), 0, math.cos(1) - 1), abs=1E-6)


@pytest.mark.parametrize('form', ('TL', 'BC'))
def test_a_press(form):
    """An obstacle that is driven down by a displacement series shortens a block between it and the table by E A d /
    L."""
    solfec = model(0.1, gravity=(0, 0, 0))
    table(solfec)
    block = body(solfec, 'FINITE_ELEMENT', box((0, 0, 0), (1, 1, 1), (2, 2, 2)), form=form)
    for x in (0, 1):
        for y in (0, 1):
            FIX_DIRECTION(block, (x, y, 0), (0, 0, 1))
    FIX_DIRECTION(block, (0, 0, 0), (1, 0, 0))
    FIX_DIRECTION(block, (0, 0, 0), (0, 1, 0))
    FIX_DIRECTION(block, (1, 0, 0), (0, 1, 0))
    plate = body(solfec, 'OBSTACLE', box((-0.5, -0.5, 1), (1.5, 1.5, 1.5)))
    SET_DISPLACEMENT(plate, (0, 0, 1), (0, 0, -1), TIME_SERIES([0, 0, 1, 0.002, 100, 0.002]))
    run(solfec, 40)
    assert height(plate, (0, 0, 1)) == pytest.approx(-0.002, rel=1E-9)
    force = sum(abs(con.R[2]) for con in solfec.constraints if con.kind == 'CONTACT' and con.point[2] > 0.5)
    overlap = -min(con.gap for con in solfec.constraints if con.kind == 'CONTACT' and con.point[2] > 0.5)
    assert overlap < 2E-5
    assert force == pytest.approx(1E6 * (0.002 - overlap), rel=0.01)


def test_a_light_guided_punch_stays_where_its_load_moves_to_its_other_edge():
    """The moment of the step before, no longer balanced, could turn it by several turns in one step."""
    solfec = model(0.1, gravity=(0, 0, 0))
    table(solfec)
    punch = body(solfec, 'RIGID', box((-0.02, -0.15, 0), (0.02, 0.15, 0.1)))
    for point, direction in (((0, 0, 0), (1, 0, 0)), ((0, 0, 0.1), (1, 0, 0)), ((0, 0, 0), (0, 1, 0)),
                             ((0, 0, 0.1), (0, 1, 0)), ((0.02, 0, 0), (0, 1, 0))):
        FIX_DIRECTION(punch, point, direction)
    for x, before, after in ((0.02, 0, 500), (-0.02, 500, 0)):
        FORCE(punch, 'SPATIAL', (x, 0, 0.1), (0, 0, -1), TIME_SERIES([0, before, 1, before, 1.01, after, 9, after]))
    run(solfec, 20)
    assert sum(c.R[2] for c in punch.constraints if c.kind == 'CONTACT') == pytest.approx(500)
    assert abs(DISPLACEMENT(punch, punch.center)[2]) < 1E-6


def test_prescribed_displacement_is_met_at_each_step():
    solfec = model(0.1, gravity=(0, 0, 0))
    solfec.joint_correction = 'ON'
    ball = body(solfec, 'RIGID', SPHERE((0, 0, 0), 0.1, 1, 1))
    series = TIME_SERIES([t for k in range(101) for t in (0.1 * k, math.sin(0.1 * k))])
    SET_DISPLACEMENT(ball, (0, 0, 0), (1, 0, 0), series)
    for k in range(20):
        run(solfec, 1)
        assert DISPLACEMENT(ball, (0, 0, 0))[0] == pytest.approx(math.sin(solfec.time), abs=1E-9)


@pytest.mark.parametrize('solver', (lambda: GAUSS_SEIDEL_SOLVER(1E-10, 100, 1E-16), lambda: PENALTY_SOLVER('IMPLICIT')))
def test_a_spring_carries_by_its_overlap(solver):
    solfec = model(0.02)
    SURFACE_MATERIAL(solfec, model='SPRING_DASHPOT', spring=1E6, dashpot=0)
    table(solfec)
    ball = body(solfec, 'RIGID', SPHERE((0, 0, 0.5), 0.5, 1, 1))
    RUN(solfec, solver(), 200 * solfec.step)
    weight = ball.mass * G
    assert solfec.constraints[0].gap == pytest.approx(-weight / 1E6, rel=1E-3)
    assert solfec.constraints[0].R[2] == pytest.approx(weight, rel=1E-3)


def test_what_has_no_effect_says_so_once(capfd):
    solfec = model(0.1)
    bodies = [body(solfec, 'PSEUDO_RIGID', box((2 * k, 0, 0), (2 * k + 1, 1, 1))) for k in range(3)]
    for b in bodies:
        b.scheme = 'DEF_EXP'
        b.damping = 1E-3
        INITIAL_VELOCITY(b, (1, 0, 0), (0, 0, 0))
    assert all(b.scheme == 'DEF_LIM' and b.damping == 0 for b in bodies)
    lines = [line for line in capfd.readouterr().err.splitlines() if line.startswith('warning')]
    assert [line.split(' has no effect')[0].split()[-1] for line in lines] == [
        'BODY.scheme', 'BODY.damping', 'INITIAL_VELOCITY']
    with pytest.raises(ValueError, match='BODY.scheme'):
        bodies[0].scheme = 'RIG_NEG'
    assert solfec.analysis == 'QUASI_STATIC'


@pytest.mark.parametrize('kind, scheme', (('FINITE_ELEMENT', 'DEF_LIM2'), ('OBSTACLE', 'DEFAULT')))
def test_what_has_no_effect_on_other_kinds(kind, scheme, capfd):
    """An obstacle moves with the velocity that it was given, also here: that is no cause for a warning."""
    solfec = model(0.1, gravity=(0, 0, 0))
    b = body(solfec, kind, box((0, 0, 0), (1, 1, 1), (1, 1, 1)))
    before = b.scheme
    b.scheme = scheme
    b.damping = 1E-3
    INITIAL_VELOCITY(b, (1, 0, 0), (0, 0, 0))
    assert b.scheme == before and b.damping == 0
    lines = [line for line in capfd.readouterr().err.splitlines() if line.startswith('warning')]
    assert [line.split(' has no effect')[0].split()[-1] for line in lines] == [
        'BODY.scheme', 'BODY.damping', 'INITIAL_VELOCITY'][:2 if kind == 'OBSTACLE' else 3]
    run(solfec, 3)
    assert DISPLACEMENT(b, (0, 0, 0)) == pytest.approx((0.3 if kind == 'OBSTACLE' else 0, 0, 0), abs=1E-12)


def test_results_of_another_analysis(tmp_path):
    solfec = model(0.1)
    body(solfec, 'RIGID', SPHERE((0, 0, 0), 0.5, 1, 1))
    run(solfec, 2)
    path = solfec.outpath
    del solfec
    other = SOLFEC('DYNAMIC', 0.1, path)
    other.verbose = 'OFF'
    BULK_MATERIAL(other, young=1E6, poisson=0, density=1000)
    SURFACE_MATERIAL(other)
    body(other, 'RIGID', SPHERE((0, 0, 0), 0.5, 1, 1))
    with pytest.raises(RuntimeError, match="their analysis is 'QUASI_STATIC', that of the script 'DYNAMIC'"):
        run(other, 2)


@pytest.mark.parametrize('form', ['TL', 'BC'])
@pytest.mark.parametrize('h', [0.1, 1, 10])
def test_long_steps_of_a_stiff_cantilever(form, h):
    """Supports must not move by what counts for nothing against free flight, h^2 g = 1 km: the deflection is that of
    short steps, whatever merit is asked for, and the tip goes down by what beam theory says."""
    length, side, young, density = 1.0, 0.1, 2E11, 7800.0
    for merit in (1E-8, 1E-12):
        solfec = model(h, young=young, density=density)
        beam = body(solfec, 'FINITE_ELEMENT', box((0, 0, 0), (length, side, side), (10, 2, 2)), form=form)
        for y in (0, side / 2, side):
            for z in (0, side / 2, side):
                FIX_POINT(beam, (0, y, z))
        RUN(solfec, AUTO_SOLVER(merit, failure='EXIT'), 4 * h)
        tip = DISPLACEMENT(beam, (length, side / 2, side / 2))[2]
        theory = -density * side**2 * G * length**4 / 8 / (young * side**4 / 12)
        # Bending, and shear (5 % of it less what 10 elements lack).
        assert tip == pytest.approx(theory, rel=0.01)
        assert tip == pytest.approx(-5.889E-5 * G / 10, rel=1E-4)
        for con in solfec.constraints:
            assert math.hypot(*con.R) < 1E5


@pytest.mark.parametrize('bound', [8, 9, 10])
def test_automatic_solver_keeps_to_its_bound(bound):
    """Also where it has converged, and goes on until reactions are in balance."""
    solfec = model(1.0, young=2E11, poisson=0.3, density=7800)
    beam = body(solfec, 'FINITE_ELEMENT', box((0, -0.05, -0.05), (1, 0.05, 0.05), (5, 2, 2)))
    for y in (-0.05, 0, 0.05):
        for z in (-0.05, 0, 0.05):
            FIX_POINT(beam, (0, y, z), 1E30)  # rows, as they might break
    solver = AUTO_SOLVER(1E-8, bound)
    RUN(solfec, solver, 1.0)
    assert solver.error == 'OK' and solver.iters <= bound
    assert bound == 8 or solver.path[-1][0] == 'BALANCE'


@pytest.mark.parametrize('form', ('TL', 'BC'))
def test_a_deformable_cube_that_just_touches_rests_in_long_steps(form):
    """What the solver leaves lifts it by more than GEOMETRIC_EPSILON: it is held, and does not fall."""
    solfec = model(1.0, young=1E8, poisson=0.2, friction=0.5)
    BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (10, 10, 1)), 'BULK_MATERIAL_0')
    a = 0.5
    cube = BODY(solfec, 'FINITE_ELEMENT', HEX([-a, -a, 0, a, -a, 0, a, a, 0, -a, a, 0, -a, -a, 1, a, -a, 1, a, a, 1,
                                               -a, a, 1], 2, 2, 2), 'BULK_MATERIAL_0', form=form)
    RUN(solfec, AUTO_SOLVER(), 20.0)
    assert abs(DISPLACEMENT(cube, (0, 0, 1))[2]) < 1E-3
    assert sum(abs(c.R[2]) for c in solfec.constraints) == pytest.approx(G * cube.mass, rel=1E-2)
