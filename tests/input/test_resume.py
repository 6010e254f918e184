"""Switch -c: a run that was ended in any way goes on, and ends as if it had never been interrupted."""

import shutil
import time

import pytest
from interrupted import MODEL, assert_same_end, assert_same_state

from solfec.results import Results


@pytest.fixture(scope='module')
def whole(tmp_path_factory):
    """The results of a run that was not interrupted, and what it printed."""
    from conftest import Program
    program = Program(tmp_path_factory.mktemp('whole'))
    done = program.run(MODEL)
    assert done.returncode == 0, done.stderr
    results = Results(str(program.directory / 'out'))
    contacts = results.column('frame/bonds')
    assert contacts[0] == 0 and max(contacts) > 0 and contacts[-1] == 0, 'glued, then torn apart'
    ends = results.times[results.column('frame/run_ended') == 1]
    assert ends == pytest.approx([0.06, 0.12, 0.17])
    assert {'late'} <= {body.label for body in results.at(0.1).bodies}
    assert len(results.frame(0).bodies) == 6 and len(results.frame(-1).bodies) >= 8
    return results, done.stdout


@pytest.mark.parametrize('how', ['kill', 'interrupt', 'stop'])
@pytest.mark.parametrize('when', [0.001, 0.021, 0.061, 0.09, 0.12, 0.1205, 0.17])
def test_ends_as_if_never_interrupted(how, when, program, whole):
    done = program.run(MODEL, how, str(when))
    over = 0.17 - when < 1E-9
    assert done.returncode == {'kill': -9, 'interrupt': 130, 'stop': 0 if over else 9}[how], done.stderr
    done = program.run(MODEL, before=['-c'])
    assert done.returncode == 0 and done.stderr == ''
    assert done.stdout == whole[1]
    assert_same_end(Results(str(program.directory / 'out')), whole[0])


def test_many_interruptions(program, whole):
    for when in (0.02, 0.05, 0.075, 0.1, 0.13, 0.131, 0.1604):
        program.run(MODEL, 'kill', str(when), before=['-c'])
    assert program.run(MODEL, before=['-c']).stdout == whole[1]
    assert_same_end(Results(str(program.directory / 'out')), whole[0])


def test_killed_from_outside(program, whole):
    """At any moment, with frames that have not been published."""
    process = program.start(MODEL.replace('def tick(size):', 'def tick(size):\n    time.sleep(0.03)'))
    end = time.time() + 20
    while not (program.directory / 'out' / 'out.h5').exists():
        assert time.time() < end
        time.sleep(0.01)
    time.sleep(1.3)
    process.kill()
    process.communicate()
    assert process.returncode == -9 and 1 < len(Results(str(program.directory / 'out'))) < len(whole[0])
    assert program.run(MODEL, before=['-c']).stdout == whole[1]
    assert_same_end(Results(str(program.directory / 'out')), whole[0])


def test_finished_results_stay(program, whole):
    shutil.copytree(whole[0].directory, program.directory / 'out')
    index = program.directory / 'out' / 'out.h5'
    before = index.read_bytes()
    assert program.run(MODEL, before=['-c']).stdout == whole[1]
    assert index.read_bytes() == before
    # A further RUN goes on from the end.
    more = MODEL + 'print(solfec.mode)\nRUN(solfec, solver, 0.01)\nprint(HISTORY(solfec, "STEP", 0, 1)[0][-1])\n'
    mode, last = program.run(more, before=['-c']).stdout.splitlines()[-2:]
    assert mode == 'WRITE' and float(last) == pytest.approx(0.18, abs=1E-3)
    results = Results(str(program.directory / 'out'))
    assert_same_state(results, whole[0], len(whole[0]) - 1)
    assert len(results) == len(whole[0]) + 10


def test_histories_between_runs(program):
    text = MODEL.replace('glued.damping', 'print(len(HISTORY(solfec, "STEP", 0, solfec.time)[0]))\nglued.damping')
    done = program.run(text)
    assert program.run(text, before=['-c']).stdout == done.stdout


def test_without_results_it_starts(program, whole):
    assert program.run(MODEL, before=['-c']).stdout == whole[1]
    assert_same_end(Results(str(program.directory / 'out')), whole[0])


def test_not_with_overwriting(program):
    done = program.run(MODEL, before=['-c', '-w'])
    assert done.returncode == 2 and '-w excludes -c' in done.stderr and not (program.directory / 'out').exists()


def test_results_of_another_model(program):
    program.run(MODEL, 'kill', '0.02')
    done = program.run(MODEL.replace('balls=3', 'balls=2'), before=['-c'])
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "RuntimeError: RUN: the results in 'out' are those of another model: they hold 6 bodies at first, the script "
        'makes 5 (run with -w to overwrite them)')


def test_functions_that_callbacks_made_are_missed(program):
    text = MODEL.replace("FORCE(ball, 'SPATIAL', ball.center, (0, 1, 0), 300)",
                         "FORCE(ball, 'SPATIAL', ball.center, (0, 1, 0), pull, None)")
    program.run(text, 'kill', '0.02')
    done = program.run(text, before=['-c'])
    assert done.returncode == 1 and 'has a force by function number 0 of the script' in done.stderr


EDITED = """
import os
s = SOLFEC('DYNAMIC', 1E-3, 'out')
s.verbose = 'OFF'
SURFACE_MATERIAL(s)
ball = BODY(s, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), BULK_MATERIAL(s))
%s
RUN(s, PENALTY_SOLVER(), 0.01)
%s
def end():
    if s.time > 0.015 and 'kill' in (NON_SOLFEC_ARGV() or []):
        HISTORY(s, 'STEP', 0, 1)
        os.kill(os.getpid(), 9)
    return 1
CALLBACK(s, 1E-3, None, end)
RUN(s, PENALTY_SOLVER(), 0.01)
"""


@pytest.mark.parametrize('before, between, what', (
    ('', '', None), ('FIX_POINT(ball, ball.center)', '', 'joints'), ('', 'FIX_POINT(ball, ball.center)', 'joints'),
    ("FORCE(ball, 'SPATIAL', ball.center, (1, 0, 0), 1.0)", '', 'loads'),
    ("", "FORCE(ball, 'SPATIAL', ball.center, (1, 0, 0), 1.0)", 'loads'),
    ('INITIAL_VELOCITY(ball, (1, 0, 0), (0, 0, 0))', '', 'velocity')))
def test_bodies_that_the_script_has_changed_go_on_as_they_were(program, before, between, what):
    """In the script before or after the first RUN; the second one is under way."""
    assert program.run(EDITED % ('', ''), 'kill', before=['-w']).returncode == -9
    done = program.run(EDITED % (before, between), before=['-c'])
    assert done.returncode == 0
    expected = ('warning: out: the %s of body 0 in the script is not that of these results, which go on as they were; '
                'run with -w to compute anew\n' % what) if what else ''
    assert done.stderr == expected
