"""What the solvers of the rotating drum send:
mpirun -np 4 build/bin/solfec-mpi -w docs/evidence/solver_traffic.py OPTIONS

OPTIONS are those of inp/rotating-drum.py, as -kifo RG -stop 2 -solv GS. Each rank prints the messages and the
collective operations that it has taken part in, per step, all other phases of the step included.
"""

import pathlib
import runpy

model = runpy.run_path(str(pathlib.Path(__file__).resolve().parents[2] / 'inp' / 'rotating-drum.py'), globals())
solfec = model['solfec']
steps = round(solfec.time / model['step'])
print('rank %d: %.1f messages, %.1f collective operations a step\n'
      % (RANK(), solfec.traffic[0] / steps, solfec.traffic[2] / steps), end='', flush=True)
