"""Equal balls fall into an open box and settle, with AUTO_SOLVER: processor time and iterations.

    build/bin/solfec -w docs/evidence/settling.py [balls [seconds [merit]]]

10,000 balls of a metre, 2 s and a merit of 1E-8 without other words, in steps of a millisecond. A line is printed for
each tenth of the time: processor time of its steps and of all so far, mean and largest number of iterations in a step,
steps that did not converge, contacts.
"""
import os
import resource
import sys

from solfec import *
from solfec.run_summary import StepRecord

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tests', 'benchmark'))
from scenes import dropped_spheres  # noqa: E402

TENTHS = 10


def processor_time():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


words = NON_SOLFEC_ARGV() or []
balls, seconds = int(words[0]) if words else 10000, float(words[1]) if len(words) > 1 else 2.0
solfec = dropped_spheres('settling', balls)[0]
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
