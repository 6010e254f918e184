"""Contacts times sweeps of Gauss-Seidel a second, by solver times of the program.

    build/bin/solfec -w docs/evidence/sweep_rate.py [--sweeps 500] [--steps 5] [balls] [bricks] [shapes]

balls    10,000 in a settled bed
bricks   a wall of 200: four points between two faces
shapes   500 of six shapes in a box: balls, ellipsoids, hulls, bricks of two elements, angles of two blocks

Each is run until it hardly moves, then some steps with a number of sweeps in each, rows solved to rounding. Prints the
median over the steps.
"""

import argparse
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tests', 'benchmark'))

from scenes import bed_of_spheres, mixed_shapes, wall_of_bricks  # noqa: E402

# The scene, and steps until it hardly moves.
SCENES = {'balls': (lambda: bed_of_spheres(50, 50, 4, name='rate_balls', rise=0.705), 300),
          'bricks': (lambda: wall_of_bricks(name='rate_bricks'), 20),
          'shapes': (lambda: mixed_shapes(name='rate_shapes'), 1200)}

parser = argparse.ArgumentParser()
parser.add_argument('--sweeps', type=int, default=500)
parser.add_argument('--steps', type=int, default=5)
parser.add_argument('scenes', nargs='*', choices=[[], *SCENES], default=[])
args = parser.parse_args(NON_SOLFEC_ARGV())
for name in args.scenes or SCENES:
    make, first = SCENES[name]
    solfec = make()[0]
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1.0, 10, 1E-4), first * solfec.step)
    solver = GAUSS_SEIDEL_SOLVER(1E-30, args.sweeps, 1E-30)
    rates = []
    for _ in range(args.steps):
        RUN(solfec, solver, solfec.step)
        rates.append(1E-6 * solfec.ncon * args.sweeps / TIMING(solfec, 'CONSOL'))
    print('%s: %d contacts, %.1f million contacts x sweeps a second' % (name, solfec.ncon, statistics.median(rates)))
