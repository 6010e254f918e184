"""A small model for tests of the page, and its server as a user starts it."""

import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'examples'))

from support import PROGRAM, PYTHON, ROOT, python, solfec  # noqa: E402, F401, for the tests

EVIL = '</script><img src=x onerror="window.broken=1">'  # a label that is markup

# A floor, and in a row along x: ball, grain, stone, mesh. The ball's label is markup. All stand on the floor.
SCRIPT = '''
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/scene')
OUTPUT(solfec, 0.01)
GRAVITY(solfec, (0, 0, -9.81))
SURFACE_MATERIAL(solfec, friction=0.3)
soft = BULK_MATERIAL(solfec, label='soft', young=2E6, poisson=0.3, density=1000)
box = lambda a, b, c, x, y, z, s: HULL([a, b, c, x, b, c, x, y, c, a, y, c, a, b, z, x, b, z, x, y, z, a, y, z], 1, s)
BODY(solfec, 'OBSTACLE', box(-3, -1, -0.2, 3, 1, 0, 1), soft, label='floor')
ball = BODY(solfec, 'RIGID', SPHERE((-2, 0, 0.4), 0.4, 1, 2), soft, label=%r)
BODY(solfec, 'PSEUDO_RIGID', ELLIP((-0.7, 0, 0.3), (0.4, 0.2, 0.3), 1, 2), soft, label='grain')
stone = BODY(solfec, 'RIGID', box(0.3, -0.3, 0, 0.9, 0.3, 0.6, 5), soft, label='stone')
INITIAL_VELOCITY(stone, (0, 1, 0), (0, 0, 0))
nodes = [1.4, -0.3, 0, 2, -0.3, 0, 2, 0.3, 0, 1.4, 0.3, 0, 1.4, -0.3, 0.6, 2, -0.3, 0.6, 2, 0.3, 0.6, 1.4, 0.3, 0.6]
BODY(solfec, 'FINITE_ELEMENT', HEX(nodes, 2, 2, 2, 3, [4, 4, 4, 4, 4, 4]), soft, label='mesh', form='TL')
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 500), 0.05)
''' % EVIL


def run_model(directory):
    (directory / 'scene.py').write_text(SCRIPT)
    solfec('scene.py', cwd=directory)
    return directory / 'out/scene'


class Served:
    """python3 -m solfec.page RESULTS, until the end of a with statement: by Ctrl-C, as a user ends it."""

    def __init__(self, results, *options):
        self.process = subprocess.Popen([PYTHON, '-m', 'solfec.page', str(results), *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, preexec_fn=_hear_interrupts)
        line = self.process.stdout.readline()
        assert 'http://' in line, line + self.process.stderr.read()
        self.first_line, self.address = line, line.split()[-1]

    def stop(self):
        """Ends it; returns its code and what it said on stderr."""
        self.process.send_signal(signal.SIGINT)
        errors = self.process.communicate(timeout=20)[1]
        return self.process.returncode, errors

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.stop()


def _hear_interrupts():
    # A shell that starts tests in the background has them ignore interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def running(script, directory):
    """The program, running in the background."""
    (directory / 'going.py').write_text(script)
    return subprocess.Popen([PROGRAM, 'going.py'], cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT,
                            env={**os.environ})
