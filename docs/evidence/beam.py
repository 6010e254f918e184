"""Energy and deflection of a steel beam, over load, form, scheme and step:

    build/bin/solfec docs/evidence/beam.py
    build/bin/solfec docs/evidence/beam.py --cases pulled pushed released --loads 1 10
    build/bin/solfec docs/evidence/beam.py --multiples 1 3 10 30 100 --mesh 30 2 2

The beam, 0.57 m long and 0.0173 m square, of plain hexahedra, is held at one end; a force across its middle rises to
the load within 50 ms. Steps are given in explicit limits of the beam at rest (the bound of the program; DEF_EXP goes in
halves of it, whatever the step). Printed are the deflection of the tip after 50 ms, its ratio to that of TL by DEF_LIM
at the smallest multiple, kinetic and stored energy over the work done, and how long it took; "refused" and the message
where the run ended with an error. Cases: bent, as above; pulled along by 1.2 times the Euler load, or pushed by 0.9 of
it, with a tenth of the load across; released within 5 us at half of the load, and swinging. The first two commands take
some minutes each, the third hours; select parts of it by --forms and --schemes as well.
"""

import argparse
import itertools
import math
import os
import tempfile
import time

from solfec import *

LENGTH, SIDE, RISE, YOUNG = 0.57, 0.0173, 0.05, 2.1E11
EULER_LOAD = math.pi**2 * YOUNG * SIDE**4 / 12 / (4 * LENGTH**2)
CASES = {'bent': (1, 0), 'pulled': (0.1, 1.2), 'pushed': (0.1, -0.9), 'released': (1, 0)}  # of the load, of Euler's
SCHEMES = ('DEF_EXP', 'DEF_LIM', 'DEF_LIM2', 'DEF_IMP')


def beam(mesh, step, case, load, form, scheme, output):
    """Model and body."""
    solfec = SOLFEC('DYNAMIC', step, output)
    solfec.verbose = 'OFF'
    BULK_MATERIAL(solfec, young=YOUNG, poisson=0.3, density=7800)
    OUTPUT(solfec, 1E6)
    corners = [(x, y, z) for z in (0, SIDE) for x, y in ((0, 0), (LENGTH, 0), (LENGTH, SIDE), (0, SIDE))]
    shape = HEX([c for corner in corners for c in corner], *mesh, 1, [1] * 6)
    body = BODY(solfec, 'FINITE_ELEMENT', shape, 'BULK_MATERIAL_0', form=form, elements='PLAIN')
    body.scheme = scheme
    for j, k in itertools.product(range(mesh[1] + 1), range(mesh[2] + 1)):
        FIX_POINT(body, (0, SIDE * j / mesh[1], SIDE * k / mesh[2]))
    across, along = CASES[case]
    end = [RISE / 2, across * load / 2, RISE / 2 + 5E-6, 0, 1, 0] if case == 'released' else [RISE, across * load]
    FORCE(body, 'SPATIAL', (LENGTH / 2, SIDE / 2, SIDE / 2), (0, 0, -1), TIME_SERIES([0, 0, *end]))
    pull = along * EULER_LOAD
    FORCE(body, 'SPATIAL', (LENGTH, SIDE / 2, SIDE / 2), (1, 0, 0), TIME_SERIES([0, 0, RISE, pull, 1, pull]))
    return solfec, body


def bent(*arguments):
    """Deflection of the tip, energy over work."""
    solfec, body = beam(*arguments)
    RUN(solfec, AUTO_SOLVER(1E-12), RISE)
    kinetic, internal, work, _, _ = ENERGY(solfec)
    return -DISPLACEMENT(body, (LENGTH, SIDE / 2, SIDE / 2))[2], (kinetic + internal) / work


def explicit_limit(mesh, output):
    """At rest."""
    solfec, _ = beam(mesh, 1E-4, 'bent', 0, 'TL', 'DEF_EXP', output)
    OUTPUT(solfec, 0)
    RUN(solfec, AUTO_SOLVER(1E-12), 1E-4)
    return 2 * HISTORY(solfec, ['STEP'], 0, 1)[1][-1]


def arguments():
    parser = argparse.ArgumentParser(prog='beam.py', description=__doc__.splitlines()[0])
    parser.add_argument('--cases', nargs='+', default=('bent',), choices=CASES)
    parser.add_argument('--loads', type=float, nargs='+', default=(1, 3, 10, 20, 30), help='[kN]')
    parser.add_argument('--forms', nargs='+', default=('TL', 'BC'))
    parser.add_argument('--schemes', nargs='+', default=SCHEMES)
    parser.add_argument('--multiples', type=float, nargs='+', default=(10, 30, 100), help='of the explicit limit')
    parser.add_argument('--mesh', type=int, nargs=3, default=(20, 1, 1))
    return parser.parse_args(NON_SOLFEC_ARGV() or [])


def main():
    options = arguments()
    outputs = (f'out{number}' for number in itertools.count())
    limit = explicit_limit(options.mesh, next(outputs))
    print('explicit limit %.3g s, %d x %d x %d elements' % (limit, *options.mesh))
    print('case      load [kN]  form  scheme    limits  step [s]   tip [m]  of TL  energy/work  time [s]')
    for case, load in itertools.product(options.cases, options.loads):
        reference = None
        for scheme, form in itertools.product(sorted(options.schemes, key=lambda s: s != 'DEF_LIM'), options.forms):
            if scheme == 'DEF_IMP' and form == 'BC':
                continue
            for multiple in sorted(options.multiples) if scheme != 'DEF_EXP' else [0.5]:
                start = time.time()
                head = '%-8s  %9g  %-4s  %-8s  %6g  %8.2g' % (case, load, form, scheme, multiple, multiple * limit)
                try:
                    tip, ratio = bent(options.mesh, multiple * limit, case, 1E3 * load, form, scheme, next(outputs))
                except RuntimeError as error:
                    print(head, ' refused:', str(error), flush=True)
                    continue
                if reference is None and (form, scheme) == ('TL', 'DEF_LIM'):
                    reference = tip
                compared = '%6.3f' % (tip / reference) if reference else '     -'
                print(head, '%8.4f %s  %11.4f  %8.1f' % (tip, compared, ratio, time.time() - start), flush=True)


with tempfile.TemporaryDirectory() as directory:
    os.chdir(directory)
    main()
