"""The convex law of CONVEX_SOLVER against that of Coulomb: the tables and pictures of docs/convex.md.

    build/bin/solfec -w docs/evidence/convex.py [slide] [omega] [steps] [belt] [shaken] [shaken1500] [reactor]
                                                [reactor3000] [cost] [--figures FOLDER]

Without a word all of them (hours). Balls have a density of 1000 kg/m^3, friction 0.3 and no
restitution; SOLFEC.contact_correction is 'AHEAD' where nothing else is said. With --figures the words omega, steps
and shaken write convex-<word>.png there (needs matplotlib).

slide       a cube of 1 m slides on a floor at 6 m/s: how high it hops from the floor, and its gap when it starts at
            h mu v above it, against the closed forms
omega       a step of 300 balls in a box, from R = 0: iterations to an error of 1E-4 over omega
steps       120 balls in a shaken box over the step: deepest penetration over the radius of small balls, largest
            velocity by which a contact misses its law
belt        150 balls in a frame on a belt of 1 and 5 m/s: mean height of the balls, force on the wall ahead, contacts
shaken      250 balls of 20 mm and 50 of 40 mm in a box shaken up and down: height of large ones over small ones
shaken1500  the same of 1,500 balls
reactor     400 pebbles fall into a vessel with a funnel, which is opened: height, forces, flow; iterations per step
reactor3000 the same of 3,000 pebbles in a vessel of twice the width
cost        the same accuracy on problems of these beds: time of AUTO_SOLVER and of others over that of CCP-APGD
"""
import math
import os
import random
import sys
import tempfile
import time

from solfec import *

G = 9.81
DENSITY = 1000
LAWS = {'Coulomb': lambda merit: AUTO_SOLVER(merit, 10000), 'convex': lambda merit: CONVEX_SOLVER(meritval=merit)}


def model(name, h, friction=0.3, correction='AHEAD'):
    solfec = SOLFEC('DYNAMIC', h, name)
    solfec.verbose, solfec.contact_correction = 'OFF', correction
    OUTPUT(solfec, 1E6)
    GRAVITY(solfec, (0, 0, -G))
    SURFACE_MATERIAL(solfec, friction=friction, restitution=0)
    return solfec, BULK_MATERIAL(solfec, density=DENSITY)


def block(low, high):
    (a, b, c), (d, e, f) = low, high
    return HULL([v for x in (a, d) for y in (b, e) for z in (c, f) for v in (x, y, z)], 1, 1)


def frame(solfec, material, side, height):
    """Four walls around the square |x|, |y| < side / 2, from z = 0."""
    a, b = side / 2, side / 2 + 0.1
    return [BODY(solfec, 'OBSTACLE', block(low, high), material) for low, high in (
        ((-b, -b, 0), (-a, b, height)), ((a, -b, 0), (b, b, height)),
        ((-a, -b, 0), (a, -a, height)), ((-a, a, 0), (a, b, height)))]


def floor(solfec, material, size):
    return BODY(solfec, 'OBSTACLE', block((-size, -size, -0.1), (size, size, 0)), material)


def scattered(solfec, material, radii, side, seed=1):
    """Balls of these radii, mixed, on a lattice above the floor with some noise."""
    dice = random.Random(seed)
    radii = list(radii)
    dice.shuffle(radii)
    pitch = 2.1 * max(radii)
    across = int((side - 0.05 * pitch) / pitch)
    bodies = []
    for k, r in enumerate(radii):
        at = [pitch * (k % across - (across - 1) / 2), pitch * (k // across % across - (across - 1) / 2),
              pitch * (k // across**2 + 0.5)]
        at = [x + 0.02 * pitch * dice.uniform(-1, 1) for x in at]
        bodies.append(BODY(solfec, 'RIGID', SPHERE(at, r, 1, 1), material))
    return bodies


def bed(name, h, radii, side, correction='AHEAD'):
    """Balls above a floor with walls."""
    solfec, material = model(name, h, correction=correction)
    walls = [floor(solfec, material, side)] + frame(solfec, material, side, 10)
    return solfec, walls, scattered(solfec, material, radii, side)


def height(body):
    return body.conf[11]


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


def slide():
    print('slide: friction, law: highest gap from the floor [m], closed form; gap / (h mu v) at once, closed form 1')
    h, v = 1E-3, 6.0
    for mu in (0.3, 0.5, 0.536):
        for law, solver in LAWS.items():
            ends = []
            for gap in (0, h * mu * v):
                solfec, material = model('slide%g%s%g' % (mu, law, gap), h, mu)
                floor(solfec, material, 50)
                cube = BODY(solfec, 'RIGID', BOX((-40, 0, 0.5 + gap), (1, 1, 1)), material)
                INITIAL_VELOCITY(cube, (v, 0, 0), (0, 0, 0))
                top = 0.0
                for k in range(600 if gap == 0 else 30):
                    RUN(solfec, solver(1E-20), h)
                    top = max(top, height(cube) - 0.5)
                ends.append(top if gap == 0 else (height(cube) - 0.5) / (h * mu * cube.velo[3]))
            # U_T = (v - mu g h) / (1 + mu^2), U_N = mu U_T
            exact = (mu * v / (1 + mu**2))**2 / (2 * G) if law == 'convex' else 0
            print('       %5g %-8s %.4f %.4f   %.4f %d' % (mu, law, ends[0], exact, ends[1], law == 'convex'),
                  flush=True)


RADII300 = [0.02] * 250 + [0.04] * 50


def problem(name, h, count=1, seconds=0.6):
    """The problem of a step of a bed that settles, in a file."""
    solfec, walls, bodies = bed(name, h, RADII300 * count, 0.4 * math.sqrt(count))
    RUN(solfec, AUTO_SOLVER(1E-6, 10000), seconds)
    FCLIB_DUMP(solfec, name + '.hdf5')
    return name + '.hdf5'


def omega():
    path = problem('omega', 5E-3)
    methods = {'GS, lam 1': ('GS', 1), 'GS, lam 0.7': ('GS', 0.7), 'SSOR, lam 1': ('SSOR', 1),
               'JACOBI, lam 1': ('JACOBI', 1)}
    omegas = [0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5]

    def error(iterations, method, *parameters):
        return FCLIB_SOLVE(path, CONVEX_SOLVER(method, *parameters, meritval=1E-8, maxiter=iterations), 1E-14)['error']
    print('omega: %d contacts; error after 100 iterations' % FCLIB_SOLVE(path, CONVEX_SOLVER(), 1E-1)['contacts'])
    print('       %6s ' % 'omega' + ' '.join('%14s' % name for name in methods))
    rows = []
    for w in omegas:
        rows.append([error(100, method, w, lam) for method, lam in methods.values()])
        print('       %6g ' % w + ' '.join('%14.1E' % e for e in rows[-1]), flush=True)
    accelerated = error(100, 'APGD')
    print('       APGD %.1E' % accelerated)
    for iterations in (20, 80, 300, 1000, 3000):
        print('       after %d: GS %.1E, SSOR %.1E, JACOBI %.1E, APGD %.1E' % (
            iterations, error(iterations, 'GS', 1), error(iterations, 'SSOR', 1), error(iterations, 'JACOBI', 0.2),
            error(iterations, 'APGD')), flush=True)

    def draw(axes):
        for name, column in zip(methods, zip(*rows)):
            axes.semilogy(omegas, column, '.-', label=name)
        axes.axhline(accelerated, color='black', linewidth=0.8, label='APGD')
        axes.set_xlabel('omega')
        axes.set_ylabel('error after 100 iterations')
        axes.legend()
    return draw


def shaking(solfec, walls, seconds, amplitude=0.02, frequency=5.0):
    """Moves walls up and down."""
    rate, steps = 2 * math.pi * frequency, round(seconds / 2E-3)
    series = [x for k in range(steps + 1) for x in (2E-3 * k, amplitude * rate * math.cos(rate * 2E-3 * k))]
    velocity = TIME_SERIES(series)
    for wall in walls:
        SET_VELOCITY(wall, wall.center, (0, 0, 1), velocity)


def missed(contact, h, law, friction=0.3):
    """The velocity by which the normal one of a contact that presses is below what its law asks for."""
    if not contact.R[2] > 0:
        return 0
    U = contact.U
    opening = friction * math.hypot(U[0], U[1]) if law == 'convex' else 0
    return max(0, opening - U[2] - max(contact.gap, 0) / h)


def steps():
    print('steps: h [ms], contact_correction, law: penetration / radius, velocity missed [m/s], iterations per step')
    table, sizes = {}, (2E-3, 5E-3, 1E-2)
    for correction in ('OFF', 'AHEAD'):
        for law, solver in LAWS.items():
            for h in sizes:
                solfec, walls, bodies = bed('steps%s%s%g' % (law, correction, h), h, RADII300[::-1][30:150], 0.26,
                                            correction)
                shaking(solfec, walls, 1)
                chosen = solver(1E-8)
                chosen.itershist = 'ON'
                deepest = velocity = 0.0
                for k in range(20):
                    RUN(solfec, chosen, 0.05)
                    contacts = solfec.constraints
                    deepest = max([deepest] + [-c.gap / 0.02 for c in contacts])
                    if correction == 'AHEAD':
                        velocity = max([velocity] + [missed(c, h, law) for c in contacts])
                table.setdefault((correction, law), []).append(deepest)
                print('       %4g %-6s %-8s %.1E %.1E %.0f' % (1000 * h, correction, law, deepest, velocity,
                                                              mean(chosen.itershist)), flush=True)

    def draw(axes):
        for (correction, law), row in table.items():
            axes.loglog([1000 * h for h in sizes], [max(x, 1E-9) for x in row], '.-',
                        label="%s, '%s'" % (law, correction))
        axes.set_xlabel('step [ms]')
        axes.set_ylabel('deepest penetration / radius')
        axes.legend()
    return draw


def belt():
    print('belt: speed [m/s], h [ms], law: mean height [mm], force on the frame along the belt / weight, '
          'contacts that press')
    for speed in (1.0, 5.0):
        for h in (2E-3, 5E-3):
            for law, solver in LAWS.items():
                solfec, material = model('belt%g%g%s' % (speed, h, law), h)
                ground = floor(solfec, material, 30)
                walls = frame(solfec, material, 0.4, 10)
                bodies = scattered(solfec, material, [0.03] * 150, 0.4)
                chosen = solver(1E-6)
                RUN(solfec, chosen, 0.6)
                INITIAL_VELOCITY(ground, (speed, 0, 0), (0, 0, 0))
                RUN(solfec, chosen, 0.5)
                heights, forces, pressing = [], [], []
                weight = sum(b.mass for b in bodies) * G
                for k in range(50):
                    RUN(solfec, chosen, 0.02)
                    heights.append(1000 * mean(map(height, bodies)))
                    # Friction of the belt drives the bed against the wall ahead.
                    forces.append(sum(c.R[2] for c in walls[1].constraints) / weight)
                    pressing.append(sum(c.R[2] > 0 for c in solfec.constraints))
                print('      %g %g %-8s %.2f %.3f %.0f' % (speed, 1000 * h, law, mean(heights), mean(forces),
                                                         mean(pressing)), flush=True)


def shaken(count=1, seconds=4):
    print('shaken: %d balls, h = 10 ms: mean height of large balls minus that of small ones, over the mean of all, '
          'after each second' % (300 * count))
    rows = {}
    for law, solver in LAWS.items():
        solfec, walls, bodies = bed('shaken%d%s' % (count, law), 1E-2, RADII300 * count, 0.4 * math.sqrt(count))
        chosen = solver(1E-6)
        RUN(solfec, chosen, 1.0)
        shaking(solfec, walls, seconds + 1)
        chosen.itershist = 'ON'
        large = [b for b in bodies if b.mass > 0.1]
        small = [b for b in bodies if b.mass < 0.1]
        rows[law] = []
        for second in range(seconds + 1):
            rows[law].append((mean(map(height, large)) - mean(map(height, small))) / mean(map(height, bodies)))
            if second < seconds:
                RUN(solfec, chosen, 1.0)
        print('        %-8s ' % law + ' '.join('%.2f' % x for x in rows[law]) + '   %.0f iterations per step' %
              mean(chosen.itershist), flush=True)

    def draw(axes):
        for law, row in rows.items():
            axes.plot(range(len(row)), row, '.-', label=law)
        axes.set_xlabel('time [s]')
        axes.set_ylabel('large above small balls / mean height')
        axes.legend()
    return draw


def vessel(solfec, material, radius, outlet=0.15, top=8.0, sides=12):
    """A cylinder of flat walls over a funnel of 45 degrees; returns the lid of its outlet."""
    slope, thick = radius - outlet, 0.05

    def ring(r, z):
        return [(r * math.cos(2 * math.pi * k / sides), r * math.sin(2 * math.pi * k / sides), z)
                for k in range(sides + 1)]

    def wall(low, high, r, out):
        for k in range(sides):
            inner = [ring(r[0], low), ring(r[1], high)]
            outer = [ring(r[0] + out, low), ring(r[1] + out, high)]
            points = [p[j] for p in inner + outer for j in (k, k + 1)]
            BODY(solfec, 'OBSTACLE', HULL([x for p in points for x in p], 1, 1), material)
    wall(0, slope, (outlet, radius), thick)
    wall(slope, top, (radius, radius), thick)
    return BODY(solfec, 'OBSTACLE', block((-0.4, -0.4, -0.1), (0.4, 0.4, -1E-4)), material)


def reactor(count=400, radius=0.25, h=1E-2):
    print('reactor: %d pebbles of 60 mm, h = %g ms' % (count, 1000 * h))
    for law, solver in LAWS.items():
        solfec, material = model('reactor%d%s' % (count, law), h)
        lid = vessel(solfec, material, radius)
        dice, bodies = random.Random(1), []
        across = int(2 * radius / math.sqrt(2) / 0.066)
        for k in range(count):
            at = [0.066 * (k % across - (across - 1) / 2), 0.066 * (k // across % across - (across - 1) / 2),
                  radius + 0.066 * (k // across**2)]
            bodies.append(BODY(solfec, 'RIGID', SPHERE([x + 0.002 * dice.uniform(-1, 1) for x in at], 0.03, 1, 1),
                               material))
        chosen = solver(1E-6)
        chosen.itershist = 'ON'
        RUN(solfec, chosen, 1.5)
        filled = mean(map(height, bodies))
        press = sum(c.R[2] for c in lid.constraints) / (sum(b.mass for b in bodies) * G)
        forces = sorted(c.R[2] for c in solfec.constraints if c.R[2] > 0)
        DELETE(solfec, lid)
        left = []
        for k in range(4):
            RUN(solfec, chosen, 0.25)
            left.append(sum(height(b) < 0 for b in bodies))
        print('         %-8s mean height %.4f m, lid bears %.3f of the weight, %d contacts press, median %.2f N, '
              'largest %.0f N; out after 0.25, 0.5, 0.75, 1 s: %s; %.0f iterations per step' % (
                  law, filled, press, len(forces), forces[len(forces) // 2], forces[-1], left,
                  mean(chosen.itershist)), flush=True)


def timed(path, solver, error):
    """FCLIB_SOLVE with the time of the processor where that is less: of a long solve on a busy machine."""
    began = time.process_time()
    solved = FCLIB_SOLVE(path, solver, error)
    solved['seconds'] = min(solved['seconds'], time.process_time() - began)
    return solved


def cost():
    print('cost: problem, contacts, error: time over that of CCP-APGD (iterations); -: not within 60 s and maxiter')
    solvers = {'CCP-APGD': CONVEX_SOLVER(), 'CCP-GS': CONVEX_SOLVER('GS'), 'AUTO': AUTO_SOLVER(),
               'GS': GAUSS_SEIDEL_SOLVER()}
    for name, h, count, seconds in (('falling', 5E-3, 1, 0.3), ('landing', 5E-3, 1, 0.6), ('settled', 5E-3, 1, 1.0)):
        path = problem('cost' + name, h, count, seconds)
        for error in (1E-2, 1E-4, 1E-6):
            # In turns; the least of three, since other work on the machine only adds.
            turns = [{key: timed(path, solver, error) for key, solver in solvers.items()} for k in range(3)]
            solved = {key: min((turn[key] for turn in turns), key=lambda s: s['seconds']) for key in solvers}
            one = solved['CCP-APGD']
            print('      %-12s %5d %g ' % (name, one['contacts'], error) + ', '.join(
                '%s %s (%d)' % (key, '%.2f' % (s['seconds'] / one['seconds']) if s['status'] == 'OK' else '-',
                                s['iterations']) for key, s in solved.items()), flush=True)


WORDS = {'slide': slide, 'omega': omega, 'steps': steps, 'belt': belt, 'shaken': shaken,
         'shaken1500': lambda: shaken(5), 'reactor': reactor,
         'reactor3000': lambda: reactor(3000, 0.5), 'cost': cost}


def main(words, folder):
    WARNINGS('OFF')  # of steps that are too long for 'OFF'
    for word in words:
        draw = WORDS[word]()
        if draw and folder:
            import matplotlib
            matplotlib.use('Agg')
            import matplotlib.pyplot as plt
            figure, axes = plt.subplots(figsize=(6, 4), layout='constrained')
            draw(axes)
            figure.savefig(os.path.join(folder, 'convex-%s.png' % word), dpi=80)


if __name__ == '__main__':
    chosen = [word for word in sys.argv if word in WORDS] or list(WORDS)
    figures = os.path.abspath(sys.argv[sys.argv.index('--figures') + 1]) if '--figures' in sys.argv else None
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        main(chosen, figures)
