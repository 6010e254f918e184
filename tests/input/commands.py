"""Every command of the input language with its arguments: a valid value of each, values of a wrong type and out of
range, emptied objects. test_arguments.py runs through it."""

import math

import numpy
from conftest import cube

from solfec import *

nan, inf = math.nan, math.inf

# Kind of argument: (values of a wrong type, values out of range).
KINDS = {
    'number': (['x', [1.0], {}, 1j], [nan, inf]),
    'positive': (['x', [1.0], {}], [0, -1, nan, inf]),
    'length': (['x', [1.0], {}], [0, -1, nan, inf, 1E60]),
    'non_negative': (['x', [1.0], {}], [-1, nan, inf]),
    'fraction': (['x', [1.0], {}], [-0.1, 1.1, nan]),
    'poisson': (['x', [1.0], {}], [-1, 0.6, nan]),
    'integer': (['x', 1.5, [1]], []),
    'positive_integer': (['x', 1.5, [1]], [0, -1]),
    'vector': (['x', 1.0, ('a', 0, 0), {}, numpy.array(1.0)], [(1, 2), (1, 2, 3, 4), (nan, 0, 0), (0, -1E60, 0)]),
    'direction': (['x', 1.0, ('a', 0, 0), {}], [(1, 2), (nan, 0, 0), (0, 0, 0), (inf, 0, 0), (1E160, 0, 0)]),
    'numbers': (['x', 1.0, ['a'] * 12, {}, [[0, 1, 2]] * 4], [[], [0] * 11, [nan] * 12]),
    'points': (['x', 1.0, ['a'] * 12, {}, [['a', 0, 0]] * 4],
               [[], [0] * 11, [nan] * 12, [0.0] * 11 + [1E160], [[0, 1, 2]] * 3, [[0, 1]] * 4, [[0, 1, inf]] * 4,
                [[0, 1, -1E160]] * 4]),
    'text': ([1, ['x'], b'x'], []),
    'choice': ([1, ['x']], ['NO_SUCH', '']),
    'callable': ([1, 'x'], []),
    'data': ([], []),
    'solfec': (['x', 1, {}], []),
    'shape': (['x', 1, {}, ['x']], [[]]),
    'shape or point': (['x', 1, {}, ['x'], numpy.array(1.0), numpy.float64(1)], [[], (nan, 0, 0)]),
    'convex': (['x', 1, [1]], []),
    'sphere': (['x', 1, [1]], []),
    'mesh': (['x', 1, [1]], []),
    'body': (['x', 1, [1]], []),
    'material': ([1, [1]], ['no such label']),
    'series': (['x', [1.0], {}], [nan, inf]),
    'solver': (['x', 1], []),
    'path': ([1, [1]], ['a\0b', 'x' * 256, 'y/' * 2048]),
}


def spent_hull(m):
    spent = cube()
    BODY(m.solfec, 'OBSTACLE', spent, m.material)
    return spent


def spent_sphere(m):
    spent = SPHERE((0, 0, 0), 1, 1, 1)
    BODY(m.solfec, 'OBSTACLE', spent, m.material)
    return spent


def spent_body(m):
    spent = BODY(m.solfec, 'OBSTACLE', cube(), m.material)
    DELETE(m.solfec, spent)
    return spent


def spent_contact(m):
    spent = m.contact
    DELETE(m.solfec, spent)
    return spent


EMPTIED = {'shape': spent_hull, 'shape or point': spent_hull, 'convex': spent_hull, 'sphere': spent_sphere,
           'body': spent_body}


class Argument:
    def __init__(self, name, kind, valid, wrong=None, out=None, emptied=None):
        self.name, self.kind = name, kind
        self.valid = valid if callable(valid) and getattr(valid, '__name__', '') == '<lambda>' else lambda m: valid
        self.wrong = KINDS[kind][0] if wrong is None else wrong
        self.out = KINDS[kind][1] if out is None else out
        self.emptied = emptied or EMPTIED.get(kind)


class Command:
    def __init__(self, name, required, optional=(), needed=()):
        self.name = name
        self.needed = needed  # optional ones without which there is no call
        self.required = [Argument(*a) if isinstance(a, tuple) else a for a in required]
        self.optional = [Argument(*a) if isinstance(a, tuple) else a for a in optional]
        self.arguments = self.required + self.optional

    def __repr__(self):
        return self.name

    def call(self, values):
        return globals()[self.name](**values)


def callback(*arguments):
    return 1


def written_results(m):
    """A directory with results of the model of the tests."""
    other = type(m)(m.solfec.outpath + '-other').run()
    return other.solfec.outpath


def problem_file(m):
    """That of the model of the tests after a step."""
    FCLIB_DUMP(type(m)(m.solfec.outpath + '-other').run().solfec, 'problem.hdf5')
    return 'problem.hdf5'


CORNERS = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
CUBE_FACES = [4, 0, 3, 2, 1, 2, 4, 1, 2, 6, 5, 2, 4, 2, 3, 7, 6, 2, 4, 3, 0, 4, 7, 2, 4, 0, 1, 5, 4, 2,
              4, 4, 5, 6, 7, 2]
SOLFEC_ = ('solfec', 'solfec', lambda m: m.solfec)
CALLBACK_ = [('data', 'data', (1, 2)), Argument('callback', 'callable', lambda m: callback)]
BALL = ('body', 'body', lambda m: m.ball)
POINT = ('point', 'vector', (0, 0, 1))
BASE = ('base', 'numbers', (0, 0, 1, 2, 0, 0, 0, 1, 0), ['x', 1, ['a'] * 9],
        [[], [0] * 9, [1] * 9, [nan] * 9, [1, 0, 0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0, 1] * 2,
         [1, 0, 0, 0, 1, 0, 0, 0, -1], [1, 1E-3, 0, 0, 1, 0, 0, 0, 1]])
IDS = ['x', 1.5, [1.5] * 6]


def mesh_body(m):
    return BODY(m.solfec, 'FINITE_ELEMENT', HEX(CORNERS, 2, 1, 1, 1, [1] * 6), m.material)


def body(name):
    return (name, 'body', lambda m: m.ball)


COMMANDS = [
    # shapes
    Command('CONVEX',
            [('vertices', 'points', CORNERS, None, [[], CORNERS[:23], CORNERS[:9], [nan] * 24, [[0, 0, 0]] * 3]),
             ('faces', 'numbers', CUBE_FACES, ['x', 1, [0.5] * 20],
              [[], CUBE_FACES[:-1], CUBE_FACES[:-6], [2] + CUBE_FACES[1:], [4, 0, 0] + CUBE_FACES[3:],
               [4, 8] + CUBE_FACES[2:], [4, -1] + CUBE_FACES[2:], [4, 1, 2, 3, 0] + CUBE_FACES[5:]]),
             ],
            [('volid', 'integer', 1), ('convex', 'convex', lambda m: cube())]),
    Command('HULL', [('points', 'points', CORNERS)],
            [('volid', 'integer', 1), ('surfid', 'integer', 1), ('convex', 'convex', lambda m: cube())]),
    Command('MESH',
            [('nodes', 'points', CORNERS),
             ('elements', 'numbers', [8, 0, 1, 2, 3, 4, 5, 6, 7, 1], ['x', 1, [0.5] * 10],
              [[], [8, 0, 1, 2, 3, 4, 5, 6, 7], [7, 0, 1, 2, 3, 4, 5, 6, 1], [4, 0, 1, 2, 8, 1], [4, 0, 1, 2, 2, 1],
               [4, 0, 1, 2, 3, 1]])],
            [('surfids', 'numbers', [1, 4, 0, 1, 2, 3, 2], ['x', 1.5, [0.5]],
              [[], [1, 4, 0, 1, 2, 3], [1, 2, 0, 1, 2], [1, 4, 0, 1, 2, 8, 2], [1, 4, 0, 1, 5, 6, 2],
               [1, 3, 0, 1, 1, 2]])]),
    Command('BOX', [('center', 'vector', (0, 0, 0)),
                    ('sizes', 'vector', (1, 2, 3), None, [(1, 2), (1, 2, 0), (1, -2, 3), (nan, 1, 1), (1, 1, 1E60)])],
            [('volid', 'integer', 1), ('surfids', 'numbers', [1, 2, 3, 4, 5, 6], IDS, [[], [1] * 5, [1] * 7]),
             ('convex', 'convex', lambda m: cube())]),
    Command('CYLINDER', [('pnt', 'vector', (0, 0, 0)), ('dir', 'direction', (0, 0, 2)), ('radius', 'length', 1)],
            [('nrad', 'positive_integer', 8, None, [0, 2, -1, 1001, 10**9]), ('volid', 'integer', 1),
             ('surfids', 'numbers', [1, 2, 3], IDS, [[], [1] * 2, [1] * 4]), ('convex', 'convex', lambda m: cube())]),
    Command('SPHERE', [('center', 'vector', (0, 0, 0)), ('radius', 'length', 1)],
            [('volid', 'integer', 1), ('surfid', 'integer', 1),
             ('sphere', 'sphere', lambda m: SPHERE((0, 0, 0), 1, 1, 1))]),
    Command('ELLIP', [('center', 'vector', (0, 0, 0)),
                      ('radii', 'vector', (1, 2, 3), None, [(1, 2), (1, 2, 0), (1, -2, 3), (nan, 1, 1), (1, 1, 1E60)])],
            [('volid', 'integer', 1), ('surfid', 'integer', 1)]),
    Command('HEX', [('nodes', 'points', CORNERS, None,
                     [[], CORNERS[:21], CORNERS + CORNERS, [nan] * 24, [0.0] * 24, [1E160] * 24]),
                    ('i', 'positive_integer', 2, None, [0, -1, 10**9]), ('j', 'positive_integer', 1),
                    ('k', 'positive_integer', 1)],
            [('volid', 'integer', 1), ('surfids', 'numbers', [1, 2, 3, 4, 5, 6], IDS, [[], [1] * 5, [1] * 7]),
             ('dx', 'numbers', [1, 2], ['x', 1, ['a', 'b']], [[], [1], [1, 0], [1, -1], [1, nan]]),
             ('dy', 'numbers', [1], ['x', 1, ['a']], [[], [1, 1], [0]]),
             ('dz', 'numbers', [1], ['x', 1, ['a']], [[], [1, 1], [0]])]),
    Command('ROUGH_HEX', [('shape', 'shape', lambda m: cube()), ('i', 'positive_integer', 2, None, [0, -1, 10**9]),
                          ('j', 'positive_integer', 1), ('k', 'positive_integer', 1)],
            [('dx', 'numbers', [1, 2], ['x', 1, ['a', 'b']], [[], [1], [1, 0], [1, -1], [1, nan]]),
             ('dy', 'numbers', [1], ['x', 1, ['a']], [[], [1, 1], [0]]),
             ('dz', 'numbers', [1], ['x', 1, ['a']], [[], [1, 1], [0]])]),
    Command('PIPE', [('pnt', 'vector', (0, 0, 0)), ('dir', 'direction', (0, 0, 2)), ('rin', 'length', 1),
                     ('thi', 'length', 0.1), ('ndir', 'positive_integer', 1),
                     ('nrad', 'positive_integer', 8, None, [0, 2, -1, 10**9]), ('nthi', 'positive_integer', 1)],
            [('volid', 'integer', 1), ('surfids', 'numbers', [1, 2, 3, 4], IDS, [[], [1] * 5, [1] * 7])]),
    Command('COPY', [('shape', 'shape', lambda m: cube())]),
    Command('SCALE', [('shape', 'shape or point', lambda m: cube()),
                      ('coefs', 'vector', (1, 2, 3), None, [(1, 2), (nan, 1, 1), (1, 0, 1)])]),
    Command('TRANSLATE', [('shape', 'shape or point', lambda m: cube()), ('vector', 'vector', (1, 2, 3))]),
    Command('ROTATE', [('shape', 'shape or point', lambda m: cube()), ('point', 'vector', (0, 0, 0)),
                       ('vector', 'direction', (0, 0, 1)), ('angle', 'number', 90, None, [nan, inf, 1E160, -1E10])]),
    Command('MASS_CENTER', [('shape', 'shape', lambda m: cube())]),
    # model
    Command('SOLFEC', [('analysis', 'choice', 'DYNAMIC'), ('step', 'positive', 1E-3),
                       ('output', 'path', 'out/new', None, ['', 'a\0b', 'x' * 256, 'y/' * 2048])]),
    Command('BULK_MATERIAL', [SOLFEC_],
            [('model', 'choice', 'KIRCHHOFF'), ('label', 'text', 'steel'), ('young', 'positive', 1E9),
             ('poisson', 'poisson', 0.3), ('density', 'positive', 1E3)]),
    Command('SURFACE_MATERIAL', [SOLFEC_],
            [('surf1', 'integer', 1), ('surf2', 'integer', 2), ('model', 'choice', 'SIGNORINI_COULOMB'),
             ('label', 'text', 'glue'), ('friction', 'non_negative', 0.5), ('cohesion', 'non_negative', 1),
             ('restitution', 'fraction', 0.5), ('spring', 'non_negative', 1E6), ('dashpot', 'non_negative', 1E3),
             ('tangential_restitution', 'fraction', 0.5), ('fracture_energy', 'non_negative', 1)]),
    Command('TIME_SERIES', [('points', 'numbers', [0, 1, 2, 3], [1, {}, ['a'] * 4, [[0, 'a'], [1, 1]]],
                             [[], [0, 1], [0, 1, 2], [0, 1, 0, 1], [1, 1, 0, 1], [0, nan, 1, 1], 'no/such/file', 'a\0b',
                              [[0, 1, 2], [3, 4, 5]], [[0, 1]]])]),
    # bodies
    Command('BODY', [SOLFEC_, ('kind', 'choice', 'RIGID', [1, ['x']], ['NO_SUCH', '']),
                     ('shape', 'shape', lambda m: cube()), ('material', 'material', lambda m: m.material)],
            [('label', 'text', 'name'), ('form', 'choice', 'TL'),
             ('mesh', 'mesh', lambda m: HEX(CORNERS, 1, 1, 1, 1, [1] * 6)),
             ('elements', 'choice', 'PLAIN')]),
    Command('BODY_CHARS', [BALL, ('mass', 'positive', 1), ('volume', 'positive', 1), ('center', 'vector', (0, 0, 1)),
                           ('tensor', 'numbers', (1, 0, 0, 0, 1, 0, 0, 0, 1), ['x', 1, ['a'] * 9],
                            [[], [1] * 8, [1] * 18, [nan] * 9, [1, 2, 0, 0, 1, 0, 0, 0, 1],
                             [-1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 0, 0, 1, 0, 0, 0, 2.1]])]),
    Command('MATERIAL', [SOLFEC_, BALL, ('volid', 'integer', 3, None, [77]),
                         ('material', 'material', lambda m: m.material)]),
    Command('INITIAL_VELOCITY', [BALL, ('linear', 'vector', (1, 0, 0)), ('angular', 'vector', (0, 0, 1))]),
    Command('PARTITION', [('body', 'body', lambda m: mesh_body(m)), ('parts', 'integer', 2, None, [1, 0, -1, 3])]),
    Command('DELETE', [SOLFEC_, Argument('object', 'body', lambda m: m.ball, ['x', 1, []], [], spent_body)]),
    Command('BYLABEL', [SOLFEC_, ('kind', 'choice', 'BODY'), ('label', 'text', 'ball')]),
    # contacts
    Command('CONTACT_EXCLUDE_BODIES', [body('body1'), body('body2')]),
    Command('CONTACT_EXCLUDE_SURFACES', [SOLFEC_, ('surf1', 'integer', 1), ('surf2', 'integer', 2)]),
    Command('CONTACT_EXCLUDE_OBJECTS',
            [body('body1'), ('point1', 'vector', (0, 0, 1), None, [(1, 2), (nan, 0, 0), (9, 9, 9)]),
             ('body2', 'body', lambda m: m.floor),
             ('point2', 'vector', (0, 0, -1), None, [(1, 2), (nan, 0, 0), (99, 9, 9)])]),
    Command('CONTACT_SPARSIFY', [SOLFEC_],
            [('threshold', 'fraction', 0.1), ('minarea', 'non_negative', 1E-3), ('mindist', 'non_negative', 1E-3)]),
    Command('UNPHYSICAL_PENETRATION', [SOLFEC_, ('depth', 'positive', 0.1)]),
    Command('GEOMETRIC_EPSILON', [('epsilon', 'positive', 1E-6)]),
    Command('LOCDYN_DUMP', [('solfec', 'solfec', lambda m: m.run().solfec), ('path', 'path', 'dump.txt')]),
    Command('FCLIB_DUMP', [('solfec', 'solfec', lambda m: m.run().solfec), ('path', 'path', 'dump.hdf5')],
            [('form', 'choice', 'GLOBAL'), ('guess', 'choice', 'ON')]),
    Command('INDETERMINACY', [('solfec', 'solfec', lambda m: m.run().solfec)]),
    Command('FCLIB_SOLVE', [('path', 'path', lambda m: problem_file(m), None, ['no/such', '', 'a\0b']),
                            ('solver', 'solver', lambda m: m.solver)],
            [('tol', 'positive', 1E-2), ('time_limit', 'positive', 1), ('cold', 'choice', 'ON')]),
    # loads
    Command('GRAVITY', [SOLFEC_, ('vector', 'vector', (0, 0, TIME_SERIES([0, 0, 1, -10])),
                                  ['x', 1.0, ('a', 0, 0), {}, (1, 2)], [(nan, 0, 0)])]),
    Command('FORCE', [BALL, ('kind', 'choice', 'SPATIAL'), ('point', 'vector', (0, 0, 1)),
                      ('direction', 'vector', (0, 0, 1)), Argument('value', 'callable', lambda m: callback, [], [])],
            [('data', 'data', (1, 2))]),
    Command('TORQUE', [BALL, ('kind', 'choice', 'CONVECTED'), ('direction', 'direction', (0, 0, 1)),
                       ('value', 'series', 1.5)]),
    Command('PRESSURE', [('body', 'body', lambda m: mesh_body(m)), ('surfid', 'integer', 1, None, [77]),
                         ('value', 'series', 1.5)]),
    # joints
    Command('FIX_POINT', [BALL, POINT], [('strength', 'positive', 1E6)]),
    Command('FIX_SURFACE', [('body', 'body', lambda m: mesh_body(m)), ('surfid', 'integer', 1, None, [77])],
            [('directions', 'numbers', [(0, 0, 1)], ['x', 1.0, ['a'], [1.0]],
              [[], [(0, 0, 0)], [(1, 2)], [(nan, 0, 0)], [(0, 0, 1)] * 4])]),
    Command('FIX_DIRECTION', [BALL, POINT, ('direction', 'direction', (0, 0, 1))],
            [('body2', 'body', lambda m: m.floor), ('point2', 'vector', (0, 0, -1))]),
    *(Command(name, [BALL, POINT, ('direction', 'direction', (0, 0, 1)), argument]) for name, argument in (
        ('SET_DISPLACEMENT', ('tms', 'series', lambda m: TIME_SERIES([0, 0, 1, 1]), ['x', 1.0, [1.0], {}], [])),
        ('SET_VELOCITY', ('value', 'series', 1.5)),
        ('SET_ACCELERATION', ('tms', 'series', lambda m: TIME_SERIES([0, 0, 1, 1]))))),
    *(Command(name, [BALL, POINT, BASE, ('tms', 'vector', valid, ['x', 1.0, ('a', 0, 0), {}, (1, 2)], out)])
      for name, valid, out in (
          ('SET_DISPLACEMENT3', lambda m: (TIME_SERIES([0, 0, 1, 1]), 0, TIME_SERIES([0, 0, 1, 1])),
           [(nan, 0, 0), (0, 1, 0)]),
          ('SET_VELOCITY3', lambda m: (1.5, 0, TIME_SERIES([0, 0, 1, 1])), [(nan, 0, 0)]),
          ('SET_ACCELERATION3', lambda m: (TIME_SERIES([0, 0, 1, 1]), 0, 2), [(0, 0, inf)]))),
    Command('PUT_SPRING', [body('body1'), ('point1', 'vector', (0, 0, 1)), ('body2', 'body', lambda m: m.floor),
                           ('point2', 'vector', (0, 0, -1)), Argument('function', 'callable', lambda m: callback),
                           ('limits', 'numbers', (-0.1, inf), ['x', 1.0, ['a', 'b']],
                            [[], [-1], [-1, 0, 1], [0.1, 1], [-1, -0.1], [nan, 1]])],
            [('direction', 'direction', (0, 0, 1)), ('update', 'choice', 'CONV1')]),
    Command('PUT_RIGID_LINK', [body('body1'), ('body2', 'body', lambda m: m.floor), ('point1', 'vector', (0, 0, 1)),
                               ('point2', 'vector', (0, 0, -1))], [('strength', 'positive', 1E6)]),
    # solvers
    Command('GAUSS_SEIDEL_SOLVER', [],
            [('epsilon', 'positive', 1E-3), ('maxiter', 'positive_integer', 100),
             ('meritval', 'positive', 1E-6), ('failure', 'choice', 'CALLBACK'), ('diagepsilon', 'positive', 1E-9),
             ('diagmaxiter', 'positive_integer', 100), ('diagsolver', 'choice', 'PROJECTED_GRADIENT'), *CALLBACK_]),
    Command('NEWTON_SOLVER', [],
            [('meritval', 'positive', 1E-6), ('maxiter', 'positive_integer', 100), ('locdyn', 'choice', 'OFF'),
             ('linver', 'choice', 'DIAG'), ('linmaxiter', 'positive_integer', 20),
             ('maxmatvec', 'positive_integer', 1000), ('epsilon', 'positive', 0.1), ('delta', 'non_negative', 0.01),
             ('theta', 'positive', 0.5, None, [0, -1, 1.1, nan, inf]), ('omega', 'positive', 1E-9),
             ('gsflag', 'choice', 'OFF'), ('reldelta', 'choice', 'maxWii'),
             ('smooth', 'integer', 2, None, [-1]), ('failure', 'choice', 'CALLBACK'), *CALLBACK_]),
    Command('AUTO_SOLVER', [], [('meritval', 'positive', 1E-6), ('maxiter', 'positive_integer', 100),
                                ('failure', 'choice', 'CALLBACK'), *CALLBACK_]),
    Command('NONSMOOTH_SOLVER', [('method', 'choice', 'FP-VI-UPK')],
            [('meritval', 'positive', 1E-6), ('maxiter', 'positive_integer', 100), ('rho', 'positive', 0.1),
             ('nu', 'positive', 0.5, None, [0, 1, nan]), ('L', 'positive', 0.8, None, [0, 1, nan]),
             ('Lmin', 'positive', 0.2, None, [0, 0.9, 1]),
             # Parameters of other methods: given by test_parameters_are_those_of_the_method.
             ('tollocal', 'positive', None, None, [0, 1]), ('omega', 'positive', None, None, [0, 2]),
             ('alpha', 'positive', None), ('sigma', 'positive', None), ('exponent', 'positive', None),
             ('failure', 'choice', 'CALLBACK'), *CALLBACK_]),
    Command('CONVEX_SOLVER', [],
            [('method', 'choice', 'GS'), ('omega', 'positive', 0.5), ('lam', 'positive', 0.5, None, [0, 1.5, nan]),
             ('meritval', 'positive', 1E-6), ('maxiter', 'positive_integer', 100), ('failure', 'choice', 'CALLBACK'),
             *CALLBACK_]),
    Command('PENALTY_SOLVER', [], [('variant', 'choice', 'EXPLICIT')]),
    # running
    Command('RUN', [SOLFEC_], [('solver', 'solver', lambda m: m.solver), ('duration', 'positive', 1E-3)], ['duration']),
    Command('OUTPUT', [SOLFEC_, ('interval', 'non_negative', 0)],
            [('compression', 'choice', 'ON'), ('determinacy', 'choice', 'ON')]),
    Command('EXTENTS', [SOLFEC_, ('extents', 'numbers', (-1, -1, -1, 1, 1, 1), ['x', 1, ['a'] * 6],
                                  [[], [0] * 6, [1, 1, 1, -1, -1, -1], [0, 0, 0, 1, 1], [nan] * 6, [0] * 12])]),
    Command('CALLBACK', [SOLFEC_, ('interval', 'positive', 1E-3), ('data', 'data', None),
                         Argument('callback', 'callable', lambda m: callback)]),
    Command('INITIALIZE_STATE', [SOLFEC_, ('path', 'path', lambda m: written_results(m), None, ['no/such', '', 'a\0b']),
                                 ('time', 'number', 1E-3)]),
    # utilities
    Command('RANK', []), Command('BARRIER', []), Command('VIEWER', []), Command('SUBDIR', []),
    Command('NON_SOLFEC_ARGV', []), Command('NCPU', [], [SOLFEC_]),
    Command('IMBALANCE_TOLERANCE', [SOLFEC_, ('tolerance', 'number', 1.1, None, [0.9, -1, nan, inf])],
            [('lockdir', 'choice', 'ON'), ('degenratio', 'number', 20, None, [1, 0.5, nan, inf]),
             ('weightfactor', 'fraction', 0.5)]),
    Command('HERE', [SOLFEC_, Argument('object', 'data', lambda m: m.ball, ['x', 1, [1]])]),  # of deleted ones, too
    Command('DISPLAY_POINT', [BALL, POINT], [('label', 'text', 'tip')]),
    Command('WARNINGS', [('state', 'choice', 'ON')]),
    # results
    Command('DURATION', [SOLFEC_]),
    Command('FORWARD', [SOLFEC_, ('steps', 'positive_integer', 1)]),
    Command('BACKWARD', [SOLFEC_, ('steps', 'positive_integer', 1)]),
    Command('SEEK', [SOLFEC_, ('time', 'number', 1)]),
    Command('DISPLACEMENT', [BALL, POINT]), Command('VELOCITY', [BALL, POINT]), Command('STRESS', [BALL, POINT]),
    Command('ENERGY', [SOLFEC_], [Argument('object', 'body', lambda m: [m.ball], ['x', 1, ['x']], [[]])]),
    Command('TIMING', [SOLFEC_, ('kind', 'choice', 'CONSOL')]),
    Command('HISTORY', [('solfec', 'solfec', lambda m: m.run().solfec),
                        ('list', 'numbers', lambda m: ['STEP', (m.ball, (0, 0, 1), 'DZ')], [1, {}, [1]],
                         [[], 'NO_SUCH', ['NO_SUCH'], ('STEP',) * 0]),
                        ('t0', 'number', 0), ('t1', 'number', 1, None, [nan, inf, -1])],
            [('skip', 'positive_integer', 1), ('progress', 'choice', 'OFF')]),
    Command('XDMF_EXPORT', [SOLFEC_, ('time', 'number', (0, 1), ['x', {}, ['x'], 1j], [nan, [inf], [], (1, 0)]),
                            ('path', 'path', 'export')],
            [('subset', 'data', lambda m: [m.ball], [1, {}, [1], ['x', 1]], [[]]),
             ('attributes', 'data', ['DISP', 'GAP'], [1, [1]], [[], ['NO_SUCH'], 'NO_SUCH'])]),
]
