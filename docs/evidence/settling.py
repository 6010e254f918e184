"""Equal balls fall into an open box and settle, with AUTO_SOLVER: processor time and iterations.

    build/bin/solfec -w docs/evidence/settling.py [balls [seconds [merit]]]

10,000 balls of a metre, 2 s and a merit of 1E-8 without other words, in steps of a millisecond. A line is printed for
each tenth of the time: processor time of its steps and of all so far, mean and largest number of iterations in a step,
steps that did not converge, contacts.
"""
import resource

from solfec import *
from solfec.run_summary import StepRecord

TENTHS = 10


def processor_time():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def model(count, step):
    solfec = SOLFEC('DYNAMIC', step, 'out/settling')
    solfec.verbose = 'OFF'
    OUTPUT(solfec, 1E6)
    GRAVITY(solfec, (0, 0, -10))
    SURFACE_MATERIAL(solfec, friction=0.3)
    material = BULK_MATERIAL(solfec, density=1000)
    side = round(count**(1 / 3))
    half, height, t = 0.535 * side, 1.2 * side, 1.0
    for low, high in (((-half - t, -half - t, -t), (half + t, half + t, 0)),
                      ((-half - t, -half - t, 0), (-half, half + t, height)),
                      ((half, -half - t, 0), (half + t, half + t, height)),
                      ((-half, -half - t, 0), (half, -half, height)),
                      ((-half, half, 0), (half, half + t, height))):
        BODY(solfec, 'OBSTACLE', HULL([v for x in (low[0], high[0]) for y in (low[1], high[1])
                                       for z in (low[2], high[2]) for v in (x, y, z)], 1, 1), material)
    for m in range(count):
        i, j, k = m % side, m // side % side, m // side**2
        center = (1.05 * (i - (side - 1) / 2) + 0.02 * (k % 3 - 1),
                  1.05 * (j - (side - 1) / 2) + 0.02 * ((k + j) % 3 - 1), 0.55 + 1.05 * k)
        BODY(solfec, 'RIGID', SPHERE(center, 0.5, 1, 1), material)
    return solfec


words = NON_SOLFEC_ARGV()
balls, seconds = int(words[0]) if words else 10000, float(words[1]) if len(words) > 1 else 2.0
solfec = model(balls, 1E-3)
solver = AUTO_SOLVER(float(words[2]) if len(words) > 2 else 1E-8)
record = StepRecord(solfec, solver)
start = last = processor_time()
for part in range(TENTHS):
    before = record.steps, record.iterations, record.unsolved
    record.iterations_largest = 0
    RUN(solfec, solver, seconds / TENTHS)
    now = processor_time()
    steps, iterations, missed = (a - b for a, b in zip((record.steps, record.iterations, record.unsolved), before))
    print('%.2f s: %.1f of %.1f s, %.0f iterations a step, %d at most, %d steps did not converge, %d contacts'
          % (solfec.time, now - last, now - start, iterations / steps, record.iterations_largest, missed, solfec.ncon),
          flush=True)
    last = now
