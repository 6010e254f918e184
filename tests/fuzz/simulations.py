"""Scenes with bodies of all kinds, joints, loads and callbacks that make and delete. What is read back is what was."""

import math

import solfec
from solfec import *
from solfec.results import Results

STEP = 1E-3


def place(random):
    return tuple(random.uniform(-2, 2) for _ in range(2)) + (random.uniform(0.5, 4),)


def body(random, s, material):
    center = place(random)
    kind = random.choice(('RIGID', 'RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT'))
    corners = [c + 0.5 * x for p in ((-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1),
                                     (1, 1, 1), (-1, 1, 1))
               for c, x in zip(center, p)]
    if kind == 'FINITE_ELEMENT':
        form = random.choice(('TL', 'BC'))
        b = BODY(s, kind, HEX(corners, *(random.randint(1, 2) for _ in range(3)), 1, [1] * 6), material, form=form)
    else:
        b = BODY(s, kind, random.choice((SPHERE(center, 0.4, 1, 1), HULL(corners, 1, 1),
                                         ELLIP(center, (0.3, 0.4, 0.5), 1, 1))), material)
    if kind != 'RIGID':
        schemes = 2 if kind == 'FINITE_ELEMENT' and form == 'BC' else 3
        b.scheme = random.choice(('DEF_LIM', 'DEF_EXP', 'DEF_IMP')[:schemes])
    INITIAL_VELOCITY(b, tuple(random.gauss(0, 1) for _ in range(3)), tuple(random.gauss(0, 2) for _ in range(3)))
    return b


def joint(random, bodies):
    one, two = random.choice(bodies), random.choice(bodies)
    choice = random.randrange(6)
    if choice == 0:
        FIX_POINT(one, one.center)
    elif choice == 1:
        FIX_DIRECTION(one, one.center, place(random))
    elif choice == 2:
        SET_VELOCITY(one, one.center, (0, 0, 1), TIME_SERIES([0, 0, 0.01, 1, 1, 0]))
    elif choice == 3:
        PUT_RIGID_LINK(one, two, one.center, two.center)
    elif choice == 4:
        FORCE(one, random.choice(('SPATIAL', 'CONVECTED')), one.center, (1, 0, 0), random.uniform(-1000, 1000))
    else:
        PUT_SPRING(one, one.center, two, two.center, lambda stroke, velocity: -1000 * stroke - velocity, (-1, 1))


def case(random):
    solfec.configure(overwrite=True)
    s = SOLFEC('DYNAMIC', STEP, 'out')
    s.verbose = 'OFF'
    material = BULK_MATERIAL(s, young=10.0**random.uniform(5, 9), poisson=random.uniform(0, 0.45), density=1000)
    SURFACE_MATERIAL(s, friction=random.uniform(0, 1), restitution=random.choice((0, 0, 0.5)))
    GRAVITY(s, (0, 0, -10))
    OUTPUT(s, 0)
    BODY(s, 'OBSTACLE',
         HULL([-9, -9, -1, 9, -9, -1, 9, 9, -1, -9, 9, -1, -9, -9, 0, 9, -9, 0, 9, 9, 0, -9, 9, 0], 1, 1), material)
    bodies = []
    for k in range(random.randint(1, 8)):
        yield f'body {k}', lambda: bodies.append(body(random, s, material))
    for k in range(random.randint(0, 4)):
        if bodies:
            yield f'joint {k}', lambda: joint(random, bodies)
    seen = {}

    def callback():
        if random.random() < 0.05:
            bodies.append(body(random, s, material))
        if random.random() < 0.03 and len(bodies) > 1:
            DELETE(s, bodies.pop(random.randrange(len(bodies))))
        states = seen.setdefault(s.time, {})
        for b in bodies:
            if HERE(s, b):
                states[b.id] = (b.conf, b.velo)
        return 1

    CALLBACK(s, STEP / 2, None, callback)
    solver = random.choice((GAUSS_SEIDEL_SOLVER(1E-6, 200), AUTO_SOLVER(), NEWTON_SOLVER(1E-6, 50)))
    for k in range(2):
        yield f'RUN {k}', lambda: RUN(s, solver, random.choice((20, 50)) * STEP)

    def compare():
        results = Results('out')
        if not set(seen) <= set(results.times):
            raise AssertionError('a frame is missing')
        for k, time in enumerate(results.times):
            stored = {b.id: b for b in results.frame(k).bodies}
            for body, (conf, velo) in seen.get(time, {}).items():
                one = stored[body]
                q = one.nodes.ravel() if len(one.nodes) else [*one.gradient.T.ravel(), *one.center]
                if list(conf) != list(q) or list(velo) != list(one.velocity):
                    raise AssertionError(f'body {body} at {time} is not what it was')
        times = HISTORY(s, 'STEP', 0, 9)[0]
        energy = HISTORY(s, [(s, kind) for kind in ('KINETIC', 'INTERNAL', 'EXTERNAL')], 0, 9)[1:]
        if not all(math.isfinite(x) for column in energy for x in column):
            raise AssertionError('an energy is no number')
        if times != sorted(times):
            raise AssertionError('times fall')

    if s.time > 0:
        yield 'compare', compare
