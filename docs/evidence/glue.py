"""Sweeps of Gauss-Seidel that the glue of PARTITION takes, and what is left of the difference from the whole:

    build/bin/solfec -w docs/evidence/glue.py [cube | bend | times]

A free bar of 20 x 2 x 2 hexahedra (or a cube of 12 x 12 x 12) turns and is pushed at one corner. Steps are told in the
time that a wave takes through an element; `change` and `merit` end the sweeps of a step at 1E-3 and 1E-6, or at 1E-6
and 1E-12. Errors are the largest differences of displacements, over the largest displacement.

With `bend`: how far the end of a clamped beam comes, of both forms. With `times`: seconds per step of a cube of
20 x 20 x 20 hexahedra, whole and in parts.
"""

import itertools
import math
import time

YOUNG, DENSITY, STEPS = 1E9, 1000, 10
WHAT = (NON_SOLFEC_ARGV() or ['sweeps'])[0]
SIZE, DIVISIONS = {'cube': ((3, 3, 3), (12, 12, 12)), 'times': ((3, 3, 3), (20, 20, 20))}.get(
    WHAT, ((10, 0.5, 0.5), (20, 2, 2)))
WAVE = SIZE[1] / DIVISIONS[1] / math.sqrt(YOUNG / DENSITY)  # through an element
POINTS = list(itertools.product(*([size * k / n for k in range(n + 1)] for size, n in zip(SIZE, DIVISIONS))))[::7]
numbers = itertools.count()


def displacement(parts, point):
    """Of a node, which some of the parts have."""
    for part in parts:
        try:
            return DISPLACEMENT(part, point)
        except ValueError:
            pass


def model(parts, scheme, step):
    """The body pushed and turning, whole or in parts."""
    solfec = SOLFEC('DYNAMIC', step, 'out/glue%d' % next(numbers))
    solfec.verbose = 'OFF'
    BULK_MATERIAL(solfec, young=YOUNG, poisson=0.3, density=DENSITY)
    OUTPUT(solfec, 1E6)
    x, y, z = SIZE
    corners = [0, 0, 0, x, 0, 0, x, y, 0, 0, y, 0, 0, 0, z, x, 0, z, x, y, z, 0, y, z]
    body = BODY(solfec, 'FINITE_ELEMENT', HEX(corners, *DIVISIONS, 1, [1] * 6), 'BULK_MATERIAL_0')
    body.scheme = scheme
    INITIAL_VELOCITY(body, (1, 2, 3), (1, 2, 3))
    FORCE(body, 'SPATIAL', SIZE, (0, 0, -1), 1000)
    return solfec, PARTITION(body, parts) if parts > 1 else [body]


def run(parts, scheme, step, change=1E-6, merit=1E-12):
    """Displacements of nodes, mean number of sweeps, number of glued nodes' constraints."""
    solfec, bodies = model(parts, scheme, step)
    solver = GAUSS_SEIDEL_SOLVER(change, 20000, merit)
    sweeps = 0
    for _ in range(STEPS):
        RUN(solfec, solver, step)
        sweeps += solver.iters
    return [displacement(bodies, point) for point in POINTS], sweeps / STEPS, solfec.ncon


def end_of_beam(form, parts):
    """Displacement of the end of a beam of 10 x 0.5 x 0.5 m under a slowly growing force of 40 kN."""
    solfec = SOLFEC('DYNAMIC', 2E-3, 'out/glue%d' % next(numbers))
    solfec.verbose = 'OFF'
    BULK_MATERIAL(solfec, young=YOUNG, poisson=0, density=DENSITY)
    OUTPUT(solfec, 1E6)
    corners = [0, 0, 0, 10, 0, 0, 10, 0.5, 0, 0, 0.5, 0, 0, 0, 0.5, 10, 0, 0.5, 10, 0.5, 0.5, 0, 0.5, 0.5]
    body = BODY(solfec, 'FINITE_ELEMENT', HEX(corners, 20, 1, 1, 1, [1] * 6), 'BULK_MATERIAL_0', form=form)
    body.scheme, body.damping = 'DEF_LIM', 5E-4
    for y, z in itertools.product((0, 0.5), (0, 0.5)):
        FIX_POINT(body, (0, y, z))
    FORCE(body, 'SPATIAL', (10, 0.25, 0.25), (0, 0, -1), TIME_SERIES([0, 0, 4, 4E4]))
    bodies = PARTITION(body, parts) if parts > 1 else [body]
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-5, 200, 1E-6), 4)
    return displacement(bodies, (10, 0.25, 0.25))


def bend():
    """Both forms, in parts."""
    for form, parts in itertools.product(('TL', 'BC'), (1, 2, 5, 10)):
        print('%s, %d parts: %.3f, %.3f m' % (form, parts, *end_of_beam(form, parts)[::2]), flush=True)


def tell_sweeps():
    """All schemes and steps."""
    for scheme, waves in (('DEF_EXP', 0.2), ('DEF_LIM', 1), ('DEF_LIM', 4), ('DEF_LIM', 16), ('DEF_LIM', 64)):
        if WHAT == 'cube' and waves > 4:
            continue
        wanted, _, _ = run(1, scheme, waves * WAVE)
        largest = max(math.hypot(*way) for way in wanted)
        for parts in (2, 4, 8):
            text = '%s, %g waves, %d parts:' % (scheme, waves, parts)
            for goals in ((1E-3, 1E-6), (1E-6, 1E-12)):
                found, sweeps, glue = run(parts, scheme, waves * WAVE, *goals)
                error = max(math.dist(a, b) for a, b in zip(found, wanted)) / largest
                text += ' %.1f sweeps, error %.0e;' % (sweeps, error)
            print('%s %d constraints' % (text, glue), flush=True)


def times():
    """Means of three steps, after the first one."""
    for (scheme, waves), parts in itertools.product((('DEF_LIM', 4), ('DEF_EXP', 0.2)), (1, 8, 27)):
        step = waves * WAVE
        solfec, _ = model(parts, scheme, step)
        solver = GAUSS_SEIDEL_SOLVER(1E-3, 10000, 1E-6)
        RUN(solfec, solver, step)
        before = time.perf_counter()
        RUN(solfec, solver, 3 * step)
        seconds = (time.perf_counter() - before) / 3
        print('%s, %d parts: %d constraints, %.3f s a step' % (scheme, parts, solfec.ncon, seconds), flush=True)


{'bend': bend, 'times': times}.get(WHAT, tell_sweeps)()
