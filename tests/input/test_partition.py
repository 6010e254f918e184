"""PARTITION: glued parts move as the body that they were."""

import itertools
import json
import math

import pytest
from conftest import cube
from pytest import approx

from test_finite_elements import tongs

from solfec import *

OUTPUTS = (f'out{number}' for number in itertools.count())
LOWER, UPPER, DIVISIONS = (0, 0, 0), (4, 1, 1), (8, 2, 2)


def block(lower=LOWER, upper=UPPER, divisions=DIVISIONS):
    (x, y, z), (X, Y, Z) = lower, upper
    return HEX([x, y, z, X, y, z, X, Y, z, x, Y, z, x, y, Z, X, y, Z, X, Y, Z, x, Y, Z], *divisions, 1, [1] * 6)


def nodes(lower=LOWER, upper=UPPER, divisions=DIVISIONS):
    axes = [[a + (b - a) * k / n for k in range(n + 1)] for a, b, n in zip(lower, upper, divisions)]
    return list(itertools.product(*axes))


def at(parts, point, what=DISPLACEMENT):
    """What one of the parts that have the point says of it."""
    for part in parts:
        try:
            return what(part, point)
        except ValueError as error:
            assert "'point' must be a point of the body" in str(error)
    raise AssertionError(f'no part holds {point}')


def displacements(parts, points=None):
    return [u for point in points or nodes() for u in at(parts, point)]


def momentum(parts, spin=False):
    """Of nodes with the masses of a uniform mesh of the block: linear, or angular about the origin."""
    total = [0, 0, 0]
    for point in nodes():
        mass = 1000.0
        for x, low, high, n in zip(point, LOWER, UPPER, DIVISIONS):
            mass *= (high - low) / n * (0.5 if x in (low, high) else 1)
        velocity = at(parts, point, VELOCITY)
        place = [x + u for x, u in zip(point, at(parts, point))]
        vector = cross(place, velocity) if spin else velocity
        total = [t + mass * v for t, v in zip(total, vector)]
    return total


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


class Scene:
    """A block of soft material, whole or in parts."""

    def __init__(self, count, scheme='DEF_EXP', step=1E-3, damping=0.0, prepare=None, friction=0.3, **options):
        self.solfec = SOLFEC('DYNAMIC', step, next(OUTPUTS))
        self.solfec.verbose = 'OFF'
        self.material = BULK_MATERIAL(self.solfec, label='soft', young=1E6, poisson=0.3, density=1000)
        SURFACE_MATERIAL(self.solfec, friction=friction)
        CONTACT_SPARSIFY(self.solfec, 0)
        OUTPUT(self.solfec, 1E6)
        self.solver = GAUSS_SEIDEL_SOLVER(1E-12, 20000, 1E-20)
        body = BODY(self.solfec, 'FINITE_ELEMENT', block(), self.material, 'block', **options)
        body.scheme, body.damping = scheme, damping
        if prepare:
            prepare(self, body)
        self.parts = PARTITION(body, count) if count > 1 else [body]

    def run(self, steps):
        RUN(self.solfec, self.solver, steps * self.solfec.step)
        assert self.solver.error == 'OK'
        return self

    def glue(self):
        return [con for con in self.solfec.constraints if con.kind == 'GLUE']


def clamp(scene, body):
    for y in (0, 0.5, 1):
        for z in (0, 0.5, 1):
            FIX_POINT(body, (0, y, z))
    FORCE(body, 'SPATIAL', (4, 0.5, 1), (0, 0.3, -1), 2E3)


def spin(scene, body):
    INITIAL_VELOCITY(body, (1, -2, 0.5), (1, 2, 3))


@pytest.mark.parametrize('scheme, step, damping', (('DEF_EXP', 1E-3, 0), ('DEF_LIM', 2E-3, 0), ('DEF_LIM2', 1E-2, 0),
                                                   ('DEF_LIM', 2E-3, 1E-3), ('DEF_IMP', 2E-3, 0)))
def test_a_cantilever_is_that_of_one_body(scheme, step, damping):
    """Joints and a force of the body go to the parts that have their points. Parts find rotations and what the step
    does not resolve by themselves, for which implicit steps of the whole differ by far less than by their own error."""
    whole = Scene(1, scheme, step, damping, clamp).run(40)
    wanted = displacements(whole.parts)
    assert min(wanted) < -1E-3
    halves = displacements(Scene(1, scheme, step / 2, damping, clamp).run(80).parts)
    error = max(abs(a - b) for a, b in zip(wanted, halves))
    accuracy = 1E-9 if scheme in ('DEF_EXP', 'DEF_IMP') else 0.01 * error
    assert accuracy < 1E-3 * abs(min(wanted))
    for count in (2, 3, 5):
        scene = Scene(count, scheme, step, damping, clamp)
        assert len(scene.parts) == count and scene.solfec.nbod == count
        scene.run(40)
        assert displacements(scene.parts) == approx(wanted, abs=accuracy)
        assert [con.kind for con in scene.solfec.constraints].count('FIXPNT') == 9
        assert sum(con.R[2] for con in scene.solfec.constraints if con.kind == 'FIXPNT') == approx(
            sum(con.R[2] for con in whole.solfec.constraints), rel=1E-4, abs=1E-3)


# Of 'MANY' points the whole keeps one where elements share a node, of the normals of their faces, which bend, that of
# one of them; parts have one each there: far less than what the step does. The law of contacts of DEF_LIM is of
# free velocities too, which parts have without their glue.
@pytest.mark.parametrize('scheme, points_of_pairs, accuracy', (('DEF_EXP', 'ONE', 1E-7), ('DEF_EXP', 'MANY', None),
                                                               ('DEF_LIM', 'ONE', 1E-5), ('DEF_LIM', 'MANY', None)))
def test_a_block_tumbles_and_hits_an_edge(scheme, points_of_pairs, accuracy):
    """With friction; contacts of the parts are those of the whole, and none between parts."""
    def throw(scene, body):
        scene.solfec.contact_points = points_of_pairs
        GRAVITY(scene.solfec, (0, 0, -10))
        BODY(scene.solfec, 'OBSTACLE', cube(1.7, -0.7, -1.01, 1), scene.material)
        INITIAL_VELOCITY(body, (0.5, 0, -1), (0.3, 0.5, 0.2))

    points = nodes()
    whole = Scene(1, scheme, 1E-3, prepare=throw).run(100)
    assert whole.solfec.ncon > 0
    if accuracy is None:
        halves = displacements(Scene(1, scheme, 5E-4, prepare=throw).run(200).parts, points)
        accuracy = 0.05 * max(abs(a - b) for a, b in zip(displacements(whole.parts, points), halves))
        assert accuracy < 5E-4
    for count in (2, 5):
        parts = Scene(count, scheme, 1E-3, prepare=throw).run(100)
        kinds = [con.kind for con in parts.solfec.constraints]
        assert kinds.count('CONTACT') == whole.solfec.ncon and len(kinds) == whole.solfec.ncon + len(parts.glue())
        assert displacements(parts.parts, points) == approx(displacements(whole.parts, points), abs=accuracy)


def test_mass_momentum_and_energy():
    whole, parts = Scene(1, prepare=spin), Scene(4, prepare=spin)
    bodies = parts.parts
    assert sum(part.mass for part in bodies) == approx(whole.parts[0].mass)
    assert sum(part.volume for part in bodies) == approx(whole.parts[0].volume)
    assert ENERGY(parts.solfec)[0] == approx(ENERGY(whole.solfec)[0])
    before = momentum(bodies), momentum(bodies, spin=True)
    assert before[0] == approx([4000, -8000, 2000])
    start = sum(ENERGY(parts.solfec)[:2])
    whole.run(200)
    parts.run(200)
    assert momentum(bodies) == approx(before[0], abs=1E-6)
    assert momentum(bodies, spin=True) == approx(before[1], abs=1E-2)
    assert ENERGY(parts.solfec)[:2] == approx(ENERGY(whole.solfec)[:2], rel=1E-6)
    assert sum(ENERGY(parts.solfec)[:2]) == approx(start, rel=2E-2)
    assert sum(ENERGY(parts.solfec, part)[2] for part in bodies) == approx(ENERGY(whole.solfec)[2], abs=1E-3)


def test_glue():
    """As many constraints as it takes, on the nodes that parts have in common, and no contacts."""
    scene = Scene(5, prepare=spin)
    shared = {}
    for part in scene.parts:
        coordinates = list(part.conf)
        for k in range(0, len(coordinates), 3):
            point = tuple(round(x, 9) for x in coordinates[k:k + 3])
            shared[point] = shared.get(point, 0) + 1
    assert set(shared) == {tuple(map(float, point)) for point in nodes()}
    glue = scene.glue()
    assert len(glue) == scene.solfec.ncon == sum(shared.values()) - len(shared)
    places = [tuple(round(x, 9) for x in con.point) for con in glue]
    assert all(places.count(point) == count - 1 for point, count in shared.items())
    one = glue[0]
    assert one.base == (1, 0, 0, 0, 1, 0, 0, 0, 1) and (one.area, one.gap, one.matlab, one.spair) == (0, 0, None, None)
    assert {body.id for body in one.adjbod} < {part.id for part in scene.parts}
    scene.run(50)
    assert scene.solfec.ncon == len(glue) and all(con.kind == 'GLUE' for con in scene.solfec.constraints)
    assert max(abs(u) for con in glue for u in con.U) < 1E-9


def test_parts_of_the_form_bc():
    """Each part turns by itself: what a clamped beam that bends far differs by from one of the form TL falls with the
    square of the number of parts, at least."""
    def tip(form, count):
        solfec = SOLFEC('DYNAMIC', 2E-3, next(OUTPUTS))
        solfec.verbose = 'OFF'
        BULK_MATERIAL(solfec, young=1E9, poisson=0)
        OUTPUT(solfec, 1E6)
        beam = BODY(solfec, 'FINITE_ELEMENT', block((0, 0, 0), (10, 0.5, 0.5), (10, 1, 1)), 'BULK_MATERIAL_0',
                    form=form)
        beam.scheme, beam.damping = 'DEF_LIM', 5E-4
        for y, z in itertools.product((0, 0.5), (0, 0.5)):
            FIX_POINT(beam, (0, y, z))
        FORCE(beam, 'SPATIAL', (10, 0.25, 0.25), (0, 0, -1), TIME_SERIES([0, 0, 1.2, 4E4]))
        parts = PARTITION(beam, count) if count > 1 else [beam]
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-4, 200, 1E-6), 1.2)
        return at(parts, (10, 0.25, 0.25))[2]

    wanted = tip('TL', 1)
    assert wanted < -1.5
    one, two, five = (tip('BC', count) / wanted - 1 for count in (1, 2, 5))
    assert one == approx(0.038, abs=5E-3)  # its slope is 0.4, and strains are wrong by half of the square of that
    assert 0.05 < abs(two) < 0.11 and abs(five) < abs(two) / 2.5**2


FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


def cut_row(tetrahedra):
    """Nodes and mesh of a row of cubes, each cut into pyramids, or tetrahedra, that meet in its middle."""
    points, elements = [(x, y, z) for x in range(4) for y, z in ((0, 0), (1, 0), (1, 1), (0, 1))], []
    for x in range(3):
        corners = [4 * x + k for k in (0, 1, 2, 3)] + [4 * x + 4 + k for k in (0, 1, 2, 3)]
        points.append((x + 0.5, 0.5, 0.5))
        for face in FACES:
            a, b, c, d = (corners[k] for k in face)
            loops = [(a, b, c), (a, c, d)] if tetrahedra else [(a, b, c, d)]
            elements += [entry for loop in loops for entry in (len(loop) + 1, *loop, len(points) - 1, 1)]
    return points, MESH([c for point in points for c in point], elements, 1)


@pytest.mark.parametrize('tetrahedra', (False, True))
def test_pyramids_and_tetrahedra(tetrahedra):
    """Glue holds apexes too, in large rotations."""
    found = []
    for count in (1, 5):
        solfec = SOLFEC('DYNAMIC', 1E-3, next(OUTPUTS))
        solfec.verbose = 'OFF'
        BULK_MATERIAL(solfec, young=1E6, poisson=0.2, density=1000)
        OUTPUT(solfec, 1E6)
        points, mesh = cut_row(tetrahedra)
        body = BODY(solfec, 'FINITE_ELEMENT', mesh, 'BULK_MATERIAL_0')
        INITIAL_VELOCITY(body, (0, 1, 0), (3, 2, 5))
        parts = PARTITION(body, count) if count > 1 else [body]
        if count > 1:
            glued = {tuple(con.point) for con in solfec.constraints}
            assert any((x + 0.5, 0.5, 0.5) in glued for x in range(3))
        RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-12, 20000, 1E-20), 0.3)
        found.append(displacements(parts, points))
    assert max(found[0]) > 1 and found[1] == approx(found[0], abs=1E-8)


def test_members():
    def prepare(scene, body):
        BULK_MATERIAL(scene.solfec, label='hard', young=4E6, density=3000)
        MATERIAL(scene.solfec, body, 1, 'hard')

    scene = Scene(3, 'DEF_IMP', damping=0.01, prepare=prepare)
    assert [part.label for part in scene.parts] == ['block_PART1', 'block_PART2', 'block_PART3']
    assert BYLABEL(scene.solfec, 'BODY', 'block') is None
    assert BYLABEL(scene.solfec, 'BODY', 'block_PART2') == scene.parts[1]
    assert scene.solfec.bodies == scene.parts
    for part in scene.parts:
        assert (part.kind, part.scheme, part.damping) == ('FINITE_ELEMENT', 'DEF_IMP', 0.01)
        assert part.mass == approx(3000 * part.volume)
    nameless = BODY(scene.solfec, 'FINITE_ELEMENT', block((0, 3, 0), (1, 4, 1), (2, 1, 1)), 'soft')
    assert [part.label for part in PARTITION(nameless, 2)] == ['', '']


def test_what_is_joined_and_excluded():
    """Joints that other bodies hold with the body, and its exclusions, are those of the parts."""
    def prepare(scene, body):
        s = scene.solfec
        GRAVITY(s, (0, 0, -10))
        scene.ball = BODY(s, 'RIGID', SPHERE((3.9, 0.5, -1), 0.3, 1, 1), scene.material)
        PUT_RIGID_LINK(scene.ball, body, (3.9, 0.5, -1), (3.9, 0.5, 0))
        PUT_RIGID_LINK(body, scene.ball, (0.2, 0.5, 0), (3.9, 0.5, -1))
        # Overlaps that must not count: with a body, and with one element of the mesh.
        CONTACT_EXCLUDE_BODIES(BODY(s, 'OBSTACLE', cube(0.1, 0.1, -0.9), scene.material), body)
        pin = BODY(s, 'OBSTACLE', SPHERE((2.75, 0.25, -0.15), 0.2, 1, 1), scene.material)
        CONTACT_EXCLUDE_OBJECTS(pin, (2.75, 0.25, -0.15), body, (2.75, 0.25, 0.25))
        for x in (0, 4):
            FIX_POINT(body, (x, 0.5, 1))

    whole = Scene(1, prepare=prepare).run(20)
    parts = Scene(4, prepare=prepare).run(20)
    assert displacements(parts.parts) == approx(displacements(whole.parts), abs=1E-8)
    kinds = sorted(con.kind for con in parts.solfec.constraints if con.kind != 'GLUE')
    assert kinds == sorted(con.kind for con in whole.solfec.constraints) == ['FIXPNT'] * 2 + ['RIGLNK'] * 2
    assert sorted(con.R[2] for con in parts.ball.constraints) == approx(
        sorted(con.R[2] for con in whole.ball.constraints), rel=1E-6)


def test_a_body_in_motion():
    """States from other results are divided with the body."""
    first = Scene(1, prepare=spin)
    OUTPUT(first.solfec, 0)
    first.run(100)

    def take(scene, body):
        INITIALIZE_STATE(scene.solfec, first.solfec.outpath, 1)

    parts = Scene(3, prepare=take)
    assert displacements(parts.parts) == displacements(first.parts)
    assert momentum(parts.parts) == momentum(first.parts)
    assert displacements(parts.run(50).parts) == approx(displacements(first.run(50).parts), abs=1E-8)


def test_inner_parts_stay_within_extents():
    """A part without any face on the surface touches nothing, and is inside of the extents like the others."""
    scene = SOLFEC('DYNAMIC', 1E-3, next(OUTPUTS))
    scene.verbose = 'OFF'
    material = BULK_MATERIAL(scene)
    body = BODY(scene, 'FINITE_ELEMENT', block((0, 0, 0), (1, 1, 1), (3, 3, 3)), material)
    BODY(scene, 'OBSTACLE', cube(0, 0, -0.99), material)
    EXTENTS(scene, (-1, -1, -1, 2, 2, 2))
    parts = PARTITION(body, 27)
    GRAVITY(scene, (0, 0, -10))
    RUN(scene, GAUSS_SEIDEL_SOLVER(1E-6, 5000), 2E-3)
    assert scene.nbod == 28 and len(parts[0].conf) == 24
    assert scene.ncon - sum(con.kind == 'GLUE' for con in scene.constraints) > 0


def test_glue_is_a_joint_like_others():
    """Without its glue a block of two parts falls apart."""
    scene = Scene(2, prepare=spin)
    for con in scene.glue():
        DELETE(scene.solfec, con)
    scene.run(100)
    assert scene.solfec.ncon == 0
    one, two = (part.conf for part in scene.parts)
    nearest = min(math.dist(one[i:i + 3], two[j:j + 3]) for i in range(0, len(one), 3) for j in range(0, len(two), 3))
    assert nearest > 1E-3


def test_penalty_solver():
    """It iterates joints after the contacts, the glue too."""
    scenes = [Scene(count, prepare=clamp) for count in (1, 3)]
    for scene in scenes:
        RUN(scene.solfec, PENALTY_SOLVER(), 0.02)
    assert displacements(scenes[1].parts) == approx(displacements(scenes[0].parts), abs=1E-5)


SCRIPT = """
    import itertools, json, sys
    solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
    solfec.verbose = 'OFF'
    material = BULK_MATERIAL(solfec, young=1E6)
    corners = [0, 0, 0, 4, 0, 0, 4, 1, 0, 0, 1, 0, 0, 0, 1, 4, 0, 1, 4, 1, 1, 0, 1, 1]
    body = BODY(solfec, 'FINITE_ELEMENT', HEX(corners, 8, 2, 2, 1, [1] * 6), material, 'block')
    pin = FIX_POINT(body, (0, 0.5, 0.5))
    parts = PARTITION(body, 3)
    hinge = FIX_POINT(min(parts, key=lambda part: part.center[0]), (0, 0.5, 0))
    GRAVITY(solfec, (0, 0, -10))
    solver = GAUSS_SEIDEL_SOLVER(1E-9, 5000)
    RUN(solfec, solver, 0.01)
    if 'half' in sys.argv:
        sys.exit()
    RUN(solfec, solver, 0.01)
    if solfec.mode == 'READ':
        SEEK(solfec, 0.02)
    kinds = sorted(con.kind for con in solfec.constraints)
    print(json.dumps([solfec.mode, [part.conf for part in parts], kinds.count('GLUE'), len(kinds), hinge.R]))
"""


def test_results_and_restart(program):
    """Results are read as they were written; a run that was interrupted goes on to the last bit."""
    written = program.run(SCRIPT)
    assert written.returncode == 0, written.stderr
    read = program.run(SCRIPT)
    assert read.returncode == 0, read.stderr
    assert written.stdout.replace('"WRITE"', '"READ"') == read.stdout and '"READ"' in read.stdout
    assert program.run(SCRIPT, '-w', 'half').returncode == 0
    resumed = program.run(SCRIPT, '-c')
    assert resumed.returncode == 0, resumed.stderr
    assert resumed.stdout == written.stdout
    glue, joints = json.loads(read.stdout)[2:4]
    assert glue >= 18 and joints == glue + 2


def test_refusals():
    scene = Scene(1)
    body, = scene.parts
    s = scene.solfec
    ball = BODY(s, 'RIGID', SPHERE((9, 0, 0), 1, 1, 1), scene.material)
    for count in (1, 0, -3):
        with pytest.raises(ValueError, match="PARTITION: 'parts' must be an integer of at least 2"):
            PARTITION(body, count)
    with pytest.raises(ValueError, match="PARTITION: 'parts' must be at most 32, the number of elements of the mesh"):
        PARTITION(body, 33)
    with pytest.raises(ValueError, match="PARTITION: 'body': only a FINITE_ELEMENT body can be divided"):
        PARTITION(ball, 2)
    driven = BODY(s, 'FINITE_ELEMENT', block((0, 5, 0), (1, 6, 1), (2, 1, 1)), scene.material)
    FORCE(driven, 'SPATIAL', (0, 5, 0), (0, 0, 1), lambda q, u, t, h: [0] * len(q))
    with pytest.raises(ValueError, match="PARTITION: 'body': the callback of a FORCE acts on the whole body"):
        PARTITION(driven, 2)
    assert s.nbod == 3 and len(driven.conf) == 36  # nothing has been made or changed
    pin = FIX_POINT(body, (0, 0, 0))
    parts = PARTITION(body, 2)
    with pytest.raises(ValueError, match="PARTITION: 'body': this BODY object has been emptied"):
        PARTITION(body, 2)
    for part in parts:
        with pytest.raises(ValueError, match="PARTITION: 'body': this BODY is a part already"):
            PARTITION(part, 2)
    with pytest.raises(ValueError, match='CONSTRAINT.R: this constraint has ended'):
        pin.R
    RUN(s, scene.solver, s.step)
    late = BODY(s, 'FINITE_ELEMENT', block((0, 9, 0), (1, 10, 1), (2, 1, 1)), scene.material)
    with pytest.raises(ValueError, match="PARTITION: 'body': a body is divided before the first RUN"):
        PARTITION(late, 2)


def test_parts_of_a_body_that_touches_itself():
    """Arms of two parts hit each other as those of the whole do; pushed unlike, so that no contact is in doubt."""
    tips = []
    for parts in (1, 3):
        solfec = SOLFEC('DYNAMIC', 2E-4, 'tongs%d' % parts)
        solfec.verbose = 'OFF'
        BULK_MATERIAL(solfec, young=1E6, poisson=0.2, density=1000)
        SURFACE_MATERIAL(solfec, friction=0.3)
        body = BODY(solfec, 'FINITE_ELEMENT', tongs(), 'BULK_MATERIAL_0')
        body.selfcontact = 'ON'
        for x, push in ((0, 65), (0.22, -55)):
            FORCE(body, 'SPATIAL', (x, 0.05, 0.5), (1, 0, 0), TIME_SERIES([0, push, 0.015, push, 0.0151, 0, 1, 0]))
        bodies = PARTITION(body, parts) if parts > 1 else [body]
        assert all(part.selfcontact == 'ON' for part in bodies)
        pairs = set()
        for _ in range(20):
            RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-12, 5000, 1E-18), 0.002)
            pairs |= {con.adjbod for con in solfec.constraints if con.kind == 'CONTACT'}
        assert pairs and (parts == 1 or any(one != two for one, two in pairs)), 'across the parts'
        tips.append([at(bodies, (x, 0, 0.5)) for x in (0.1, 0.12)])
    for whole, part in zip(*tips):
        assert part == pytest.approx(whole, abs=1E-11)
