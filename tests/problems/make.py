"""Makes the problem files of this folder, from runs that are hard on solvers.

Run: build/bin/solfec -w tests/problems/make.py   (from the top folder; some seconds)

wall   boxes in running bond at rest: four contact points to each of two boxes below, far more reactions than the
       bodies have freedom
pile   spheres poured into a box, nearly at rest: sticking and sliding contacts change into each other
tower  a column of boxes that leans: weights come down through long chains
rocks  hulls of twelve points that have fallen into a box, friction 1: wedged, with more reactions than freedom; as in
       files of others, W is symmetric to some digits only
"""

import pathlib
import sys

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'benchmark'))
import scenes  # noqa: E402

from solfec import *  # noqa: E402

BOX = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]


def box(at, size):
    return TRANSLATE(SCALE(HULL(BOX, 1, 1), size), at)


def model(name, friction):
    solfec = SOLFEC('DYNAMIC', 1E-3, 'out/problems/' + name)
    solfec.contact_points = 'ONE'
    material = BULK_MATERIAL(solfec, density=2000)
    SURFACE_MATERIAL(solfec, friction=friction)
    GRAVITY(solfec, (0, 0, -9.81))
    BODY(solfec, 'OBSTACLE', box((-10, -10, -1), (30, 20, 1)), material)
    return solfec, material


def dump(solfec, name, duration):
    RUN(solfec, AUTO_SOLVER(1E-10), duration)
    FCLIB_DUMP(solfec, 'tests/problems/%s.hdf5' % name)


solfec, material = model('wall', 0.6)
for layer in range(8):
    for i in range(8):
        BODY(solfec, 'RIGID', box((i + 0.5 * (layer % 2), 0, 0.5 * layer), (1, 0.5, 0.5)), material)
dump(solfec, 'wall', 0.005)

solfec, material = model('pile', 0.3)
for at, size in (((2.1, -5, 0), (1, 10, 20)), ((-3.1, -5, 0), (1, 10, 20)),
                 ((-5, 2.1, 0), (10, 1, 20)), ((-5, -3.1, 0), (10, 1, 20))):
    BODY(solfec, 'OBSTACLE', box(at, size), material)
for i in range(4):
    for j in range(4):
        for k in range(8):
            at = (1.04 * (i - 1.5) + 0.02 * (k % 3 - 1), 1.04 * (j - 1.5) + 0.02 * ((j + k) % 3 - 1), 0.55 + 1.05 * k)
            BODY(solfec, 'RIGID', SPHERE(at, 0.5, 1, 1), material)
dump(solfec, 'pile', 1.0)

solfec, material = model('tower', 0.5)
solfec.contact_points = 'MANY'
for level in range(40):
    BODY(solfec, 'RIGID', box((0.01 * level, 0, level), (1, 1, 1)), material)
dump(solfec, 'tower', 0.003)

solfec, material = scenes.start('rocks', 1E-3, friction=1)
solfec.contact_points = 'MANY'
scenes.open_box(solfec, material, 2.5, 2.5, 12)
random = scenes.Random(7)
for k in range(5):
    for j in range(5):
        for i in range(5):
            BODY(solfec, 'RIGID', scenes.random_hull((i - 2, j - 2, 0.55 + 1.05 * k), 0.49, 12, random), material)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 300), 2.5)
FCLIB_DUMP(solfec, 'tests/problems/rocks.hdf5')
with h5py.File('tests/problems/rocks.hdf5', 'r+') as file:
    W = file['fclib_local/W/x']
    W[:] *= 1 + 1E-11 * numpy.random.default_rng(7).uniform(-1, 1, len(W))
