"""How accurate are forces, heights and energies for the merit that is asked for?

Run: build/bin/solfec -w docs/evidence/merit.py

Scenes of ten kinds are computed by AUTO_SOLVER to merits from 1E-3 to 1E-10, and compared with 1E-15: the largest error
of the mean height of bodies, over the size of one; of the sum of normal forces, over its mean (root mean squares over
the last tenth of the time); and of the kinetic energy, over the weight times the size. Where bodies hit each other
often the smallest difference changes who hits whom: there errors are those of the averages.
"""
import math
import random
import time

BLOCK = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]


class Scene:
    def __init__(self, name, merit, friction=0.5, restitution=0.0, step=1E-3):
        self.solfec = SOLFEC('DYNAMIC', step, 'out/merit/%s-%g' % (name, merit))
        self.solfec.verbose = 'OFF'
        self.solfec.contact_points = 'MANY'
        self.bulk = BULK_MATERIAL(self.solfec, young=1E7, poisson=0.3, density=1000)
        SURFACE_MATERIAL(self.solfec, friction=friction, restitution=restitution)
        GRAVITY(self.solfec, (0, 0, -10))
        OUTPUT(self.solfec, 1E6)
        self.bodies, self.floor = [], None

    def box(self, kind, center, size, **more):
        shape = HULL(BLOCK, 1, 1)
        SCALE(shape, size)
        TRANSLATE(shape, [c - s / 2 for c, s in zip(center, size)])
        body = BODY(self.solfec, kind, shape, self.bulk, **more)
        (self.bodies if kind != 'OBSTACLE' else self.obstacles()).append(body)
        return body

    def obstacles(self):
        self.floors = getattr(self, 'floors', [])
        return self.floors

    def ground(self):
        return self.box('OBSTACLE', (0, 0, -0.5), (40, 40, 1))

    def ball(self, center, radius):
        self.bodies.append(BODY(self.solfec, 'RIGID', SPHERE(center, radius, 1, 1), self.bulk))
        return self.bodies[-1]


def stack(merit):
    s = Scene('stack', merit)
    s.ground()
    for k in range(10):
        s.box('RIGID', (0, 0, k + 0.5), (1, 1, 1))
    return s, 1, 0.2


def pile(merit):
    s = Scene('pile', merit, friction=0.4)
    s.ground()
    for x, y in ((2, 0), (-2, 0), (0, 2), (0, -2)):
        s.box('OBSTACLE', (0.75 * x, 0.75 * y, 5), (1 if x else 4, 1 if y else 4, 10))
    r = random.Random(1)
    for k in range(60):
        s.ball((r.uniform(-.8, .8), r.uniform(-.8, .8), 0.2 + 0.1 * k), 0.2)
    return s, 0.4, 1


def wall(merit):
    s = Scene('wall', merit)
    s.ground()
    for row in range(6):
        for k in range(5):
            s.box('RIGID', (2.02 * k + (row % 2), 0, row + 0.5), (2, 1, 1))
    return s, 1, 0.2


def slope(merit):
    s = Scene('slope', merit, friction=0.3)
    s.ground()
    GRAVITY(s.solfec, (10 * math.sin(0.4), 0, -10 * math.cos(0.4)))
    for k in range(5):
        s.box('RIGID', (3.0 * k, 0, 0.25), (1, 1, 0.5))
    return s, 0.5, 0.5


def tumbling(merit):
    s = Scene('tumbling', merit, friction=0.5)
    s.ground()
    for k in range(12):
        body = s.box('RIGID', (0.2 * k, 0.1 * (k % 3), 0.8 + 1.2 * k), (1, 0.6, 0.4))
        INITIAL_VELOCITY(body, (0, 0, 0), (1 + k, 2, 0.5 * k))
    return s, 0.5, 1


def bouncing(merit):
    s = Scene('bouncing', merit, friction=0.2, restitution=0.8)
    s.ground()
    for k in range(20):
        s.ball((0.05 * k, 0, 1 + 0.55 * k), 0.25)
    return s, 0.5, 1


def pendulum(merit):
    s = Scene('pendulum', merit)
    previous = None
    for k in range(10):
        body = s.box('RIGID', (0.25 + 0.5 * k, 0, 0), (0.5, 0.05, 0.05))
        point = (0.5 * k, 0, 0)
        FIX_POINT(body, point) if previous is None else PUT_RIGID_LINK(previous, body, point, point)
        if previous is not None:
            CONTACT_EXCLUDE_BODIES(previous, body)
        previous = body
    return s, 0.5, 0.5


def elastic(merit):
    s = Scene('elastic', merit)
    s.ground()
    for k in range(3):
        nodes = [x for corner in range(8) for x in ((corner in (1, 2, 5, 6)) * 1.0, (corner in (2, 3, 6, 7)) * 1.0,
                                                     k + (corner > 3) * 1.0)]
        body = BODY(s.solfec, 'FINITE_ELEMENT', HEX(nodes, 3, 3, 3, 1, [1] * 6), s.bulk)
        body.scheme, body.damping = 'DEF_LIM', 1E-3
        s.bodies.append(body)
    return s, 1, 0.2


def affine(merit):
    s = Scene('affine', merit)
    s.ground()
    for k in range(6):
        body = s.box('PSEUDO_RIGID', (0.1 * k, 0, k + 0.5), (1, 1, 1))
        body.scheme, body.damping = 'DEF_LIM', 1E-3
    return s, 1, 0.3


def linkage(merit):
    s = Scene('linkage', merit)
    place = [(-math.cos(math.pi * k / 4), 0, -math.sin(math.pi * k / 4)) for k in range(5)]
    bars = []
    for (ax, _, az), (bx, _, bz) in zip(place, place[1:]):
        body = s.ball(((ax + bx) / 2, 0, (az + bz) / 2), 0.05)
        BODY_CHARS(body, 1, 1, ((ax + bx) / 2, 0, (az + bz) / 2), (.1, 0, 0, 0, .1, 0, 0, 0, .1))
        bars.append(body)
    for k, (x, _, z) in enumerate(place):
        for y in (-0.1, 0.1):
            one, two = bars[k - 1 if k else 0], bars[k] if 0 < k < 4 else None
            PUT_RIGID_LINK(one, two, (x, y, z), (x, y, z))
    return s, 0.5, 0.3


MERITS = [1E-3, 1E-4, 1E-5, 1E-6, 1E-8, 1E-10]


def run(scene, merit):
    s, size, duration = scene(merit)
    solver = AUTO_SOLVER(merit)
    solver.itershist = 'ON'
    heights, forces, energies = [], [], []

    def look():
        heights.append(sum(DISPLACEMENT(b, b.center)[2] for b in s.bodies) / len(s.bodies))
        forces.append(sum(abs(c.R[2]) for c in s.solfec.constraints))
        energies.append(ENERGY(s.solfec)[0])
        return 1

    CALLBACK(s.solfec, 1E-9, None, look)
    start = time.time()
    RUN(s.solfec, solver, duration)
    weight = 10 * sum(b.mass for b in s.bodies)
    return heights, forces, energies, sum(solver.itershist), time.time() - start, size, weight * size


def rms(values):
    values = list(values)
    return math.sqrt(sum(v * v for v in values) / len(values))


for scene in (stack, pile, wall, slope, tumbling, bouncing, pendulum, elastic, affine, linkage):
    exact = run(scene, 1E-15)
    for merit in MERITS:
        got = run(scene, merit)
        last = len(exact[0]) // 10
        height = max(abs(a - b) for a, b in zip(got[0], exact[0])) / exact[5]
        mean = rms(exact[1][-last:])
        force = rms(a - b for a, b in zip(got[1][-last:], exact[1][-last:])) / mean if mean else 0
        energy = max(abs(a - b) for a, b in zip(got[2], exact[2])) / exact[6]
        print('%-9s merit %5.0e: heights %7.1e, forces %7.1e, energy %7.1e, iterations %6d, %5.1f s' % (
            scene.__name__, merit, height, force, energy, got[3], got[4]), flush=True)
