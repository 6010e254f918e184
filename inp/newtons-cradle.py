"""Newton's cradle: five balls in a row, hit by the first one.

What it shows
    Restitution 1, and what a time-stepping method makes of impacts: those that fall into different steps are
    resolved one after the other, those that fall into one step are resolved together.

How to run it
    solfec inp/newtons-cradle.py

What to expect
    The first ball of each row arrives at v = 1 m/s. There is no gravity, and no strings are needed.
    Gaps wider than 2 v h: the impacts come in different steps, and the cradle of the textbooks appears: the last
    ball leaves with v, the others stand still.
    Touching balls: all impacts fall into one step. Newton's law, each contact leaving at e = 1 times the speed at
    which it closed, asks only the first contact to open at v, while the three at rest must not close. The
    momentum is then shared: the first ball comes back at 3/5 v and the other four go on together at 2/5 v.
    Momentum and kinetic energy are kept in both rows. Velocities are printed and checked.
"""

speed, radius, step = 1.0, 0.05, 1E-3
rows = {'apart': (0.0, 3 * speed * step, [0, 0, 0, 0, 1]),
        'touching': (1.0, 0.0, [-0.6, 0.4, 0.4, 0.4, 0.4])}

solfec = SOLFEC('DYNAMIC', step, 'out/newtons-cradle')
SURFACE_MATERIAL(solfec, restitution=1)
steel = BULK_MATERIAL(solfec, density=7800)

balls = {}
for name, (y, gap, expected) in rows.items():
    # the first ball starts 0.1 m before the second one
    places = [-0.1] + [k * gap for k in range(4)]
    balls[name] = [BODY(solfec, 'RIGID', SPHERE((place + k * 2 * radius, y, 0), radius, 1, 1), steel)
                   for k, place in enumerate(places)]
    INITIAL_VELOCITY(balls[name][0], (speed, 0, 0), (0, 0, 0))

RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-12, 10000, 1E-20), 0.2)

for name, (y, gap, expected) in rows.items():
    times, *velocities = HISTORY(solfec, [(ball, ball.center, 'VX') for ball in balls[name]], 0, 0.2)
    last = [v[-1] / speed for v in velocities]
    print('%-8s velocities / v:' % name, ' '.join('%8.5f' % (round(v, 5) + 0.0) for v in last))
    assert all(abs(v - e) < 1E-6 for v, e in zip(last, expected)), name
    assert abs(sum(last) - 1) < 1E-9, 'momentum'
    assert abs(sum(v * v for v in last) - 1) < 1E-6, 'kinetic energy'
