"""Force that peels two glued arms apart (double cantilever), against the step:

    build/bin/solfec -w docs/evidence/peel.py

Arms of 200 x 20 x 10 mm, beyond a crack of 50 mm glued to each other, are opened at their ends by 0.2 m/s. The crack
grows at F = sqrt(G b E I) / a, of beams without shear that are clamped at its tip, a from the ends. With a fracture
energy G the greatest force does not depend on the step; without one (0) glue breaks the sooner the shorter the step.
Takes three minutes.
"""

import math

LENGTH, WIDTH, HEIGHT, CRACK = 0.2, 0.02, 0.01, 0.05
YOUNG, COHESION, SPEED, END, DIVISIONS = 1E9, 1E6, 0.1, 0.4, 40
GLUED, FREE = 1, 9


def arm(solfec, low, glued_side):
    """A mesh of two layers, glued beyond the crack by its lower (0) or its upper (2) side."""
    points = [LENGTH * i / DIVISIONS for i in range(DIVISIONS + 1)]
    nodes = [a for k in range(3) for y in (0, WIDTH) for x in points for a in (x, y, low + k * HEIGHT / 2)]

    def face(i, k):
        row = len(points)
        return [2 * row * k + i, 2 * row * k + i + 1, 2 * row * k + row + i + 1, 2 * row * k + row + i]

    elements = [a for k in range(2) for i in range(DIVISIONS) for a in (8, *face(i, k), *face(i, k + 1), 0)]
    faces = [a for i in range(DIVISIONS)
             for a in (4, *face(i, glued_side), GLUED if points[i] > CRACK - 1E-9 else FREE)]
    body = BODY(solfec, 'FINITE_ELEMENT', MESH(nodes, elements, [FREE, *faces]), 'BULK_MATERIAL_0')
    body.scheme, body.damping = 'DEF_LIM2', 1E-4
    return body


def greatest_force(step, fracture_energy):
    """Until the crack has grown, or the glue is broken [N]."""
    solfec = SOLFEC('DYNAMIC', step, 'out/peel_%g_%g' % (step, fracture_energy))
    solfec.verbose = 'OFF'
    OUTPUT(solfec, END)
    BULK_MATERIAL(solfec, young=YOUNG, poisson=0, density=1000)
    SURFACE_MATERIAL(solfec, GLUED, GLUED, cohesion=COHESION, fracture_energy=fracture_energy)
    SURFACE_MATERIAL(solfec)
    pulls = []
    for body, edge, sign in ((arm(solfec, 0, 0), HEIGHT, 1), (arm(solfec, -HEIGHT, 2), -HEIGHT, -1)):
        for y in (0, WIDTH):
            grows = TIME_SERIES([0, 0, 0.01, sign * SPEED, END, sign * SPEED])
            pulls.append((sign, SET_VELOCITY(body, (0, y, edge), (0, 0, 1), grows)))
            FIX_DIRECTION(body, (0, y, edge), (0, 1, 0))
        FIX_DIRECTION(body, (LENGTH, 0, 0), (1, 0, 0))
    greatest = 0

    def watch():
        nonlocal greatest
        force = sum(sign * pull.R[2] for sign, pull in pulls) / 2
        greatest = max(greatest, force)
        return force > 0.8 * greatest  # it has broken, or the crack has grown

    CALLBACK(solfec, step, (), watch)
    RUN(solfec, AUTO_SOLVER(), END)
    return greatest


inertia = WIDTH * HEIGHT**3 / 12
for energy in (0, 200):
    theory = math.sqrt(energy * WIDTH * YOUNG * inertia) / CRACK
    for step in (1E-3, 3E-4, 1E-4):
        force = greatest_force(step, energy)
        print('fracture energy %g J/m^2, step %g s: %.1f N (beams: %.1f)' % (energy, step, force, theory))
