"""Supports of finite elements: FIX_SURFACE, and joints of nodes to space, which are eliminated in the body's matrix."""

import itertools
import math

import pytest
from conftest import cube
from pytest import approx

from solfec import *

OUTPUTS = (f'supports{number}' for number in itertools.count())
G = 10.0
MAY_BREAK = 1E30  # [N]: a FIX_POINT with a strength is a row of W


def model(analysis='DYNAMIC', step=1E-3, young=1E6, poisson=0.3, gravity=(0, 0, -G)):
    solfec = SOLFEC(analysis, step, next(OUTPUTS))
    solfec.verbose = 'OFF'
    solfec.contact_points = 'MANY'
    BULK_MATERIAL(solfec, young=young, poisson=poisson, density=1000)
    SURFACE_MATERIAL(solfec, friction=0.3)
    GRAVITY(solfec, gravity)
    return solfec


def run(solfec, steps, merit=1E-16):
    OUTPUT(solfec, 1E6)
    RUN(solfec, AUTO_SOLVER(merit), steps * solfec.step)


def block(sizes=(1, 0.2, 0.2), divisions=(8, 2, 2), low=(0, 0, 0)):
    """Surfaces: bottom 1, x- 2, y+ 3, x+ 4, y- 5, top 6."""
    (x, y, z), (X, Y, Z) = low, [a + s for a, s in zip(low, sizes)]
    corners = [x, y, z, X, y, z, X, Y, z, x, Y, z, x, y, Z, X, y, Z, X, Y, Z, x, Y, Z]
    return HEX(corners, *divisions, 1, [1, 2, 3, 4, 5, 6])


def elastic(solfec, form='TL', scheme=None, **options):
    body = BODY(solfec, 'FINITE_ELEMENT', block(**options), 'BULK_MATERIAL_0', form=form)
    if scheme:
        body.scheme = scheme
    return body


def in_space(constraint):
    return [sum(constraint.base[3 * i + k] * constraint.R[k] for k in range(3)) for i in range(3)]


def resultant(constraints):
    return [sum(column) for column in zip(*map(in_space, constraints))]


@pytest.mark.parametrize('form', ('TL', 'BC'))
def test_a_clamped_cantilever_bends_as_a_beam(form):
    """Tip under its weight, rho g L^4 / 8 E I and shear rho g L^2 / 2 k mu; the reaction and its moment."""
    length, side, young = 4.0, 0.2, 1E9
    solfec = model('QUASI_STATIC', 1E3, young, poisson=0, gravity=(0, 0, -1))
    beam = elastic(solfec, form, sizes=(length, side, side), divisions=(20, 2, 2))
    clamp = FIX_SURFACE(beam, 2)
    assert [con.kind for con in clamp] == ['FIXPNT'] * 9
    run(solfec, 10)
    weight = 1000 * side * side * length
    exact = weight * length**3 / (8 * young * side**4 / 12) + weight * length / (2 * 5 / 6 * young / 2 * side**2)
    tip = -DISPLACEMENT(beam, (length, side / 2, side / 2))[2]
    assert tip == approx(exact, rel=0.02)
    assert resultant(clamp) == approx([0, 0, weight], abs=1E-7 * weight)
    moment = -sum(in_space(con)[0] * (con.point[2] - side / 2) for con in clamp)
    assert moment == approx(weight * length / 2, rel=1E-4)
    OUTPUT(solfec, solfec.step)
    RUN(solfec, AUTO_SOLVER(), 2 * solfec.step)
    force = HISTORY(solfec, [(beam, (0, 0, 1), None, 'R')], 0, solfec.time)[1]
    assert force[-1] == approx(weight, rel=1E-6)


@pytest.mark.parametrize('form', ('TL', 'BC'))
def test_planes_of_symmetry_leave_the_stress_uniform(form):
    """An eighth of a cube in tension: what the stress is does not depend on the mesh."""
    solfec = model('QUASI_STATIC', 10, gravity=(0, 0, 0))
    body = elastic(solfec, form, sizes=(1, 1, 1), divisions=(2, 3, 2))
    planes = [FIX_SURFACE(body, 2, [(1, 0, 0)]), FIX_SURFACE(body, 5, [(0, 1, 0)]), FIX_SURFACE(body, 1, [(0, 0, 2)])]
    assert [len(plane) for plane in planes] == [12, 9, 12]
    assert all(con.kind == 'FIXDIR' for plane in planes for con in plane)
    pull = 1000 if form == 'TL' else 10
    PRESSURE(body, 6, pull)
    run(solfec, 20)
    for point in ((0.3, 0.6, 0.2), (0.9, 0.1, 0.7), (0, 0, 0)):
        stress = STRESS(body, point)
        assert stress[2] == approx(pull, rel=1E-6 if form == 'TL' else 1E-4)
        assert [stress[k] for k in (0, 1, 3, 4, 5)] == approx([0] * 5, abs=1E-4 * pull)
    area = (1 + DISPLACEMENT(body, (1, 1, 1))[0]) * (1 + DISPLACEMENT(body, (1, 1, 1))[1])
    assert sum(con.R[2] for con in planes[2]) == approx(-pull * area, rel=1E-4)
    assert sum(con.R[2] for con in planes[0]) == approx(0, abs=1E-4 * pull)


CASES = [('DYNAMIC', 'TL', 'DEF_LIM2', 1E-8), ('DYNAMIC', 'TL', 'DEF_IMP', 1E-8), ('DYNAMIC', 'BC', 'DEF_LIM2', 1E-8),
         ('DYNAMIC', 'TL', 'DEF_EXP', 1E-8), ('DYNAMIC', 'BC', 'DEF_LIM', 1E-8), ('DYNAMIC', 'TL', 'DEF_LIM', 1E-8),
         ('QUASI_STATIC', 'TL', None, 1E-8), ('QUASI_STATIC', 'BC', None, 1E-8)]


@pytest.mark.parametrize('analysis, form, scheme, tolerance', CASES)
def test_as_with_rows(analysis, form, scheme, tolerance):
    """Points with a strength are rows."""
    seen = []
    for strength in (None, MAY_BREAK):
        solfec = model(analysis, gravity=(1, 2, -G))
        body = elastic(solfec, form, scheme)
        clamp = [FIX_POINT(body, (0, 0.1 * j, 0.1 * k), strength) for j in range(3) for k in range(3)]
        run(solfec, 15)
        seen.append([DISPLACEMENT(body, (1, 0.2, 0)) + VELOCITY(body, (1, 0.2, 0)), sum((con.R for con in clamp), ()),
                     ENERGY(solfec)])
    for one, other in zip(*seen):
        assert one == approx(other, rel=tolerance, abs=tolerance * max(map(abs, one)))


@pytest.mark.parametrize('form, scheme', (('TL', 'DEF_IMP'), ('TL', 'DEF_EXP'), ('BC', 'DEF_LIM2')))
def test_a_clamped_beam_vibrates_for_a_hundred_periods(form, scheme):
    """DEF_IMP keeps the energy, DEF_EXP in the mean; DEF_LIM2 loses some. The clamp does no work."""
    young, length, side = 1E6, 1.0, 0.2
    first = 3.516 / (2 * math.pi) * math.sqrt(young * side**4 / 12 / (1000 * side**2 * length**4))
    solfec = model(step=1 / (20 * first), young=young, poisson=0, gravity=(0, 0, 0))
    beam = elastic(solfec, form, scheme, divisions=(5, 1, 1))
    FIX_SURFACE(beam, 2)
    for point in ((1, 0, 0), (1, 0.2, 0), (1, 0, 0.2), (1, 0.2, 0.2)):  # a push, then nothing
        FORCE(beam, 'SPATIAL', point, (0, 0, 1), TIME_SERIES([0, 1, 3 * solfec.step, 1, 3.1 * solfec.step, 0, 1E6, 0]))
    run(solfec, 5)
    energy = lambda: sum(ENERGY(solfec)[:2])
    start, given, most = energy(), ENERGY(solfec)[2], 0
    for _ in range(20):
        run(solfec, 100)
        most = max(most, energy())
    if scheme == 'DEF_IMP':
        assert energy() == approx(start, rel=1E-8) and most == approx(start, rel=1E-8)
    elif scheme == 'DEF_EXP':
        assert energy() == approx(start, rel=0.02) and most < 1.02 * start
    else:
        assert most < 1.0001 * start
    assert ENERGY(solfec)[2] == approx(given, rel=1E-12), 'supports at rest do no work'
    for y, z in itertools.product((0, 0.2), (0, 0.2)):
        assert DISPLACEMENT(beam, (0, y, z)) == approx((0, 0, 0), abs=1E-15)


@pytest.mark.parametrize('scheme', ('DEF_LIM2', 'DEF_IMP', 'DEF_EXP'))
def test_supports_that_move_do_work(scheme):
    """A clamp is shaken; energy is what its reactions give, but for what DEF_LIM2 damps."""
    solfec = model(step=2E-4, gravity=(0, 0, 0))
    beam = elastic(solfec, 'TL', scheme)
    path = [v for k in range(201) for v in (1E-3 * k, 0.005 * (1 - math.cos(2 * math.pi * k / 50)))]
    base = (1, 0, 0, 0, 1, 0, 0, 0, 1)
    for j, k in itertools.product(range(3), range(3)):
        SET_DISPLACEMENT3(beam, (0, 0.1 * j, 0.1 * k), base, (0, 0, TIME_SERIES(path)))
    for k in range(1, 5):
        run(solfec, 25)
        wanted = 0.005 * (1 - math.cos(2 * math.pi * solfec.time / 0.05))
        assert DISPLACEMENT(beam, (0, 0.1, 0.1)) == approx((0, 0, wanted), abs=5E-6)  # the series is piecewise linear
    kinetic, internal, external = ENERGY(solfec)[:3]
    assert external > 0.01 and kinetic + internal == approx(external, rel=1E-9 if scheme == 'DEF_IMP' else 0.05)


@pytest.mark.parametrize('analysis, form', itertools.product(('DYNAMIC', 'QUASI_STATIC'), ('TL', 'BC')))
def test_contacts_at_the_clamp_and_beside_it(analysis, form):
    """One between held nodes and an obstacle has no reaction; at others the body rests."""
    solfec = model(analysis, 1E-3 if analysis == 'DYNAMIC' else 0.05)
    beam = elastic(solfec, form)
    beam.scheme, beam.damping = 'DEF_LIM2', 1E-2
    clamp = FIX_SURFACE(beam, 2)
    side = lambda low, high: HULL([(low, high)[bit >> axis & 1][axis] for bit in range(8) for axis in range(3)], 1, 1)
    BODY(solfec, 'OBSTACLE', side((-1, -1, -0.3), (0, 1, 1E-4)), 'BULK_MATERIAL_0')
    BODY(solfec, 'OBSTACLE', side((0.9, -1, -0.3), (1.4, 1, -1E-3)), 'BULK_MATERIAL_0')
    run(solfec, 400, 1E-10)
    contacts = [con for con in solfec.constraints if con.kind == 'CONTACT']
    held = [con for con in contacts if con.point[0] < 1E-9]
    assert held and all(con.R == (0, 0, 0) for con in held)
    force = resultant(contacts)[2]  # the bent beam leans on the edge of the obstacle
    weight = 1000 * 0.04 * G
    assert 0.2 * weight < force < 0.6 * weight
    if analysis == 'QUASI_STATIC':
        assert resultant(clamp)[2] + force == approx(weight, rel=1E-3)


@pytest.mark.parametrize('analysis, form', itertools.product(('DYNAMIC', 'QUASI_STATIC'), ('TL', 'BC')))
def test_a_quarter_between_planes_of_symmetry_rests_with_friction(analysis, form):
    """Nodes on the planes slide along them and touch the table: their blocks of W have no full rank but for a trace."""
    solfec = model(analysis, 2E-3 if analysis == 'DYNAMIC' else 0.1)
    quarter = elastic(solfec, form, sizes=(0.5, 0.5, 0.5), divisions=(2, 2, 2))
    quarter.scheme, quarter.damping = 'DEF_LIM2', 1E-2
    planes = FIX_SURFACE(quarter, 2, [(1, 0, 0)]) + FIX_SURFACE(quarter, 5, [(0, 1, 0)])
    BODY(solfec, 'OBSTACLE', cube(-2, -2, -4, 4), 'BULK_MATERIAL_0')
    run(solfec, 300, 1E-10 if form == 'TL' else 1E-14)  # supports of BC are rows of W: as exact as the merit
    contacts = [con for con in solfec.constraints if con.kind == 'CONTACT']
    weight = 1000 * 0.125 * G
    assert sum(con.R[2] for con in contacts) == approx(weight, rel=1E-3)
    assert all(math.hypot(*con.R[:2]) <= 0.3 * con.R[2] * (1 + 1E-6) for con in contacts)
    corner = DISPLACEMENT(quarter, (0, 0, 0.5))
    assert corner[:2] == approx((0, 0), abs=1E-14) and -1E-2 < corner[2] < 0
    forces = [in_space(con) for con in contacts]
    assert [sum(f[k] for f in forces) + resultant(planes)[k] for k in range(2)] == approx([0, 0], abs=1E-3 * weight)


def test_a_support_is_deleted_between_runs():
    for form in ('TL', 'BC'):
        solfec = model('QUASI_STATIC', 100, gravity=(0, 0, -0.1))
        beam = elastic(solfec, form)
        clamp = FIX_SURFACE(beam, 2)
        run(solfec, 10)
        tip = DISPLACEMENT(beam, (1, 0, 0))[2]
        top = [con for con in clamp if con.point[2] > 0.15]
        assert len(top) == 3 and all(in_space(con)[0] < 0 for con in top), 'it pulls there'
        for con in top:
            DELETE(solfec, con)
        run(solfec, 20)
        assert solfec.ncon == 6 and DISPLACEMENT(beam, (1, 0, 0))[2] < 1.5 * tip < 0
        assert abs(DISPLACEMENT(beam, (0, 0.1, 0.2))[0]) > 0
        assert resultant(con for con in clamp if con not in top)[2] == approx(1000 * 0.04 * 0.1, rel=1E-6)
        FIX_POINT(beam, (1, 0.1, 0.1))
        run(solfec, 20)
        assert solfec.ncon == 7


def test_a_run_that_fails_leaves_supports_and_reactions():
    solfec = model()
    beam = elastic(solfec)
    clamp = FIX_SURFACE(beam, 2)
    run(solfec, 3)
    before = [con.R for con in clamp]
    wrong = SET_VELOCITY(beam, (0, 0, 0), (1, 0, 0), 1)
    with pytest.raises(RuntimeError, match='joints contradict each other at .*FIX_POINT, prescribed motion of body'):
        run(solfec, 1)
    assert solfec.ncon == 10 and [con.R for con in clamp] == before
    DELETE(solfec, wrong)
    run(solfec, 1)
    assert solfec.ncon == 9


def test_two_faces_share_their_edge():
    solfec = model('QUASI_STATIC', 100)
    beam = elastic(solfec)
    held = FIX_SURFACE(beam, 2) + FIX_SURFACE(beam, 1)
    assert len(held) == 9 + 27
    run(solfec, 5)
    assert solfec.ncon == 36 and len({con.point for con in held}) == 33
    assert resultant(held) == approx([0, 0, 1000 * 0.04 * G], abs=1E-6)


def test_errors_of_fix_surface():
    solfec = model()
    beam = elastic(solfec)
    rigid = BODY(solfec, 'RIGID', cube(), 'BULK_MATERIAL_0')
    with pytest.raises(ValueError, match="FIX_SURFACE: 'surfid' must be a surface identifier of that MESH .*1, 2, 3"):
        FIX_SURFACE(beam, 7)
    with pytest.raises(ValueError, match="FIX_SURFACE: 'body': only a FINITE_ELEMENT body has faces"):
        FIX_SURFACE(rigid, 1)
    with pytest.raises(ValueError, match="FIX_SURFACE: 'directions' must be None, or a list of one to three"):
        FIX_SURFACE(beam, 1, [])
    with pytest.raises(ValueError, match="FIX_SURFACE: 'directions', entry 1 must be .* non-zero"):
        FIX_SURFACE(beam, 1, [(1, 0, 0), (0, 0, 0)])
    inside = BODY(solfec, 'FINITE_ELEMENT', HULL([c + 2.1 for c in block_corners()], 1, 1), 'BULK_MATERIAL_0',
                  mesh=block(sizes=(2, 2, 2), divisions=(2, 2, 2), low=(2, 2, 2)))
    with pytest.raises(ValueError, match="FIX_SURFACE: 'body': nodes are fixed on the surface of a BODY whose"):
        FIX_SURFACE(inside, 1)


def block_corners():
    return [(0, 1)[bit >> axis & 1] for bit in range(8) for axis in range(3)]


@pytest.mark.parametrize('form', ('TL', 'BC'))
def test_a_joint_of_the_same_body_breaks(form):
    """What the support prescribes at the end of the step is found though other joints have gone before it."""
    solfec = model()
    body = elastic(solfec, form, 'DEF_EXP')
    FIX_POINT(body, (0, 0, 0), strength=1)
    moved = SET_VELOCITY(body, (0, 0, 0.2), (1, 0, 0), 1)
    run(solfec, 20)
    assert [con.kind for con in solfec.constraints] == ['VELODIR']
    assert DISPLACEMENT(body, (0, 0, 0.2))[0] == approx(solfec.time) and moved.U[2] == approx(1)


def test_what_supports_do_not_let_a_body_do_is_an_error():
    for analysis, step in (('DYNAMIC', 1E-3), ('QUASI_STATIC', 1E-3)):
        solfec = model(analysis, step)
        body = BODY(solfec, 'FINITE_ELEMENT', block((1, 1, 1), (1, 1, 1)), 'BULK_MATERIAL_0')
        FIX_SURFACE(body, 1)
        FIX_SURFACE(body, 6)
        run(solfec, 2)
        wrong = SET_VELOCITY(body, (0.5, 0.5, 0.5), (1, 0, 0), 1)
        with pytest.raises(RuntimeError, match=r'joints contradict .*: prescribed motion at \(0.5, 0.5, 0.5\), '
                                               'where joints hold the nodes of body 0'):
            run(solfec, 1)
        DELETE(solfec, wrong)
        ram = BODY(solfec, 'OBSTACLE', BOX((0.5, 0.5, 1.51), (1, 1, 1)), 'BULK_MATERIAL_0')
        SET_VELOCITY(ram, (0, 0, 0), (0, 0, 1), -1)
        with pytest.raises(RuntimeError, match=r'joints contradict .*: body 0 and body 1 are pressed together at \('):
            run(solfec, 20)
