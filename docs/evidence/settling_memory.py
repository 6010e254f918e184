"""Memory per ball of a bed of some layers that settles, fifty sweeps a step, one rank:

    build/bin/solfec -w docs/evidence/settling_memory.py 250 4
"""

import resource


def bytes_so_far():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


side, layers = map(int, NON_SOLFEC_ARGV())
count = side * side * layers
before = bytes_so_far()
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/settling_memory')
solfec.verbose = 'OFF'
GRAVITY(solfec, (0, 0, -10))
SURFACE_MATERIAL(solfec, friction=0.3)
material = BULK_MATERIAL(solfec)
ends = [-9, 1.02 * side + 9]
corners = [c for i in range(8) for c in (ends[i & 1], ends[i >> 1 & 1], -10 + 10 * (i >> 2))]
BODY(solfec, 'OBSTACLE', HULL(corners, 1, 1), material)
for k in range(layers):
    for j in range(side):
        for i in range(side):
            x, y = 1.02 * i + 0.51 * (k % 2), 1.02 * j + 0.51 * (k % 2)
            BODY(solfec, 'RIGID', SPHERE((x, y, 0.4995 + 0.692 * k), 0.5, 1, 1), material)
made = bytes_so_far()
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-30, 50, 1E-30), 10 * solfec.step)
print('%d balls, %.2f contacts each: %.0f bytes each when made, %.0f at most'
      % (count, solfec.ncon / count, (made - before) / count, (bytes_so_far() - before) / count))
