"""Bodies of convexes in background meshes on ranks: rows of cubes that fall, touch and are joined."""

import pytest
from models import BEGINNING, assert_goes_on, assert_motion_of_one_rank, assert_same_rows

RANKS = (1, 2, 3)

CUBES = BEGINNING + """\
s = SOLFEC('DYNAMIC', 5E-4, 'out')
s.verbose, s.contact_points = 'OFF', 'MANY'
OUTPUT(s, 0.005)
IMBALANCE_TOLERANCE(s, 1.05)
GRAVITY(s, (0, 0, -10))
m = BULK_MATERIAL(s, young=1E6, poisson=0.3, density=1000)
SURFACE_MATERIAL(s, friction=0.3)
solver = GAUSS_SEIDEL_SOLVER(float(tolerance), 5000, {'1E-12': 1E-10, '1E-6': 1E-6}.get(tolerance, 1))
BODY(s, 'OBSTACLE', HULL(corners(-9, -9, -1, 18, 18, 1), 1, 1), m)
bodies = []
for row in range(4):
    for n in range(3):
        x, y, z = 0.0999 * row, 0.3 * n + 0.01 * row, 0.03 * (row % 2) - 1E-5
        halves = [HULL(corners(x, y, z, .1, .06, .1), 1, 1), HULL(corners(x, y + .06, z, .1, .04, .1), 1, 1)]
        around = HEX(corners(x - .01, y - .02, z, .13, .15, .11), 2, 2, 1 + n, 1, [1] * 6)
        bodies.append(BODY(s, 'FINITE_ELEMENT', halves, m, form=('TL', 'BC')[row % 2], mesh=around))
        bodies[-1].scheme, bodies[-1].damping = 'DEF_LIM', s.step
        INITIAL_VELOCITY(bodies[-1], (0.5 * n - 0.5, 0.3 * row - 0.5, 0), (row, n, 0))
joints = []
for row in range(1, 4):
    one, two = bodies[3 * row - 3], bodies[3 * row]
    between = [(a + b) / 2 for a, b in zip(one.center, two.center)]
    nearest = lambda body: [min(max(v, c - 0.04), c + 0.04) for v, c in zip(between, body.center)]
    joints.append(PUT_RIGID_LINK(one, two, nearest(one), nearest(two)))
"""


def test_local_dynamics_are_the_same_to_the_last_bit(tmp_path):
    assert_same_rows(CUBES, RANKS, tmp_path, 15, 50, '1E-1')


def test_motion_is_that_of_one_rank(tmp_path):
    script = CUBES + 'RUN(s, solver, 0.01)\ntell(states=states(), ncon=s.ncon)\n'
    assert_motion_of_one_rank(script, RANKS, tmp_path, bodies=12, constraints=15)


@pytest.mark.parametrize('ranks, others', ((2, (2, 3, 1)),))
def test_goes_on(ranks, others, tmp_path):
    """On as many ranks to the last bit, on others within the solver's tolerance."""
    assert_goes_on(CUBES, ranks, others, tmp_path, 0.01, 0.005)
