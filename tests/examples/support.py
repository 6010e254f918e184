"""What the tests of examples, documents and tools share."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM, PYTHON = os.environ['SOLFEC_PROGRAM'], os.environ['SOLFEC_PYTHON']


def solfec(*words, cwd, code=0, converges=True):
    """Runs the program and returns what it printed."""
    return checked([PROGRAM, *map(str, words)], cwd, code, converges)


def python(*words, cwd, code=0):
    """Runs an ordinary Python, which finds the package, and returns what it printed."""
    return checked([PYTHON, *map(str, words)], cwd, code)


def checked(command, cwd, code, converges=True):
    # The time limit is that of ctest, which knows of sanitizers and ends what a test has started.
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == code, '%s ended with %d:\n%s' % (' '.join(command), done.returncode, done.stdout)
    if converges:
        assert_converged(done.stdout)
    return done.stdout


def assert_converged(printed):
    """No example and no script of the documents has a step that has not converged."""
    assert 'not converged' not in printed, printed
