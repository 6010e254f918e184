"""Memory of each rank after a script has made a million spheres:

    mpirun -np 8 build/bin/solfec-mpi -w docs/evidence/memory.py 1000000
"""

import resource


def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


solfec = SOLFEC('DYNAMIC', 1E-3, 'out/memory')
material = BULK_MATERIAL(solfec)
before = megabytes()
for k in range(int(NON_SOLFEC_ARGV()[0])):
    BODY(solfec, 'RIGID', SPHERE((3 * (k % 100), 3 * (k // 100 % 100), 3 * (k // 10000)), 1, 1, 1), material)
print('rank %d of %d grew by %.0f MB\n' % (RANK(), NCPU(), megabytes() - before), end='', flush=True)
