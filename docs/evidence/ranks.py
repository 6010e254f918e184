"""Time of a step against the number of ranks: python3 docs/evidence/ranks.py (needs nothing).

An alpha-beta model of the step of docs/parallel.md for a cube of spheres. Counts of messages, bytes and collective
operations and the costs of bodies and rows are measured (commands beside them); the network is assumed.
"""

from math import log2

# One core, seconds: copies of cube_8000 in `tests/benchmark/bench.py --ranks 2` (docs/performance.md).
BODY = 2.6E-6  # per body and step: integration, detection, local dynamics
ROW = 23E-9  # per contact and sweep
CONTACTS = 2.9  # per body
# Counts: docs/evidence/traffic.py, where a rank of 1,000 bodies has three faces with 100 bodies each.
STEP_MESSAGES = 4  # per neighbour and step, beside those of the sweeps
STEP_COLLECTIVES = 13  # beside one per sweep
STEP_BYTES = 400  # per body at the boundary and step: geometry, rows, reactions
SWEEP_ROWS = 1.6  # rows per body at the boundary that are sent in a sweep, 24 bytes each
# A common network: seconds per message, per byte, and per level of a reduction's tree.
ALPHA, BETA, LEVEL = 1.5E-6, 1E-10, 2E-6
NEIGHBOURS = 26


def boundary(n):
    """Bodies in the layer next to the six faces of a cube of n bodies."""
    return min(n, 6 * n**(2 / 3))


def step_time(bodies, ranks, sweeps):
    """Seconds of (computation, messages, collective operations) of a step."""
    n = bodies / ranks
    work = n * (BODY + sweeps * CONTACTS * ROW)
    if ranks == 1:
        return work, 0, 0
    neighbours = min(ranks - 1, NEIGHBOURS)
    messages = neighbours * ALPHA * (STEP_MESSAGES + sweeps)
    size = boundary(n) * (STEP_BYTES + sweeps * 24 * SWEEP_ROWS)
    return work, messages + BETA * size, LEVEL * log2(ranks) * (STEP_COLLECTIVES + sweeps)


def table(bodies_of, title, sweeps=100):
    """Rows of a table: ranks, bodies per rank, parts of a step, efficiency."""
    print(f'\n{title}, {sweeps} sweeps a step\n')
    print('| ranks | bodies per rank | computation | messages | collective operations | step | efficiency |')
    print('|---|---|---|---|---|---|---|')
    for ranks in (1, 10, 100, 1000, 10000, 100000):
        bodies = bodies_of(ranks)
        parts = step_time(bodies, ranks, sweeps)
        efficiency = sum(step_time(bodies, 1, sweeps)) / ranks / sum(parts)
        print(f'| {ranks:,} | {bodies / ranks:,.0f} | ' + ' | '.join(f'{1000 * t:.2f} ms' for t in (*parts, sum(parts)))
              + f' | {efficiency:.2f} |')


if __name__ == '__main__':
    table(lambda ranks: 1E7, 'Ten million spheres')
    table(lambda ranks: 1E4 * ranks, 'Ten thousand spheres on each rank')
