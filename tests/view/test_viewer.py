"""What solfec -v does for its window: RUNs wait for the user, the simulation makes the same steps, errors end nothing.

The window is played by a thread of this process: `talk` is what it does."""

import os
import re
import subprocess
import textwrap

import pytest

PLAYER = '''
import os, signal, socket, sys, threading, time
from multiprocessing.connection import Connection
import solfec
from solfec import _program, _viewer

class Process:
    def wait(self):
        thread.join(30)
        return 0

    def terminate(self):
        print('the window is ended')

ours, theirs = socket.socketpair()
window = Connection(theirs.detach())
seen = []

def receive(*kinds):
    """The next message of one of these kinds; all are kept."""
    while True:
        message = window.recv()
        seen.append(message)
        if message[0] in kinds:
            return message

def status(index, *states):
    while True:
        message = receive('status')
        if message[1] == index and message[2]['state'] in states:
            return message[2]

def send(*message):
    window.send(message)

def talk():
%s

def play():
    try:
        talk()
        if not window.closed:
            send('quit')
    except BaseException:
        import traceback
        traceback.print_exc()
        import os
        os._exit(9)

_program_open = _viewer.open_window
_viewer.open_window = lambda size: (Connection(ours.detach()), Process())
thread = threading.Thread(target=play, daemon=True)
thread.start()
code = _program.run_script('script.py', True, None, [], False, '')
print('exit code', code)
'''

MODEL = '''
def model(path, height):
    solfec = SOLFEC('DYNAMIC', 1E-3, path)
    solfec.verbose = 'OFF'
    OUTPUT(solfec, 0.01)
    GRAVITY(solfec, (0, 0, -10))
    SURFACE_MATERIAL(solfec, friction=0.5, restitution=0.3)
    stuff = BULK_MATERIAL(solfec)
    BODY(solfec, 'OBSTACLE', HULL([-2, -2, -1, 2, -2, -1, 2, 2, -1, -2, 2, -1, -2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2, 0],
                                  1, 1), stuff)
    ball = BODY(solfec, 'RIGID', SPHERE((0, 0, height), 0.5, 1, 1), stuff, label='ball')
    INITIAL_VELOCITY(ball, (1, 0, 0), (0, 2, 0))
    return solfec, ball
'''


def play(folder, script, talk):
    """Runs a script as solfec -v does, with a window that does `talk`. Returns what was printed."""
    (folder / 'script.py').write_text(MODEL + textwrap.dedent(script))
    (folder / 'player.py').write_text(PLAYER % textwrap.indent(textwrap.dedent(talk), '    '))
    done = subprocess.run([os.environ['SOLFEC_PYTHON'], 'player.py'], cwd=folder, capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def results_of(folder, name):
    from solfec.results import Results
    return Results(str(folder / 'out' / name))


def test_a_script_waits_where_it_needs_the_end_of_a_run(tmp_path):
    out, err = play(tmp_path, '''
        solfec, ball = model('out/one', 0.6)
        RUN(solfec, GAUSS_SEIDEL_SOLVER(), 0.2)
        print('registered', VIEWER())
        print('moved by %.12f at %g' % (DISPLACEMENT(ball, ball.center)[0], solfec.time))
        RUN(solfec, GAUSS_SEIDEL_SOLVER(), 0.1)
        print('moved by %.12f at %g' % (DISPLACEMENT(ball, ball.center)[0], solfec.time))
    ''', '''
        assert receive('model')[1:] == (0, PATH, 'WRITE')
        assert status(0, 'waiting')['time'] == 0
        assert 'registered' in receive('output')[1]
        while 'waits for the end' not in status(0, 'waiting')['message']:
            pass
        send('run', 0)
        assert status(0, 'ended')['time'] > 0.1999
        while 'waits for the end' not in status(0, 'waiting')['message']:
            pass
        send('run', 0)
        assert status(0, 'ended')['end'] > 0.29
        assert receive('done') == ('done', 0)
        send('run', 0)
        assert 'no RUN left' in status(0, 'ended')['message']
    '''.replace('PATH', repr(str(tmp_path / 'out/one'))))
    assert 'registered True' in out and 'exit code 0' in out
    # The same to the last bit as without a window.
    plain = tmp_path / 'plain'
    plain.mkdir()
    (plain / 'script.py').write_text((tmp_path / 'script.py').read_text())
    done = subprocess.run([os.environ['SOLFEC_PROGRAM'], 'script.py'], cwd=plain, capture_output=True, text=True)
    assert re.findall('moved.*', out) == re.findall('moved.*', done.stdout) and done.stdout.count('moved') == 2
    one, two = results_of(tmp_path, 'one'), results_of(plain, 'one')
    assert len(one) == len(two) == 31
    for k in range(len(one)):
        assert (one.arrays(k).q == two.arrays(k).q).all() and (one.arrays(k).u == two.arrays(k).u).all()


def test_several_models_are_there_before_the_first_run(tmp_path):
    out, err = play(tmp_path, '''
        models = [model('out/%d' % k, 0.6 + k) for k in range(3)]
        for solfec, ball in models:
            RUN(solfec, GAUSS_SEIDEL_SOLVER(), 0.1)
        for solfec, ball in models:
            print('time %g' % solfec.time)
    ''', '''
        while sum(message[0] == 'model' for message in seen) < 3:
            receive('model')
        while not any(m[0] == 'status' and 'waits for the end' in m[2]['message'] for m in seen):
            receive('status')
        send('run', 2)
        status(2, 'ended')
        send('run', 0)
        status(0, 'ended')
        send('run', 1)
        assert receive('done') == ('done', 0)
    ''')
    assert out.count('time 0.1') == 3


def test_pause_single_steps_and_run_to_a_time(tmp_path):
    play(tmp_path, '''
        solfec, ball = model('out/one', 0.6)
        RUN(solfec, GAUSS_SEIDEL_SOLVER(), 0.5)
    ''', '''
        receive('done')
        send('ready', 0)
        materials = receive('materials')[2]
        assert list(materials['label']) == ['BULK_MATERIAL_0']
        assert list(receive('definitions')[2]['definition/id']) == [0, 1]
        frame = receive('frame')[2]
        assert frame.time == 0 and frame.q[1, 11] == 0.6
        send('step', 0, 1)
        assert abs(status(0, 'paused')['time'] - 0.001) < 1E-9
        send('ready', 0)
        frame = receive('frame')[2]
        assert abs(frame.time - 0.001) < 1E-9 and frame.q[1, 9] > 0
        assert not any(m[0] == 'definitions' for m in seen[-3:])
        send('step', 0, 5)
        assert abs(status(0, 'paused')['time'] - 0.006) < 1E-9
        send('run_to', 0, 0.2)
        assert abs(status(0, 'paused')['time'] - 0.2) < 1.1E-3
        send('want', 0, {'stress': True})
        send('ready', 0)
        assert receive('frame')[3].shape == (0, 6)
        send('run', 0)
        assert abs(status(0, 'ended')['time'] - 0.5) < 1E-9
        send('ready', 0)
        frame = receive('frame')[2]
        assert abs(frame.time - 0.5) < 1E-9 and len(frame.constraints['gap']) == 1
    ''')
    assert results_of(tmp_path, 'one').times[-1] == pytest.approx(0.5)


def test_a_running_model_can_be_paused_and_left(tmp_path):
    out, err = play(tmp_path, '''
        solfec, ball = model('out/one', 0.6)
        RUN(solfec, GAUSS_SEIDEL_SOLVER(), 1E4)
    ''', '''
        receive('done')
        send('run', 0)
        assert status(0, 'running')['steps_per_second'] >= 0
        send('pause', 0)
        paused = status(0, 'paused')
        assert 0 < paused['time'] < 1E4
        send('run', 0)
        running = status(0, 'running')
        assert running['time'] >= paused['time']
    ''')
    assert 'exit code 0' in out
    assert results_of(tmp_path, 'one').times[-1] > 0  # the last state is kept


def test_errors_are_shown_and_end_nothing(tmp_path):
    out, err = play(tmp_path, '''
        solfec, ball = model('out/one', 0.6)
        def trouble():
            if solfec.time > 0.05:
                raise KeyError('lost in the callback')
        CALLBACK(solfec, 0.01, None, trouble)
        RUN(solfec, GAUSS_SEIDEL_SOLVER(), 0.5)
        other, ball = model('out/two', 0.6)
        RUN(other, GAUSS_SEIDEL_SOLVER(), 0.1)
        SPHERE((0, 0, 0), -1, 1, 1)
    ''', '''
        text = receive('error')[1]
        assert "'radius' must be a number > 0" in text and 'line 23' in text
        assert receive('done') == ('done', 1)
        send('run', 0)
        assert 'lost in the callback' in receive('error')[1]
        ended = status(0, 'ended')
        assert ended['time'] < 0.07 and ended['message'] == 'an error has ended the run'
        send('run', 1)
        assert abs(status(1, 'ended')['time'] - 0.1) < 1E-9
    ''')
    assert 'exit code 1' in out
    assert "'radius' must be a number > 0" in err


def test_the_error_of_a_run_reaches_the_script_that_waits_for_it(tmp_path):
    out, err = play(tmp_path, '''
        solfec, ball = model('out/one', 0.6)
        def trouble():
            raise KeyError('lost in the callback')
        CALLBACK(solfec, 0.01, None, trouble)
        RUN(solfec, GAUSS_SEIDEL_SOLVER(), 0.5)
        try:
            print(solfec.time)
        except KeyError as error:
            print('caught', error)
    ''', '''
        receive('status')
        send('run', 0)
        assert receive('done') == ('done', 0)
    ''')
    assert "caught 'lost in the callback'" in out


def test_a_window_that_is_closed_ends_the_run_in_order(tmp_path):
    out, err = play(tmp_path, '''
        solfec, ball = model('out/one', 0.6)
        RUN(solfec, GAUSS_SEIDEL_SOLVER(), 1E4)
        print('never', solfec.time)
    ''', '''
        receive('status')
        send('run', 0)
        status(0, 'running')
        window.close()
    ''')
    assert 'never' not in out
    assert results_of(tmp_path, 'one').times[-1] > 0


@pytest.mark.parametrize('name, code', [('TERM', 143), ('INT', 130)])
def test_a_signal_ends_the_window_too(name, code, tmp_path):
    out, err = play(tmp_path, '''
        model('out/one', 0.6)
    ''', '''
        assert receive('done') == ('done', 0)
        os.kill(os.getpid(), signal.SIG%s)
        try:
            receive('nothing more')
        except EOFError:
            window.close()
    ''' % name)
    assert 'the window is ended' in out and 'exit code %d' % code in out and err == ''


def test_results_are_read_by_the_window_itself(tmp_path):
    script = '''
        solfec, ball = model('out/one', 0.6)
        RUN(solfec, GAUSS_SEIDEL_SOLVER(), 0.1)
        SEEK(solfec, 1)
        print(solfec.mode, 'time %g' % solfec.time)
    '''
    play(tmp_path, script, '''
        receive('status')
        send('run', 0)
        receive('done')
    ''')
    out, err = play(tmp_path, script.replace('solfec, ball =', 'configure(); solfec, ball =', 1), f'''
        assert receive('model')[1:] == (0, {str(tmp_path / 'out/one')!r}, 'READ')
        assert receive('done') == ('done', 0)
    ''')
    assert 'READ time 0.1' in out
