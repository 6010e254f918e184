"""Shapes of all sizes, flat ones, slivers and coincident ones, in each other and on top of each other."""

import numpy

import solfec
from solfec import *

CUBE = numpy.array([[x, y, z] for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))], dtype=float)


def size(random):
    return 10.0**random.choice((0, 0, 0, 0, -1, 1, random.uniform(-9, 9)))


def stretched(random, points):
    scales = [size(random) if random.random() < 0.3 else 1 for _ in range(3)]
    return numpy.asarray(points) * scales * (size(random) if random.random() < 0.2 else 1)


def hull(random):
    kind = random.randrange(5)
    if kind == 0:
        points = CUBE
    elif kind == 1:
        points = numpy.array([[random.gauss(0, 1) for _ in range(3)] for _ in range(random.choice((4, 5, 8, 30, 200)))])
    elif kind == 2:  # nearly coplanar
        points = numpy.array([[random.random(), random.random(), random.uniform(0, 10.0**-random.randint(1, 14))]
                              for _ in range(12)])
    elif kind == 3:  # on a grid, with many in a plane
        points = numpy.array([[random.randint(0, 3) for _ in range(3)] for _ in range(20)], dtype=float)
    else:  # many nearly the same
        points = numpy.concatenate([CUBE, CUBE + 10.0**-random.randint(3, 15), CUBE])
    return HULL(stretched(random, points).ravel().tolist(), 1, random.randint(1, 3))


def mesh(random):
    divisions = [random.randint(1, 3) for _ in range(3)]
    corners = stretched(random, CUBE)
    if random.random() < 0.4:
        corners = corners + 10.0**-random.randint(0, 6) * numpy.array([[random.gauss(0, 0.2) for _ in range(3)]
                                                                       for _ in range(8)])
    made = HEX(corners.ravel().tolist(), *divisions, 1, [1, 2, 3, 1, 2, 3])
    return ROUGH_HEX(made, 2, 2, 2) if random.random() < 0.2 else made


def shape(random):
    choice = random.random()
    if choice < 0.4:
        made = hull(random)
    elif choice < 0.6:
        made = mesh(random)
    elif choice < 0.75:
        made = SPHERE((0, 0, 0), size(random), 1, 1)
    elif choice < 0.9:
        made = ELLIP((0, 0, 0), tuple(size(random) for _ in range(3)), 1, 1)
    else:
        made = PIPE((0, 0, 0), (0, 0, size(random)), size(random), size(random), 1, random.choice((3, 8)), 1, 1,
                    [1, 2, 3, 4])
    if random.random() < 0.5:
        made = ROTATE(made, (0, 0, 0), tuple(random.choice((0, 1, random.gauss(0, 1))) for _ in range(3)),
                      random.choice((90, 45, 1E-9, random.uniform(0, 360))))
    return TRANSLATE(made, tuple(random.choice((0, 0.5, 1, random.uniform(-2, 2))) for _ in range(3)))


def body(random, s, material):
    kind = random.choice(('OBSTACLE', 'RIGID', 'RIGID', 'RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT'))
    made = mesh(random) if kind == 'FINITE_ELEMENT' else shape(random)
    if random.random() < 0.2 and kind != 'FINITE_ELEMENT':
        made = [made, shape(random)]
    b = BODY(s, kind, made, material)
    if random.random() < 0.3:
        INITIAL_VELOCITY(b, tuple(random.gauss(0, size(random)) for _ in range(3)),
                         tuple(random.gauss(0, size(random)) for _ in range(3)))
    if kind in ('PSEUDO_RIGID', 'FINITE_ELEMENT'):
        b.scheme = random.choice(('DEF_LIM', 'DEF_IMP'))
    return b


def case(random):
    solfec.configure(overwrite=True)
    for k in range(6):
        s = SOLFEC(random.choice(('DYNAMIC', 'DYNAMIC', 'QUASI_STATIC')), 10.0**-random.randint(1, 5), f'out{k}')
        s.verbose = 'OFF'
        s.contact_points = random.choice(('MANY', 'ONE'))
        OUTPUT(s, 0)
        material = BULK_MATERIAL(s, young=1E6, density=1000)
        SURFACE_MATERIAL(s, friction=random.choice((0, 0.3, 1)), cohesion=random.choice((0, 0, 10)))
        GRAVITY(s, (0, 0, -10))
        for j in range(random.randint(2, 7)):
            yield f'{k}: body {j}', lambda: body(random, s, material)
        if random.random() < 0.3:
            CONTACT_SPARSIFY(s, random.choice((0, 0.1, 1)), 10.0**-random.randint(1, 9), 10.0**-random.randint(1, 9))
        for solver in (GAUSS_SEIDEL_SOLVER(1E-3, 50), AUTO_SOLVER(1E-6, 50)):
            yield f'{k}: RUN', lambda: RUN(s, solver, 5 * s.step)
