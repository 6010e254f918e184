"""Hopper: spheres, ellipsoids, polyhedra and meshes flow out of a funnel into a tray.

What it shows
    Bodies of all kinds of shapes in contact with each other; an obstacle that a CALLBACK sets in motion, with
    nothing remembered by the script: what to do is read off the model, so that a continued run is right.

How to run it
    solfec inp/hopper.py [options]

    -layers number     layers of 16 bodies (default: 10)
    -stop number       duration [s] (default: 3)

What to expect
    The bodies settle in the funnel, closed by a slide. After 0.8 s the slide is drawn aside and they run out. The
    mass in the hopper, on its way and in the tray is printed as it goes: their sum never changes. With the
    defaults, some 4000 steps in half a minute, the hopper is empty at the end, and everything is in the tray.
    Run it again to read the same from the results, and see docs/images/README.md for a picture.
"""

from random import Random

values = {'-layers': 10, '-stop': 3.0}
words = list(NON_SOLFEC_ARGV() or [])
while words:
    name = words.pop(0)
    if name not in values or not words:
        raise SystemExit('hopper: options are -layers number and -stop number, got %s' % name)
    try:
        values[name] = type(values[name])(words.pop(0))
    except ValueError:
        raise SystemExit('hopper: %s needs a number' % name)
    if not values[name] > 0:
        raise SystemExit('hopper: %s needs a number above 0' % name)
layers, stop = values['-layers'], values['-stop']

half, outlet = 0.5, 0.25  # half widths of the funnel's upper and lower end [m]
top, neck = 1.2, 0.5      # and their heights
opening = 0.8             # time at which the slide moves [s]

solfec = SOLFEC('DYNAMIC', 8E-4, 'out/hopper')
OUTPUT(solfec, 0.02)
GRAVITY(solfec, (0, 0, -9.81))
SURFACE_MATERIAL(solfec, friction=0.25)
UNPHYSICAL_PENETRATION(solfec, 0.05)
material = BULK_MATERIAL(solfec, density=1500)


def box(x0, x1, y0, y1, z0, z1, surface):
    return HULL([x0, y0, z0, x1, y0, z0, x1, y1, z0, x0, y1, z0,
                 x0, y0, z1, x1, y0, z1, x1, y1, z1, x0, y1, z1], 1, surface)


def funnel_wall():
    """The wall at -x: a slope down to the outlet, and above it an upright part."""
    t = 0.05
    slope = HULL([-half, -half, top, -half, half, top, -outlet, outlet, neck, -outlet, -outlet, neck,
                  -half - t, -half, top, -half - t, half, top,
                  -outlet - t, outlet, neck, -outlet - t, -outlet, neck], 1, 1)
    upright = box(-half - t, -half, -half - t, half + t, top, top + 0.6, 1)
    return [slope, upright]


walls = [ROTATE(funnel_wall(), (0, 0, 0), (0, 0, 1), angle) for angle in (0, 90, 180, 270)]
BODY(solfec, 'OBSTACLE', walls, material, label='funnel')
slide = BODY(solfec, 'OBSTACLE', box(-0.4, 0.4, -0.4, 0.4, neck - 0.05, neck, 1), material, label='slide')
size, rim = 0.9, 0.35
BODY(solfec, 'OBSTACLE', [box(-size, size, -size, size, -0.1, 0, 1)]
     + [ROTATE(box(-size - 0.1, -size, -size - 0.1, size + 0.1, -0.1, rim, 1), (0, 0, 0), (0, 0, 1), angle)
        for angle in (0, 90, 180, 270)], material, label='tray')

random = Random(1)


def turned(shape, centre):
    axis = [random.uniform(-1, 1) for k in range(3)]
    return ROTATE(shape, centre, axis, random.uniform(0, 360))


def grain(number, centre):
    """The kinds of shapes in turn, each about 0.12 m across."""
    x, y, z = centre
    kind = number % 4
    if kind == 0:
        return SPHERE(centre, 0.06, 1, 2)
    if kind == 1:
        return turned(ELLIP(centre, (0.075, 0.06, 0.045), 1, 3), centre)
    if kind == 2:
        points = []
        for k in range(12):
            direction = [random.gauss(0, 1) for i in range(3)]
            length = sum(d * d for d in direction) ** 0.5
            points += [c + 0.07 * d / length for c, d in zip(centre, direction)]
        return HULL(points, 1, 4)
    a, b, c = 0.06, 0.045, 0.04
    mesh = HEX([x - a, y - b, z - c, x + a, y - b, z - c, x + a, y + b, z - c, x - a, y + b, z - c,
                x - a, y - b, z + c, x + a, y - b, z + c, x + a, y + b, z + c, x - a, y + b, z + c],
               2, 1, 1, 1, [5, 5, 5, 5, 5, 5])
    return turned(mesh, centre)


grains = []
for layer in range(layers):
    for j in range(4):
        for i in range(4):
            shift = 0.02 * (layer % 3 - 1)
            centre = (0.19 * (i - 1.5) + shift, 0.19 * (j - 1.5) - shift, top + 0.17 * layer)
            number = len(grains)
            grains.append(BODY(solfec, 'RIGID', grain(number + layer, centre), material, label='grain %d' % number))


def draw_slide():
    """Sets the slide in motion once it is time, and stops it once it is out."""
    moving = VELOCITY(slide, slide.center)[0] != 0
    out = DISPLACEMENT(slide, slide.center)[0] > 0.8
    if solfec.time >= opening and not moving and not out:
        INITIAL_VELOCITY(slide, (2, 0, 0), (0, 0, 0))
    if moving and out:
        INITIAL_VELOCITY(slide, (0, 0, 0), (0, 0, 0))


CALLBACK(solfec, 0.05, None, draw_slide)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 200, 1E-4), stop)

items = [(body, body.center, entity) for body in grains for entity in ('DX', 'DY', 'DZ')]
times, *moves = HISTORY(solfec, items, 0, stop)
total = sum(body.mass for body in grains)
before = total
print('%8s %12s %12s %12s   [kg]' % ('time [s]', 'in hopper', 'falling', 'in tray'))
for n in sorted({round(k * (len(times) - 1) / 10) for k in range(11)}):
    mass = {'hopper': 0.0, 'falling': 0.0, 'tray': 0.0, 'lost': 0.0}
    for body, dx, dy, dz in zip(grains, moves[::3], moves[1::3], moves[2::3]):
        x, y, z = (c + d[n] for c, d in zip(body.center, (dx, dy, dz)))
        inside = max(abs(x), abs(y)) < size and z > 0
        mass['lost' if not inside else 'hopper' if z > neck else 'falling' if z > rim else 'tray'] += body.mass
    print('%8.2f %12.3f %12.3f %12.3f' % (times[n], mass['hopper'], mass['falling'], mass['tray']))
    assert mass['lost'] == 0, 'mass got lost'
    assert abs(sum(mass.values()) - total) < 1E-9 * total, 'mass balance'
    assert mass['hopper'] <= before + 1E-9 * total, 'mass went up'
    assert times[n] > opening or mass['hopper'] == total, 'the slide leaks'
    before = mass['hopper']
if stop >= 3:
    assert mass['tray'] == total, 'the hopper has not run out'
print('%d bodies, %.3f kg, all there; %.3f kg left in the hopper' % (len(grains), total, mass['hopper']))
