"""Joints between bodies of different ranks, near or far."""

import math
import shutil

import pytest
from models import TELL, start_model
from ranks import start

RANKS = (1, 2, 3, 4)

# Rows of balls that hang from links and swing through each other's places, some of pseudo-rigid balls; every other
# row is tied to its neighbour by a pin, and to a ball far away. Words: the solver's tolerance or 'penalty'.
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
    rows.append(balls)
pin = tuple((a + b) / 2 for a, b in zip(rows[0][0].center, rows[2][0].center))
joints.append(PUT_RIGID_LINK(rows[0][0], rows[2][0], pin, pin))
joints.append(PUT_RIGID_LINK(rows[1][3], rows[5][3], rows[1][3].center, rows[5][3].center))
joints.append(PUT_RIGID_LINK(driven, rows[3][0], driven.center, rows[3][0].center))
bodies = [ball for balls in rows for ball in balls]
def states():
    return {{ball.id: ball.conf for ball in bodies if HERE(s, ball)}}
"""


def merged(told, name):
    """What each body's owner has told, by number; every body has one owner."""
    result = {}
    for rank in told:
        assert not result.keys() & rank[name].keys()
        result.update(rank[name])
    return result


def assert_same_dumps(tmp_path, ranks):
    texts = [(tmp_path / str(n) / 'dump').read_text() for n in ranks]
    assert texts[0].count('row ') == 27 and texts[0].count('  W ') > 50
    assert all(text == texts[0] for text in texts)


def test_local_dynamics_are_the_same_to_the_last_bit(tmp_path):
    for ranks in RANKS:
        (tmp_path / str(ranks)).mkdir()
        start(tmp_path / str(ranks), ranks, "RUN(s, solver, s.step); LOCDYN_DUMP(s, 'dump')", '1E-1', head=ROWS).well()
    # U and R of Gauss-Seidel depend on the order of sweeps.
    for ranks in RANKS:
        path = tmp_path / str(ranks) / 'dump'
        path.write_text('\n'.join(line for line in path.read_text().splitlines() if line[:3] not in ('  U', '  R')))
    assert_same_dumps(tmp_path, RANKS)


@pytest.mark.parametrize('tolerance', ('1E-12', 'penalty'))
def test_motion_is_that_of_one_rank(tolerance, tmp_path):
    script = """
        RUN(s, solver, 0.2)
        tell(states=states(), ncon=s.ncon, energy=ENERGY(s, s), moved={0: driven.conf})
        """
    wanted = None
    for ranks in RANKS:
        directory = tmp_path / str(ranks)
        directory.mkdir()
        told = start_model(directory, ranks, ROWS + '\n'.join(line.strip() for line in script.splitlines()), tolerance).well()
        assert all(rank['ncon'] == 27 for rank in told)
        states = merged(told, 'states')
        assert len(states) == 24
        if wanted is None:
            wanted = states
        for body, conf in states.items():
            assert conf == pytest.approx(wanted[body], abs=1E-7 if tolerance == '1E-12' else 1E-4)


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
    assert max(rank['worst'] for rank in told) < 1E-3 and sum(rank['moves'] for rank in told) > 0


@pytest.mark.parametrize('ranks, others', ((2, (2, 3, 1)), (3, ('serial', 4))))
def test_goes_on(ranks, others, tmp_path):
    """On as many ranks to the last bit, on others within the solver's tolerance."""
    script = ROWS + """
RUN(s, solver, 0.1)
if 'half' in sys.argv:
    sys.exit(0)
RUN(s, solver, 0.05)
tell(states=states())
"""
    (tmp_path / 'whole').mkdir()
    wanted = merged(start_model(tmp_path / 'whole', ranks, script).well(), 'states')
    start_model(tmp_path, ranks, script, 'half').well()
    for other in others:
        directory = tmp_path / str(other)
        directory.mkdir()
        shutil.copytree(tmp_path / 'out', directory / 'out')
        states = merged(start_model(directory, other, script, '-c').well(), 'states')
        if other == ranks:
            assert states == wanted
        for body, conf in states.items():
            assert conf == pytest.approx(wanted[body], abs=1E-7)


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
