"""Bar impact: an elastic bar of finite elements flies into a rigid wall.

What it shows
    FINITE_ELEMENT bodies, the scheme DEF_LIM, waves of stress in time histories, and a plot of them.

How to run it
    solfec inp/bar-impact.py      (computes)
    solfec inp/bar-impact.py      (again: reads the results and plots them; needs matplotlib)

What to expect
    A bar of length L hits a wall at v = 1 m/s. A wave of stress runs through it at c = sqrt(E/rho), stops the bar, is
    reflected by its free end and comes back to the wall after 2 L/c = 2 ms: the bar leaves, at the speed at which it
    came. Until then stress at the wall is rho c v = 1 MPa. Time of contact, force on the wall, stress in the middle
    while the wave is there and the speed after it are printed beside the exact ones of waves in one dimension
    (Poisson's ratio 0) and must be within 2 %. The plot of force and stress goes to out/bar-impact.png.
"""

from math import sqrt

length, side, speed, elements = 1.0, 0.1, 1.0, 200
young, density = 1E9, 1000.0
wave = sqrt(young / density)  # speed of sound [m/s]
contact = 2 * length / wave
step = 0.9 * length / elements / wave  # a Courant number of 0.9

solfec = SOLFEC('DYNAMIC', step, 'out/bar-impact')
SURFACE_MATERIAL(solfec)
material = BULK_MATERIAL(solfec, young=young, poisson=0, density=density)


def box(x0, x1, y):
    """Corners of a box with the sides x0 to x1 and -y to y."""
    return [x0, -y, -y, x1, -y, -y, x1, y, -y, x0, y, -y, x0, -y, y, x1, -y, y, x1, y, y, x0, y, y]


BODY(solfec, 'OBSTACLE', HULL(box(-0.1, 0, side), 1, 1), material)
bar = BODY(solfec, 'FINITE_ELEMENT', HEX(box(0, length, side / 2), elements, 1, 1, 1, [2] * 6), material)
bar.scheme = 'DEF_LIM'
INITIAL_VELOCITY(bar, (-speed, 0, 0), (0, 0, 0))

stop = 1.3 * contact
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-12, 1000, 1E-16), stop)

middle = (length / 2, 0, 0)
times, force, stress, kinetic = HISTORY(solfec, [(bar, (1, 0, 0), None, 'R'), (bar, middle, 'SX'), (bar, 'KINETIC')],
                                        0, stop)


def mean(values, t0, t1):
    chosen = [value for t, value in zip(times, values) if t0 < t <= t1]
    return sum(chosen) / len(chosen)


# Reactions are averages over the step that ends at the time: their sum is the impulse.
impulse = sum(r * (t - before) for r, t, before in zip(force[1:], times[1:], times))
figures = [('time of contact [ms]', 1E3 * max(t for t, r in zip(times, force) if r > 0), 1E3 * contact),
           ('force on the wall [N]', mean(force, 0, contact), density * wave * speed * side**2),
           ('stress in the middle [MPa]', 1E-6 * mean(stress, 0.3 * contact, 0.7 * contact),
            -1E-6 * density * wave * speed),
           ('speed after it [m/s]', impulse / bar.mass - speed, speed),
           ('kinetic energy after it [J]', kinetic[-1], bar.mass * speed**2 / 2)]
print('%-28s %10s %10s' % ('', 'computed', 'exact'))
for name, computed, exact in figures:
    print('%-28s %10.4f %10.4f' % (name, computed, exact))
    assert abs(computed - exact) <= 0.02 * abs(exact), name

if not VIEWER() and solfec.mode == 'READ':
    import matplotlib
    matplotlib.use('Agg')
    import matplotlib.pyplot as plt
    plt.plot([1E3 * t for t in times], [r / 1E3 for r in force], label='force on the wall [kN]')
    plt.plot([1E3 * t for t in times], [-s / 1E6 for s in stress], label='pressure in the middle [MPa]')
    plt.xlabel('time [ms]')
    plt.legend()
    plt.savefig('out/bar-impact.png', bbox_inches='tight')
    print('plotted out/bar-impact.png')
