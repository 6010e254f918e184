"""Switch -c on several ranks: a run that was ended in any way goes on, on as many ranks or on others."""

import pathlib
import shutil
import sys

import numpy
import pytest
from models import DRUM, GLUED, start_model
from ranks import start

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / 'tests' / 'support'), str(ROOT / 'python' / 'solfec')]
from interrupted import FALLING, MODEL, PENALTY_MODEL, assert_same_end  # noqa: E402
from results import Results  # noqa: E402

CODES = {'kill': 128 + 9, 'exit': 9, 'stop': 9, 'interrupt': 128 + 2}


def results_in(directory):
    return Results(str(directory / 'out'))


@pytest.fixture(scope='module')
def whole(tmp_path_factory):
    """Makes the results of runs that were not interrupted, once per model and number of ranks."""
    known = {}

    def run(model, ranks, *words):
        key = (model, ranks, words)
        if key not in known:
            directory = tmp_path_factory.mktemp('whole')
            start_model(directory, ranks, model, *words).well()
            known[key] = results_in(directory)
        return known[key]
    return run


# At moments in each of the three long RUNs, between two of them, and within the first step.
@pytest.mark.parametrize('ranks, how, when', [
    (2, 'kill', 0.001), (3, 'exit', 0.021), (2, 'stop', 0.061), (4, 'kill', 0.09), (3, 'stop', 0.12),
    (2, 'exit', 0.1205),
    (3, 'interrupt', 0.15)])
def test_ends_as_if_never_interrupted(ranks, how, when, tmp_path, whole):
    model = FALLING + MODEL
    wanted = whole(model, ranks)
    assert max(wanted.column('frame/bonds')) > 0 and len(wanted.frame(0).bodies) < len(wanted.frame(-1).bodies)
    assert start_model(tmp_path, ranks, model, how, str(when)).code == CODES[how]
    start_model(tmp_path, ranks, model, '-c').well()
    assert_same_end(results_in(tmp_path), wanted)


@pytest.mark.parametrize('ranks, others, how, when', [
    (2, 1, 'kill', 0.09), (1, 3, 'exit', 0.061), (3, 2, 'stop', 0.1), (4, 'serial', 'kill', 0.1205)])
def test_goes_on_on_other_ranks(ranks, others, how, when, tmp_path, whole):
    model = FALLING + PENALTY_MODEL
    wanted = whole(model, 1)
    assert max(wanted.column('frame/constraints')) > 2
    assert start_model(tmp_path, ranks, model, how, str(when)).code == CODES[how]
    start_model(tmp_path, others, model, '-c').well()
    assert_same_end(results_in(tmp_path), wanted, ranks_differ=True)


def test_interrupted_again_and_again(tmp_path, whole):
    """On other ranks each time."""
    model = FALLING + PENALTY_MODEL
    for ranks, when in ((3, 0.05), (1, 0.075), (4, 0.13), (2, 0.1604)):
        assert start_model(tmp_path, ranks, model, '-c', 'kill', str(when)).code == CODES['kill']
    start_model(tmp_path, 'serial', model, '-c').well()
    assert_same_end(results_in(tmp_path), whole(model, 1), ranks_differ=True)


# The script ends between two RUNs.
HALF_DRUM = DRUM + """
RUN(s, solver, steps * s.step)
if 'half' in words:
    sys.exit(0)
RUN(s, solver, (steps if kind == 'penalty' else 1) * s.step)
"""


def half_drum(directory, ranks, kind, *others):
    """A directory for each of the other ranks, where the run is to go on."""
    start_model(directory, ranks, HALF_DRUM, kind, '200', '0', 'half').well()
    for other in others:
        (directory / str(other)).mkdir()
        shutil.copytree(directory / 'out', directory / str(other) / 'out')
        start_model(directory / str(other), other, HALF_DRUM, '-c', kind, '200').well()


def test_drum_with_penalty_solver(tmp_path, whole):
    others = (3, 1, 4)
    wanted = whole(HALF_DRUM, 1, 'penalty', '200')
    half_drum(tmp_path, 3, 'penalty', *others)
    for other in others:
        assert_same_end(results_in(tmp_path / str(other)), wanted, ranks_differ=True)


def test_drum_with_gauss_seidel(tmp_path, whole):
    """On as many ranks to the last bit. On others the first step solves the same problem, and the change of
    velocities by the reactions differs by ten times the tolerance at most."""
    tolerance = 1E-6
    wanted = whole(HALF_DRUM, 2, '1E-6', '200')
    half_drum(tmp_path, 2, '1E-6', 2, 1, 3, 'serial')
    assert_same_end(results_in(tmp_path / '2'), wanted)

    def velocities(results, number):
        return [b.velocity for b in results.frame(number).bodies if b.kind != 'OBSTACLE']
    before, after = velocities(wanted, -2), velocities(wanted, -1)
    change = numpy.linalg.norm(numpy.concatenate([a - b for a, b in zip(after, before)]))
    assert len(wanted.frame(-1).contacts['gap']) > 40
    for other in (1, 3, 'serial'):
        found = velocities(results_in(tmp_path / str(other)), -1)
        difference = numpy.linalg.norm(numpy.concatenate([a - b for a, b in zip(after, found)]))
        assert 0 < difference <= 10 * tolerance * change, other


@pytest.mark.parametrize('ranks, other', [(4, 4), (3, 2)])
def test_bonds_between_ranks(ranks, other, tmp_path, whole):
    """They are found again, and break later; with Gauss-Seidel on other ranks maybe a step sooner or later."""
    script = GLUED + "RUN(s, solver, 0.01)\nif 'half' in sys.argv: sys.exit(0)\nRUN(s, solver, 0.05)\n"
    wanted = whole(script, ranks)
    bonds = wanted.column('frame/bonds')
    half = list(wanted.times).index(next(t for t in wanted.times if t > 0.0099))
    assert bonds[half] == 32 and bonds[-1] == 0
    start_model(tmp_path, ranks, script, 'half').well()
    assert len(results_in(tmp_path)) == half + 1
    start_model(tmp_path, other, script, '-c').well()
    found = results_in(tmp_path)
    counts = found.column('frame/bonds')
    assert numpy.array_equal(counts[:half + 4], bonds[:half + 4]) and bonds[half + 3] == 32 and counts[-1] == 0
    if other == ranks:
        assert_same_end(found, wanted)


def test_ranks_know_which_bodies_there_are(tmp_path):
    """Bodies that callbacks made and deleted, and those that left the extents, after a restart and in READ mode."""
    script = """
        words = NON_SOLFEC_ARGV() or ['']
        GRAVITY(s, (0, 0, -1))
        EXTENTS(s, (-100, -10, -10, 100, 10, 10))
        balls = [ball(i, label=f'b{i}') for i in range(6)]
        INITIAL_VELOCITY(balls[3], (0, 2000, 0), (0, 0, 0))
        def tick():
            if s.time > 0.004 and not BYLABEL(s, 'BODY', 'made'):
                ball(8, label='made')
            if s.time > 0.008 and BYLABEL(s, 'BODY', 'b2'):
                DELETE(s, BYLABEL(s, 'BODY', 'b2'))
            return words[0] != 'half' or s.time < 0.011
        CALLBACK(s, 0.004, None, tick)
        RUN(s, solver, 0.01)
        if words[0] == 'stop': sys.exit(0)
        late = ball(9, label='late')
        RUN(s, solver, 0.01)
        def there(b):
            try:
                return b.conf is not None or 'elsewhere'
            except ValueError:
                return 'gone'
        def say():
            found = {x: BYLABEL(s, 'BODY', x) for x in ('b1', 'b2', 'b3', 'made', 'late')}
            return [{x: b and b.id for x, b in found.items()}, s.nbod, [there(b) != 'gone' for b in (*balls, late)],
                    [HERE(s, b) == (there(b) is True) for b in (*balls, late)], ENERGY(s)]
        if s.mode == 'WRITE':
            tell(end=say())
        else:
            SEEK(s, 0.02)
            tell(end=say())
            SEEK(s, 0.006)
            tell(middle=say())
        """
    whole = start(tmp_path, 1, script).alike()
    ids, bodies, present, here, energy = whole['end']
    assert ids == {'b1': 1, 'b2': None, 'b3': None, 'made': 6, 'late': 7} and bodies == 6
    assert present == [True, True, False, False, True, True, True] and all(here)
    shown = start(tmp_path, 1, script).alike()
    assert shown['end'] == whole['end'] and shown['middle'][0]['late'] is None and shown['middle'][0]['b2'] == 2
    for ranks in (2, 3):
        assert start(tmp_path, ranks, script).alike() == shown
        start(tmp_path, ranks, script, '-w', 'stop').well()
        found = start(tmp_path, ranks, script, '-c').alike()['end']
        assert found[:4] == whole['end'][:4] and found[4] == pytest.approx(energy)
        assert start(tmp_path, ranks, script).alike() == shown
