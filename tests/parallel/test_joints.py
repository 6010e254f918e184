"""Joints between bodies of different ranks, near or far."""

import math

import h5py
import numpy
import pytest
from models import TELL, assert_goes_on, assert_motion_of_one_rank, assert_same_rows, merged, start_model
from ranks import start

RANKS = (1, 2, 3, 4)

# Rows of balls that hang from links and swing through each other's places, some of pseudo-rigid balls; every other
# row is tied to its neighbour by a pin, and to a ball far away.
ROWS = f"""\
import json, math, os, signal, sys
{TELL}
words = [word for word in NON_SOLFEC_ARGV() or [] if word != 'half']
tolerance = (words + ['1E-12'])[0]
s = SOLFEC('DYNAMIC', 1E-3, 'out')
s.verbose = 'OFF'
OUTPUT(s, 0.01)
IMBALANCE_TOLERANCE(s, 1.05)
GRAVITY(s, (0, 0, -10))
m = BULK_MATERIAL(s, young=1E7, density=1000)
SURFACE_MATERIAL(s, friction=0.3)
if tolerance == 'penalty':
    solver = PENALTY_SOLVER()
elif tolerance == 'simplified':
    solver = GAUSS_SEIDEL_SOLVER(1E-12, 5000, 1)
    solver.variant = 'SIMPLIFIED'
else:
    solver = GAUSS_SEIDEL_SOLVER(float(tolerance), 5000, 1E-16 if tolerance == '1E-12' else 1)
driven = BODY(s, 'OBSTACLE', SPHERE((-5, 0, 0), 0.1, 1, 1), m)
SET_VELOCITY(driven, (-5, 0, 0), (1, 0, 0), TIME_SERIES([0, 0, 0.2, 0.5, 0.4, 0, 0.6, -0.5, 0.8, 0]))
rows, joints = [], []
for row in range(6):
    balls = []
    for n in range(4):
        center = (0.5 * (n + 1) * math.cos(1.3 * row), row, -0.5 * (n + 1) * abs(math.sin(1.3 * row)))
        balls.append(BODY(s, ('RIGID', 'PSEUDO_RIGID')[row % 2], SPHERE(center, 0.1, 1, 1), m))
        if row % 2:
            balls[-1].scheme, balls[-1].damping = 'DEF_LIM', s.step
        if n == 0:
            joints.append(PUT_RIGID_LINK(balls[0], None, center, (0, row, 0)))
        else:
            joints.append(PUT_RIGID_LINK(balls[-2], balls[-1], balls[-2].center, center))
        INITIAL_VELOCITY(balls[-1], (0.1 * row - 0.2, 0.1 * n, 0.05 * row * n), (row, n, 1))
    rows.append(balls)
pin = tuple((a + b) / 2 for a, b in zip(rows[0][0].center, rows[2][0].center))
joints.append(PUT_RIGID_LINK(rows[0][0], rows[2][0], pin, pin))
joints.append(PUT_RIGID_LINK(rows[1][3], rows[5][3], rows[1][3].center, rows[5][3].center))
joints.append(PUT_RIGID_LINK(driven, rows[3][0], driven.center, rows[3][0].center))
bodies = [ball for balls in rows for ball in balls]
def states():
    return {{ball.id: ball.conf for ball in bodies if HERE(s, ball)}}
"""


def test_local_dynamics_are_the_same_to_the_last_bit(tmp_path):
    assert_same_rows(ROWS, RANKS, tmp_path, 26, 50, '1E-1')


@pytest.mark.parametrize('tolerance', ('1E-12', 'penalty', 'simplified'))
def test_motion_is_that_of_one_rank(tolerance, tmp_path):
    script = ROWS + """
RUN(s, solver, 0.2)
tell(states=states(), ncon=s.ncon, moved=DISPLACEMENT(driven, driven.center))
"""
    for told in assert_motion_of_one_rank(script, RANKS, tmp_path, tolerance, bodies=24, constraints=26,
                                          tolerance=1E-7 if tolerance == '1E-12' else 1E-4):
        assert all(rank['ncon'] == 27 for rank in told)
        assert all(rank['moved'] == pytest.approx([0.05, 0, 0], abs=1E-12) for rank in told)


@pytest.mark.parametrize('variant, innerloops', (('MIDDLE_JACOBI', 1), ('BOUNDARY_JACOBI', 1), ('FULL', 3)))
def test_motion_by_variants_of_the_solver(variant, innerloops, tmp_path):
    """The last balls of the rows slide off obstacles. What a row knows of other ranks, and when, is all the same."""
    script = ROWS + f"""
for balls in rows:
    low = [c - d for c, d in zip(balls[-1].center, (0.15, 0.15, 0.2))]
    BODY(s, 'OBSTACLE', HULL([c + (0.3, 0.3, 0.101)[k] * (i >> k & 1) for i in range(8) for k, c in enumerate(low)],
                             1, 1), m)
solver.variant, solver.innerloops = '{variant}', {innerloops}
errors, rows = set(), []
def look():
    errors.add(solver.error)
    rows.append(s.ncon)
CALLBACK(s, s.step / 2, (), look)
RUN(s, solver, 0.02)
tell(states=states(), ncon=max(rows), errors=list(errors))
"""
    for told in assert_motion_of_one_rank(script, (1, 2, 3), tmp_path, bodies=24, constraints=31):
        assert all(rank['errors'] == ['OK'] for rank in told)


def test_migration(tmp_path):
    """Through 1,000 steps joints hold, and bodies and joints stay as many as they were, with their partners."""
    script = """
        def gaps():
            return [abs(math.dist(j.point[:3], j.point[3:]) - length) for j, length in zip(joints, lengths)
                    if HERE(s, j) and j.kind == 'RIGLNK']
        RUN(s, solver, s.step)
        homes = {ball.id: RANK() for ball in bodies if HERE(s, ball)}
        lengths = [0.5] * 24 + [0] + [math.dist(rows[1][3].center, rows[5][3].center),
                                      math.dist(driven.center, rows[3][0].center)]
        worst, moves = [], []
        def look():
            worst.extend(gaps())
            moves.append(sum(ball.id not in homes for ball in bodies if HERE(s, ball)))
        CALLBACK(s, 0.01, (), look)
        RUN(s, solver, 1.0)
        tell(states=states(), worst=max(worst, default=0), moves=max(moves), ncon=s.ncon, nbod=s.nbod)
        """
    told = start_model(tmp_path, 3, ROWS + '\n'.join(line[8:] for line in script.splitlines()), '1E-6').well()
    assert all(rank['ncon'] == 27 and rank['nbod'] == 25 for rank in told)
    assert len(merged(told, 'states')) == 24
    assert max(rank['worst'] for rank in told) < 1E-9 and sum(rank['moves'] for rank in told) > 0


@pytest.mark.parametrize('ranks, others', ((2, (2, 3, 1)), (3, ('serial', 4))))
def test_goes_on(ranks, others, tmp_path):
    """On as many ranks to the last bit, on others within the solver's tolerance."""
    assert_goes_on(ROWS, ranks, others, tmp_path, 0.1, 0.05)


def test_joints_of_callbacks(tmp_path):
    """Made by all ranks between bodies of different ranks, and on one rank with a body that is made there; deleted by
    one of them, with a body or on its own; broken on the rank that owns them."""
    script = """
        BULK_MATERIAL(s, density=1000, label='heavy')
        GRAVITY(s, (0, 0, -10))
        left, right = ball(-1), ball(1)
        weak = FIX_POINT(ball(3), (30, 0, 0), 1E-3)
        counts, made = [], []
        def call():
            counts.append(s.ncon)
            step = len(counts)
            if step == 2:
                made.append(PUT_RIGID_LINK(left, right, left.center, right.center))
            if step == 4 and RANK() == NCPU() - 1:
                new = BODY(s, 'RIGID', SPHERE((0, 20, 0), 1, 1, 1), m)
                made.append(FIX_POINT(new, (0, 20, 0)))
                new = BODY(s, 'RIGID', SPHERE((0, 30, 0), 1, 1, 1), m)
                made.append(PUT_RIGID_LINK(new, None, (0, 30, 0), (0, 30, 5)))
            if step == 6 and RANK() == NCPU() - 1:
                DELETE(s, made[1])
            if step == 8:
                DELETE(s, right)
        CALLBACK(s, s.step / 2, (), call)
        run(10)
        tell(counts=counts, nbod=s.nbod)
        """
    for ranks in (1, 2, 3):
        directory = tmp_path / str(ranks)
        directory.mkdir()
        for rank in start(directory, ranks, script).well():
            # the weak one breaks in the first step and is gone in the next one
            assert rank['counts'] == [1, 0, 1, 1, 3, 3, 2, 2, 1, 1] and rank['nbod'] == 4


def test_new_bodies_are_linked_to_old_ones(tmp_path):
    """In callbacks of all ranks, and of one of them after another has made a body of its own."""
    script = """
        GRAVITY(s, (0, 0, -10))
        old, far = ball(0), ball(2)
        steps, made = [], {}
        def call():
            steps.append(s.time)
            if len(steps) == 2:
                new = BODY(s, 'RIGID', SPHERE((0, 30, 0), 1, 1, 1), m)
                other = BODY(s, 'RIGID', SPHERE((0, 40, 0), 1, 1, 1), m)
                made['both'] = PUT_RIGID_LINK(new, old, new.center, old.center)
                made['new'] = PUT_RIGID_LINK(new, other, new.center, other.center)
            if len(steps) == 4 and RANK() == NCPU() - 1:
                alone = BODY(s, 'RIGID', SPHERE((0, 50, 0), 1, 1, 1), m)
                made['last'] = FIX_POINT(alone, alone.center)
            if len(steps) == 4 and RANK() == 0 and NCPU() > 1:
                alone = BODY(s, 'RIGID', SPHERE((0, 60, 0), 1, 1, 1), m)
                DELETE(s, FIX_POINT(alone, alone.center))
        CALLBACK(s, s.step / 2, (), call)
        run(10)
        made.pop('last', None)  # known where it was made
        names = {name: joint.kind for name, joint in made.items() if HERE(s, joint)}
        reactions = [joint.R for joint in s.constraints if joint.kind == 'FIXPNT']
        tell(names=names, ncon=s.ncon, nbod=s.nbod, reactions=reactions)
        """
    for ranks in (1, 2, 3):
        directory = tmp_path / str(ranks)
        directory.mkdir()
        told = start(directory, ranks, script).well()
        assert merged(told, 'names') == {'both': 'RIGLNK', 'new': 'RIGLNK'}
        assert all(rank['ncon'] == 3 and rank['nbod'] == (5 if ranks == 1 else 6) for rank in told)
        reactions = [R for rank in told for R in rank['reactions']]
        assert len(reactions) == 1 and reactions[0][2] == pytest.approx(1000 * 4 / 3 * math.pi * 10, rel=1E-3)


def test_links_keep_the_points_as_they_are(tmp_path):
    """Points that have met are joined, and points that have parted are not, though no rank knows both bodies."""
    script = """
        def at(x, y):
            return BODY(s, 'RIGID', SPHERE((x, y, 0), 1, 1, 1), m)
        bodies = [at(-20, 0), at(20, 0), at(-1, 5), at(1, 5)]
        CONTACT_EXCLUDE_BODIES(bodies[2], bodies[3])
        CONTACT_EXCLUDE_BODIES(bodies[0], bodies[1])
        for body, speed in zip(bodies[:2], (1000, -1000)):  # they meet at x = 0 in 19 steps
            INITIAL_VELOCITY(body, (speed, 0, 0), (0, 0, 0))
        INITIAL_VELOCITY(bodies[3], (2000, 0, 0), (0, 0, 0))
        joints, apart, counted = [], [], []
        def call():
            counted.append(1)
            if len(counted) != 19:
                return
            for body, speed in zip(bodies, (0, 1, 0, 1)):
                INITIAL_VELOCITY(body, (0, 0, speed), (0, 0, 0))
            apart.append(not any(HERE(s, a) and HERE(s, b) for a, b in (bodies[:2], bodies[2:])))
            joints.append(PUT_RIGID_LINK(bodies[0], bodies[1], (-19, 0, 0), (19, 0, 0)))
            joints.append(PUT_RIGID_LINK(bodies[2], bodies[3], (0, 5, 0), (0, 5, 0)))
        CALLBACK(s, s.step / 2, (), call)
        OUTPUT(s, 0)
        solver = GAUSS_SEIDEL_SOLVER(1E-6, 1000, 1E-20)
        run(60)
        tell(kinds=[j.kind for j in joints if HERE(s, j)], apart=apart,
             states={b.id: b.conf[9:] + b.velo for b in bodies if HERE(s, b)})
        """
    wanted, rows = {}, []
    for ranks in (1, 2, 4):
        directory = tmp_path / str(ranks)
        directory.mkdir()
        told = start(directory, ranks, script).well()
        assert ranks != 2 or all(rank['apart'] == [True] for rank in told)  # no rank knows both
        assert sorted(kind for rank in told for kind in rank['kinds']) == ['FIXPNT', 'RIGLNK']
        states = merged(told, 'states')
        wanted = wanted or states
        for body, state in states.items():
            assert state == pytest.approx(wanted[body], abs=1E-6)
        # The frame of the callback, too, has them.
        rows.append([])
        for path in sorted(directory.glob('out/out.frames-*.h5')):
            with h5py.File(path) as file:
                if 'constraint' in file:
                    rows[-1] += [numpy.hstack([file['constraint/' + name][:].reshape(-1, width)
                                               for name, width in (('kind', 1), ('normal', 3), ('arm', 3))])]
        assert len(numpy.vstack(rows[-1])) == 2 * 42
        assert numpy.vstack(rows[-1]) == pytest.approx(numpy.vstack(rows[0]), abs=1E-6)


def test_failing_step_leaves_joints_as_they_were(tmp_path):
    """A step fails on all ranks (a penetration on one of them), and the run goes on with a shorter one."""
    script = ROWS + """
WARNINGS('OFF')  # of the overlap
fall = BODY(s, 'RIGID', SPHERE((0, 20, 0.1), 0.1, 1, 1), m)
BODY(s, 'OBSTACLE', SPHERE((0, 20, -0.4), 0.1, 1, 1), m)
INITIAL_VELOCITY(fall, (0, 0, -20), (0, 0, 0))
UNPHYSICAL_PENETRATION(s, 1E-3)
failed = False
for attempt in range(3):
    try:
        RUN(s, solver, 0.05)
        break
    except RuntimeError as error:
        failed = True
        assert 'unphysical penetration' in str(error)
        UNPHYSICAL_PENETRATION(s, 1)
tell(states=states(), ncon=s.ncon, failed=failed, joints=[HERE(s, j) for j in joints])
"""
    wanted = None
    for ranks in (1, 3):
        directory = tmp_path / str(ranks)
        directory.mkdir()
        told = start_model(directory, ranks, script).well()
        assert all(rank['failed'] for rank in told)
        # The obstacle's motion has no row.
        assert [sum(column) for column in zip(*(rank['joints'] for rank in told))] == [1] * 27
        states = merged(told, 'states')
        wanted = wanted or states
        for body, conf in states.items():
            assert conf == pytest.approx(wanted[body], abs=1E-6)


def test_initial_state(tmp_path):
    """An obstacle goes on with its prescribed velocity, and points are held where they are then."""
    script = """
        floor = BODY(s, 'OBSTACLE', SPHERE((0, 50, 0), 1, 1, 1), m)
        SET_VELOCITY(floor, (0, 50, 0), (1, 0, 0), 2)
        bodies = [ball(0), ball(2), ball(4)]
        second = len(sys.argv) > 1
        if second:
            SET_VELOCITY(bodies[0], (0, 0, 0), (0, 0, 1), 3)
            INITIALIZE_STATE(s, 'first/out', 1)
            FIX_DIRECTION(bodies[1], bodies[1].center, (1, 0, 0), bodies[2], bodies[2].center)
        else:
            for k, b in enumerate(bodies):
                INITIAL_VELOCITY(b, (k, 0, 3), (0, 0, 0))
        run(10)
        tell(floor=DISPLACEMENT(floor, (0, 50, 0)), speed=VELOCITY(floor, (0, 50, 0)),
             places={b.id: b.conf[9:] for b in bodies if HERE(s, b)})
        """
    for ranks in (1, 3):
        directory = tmp_path / str(ranks)
        directory.mkdir()
        (directory / 'first').mkdir()
        start(directory / 'first', ranks, script).well()
        told = start(directory, ranks, script, 'second').well()
        places = merged(told, 'places')
        for rank in told:
            assert rank['floor'] == pytest.approx([0.04, 0, 0], abs=1E-9) and rank['speed'][0] == pytest.approx(2)
        ids = sorted(places, key=int)
        assert places[ids[0]][2] == pytest.approx(0.06, abs=1E-9)
        # speeds of 1 and 2 m/s become one
        assert places[ids[2]][0] - places[ids[1]][0] == pytest.approx(20 + 0.01, abs=2E-3)
