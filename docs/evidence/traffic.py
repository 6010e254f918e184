"""What a rank sends: mpirun -np 8 build/bin/solfec-mpi -w docs/evidence/traffic.py

A cube of 8,000 spheres that settles, with 5 and with 25 sweeps a step. Each rank prints the messages and bytes that a
sweep adds, and those of a step beside its sweeps (the callback's collective operations, three, are among them).
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tests', 'benchmark'))
import scenes  # noqa: E402

STEPS = 6
solfec = scenes.SCENES['cube_8000']()[0]


def sent_in_step(sweeps):
    """(messages, bytes, collective operations) of a step."""
    seen = []
    CALLBACK(solfec, 0.5 * solfec.step, (), lambda: seen.append(solfec.traffic) or 1)
    RUN(solfec, scenes.sweeps(sweeps), (STEPS - 0.5) * solfec.step)
    return [(b - a) / (len(seen) - 1) for a, b in zip(seen[0], seen[-1])]


RUN(solfec, scenes.sweeps(5), 120.5 * solfec.step)
few, many = sent_in_step(5), sent_in_step(25)
sweep = [(b - a) / 20 for a, b in zip(few, many)]
step = [a - 5 * s for a, s in zip(few, sweep)]
print('rank %d, %d bodies and obstacles, %d contacts: a sweep %.1f messages, %.0f bytes; a step beside %.1f messages, '
      '%.0f bytes, %.0f collective operations\n'
      % (RANK(), len(solfec.bodies), len(solfec.constraints), *sweep[:2], *step),
      end='', flush=True)
