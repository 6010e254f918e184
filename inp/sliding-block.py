"""Sliding block: Coulomb friction stops a block where it must.

What it shows
    Friction, a MESH whose elements give several contact points, histories of displacement, velocity, reaction
    and energy compared with the exact solution.

How to run it
    solfec inp/sliding-block.py

What to expect
    A block is thrown along a floor at v = 3 m/s. Friction mu = 0.3 under gravity g = 10 m/s^2 slows it down by
    mu g: it stops after v / (mu g) = 1 s, having moved by v^2 / (2 mu g) = 1.5 m; friction has taken its
    kinetic energy, and the floor carries its weight. Each figure is printed beside the exact one and checked.
    Run it again to read the same from the results.
"""

speed, friction, gravity = 3.0, 0.3, 10.0

solfec = SOLFEC('DYNAMIC', 1E-3, 'out/sliding-block')
GRAVITY(solfec, (0, 0, -gravity))
SURFACE_MATERIAL(solfec, friction=friction)
material = BULK_MATERIAL(solfec, density=1000)

floor = HULL([-1, -1, -0.5,  3, -1, -0.5,  3, 1, -0.5,  -1, 1, -0.5,
              -1, -1,  0,    3, -1,  0,    3, 1,  0,    -1, 1,  0], 1, 1)
BODY(solfec, 'OBSTACLE', floor, material)

block = HEX([-0.4, -0.3, 0,    0.4, -0.3, 0,    0.4, 0.3, 0,    -0.4, 0.3, 0,
             -0.4, -0.3, 0.2,  0.4, -0.3, 0.2,  0.4, 0.3, 0.2,  -0.4, 0.3, 0.2],
            2, 2, 1, 1, [2, 2, 2, 2, 2, 2])
body = BODY(solfec, 'RIGID', block, material, label='block')
INITIAL_VELOCITY(body, (speed, 0, 0), (0, 0, 0))

RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 1000, 1E-10), 1.5)

centre = body.center
times, x, y, v, push, work = HISTORY(solfec, [(body, centre, 'DX'), (body, centre, 'DY'), (body, centre, 'VX'),
                                              (body, (0, 0, 1), None, 'R'), (body, 'FRICTION')], 0, 1.5)
stop = next(t for t, speed_now in zip(times, v) if speed_now < 1E-6)
figures = [('stopping time [s]', stop, speed / (friction * gravity), 2E-3),
           ('distance [m]', x[-1], speed**2 / (2 * friction * gravity), 2E-3),
           ('sideways drift [m]', y[-1], 0, 1E-6),
           ('floor\'s push at the end [N]', push[-1], body.mass * gravity, 1E-3 * body.mass * gravity),
           ('work of friction [J]', work[-1], -0.5 * body.mass * speed**2, 1E-3 * body.mass * speed**2)]
print('%-30s %12s %12s' % ('', 'computed', 'exact'))
for name, computed, exact, tolerance in figures:
    print('%-30s %12.6f %12.6f' % (name, computed, exact))
    assert abs(computed - exact) <= tolerance, name
