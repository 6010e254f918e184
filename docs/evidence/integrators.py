"""Energy of a finite-element block that spins and swings, scheme by scheme:

    build/bin/solfec docs/evidence/integrators.py

Printed are changes of energy over that of the start: the least, the largest, and how the mean of the last tenth
differs from that of the first. The model is that of tests/input/test_integrators.py. Steps are given in explicit limits
at rest; 3,000 N draw the block out by up to 20 %, 300 N by 2 %.
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../tests/input'))
from test_integrators import energy  # noqa: E402

TUMBLING, SLOW, STILL = (1, 2, 3), (0.1, 0.2, 0.3), (0, 0, 0)
CASES = [('DEF_IMP', 'TL', 0.4, 100000, 3000, TUMBLING), ('DEF_EXP', 'TL', 0.4, 100000, 3000, TUMBLING),
         ('DEF_EXP', 'BC', 0.4, 100000, 3000, TUMBLING), ('DEF_EXP', 'TL', 0.5, 100000, 3000, TUMBLING),
         ('DEF_LIM', 'TL', 0.4, 100000, 3000, TUMBLING), ('DEF_LIM', 'BC', 0.4, 100000, 3000, TUMBLING),
         *((scheme, form, 10, 100000, 300, spin) for spin in (STILL, SLOW)
           for scheme, form in (('DEF_IMP', 'TL'), ('DEF_LIM', 'TL'), ('DEF_LIM2', 'TL'), ('DEF_LIM', 'BC'),
                                ('DEF_LIM2', 'BC')))]

with tempfile.TemporaryDirectory() as directory:
    os.chdir(directory)
    print('scheme   form  step   pull  spin [1/s]         least     largest   last - first')
    for scheme, form, factor, steps, pull, spin in CASES:
        head = '%-8s %-4s %5.1f  %4d N  %-15s' % (scheme, form, factor, pull, spin)
        try:
            changes = energy(scheme, form, factor, steps, pull, spin)
        except RuntimeError as error:
            print(head, str(error).split(':')[1].strip(), flush=True)
            continue
        tenth = len(changes) // 10
        print(head, '%10.1e  %10.1e  %10.1e' % (min(changes), max(changes),
              (sum(changes[-tenth:]) - sum(changes[:tenth])) / tenth), flush=True)
