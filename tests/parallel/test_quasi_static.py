"""A wall of bricks of all kinds, pushed by a plate, in quasi-static steps on ranks."""

import pytest
from models import BEGINNING, assert_goes_on, assert_motion_of_one_rank, assert_same_rows

RANKS = (1, 2, 4)

WALL = BEGINNING + """\
s = SOLFEC('QUASI_STATIC', 1E-2, 'out')
s.verbose, s.contact_points = 'OFF', 'MANY'
OUTPUT(s, 0.05)
IMBALANCE_TOLERANCE(s, 1.05)
GRAVITY(s, (0, 0, -10))
m = BULK_MATERIAL(s, young=1E7, poisson=0.2, density=1000)
SURFACE_MATERIAL(s, friction=0.4)
solver = GAUSS_SEIDEL_SOLVER(1E-11, 5000, 1E-18)
BODY(s, 'OBSTACLE', HULL(corners(-9, -9, -1, 18, 18, 1), 1, 1), m)
plate = BODY(s, 'OBSTACLE', HULL(corners(-0.3, -0.1, 0.02, 0.29, 0.4, 0.16), 1, 1), m)
SET_VELOCITY(plate, plate.center, (1, 0, 0), 0.05)
bodies = []
for row in range(3):
    for n in range(3):
        brick = corners(0.41 * n + 0.2 * (row % 2), 0, 0.2 * row - 1E-5 * (row + 1), 0.4, 0.2, 0.2)
        kind = ('RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT')[(row + n) % 3]
        shape = HEX(brick, 2, 1, 1, 1, [1] * 6) if kind == 'FINITE_ELEMENT' else HULL(brick, 1, 1)
        bodies.append(BODY(s, kind, shape, m, form=('TL', 'BC')[n % 2]))
joints = [PUT_RIGID_LINK(bodies[0], bodies[5], bodies[0].center, bodies[5].center)]
"""


def test_local_dynamics_are_the_same_to_the_last_bit(tmp_path):
    assert_same_rows(WALL, RANKS, tmp_path, 20, 20)


@pytest.mark.parametrize('friction, tolerance', ((0, 1E-8), (0.4, 1E-4)))
def test_states_are_those_of_one_rank(friction, tolerance, tmp_path):
    """With friction the reactions of a wall are not unique, and sweeps end at their bound: rounding goes farther."""
    script = WALL.replace('friction=0.4', f'friction={friction}').replace('1E-18', '1E-14')
    script += 'RUN(s, solver, 0.3)\ntell(states=states(), ncon=s.ncon)\n'
    assert_motion_of_one_rank(script, RANKS, tmp_path, bodies=9, constraints=20, tolerance=tolerance)


def test_goes_on(tmp_path):
    assert_goes_on(WALL, 2, (2, 3), tmp_path, 0.1, 0.05, 1E-6)
