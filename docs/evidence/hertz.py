"""Force over approach of an elastic ball on a rigid flat, against Hertz (some minutes):

    build/bin/solfec docs/evidence/hertz.py

The model is that of tests/input/test_hertz.py. Printed are the mean and the largest error while the radius of contact
grows from 0.6 of its last value, by elements across that radius, steps of loading, and contact points of a pair.
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../tests/input'))
from test_hertz import CORE, errors_of_force  # noqa: E402

with tempfile.TemporaryDirectory() as directory:
    os.chdir(directory)
    print('elements  steps  points   mean  largest')
    for n, steps, points in ((2, 48, 'MANY'), (3, 48, 'MANY'), (4, 48, 'MANY'), (5, 48, 'MANY'), (3, 24, 'MANY'),
                             (4, 24, 'MANY'), (3, 96, 'MANY'), (4, 96, 'MANY'), (3, 48, 'ONE')):
        mean, largest = errors_of_force(n, steps, points)
        print('%8.1f  %5d  %-6s  %4.1f %%  %5.1f %%' % (n / CORE, steps, points, 100 * mean, 100 * largest), flush=True)
