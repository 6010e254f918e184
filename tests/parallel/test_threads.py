"""Threads of each of several ranks."""

from ranks import start

# Balls in layers above each other's gaps: more than 2,000 contacts on each of two ranks, whose sweeps are in blocks.
BED = """\
GRAVITY(s, (0, 0, -10))
IMBALANCE_TOLERANCE(s, 1.01)
BODY(s, 'OBSTACLE', HULL([c for i in range(8) for c in (-1 + 9 * (i & 1), -1 + 9 * (i >> 1 & 1), (i >> 2) - 1)], 1, 1),
     m)
def center(i, j, k):
    return 0.3 * i + 0.15 * (k % 2), 0.3 * j + 0.15 * (k % 2), 0.15 + 0.212 * k
balls = [BODY(s, 'RIGID', SPHERE(center(i, j, k), 0.15, 1, 1), m)
         for k in range(8) for j in range(14) for i in range(20)]
RUN(s, GAUSS_SEIDEL_SOLVER(1E-3, 20, 1E-6), 4 * s.step)
tell(contacts=s.ncon, states=[(b.id, b.conf, b.velo) for b in balls if HERE(s, b)])
"""


def test_runs_are_those_of_one_thread(tmp_path):
    told = [start(tmp_path, 2, BED, '-w', '-j', str(threads)).well() for threads in (1, 2)]
    assert told[0] == told[1]
    assert sum(rank['contacts'] for rank in told[0]) > 5000 and all(rank['states'] for rank in told[0])
