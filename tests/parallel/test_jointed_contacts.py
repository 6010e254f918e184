"""Bodies of different ranks that touch and are jointed."""

from models import BEGINNING, assert_motion_of_one_rank

# A chain of bars, thin and thick in turns, each hinged to the next one in the common face.
CHAIN = BEGINNING + """\
s = SOLFEC('DYNAMIC', 1E-3, 'out')
s.verbose = 'OFF'
OUTPUT(s, 1)
IMBALANCE_TOLERANCE(s, 1.01)
m = BULK_MATERIAL(s, density=1000)
SURFACE_MATERIAL(s, friction=0)
GRAVITY(s, (0, 0, -10))
bodies = []
for n in range(8):
    half = 0.07 if n % 2 else 0.05
    bodies.append(BODY(s, 'RIGID', HULL(corners(0.4 * n, -half, -half, 0.4, 2 * half, 2 * half), 1, 1), m))
    for y in (-0.05, 0.05):
        if n == 0:
            FIX_POINT(bodies[0], (0, y, 0))
        else:
            PUT_RIGID_LINK(bodies[n - 1], bodies[n], (0.4 * n, y, 0), (0.4 * n, y, 0))
RUN(s, AUTO_SOLVER(1E-14), 0.1)
tell(states=states(), ncon=s.ncon, largest=max([abs(r) for c in s.constraints for r in c.R], default=0))
"""


def test_a_chain_is_that_of_one_rank(tmp_path):
    for told in assert_motion_of_one_rank(CHAIN, (1, 2, 3), tmp_path, bodies=8, constraints=-1):
        assert sum(rank['ncon'] for rank in told) > 16, 'contacts beside joints'
        assert max(rank['largest'] for rank in told) < 1E4
