"""The programs as a user meets them: what they print, how they end, what they leave behind."""

import fcntl
import os
import pty
import random
import re
import select
import shutil
import signal
import struct
import subprocess
import termios
import time

import numpy
import pytest
from conftest import BUILD, Program, falling

import solfec
from solfec import *


def reader(directory, balls=3):
    """A SOLFEC object on results, in this process."""
    solfec.configure()
    results = falling(str(directory), balls)
    assert results.mode == 'READ'
    return results


def frame_times(directory):
    results = reader(directory)
    return HISTORY(results, 'STEP', 0, DURATION(results)[1])[0]


def wait_for(path):
    end = time.time() + 20
    while not path.exists():
        assert time.time() < end
        time.sleep(0.01)


def test_no_arguments(program):
    done = program.run_words()
    assert done.returncode == 0 and done.stderr == ''
    first, second = done.stdout.splitlines()
    assert first == f'Solfec {solfec.__version__}' and second.startswith('SYNOPSIS: solfec [-v] [-w | -c]')


def test_python_error(program):
    done = program.run("""
        def bad():
            SPHERE((0, 0, 0), -1, 1, 1)
        bad()
        """)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[0] == 'Traceback (most recent call last):'
    assert lines[-1] == "ValueError: SPHERE: 'radius' must be a number > 0; got -1"
    assert re.findall(r'"(.*)", line (\d+)', done.stderr) == [('script.py', '4'), ('script.py', '3')]


@pytest.mark.parametrize('line, hint',
                         (('BODDY(1)', 'BODY'), ("SPHERE((0, 0, 0), 1).centre", 'center'), ('lenn([])', 'len'),
                                        ('qqqqqq', None)))
def test_misspelt_names(line, hint, program):
    done = program.run(line)
    assert done.returncode == 1
    assert done.stderr.endswith(f'solfec: did you mean {hint}?\n') if hint else 'did you mean' not in done.stderr


def test_program_without_its_package(tmp_path):
    """A program copied away from its package says what it misses (and does not wait for ever)."""
    alone = tmp_path / 'bin' / 'solfec'
    alone.parent.mkdir()
    shutil.copy(BUILD / 'bin' / 'solfec', alone)
    (tmp_path / 'script.py').write_text('pass')
    done = subprocess.run([alone, 'script.py'], cwd=tmp_path, capture_output=True, text=True, timeout=20,
                          env={**os.environ, 'PYTHONPATH': ''})
    assert done.returncode == 1 and done.stdout == ''
    assert done.stderr.startswith(f"solfec: cannot load the Python package 'solfec' from {tmp_path}/python: ")


def test_exit_codes(program):
    assert program.run('pass').returncode == 0
    assert program.run('import sys; sys.exit(7)').returncode == 7
    done = program.run('import sys; sys.exit("over")')
    assert done.returncode == 1 and done.stderr == 'over\n'


@pytest.mark.parametrize('line', ['print "x"', 'print x', 'exec "x = 1"', 'if 1 <> 2: pass', 'raise ValueError, "x"',
                                  'try: pass\nexcept ValueError, e: pass', 'x = 0777', 'x = `1`', 'x = 10L'])
def test_python_2(line, program):
    done = program.run('x = 1\n' + line)
    number = 1 + len(line.splitlines())
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (f'solfec: line {number} of script.py looks like Python 2; '
                                            'scripts are written in Python 3')


@pytest.mark.parametrize('content, hint', [(b'\x89HDF\r\n\x1a\n\0', ': solfec-solve is the program for problem files'),
                                           (b'x = 1\0', '')])
def test_files_that_are_no_scripts_are_told(program, content, hint):
    (program.directory / 'file').write_bytes(content)
    done = program.run_words('file')
    assert (done.returncode, done.stderr) == (1, f'solfec: file is no Python script{hint}\n')


@pytest.mark.parametrize('line', ['x = = 1', 'x = (1', 'def f(:', 'x = "print 1'])
def test_other_syntax_errors(line, program):
    done = program.run(line)
    assert done.returncode == 1 and 'SyntaxError' in done.stderr and 'Python 2' not in done.stderr


def test_script_sees_what_python_gives_a_script(program):
    done = program.run("""
        import sys
        import helper
        print(__file__, __name__, sys.argv, helper.VALUE, sys.executable, NON_SOLFEC_ARGV(), SUBDIR(), VIEWER())
        """, 'one', '-two', '-step', '3', before=['-s', 'sub'])
    assert done.returncode == 1 and "No module named 'helper'" in done.stderr
    (program.directory / 'helper.py').write_text('VALUE = 42')
    done = program.run("""
        import sys
        import helper
        print(__file__, __name__, sys.argv, helper.VALUE, NON_SOLFEC_ARGV(), SUBDIR(), VIEWER(), sep='|')
        """, 'one', '-two', '-step', '3', before=['-s', 'sub'])
    assert done.stdout == ("script.py|__main__|['script.py', 'one', '-two', '-step', '3']|42|"
                           "['one', '-two', '-step', '3']|sub|False\n"), done.stderr


def test_overwrite_and_read(program):
    text = """
        solfec = falling('out/it')
        print(solfec.mode)
        solfec.verbose = 'OFF'
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), 0.01)
        """
    assert program.run(text).stdout == 'WRITE\n'
    index = program.directory / 'out/it/it.h5'
    written = index.stat().st_mtime_ns
    assert program.run(text).stdout == 'READ\n'
    assert index.stat().st_mtime_ns == written
    assert program.run(text, before=['-w']).stdout == 'WRITE\n'
    assert index.stat().st_mtime_ns > written
    assert program.run(text, before=['-s', 'other']).stdout == 'WRITE\n'
    assert (program.directory / 'out/it/other/other.h5').is_file()
    copy = program.directory / 'out/it/it.py'
    *lines, last = copy.read_text().splitlines()
    assert lines == (program.directory / 'script.py').read_text().splitlines()
    assert last.startswith('# Copy made by Solfec')


RUN_LONG = """
solfec = falling('out')
solfec.verbose = 'OFF'
OUTPUT(solfec, 1E6)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100, 1E-9), 1E6)
"""


@pytest.mark.parametrize('number, code', [(signal.SIGINT, 130), (signal.SIGTERM, 128 + 15), (signal.SIGHUP, 128 + 1)])
def test_signals_end_a_run_cleanly(number, code, program):
    process = program.start(RUN_LONG)
    wait_for(program.directory / 'out' / 'out.h5')
    time.sleep(0.2)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == code
    assert 'Traceback' not in err
    # The interval would have written the first state only: the second one is the last state.
    times = frame_times(program.directory / 'out')
    assert len(times) == 2 and times[1] > 0


def test_ctrl_c_is_no_error(program):
    process = program.start(RUN_LONG.replace("'OFF'", "'ON'"))
    wait_for(program.directory / 'out' / 'out.h5')
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert re.fullmatch(r'\d+ steps in \S+ s; interrupted(; overlap at most .*)?', out.splitlines()[-1]), out
    assert err.splitlines()[-1] == 'solfec: interrupted'


@pytest.mark.parametrize('function', ['CALLBACK(solfec, 5E-3, None, interrupt)',
                                      "FORCE(solfec.bodies[1], 'SPATIAL', (0, 0, 0), (0, 0, 1), interrupt)"])
def test_ctrl_c_within_a_function_is_no_error(function, program):
    done = program.run(f"""
        import os, signal
        solfec = falling('out')
        def interrupt(*_):
            if solfec.time > 3E-3:
                os.kill(os.getpid(), signal.SIGINT)
            return [0] * 9
        {function}
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), 1)
        """)
    assert done.returncode == 130 and done.stderr == 'solfec: interrupted\n'
    assert re.fullmatch(r'\d+ steps in \S+ s; interrupted(; overlap at most .*)?',
                        done.stdout.splitlines()[-1]), done.stdout


@pytest.mark.parametrize('first, second', [(signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGTERM),
                                           (signal.SIGINT, signal.SIGTERM), (signal.SIGTERM, signal.SIGHUP)])
@pytest.mark.parametrize('pause', (0, 1E-3, 0.02))
def test_two_signals_are_one(first, second, pause, program):
    """The second one met the program while it left, and was an exception that nobody caught: a process that only
    SIGKILL ended."""
    process = program.start(RUN_LONG)
    wait_for(program.directory / 'out' / 'out.h5')
    time.sleep(0.1)
    process.send_signal(first)
    time.sleep(pause)
    process.send_signal(second)
    process.communicate(timeout=20)
    codes = {130 if number == signal.SIGINT else 128 + number for number in (first, second)}
    assert process.returncode in codes
    assert len(frame_times(program.directory / 'out')) == 2


def test_signals_without_end(program):
    """Many of them, more than a second apart too: it ends, by one of them."""
    process = program.start("""
        print('ready', flush=True)
        try:
            while True: pass
        finally:
            while True: pass
        """)
    process.stdout.readline()
    for _ in range(100):
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
        if process.poll() is not None:
            break
    process.communicate(timeout=20)
    assert process.returncode in (1, 130)


def test_nobody_reads_the_output(program):
    """A pipe that its reader has closed."""
    process = program.start("print('x' * 100000)", stdout=subprocess.PIPE)
    process.stdout.close()
    assert process.wait(timeout=20) == 1


def test_stop_file(program):
    process = program.start(RUN_LONG + "print('over at', solfec.time)\n")
    wait_for(program.directory / 'out' / 'out.h5')
    stop = program.directory / 'out' / 'STOP'
    stop.touch()
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0 and not stop.exists()
    times = frame_times(program.directory / 'out')
    assert len(times) == 2 and out.strip() == f'over at {times[1]}'


def test_killed_at_any_moment(program):
    """kill -9: the results open, every frame is whole, and all frames older than a second are there."""
    choose = random.Random(1)
    text = """
        import time
        solfec = falling('out', balls=60)
        solfec.verbose = 'OFF'
        OUTPUT(solfec, 0)
        log = open('log', 'w')
        def tell():
            log.write('%r %r\\n' % (time.time(), solfec.time))
            log.flush()
        CALLBACK(solfec, 1E-9, None, tell)
        print('running', flush=True)
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), 1E6)
        """
    for _ in range(20):
        process = program.start(text, before=['-w'])
        process.stdout.readline()
        time.sleep(choose.uniform(0.05, 2.0))
        process.kill()
        killed = time.time()
        process.communicate()
        out = program.directory / 'out'
        told = [tuple(map(float, line.split())) for line in (program.directory / 'log').read_text().splitlines()
                if len(line.split()) == 2]
        old = [t for clock, t in told[:-1] if clock < killed - 1.0]
        if not (out / 'out.h5').is_file():
            assert not old
            continue
        results = reader(out, balls=60)
        times = HISTORY(results, 'STEP', 0, DURATION(results)[1])[0]
        assert times[0] == 0 and set(old) <= set(times)
        # Whole: every frame loads, with all bodies and contacts.
        bodies, contacts = HISTORY(results, ['BODS', 'CONS'], 0, DURATION(results)[1])[1:]
        for k in sorted({0, len(times) - 1, *choose.sample(range(len(times)), min(5, len(times)))}):
            SEEK(results, times[k])
            assert results.time == times[k]
            assert len(results.bodies) == bodies[k] == 61 and len(results.constraints) == contacts[k]
            assert all(numpy.isfinite(b.conf).all() and numpy.isfinite(b.velo).all() for b in results.bodies[1:])
            assert all(numpy.isfinite(c.R).all() for c in results.constraints)


def through_terminal(program, text, seconds=60, columns=0, before=()):
    """What the program writes to a terminal; without columns it is one that does not tell its width."""
    try:
        master, slave = pty.openpty()
    except OSError:
        pytest.skip('this machine has no pseudo-terminals (/dev/pts)')
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
    process = program.start(text, before=[*before, '-w'], stdout=slave, stderr=slave)
    os.close(slave)
    output = b''
    end = time.time() + seconds
    while time.time() < end:
        if select.select([master], [], [], 0.1)[0]:
            try:
                chunk = os.read(master, 65536)
            except OSError:
                break
            if not chunk:
                break
            output += chunk
    os.close(master)
    assert process.wait(timeout=10) == 0, output
    return output.decode()


RUN_A_WHILE = """
    import time
    solfec = falling('out')
    solfec.verbose = '{verbose}'
    end = time.time() + {seconds}
    CALLBACK(solfec, 1E-3, None, lambda: time.time() < end)
    OUTPUT(solfec, 0)
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), 1000)
    """
LINE = (r' *\d+% \| time \S+ s \| step \S+ \| contacts \d+ \| iterations \d+ \| merit \S+ \| \S+ steps/s '
        r'\| left (\d+d )?\d\d:\d\d:\d\d')


def test_progress_on_a_terminal(program):
    text = through_terminal(program, RUN_A_WHILE.format(verbose='ON', seconds=1.3))
    rows = text.replace('\r\n', '\n').split('\n')
    assert re.match(r'out: 4 bodies \(1 obstacles, 3 rigid, 0 pseudo-rigid, 0 finite-element\), 18 degrees of freedom',
                    rows[0])
    updates = rows[1].split('\r')[1:]  # one line, rewritten
    assert 4 <= len(updates) <= 8
    assert all(re.fullmatch(LINE + ' *', update) for update in updates), updates
    assert re.fullmatch(r'\d+ steps in \S+ s; ended by the CALLBACK; overlap at most .*', rows[2])
    assert rows[3:] == ['']


@pytest.mark.parametrize('columns, parts', [
    (20, r' *\d+%( \| left \S+)?'), (60, r' *\d+% \| time \S+ s \|( contacts \d+ \|)?( merit \S+ \|)? left \S+')])
def test_progress_fits_the_terminal(program, columns, parts):
    text = through_terminal(program, RUN_A_WHILE.format(verbose='ON', seconds=0.6), columns=columns)
    updates = [update.rstrip() for update in text.replace('\r\n', '\n').split('\n')[1].split('\r')[1:]]
    assert len(updates) >= 2 and all(re.fullmatch(parts, update) and len(update) < columns
                                     for update in updates), updates


def test_progress_in_a_pipe(program):
    done = program.run(RUN_A_WHILE.format(verbose='ON', seconds=2.2))
    rows = done.stdout.splitlines()
    assert done.returncode == 0 and done.stderr == '' and '\r' not in done.stdout
    assert rows[0].startswith('out: 4 bodies')
    assert len(rows) == 4 and all(re.fullmatch(LINE, row) for row in rows[1:3]), rows  # after 1 s, and the last
    assert re.fullmatch(r'\d+ steps in \S+ s; ended by the CALLBACK; overlap at most .*', rows[3])


def test_verbose_percent(program):
    done = program.run(RUN_A_WHILE.format(verbose='%', seconds=1.5))
    assert all(re.fullmatch(r' *\d+% \| left (\d+d )?\d\d:\d\d:\d\d', row) for row in done.stdout.splitlines())
    assert 1 <= len(done.stdout.splitlines()) <= 2


def test_verbose_off(program):
    done = program.run(RUN_A_WHILE.format(verbose='OFF', seconds=0.3))
    assert done.stdout == '' and done.stderr == ''


def test_state_file(program):
    program.run(RUN_A_WHILE.format(verbose='OFF', seconds=0.3))
    rows = (program.directory / 'out' / 'STATE').read_text().splitlines()
    assert re.fullmatch(r'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d', rows[0])
    assert re.fullmatch(r'Estimated end in \d+ days, \d+ hours, \d+ minutes and \d+ seconds', rows[1])
    last = frame_times(program.directory / 'out')[-1]
    assert rows[2] == f'TIME: {last:g}' and rows[3] == 'BODIES: 4' and rows[4] == 'BOXES: 4'
    assert re.fullmatch(r'CONSTRAINTS: \d+', rows[5]) and re.fullmatch(r'SPARSIFIED: \d+', rows[6])
    shares = re.findall(r'([A-Z]{6}): (\d+)%', rows[7])
    assert [name for name, _ in shares] == ['TIMINT', 'CONUPD', 'CONDET', 'LOCDYN', 'CONSOL', 'PARBAL']
    assert 97 <= sum(int(share) for _, share in shares) <= 103 and len(rows) == 8


def test_full_disk(program):
    """Limited file sizes stand for a full disk: one message, and what was written before can be read."""
    done = program.run("""
        import resource
        solfec = falling('out')
        solfec.verbose = 'OFF'
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), 0.1)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), 1000)
        """)
    assert done.returncode == 1
    assert re.fullmatch(r"RuntimeError: RUN: cannot write '.*/out/out\.frames-[-\d]+\.h5': File too large",
                        done.stderr.splitlines()[-1]), done.stderr
    assert 'During handling' not in done.stderr
    assert not list((program.directory / 'out').glob('*part'))
    times = frame_times(program.directory / 'out')
    assert len(times) >= 101 and abs(times[100] - 0.1) < 1E-9


def test_directory_that_cannot_be_made(program):
    (program.directory / 'file').write_text('')
    done = program.run("""
        solfec = falling('file/out')
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), 0.1)
        """)
    assert done.returncode == 1 and 'file/out' in done.stderr.splitlines()[-1]
    assert done.stderr.splitlines()[-1].startswith('RuntimeError: RUN: cannot create the output directory')


def test_damaged_results(program):
    program.run("""
        solfec = falling('out')
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), 0.01)
        """)
    segment = min((program.directory / 'out').glob('*.frames-*'))
    segment.write_bytes(segment.read_bytes()[:1000])
    with pytest.raises(RuntimeError, match="the results file '.*frames-.*' is damaged"):
        frame_times(program.directory / 'out')
    segment.unlink()
    with pytest.raises(RuntimeError, match="cannot read '.*frames-.*': No such file or directory"):
        frame_times(program.directory / 'out')


def test_two_runs_are_bitwise_equal(program):
    text = """
        import hashlib, struct, sys
        solfec = falling('out', balls=10)
        solfec.verbose = 'OFF'
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), 0.5)
        state = [x for b in solfec.bodies[1:] for x in b.conf + b.velo] + [x for c in solfec.constraints for x in c.R]
        print(solfec.ncon, hashlib.sha256(struct.pack('%dd' % len(state), *state)).hexdigest())
        """
    first, second = (program.run(text, before=['-w']).stdout for _ in range(2))
    assert first == second and int(first.split()[0]) > 0


# Messages are passed by one user with few cores here: root, more ranks than cores, no busy waiting.
MPI = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_rmaps_base_oversubscribe': '1',
       'OMPI_MCA_mpi_yield_when_idle': '1'}
needs_mpi = pytest.mark.skipif(not (BUILD / 'bin/solfec-mpi').is_file(), reason='solfec-mpi is not built')


def mpirun(program, monkeypatch, ranks, words, executable='solfec-mpi'):
    for name, value in MPI.items():
        monkeypatch.setenv(name, value)
    several = Program(program.directory)
    several.executable = 'mpirun'
    return several.run_words('-np', str(ranks), str(BUILD / 'bin' / executable), *words, timeout=100)


@needs_mpi
@pytest.mark.parametrize('where', ['file', 'terminal'])
def test_progress_of_ranks(program, monkeypatch, where):
    """mpirun makes a terminal for its ranks wherever its own output goes: into a file go plain lines."""
    for name, value in MPI.items():
        monkeypatch.setenv(name, value)
    program.executable = 'mpirun'
    before = ['-np', '2', str(BUILD / 'bin/solfec-mpi')]
    script = RUN_A_WHILE.format(verbose='ON', seconds=1.3)
    if where == 'terminal':
        text = through_terminal(program, script, columns=60, before=before)
        updates = [update.rstrip() for update in text.split('\r') if '| left' in update]
        assert len(updates) >= 3 and all(len(update) < 60 for update in updates), text
    else:
        with open(program.directory / 'log', 'w') as log:
            assert program.start(script, before=[*before, '-w'], stdout=log, stderr=log).wait(timeout=60) == 0
        text = (program.directory / 'log').read_text()
        assert '\r' not in text and '\x1b' not in text and re.search('^' + LINE + '$', text, re.M), text


@needs_mpi
def test_serial_program_on_ranks(program, monkeypatch):
    (program.directory / 'script.py').write_text('print("runs")')
    done = mpirun(program, monkeypatch, 2, ['script.py'], 'solfec')
    assert done.returncode == 2 and 'runs' not in done.stdout
    assert [line for line in done.stderr.splitlines() if line.startswith('solfec')] == [
        'solfec: started on 2 ranks that pass no messages; use solfec-mpi, and the mpirun of its own MPI']


@needs_mpi
def test_solfec_mpi_on_one_rank(program, monkeypatch):
    text = """
        solfec = falling('out')
        solfec.verbose = 'OFF'
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100, 1E-9), 0.3)
        print([b.conf + b.velo for b in solfec.bodies[1:]], [c.R for c in solfec.constraints], RANK(), NCPU())
        """
    serial = program.run(text)
    assert serial.returncode == 0, serial.stderr
    times = frame_times(program.directory / 'out')
    one = mpirun(program, monkeypatch, 1, ['-w', 'script.py'])
    assert one.returncode == 0 and one.stdout == serial.stdout, one.stderr
    assert frame_times(program.directory / 'out') == times  # serial solfec reads what solfec-mpi wrote
