"""What ranks lose by waiting for each other where they have the same to do:

    mpirun -np 2 build/bin/solfec-mpi docs/evidence/noise.py

Each rank does the same work over and over, alone, and then with a BARRIER after each piece. What is lost beyond the
barriers themselves is the machine's: its cores are never equally fast for a moment as short as a sweep.
"""

import time

PIECES = 2000


def work():
    """Some hundred microseconds."""
    total = 0
    for k in range(6000):
        total += k
    return total


def seconds(piece):
    """Per piece."""
    BARRIER()
    start = time.perf_counter()
    for _ in range(PIECES):
        piece()
    return (time.perf_counter() - start) / PIECES


for _ in range(3):
    alone, barrier, together = seconds(work), seconds(BARRIER), seconds(lambda: (work(), BARRIER()))
    print('rank %d: %.0f us alone, %.1f us a barrier, %.0f us together: %.2f' % (
        RANK(), 1E6 * alone, 1E6 * barrier, 1E6 * together, alone / (together - barrier)))
