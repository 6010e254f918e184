"""INDETERMINACY on ranks, judged by dense matrices of what all ranks tell together. Reactions that are not determined
depend on the number of ranks, and so may states of contacts: each answer is judged by its own reactions."""

import pathlib
import sys

import pytest
from ranks import HEAD, PROGRAM, start

sys.path.append(str(pathlib.Path(PROGRAM).parents[1] / 'python' / 'solfec'))
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
from equilibrium_judge import Judge  # noqa: E402
from results import Results  # noqa: E402

FRICTION = 0.4
PILE = HEAD.replace("SURFACE_MATERIAL(s, label='skin')", f'SURFACE_MATERIAL(s, friction={FRICTION})') + """
import random
GRAVITY(s, (0, 0, -10))
solver = GAUSS_SEIDEL_SOLVER(1E-6, 300, 1E-12)
def box(low, size):
    return HULL([c + d * (i >> k & 1) for i in range(8) for k, (c, d) in enumerate(zip(low, size))], 1, 1)
BODY(s, 'OBSTACLE', box((-20, -20, -1), (40, 40, 1)), m)
chance, top = random.Random(3), {}  # of columns of bodies on each other
for k in range(N):
    column = x, y = 0.9 * (k % 4), 0.9 * (k // 4 % 4)
    r = chance.uniform(0.38, 0.45)
    z = top.get(column, 0) + r
    top[column] = z + r
    shape = box((x - r, y - r, z - r), (2 * r, 2 * r, 2 * r)) if k % 3 == 0 else SPHERE((x, y, z), r, 1, 1)
    body = BODY(s, 'RIGID', shape, m)
    if k == 7:
        FIX_POINT(body, (x, y, z))
for k in range(3):  # clusters of their own
    BODY(s, 'RIGID', box((-10 + 3 * k, 0, 0), (1, 1, 1)), m)
"""
TELL = """
found = INDETERMINACY(s)
def bodies(c):
    adjacent = c.adjbod if isinstance(c.adjbod, tuple) else (c.adjbod,)
    return [None if body.kind == 'OBSTACLE' else body.id for body in adjacent]
reactions = found.pop('reactions')
tell(found=found, constraints=[(r['constraint'].kind, r['constraint'].R, r['constraint'].base, r['constraint'].point,
                                bodies(r['constraint']), (r['normal'], r['tangent']), r['cluster'])
                               for r in reactions])
"""


def judged(told):
    """What all ranks tell alike, and the number of constraints."""
    found = told[0]['found']
    assert all(rank['found'] == found for rank in told)
    constraints = [c for rank in told for c in rank['constraints']]
    judge = Judge([c[:5] for c in constraints], FRICTION)
    assert (found['components'], found['degree']) == (judge.components, judge.degree)
    assert [tuple(c[5]) for c in constraints] == judge.parts()
    for number, cluster in enumerate(found['clusters']):
        assert sum(c[6] == number for c in constraints) == cluster['constraints']
    return found, len(constraints)


@pytest.mark.parametrize('ranks', ['serial', 1, 2, 3])
@pytest.mark.parametrize('bodies', [40, 128])
def test_pile(ranks, bodies, tmp_path):
    found, constraints = judged(start(tmp_path, ranks, 'run(10)\n' + TELL,
                                      head=PILE.replace('range(N)', f'range({bodies})')).well())
    assert constraints > bodies and found['degree'] >= 3 * 6
    assert len(found['clusters']) >= 4


def test_same_on_any_number_of_ranks(tmp_path):
    """Stacks in which all contacts press and none slides, on any number of ranks."""
    script = """
        GRAVITY(s, (0, 0, -10))
        SURFACE_MATERIAL(s, friction=0.5)
        def box(low, size):
            return HULL([c + d * (i >> k & 1) for i in range(8) for k, (c, d) in enumerate(zip(low, size))], 1, 1)
        BODY(s, 'OBSTACLE', box((-20, -20, -1), (40, 40, 1)), m)
        for x in range(-12, 12, 3):
            for z in range(4):
                BODY(s, 'RIGID', box((x, 0, z), (1, 1, 1)), m)
        run(3)
        found = INDETERMINACY(s)
        tell(reactions=sorted((r['constraint'].point, r['normal'], r['tangent'], r['cluster'])
                              for r in found.pop('reactions')), found=found)
        """
    answers = []
    for ranks in (1, 2, 3):
        directory = tmp_path / str(ranks)
        directory.mkdir()
        told = start(directory, ranks, script).well()
        assert all(rank['found'] == told[0]['found'] for rank in told)
        reactions = sorted(([round(x, 6) for x in point], *rest) for rank in told for point, *rest in rank['reactions'])
        answers.append((told[0]['found'], reactions))
    assert [c['degree'] for c in answers[0][0]['clusters']] == [24] * 8
    assert len(answers[0][1]) == 8 * 4 * 4
    assert answers[1] == answers[0] and answers[2] == answers[0]


def test_frames(tmp_path):
    """Ranks note it down where constraints live; results say the same."""
    script = """
        GRAVITY(s, (0, 0, -10))
        def box(low, size):
            return HULL([c + d * (i >> k & 1) for i in range(8) for k, (c, d) in enumerate(zip(low, size))], 1, 1)
        BODY(s, 'OBSTACLE', box((-20, -20, -1), (40, 40, 1)), m)
        for x in range(-12, 12, 3):
            BODY(s, 'RIGID', box((x, 0, 0), (1, 1, 1)), m)
        OUTPUT(s, 0, determinacy='ON')
        run(3)
        """
    start(tmp_path, 2, script).well()
    column = Results(tmp_path / 'out').column('constraint/determinacy')
    assert len(column) == 3 * 8 * 4 and set(column) == {4}


def test_ranks_that_part(tmp_path):
    done = start(tmp_path, 2, "ball(0); run(); INDETERMINACY(s) if RANK() == 0 else BARRIER()")
    assert done.code != 0 and 'is at INDETERMINACY' in done.err
