"""Supports of finite elements on ranks: clamped blocks that touch each other, one of them shaken, one with a link."""

import pytest
from models import BEGINNING, assert_goes_on, assert_motion_of_one_rank, assert_same_rows, merged, start_model

RANKS = (1, 2)

BLOCKS = BEGINNING + """\
s = SOLFEC('DYNAMIC', 1E-3, 'out')
s.verbose, s.contact_points = 'OFF', 'ONE'
OUTPUT(s, 0.002)
IMBALANCE_TOLERANCE(s, 1.05)
GRAVITY(s, (0, 0, -10))
m = BULK_MATERIAL(s, young=1E6, poisson=0.3, density=1000)
SURFACE_MATERIAL(s, friction=0.3)
solver = GAUSS_SEIDEL_SOLVER(float(tolerance), 5000, {'1E-12': 1E-12, '1E-6': 1E-6}.get(tolerance, 1))
bodies, held = [], []
for n in range(6):
    x = 0.0999 * n
    block = HEX(corners(x, 0, 0, .1, .1, .1), 2, 2, 2, 1, [1, 2, 3, 4, 5, 6])
    bodies.append(BODY(s, 'FINITE_ELEMENT', block, m, form=('TL', 'BC')[n % 2]))
    bodies[-1].scheme, bodies[-1].damping = 'DEF_IMP' if n == 2 else 'DEF_LIM2', s.step
    if n == 3:
        for p in ((x, 0, 0), (x + .1, 0, 0), (x, .1, 0), (x + .1, .1, 0)):
            series = TIME_SERIES([0, 0, 0.003, 1E-4, 0.006, 0, 1, 0])
            held.append(SET_DISPLACEMENT3(bodies[-1], p, (1, 0, 0, 0, 1, 0, 0, 0, 1), (0, series, 0)))
    elif n != 5:
        held += FIX_SURFACE(bodies[-1], 1)
    if n == 4:
        held += FIX_SURFACE(bodies[-1], 6, [(0, 1, 0)])
weight = BODY(s, 'RIGID', SPHERE((0.05, 0.05, 0.3), 0.04, 1, 1), m)
PUT_RIGID_LINK(bodies[0], weight, (0.03, 0.05, 0.1), (0.05, 0.05, 0.3))
bodies.append(weight)
"""


def test_local_dynamics_are_the_same_to_the_last_bit(tmp_path):
    assert_same_rows(BLOCKS, RANKS, tmp_path, 5, 10, '1E-1')


def test_motion_and_reactions_are_those_of_one_rank(tmp_path):
    script = BLOCKS + """
RUN(s, solver, 0.006)
reactions = {str(k): con.R for k, con in enumerate(held) if con.R is not None}
tell(states=states(), ncon=s.ncon, reactions=reactions, energy=ENERGY(s))
"""
    all_told = assert_motion_of_one_rank(script, RANKS, tmp_path, bodies=7, constraints=9 * 4 + 4 + 9)
    one = merged(all_told[0], 'reactions')
    assert len(one) == 9 * 4 + 4 + 9
    most = max(abs(v) for R in one.values() for v in R)
    for told in all_told[1:]:
        for name, R in merged(told, 'reactions').items():
            assert R == pytest.approx(one[name], abs=1E-6 * most)
        assert all(rank['energy'] == pytest.approx(all_told[0][0]['energy'], abs=1E-7) for rank in told)


@pytest.mark.parametrize('ranks, others', ((1, (2,)), (2, (2, 1))))
def test_goes_on(ranks, others, tmp_path):
    assert_goes_on(BLOCKS, ranks, others, tmp_path, 0.004, 0.002)


def test_after_a_run_all_ranks_get_the_list(tmp_path):
    script = BLOCKS + """
RUN(s, solver, 0.002)
more = FIX_SURFACE(bodies[5], 1)
RUN(s, solver, 0.002)
tell(held=sum(con.R is not None for con in more), count=len(more), ncon=s.ncon)
"""
    told = start_model(tmp_path, 2, script, '1E-6').well()
    assert all(rank['count'] == 9 and rank['ncon'] >= 9 * 5 + 4 + 9 for rank in told)
    assert sum(rank['held'] for rank in told) == 9, 'reactions are known where the body is'
