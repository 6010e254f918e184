"""Models for scripts on several ranks, in place of ranks.HEAD, that take some seconds. They know `tell` as it does."""

import pathlib
import shutil

import pytest
from ranks import HEAD, start

BENCHMARKS = pathlib.Path(__file__).resolve().parents[1] / 'benchmark'
TELL = 'told = {}\n' + HEAD[HEAD.index('def tell'):HEAD.index('def run')]


def start_model(directory, ranks, script, *words):
    """A script with its model."""
    return start(directory, ranks, script, *words, timeout=240, head='')


# Before models of bodies that words on the command line may ask to be solved to another tolerance.
BEGINNING = f"""\
import itertools, json, math, os, signal, sys
{TELL}
words = [word for word in NON_SOLFEC_ARGV() or [] if word not in ('half', 'second')]
tolerance = (words + ['1E-12'])[0]
def corners(x, y, z, a, b, c):
    return [x, y, z, x+a, y, z, x+a, y+b, z, x, y+b, z, x, y, z+c, x+a, y, z+c, x+a, y+b, z+c, x, y+b, z+c]
def states():
    return {{body.id: body.conf for body in bodies if HERE(s, body)}}
"""

# Every shape, each rigid and pseudo-rigid, crowded so that all touch several others, on a floor.
PILE = f"""\
import json, sys
sys.path.insert(0, {str(BENCHMARKS)!r})
import scenes
{TELL}
s = SOLFEC('DYNAMIC', 1E-4, 'out')
s.verbose, s.contact_points = 'OFF', 'MANY'
WARNINGS('OFF')  # of bodies in each other
GRAVITY(s, (0, 0, -10))
m = BULK_MATERIAL(s, young=1E6, density=100)
SURFACE_MATERIAL(s, model='SPRING_DASHPOT', friction=0.4, spring=1E5, dashpot=10)
BODY(s, 'OBSTACLE', scenes.block((-5, -5, -1), (5, 5, 0)), m)
random = scenes.Random(3)
for n in range(24):
    center = (0.7 * (n % 4), 0.7 * (n // 4 % 3), 0.35 + 0.7 * (n // 12))
    shape = scenes.mixed_shape(n % 6, center, random)
    b = BODY(s, ('RIGID', 'PSEUDO_RIGID')[n // 6 % 2], shape, m)
    velocities = [random.uniform(-1, 1) for k in range(6)]
    INITIAL_VELOCITY(b, velocities[:3], velocities[3:])
    if b.kind == 'PSEUDO_RIGID':
        b.scheme = ('DEF_LIM', 'DEF_EXP')[n % 2]
solver = PENALTY_SOLVER()
"""

# Ellipsoids fall in a turning drum with two fins, and mix; space is divided anew all the time. Words of the
# script: 'penalty' or the tolerance of Gauss-Seidel, the number of steps, a disturbance of the first positions.
DRUM = f"""\
import json, os, signal, sys
{TELL}
words = NON_SOLFEC_ARGV() or []
kind, steps, disturbance = (words + ['penalty', '500', '0'][len(words):])[:3]
steps = int(steps)
s = SOLFEC('DYNAMIC', 1E-3, 'out')
s.verbose = 'OFF'
OUTPUT(s, 0.01)
GRAVITY(s, (0, 0, -10))
IMBALANCE_TOLERANCE(s, 1.05)
m = BULK_MATERIAL(s, young=1E6, density=100)
if kind == 'penalty':
    SURFACE_MATERIAL(s, model='SPRING_DASHPOT', friction=0.3, spring=2E4, dashpot=20)
    solver = PENALTY_SOLVER()
else:
    SURFACE_MATERIAL(s, friction=0.3)
    solver = GAUSS_SEIDEL_SOLVER(float(kind), 1000, float(kind))

def box(center, size):
    return HULL([c + (d / 2 if high else -d / 2) for i in range(8)
                 for c, d, high in zip(center, size, (i & 1, i & 2, i & 4))], 1, 1)

drum = BODY(s, 'OBSTACLE', [PIPE((0, 0, 0), (0, 0.5, 0), 1, 0.05, 1, 16, 1, 1, [1, 1, 1, 1]),
                            box((-0.9, 0.25, 0), (0.2, 0.5, 0.2)), box((0.9, 0.25, 0), (0.2, 0.5, 0.2))], m)
INITIAL_VELOCITY(drum, (0, 0, 0), (0, 4, 0))
for y in (-0.05, 0.55):
    BODY(s, 'OBSTACLE', box((0, y, 0), (3, 0.1, 3)), m)
obstacles = s.nbod
grains = []
for n in range(48):
    x, y, z = (0.21 * (n % 6 - 2.5), 0.07 + 0.12 * (n // 6 % 4), 0.24 * (n // 24) - 0.6)
    shape = ELLIP((x + float(disturbance) * (n + 1) / 48, y, z), (0.09, 0.055, 0.11), 1, 1)
    grains.append(BODY(s, ('RIGID', 'PSEUDO_RIGID')[n % 2], shape, m, f'grain{{n}}'))
    INITIAL_VELOCITY(grains[-1], (0.1 * (5 * n % 7 - 3), 0.1 * (3 * n % 5 - 2), -1), (0, 0, 0))
    if n % 2:
        grains[-1].scheme, grains[-1].damping = 'DEF_LIM', s.step
"""

# A row of glued blocks, each one's neighbours on other ranks, falls aslant on a floor and breaks.
GLUED = f"""\
import json, sys
{TELL}
s = SOLFEC('DYNAMIC', 5E-4, 'out')
s.verbose, s.contact_points = 'OFF', 'MANY'
OUTPUT(s, 0.005)
GRAVITY(s, (0, 0, -10))
m = BULK_MATERIAL(s, young=1E6)
SURFACE_MATERIAL(s, cohesion=3E5, friction=0.5, fracture_energy=10)

def box(low, size):
    return HULL([c + d * (i >> k & 1) for i in range(8) for k, (c, d) in enumerate(zip(low, size))], 1, 1)

BODY(s, 'OBSTACLE', box((-20, -20, -1), (40, 40, 1)), m)
for k in range(9):
    block = BODY(s, ('RIGID', 'PSEUDO_RIGID')[k % 2], box((0.998 * k - 4.5, -0.5, 0.03), (0.999, 1, 1)), m)
    INITIAL_VELOCITY(block, (0.5, 0, 0.1 * k - 1), (0, 0, 0))
    if k % 2:
        block.scheme = 'DEF_LIM'
solver = GAUSS_SEIDEL_SOLVER(1E-6, 500, 1E-6)
"""


def merged(told, name):
    """What each body's owner has told, by number; every body has one owner."""
    result = {}
    for rank in told:
        assert not result.keys() & rank[name].keys()
        result.update(rank[name])
    return result


def rows_of(path):
    """A dump of the local dynamics but for U and R, which depend on the order of sweeps."""
    return '\n'.join(line for line in path.read_text().splitlines() if line[:3] not in ('  U', '  R'))


def assert_same_rows(head, ranks, tmp_path, rows, blocks, *words):
    """The local dynamics of the first step, more than so many rows and blocks of W, are the same to the last bit."""
    texts = []
    for n in ranks:
        directory = tmp_path / str(n)
        directory.mkdir()
        start(directory, n, "RUN(s, solver, s.step); LOCDYN_DUMP(s, 'dump')", *words, head=head).well()
        texts.append(rows_of(directory / 'dump'))
    assert texts[0].count('row ') > rows and texts[0].count('  W ') > blocks
    assert all(text == texts[0] for text in texts)


def assert_motion_of_one_rank(script, ranks, tmp_path, *words, bodies, constraints, tolerance=1E-7):
    """The script tells `states` of so many bodies, and `ncon`, which is above `constraints`. Returns all that is told,
    for each number of ranks."""
    wanted, all_told = None, []
    for n in ranks:
        directory = tmp_path / str(n)
        directory.mkdir()
        told = start_model(directory, n, script, *words).well()
        states = merged(told, 'states')
        assert len(states) == bodies and all(rank['ncon'] > constraints for rank in told)
        wanted = wanted or states
        for body, conf in states.items():
            assert conf == pytest.approx(wanted[body], abs=tolerance)
        all_told.append(told)
    return all_told


def assert_goes_on(head, ranks, others, tmp_path, first, second, tolerance=1E-7):
    """A run that ends after the first of two RUNs (word 'half') goes on: on as many ranks to the last bit, on others
    within the solver's tolerance."""
    script = head + f"""
RUN(s, solver, {first})
if 'half' in sys.argv:
    sys.exit(0)
RUN(s, solver, {second})
tell(states=states())
"""
    (tmp_path / 'whole').mkdir()
    wanted = merged(start_model(tmp_path / 'whole', ranks, script).well(), 'states')
    start_model(tmp_path, ranks, script, 'half').well()
    for other in others:
        directory = tmp_path / str(other)
        directory.mkdir()
        shutil.copytree(tmp_path / 'out', directory / 'out')
        states = merged(start_model(directory, other, script, '-c').well(), 'states')
        if other == ranks:
            assert states == wanted
        for body, conf in states.items():
            assert conf == pytest.approx(wanted[body], abs=tolerance)
