"""Orders and energies of mechanisms: the tables of docs/theory.md, section 9.

    build/bin/solfec -w docs/evidence/mechanisms.py             errors with the steps h, h/2, h/4
    build/bin/solfec -w docs/evidence/mechanisms.py energy      energies over 1,000 turns, four bars 10 s

A turn is 2 pi / w, with the fastest angular velocity or frequency w of the mechanism; steps are given as w h. Errors
are those of a place, a velocity and a mean reaction at the end of six radians, relative to their sizes, against a run
with a quarter of the smallest step.
"""
import math

from solfec import *

G = 9.81


def rod(solfec, a, b, mass=1.0, thin=1E-2):
    """A thin rod from a to b."""
    center = middle(a, b)
    length = math.dist(a, b)
    axis = [(y - x) / length for x, y in zip(a, b)]
    inertia = mass * length**2 / 12
    tensor = [inertia * ((i == j) - (1 - thin) * axis[i] * axis[j]) for i in range(3) for j in range(3)]
    return solid(solfec, center, mass, tensor)


def solid(solfec, center, mass, tensor):
    body = BODY(solfec, 'RIGID', SPHERE(center, 0.01, 1, 1), 'BULK_MATERIAL_0')
    BODY_CHARS(body, mass, 1.0, center, tensor)
    return body


def middle(a, b):
    return [(x + y) / 2 for x, y in zip(a, b)]


def cross(a, b):
    return [a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3] for k in range(3)]


def spin(body, about, omega, velocity=(0, 0, 0)):
    """Turns a body, which is where it was made, about a point that has this velocity."""
    arm = [c - a for c, a in zip(body.center, about)]
    INITIAL_VELOCITY(body, [v + x for v, x in zip(velocity, cross(omega, arm))], omega)


# Each makes a mechanism and returns w, a body and a point of it to look at, a joint, and the gravity along z.

def spinning_bar(solfec, w=10.0):
    body = rod(solfec, (0, 0, 0), (0.4, 0, 0))
    joint = FIX_POINT(body, (0, 0, 0))
    spin(body, (0, 0, 0), (0, w, 0))
    return w, body, (0.4, 0, 0), joint, 0


def tumbling_body(solfec, w=10.0):
    """Pinned beside its axes, without weight."""
    center = (0.2, -0.03, -0.05)
    body = solid(solfec, center, 1.0, (0.02, 0, 0, 0, 0.013, 0, 0, 0, 0.01))
    spin(body, (0, 0, 0), [w * x / math.sqrt(0.94) for x in (0.6, 0.7, 0.3)])
    return w, body, center, FIX_POINT(body, (0, 0, 0)), 0


def heavy_top(solfec, w=60.0):
    axis = (math.sin(0.5), 0, math.cos(0.5))
    center = [0.5 * x for x in axis]
    tensor = [0.03 * (i == j) - 0.01 * axis[i] * axis[j] for i in range(3) for j in range(3)]
    body = solid(solfec, center, 1.0, tensor)
    GRAVITY(solfec, (0, 0, -G))
    INITIAL_VELOCITY(body, (0, 0, 0), [w * x for x in axis])
    return w, body, center, FIX_POINT(body, (0, 0, 0)), G


def double_pendulum(solfec, w=10.0):
    """In space, without weight."""
    knee, end = (0.4, 0, 0), (0.8, 0, 0)
    one, two = rod(solfec, (0, 0, 0), knee), rod(solfec, knee, end)
    FIX_POINT(one, (0, 0, 0))
    joint = PUT_RIGID_LINK(one, two, knee, knee)
    spin(one, (0, 0, 0), (0, w, 0))
    spin(two, knee, (0, -0.5 * w, 0.7 * w), (0, 0, -0.4 * w))
    return w, two, end, joint, 0


def links(solfec, w=10.0):
    """Two masses on rigid links, without weight: about a point in space and about each other."""
    one, two = (solid(solfec, (x, 0, 0), 1.0, (1E-3, 0, 0, 0, 1E-3, 0, 0, 0, 1E-3)) for x in (0.4, 0.7))
    PUT_RIGID_LINK(None, one, (0, 0, 0), (0.4, 0, 0))
    joint = PUT_RIGID_LINK(one, two, (0.4, 0, 0), (0.7, 0, 0))
    INITIAL_VELOCITY(one, (0, 0, 0.4 * w), (0, 0, 0))
    INITIAL_VELOCITY(two, (0, 0.15 * w, -0.2 * w), (0, 0, 0))
    return w, two, (0.7, 0, 0), joint, 0


def chain(solfec, w=400.0, count=50):
    """A chain of rods on its pins, bent in both planes; w is about its highest frequency."""
    length = 4 * count * G / w**2
    points = [(0.2 * length * math.sin(0.1 * k) * k, 0.5 * length * math.sin(0.3 * k), -length * k)
              for k in range(count + 1)]
    GRAVITY(solfec, (0, 0, -G))
    rods = [rod(solfec, a, b) for a, b in zip(points, points[1:])]
    FIX_POINT(rods[0], points[0])
    joints = [PUT_RIGID_LINK(a, b, p, p) for a, b, p in zip(rods, rods[1:], points[1:])]
    return w, rods[-1], points[-1], joints[count // 2], G


def hinge(solfec, one, two, point, axis):
    """Two points on the axis: six equations, of which one follows from the others."""
    joints = []
    for a in (0, 0.2):
        x = tuple(p + a * n for p, n in zip(point, axis))
        joints.append(FIX_POINT(one, x) if two is None else PUT_RIGID_LINK(one, two, x, x))
    return joints[0]


def bricard(solfec):
    """Five rods of 1 m and 1 kg along the edges of a cube, six hinges (IFToMM A04). It moves although a count of its
    equations says that it does not."""
    corners = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]
    axes = [(0, 1, 0), (0, 0, 1), (1, 0, 0)] * 2
    GRAVITY(solfec, (0, 0, -G))
    rods = [rod(solfec, a, b) for a, b in zip(corners, corners[1:])]
    hinge(solfec, rods[0], None, corners[0], axes[0])
    joints = [hinge(solfec, *rods[k:k + 2], corners[k + 1], axes[k + 1]) for k in range(4)]
    hinge(solfec, rods[4], None, corners[5], axes[5])
    return 6.0, rods[2], corners[3], joints[1], G


def four_bars(solfec, count=10):
    """Bars of 1 m and 1 kg in a row of squares, with gravity, pushed at 1 m/s (IFToMM A02). All fold into one line
    twice in a swing."""
    y = (0, 1, 0)
    GRAVITY(solfec, (0, 0, -G))
    posts = [rod(solfec, (k, 0, 0), (k, 0, 1)) for k in range(count + 1)]
    beams = [rod(solfec, (k, 0, 1), (k + 1, 0, 1)) for k in range(count)]
    for k, post in enumerate(posts):
        hinge(solfec, post, None, (k, 0, 0), y)
        spin(post, (k, 0, 0), y)
    for k, beam in enumerate(beams):
        joints = [hinge(solfec, post, beam, (x, 0, 1), y) for x, post in ((k, posts[k]), (k + 1, posts[k + 1]))]
        INITIAL_VELOCITY(beam, (1, 0, 0), (0, 0, 0))
    return 6.8, beams[-1], (count, 0, 1), joints[1], G


def andrews(solfec):
    """Andrews' squeezing mechanism: seven bodies in a plane, a spring, a motor (IFToMM A03; figures as in Hairer and
    Wanner, Solving Ordinary Differential Equations II, VII.7)."""
    sin, cos = math.sin, math.cos
    beta, gamma, phi, delta, omega, epsilon = (
        -0.0617138900142764496, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550, -0.222668390165885885,
        1.23054744454982120)
    a, b, c = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)

    def at(pivot, angle, x, y):
        """A point of a body that is turned by an angle about a pivot."""
        return pivot[0] + x * cos(angle) - y * sin(angle), pivot[1] + x * sin(angle) + y * cos(angle)
    crank = at((0, 0), beta, 7E-3, 0)
    centre = at(crank, beta, -28E-3, 0)  # where four bodies meet
    knee4, knee6 = at(a, delta, 4E-2, 0), at(a, epsilon, 0, -4E-2)
    centers = [at((0, 0), beta, 92E-5, 0), at(crank, beta, -115E-4, 0), at(b, gamma, 1043E-5, -1874E-5),
               at(knee4, phi + delta, 0, -(2E-2 - 1421E-5)), at(a, delta, 2308E-5, 916E-5),
               at(knee6, omega + epsilon, 2E-2 - 1421E-5, 0), at(a, epsilon, -449E-5, -1228E-5)]
    masses = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498]
    inertias = [2.194E-6, 4.410E-7, 5.255E-6, 5.667E-7, 1.169E-5, 5.667E-7, 1.912E-5]
    k = [solid(solfec, (*x, 0), m, (i / 2, 0, 0, 0, i / 2, 0, 0, 0, i)) for x, m, i in zip(centers, masses, inertias)]
    pins = [(k[0], None, (0, 0)), (k[0], k[1], crank), (k[1], k[2], centre), (k[1], k[3], centre), (k[1], k[5], centre),
            (k[2], None, b), (k[4], None, a), (k[6], None, a), (k[3], k[4], knee4), (k[5], k[6], knee6)]
    joints = [hinge(solfec, one, two, (*x, 0), (0, 0, 0.1)) for one, two, x in pins]
    end = at(b, gamma, 2E-2, -18E-3)
    start = math.dist(end, c)
    PUT_SPRING(k[2], (*end, 0), None, (*c, 0), lambda stroke, velocity: -4530 * (start + stroke - 7785E-5), None)
    TORQUE(k[0], 'SPATIAL', (0, 0, 1), 0.033)
    return 1140.0, k[0], (*crank, 0), joints[2], 0


MECHANISMS = {f.__name__.replace('_', ' '): f for f in (
    spinning_bar, tumbling_body, heavy_top, double_pendulum, links, chain, bricard, four_bars, andrews)}
count = 0


class Mechanism:
    def __init__(self, name, wh, output='out/mechanisms'):
        global count
        count += 1
        self.solfec = SOLFEC('DYNAMIC', 1.0, f'{output}/{count}')
        self.solfec.verbose = 'OFF'
        BULK_MATERIAL(self.solfec, density=1000)
        SURFACE_MATERIAL(self.solfec)
        CONTACT_EXCLUDE_SURFACES(self.solfec, 1, 1)
        OUTPUT(self.solfec, 1E9)
        self.w, self.body, self.point, self.joint, self.gravity = MECHANISMS[name](self.solfec)
        self.solfec.step = wh / self.w

    def run(self, angle, look=None, interval=0):
        """Calls look() after each step, or at an interval."""
        if look:
            CALLBACK(self.solfec, interval or self.solfec.step / 2, (), lambda: look() or 1)
        RUN(self.solfec, AUTO_SOLVER(1E-16, 1000), angle / self.w)
        CALLBACK(self.solfec, 1.0, (), len)  # nothing that holds on to the model

    def place(self):
        return [x + u for x, u in zip(self.point, DISPLACEMENT(self.body, self.point))]

    def kinetic(self):
        return ENERGY(self.solfec, self.solfec)[0]

    def energy(self):
        return self.kinetic() + self.gravity * sum(body.mass * body.conf[11] for body in self.solfec.bodies)


def state(name, wh, angle):
    mechanism = Mechanism(name, wh)
    reactions = []
    mechanism.run(angle, lambda: reactions.append(mechanism.joint.R))
    # The mean reaction of a step is that of its middle.
    mean = [1.5 * x - 0.5 * y for x, y in zip(reactions[-1], reactions[-2])]
    return mechanism.place(), VELOCITY(mechanism.body, mechanism.point), mean


def orders(angle=6.0, wh=0.1):
    for name in MECHANISMS:
        runs = [state(name, wh / 2**k, angle) for k in (0, 1, 2, 4)]
        columns = []
        for k in range(3):
            size = math.hypot(*runs[-1][k])
            errors = [math.dist(run[k], runs[-1][k]) / size for run in runs[:3]]
            columns.append('; '.join(f'{e:.1E}' for e in errors) + f' ({math.log2(errors[1] / errors[2]):.2f})')
        print('|', name, '|', ' | '.join(columns), '|')


def energies():
    for name in MECHANISMS:
        if name == 'andrews':
            continue  # a motor drives it
        folds = name == 'four bars'  # the way on from there is not unique: the 10 s of the benchmark
        columns, turns = [], 10.8 if folds else 1000
        for wh in (0.05,) if folds else (0.05, 0.3):
            mechanism = Mechanism(name, wh)
            start, span, kinetic = mechanism.energy(), [], [mechanism.kinetic()]

            def look():
                span.append(mechanism.energy() - start)
                kinetic.append(mechanism.kinetic())
            mechanism.run(2 * math.pi * turns, look, 0.13 * 2 * math.pi / mechanism.w)
            size = max(kinetic)
            columns.append(f'{min(span) / size:+.1E}, {max(span) / size:+.1E}, {span[-1] / size:+.1E}')
        print('|', name, '|', ' | '.join(columns), '|')


if __name__ == '__main__':
    words = NON_SOLFEC_ARGV() or []
    if 'energy' in words:
        energies()
    else:
        orders()
