"""Contacts that are known before bodies touch (SOLFEC.contact_correction = 'AHEAD'), between bodies of different
ranks."""

import pytest
from models import BEGINNING, assert_goes_on, assert_motion_of_one_rank

RANKS = (1, 2, 3)

# Balls that fly through each other's regions, by several of their sizes in a step, and rebound.
SHOTS = BEGINNING + """\
s = SOLFEC('DYNAMIC', 1E-2, 'out')
s.verbose, s.contact_correction = 'OFF', 'AHEAD'
WARNINGS('OFF')  # bodies that hit each other hit others in the same step
OUTPUT(s, 0.1)
IMBALANCE_TOLERANCE(s, 1.01)
m = BULK_MATERIAL(s, density=1000)
SURFACE_MATERIAL(s, friction=0.3, restitution=0.5)
solver = GAUSS_SEIDEL_SOLVER(1E-14, 10000, 1E-24)
BODY(s, 'OBSTACLE', HULL(corners(-30, -30, -1, 60, 60, 1), 1, 1), m)
bodies = []
for n in range(16):
    center = (2.5 * (n % 4), 2.5 * (n // 4), 1 + 1.7 * (n % 3))
    bodies.append(BODY(s, 'RIGID', SPHERE(center, 0.3, 1, 1) if n % 2 else HULL(corners(*center, .5, .5, .5), 1, 1), m))
    INITIAL_VELOCITY(bodies[-1], (40 * (1 if n % 4 < 2 else -1), 7 * (n % 3 - 1), -25 - n), (0, 0, 0))
"""


def test_shots_are_those_of_one_rank(tmp_path):
    script = SHOTS + "RUN(s, solver, 0.3)\ntell(states=states(), ncon=s.ncon)\n"
    assert_motion_of_one_rank(script, RANKS, tmp_path, bodies=16, constraints=-1)


def test_goes_on(tmp_path):
    assert_goes_on(SHOTS, 2, (1, 3), tmp_path, 0.1, 0.1)


def test_ranks_without_bodies(tmp_path):
    """More ranks than bodies, and no obstacle."""
    script = BEGINNING + """\
s = SOLFEC('DYNAMIC', 1E-2, 'out')
s.verbose, s.contact_correction = 'OFF', 'AHEAD'
m = BULK_MATERIAL(s, density=1000)
SURFACE_MATERIAL(s, restitution=1)
bodies = [BODY(s, 'RIGID', SPHERE((2.1 * n, 0, 0), 0.5, 1, 1), m) for n in range(2)]
INITIAL_VELOCITY(bodies[0], (20, 0, 0), (0, 0, 0))
RUN(s, GAUSS_SEIDEL_SOLVER(1E-14, 100, 1E-24), 0.1)
tell(states=states(), ncon=s.ncon, speed=[b.velo[3] for b in bodies[1:] if HERE(s, b)])
"""
    for told in assert_motion_of_one_rank(script, (1, 2, 3, 4), tmp_path, bodies=2, constraints=-1):
        assert sum((rank['speed'] for rank in told), []) == [pytest.approx(20)]
