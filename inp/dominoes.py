"""Dominoes: a row of blocks knocks itself over.

What it shows
    Rigid blocks that stand on their faces (each touches the floor with its four corners), a row of bodies made in
    a loop, and a wave timed from histories.

How to run it
    solfec inp/dominoes.py

What to expect
    The first domino gets a push and the others follow, each within some hundredths of a second. At the end all
    of them have fallen; the speed of the wave is printed, and is nearly constant from the fifth one on.
    Run it again to read the same from the results.
"""

from math import acos, degrees

count = 20
height, width, thickness, pitch = 0.048, 0.024, 0.0075, 0.02  # [m]

solfec = SOLFEC('DYNAMIC', 2E-4, 'out/dominoes')
OUTPUT(solfec, 2E-3)
GRAVITY(solfec, (0, 0, -9.81))
SURFACE_MATERIAL(solfec, friction=0.3)
plastic = BULK_MATERIAL(solfec, density=1200)


def block(x0, x1, y0, y1, z0, z1, surface):
    return HULL([x0, y0, z0, x1, y0, z0, x1, y1, z0, x0, y1, z0,
                 x0, y0, z1, x1, y0, z1, x1, y1, z1, x0, y1, z1], 1, surface)


length = (count - 1) * pitch
BODY(solfec, 'OBSTACLE', block(-0.1, length + 0.1, -0.1, 0.1, -0.01, 0, 1), plastic)
dominoes = [BODY(solfec, 'RIGID', block(k * pitch, k * pitch + thickness, -width / 2, width / 2, 0, height, 2),
                 plastic, label='domino %d' % k) for k in range(count)]
# a push: rotation about the lower front edge
rate = 4.0  # [1/s]
INITIAL_VELOCITY(dominoes[0], (rate * height / 2, 0, rate * thickness / 2), (0, rate, 0))

duration = 1.2
RUN(solfec, AUTO_SOLVER(1E-6), duration)

# The tilt of a domino from the way between its base and its top.
items = []
for body in dominoes:
    x, y, z = body.center
    items += [(body, (x, y, z - height / 2), 'DZ'), (body, (x, y, z + height / 2), 'DZ')]
times, *heights = HISTORY(solfec, items, 0, duration)
tilts = [[degrees(acos(max(-1.0, min(1.0, 1 + (t - b) / height)))) for b, t in zip(bottom, top)]
         for bottom, top in zip(heights[::2], heights[1::2])]
moved = [next((t for t, tilt in zip(times, history) if tilt > 10), None) for history in tilts]
for k, (when, history) in enumerate(zip(moved, tilts)):
    print('domino %2d: tilted by 10 degrees at %.3f s, by %2.0f degrees at the end' % (k, when, history[-1]))
assert all(history[-1] > 45 for history in tilts), 'a domino stands'
assert all(b > a for a, b in zip(moved[1:], moved[2:])), 'they fall in turn'

half = (5 + count) // 2
early = (half - 5) * pitch / (moved[half] - moved[5])
late = (count - 1 - half) * pitch / (moved[count - 1] - moved[half])
print('speed of the wave: %.2f m/s, in its second half %.2f m/s' % (early, late))
assert 0.3 < early < 2 and abs(late - early) < 0.3 * early, 'speed of the wave'
