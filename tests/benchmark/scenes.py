"""Fixed scenes for benchmarks and long tests: the same bodies in the same order on every machine.

Each function makes the model and returns (SOLFEC object, solver, steps to run first, steps of the benchmark).
"""

import hashlib
import struct
from math import cos, pi, sin, sqrt

from solfec import *


def state_hash(solfec):
    """A hash of the configurations and velocities of all bodies that move."""
    digest = hashlib.sha256()
    for body in solfec.bodies:
        if body.kind != 'OBSTACLE':
            numbers = body.conf + body.velo
            digest.update(struct.pack('%dd' % len(numbers), *numbers))
    return digest.hexdigest()


class Random:
    """Numbers that do not depend on the version of Python (splitmix64)."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self, low, high):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (2**64 - 1)
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & (2**64 - 1)
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & (2**64 - 1)
        return low + (high - low) * ((z ^ (z >> 31)) >> 11) * 2.0**-53


def block(low, high, surface=1):
    """A box between two corners."""
    corners = [c for i in range(8) for c in (high[0] if i & 1 else low[0], high[1] if i & 2 else low[1],
                                             high[2] if i & 4 else low[2])]
    return HULL(corners, 1, surface)


def open_box(solfec, material, half_x, half_y, height, thickness=1.0):
    """A floor with its top at z = 0 and four walls, as obstacles."""
    t = thickness
    for low, high in (((-half_x - t, -half_y - t, -t), (half_x + t, half_y + t, 0)),
                      ((-half_x - t, -half_y - t, 0), (-half_x, half_y + t, height)),
                      ((half_x, -half_y - t, 0), (half_x + t, half_y + t, height)),
                      ((-half_x, -half_y - t, 0), (half_x, -half_y, height)),
                      ((-half_x, half_y, 0), (half_x, half_y + t, height))):
        BODY(solfec, 'OBSTACLE', block(low, high), material)


def start(name, step, friction=0.3, output=1E6):
    solfec = SOLFEC('DYNAMIC', step, 'out/benchmark/' + name)
    solfec.verbose = 'OFF'
    OUTPUT(solfec, output)
    GRAVITY(solfec, (0, 0, -10))
    SURFACE_MATERIAL(solfec, friction=friction)
    return solfec, BULK_MATERIAL(solfec, density=1000)


def dropped_spheres(name='dropped_spheres', count=1000):
    """Equal spheres dropped into an open box (reference timings: 1,000 of them, 500 steps of 1E-3)."""
    solfec, material = start(name, 1E-3)
    side = round(count**(1 / 3))
    open_box(solfec, material, 0.535 * side, 0.535 * side, 1.2 * side)
    for m in range(count):
        i, j, k = m % side, m // side % side, m // side**2
        x = 1.05 * (i - (side - 1) / 2) + 0.02 * (k % 3 - 1)
        y = 1.05 * (j - (side - 1) / 2) + 0.02 * ((k + j) % 3 - 1)
        BODY(solfec, 'RIGID', SPHERE((x, y, 0.55 + 1.05 * k), 0.5, 1, 1), material)
    return solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), 0, 500


def bed_of_spheres(columns, rows, layers=10, step=1E-3, name=None, rise=0.75):
    """Spheres in shifted layers, each in the hollows of the layer below: nearly settled from the start."""
    count = columns * rows * layers
    solfec, material = start(name or 'bed_%d' % count, step)
    random = Random(1)
    pitch = 1.02
    half_x, half_y = 0.5 * pitch * (columns + 0.5), 0.5 * pitch * (rows + 0.5)
    open_box(solfec, material, half_x, half_y, layers + 2)
    for k in range(layers):
        for j in range(rows):
            for i in range(columns):
                shift = 0.5 * pitch * (k % 2)
                x = -half_x + 0.5 * pitch + i * pitch + shift + random.uniform(-0.005, 0.005)
                y = -half_y + 0.5 * pitch + j * pitch + shift + random.uniform(-0.005, 0.005)
                BODY(solfec, 'RIGID', SPHERE((x, y, 0.501 + rise * k), 0.5, 1, 1), material)
    return solfec, GAUSS_SEIDEL_SOLVER(1.0, 200, 1E-4), 0, 500


def random_hull(center, radius, points, random):
    """Hull of points on a sphere."""
    corners = []
    for _ in range(points):
        z, angle = random.uniform(-1, 1), random.uniform(0, 2 * pi)
        r = sqrt(1 - z * z)
        corners += [center[0] + radius * r * cos(angle), center[1] + radius * r * sin(angle),
                    center[2] + radius * z]
    return HULL(corners, 1, 1)


def mixed_shape(kind, c, random):
    """One of six shapes in the unit ball around c, turned at random."""
    x, y, z = c
    if kind == 0:
        return SPHERE(c, 0.45, 1, 1)
    if kind == 1:
        shape = ELLIP(c, (0.5, 0.4, 0.35), 1, 1)
    elif kind == 2:
        shape = block((x - 0.3, y - 0.3, z - 0.3), (x + 0.3, y + 0.3, z + 0.3))
    elif kind == 3:
        shape = random_hull(c, 0.5, 14, random)
    elif kind == 4:  # a brick of two elements
        shape = HEX([x - 0.4, y - 0.2, z - 0.2, x + 0.4, y - 0.2, z - 0.2, x + 0.4, y + 0.2, z - 0.2,
                     x - 0.4, y + 0.2, z - 0.2, x - 0.4, y - 0.2, z + 0.2, x + 0.4, y - 0.2, z + 0.2,
                     x + 0.4, y + 0.2, z + 0.2, x - 0.4, y + 0.2, z + 0.2], 2, 1, 1, 1, [1] * 6)
    else:  # an angle of two blocks
        shape = [block((x - 0.35, y - 0.2, z - 0.35), (x + 0.35, y + 0.2, z - 0.05)),
                 block((x - 0.35, y - 0.2, z - 0.05), (x - 0.05, y + 0.2, z + 0.35))]
    axis = (random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))
    return ROTATE(shape, c, axis, random.uniform(0, 180))


def mixed_shapes(columns=10, layers=5, step=5E-4, name=None):
    """Spheres, ellipsoids, cubes, hulls, meshed bricks and angles dropped into an open box; polyhedra touch
    at several points."""
    solfec, material = start(name or 'mixed_shapes', step)
    random = Random(2)
    pitch = 1.05
    half = 0.5 * pitch * columns + 0.05
    open_box(solfec, material, half, half, pitch * layers + 1)
    count = 0
    for k in range(layers):
        for j in range(columns):
            for i in range(columns):
                c = (-half + 0.05 + pitch * (i + 0.5), -half + 0.05 + pitch * (j + 0.5), 0.55 + pitch * k)
                BODY(solfec, 'RIGID', mixed_shape(count % 6, c, random), material)
                count += 1
    return solfec, GAUSS_SEIDEL_SOLVER(1.0, 100, 1E-4), 0, 1000


def wall_of_bricks(columns=20, rows=10, step=1E-3, name=None):
    """A wall in running bond, one brick thick, on a floor: bricks touch at several points."""
    solfec, material = start(name or 'wall_of_bricks', step, friction=0.6)
    length, thickness, height = 0.25, 0.12, 0.06
    BODY(solfec, 'OBSTACLE', block((-1, -1, -1), (columns * length + 1, 1, 0)), material)
    for k in range(rows):
        x0 = 0.5 * length * (k % 2)
        for i in range(columns):
            BODY(solfec, 'RIGID', block((x0 + i * length, 0, k * height),
                                        (x0 + (i + 1) * length, thickness, (k + 1) * height)), material)
    return solfec, GAUSS_SEIDEL_SOLVER(1.0, 200, 1E-6), 0, 500


def sweeps(number):
    """A solver that makes a fixed number of sweeps."""
    return GAUSS_SEIDEL_SOLVER(1E-30, number, 1E-30, diagepsilon=1E-6)


def fixed_sweeps(columns, rows, name, layers=4):
    """A settled bed at ten sweeps a step, for the growth of cost with the number of bodies."""
    solfec, _, _, _ = bed_of_spheres(columns, rows, layers, name=name, rise=0.705)
    return solfec, sweeps(10), 25 * layers, 30


def full_drum(count, number_of_sweeps, first, steps, step=1E-3, name=None):
    """The drum of inp/rotating-drum.py with all of its rigid ellipsoids in it from the start, and turning. With
    1,000 of them the criterion of that input takes 147 sweeps a step."""
    solfec, material = start(name or 'drum_%d' % count, step)
    drum = BODY(solfec, 'OBSTACLE',
                [PIPE((0, 0, 0), (0, 0.5, 0), 1, 0.05, 1, 32, 1, 1, [1, 1, 1, 1]),
                 block((-1, 0, -0.1), (-0.8, 0.5, 0.1)), block((0.8, 0, -0.1), (1, 0.5, 0.1))], material)
    INITIAL_VELOCITY(drum, (0, 0, 0), (0, 1, 0))
    for low, high in (((-1.1, -0.05, -1.1), (1.1, 0, 1.1)), ((-1.1, 0.5, -1.1), (1.1, 0.55, 1.1))):
        BODY(solfec, 'OBSTACLE', block(low, high), material)
    r = (0.1 / count)**(1 / 3)
    radii = rx, ry, rz = 0.9 * r, 0.5 * r, r
    random, left, z = Random(3), count, -1.0
    while left > 0:
        columns = int(sqrt(max(0.0, (0.985 - rz)**2 - z * z)) / (2.04 * rx))
        for i in range(-columns, columns):
            for j in range(int(0.5 / (2.04 * ry))):
                if left > 0:
                    c = (2.04 * rx * (i + 0.5 + random.uniform(-0.005, 0.005)), 2.04 * ry * (j + 0.5), z)
                    BODY(solfec, 'RIGID', ELLIP(c, radii, 1, 1), material)
                    left -= 1
        z += 2.04 * rz
    return solfec, sweeps(number_of_sweeps), first, steps


def shaken_cubes(edge, number_of_sweeps=20, first=400, steps=100):
    """The cubes of inp/array-of-cubes.py, 2 x 2 x 2 co-rotated hexahedra each, after 0.2 s of shaking."""
    step = 5E-4
    solfec, _ = start('cubes_%d' % edge**3, step, friction=0.1)
    solfec.contact_points = 'ONE'  # as in that input
    material = BULK_MATERIAL(solfec, label='stiff', young=1E9, poisson=0.25, density=1000)
    size, gap = 0.1, 0.01 / edge
    inside = edge * size + (edge + 1) * gap
    shaking = TIME_SERIES([x for k in range(501) for x in (0.002 * k, 0.4 * sin(4 * pi * 0.002 * k))])
    for axis in range(3):
        for side in (-size, inside):
            low, high = [-size] * 3, [inside + size] * 3
            low[axis], high[axis] = side, side + size
            wall = BODY(solfec, 'OBSTACLE', block(low, high), material)
            SET_VELOCITY(wall, wall.center, (1, 1, 0), shaking)
    for n in range(edge**3):
        x, y, z = (gap + (size + gap) * i for i in (n % edge, n // edge % edge, n // edge**2))
        corners = [x, y, z, x + size, y, z, x + size, y + size, z, x, y + size, z]
        corners += [c + size * (k % 3 == 2) for k, c in enumerate(corners)]
        cube = BODY(solfec, 'FINITE_ELEMENT', HEX(corners, 2, 2, 2, 1, [1] * 6), material, form='BC')
        cube.scheme, cube.damping = 'DEF_LIM', step
    return solfec, sweeps(number_of_sweeps), first, steps


SCENES = {
    'dropped_spheres': dropped_spheres,
    'pile_1000': lambda: bed_of_spheres(16, 16, 4, name='pile_1000'),
    'pile_10000': lambda: bed_of_spheres(50, 50, 4, name='pile_10000'),
    'pile_100000': lambda: bed_of_spheres(158, 158, 4, name='pile_100000'),
    'mixed_shapes': mixed_shapes,
    'wall_of_bricks': wall_of_bricks,
    'bed_1000': lambda: fixed_sweeps(16, 16, 'bed_1000'),
    'bed_3000': lambda: fixed_sweeps(27, 28, 'bed_3000'),
    'bed_10000': lambda: fixed_sweeps(50, 50, 'bed_10000'),
    'bed_20000': lambda: fixed_sweeps(71, 71, 'bed_20000'),
    'bed_30000': lambda: fixed_sweeps(87, 86, 'bed_30000'),
    'bed_100000': lambda: fixed_sweeps(158, 158, 'bed_100000'),
    'cube_8000': lambda: fixed_sweeps(20, 20, 'cube_8000', 20),
    'drum_1000': lambda: full_drum(1000, 150, 200, 200),
    'drum_10000': lambda: full_drum(10000, 150, 100, 20),
    'cubes_27': lambda: shaken_cubes(3),
    'cubes_216': lambda: shaken_cubes(6),
}
