"""Leaf spring: hysteresis by friction between the leaves, against beam theory.

What it shows
    Thin FINITE_ELEMENT bodies that bend with one hexahedron through the thickness, a MESH of hexahedra and a wedge,
    MATERIAL of a part, SET_DISPLACEMENT of a point of a mesh, friction that takes the energy of a cycle.

How to run it
    solfec inp/leaf-spring.py

What to expect
    Half a leaf spring: leaves are clamped at one end (their first element is so heavy that it stays where it is) and
    lie on each other with a ridge near the other end. The top leaf is pressed down there and let go. One leaf has the
    stiffness k of a beam, three without friction 3 k. Friction of the ridges, which slide on the leaves below as these
    bend, makes the spring stiffer by 3 % on the way down and softer by 3 % on the way up. The forces at 3/4 of the way,
    down and up, must be those of beam theory within 2 %, and the work of the press over the cycle that of friction.
"""

from math import pi, sin

length, width, thickness, ridge = 0.5, 0.02, 0.01, 0.01  # beyond the clamp, of a leaf; height of a ridge [m]
young, poisson, elements = 2E11, 0.3, 20
end = length * (1 - 0.5 / elements)  # where the ridges are: below the middle of the last element
way, step, half = 0.01, 2E-3, 1.0  # of the press [m], time down and up [s]


def leaf(top, with_ridge):
    """Hexahedra in a row, the first one in the clamp, and below the last one, if it is to have a ridge, a wedge."""
    nodes = [c for k in range(-1, elements + 1) for z in (top - thickness, top) for y in (0, width)
             for c in (length * k / elements, y, z)]
    mesh = [n for k in range(elements + 1) for n in (8, *(4 * k + corner for corner in (0, 4, 5, 1, 2, 6, 7, 3)),
                                                     2 if k == 0 else 1)]
    if with_ridge:
        last = 4 * (elements + 1)
        nodes += [end, 0, top - thickness - ridge, end, width, top - thickness - ridge]
        mesh += [6, last - 4, last + 4, last, last - 3, last + 5, last + 1, 1]
    return MESH(nodes, mesh, 1)


def spring(name, leaves, friction):
    """Force at 3/4 of the way, down and up, work of the press and of friction."""
    solfec = SOLFEC('DYNAMIC', step, 'out/leaf-spring/' + name)
    SURFACE_MATERIAL(solfec, friction=friction)
    steel = BULK_MATERIAL(solfec, young=young, poisson=poisson, density=7800)
    clamp = BULK_MATERIAL(solfec, young=young, poisson=poisson, density=1E20)
    bodies = []
    for number in range(leaves):
        shape = leaf(-number * (thickness + ridge), number < leaves - 1)
        bodies.append(BODY(solfec, 'FINITE_ELEMENT', shape, steel, form='BC'))
        bodies[-1].scheme, bodies[-1].damping = 'DEF_LIM', 5E-5
        MATERIAL(solfec, bodies[-1], 2, clamp)
    press = (end, width / 2, 0)
    SET_DISPLACEMENT(bodies[0], press, (0, 0, -1), TIME_SERIES(
        [[k * step, way * sin(pi * k * step / (2 * half))**2] for k in range(round(2 * half / step) + 2)]))
    RUN(solfec, AUTO_SOLVER(1E-12), 2 * half)
    # Reactions between the leaves cancel. They are means over a step, and so belong to its middle.
    times, z, force, friction = HISTORY(solfec, [(bodies[0], press, 'DZ'), (bodies, (0, 0, -1), None, 'R'),
                                                 (bodies, 'FRICTION')], 0, 2 * half)
    parts = [(t, -(a + b) / 2, a - b, f) for t, a, b, f in zip(times[1:], z, z[1:], force[1:])]
    at = [min((abs(x - 0.75 * way), f * 0.75 * way / x) for t, x, dx, f in parts if down == (t <= half))[1]
          for down in (True, False)]
    return (*at, sum(f * dx for t, x, dx, f in parts), -friction[-1])


def theory(leaves, friction, down):
    """Force at 3/4 of the way: a leaf takes P from above and gives N to the one below, and friction turns it with
    the moments of mu P and mu N about its middle, against the motion; all ends move by the same way."""
    inertia, shear = width * thickness**3 / 12, young / (2 + 2 * poisson) * width * thickness * 5 / 6
    alone = 0.75 * way / (end**3 / (3 * young * inertia) + end / shear)
    turn = (1 if down else -1) * 3 * friction / (2 * end)
    given = 0
    for number in reversed(range(leaves)):
        above = thickness / 2 if number > 0 else 0  # the press does not rub
        given = (alone + given * (1 + turn * (thickness / 2 + ridge))) / (1 - turn * above)
    return given


print('%-24s %12s %12s %12s' % ('', 'computed', 'expected', 'difference'))
for name, leaves, friction in (('one leaf', 1, 0.0), ('three leaves', 3, 0.0), ('three rough leaves', 3, 0.5)):
    down, up, work, lost = spring(name.replace(' ', '-'), leaves, friction)
    figures = [('down [N]', down, theory(leaves, friction, True)), ('up [N]', up, theory(leaves, friction, False))]
    if friction > 0:
        figures.append(('work [J]', work, lost))
    for what, computed, exact in figures:
        print('%-24s %12.4f %12.4f %10.2f %%' % (name + ' ' + what, computed, exact, 100 * (computed / exact - 1)))
        assert abs(computed / exact - 1) < 0.02, name + ' ' + what
