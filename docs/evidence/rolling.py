"""Bodies that rock, roll and fall, and a pile at rest: the tables of docs/theory.md, section 8.

    build/bin/solfec -w docs/evidence/rolling.py [rocking] [turntable] [carried] [tipping] [rattleback] [pile] [landing]
        [shots]

Without a word all of them (some minutes), each with SOLFEC.contact_correction 'OFF', 'ON' and 'AHEAD'.

rocking     an ellipsoid of semi-axes 0.5, 0.2 and 0.1 m, tilted by 5 degrees, rocks on a table for 60 s: depth over its
            half height, amplitude, and energy of rocking over that of the start
turntable   a ball rolls on a table that turns at 2 rad/s: in a circle, at 2/7 of that; errors of its place after 5 s
carried     a block sticks to a table that turns at 2 rad/s, 0.5 m from its axis: how far it is out after 40 s
tipping     a plank of 1 m falls about its lower edge, which sticks, from 30 degrees: how far the edge is after 0.3 s
rattleback  an ellipsoid whose axes of inertia are turned by 5 degrees, spun the wrong way at 2 rad/s: errors of its
            place and rotation after 3 s, against a quarter of the smallest step
pile        30 balls, ellipsoids and blocks in a box, 10,000 steps: deepest overlap, kinetic energy
landing     a cube of 0.5 m, turned by 37 degrees, falls on a floor at 10 m/s and comes to rest: deepest overlap
shots       a ball of 0.2 m at 100 m/s, steps of 20 ms, from 100 distances to a plate of 1 mm: how many pass it
"""
import math
import os
import random
import sys
import tempfile

from solfec import *

G = 9.81


def model(name, h, correction, friction=10.0, epsilon=1E-6):
    solfec = SOLFEC('DYNAMIC', h, name)
    solfec.verbose, solfec.contact_correction = 'OFF', correction
    OUTPUT(solfec, 1E6)
    GRAVITY(solfec, (0, 0, -G))
    SURFACE_MATERIAL(solfec, friction=friction, restitution=0)
    material = BULK_MATERIAL(solfec, density=1000)
    return solfec, material


def block(low, high):
    (a, b, c), (d, e, f) = low, high
    return HULL([v for x in (a, d) for y in (b, e) for z in (c, f) for v in (x, y, z)], 1, 1)


def turned(conf, v):
    """Rotation of a configuration, column-wise, times v."""
    return [sum(conf[3 * j + i] * v[j] for j in range(3)) for i in range(3)]


def bottom(conf, axes):
    """Height of the lowest point of an ellipsoid."""
    n = [conf[3 * j + 2] for j in range(3)]
    return conf[11] - math.sqrt(sum((a * b)**2 for a, b in zip(axes, n)))


def energy(body):
    conf, velo, J = body.conf, body.velo, body.tensor
    spin = sum(velo[i] * J[3 * j + i] * velo[j] for i in range(3) for j in range(3))
    return 0.5 * body.mass * sum(v * v for v in velo[3:]) + 0.5 * spin + body.mass * G * conf[11]


def rocking(correction, h=1E-3, seconds=60, tilt=5.0, axes=(0.5, 0.2, 0.1)):
    """Rows of time, depth over half height, amplitude in degrees, energy."""
    solfec, material = model('rocking' + correction, h, correction)
    BODY(solfec, 'OBSTACLE', block((-2, -2, -1), (2, 2, 0)), material)
    s, c = math.sin(math.radians(tilt)), math.cos(math.radians(tilt))
    height = math.hypot(axes[0] * s, axes[2] * c)
    shape = ROTATE(ELLIP((0, 0, height - 5E-6), axes, 1, 1), (0, 0, height), (0, 1, 0), tilt)
    body = BODY(solfec, 'RIGID', shape, material)

    def now():
        # The rotation of a body is one from its reference configuration, which is tilted.
        R = body.conf
        start = [c, 0, -s, 0, 1, 0, s, 0, c]
        return [sum(R[3 * k + i] * start[3 * j + k] for k in range(3))
                for j in range(3) for i in range(3)] + list(R[9:])
    rest = body.mass * G * axes[2]
    first = energy(body) - rest
    solver = GAUSS_SEIDEL_SOLVER(1E-10, 100, 1E-16)
    rows = []
    for t in range(0, seconds, 10):
        amplitude = 0
        for k in range(100):
            RUN(solfec, solver, 0.1)
            if k >= 70:
                amplitude = max(amplitude, abs(math.degrees(math.asin(now()[2]))))
        sink = -bottom(now(), axes) / axes[2]
        rows.append((solfec.time, sink, amplitude, (energy(body) - rest) / first))
    return rows


def turntable(correction, h, duration=5.0, omega=2.0, r=0.1):
    """Error of the place of the ball."""
    solfec, material = model('turntable%s%g' % (correction, h), h, correction)
    table = BODY(solfec, 'OBSTACLE', block((-3, -3, -1), (3, 3, 0)), material)
    INITIAL_VELOCITY(table, (0, 0, 0), (0, 0, omega))
    ball = BODY(solfec, 'RIGID', SPHERE((1, 0, r - 5E-6), r, 1, 1), material)
    # The velocity v with the rate w x v, w = 2/7 omega about the vertical, and its rolling: the
    # point that touches, v + a x (0, 0, -arm) halfway through the overlap, has that of the table, (0, omega x).
    vx, vy, arm = 0.2, 0.3, r - 2.5E-6
    INITIAL_VELOCITY(ball, (vx, vy, 0), ((omega * 1 - vy) / arm, vx / arm, 0))
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-12, 100, 1E-20), duration)
    w = omega / (1 + 2.5 * (arm / r)**2)
    s, c = math.sin(w * solfec.time), math.cos(w * solfec.time)
    x, y = 1 + (vx * s - vy * (1 - c)) / w, (vx * (1 - c) + vy * s) / w
    return math.hypot(ball.conf[9] - x, ball.conf[10] - y)


def carried(correction, h, duration=40.0, omega=2.0):
    solfec, material = model('carried%s%g' % (correction, h), h, correction, friction=1)
    table = BODY(solfec, 'OBSTACLE', block((-1, -1, -0.1), (1, 1, 0)), material)
    INITIAL_VELOCITY(table, (0, 0, 0), (0, 0, omega))
    body = BODY(solfec, 'RIGID', block((0.4, -0.1, 0), (0.6, 0.1, 0.1)), material)
    INITIAL_VELOCITY(body, (0, 0.5 * omega, 0), (0, 0, omega))
    RUN(solfec, AUTO_SOLVER(1E-12), duration)
    return math.hypot(*body.conf[9:11]) - 0.5


def tipping(correction, h, duration=0.3):
    solfec, material = model('tipping%s%g' % (correction, h), h, correction, friction=5)
    BODY(solfec, 'OBSTACLE', block((-9, -9, -1), (9, 9, 0)), material)
    edge = (0.05, 0, 0)
    plank = BODY(solfec, 'RIGID', ROTATE(block((-0.05, -0.1, 0), (0.05, 0.1, 1)), edge, (0, 1, 0), 30), material)
    RUN(solfec, AUTO_SOLVER(1E-12), duration)
    return math.hypot(*DISPLACEMENT(plank, edge))


def rattleback(correction, h, duration=3.0, axes=(0.2, 0.05, 0.04)):
    """Configuration at the end."""
    solfec, material = model('rattleback%s%g' % (correction, h), h, correction)
    BODY(solfec, 'OBSTACLE', block((-3, -3, -1), (3, 3, 0)), material)
    body = BODY(solfec, 'RIGID', ELLIP((0, 0, axes[2] - 5E-6), axes, 1, 1), material)
    m = body.mass
    J = [m / 5 * (axes[1]**2 + axes[2]**2), m / 5 * (axes[0]**2 + axes[2]**2), m / 5 * (axes[0]**2 + axes[1]**2)]
    s, c = math.sin(math.radians(5)), math.cos(math.radians(5))
    xx, yy, xy = c * c * J[0] + s * s * J[1], s * s * J[0] + c * c * J[1], s * c * (J[0] - J[1])
    BODY_CHARS(body, m, m / 1000, (0, 0, axes[2] - 5E-6), (xx, xy, 0, xy, yy, 0, 0, 0, J[2]))
    body.scheme = 'RIG_IMP'
    wx, wy, arm = 0.01, 0.02, axes[2] - 2.5E-6
    INITIAL_VELOCITY(body, (arm * wy, -arm * wx, 0), (wx, wy, -2))
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-12, 100, 1E-20), duration)
    return body.conf


def pile(correction, steps=10000, h=1E-3, count=30):
    """Rows of step, deepest overlap, kinetic energy, contacts; and the radius of the smallest body."""
    solfec, material = model('pile' + correction, h, correction, 0.5)
    wall = 0.3
    for low, high in (((-1, -1, -1), (1, 1, 0)), ((-1, -1, 0), (-wall, 1, 2)), ((wall, -1, 0), (1, 1, 2)),
                      ((-wall, -1, 0), (wall, -wall, 2)), ((-wall, wall, 0), (wall, 1, 2))):
        BODY(solfec, 'OBSTACLE', block(low, high), material)
    dice = random.Random(1)
    bodies = []
    for k in range(count):
        at = [0.2 * (k % 3 - 1), 0.2 * (k // 3 % 3 - 1), 0.15 + 0.22 * (k // 9)]
        if k % 3 == 0:
            shape = SPHERE(at, 0.07, 1, 1)
        elif k % 3 == 1:
            shape = ELLIP(at, (0.09, 0.06, 0.05), 1, 1)
        else:
            shape = block([x - 0.06 for x in at], [x + 0.06 for x in at])
        shape = ROTATE(shape, at, [dice.uniform(-1, 1) for _ in range(3)], dice.uniform(0, 90))
        bodies.append(BODY(solfec, 'RIGID', shape, material))
    rows = []
    for part in range(10):
        RUN(solfec, AUTO_SOLVER(1E-12), steps / 10 * h)
        deepest = max(-c.gap for c in solfec.constraints)
        kinetic = sum(energy(b) - b.mass * G * b.conf[11] for b in bodies)
        potential = sum(b.mass * G * b.conf[11] for b in bodies)
        rows.append(((part + 1) * steps // 10, deepest, kinetic, potential, solfec.ncon))
    return rows


def landing(correction, h):
    """Deepest overlap on the way to rest."""
    solfec, material = model('landing%s%g' % (correction, h), h, correction, 0.3)
    BODY(solfec, 'OBSTACLE', block((-9, -9, -1), (9, 9, 0)), material)
    cube = BODY(solfec, 'RIGID', ROTATE(BOX((0, 0, 1), (0.5, 0.5, 0.5)), (0, 0, 1), (1, 2, 0), 37), material)
    INITIAL_VELOCITY(cube, (0, 0, -10), (1, 0, 0))
    solver, deepest = AUTO_SOLVER(1E-12), 0
    for step in range(round(1.5 / h)):
        RUN(solfec, solver, h)
        deepest = max([deepest] + [-c.gap for c in solfec.constraints])
    return deepest


def shots(correction, count=100, h=0.02):
    """Number of balls that pass the plate."""
    passed = 0
    for k in range(count):
        solfec, material = model('shot%s%d' % (correction, k), h, correction)
        BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.0005), (9, 9, 0.001)), material)
        ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0.101 + 0.1 * k), 0.1, 1, 1), material)
        INITIAL_VELOCITY(ball, (0, 0, -100), (0, 0, 0))
        RUN(solfec, AUTO_SOLVER(), 10 * h)
        passed += ball.conf[11] < 0
    return passed


def orders(errors):
    return '; '.join('%.1E' % e for e in errors) + ' (%.2f)' % math.log2(errors[-2] / errors[-1])


def main(words):
    WARNINGS('OFF')  # of steps that are too long for 'OFF' and 'ON'
    for correction in ('OFF', 'ON', 'AHEAD'):
        print("contact_correction = '%s'" % correction)
        if 'rocking' in words:
            print('rocking:     t [s], depth / half height, amplitude [degrees], energy')
            for row in rocking(correction):
                print('             %6.0f %12.2E %8.3f %8.4f' % row, flush=True)
        if 'turntable' in words:
            print('turntable:   ' + orders([turntable(correction, h) for h in (4E-3, 2E-3, 1E-3)]), flush=True)
        for name, function in (('carried', carried), ('tipping', tipping)):
            if name in words:
                print('%-13s' % (name + ':') + orders([abs(function(correction, h)) for h in (4E-3, 2E-3, 1E-3)]),
                      flush=True)
        if 'rattleback' in words:
            exact = rattleback(correction, 6.25E-5)
            ends = [rattleback(correction, h) for h in (1E-3, 5E-4, 2.5E-4)]
            for name, part in (('place', slice(9, 12)), ('rotation', slice(0, 9))):
                print('rattleback:  %-8s ' % name + orders([math.dist(end[part], exact[part]) for end in ends]),
                      flush=True)
        if 'pile' in words:
            print('pile:        step, deepest overlap [m], kinetic energy [J], potential energy [J], contacts')
            for row in pile(correction):
                print('             %6d %10.2E %10.2E %12.6f %5d' % row, flush=True)
        if 'landing' in words:
            print('landing:     deepest overlap [m] with steps of 1 and 5 ms: %.1E, %.1E' % (
                landing(correction, 1E-3), landing(correction, 5E-3)), flush=True)
        if 'shots' in words:
            print('shots:       %d of 100 balls pass' % shots(correction), flush=True)


if __name__ == '__main__':
    everything = ['rocking', 'turntable', 'carried', 'tipping', 'rattleback', 'pile', 'landing', 'shots']
    chosen = [word for word in sys.argv if word in everything] or everything
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        main(chosen)
