"""A small model with all kinds of bodies and shapes, for the tests of exports: script, and what the program says of it.

The script writes history.json: times, and by name what HISTORY has of points of bodies.
"""

SCRIPT = '''
import json

solfec = SOLFEC('DYNAMIC', 1E-3, 'out/model')
solfec.verbose = 'OFF'
GRAVITY(solfec, (0, 0, -10))
SURFACE_MATERIAL(solfec, friction=0.3)
material = BULK_MATERIAL(solfec, model='KIRCHHOFF', label='soft', young=1E6, poisson=0.25, density=1000)
OUTPUT(solfec, 0.01)


def block(x, y, z, a=0.2, b=0.2, c=0.2):
    return [v for p in ((0, 0, 0), (a, 0, 0), (a, b, 0), (0, b, 0), (0, 0, c), (a, 0, c), (a, b, c), (0, b, c))
            for v in (x + p[0], y + p[1], z + p[2])]


floor = BODY(solfec, 'OBSTACLE', HULL(block(-1, -1, -0.1, 4, 2, 0.1), 1, 1), material, label='floor')
ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0.11), 0.1, 2, 2), material, label='ball')
one = BODY(solfec, 'RIGID', HULL(block(0.3, 0, 0.001), 3, 3), material, label='cube 1')
two = BODY(solfec, 'RIGID', HULL(block(0.8, 0, 0.02), 3, 3), material, label='cube 2')
egg = BODY(solfec, 'PSEUDO_RIGID', ELLIP((1.4, 0, 0.21), (0.1, 0.15, 0.2), 4, 4), material, label='egg')
egg.scheme = 'DEF_LIM'
soft = BODY(solfec, 'FINITE_ELEMENT', HEX(block(1.8, 0, 0.01), 2, 2, 2, 5, [5] * 6), material, label='soft')
wedge = BODY(solfec, 'FINITE_ELEMENT', MESH([2.2, 0, 0.01, 2.4, 0, 0.01, 2.2, 0.2, 0.01, 2.2, 0, 0.2, 2.4, 0, 0.2,
             2.2, 0.2, 0.2], [6, 0, 1, 2, 3, 4, 5, 6], 6), material, label='wedge')
inside = BODY(solfec, 'FINITE_ELEMENT', HULL(block(2.62, 0.02, 0.03, 0.1, 0.1, 0.1), 7, 7), material, label='inside',
              mesh=HEX(block(2.6, 0, 0.01), 1, 1, 1, 7, [7] * 6))
pair = BODY(solfec, 'RIGID', [HULL(block(0.3, 0.5, 0.3), 8, 8), SPHERE((0.6, 0.6, 0.4), 0.1, 8, 8)], material,
            label='pair')
FIX_POINT(pair, (0.4, 0.6, 0.5))
INITIAL_VELOCITY(one, (0.5, 0, 0), (0, 0, 0))
INITIAL_VELOCITY(two, (0, 0, 1), (0, 40, 10))
INITIAL_VELOCITY(egg, (0, 0, 0), (5, 1, 0))
INITIAL_VELOCITY(pair, (0, 0, 0), (0, 20, 0))
late = []


def change():
    if solfec.time > 0.05 and not late:
        late.append(BODY(solfec, 'RIGID', SPHERE((0, 0.6, 0.5), 0.05, 2, 2), material, label='late'))
        DELETE(solfec, wedge)
    return 1


CALLBACK(solfec, 0.01, None, change)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 1000, 1E-12), 0.12)

points = {'cube 1': (one, (0.5, 0.2, 0.201)), 'cube 2': (two, (0.8, 0, 0.02)), 'soft': (soft, (2.0, 0.2, 0.21)),
          'inside': (inside, (2.72, 0.12, 0.13)), 'egg': (egg, (1.4, 0, 0.41)), 'ball': (ball, (0, 0, 0.21)),
          'pair': (pair, (0.5, 0.7, 0.5))}
entities = ['DX', 'DY', 'DZ', 'VX', 'VY', 'VZ', 'SX', 'SY', 'SZ', 'SXY', 'SXZ', 'SYZ', 'MISES']
history = {}
for name, (body, point) in points.items():
    times, *values = HISTORY(solfec, [(body, point, entity) for entity in entities], 0, 1)
    history[name] = {'body': body.id, 'point': point, **dict(zip(entities, values))}
force = HISTORY(solfec, (floor, (0, 0, 1), None, 'CR'), 0, 1)[1]
json.dump({'times': times, 'points': history, 'force on floor': force,
           'bodies': HISTORY(solfec, 'BODS', 0, 1)[1]}, open('history.json', 'w'))
'''


def nearest(X, point):
    """The row of X (n, 3) that is at a point."""
    distance = ((X - point)**2).sum(axis=1)
    k = int(distance.argmin())
    assert distance[k] < 1E-10, (point, X[k])
    return k
