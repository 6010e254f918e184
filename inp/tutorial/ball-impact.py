"""Ball impact: elastic, partial and plastic restitution by a spring and a dashpot.

What it shows
    Several SOLFEC objects in one script, the penalty solver, and histories plotted from results.

How to run it
    solfec inp/tutorial/ball-impact.py      (computes)
    solfec inp/tutorial/ball-impact.py      (again: reads the results and plots them; needs matplotlib)

What to expect
    A ball hits a plate at 5 m/s. Without a dashpot the impact is elastic: the ball comes back at 5 m/s and hits
    again after one second, with its kinetic energy kept within 1 %. A dashpot of 1E6 gives a partial restitution
    of about 0.6, 1E7 a nearly plastic impact, below 0.1. The speeds are printed and checked; the plot of the
    kinetic energies goes to out/tutorial/ball-impact.png.
"""

step, stop, spring, speed = 1E-3, 2.0, 1E9, 5.0


def ball_impact(dashpot, output):
    w, l, h = 2, 2, 1
    floor = HULL([-w/2, -l/2, -h,
                   w/2, -l/2, -h,
                   w/2,  l/2, -h,
                  -w/2,  l/2, -h,
                  -w/2, -l/2, 0,
                   w/2, -l/2, 0,
                   w/2,  l/2, 0,
                  -w/2,  l/2, 0], 1, 1)
    solfec = SOLFEC('DYNAMIC', step, output)
    bulk = BULK_MATERIAL(solfec, model='KIRCHHOFF', young=15E9, poisson=0.3, density=2E3)
    BODY(solfec, 'OBSTACLE', floor, bulk)
    ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 1), 1, 1, 1), bulk)
    INITIAL_VELOCITY(ball, (0, 0, -speed), (0, 0, 0))
    SURFACE_MATERIAL(solfec, model='SPRING_DASHPOT', friction=0, spring=spring, dashpot=dashpot)
    GRAVITY(solfec, (0, 0, -10))
    OUTPUT(solfec, 0)  # every step: the impact is short
    RUN(solfec, PENALTY_SOLVER(), stop)
    return solfec, ball


# dashpot: bounds of the restitution
expected = {0: (0.995, 1.005), 1E6: (0.5, 0.7), 1E7: (0.0, 0.1)}
cases = [ball_impact(dashpot, 'out/tutorial/ball-impact-%d' % number)
         for number, dashpot in enumerate(expected, start=1)]

for (solfec, ball), (dashpot, (low, high)) in zip(cases, expected.items()):
    times, v = HISTORY(solfec, (ball, (0, 0, 1), 'VZ'), 0, 0.5)
    restitution = max(v) / speed
    print('dashpot %5.0E: leaves at %.3f m/s, restitution %.3f' % (dashpot, max(v), restitution))
    assert low <= restitution <= high, 'restitution'

if not VIEWER() and cases[0][0].mode == 'READ':
    import matplotlib
    matplotlib.use('Agg')
    import matplotlib.pyplot as plt
    for (solfec, ball), dashpot in zip(cases, expected):
        times, kinetic = HISTORY(solfec, (solfec, 'KINETIC'), 0, stop)
        plt.plot(times, kinetic, lw=2, label='dashpot %g' % dashpot)
    plt.axis(xmin=0, xmax=stop, ymin=-10000, ymax=110000)
    plt.xlabel('time [s]')
    plt.ylabel('kinetic energy [J]')
    plt.legend(loc='upper right')
    plt.savefig('out/tutorial/ball-impact.png', bbox_inches='tight')
    print('plotted out/tutorial/ball-impact.png')
