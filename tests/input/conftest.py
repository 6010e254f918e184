"""A model in two lines, and what all tests share."""

import itertools
import json
import pathlib
import subprocess
import sys
import textwrap

import pytest

import solfec
from solfec import *
from solfec.results import Results

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
from interrupted import FALLING  # noqa: E402

# The package stands in <build>/python/solfec, the programs in <build>/bin.
BUILD = pathlib.Path(solfec.__file__).absolute().parents[2]


@pytest.fixture(autouse=True)
def own_directory(tmp_path, monkeypatch):
    """Every test writes to a directory of its own, and leaves process-wide settings as they were."""
    monkeypatch.chdir(tmp_path)
    yield
    solfec.configure()
    GEOMETRIC_EPSILON(1E-6)
    WARNINGS('ON')


def box(low, high, surface=1):
    """A polyhedron between two corners."""
    ends = low, high
    return HULL([c for i in range(8) for c in (ends[i & 1][0], ends[i >> 1 & 1][1], ends[i >> 2][2])], 1, surface)


def cube(x=0.0, y=0.0, z=0.0, side=1.0, surface=1):
    """A cube whose lowest corner is at (x, y, z)."""
    return box((x, y, z), (x + side, y + side, z + side), surface)


class Model:
    """A ball of radius 1 (and mass 1000 * 4/3 pi) that overlaps an obstacle with its top at z = 0."""

    def __init__(self, output, mode_step=1E-3, drop=-0.001):
        self.solfec = SOLFEC('DYNAMIC', mode_step, output)
        self.solfec.verbose = 'OFF'
        self.material = BULK_MATERIAL(self.solfec, label='stuff')
        self.surface = SURFACE_MATERIAL(self.solfec, 1, 2, friction=0.5, label='skin')
        GRAVITY(self.solfec, (0, 0, -10))
        self.floor = BODY(self.solfec, 'OBSTACLE', cube(-5, -5, -10, 10, 1), self.material, 'floor')
        self.ball = BODY(self.solfec, 'RIGID', SPHERE((0, 0, 1 + drop), 1, 3, 2), self.material, 'ball')
        self.solver = GAUSS_SEIDEL_SOLVER(1E-6, 100, 1E-10)

    def run(self, steps=1):
        RUN(self.solfec, self.solver, steps * self.solfec.step)
        return self

    @property
    def contact(self):
        """The contact of ball and floor, after a step."""
        if self.solfec.ncon == 0:
            self.run()
        return self.solfec.constraints[0]


@pytest.fixture
def new_model(tmp_path):
    """Makes models, each with a results directory of its own."""
    number = itertools.count()
    return lambda **options: Model(str(tmp_path / f'model{next(number)}'), **options)


@pytest.fixture
def model(new_model):
    return new_model()


@pytest.fixture
def free(new_model):
    """A ball in the air without gravity."""
    model = new_model(drop=50)
    GRAVITY(model.solfec, (0, 0, 0))
    return model


# For scripts of kill_and_resume: the run of a SOLFEC object ends by the word 'kill', half way to 0.1 s.
KILLED = """
def killed(s):
    import os, signal, sys
    if s.time > 0.05 and 'kill' in sys.argv:
        HISTORY(s, 'STEP', 0, 1)  # what has been computed is written
        os.kill(os.getpid(), signal.SIGKILL)
"""


class Program:
    """Runs scripts with the program, each in a fresh process, in the directory of the test."""

    def __init__(self, directory, executable='solfec'):
        self.directory = directory
        self.executable = str(BUILD / 'bin' / executable)

    def command(self, script, *words, before=()):
        path = self.directory / 'script.py'
        used = [text for name, text in (('falling', FALLING), ('killed', KILLED)) if name in script]
        path.write_text(''.join(used) + textwrap.dedent(script))
        return [self.executable, *before, path.name, *words]

    def run(self, script, *words, before=(), timeout=60):
        return self.run_words(*self.command(script, *words, before=before)[1:], timeout=timeout)

    def run_words(self, *words, timeout=60):
        return subprocess.run([self.executable, *words], cwd=self.directory, capture_output=True, text=True,
                              timeout=timeout, stdin=subprocess.DEVNULL)

    def kill_and_resume(self, script):
        """After a whole run of the script: with the word 'kill', where KILLED is called back, and on with -c.
        It ends as the whole run, to the last bit. Returns the process that has gone on."""
        (self.directory / 'whole').mkdir()
        (self.directory / 'out').rename(self.directory / 'whole' / 'out')
        assert self.run(script, 'kill').returncode == -9
        resumed = self.run(script, before=['-c'])
        assert resumed.returncode == 0, resumed.stderr
        again, wanted = (Results(str(self.directory / name)).frame(-1) for name in ('out', 'whole/out'))
        assert again.time == wanted.time
        for a, b in zip(again.bodies, wanted.bodies):
            assert (a.center == b.center).all() and (a.velocity == b.velocity).all()
        assert (again.joints['R'] == wanted.joints['R']).all()
        return resumed

    def start(self, script, *words, before=(), **options):
        return subprocess.Popen(self.command(script, *words, before=before), cwd=self.directory,
                                **{'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, 'text': True, **options})


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path)


exec(FALLING)


@pytest.fixture
def solve(tmp_path):
    """Runs solfec-solve; returns its exit code, the objects it prints, and its complaints."""
    def run(*words):
        done = Program(tmp_path, 'solfec-solve').run_words(*map(str, words))
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr
    return run
