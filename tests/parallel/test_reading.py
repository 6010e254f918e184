"""Results that several ranks read: what they show together, what each may ask alone, initial states."""

import h5py
import pytest
from ranks import start

# Balls of two kinds fly, spin and touch an obstacle; some are made and some go while it runs.
MODEL = """
corners = [c for i in range(8) for c in (-50 + 200 * (i & 1), -50 + 100 * (i >> 1 & 1), -10 + 10 * (i >> 2))]
floor = BODY(s, 'OBSTACLE', HULL(corners, 1, 2), m, 'floor')
GRAVITY(s, (0, 0, -10))
balls = [BODY(s, ('RIGID', 'PSEUDO_RIGID')[k % 3 == 2], SPHERE((3 * k, 0, 0.995 + 0.002 * k), 1, 1, 1), m)
         for k in range(9)]
for k, b in enumerate(balls):
    INITIAL_VELOCITY(b, (0, k, -k), (0, 0, k) if b.kind == 'RIGID' else (0, 0, 0))
def change():
    if s.mode == 'WRITE' and 4.5E-3 < s.time < 5.5E-3:
        DELETE(s, balls[4])
        ball(20)
CALLBACK(s, s.step, None, change)
run(10)
"""
SHOWN = """
shown = {}
for time in (0, 2E-3, 4E-3, 7E-3, 1E-2, 3E-3):
    SEEK(s, time)
    shown[time] = [s.time, s.nbod, s.ncon, ENERGY(s)]
FORWARD(s, 2)
shown['forward'] = [s.time, s.nbod, s.ncon, ENERGY(s)]
BACKWARD(s, 100)
shown['backward'] = [s.time, s.nbod, s.ncon, ENERGY(s)]
tell(shown=shown, bodies={b.id: [b.conf, b.velo] for b in s.bodies if b.kind != 'OBSTACLE'})
"""


def flat(shown):
    return [number for time, nbod, ncon, energy in shown.values() for number in (time, nbod, ncon, *energy)]


@pytest.fixture(scope='module')
def results(tmp_path_factory):
    """A directory of results that one rank has written."""
    directory = tmp_path_factory.mktemp('results')
    start(directory, 1, MODEL).well()
    return directory


@pytest.mark.parametrize('written_by', [1, 3])
def test_frames_are_those_of_one_rank(written_by, tmp_path):
    start(tmp_path, written_by, MODEL).well()
    expected = start(tmp_path, 1, MODEL + SHOWN).well()[0]
    assert expected['shown']['0'][1:3] != expected['shown']['0.01'][1:3]
    for ranks in (2, 3):
        told = start(tmp_path, ranks, MODEL + SHOWN).well()
        for one in told:
            assert flat(one['shown']) == pytest.approx(flat(expected['shown']), rel=1E-12, abs=1E-12)
        bodies = {}
        for one in told:
            bodies.update(one['bodies'])
        assert sum(len(one['bodies']) for one in told) == len(bodies) and bodies == expected['bodies']


def test_one_rank_alone(results):
    """After a RUN, or anything else that all ranks wait for."""
    told = start(results, 3, MODEL + """
if RANK() == 1:
    times, steps = HISTORY(s, 'STEP', 0, 1)
    states = [b.conf is None or len(b.conf) for b in balls if b is not balls[4]]
    tell(history=len(times), duration=DURATION(s), states=states)
""").well()
    assert told[1]['history'] == 11 and told[1]['duration'] == [0, pytest.approx(1E-2)] and not told[0]
    assert set(told[1]['states']) == {True, 12}


def test_history_on_one_rank_after_a_run_that_writes(tmp_path):
    told = start(tmp_path, 2, MODEL + "if RANK() == 1: tell(frames=len(HISTORY(s, 'STEP', 0, 1)[0]))").well()
    assert told[1]['frames'] == 11


@pytest.mark.parametrize('ask, message', [
    ('if RANK() == 1: balls[1].conf',
     'the scripts of the ranks differ: rank 0 is about to RUN while rank 1 looks at results'),
    ("if RANK() == 0: HISTORY(s, 'STEP', 0, 1)",
     'the scripts of the ranks differ: rank 0 looks at results while rank 1 is about to RUN'),
    ('if RANK() == 0: SEEK(s, 1E-3)',
     'the scripts of the ranks differ: rank 0 looks at results while rank 1 is about to RUN'),
    ('SEEK(s, 1E-3 * RANK())', 'SEEK (script.py, line'), ('FORWARD(s, 1 + RANK())', 'FORWARD (script.py, line')])
def test_ranks_that_part(ask, message, results):
    done = start(results, 2, MODEL.replace('run(10)', ask + '\nrun(10)'), timeout=15)
    assert done.code != 0 and len(done.errors()) == 1 and message in done.errors()[0], done.err


def test_a_joint_of_a_body_that_somebody_made_an_obstacle(tmp_path):
    """No rank owns it."""
    model = "b = ball(0)\nFIX_POINT(b, (0, 0, 0))\nrun(2)"
    start(tmp_path, 1, model).well()
    with h5py.File(min((tmp_path / 'out').glob('*.frames-*')), 'r+') as file:
        file['definition/kind'][0] = 0
    for ranks in (1, 2):
        done = start(tmp_path, ranks, model, timeout=15)
        assert done.code != 0 and len(done.errors()) == 1, done.err
        assert 'is damaged or of another version: a joint holds nothing but an obstacle' in done.errors()[0]


SOURCE = """
bodies = [ball(k, ('RIGID', 'PSEUDO_RIGID', 'OBSTACLE')[k % 3], f'b{k}') for k in range(8)]
for k, b in enumerate(bodies):
    INITIAL_VELOCITY(b, (k, 1, 0), (0, 0, 0))
"""
TAKEN = """
gone = ball(90)
INITIAL_VELOCITY(gone, (1, 0, 0), (0, 0, 0))
%s
%s
DELETE(s, gone)
INITIALIZE_STATE(s, 'out/source', 1)
tell(states={b.label: [b.conf, b.velo] for b in s.bodies}, energy=ENERGY(s))
DELETE(s, bodies[4])
ball(50, 'RIGID', 'b4')  # at another place, as the last one
try:
    INITIALIZE_STATE(s, 'out/source', 1)
    assert False
except ValueError as error:
    tell(error=str(error))
"""


@pytest.mark.parametrize('before', ['', 'run(2)'])
def test_initial_states(before, tmp_path):
    """Bodies are found by their place in the order of ids, wherever they live (after a RUN they have migrated)."""
    source = SOURCE + 'run(3)\ntell(states={b.label: [b.conf, b.velo] for b in s.bodies})\n'
    states_there = start(tmp_path, 1, source, '-s', 'source').well()[0]['states']
    script = TAKEN % (SOURCE, before)
    expected = start(tmp_path, 1, script, '-w').alike()
    assert expected['states'] == states_there
    for ranks in (2, 3):
        told = start(tmp_path, ranks, script, '-w').well()
        states = {}
        for one in told:
            assert one['error'] == expected['error'] and one['energy'] == pytest.approx(expected['energy'], rel=1E-12)
            states.update(one['states'])
        assert states == expected['states'] and len(states) == 8
    assert "of 'out/source' is of another kind, label or mesh than here" in expected['error']
