"""Not run: mypy reads it, against the stub of the commands (python/solfec/_core.pyi). What is right has to pass, and
each line that is wrong has to be found: an ignored error that is none is one (warn_unused_ignores)."""

import numpy as np

from solfec import *

solfec = SOLFEC('DYNAMIC', 1E-3, 'out/typed')
solfec.verbose = 'OFF'
OUTPUT(solfec, 0.01, compression='ON')
GRAVITY(solfec, (0, 0, -9.81))
SURFACE_MATERIAL(solfec, friction=0.5)
steel = BULK_MATERIAL(solfec, young=2E11, poisson=0.3)
mesh = HEX(np.zeros((8, 3)), 2, 2, 2, surfids=[1, 2, 3, 4, 5, 6])
TRANSLATE(mesh, (0, 0, 1))
beam = BODY(solfec, 'FINITE_ELEMENT', mesh, steel, form='BC', label='beam')
beam.scheme = 'DEF_LIM'
hull = HULL([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
stone = BODY(solfec, 'RIGID', [SPHERE((0, 0, 0), 1), hull, [ELLIP((0, 0, 0), (1, 2, 3))]], 'BULK_MATERIAL_0')
INITIAL_VELOCITY(stone, np.zeros(3), (0, 0, 1))
joint = SET_VELOCITY(beam, beam.center, (0, 0, 1), TIME_SERIES([0, 1, 1, 2]))
FIX_POINT(beam, (0, 0, 0), strength=1E3)
PUT_SPRING(beam, (0, 0, 0), None, (0, 0, 0), lambda stroke, velocity: -1E3 * stroke, None)
FORCE(stone, 'SPATIAL', (0, 0, 0), (0, 0, 1), lambda q, u, time, step: [0] * 9)
PRESSURE(beam, 1, -1E5)
CALLBACK(solfec, 0.1, None, lambda: 1)
EXTENTS(solfec, (-1, -1, -1, 1, 1, 1))
RUN(solfec, 1.0)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 100), 1.0)
times, heights = HISTORY(solfec, (beam, beam.center, 'DZ'), 0, 1)
print(max(times), heights[0], joint.R[2], ENERGY(solfec)[0], STRESS(beam, (0, 0, 0))[6], COPY(mesh).nnod)
XDMF_EXPORT(solfec, (0, 1), 'frames', attributes=['DISP', 'REAC'])

BODY(solfec, 'RIGID', mesh, steel, lable='misspelt')  # type: ignore[call-arg]
BODY(solfec, 'RIGD', mesh, steel)  # type: ignore[arg-type]
SPHERE((0, 0, 0), 'one')  # type: ignore[arg-type]
SPHERE((0, 0, 0))  # type: ignore[call-arg]
RUN(solfec, 'AUTO')  # type: ignore[arg-type]
XDMF_EXPORT(solfec, 0, 'frames', what=1)  # type: ignore[call-arg]
solfec.time = 3  # type: ignore[misc]
solfec.bodis  # type: ignore[attr-defined]
SPHER((0, 0, 0), 1)  # type: ignore[name-defined]
