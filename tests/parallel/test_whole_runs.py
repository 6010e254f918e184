"""Whole runs of a drum whose grains move from rank to rank."""

import pathlib
import sys

import numpy
import pytest
from models import DRUM, start_model

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'python' / 'solfec'))
from results import Results  # noqa: E402

RANKS = (1, 2, 3, 4)

# Every hundredth of a second each rank tells which grains it has; in READ mode what the results hold.
SCRIPT = DRUM + """
where = []
def look():
    where.append([b.id for b in grains if HERE(s, b)])
    return 1
CALLBACK(s, 0.01, None, look)
RUN(s, solver, steps * s.step)
if s.mode == 'WRITE':
    tell(where=where)
    sys.exit(0)

one, other = grains[7], grains[30]
items = [(b, b.center, entity) for b in (one, other, drum) for entity in ('DX', 'DZ', 'VX', 'SX', 'MISES')]
items += [(x, kind) for x in (s, one, [one, other])
          for kind in ('KINETIC', 'INTERNAL', 'EXTERNAL', 'CONTACT', 'FRICTION')]
items += [(x, kind) for x in (s, drum, other) for kind in ('GAP', 'R', 'U', 'CR', 'CU')]
items += [(s, (0, 0, 1), None, 'R'), (s, None, (1, 1), 'R'), 'CONS', 'BODS', 'NEWBODS', 'STEP', 'GSITERS']
frames = {}
for time in (0.1, 0.25, 0.4, steps * s.step):
    SEEK(s, time)
    bodies = {b.id: (b.conf, b.velo, ENERGY(s, b), DISPLACEMENT(b, b.center), VELOCITY(b, (0, 0, 0)),
                     STRESS(b, b.center))
              for b in grains if HERE(s, b)}
    contacts = sorted((c.point, c.R, c.U, c.V, c.base, c.gap, c.area, sorted(b.id for b in c.adjbod))
                      for c in s.constraints)
    frames[time] = (s.time, s.nbod, s.ncon, ENERGY(s)), bodies, contacts
tell(histories=HISTORY(s, items, 0, steps * s.step), frames=frames)
"""


@pytest.fixture(scope='module')
def drums(tmp_path_factory):
    """Results directories of the drum with the penalty solver, by number of ranks, and what the ranks told."""
    result = {}
    for ranks in RANKS:
        directory = tmp_path_factory.mktemp(f'drum{ranks}')
        result[ranks] = directory, start_model(directory, ranks, SCRIPT).well()
    return result


@pytest.mark.parametrize('ranks', RANKS[1:])
def test_grains_move_from_rank_to_rank(ranks, drums):
    """Otherwise the tests below would show little."""
    looks = zip(*[told['where'] for told in drums[ranks][1]])
    owners = [{grain: rank for rank, here in enumerate(look) for grain in here} for look in looks]
    assert len(owners) >= 50 and all(len(owner) == 48 for owner in owners)
    moved = {grain for before, after in zip(owners, owners[1:]) for grain in before if before[grain] != after[grain]}
    assert len(moved) >= 16
    assert all(len(set(owner.values())) == ranks for owner in owners), 'each rank has some all the time'


def test_states_are_the_same_on_any_number_of_ranks(drums):
    """To the last bit, in all frames; merits are sums over ranks, and equal up to round-off."""
    wanted = Results(str(drums[1][0] / 'out'))
    columns = ['body/q', 'body/u', 'body/energy', 'frame/time', 'frame/energy', 'frame/constraints', 'frame/number',
               *('constraint/' + name for name in wanted.frame(-1).contacts if name != 'merit')]
    assert len(wanted) == 51 and wanted.column('frame/constraints')[-1] > 60
    for ranks in RANKS[1:]:
        found = Results(str(drums[ranks][0] / 'out'))
        for name in columns:
            assert numpy.array_equal(found.column(name), wanted.column(name)), (name, ranks)
        for name in ('constraint/merit', 'frame/merit'):
            numpy.testing.assert_allclose(found.column(name), wanted.column(name), rtol=1E-9, atol=1E-15)


def test_results_read_the_same_whoever_wrote_them(drums):
    wanted = start_model(drums[1][0], 'serial', SCRIPT).well()[0]
    assert len(wanted['frames']) == 4 and all(len(bodies) == 48 for _, bodies, _ in wanted['frames'].values())
    history = wanted['histories']
    assert len(history[0]) == 51 and all(any(values) for values in history[1:3])
    for ranks in RANKS[1:]:
        assert start_model(drums[ranks][0], 'serial', SCRIPT).well()[0] == wanted, ranks
    # And whoever reads them: states where bodies are, histories and sums on every rank.
    told = start_model(drums[2][0], 3, SCRIPT).well()
    for one in told:
        assert one['histories'] == history
    for time, (sums, bodies, contacts) in wanted['frames'].items():
        parts = [one['frames'][time] for one in told]
        assert all(part[0] == sums for part in parts)
        assert {**parts[0][1], **parts[1][1], **parts[2][1]} == bodies and sum(len(part[1]) for part in parts) == 48
        assert sorted(sum([part[2] for part in parts], [])) == contacts


def averages(directory, ranks, disturbance):
    """Over the second half of a run with Gauss-Seidel: kinetic and potential energy [J], contacts, mean penetration
    [m]."""
    directory.mkdir()
    start_model(directory, ranks, SCRIPT, '1E-4', '400', str(disturbance)).well()
    results = Results(str(directory / 'out'))
    frames = [results.frame(k) for k in range(len(results) // 2, len(results))]
    heights = [sum(10 * b.definition.mass * b.center[2] for b in f.bodies if b.kind != 'OBSTACLE') for f in frames]
    return (results.column('frame/energy').reshape(-1, 5)[len(results) // 2:, 0].mean(), numpy.mean(heights),
            numpy.mean([len(f.contacts['gap']) for f in frames]),
            numpy.mean([numpy.maximum(0, -f.contacts['gap']).mean() for f in frames]))


def test_averages_of_a_chaotic_run(tmp_path):
    """Grains go other ways as soon as an iteration ends elsewhere, so single states cannot be compared. Runs on one
    rank whose first positions differ by less than a thousandth of a grain show how far averages are apart for that
    reason alone; on several ranks they must not be further from the middle of those than three times their range."""
    alone = numpy.array([averages(tmp_path / f'alone{k}', 1, 1E-5 * k) for k in range(5)])
    low, high = alone.min(axis=0), alone.max(axis=0)
    assert (high > low).all()
    for ranks in RANKS[1:]:
        found = averages(tmp_path / f'ranks{ranks}', ranks, 0)
        assert (abs(found - (low + high) / 2) <= 3 * (high - low)).all(), (found, low, high)
