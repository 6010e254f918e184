"""INDETERMINACY: exact cases, and against the rank and null space of dense matrices that are made here from points,
bases and laws of constraints alone: forces and moments in space, without masses."""

import itertools
import math
import random

import pytest
from conftest import cube
from equilibrium_judge import Judge

from solfec import *
from solfec.results import Results

OUTPUTS = (f'out{number}' for number in itertools.count())
DENSE = 400  # components up to which a cluster is dealt with by dense matrices


class Scene:
    """Bodies on obstacles of one material, without friction unless told otherwise."""

    def __init__(self, friction=0.0, step=1E-3, analysis='DYNAMIC'):
        self.solfec = SOLFEC(analysis, step, next(OUTPUTS))
        self.solfec.verbose = 'OFF'
        self.friction = friction
        self.material = BULK_MATERIAL(self.solfec, density=1000)
        SURFACE_MATERIAL(self.solfec, friction=friction)
        GRAVITY(self.solfec, (0, 0, -10))

    def body(self, kind, shape, label=''):
        return BODY(self.solfec, kind, shape, self.material, label)

    def run(self, steps=20, solver=None):
        RUN(self.solfec, solver or GAUSS_SEIDEL_SOLVER(1E-10, 10000, 1E-20), steps * self.solfec.step)
        return self

    def found(self):
        return INDETERMINACY(self.solfec)


def judge_of(scene):
    def bodies(c):
        adjacent = c.adjbod if isinstance(c.adjbod, tuple) else (c.adjbod,)
        return [None if body.kind == 'OBSTACLE' else body for body in adjacent]

    return Judge([(c.kind, c.R, c.base, c.point, bodies(c)) for c in scene.solfec.constraints], scene.friction)


def check(scene):
    """Against the judge; what all clusters together have is what is told of all."""
    found, judge = scene.found(), judge_of(scene)
    assert found['resolved'] and found['deviation'] == 0
    assert (found['components'], found['degree']) == (judge.components, judge.degree)
    assert found['rank'] == found['components'] - found['degree']
    assert [r['constraint'] for r in found['reactions']] == scene.solfec.constraints
    assert [(r['normal'], r['tangent']) for r in found['reactions']] == judge.parts()
    for name in ('bodies', 'constraints', 'components', 'rank', 'degree'):
        assert sum(cluster[name] for cluster in found['clusters']) == found[name]
    counts = [0] * len(found['clusters'])
    for reaction in found['reactions']:
        assert (reaction['cluster'] is None) == (reaction['normal'] is None and reaction['tangent'] is None)
        if reaction['cluster'] is not None:
            counts[reaction['cluster']] += 1
    assert counts == [cluster['constraints'] for cluster in found['clusters']]
    return found


def plate(supports, friction=0.0):
    """A plate on balls that do not move."""
    scene = Scene(friction)
    for x, y in supports:
        scene.body('OBSTACLE', SPHERE((x, y, -0.1), 0.1, 1, 1))
    scene.body('RIGID', cube(0, 0, 0, 1))
    return scene.run()


def by_place(found):
    """{(x, y): (normal, tangent)}"""
    return {tuple(round(x, 3) for x in r['constraint'].point[:2]): (r['normal'], r['tangent'])
            for r in found['reactions']}


def test_plate_on_three_supports():
    found = check(plate([(0.1, 0.1), (0.9, 0.1), (0.5, 0.9)]))
    assert (found['components'], found['rank'], found['degree']) == (3, 3, 0)
    assert set(by_place(found).values()) == {(True, None)}
    assert found['clusters'] == [{name: found[name] for name in found if name not in ('clusters', 'reactions')}]
    assert found['clusters'][0]['bodies'] == 1


def test_plate_on_four_supports():
    """Null vector (1, -1, 1, -1)."""
    found = check(plate([(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]))
    assert (found['components'], found['rank'], found['degree']) == (4, 3, 1)
    assert set(by_place(found).values()) == {(False, None)}


def test_three_of_four_supports_in_line():
    """Null vector (5, -8, 3, 0) at x = 0.1, 0.4, 0.9; the mass centre is between the line and the fourth."""
    found = check(plate([(0.1, 0.1), (0.4, 0.1), (0.9, 0.1), (0.5, 0.9)]))
    assert found['degree'] == 1
    determined = by_place(found)
    assert determined[(0.5, 0.9)] == (True, None)
    assert [determined[x, 0.1] for x in (0.1, 0.4, 0.9)] == [(False, None)] * 3


def test_plate_with_friction():
    """Nine components, six equations; of tangential forces in a plane only sums are given, of normal ones all."""
    found = check(plate([(0.1, 0.1), (0.9, 0.1), (0.5, 0.9)], friction=0.5))
    assert (found['components'], found['degree']) == (9, 3)
    assert set(by_place(found).values()) == {(True, False)}


def ladder(floor, wall):
    """A body that touches floor and wall by a ball each, which friction holds or not."""
    scene = Scene()
    SURFACE_MATERIAL(scene.solfec, 1, 3, friction=floor)
    SURFACE_MATERIAL(scene.solfec, 2, 3, friction=wall)
    scene.body('OBSTACLE', cube(-5, -5, -10, 10, 1))
    scene.body('OBSTACLE', cube(1, -5, 0, 10, 2))
    scene.friction = None
    scene.body('RIGID', [SPHERE((0, 0, 0.1), 0.1, 3, 3), SPHERE((0.9, 0, 1.6), 0.1, 3, 3)])
    return scene.run(5)


def test_ladder_with_friction_at_floor_and_wall():
    """Forces along the line between both contacts balance each other: N and one tangent of both."""
    found = ladder(2.0, 2.0).found()
    assert (found['components'], found['rank'], found['degree']) == (6, 5, 1)
    assert [(r['normal'], r['tangent']) for r in found['reactions']] == [(False, False)] * 2


def test_ladder_with_friction_at_the_floor():
    found = ladder(2.0, 0.0).found()
    assert (found['components'], found['degree']) == (4, 0)
    assert sorted((r['normal'], r['tangent']) for r in found['reactions'] if r['tangent']) == [(True, True)]
    assert all(r['normal'] for r in found['reactions'])


def test_ladder_that_slides():
    """Friction follows the normal force then: as many components as contacts."""
    found = ladder(0.1, 0.1).found()
    assert (found['components'], found['degree']) == (2, 0)
    assert [(r['normal'], r['tangent']) for r in found['reactions']] == [(True, True)] * 2


@pytest.mark.parametrize('friction, components, degree', [(0, 2, 0), (0.8, 6, 1)])
def test_ball_in_a_groove(friction, components, degree):
    scene = Scene(friction)
    for angle in (-45, 45):
        half = cube(-5, -5, -10, 10, 1)
        ROTATE(half, (0, 0, 0), (0, 1, 0), angle)
        scene.body('OBSTACLE', half)
    scene.body('RIGID', SPHERE((0, 0, 0.5 * 2**0.5 - 1E-4), 0.5, 1, 1))
    found = check(scene.run())
    assert (found['components'], found['degree']) == (components, degree)
    assert {r['normal'] for r in found['reactions']} == {degree == 0}


@pytest.mark.parametrize('friction, each', [(0, 1), (10, 6)])
@pytest.mark.parametrize('blocks', [1, 2, 5])
def test_stack(friction, each, blocks):
    """Four points in each face: 4 - 3 components too many without friction, 12 - 6 with it."""
    scene = stack(blocks, friction)
    found = check(scene.run(3))
    assert found['constraints'] == 4 * blocks
    assert found['degree'] == each * blocks
    assert len(found['clusters']) == 1
    assert {r['normal'] for r in found['reactions']} == {False}


def stack(blocks, friction):
    scene = Scene(friction)
    scene.body('OBSTACLE', cube(-5, -5, -10, 10, 1))
    for k in range(blocks):
        scene.body('RIGID', cube(0, 0, k, 1))
    return scene


@pytest.mark.parametrize('blocks', [60, 200])
def test_tall_stack(blocks):
    """A large cluster, in any state of its contacts."""
    scene = stack(blocks, 0.5)
    found = check(scene.run(2, GAUSS_SEIDEL_SOLVER(1E-3, 20)))
    assert len(found['clusters']) == 1 and found['components'] > DENSE and found['degree'] > 5 * found['bodies']


def test_boxes_apart_are_clusters():
    scene = Scene()
    scene.body('OBSTACLE', cube(-5, -5, -10, 10, 1))
    for x in (-4, -2, 0):
        scene.body('RIGID', cube(x, 0, 0, 1))
    scene.body('RIGID', cube(-4, 0, 1, 1))
    found = check(scene.run(2))
    assert [(c['bodies'], c['degree']) for c in found['clusters']] == [(2, 2), (1, 1), (1, 1)]


def test_arch():
    """Eight voussoirs between abutments, four points in each joint."""
    scene = Scene(friction=0.8)
    n, inner, outer = 8, 2.0, 2.6
    angle = [math.pi * k / (n + 2) for k in range(n + 3)]
    for k in range(n + 2):
        corners = [c for y in (0, 0.5) for r, a in ((inner, angle[k]), (outer, angle[k]), (outer, angle[k + 1]),
                                                    (inner, angle[k + 1])) for c in
                   (r * math.cos(a), y, r * math.sin(a))]
        scene.body('OBSTACLE' if k in (0, n + 1) else 'RIGID', HULL(corners, 1, 1))
    found = check(scene.run(5))
    assert found['bodies'] == n
    assert found['degree'] >= 1


def test_table_with_joints():
    """A plate that four directions hold, three of which would do, and one that four points hold."""
    scene = Scene()
    scene.body('OBSTACLE', cube(-50, -50, -110, 100, 1))
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    table = scene.body('RIGID', cube(0, 0, 0, 1))
    for corner in corners:
        FIX_DIRECTION(table, corner, (0, 0, 1))
    other = scene.body('RIGID', cube(10, 0, 0, 1))
    for x, y, z in corners:
        FIX_POINT(other, (10 + x, y, z))
    scene.run(3)
    scene.friction = None
    found = scene.found()
    assert sorted((c['components'], c['degree']) for c in found['clusters']) == [(4, 1), (12, 6)]
    assert all(r['normal'] is False for r in found['reactions'] if r['constraint'].kind == 'FIXDIR')
    # Normals of a plane of points: four forces, three equations; the others too.
    assert all(r['normal'] is False and r['tangent'] is False
               for r in found['reactions'] if r['constraint'].kind == 'FIXPNT')


def test_rigid_links():
    """A ball at three links, and one at four."""
    scene = Scene()
    for x, ends in ((0, 3), (10, 4)):
        ball = scene.body('RIGID', SPHERE((x, 0, 0), 0.5, 1, 1))
        for k in range(ends):
            a = 2 * math.pi * k / ends
            PUT_RIGID_LINK(ball, None, (x, 0, 0), (x + math.cos(a), math.sin(a), 1))
    found = check(scene.run(5))
    assert [(c['components'], c['degree']) for c in found['clusters']] == [(3, 0), (4, 1)]


def test_springs_follow_from_the_motion():
    """A plate on four springs is determined; at the stops of the springs it is not."""
    for stop, components, degree in ((1, 0, 0), (1E-9, 4, 1)):
        scene = Scene()
        table = scene.body('RIGID', cube(0, 0, 0, 1))
        for x, y in ((0, 0), (1, 0), (1, 1), (0, 1)):
            PUT_SPRING(table, (x, y, 0), None, (x, y, -1), lambda s, v: -1E4 * s - 100 * v, (-stop, stop),
                       direction=(0, 0, 1))
        found = scene.run(3).found()
        assert (found['components'], found['degree']) == (components, degree)


def test_contacts_of_springs():
    """Normal forces are determined by overlaps: four supports, and tangents that stick."""
    scene = Scene()
    scene.solfec.contact_correction = 'OFF'
    SURFACE_MATERIAL(scene.solfec, 1, 1, model='SPRING_DASHPOT', friction=0.5, spring=1E7, dashpot=1E4)
    scene.body('OBSTACLE', cube(-5, -5, -10, 10, 1))
    scene.body('RIGID', cube(0, 0, -1E-4, 1))
    scene.run(3)
    found = scene.found()
    assert found['components'] == 8 and found['degree'] == 8 - 3
    assert {(r['normal'], r['tangent']) for r in found['reactions']} == {(None, False)}


def test_bond_in_tension():
    """Two bodies that one bond holds: more is determined than without friction, and tension counts."""
    scene = Scene()
    SURFACE_MATERIAL(scene.solfec, 1, 1, friction=1, cohesion=1E9)
    scene.friction = 1
    scene.body('OBSTACLE', cube(0, 0, 1, 1))
    scene.body('RIGID', cube(0, 0, 1E-5, 1))
    found = scene.run(3).found()
    assert found['components'] == 3 * found['constraints'] > 0
    assert sum(c.R[2] for c in scene.solfec.constraints) < 0
    assert found['degree'] == max(found['components'] - 6, 0)


def balls(number, side, friction, seed=1):
    """Fall into a box of that width, radii of 0.35 to 0.5."""
    scene = Scene(friction, step=4E-3)
    chance = random.Random(seed)
    for x, y, z in ((0, 0, -1), (-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0)):
        scene.body('OBSTACLE', wall(x, y, z, side))
    across = int(side)
    for k in range(number):
        x, y, z = k % across, k // across % across, k // across**2
        scene.body('RIGID', SPHERE((x + 0.5 + chance.uniform(0, 0.02), y + 0.5 + chance.uniform(0, 0.02), z + 0.55),
                                   chance.uniform(0.35, 0.49), 1, 1))
    return scene


def wall(x, y, z, side):
    """An obstacle beside, or under, the box (0, side) x (0, side)."""
    low = [-10, -10, -10]
    size = [side + 20, side + 20, 60]
    for k, way in enumerate((x, y, z)):
        if way:
            low[k], size[k] = (side if way > 0 else -10), 10
    return BOX([a + 0.5 * b for a, b in zip(low, size)], size, 1, 1)


@pytest.mark.parametrize('friction', [0, 0.5])
@pytest.mark.parametrize('seed', [1, 2])
def test_random_packing(friction, seed):
    """While it falls, and when it rests: without friction balls of random radii are isostatic (Roux 2000)."""
    scene = balls(60, 4, friction, seed)
    degrees = []
    for _ in range(8):
        scene.run(40, GAUSS_SEIDEL_SOLVER(1E-6, 200))
        degrees.append(check(scene)['degree'])
    assert (max(degrees) > 0) == (friction > 0)


@pytest.mark.parametrize('friction', [0, 0.5])
def test_large_cluster(friction):
    """More components than dense matrices are made for."""
    scene = balls(300, 5, friction)
    scene.run(300, GAUSS_SEIDEL_SOLVER(1E-6, 200))
    found = check(scene)
    assert max(cluster['components'] for cluster in found['clusters']) > DENSE
    assert (found['degree'] > 0) == (friction > 0)


def test_finite_elements():
    """A cube of one element on the floor: each corner is held by a contact of its own, and moves by itself."""
    for friction, components in ((0, 4), (0.5, 12)):
        scene = Scene(friction)
        scene.body('OBSTACLE', cube(-5, -5, -10, 10, 1))
        corners = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
        soft = BULK_MATERIAL(scene.solfec, young=1E7, poisson=0.25, density=1000)
        BODY(scene.solfec, 'FINITE_ELEMENT', MESH(corners, [8, 0, 1, 2, 3, 4, 5, 6, 7, 1], 1), soft)
        found = scene.run(3).found()
        assert (found['components'], found['degree']) == (components, 0)
        assert all(r['normal'] for r in found['reactions'])


def test_pseudo_rigid_body():
    """Nine more velocities: forces at four corners of a face, up to their sum over the diagonals."""
    scene = Scene()
    scene.body('OBSTACLE', cube(-5, -5, -10, 10, 1))
    BODY(scene.solfec, 'PSEUDO_RIGID', cube(0, 0, 0, 1),
         BULK_MATERIAL(scene.solfec, young=1E7, poisson=0.25, density=1000))
    found = scene.run(3).found()
    assert (found['components'], found['degree']) == (4, 1)


def test_quasi_static():
    scene = Scene(analysis='QUASI_STATIC', step=1.0)
    scene.body('OBSTACLE', cube(-5, -5, -10, 10, 1))
    scene.body('RIGID', cube(0, 0, 0, 1))
    assert check(scene.run(2))['degree'] == 1


def test_nothing_touches(free):
    free.run()
    found = INDETERMINACY(free.solfec)
    assert (found['components'], found['degree'], found['clusters'], found['reactions']) == (0, 0, [], [])


def test_errors(model):
    with pytest.raises(ValueError, match="INDETERMINACY: 'solfec': no step has been made yet"):
        INDETERMINACY(model.solfec)
    model.run()
    INDETERMINACY(model.solfec)
    DELETE(model.solfec, model.ball)
    with pytest.raises(ValueError, match="INDETERMINACY: 'solfec': bodies or constraints were made or deleted since"):
        INDETERMINACY(model.solfec)


def test_frames_tell_on_request():
    for determinacy_of_frames, expected in (('OFF', {0}), ('ON', {4})):
        scene = Scene()
        scene.body('OBSTACLE', cube(-5, -5, -10, 10, 1))
        scene.body('RIGID', cube(0, 0, 0, 1))
        OUTPUT(scene.solfec, 0, determinacy=determinacy_of_frames)
        scene.run(3)
        column = Results(scene.solfec.outpath).column('constraint/determinacy')
        assert len(column) == 3 * 4 and set(column) == expected


def test_frames_hold_the_answer_of_a_callback():
    scene = Scene()
    scene.body('OBSTACLE', cube(-5, -5, -10, 10, 1))
    scene.body('RIGID', cube(0, 0, 0, 1))
    OUTPUT(scene.solfec, 0)
    calls = []
    CALLBACK(scene.solfec, 2E-3, scene.solfec, lambda s: calls.append(INDETERMINACY(s)['degree']) or 1)
    scene.run(4)
    column = Results(scene.solfec.outpath).column('constraint/determinacy')
    assert calls == [1, 1, 1] and list(column) == [4] * 8 + [0] * 4 + [4] * 4  # after steps 1, 2 and 4


def test_results_do_not_hold_what_it_takes(tmp_path):
    scene = Scene()
    scene.body('OBSTACLE', cube(-5, -5, -10, 10, 1))
    scene.body('RIGID', cube(0, 0, 0, 1))
    scene.run(3)
    reader = SOLFEC('DYNAMIC', 1E-3, scene.solfec.outpath)
    assert reader.mode == 'READ'
    material = BULK_MATERIAL(reader, density=1000)
    SURFACE_MATERIAL(reader, friction=0)
    GRAVITY(reader, (0, 0, -10))
    BODY(reader, 'OBSTACLE', cube(-5, -5, -10, 10, 1), material)
    BODY(reader, 'RIGID', cube(0, 0, 0, 1), material)
    with pytest.raises(ValueError, match="INDETERMINACY: 'solfec': results do not hold the local dynamics: .*OUTPUT"):
        INDETERMINACY(reader)
