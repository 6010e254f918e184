"""Makes a library of contact problems from runs of models of all kinds, to compare solvers on.

    build/bin/solfec -w tests/benchmark/problem_library.py DIRECTORY [name, kind or 'large' ...]

Runs the models of the table below with AUTO_SOLVER and writes the contacts of some of their steps with FCLIB_DUMP, as
DIRECTORY/MODEL-STEP.hdf5. A line is printed for each file, and at the end the numbers of each kind.
DIRECTORY/library.csv lists the files: name (that of the file without its ending), kind, contacts, bodies (that move),
step. Without names or kinds all models but the large ones are run; those are run when they are named, or by the word
'large'. Files that are listed and exist are kept, and a model that has all of its files is not run: after an
interruption, the same command goes on.

Files hold no reactions, so solvers start from R = 0; in a run they start from the reactions of the step before. They
are in the global form, in which solvers sweep as they do in runs, and which is smaller for rigid bodies; with finite
elements in the local one. The models have no joints.

docs/evidence/solver_profile.py compares solvers on the files.
"""

import csv
import os
import pathlib
import sys
from math import cos, pi, sin

import scenes
from scenes import Random, block, open_box, start

from solfec import *

# Name, kind, function that makes the model, steps whose problems are written. Balls are spheres and ellipsoids.
MODELS = [
    ('spheres_27', 'balls', lambda name: spheres(name, 3, 3), (150, 300, 600)),
    ('spheres_256', 'balls', lambda name: spheres(name, 8, 4, friction=0.8), (150, 300, 600)),
    ('unequal_spheres_360', 'balls', lambda name: spheres(name, 6, 10, smallest=0.2), (250, 500, 1000)),
    ('dropped_spheres', 'balls', lambda name: scenes.SCENES[name]()[0], (150, 250, 500)),
    ('bed_48', 'balls', lambda name: bed(name, 4, 3, 0.75), (50, 300)),
    ('bed_720', 'balls', lambda name: bed(name, 6, 20, 0.72), (50, 300, 600)),
    ('bed_1000', 'balls', lambda name: bed(name, 10, 10, 0.78), (50, 200, 500)),
    ('pile_1000', 'balls', lambda name: scenes.SCENES[name]()[0], (50, 300)),
    ('drum_300', 'balls', lambda name: scenes.full_drum(300, 150, 200, 200)[0], (150, 400, 800)),
    ('drum_1000', 'balls', lambda name: scenes.SCENES[name]()[0], (100, 200)),
    ('hulls_27', 'polyhedra', lambda name: hulls(name, 3, 3, 0.5), (500, 1000, 2000)),
    ('hulls_200', 'polyhedra', lambda name: hulls(name, 5, 8, 0.5), (500, 1500, 2500)),
    ('hulls_216', 'polyhedra', lambda name: hulls(name, 6, 6, 1.0), (500, 1500, 2500)),
    ('logs_30', 'polyhedra', lambda name: logs(name, 3, 10), (5, 250)),
    ('logs_160', 'polyhedra', lambda name: logs(name, 8, 20), (5, 250)),
    ('mixed_27', 'mixed', lambda name: scenes.mixed_shapes(3, 3, name=name)[0], (500, 1000, 2000)),
    ('mixed_360', 'mixed', lambda name: scenes.mixed_shapes(6, 10, name=name)[0], (1000, 2000, 3000)),
    ('mixed_shapes', 'mixed', lambda name: scenes.SCENES[name]()[0], (300, 700, 1000)),
    ('tower_10', 'masonry', lambda name: tower(name, 10, 0.01, 'ONE'), (5,)),
    ('tower_20', 'masonry', lambda name: tower(name, 20, 0.02), (5, 250)),
    ('tower_30', 'masonry', lambda name: tower(name, 30, 0.005, 'ONE'), (5, 250)),
    ('tower_60', 'masonry', lambda name: tower(name, 60, 0.004), (5, 250)),
    ('wall_6x12', 'masonry', lambda name: wall(name, 6, 12, 0.4, points='ONE'), (5, 150, 250)),
    ('wall_12x6', 'masonry', lambda name: wall(name, 12, 6, 0.8), (5, 150, 250)),
    ('wall_4x25', 'masonry', lambda name: wall(name, 4, 25, 0.6), (5, 150, 250)),
    ('wall_of_long_bricks', 'masonry', lambda name: wall(name, 6, 10, 0.5, brick=(1, 0.2, 0.1)), (5, 150, 250)),
    ('wall_of_bricks', 'masonry', lambda name: scenes.SCENES[name]()[0], (5,)),
    ('pyramid_5', 'masonry', lambda name: pyramid(name, 5, 0.5), (5, 250)),
    ('pyramid_12', 'masonry', lambda name: pyramid(name, 12, 0.3), (5, 250)),
    ('arch_16', 'masonry', lambda name: vault(name, 16, 1), (5, 250)),
    ('vault_200', 'masonry', lambda name: vault(name, 20, 10), (5, 150, 250)),
    ('cubes_8', 'finite_elements', lambda name: scenes.shaken_cubes(2)[0], (100, 200, 400)),
    ('cubes_27', 'finite_elements', lambda name: scenes.SCENES[name]()[0], (100, 200, 400)),
    ('cubes_216', 'finite_elements', lambda name: scenes.SCENES[name]()[0], (200, 400)),
    ('elastic_arch_16', 'finite_elements', lambda name: vault(name, 16, 1, 'FINITE_ELEMENT'), (5, 250)),
    ('elastic_logs_30', 'finite_elements', lambda name: logs(name, 3, 10, 'FINITE_ELEMENT'), (5, 150)),
    ('elastic_wall_6x6', 'finite_elements', lambda name: wall(name, 6, 6, 0.6, kind='FINITE_ELEMENT'), (5, 250)),
    ('pseudo_rigid_spheres_64', 'pseudo_rigid', lambda name: spheres(name, 4, 4, kind='PSEUDO_RIGID'), (150, 300, 600)),
    ('pseudo_rigid_spheres_500', 'pseudo_rigid', lambda name: spheres(name, 10, 5, 0.5, kind='PSEUDO_RIGID'),
     (300, 600, 1200)),
    ('pseudo_rigid_hulls_64', 'pseudo_rigid', lambda name: hulls(name, 4, 4, 0.5, 'PSEUDO_RIGID'), (1000, 2000)),
    ('pseudo_rigid_tower_20', 'pseudo_rigid', lambda name: tower(name, 20, 0.02, kind='PSEUDO_RIGID'), (5, 250)),
    ('pseudo_rigid_wall_6x6', 'pseudo_rigid', lambda name: wall(name, 6, 6, 0.6, kind='PSEUDO_RIGID'), (5, 250)),
]
LARGE = [
    ('pile_10000', 'balls', lambda name: scenes.SCENES[name]()[0], (60, 300)),
    ('bed_50000', 'balls', lambda name: bed(name, 112, 4, 0.705), (100, 150)),
    ('hulls_1000', 'polyhedra', lambda name: hulls(name, 10, 10, 0.5), (1500, 3000)),
    ('mixed_2000', 'mixed', lambda name: scenes.mixed_shapes(20, 5, name=name)[0], (1000, 2000)),
    ('wall_40x25', 'masonry', lambda name: wall(name, 40, 25, 0.6), (5, 150)),
    ('cubes_1000', 'finite_elements', lambda name: scenes.shaken_cubes(10)[0], (200, 400)),
]


def add(solfec, kind, shape, material, **options):
    """A body; one that deforms is damped."""
    body = BODY(solfec, kind, shape, material, **options)
    if kind != 'RIGID':
        body.scheme, body.damping = 'DEF_LIM', solfec.step


def add_stone(solfec, kind, corners, material, elements=(1, 1, 1)):
    """A body with eight corners in the order of HEX: a hull, or a mesh if it is of finite elements."""
    if kind == 'FINITE_ELEMENT':
        add(solfec, kind, HEX(corners, *elements, 1, [1] * 6), material, form='BC')
    else:
        add(solfec, kind, HULL(corners, 1, 1), material)


def corners_of(low, size):
    """Corners of a box, in the order of HEX."""
    (x, y, z), (a, b, c) = low, size
    return [v for h in (z, z + c) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)) for v in (x + a * i, y + b * j, h)]


def model(name, step, friction, kind='RIGID', young=1E9):
    """SOLFEC object and material; bodies that deform have a modulus."""
    solfec, rigid = start(name, step, friction)
    if kind == 'RIGID':
        return solfec, rigid
    return solfec, BULK_MATERIAL(solfec, label='elastic', young=young, poisson=0.25, density=1000)


def on_floor(name, friction, kind='RIGID', points='MANY'):
    """The same with a floor, for masonry: at rest for 0.1 s, then shaken along x at 2 Hz, with up to 3.8 m/s^2."""
    solfec, material = model(name, 1E-3, friction, kind)
    solfec.contact_points = points
    floor = BODY(solfec, 'OBSTACLE', block((-50, -50, -1), (50, 50, 0)), material)
    times = [0.001 * k for k in range(1001)]
    SET_VELOCITY(floor, floor.center, (1, 0, 0),
                 TIME_SERIES([x for t in times for x in (t, 0.3 * sin(4 * pi * max(0, t - 0.1)))]))
    return solfec, material


def spheres(name, columns, layers, smallest=1.0, friction=0.3, kind='RIGID'):
    """Spheres dropped into an open box; `smallest` is the ratio of the smallest radius to the largest."""
    solfec, material = model(name, 1E-3, friction, kind, young=1E7)
    random = Random(4)
    half = 0.525 * columns + 0.05
    open_box(solfec, material, half, half, 1.05 * layers + 1)
    for k in range(layers):
        for j in range(columns):
            for i in range(columns):
                x, y = (1.05 * (n - 0.5 * (columns - 1)) + random.uniform(-0.02, 0.02) for n in (i, j))
                ball = SPHERE((x, y, 0.55 + 1.05 * k), 0.5 * random.uniform(smallest, 1), 1, 1)
                add(solfec, kind, ball, material)
    return solfec


def bed(name, columns, layers, rise):
    """Spheres in layers, each in the hollows of the layer below."""
    return scenes.bed_of_spheres(columns, columns, layers, name=name, rise=rise)[0]


def hulls(name, columns, layers, friction, kind='RIGID'):
    """Hulls of twelve random points on a sphere, dropped into an open box."""
    solfec, material = model(name, 5E-4, friction, kind, young=1E7)
    random = Random(columns)
    half = 0.55 * columns
    open_box(solfec, material, half, half, 1.1 * layers + 1)
    for k in range(layers):
        for j in range(columns):
            for i in range(columns):
                center = (-half + 0.55 + 1.1 * i, -half + 0.55 + 1.1 * j, 0.55 + 1.1 * k)
                add(solfec, kind, scenes.random_hull(center, 0.5, 12, random), material)
    return solfec


def logs(name, columns, layers, kind='RIGID'):
    """Square logs in crossed layers: each lies on all of the layer below."""
    solfec, material = on_floor(name, 0.5, kind)
    for k in range(layers):
        for i in range(columns):
            along = k % 2
            low, size = [-0.1, -0.1, 0.2 * k], [0.4 * columns, 0.4 * columns, 0.2]
            low[along], size[along] = 0.4 * i, 0.2
            add_stone(solfec, kind, corners_of(low, size), material, (1, 4, 1) if along == 0 else (4, 1, 1))
    return solfec


def tower(name, levels, lean, points='MANY', kind='RIGID'):
    """Cubes, each moved by `lean` against the one below."""
    solfec, material = on_floor(name, 0.5, kind, points)
    for k in range(levels):
        add_stone(solfec, kind, corners_of((lean * k, 0, k), (1, 1, 1)), material)
    return solfec


def wall(name, columns, rows, friction, points='MANY', brick=(1, 0.5, 0.5), kind='RIGID'):
    """A wall in running bond, one brick thick."""
    solfec, material = on_floor(name, friction, kind, points)
    for k in range(rows):
        for i in range(columns):
            add_stone(solfec, kind, corners_of((brick[0] * (i + 0.5 * (k % 2)), 0, brick[2] * k), brick), material)
    return solfec


def pyramid(name, rows, friction):
    """Cubes in rows, each row on the gaps of the one below."""
    solfec, material = on_floor(name, friction)
    for k in range(rows):
        for i in range(rows - k):
            add_stone(solfec, 'RIGID', corners_of((1.02 * i + 0.51 * k, 0, k), (1, 1, 1)), material)
    return solfec


def vault(name, stones, rings, kind='RIGID'):
    """A semicircular arch of stones in rings side by side, in running bond along the vault."""
    solfec, material = on_floor(name, 0.7, kind)
    inner, outer, width = 0.925, 1.075, 0.3
    for k in range(stones):
        for ring in range(rings):
            y = width * (ring + 0.5 * (k % 2) * (rings > 1))
            edges = [(r * cos(pi * joint / stones), r * sin(pi * joint / stones))
                     for r, joint in ((inner, k), (outer, k), (outer, k + 1), (inner, k + 1))]
            corners = [v for side in (y, y + width) for x, z in edges for v in (-x, side, z)]
            add_stone(solfec, kind, corners, material)
    return solfec


FIELDS = ['name', 'kind', 'contacts', 'bodies', 'step']


class Library:
    """A directory with files of problems, and the list of them."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.list = self.directory / 'library.csv'
        self.rows = {}
        if self.list.exists():
            with open(self.list, newline='', encoding='utf-8') as file:
                self.rows = {row['name']: row for row in csv.DictReader(file) if self.path(row['name']).exists()}

    def path(self, name):
        return self.directory / (name + '.hdf5')

    def add(self, row):
        """Adds a file that has been written: to the list at once, so that no later end of the run loses it."""
        self.rows[row['name']] = row
        new = self.list.with_suffix('.new')
        with open(new, 'w', newline='', encoding='utf-8') as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator='\n')
            writer.writeheader()
            writer.writerows(row for _, row in sorted(self.rows.items()))
        os.replace(new, self.list)

    def make(self, name, kind, function, steps):
        """Runs a model up to the last step that has no file yet."""
        missing = {step: '%s-%d' % (name, step) for step in steps if '%s-%d' % (name, step) not in self.rows}
        if not missing:
            return
        solfec, solver, done = function(name), AUTO_SOLVER(), 0
        kinds = [body.kind for body in solfec.bodies]
        bodies = len(kinds) - kinds.count('OBSTACLE')
        form = 'LOCAL' if 'FINITE_ELEMENT' in kinds else 'GLOBAL'
        for step in steps:
            RUN(solfec, solver, (step - done - 0.5 * (done == 0)) * solfec.step)
            if round(solfec.time / solfec.step) != step:
                sys.exit('problem_library.py: the run of %s has ended before step %d' % (name, step))
            done = step
            if step in missing:
                FCLIB_DUMP(solfec, str(self.path(missing[step])), form)
                self.add({'name': missing[step], 'kind': kind, 'contacts': solfec.ncon, 'bodies': bodies, 'step': step})
                print('%-30s %-16s %7d contacts %7d bodies' % (missing[step], kind, solfec.ncon, bodies), flush=True)
            if step == max(missing):
                return

    def summary(self):
        """A line for each kind."""
        lines = []
        for kind in sorted({row['kind'] for row in self.rows.values()}):
            rows = [row for row in self.rows.values() if row['kind'] == kind]
            models = {row['name'].rsplit('-', 1)[0] for row in rows}
            contacts = [int(row['contacts']) for row in rows]
            lines.append('%s: %d problems of %d models, %d to %d contacts' % (
                kind, len(rows), len(models), min(contacts), max(contacts)))
        return lines


def chosen(words):
    """Models that are asked for by names, kinds, 'large' or nothing, in the order of the table."""
    kinds = {kind for _, kind, _, _ in MODELS}
    names = {name for name, _, _, _ in MODELS + LARGE}
    for word in words:
        if word not in names | kinds | {'large'}:
            sys.exit("problem_library.py: no such name or kind: %s; there are 'large', %s and %s" % (
                word, ', '.join(sorted(kinds)), ', '.join(name for name, _, _, _ in MODELS + LARGE)))
    return ([entry for entry in MODELS if not words or entry[0] in words or entry[1] in words]
            + [entry for entry in LARGE if 'large' in words or entry[0] in words])


words = NON_SOLFEC_ARGV()
if not words:
    sys.exit("problem_library.py DIRECTORY [name, kind or 'large' ...]")
models, library = chosen(words[1:]), Library(words[0])
for entry in models:
    library.make(*entry)
print('\n'.join(library.summary()))
