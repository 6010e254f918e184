"""What goes wrong on one of several ranks in the middle of a run ends all of them, soon and with one message, and the
frames that were published are whole. Scripts that fail: test_language.py."""

import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

import pytest
from ranks import ENVIRONMENT, HEAD, MPIEXEC, PROGRAM, SANITIZED, start

sys.path.append(str(pathlib.Path(PROGRAM).parents[1] / 'python' / 'solfec'))
from results import Results  # noqa: E402

SOON = 15  # [s] on a machine that does other things too

# A row of balls on a floor, pressed to a wall, on all ranks; a frame every step.
ROW = """
def box(lower, upper):
    return HULL([(lower, upper)[i >> d & 1][d] for i in range(8) for d in range(3)], 1, 2)
floor = BODY(s, 'OBSTACLE', [box((-5, -5, -10), (40, 5, 0)), box((22.885, -5, 0), (25, 5, 3))], m)
balls = [BODY(s, 'RIGID', SPHERE((1.99 * k, 0, 0.995), 1, 1, 1), m) for k in range(12)]
GRAVITY(s, (10, 0, -10))
last = NCPU() - 1
def after(steps, function):
    def callback():
        if s.time > (steps - 0.5) * s.step:
            function()
    CALLBACK(s, s.step, None, callback)
def pull(function):
    FORCE(balls[5], 'SPATIAL', (0, 0, 0), (0, 0, 1), lambda q, u, t, h: function(t))
"""
HEAD_OF_ROW = HEAD + ROW
LONG_ROW = HEAD + ROW.replace('range(12)', 'range(300)').replace(
    '40, 5', '600, 5').replace('22.885', '596.015').replace(
    '25, 5', '600, 5')


def whole_frames(directory, bodies=13):
    """Number of frames, all of them read."""
    results = Results(directory / 'out')
    for k in range(len(results)):
        frame = results.frame(k)
        assert frame.time == pytest.approx(1E-3 * k)
        assert len(frame.bodies) == bodies
        assert all(len(column) == len(frame.contacts['R']) for column in frame.contacts.values())
    return len(results)


# Light bars in a row that hold a tonne, in steps that are too long for them (theory, section 12).
BARS = """
def bar(k, density, half):
    z = -0.1 * k
    return BODY(s, 'RIGID', HULL([c for x in (-half, half) for y in (-half, half) for end in (z, z - 0.1)
                                  for c in (x, y, end)], 1, 1), BULK_MATERIAL(s, density=density))
GRAVITY(s, (0, 0, -10))
row = [bar(k, 1000, 0.005) for k in range(3)] + [bar(3, 1E6, 0.05)]
FIX_POINT(row[0], (0, 0, 0))
for k in range(3):
    PUT_RIGID_LINK(row[k], row[k + 1], (0, 0, -0.1 * (k + 1)), (0, 0, -0.1 * (k + 1)))
    CONTACT_EXCLUDE_BODIES(row[k], row[k + 1])
INITIAL_VELOCITY(row[1], (1E-3, 0, 0), (0, 0, 0))
"""


@pytest.mark.parametrize('ranks', [1, 3])
def test_motions_that_run_away(ranks, tmp_path):
    """What bodies have and were given is that of all ranks, and so is the fastest one."""
    done = start(tmp_path, ranks, BARS + 'RUN(s, AUTO_SOLVER(), 5)', timeout=SOON)
    assert done.code != 0 and len(done.errors()) == 1, done.err
    assert re.match('RuntimeError: RUN: the motion runs away at time .* of it that of body [0-2], where they',
                    done.errors()[0])


# What is wrong, and how the message begins; a rank that has not seen it says RuntimeError. Steps 1 to 5 are good.
FAULTS = {
    'solver': ("solver = GAUSS_SEIDEL_SOLVER(1, 10000, 1E-3, 'EXIT')\n"
               'def fail(): solver.maxiter, solver.epsilon, solver.meritval = 1, 1E-14, 1E-20\nafter(5, fail)',
               'RuntimeError: RUN: GAUSS_SEIDEL_SOLVER has not converged at time 0.006: '),
    'penetration': ("UNPHYSICAL_PENETRATION(s, 0.5)\nbullet = BODY(s, 'RIGID', SPHERE((30, 0, 5.7), 1, 1, 1), m)\n"
                    'INITIAL_VELOCITY(bullet, (0, 0, -1000), (0, 0, 0))',
                    'RuntimeError: RUN: unphysical penetration at time 0.005: bodies 13 and 0 overlap by '),
    'no number': ('pull(lambda t: [float("nan") if t > 4.9E-3 else 0] * 9)',
                  '(RuntimeError: RUN|ValueError): FORCE: what the callback returned must be a list of finite numbers'),
    'no number any more': ('pull(lambda t: [0, 0, 0, 0, 0, 1E308 if t > 4.9E-3 else 0, 0, 0, 0])',
                           'RuntimeError: RUN: body 6 has a state that is not finite'),
    'function of a force': ('pull(lambda t: [0 if t < 4.9E-3 else 1 / 0] * 9)',
                            '(RuntimeError: RUN: )?ZeroDivisionError: '),
    'barrier in a callback': ('after(5, lambda: BARRIER() if RANK() == last else None)',
                              'RuntimeError: RUN: CALLBACK: on rank 0: the scripts of the ranks differ: rank 0 ends a '
                              'callback while rank'),
    'history in a callback': ("after(5, lambda: HISTORY(s, 'STEP', 0, 1) if RANK() == 0 else None)",
                              'RuntimeError: HISTORY: the scripts of the ranks differ: rank 0 looks at results while '
                              'rank'),
}


@pytest.mark.parametrize('what', FAULTS)
def test_faults(what, tmp_path):
    script, message = FAULTS[what]
    done = start(tmp_path, 3, script + '\nRUN(s, solver, 1)', timeout=SOON, head=HEAD_OF_ROW)
    assert done.code != 0 and len(done.errors()) == 1 and re.match(message, done.errors()[0]), done.err
    assert whole_frames(tmp_path, 14 if what == 'penetration' else 13) >= 5  # all until then


def state(pid):
    """What a process does, and which signals have come to it, for a report."""
    try:
        lines = pathlib.Path(f'/proc/{pid}/status').read_text().splitlines()
        return pathlib.Path(f'/proc/{pid}/wchan').read_text(), [
            line for line in lines if line.startswith(('Name', 'State', 'PPid', 'Sig', 'Shd'))]
    except OSError:
        return 'gone'


def test_state_of_a_process():
    assert state(2**30) == 'gone' and f'PPid:\t{os.getppid()}' in state(os.getpid())[1]


@pytest.mark.parametrize('number, compression', [(signal.SIGKILL, 'OFF'), (signal.SIGSEGV, 'ON')])
def test_killed_at_any_moment(number, compression, tmp_path):
    ranks, victim = 3, random.randrange(3)
    (tmp_path / 'script.py').write_text(HEAD_OF_ROW + f"""
OUTPUT(s, 0, '{compression}')
with open(f'pid.{{RANK()}}', 'w') as file:
    file.write(str(os.getpid()))
RUN(s, solver, 1E3)
""")
    with open(tmp_path / 'said', 'w') as said:
        run = subprocess.Popen([MPIEXEC, '-np', str(ranks), PROGRAM, 'script.py'], cwd=tmp_path,
                               env={**os.environ, **ENVIRONMENT},
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
    try:
        end = time.monotonic() + SOON
        while not (tmp_path / 'out' / 'out.h5').exists():
            assert run.poll() is None and time.monotonic() < end
            time.sleep(0.01)
        moment = random.uniform(0, 1)
        time.sleep(moment)
        pids = [int((tmp_path / f'pid.{rank}').read_text()) for rank in range(ranks)]
        os.kill(pids[victim], number)
        try:
            assert run.wait(SOON) != 0, (victim, moment)
        except subprocess.TimeoutExpired:
            pytest.fail(f'killed rank {victim} after {moment} s, and there are still: '
                        + ''.join(f'\n{pid}: {state(pid)}' for pid in [run.pid, *pids]))
    finally:
        run.kill()
    assert whole_frames(tmp_path) >= 1, (victim, moment)
    said = (tmp_path / 'said').read_text()
    assert 'exited on signal %d' % number in said and 'received signal' not in said, said  # without a look at the stack


# The first rank writes what is compressed.
@pytest.mark.parametrize('rank, compression', [(0, 'OFF'), (2, 'OFF'), (0, 'ON')])
def test_full_disk_on_one_rank(rank, compression, tmp_path):
    """No file that this rank writes may grow beyond some size; those of a few frames do."""
    script = f"""
import resource
OUTPUT(s, 0, '{compression}')
run(5)
def fill_the_disk():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 15, resource.RLIM_INFINITY))
if RANK() == {rank}: fill_the_disk()
try:
    RUN(s, solver, 1E3)
except RuntimeError as error:
    tell(error=str(error))
    raise
"""
    done = start(tmp_path, 3, script, timeout=SOON, head=HEAD_OF_ROW)
    messages = {one['error'] for one in done.told}
    assert done.code != 0 and len(messages) == 1 and 'File too large' in messages.pop(), done.err
    assert len(done.errors()) == 1 and done.errors()[0].startswith("RuntimeError: RUN: cannot write '"), done.err
    assert whole_frames(tmp_path) >= 6
    assert not [file for file in os.listdir(tmp_path / 'out') if file.endswith('part')]


@pytest.mark.skipif(SANITIZED, reason='the address sanitizer needs more than any limit')
def test_no_memory_on_one_rank(tmp_path):
    """What waits to be written grows until this rank gets no more."""
    done = start(tmp_path, 3, """
import resource
def limit():
    if RANK() == last:
        pages = int(open('/proc/self/statm').read().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (1 << 18), resource.RLIM_INFINITY))
run(5)
limit()
OUTPUT(s, 0)
RUN(s, solver, 1E3)
""", timeout=SOON, head=LONG_ROW)
    assert done.code == 1, done.err
    assert done.errors() == ['solfec: rank 2: no memory is left'], done.err
    assert whole_frames(tmp_path, 301) >= 1


@pytest.mark.parametrize('kind, message', [('logic_error', "internal error: 'problem.rows() < 0' does not hold at "),
                                           ('bad_alloc', 'no memory is left'), ('out_of_range', 'on the way'),
                                           ('run_error', 'of this rank alone')])
def test_internal_error_on_one_rank(kind, message, tmp_path):
    """The others wait in the solver: nobody can agree on it."""
    program = pathlib.Path(PROGRAM).parents[1] / 'tests' / 'test_parallel_internal_error'
    done = subprocess.run([MPIEXEC, '-np', '3', program, kind, 'out'], cwd=tmp_path, env={**os.environ, **ENVIRONMENT},
                          text=True, capture_output=True, timeout=SOON, stdin=subprocess.DEVNULL)
    said = [line for line in done.stderr.splitlines() if line.startswith('solfec: ')]
    assert done.returncode == 1 and len(said) == 1 and said[0].startswith('solfec: rank 2: ' + message), done.stderr
    assert whole_frames(tmp_path) >= 1
