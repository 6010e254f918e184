"""An articulated pendulum: four bars, pinned to each other, swing from a support that is shaken.

What it shows
    Joints: PUT_RIGID_LINK of coincident points pins two bodies to each other, SET_DISPLACEMENT moves the support.

How to run it
    solfec inp/articulated-pendulum.py [-bars N]
    mpirun -np 2 solfec-mpi inp/articulated-pendulum.py

What to expect
    The chain hangs at rest and is moved sideways, by 5 cm and back, once a second. It starts to swing, and whips. Pins
    do not drift apart: after two seconds, 2,000 steps, their largest gap is below a millionth of a bar. The work of the
    support is the energy of the chain, to a tenth of a percent of what was exchanged. Both are printed and checked.
"""

import math

words = NON_SOLFEC_ARGV() or []
bars = int(words[words.index('-bars') + 1]) if '-bars' in words else 4
length, width, gravity, stop = 0.25, 0.02, 9.81, 2.0

solfec = SOLFEC('DYNAMIC', 1E-3, 'out/articulated-pendulum')
steel = BULK_MATERIAL(solfec, density=7800)
SURFACE_MATERIAL(solfec)
GRAVITY(solfec, (0, 0, -gravity))
OUTPUT(solfec, 0.01)

chain, pins = [], []
for n in range(bars):
    top = -n * length
    shape = HULL([c for k in range(8) for c in (width * ((k & 1) - 0.5), width * ((k >> 1 & 1) - 0.5),
                                                top - length * (k >> 2))], 1, 1)
    chain.append(BODY(solfec, 'RIGID', shape, steel))
    if n > 0:
        CONTACT_EXCLUDE_BODIES(chain[-2], chain[-1])
        pins.append(PUT_RIGID_LINK(chain[-2], chain[-1], (0, 0, top), (0, 0, top)))

# The support is the upper end: it moves along x as prescribed, and not at all along y and z.
end = (0, 0, 0)
samples = [k * 1E-3 for k in range(int(stop * 1000) + 2)]
SET_DISPLACEMENT(chain[0], end, (1, 0, 0), TIME_SERIES([[t, 0.05 * math.sin(math.pi * t)**2] for t in samples]))
FIX_DIRECTION(chain[0], end, (0, 1, 0))
FIX_DIRECTION(chain[0], end, (0, 0, 1))

RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-12, 10000, 1E-18), stop)

items = [(body, (0, 0, -length * (n + bottom)), entity) for n, body in enumerate(chain)
         for bottom in (0, 1) for entity in ('DX', 'DY', 'DZ')]
times, kinetic, external, *moves = HISTORY(solfec, [(solfec, 'KINETIC'), (solfec, 'EXTERNAL'), *items], 0, stop)
# displacements of the upper and the lower end of each bar, in time
ends = [moves[k:k + 3] for k in range(0, len(moves), 3)]
gap = max(math.dist([x[k] for x in lower], [x[k] for x in upper])
          for lower, upper in zip(ends[1:-1:2], ends[2::2]) for k in range(len(times)))
error = max(abs(a - b) for a, b in zip(kinetic, external))
if RANK() == 0:
    print('largest gap of a pin: %.1e m; kinetic energy at most %.3f J, work that is missing at most %.1e J' % (
        gap, max(kinetic), error))
assert gap < 1E-6 * length and error < 1E-3 * max(kinetic)
assert max(abs(x) for x in ends[-1][0]) > 0.1, 'the lower end swings'
