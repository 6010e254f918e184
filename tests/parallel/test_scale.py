"""What a rank holds and sends: its share of the model, and a number of messages that its neighbours bound."""

import pytest
from ranks import start

BED = """
import resource
def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before = memory()
GRAVITY(s, (1, 2, -10))
SURFACE_MATERIAL(s, friction=0.5)
corners = [c for i in range(8) for c in (-9 + 300 * (i & 1), -9 + 300 * (i >> 1 & 1), -10 + 9 * (i >> 2))]
floor = BODY(s, 'OBSTACLE', HULL(corners, 1, 1), m)
for i in range(%(side)d):
    for j in range(%(side)d):
        BODY(s, 'RIGID', SPHERE((2 * i, 2 * j, 0), 1.0005, 1, 1), m)
made = memory()
solver = GAUSS_SEIDEL_SOLVER(1E-30, %(sweeps)d, 1E-30, diagepsilon=1E-6)
"""


def test_a_rank_holds_its_share(tmp_path):
    """Largest growth of memory over the ranks, in MB: from the script alone, and with two steps."""
    grown = {}
    for ranks in (1, 4):
        told = start(tmp_path, ranks, BED % {'side': 140, 'sweeps': 1}
                     + 'run(2)\ntell(made=made - before, run=memory() - before)\n', '-w').well()
        grown[ranks] = {what: max(one[what] for one in told) for what in ('made', 'run')}
    assert grown[1]['made'] > 20 and grown[1]['run'] > 100, grown
    assert grown[4]['made'] < 0.35 * grown[1]['made'] and grown[4]['run'] < 0.5 * grown[1]['run'], grown


PILE = """
import resource
def memory():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = memory()
GRAVITY(s, (0, 0, -10))
SURFACE_MATERIAL(s, friction=0.3)
side, layers = 70, 4
corners = [c for i in range(8) for c in (-9 + 90 * (i & 1), -9 + 90 * (i >> 1 & 1), -10 + 10 * (i >> 2))]
floor = BODY(s, 'OBSTACLE', HULL(corners, 1, 1), m)
for k in range(layers):
    for j in range(side):
        for i in range(side):
            x, y = 1.02 * i + 0.51 * (k % 2), 1.02 * j + 0.51 * (k % 2)
            BODY(s, 'RIGID', SPHERE((x, y, 0.4995 + 0.692 * k), 0.5, 1, 1), m)
made = memory()
solver = GAUSS_SEIDEL_SOLVER(1E-30, 5, 1E-30)
run(5)
count = side * side * layers
tell(made=(made - before) / count, run=(memory() - before) / count, contacts=s.ncon / count)
"""


def test_bytes_of_a_settling_ball(tmp_path):
    """Memory per ball of a bed, from the script alone, and with steps and frames."""
    [told] = start(tmp_path, 1, PILE, '-w').well()
    assert 2 < told['contacts'] < 4, told
    assert told['made'] < 1450 and told['run'] < 11500, told  # with 30 MB that do not grow with the bed


@pytest.mark.parametrize('ranks', [2, 4])
def test_messages_are_bounded_by_neighbours(ranks, tmp_path):
    """A neighbour gets a message per sweep and a few per step, and sharing is not with everybody."""
    sweeps, steps = 20, 5
    told = start(tmp_path, ranks, BED % {'side': 20, 'sweeps': sweeps} + f"""
IMBALANCE_TOLERANCE(s, 100)
run(2)
moments = []
CALLBACK(s, 0.5 * s.step, None, lambda: moments.append(s.traffic) or 1)
run({steps})
tell(sent=[(b - a) / ({steps} - 1) for a, b in zip(moments[0], moments[-1])])
""", '-w').well()
    for one in told:
        messages, size, collectives = one['sent']
        neighbours = ranks - 1
        assert sweeps <= messages <= neighbours * (sweeps + 8), told
        assert 0 < size < neighbours * (24 * sweeps + 1000) * 50, told  # 20 bodies on a side, 2 contacts each
        assert sweeps <= collectives <= sweeps + 20, told
