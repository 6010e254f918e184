"""The scene: what is seen is what the program says of points, bodies and contacts; from results and while running."""

import pathlib

import numpy as np
import pytest

from solfec import *
from solfec import configure, scene_fields
from solfec.contact_table import DETERMINACY, STATES, local_bases
from solfec.results import BODY_KINDS, Results
from solfec.scene import Scene


def box(low, high, surface=1):
    (a, b, c), (x, y, z) = low, high
    return HULL([a, b, c, x, b, c, x, y, c, a, y, c, a, b, z, x, b, z, x, y, z, a, y, z], 1, surface)


def cube_mesh(low, high, elements):
    (a, b, c), (x, y, z) = low, high
    return HEX([a, b, c, x, b, c, x, y, c, a, y, c, a, b, z, x, b, z, x, y, z, a, y, z],
               elements, elements, elements, 3, [4, 4, 4, 4, 4, 4])


def model(path):
    """Bodies of all kinds that fall upon a floor, turning; one of them hangs."""
    solfec = SOLFEC('DYNAMIC', 1E-3, str(path))
    solfec.verbose = 'OFF'
    OUTPUT(solfec, 0.02)
    GRAVITY(solfec, (0, 0, -9.81))
    SURFACE_MATERIAL(solfec, friction=0.3)
    soft = BULK_MATERIAL(solfec, label='soft', young=2E5, poisson=0.3, density=1000)
    BODY(solfec, 'OBSTACLE', box((-3, -3, -1), (3, 3, 0)), soft, label='floor')
    bodies = {'ball': BODY(solfec, 'RIGID', SPHERE((-2, 0, 0.35), 0.3, 1, 2), soft, label='ball'),
              'grain': BODY(solfec, 'PSEUDO_RIGID', ELLIP((-1, 0, 0.3), (0.3, 0.2, 0.25), 1, 2), soft, label='grain'),
              'stone': BODY(solfec, 'RIGID', ROTATE(box((0, 0, 0.1), (0.4, 0.5, 0.6), 5), (0, 0, 0.1), (1, 0, 0), 5),
                            soft,
                            label='stone'),
              'mesh': BODY(solfec, 'FINITE_ELEMENT', cube_mesh((1, 0, 0.02), (1.5, 0.5, 0.52), 2), soft, label='mesh',
                           form='TL'),
              'cut': BODY(solfec, 'FINITE_ELEMENT', [round_hull((2.2, 0.3, 0.4))], soft, label='cut', form='BC',
                          mesh=cube_mesh((1.8, -0.1, 0), (2.6, 0.7, 0.8), 2)),
              'bob': BODY(solfec, 'RIGID', SPHERE((-2, 2, 1.5), 0.2, 1, 2), soft, label='bob')}
    FIX_POINT(bodies['bob'], (-2, 1, 1.5))
    for name in ('grain', 'mesh', 'cut'):
        bodies[name].scheme = 'DEF_LIM'
    INITIAL_VELOCITY(bodies['ball'], (1, 0.5, 0), (1, 2, 3))
    INITIAL_VELOCITY(bodies['grain'], (0, 0, 0), (0, 3, 1))
    INITIAL_VELOCITY(bodies['mesh'], (0.5, 0, 0), (0.2, 0.5, 1))
    return solfec, bodies


def round_hull(centre):
    """A convex with 20 corners on a sphere."""
    golden = np.pi * (3 - 5 ** 0.5)
    points = []
    for k in range(20):
        z = 1 - (2 * k + 1) / 20
        r = (1 - z * z) ** 0.5
        points += [centre[0] + 0.3 * r * np.cos(golden * k), centre[1] + 0.3 * r * np.sin(golden * k),
                   centre[2] + 0.3 * z]
    return HULL(points, 3, 6)


@pytest.fixture(scope='module')
def run(tmp_path_factory):
    configure(overwrite=True)
    path = tmp_path_factory.mktemp('scene') / 'all'
    solfec, bodies = model(path)
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 1000, 1E-8), 0.3)
    return solfec, bodies, path


@pytest.fixture(scope='module')
def scene(run):
    return Scene(run[2]).frame(-1)


def number(scene, name):
    return int(scene.bodies_labelled(name)[0])


def test_points_are_where_the_program_has_them(run, scene):
    solfec, bodies, path = run
    moved = 0
    for name, body in bodies.items():
        at = np.flatnonzero(scene.point_body == number(scene, name))
        for k in at[::5]:
            X = scene.reference_points[k]
            expected = X + DISPLACEMENT(body, X)
            assert scene.points[k] == pytest.approx(expected, abs=1E-12)
            assert scene.field('velocity').on('points')[k] == pytest.approx(VELOCITY(body, X), abs=1E-10)
            moved += np.abs(expected - X).max() > 1E-3
    assert moved > 10


def test_balls_are_where_the_program_has_them(run, scene):
    solfec, bodies, path = run
    for name, axes in (('ball', (0.3, 0.3, 0.3)), ('grain', (0.3, 0.2, 0.25))):
        k = int(np.flatnonzero(scene.balls.body == number(scene, name))[0])
        center = np.array(bodies[name].center)
        assert scene.balls.center[k] == pytest.approx(center + DISPLACEMENT(bodies[name], center), abs=1E-12)
        for axis in range(3):
            tip = center + axes[axis] * np.eye(3)[axis]
            assert scene.balls.center[k] + scene.balls.map[k][:, axis] == pytest.approx(
                tip + DISPLACEMENT(bodies[name], tip), abs=1E-12)


def test_stress_is_that_of_the_program(run, scene):
    solfec, bodies, path = run
    stress, mises = scene.field('stress').on('points'), scene.field('mises').on('points')
    k = int(np.flatnonzero(scene.balls.body == number(scene, 'grain'))[0])
    expected = np.array(STRESS(bodies['grain'], bodies['grain'].center))
    assert scene.field('stress').on('balls')[k] == pytest.approx(expected[:6], rel=1E-9)
    assert scene.field('mises').on('balls')[k] == pytest.approx(expected[6], rel=1E-9)
    mesh = np.flatnonzero(scene.point_body == number(scene, 'mesh'))
    assert len(mesh) == 26  # of 27 nodes one is inside
    for k in mesh:
        expected = np.array(STRESS(bodies['mesh'], scene.reference_points[k]))
        assert stress[k] == pytest.approx(expected[:6], rel=1E-9, abs=1E-6)
        assert mises[k] == pytest.approx(expected[6], rel=1E-9)
    # The nodes of a background mesh: those that the program tells of are in the shape.
    nodes = np.flatnonzero(scene.node_body == number(scene, 'cut'))
    middle = nodes[np.abs(scene.reference_nodes[nodes] - (2.2, 0.3, 0.4)).max(axis=1) < 1E-9]
    expected = np.array(STRESS(bodies['cut'], (2.2, 0.3, 0.4)))
    assert scene.nodal_stress()[middle[0]] == pytest.approx(expected[:6], rel=1E-9)
    assert not stress[scene.point_body == number(scene, 'stone')].any()
    assert np.abs(expected[:6]).max() > 1


def test_principal_stresses_and_the_mises_norm_belong_to_the_tensor(scene):
    s = scene.field('stress').on('nodes')
    principal = np.stack([scene.field(name).on('nodes') for name in ('s1', 's2', 's3')], axis=1)
    assert (np.diff(principal, axis=1) <= 0).all()
    assert principal.sum(axis=1) == pytest.approx(s[:, :3].sum(axis=1), abs=1E-6)
    for row, values in zip(s[::7], principal[::7]):
        tensor = row[[[0, 3, 4], [3, 1, 5], [4, 5, 2]]]
        assert np.linalg.det(tensor) == pytest.approx(np.prod(values), rel=1E-6, abs=1E-3)
    a, b, c = principal.T
    assert scene.field('mises').on('nodes') == pytest.approx(
        np.sqrt(0.5 * ((a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2)), rel=1E-9)


def test_faces_close_around_the_volume_of_each_body(run, scene):
    scene.frame(0)
    triangles, face = scene.faces.triangles()
    a, b, c = (scene.points[triangles[:, k]] for k in range(3))
    volume = np.bincount(scene.faces.body[face], np.einsum('ni,ni->n', a, np.cross(b, c)) / 6, len(scene.ids))
    for name in ('stone', 'mesh', 'cut', 'floor'):
        k = number(scene, name)
        assert volume[k] == pytest.approx(scene.model.bodies.volume[scene.rows][k], rel=1E-6)
    scene.frame(-1)


def test_angular_velocities_are_those_that_were_given(run):
    scene = Scene(run[2])
    spin = scene.field('angular velocity').on('bodies')
    for name, given in (('ball', (1, 2, 3)), ('grain', (0, 3, 1)), ('mesh', (0.2, 0.5, 1)), ('stone', (0, 0, 0))):
        assert spin[number(scene, name)] == pytest.approx(given, abs=1E-9), name


def test_contacts_carry_the_forces_of_the_program(run, scene):
    solfec, bodies, path = run
    for name, body in bodies.items():
        k = number(scene, name)
        force = scene.contacts.force
        first, second = (scene.contacts.bodies == k).T
        on_body = force[first].sum(axis=0) - force[second].sum(axis=0)
        items = [(body, direction, None, 'CR') for direction in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
        expected = [values[-1] for values in HISTORY(solfec, items, 0, 1)[1:]]
        assert on_body == pytest.approx(expected, rel=1E-9, abs=1E-9)
    assert len(scene.joints) == 1 and scene.joints.bodies[0, 1] == -1
    assert scene.joints.base[0] == pytest.approx(np.eye(3))
    assert np.linalg.norm(scene.joints.force[0]) > 100


def test_states_of_contacts_follow_coulombs_law(run):
    scene, seen = Scene(run[2]), set()
    for k in range(len(scene.times)):
        c = scene.frame(k).contacts
        assert (c.friction == 0.3).all()
        for state, R, slip in zip(c.state, c.R, c.slip):
            seen.add(STATES[state])
            if STATES[state] == 'sticking':
                assert np.hypot(*R[:2]) < 0.3 * R[2] and slip < 1E-3
            elif STATES[state] == 'sliding':
                assert np.hypot(*R[:2]) == pytest.approx(0.3 * R[2], rel=2E-3)
            else:
                assert not R.any()
    assert seen == set(STATES)


def test_determinacy_is_that_of_the_last_step(run, tmp_path):
    """A box on four balls, three of them in line, and a ball that hangs at a point; nothing of the run above, which did
    not ask."""
    scene = Scene(run[2])
    assert len(scene.frame(len(scene.times) - 1).contacts) > 0
    assert set(scene.contacts.values('determinacy')[0]) == {DETERMINACY.index('not asked for')}
    solfec = SOLFEC('DYNAMIC', 1E-3, str(tmp_path / 'supports'))
    solfec.verbose = 'OFF'
    OUTPUT(solfec, 0, determinacy='ON')
    GRAVITY(solfec, (0, 0, -9.81))
    stone = BULK_MATERIAL(solfec, density=1000)
    for place in ((-0.4, -0.4, -0.1), (-0.1, -0.4, -0.1), (0.4, -0.4, -0.1), (0, 0.4, -0.1)):
        BODY(solfec, 'OBSTACLE', SPHERE(place, 0.1, 1, 1), stone)
    BODY(solfec, 'RIGID', box((-0.5, -0.5, 0), (0.5, 0.5, 1)), stone)
    FIX_POINT(BODY(solfec, 'RIGID', SPHERE((5, 0, 0), 0.1, 1, 1), stone), (5, 0, 0))
    RUN(solfec, 0.003)
    scene = Scene(solfec.outpath)
    for number in range(1, len(scene.times)):
        contacts = scene.frame(number).contacts
        values, unit, names = contacts.values('determinacy')
        assert unit == '' and names == DETERMINACY
        assert {(round(x, 1), names[value]) for (x, *_), value in zip(contacts.point, values)} == {
            (-0.4, 'undetermined'), (-0.1, 'undetermined'), (0.4, 'undetermined'), (0, 'determined')}
        assert [names[k] for k in scene.joints.determinacy] == ['determined']


def test_friction_only_takes_energy(run):
    scene = Scene(run[2])
    for k in range(len(scene.times)):
        c = scene.frame(k).contacts
        assert c.dissipation[c.state == 2].min(initial=0) > -1E-6


def test_bases_are_right_handed_and_have_the_normal():
    normals = np.random.default_rng(1).normal(size=(50, 3))
    normals[0], normals[1] = (1, 0, 0), (-1, 0, 0)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    base = local_bases(normals)
    assert np.einsum('nij,nik->njk', base, base) == pytest.approx(np.broadcast_to(np.eye(3), base.shape), abs=1E-12)
    assert np.linalg.det(base) == pytest.approx(1)
    assert base[:, :, 2] == pytest.approx(normals)


def test_every_field_is_there_on_everything(run, scene):
    sizes = {'bodies': len(scene.ids), 'points': len(scene.points), 'balls': len(scene.balls.body),
             'faces': len(scene.faces.body), 'nodes': len(scene.nodes), 'elements': len(scene.elements.body)}
    for name in scene.fields():
        field = scene.field(name)
        for place, size in sizes.items():
            values = field.on(place)
            assert values.shape == (size,) and np.isfinite(values).all(), (name, place)
        if field.categories is not None and name != 'label':
            assert field.range()[1] < len(field.categories)
    assert scene.field('kind').on('bodies')[0] == BODY_KINDS.index('OBSTACLE')
    assert scene.field('material').categories[scene.field('material').on('bodies')[0]] == 'soft'
    assert set(scene.field('surface').on('faces')) == {1, 4, 5, 6} and set(scene.field('surface').on('balls')) == {2}
    assert set(scene.field('volume').on('elements')) == {3}
    assert scene.field('kinetic energy').on('bodies').sum() == pytest.approx(ENERGY(run[0])[0])
    with pytest.raises(ValueError, match="unknown field 'sped'; there are: .*speed"):
        scene.field('sped')
    with pytest.raises(ValueError, match="no body has the label 'bal'"):
        scene.bodies_labelled('bal')
    assert len(scene.bodies_labelled('b.*')) == 2


def test_the_present_state_is_seen_as_its_frame_will_be(run, scene):
    live = Scene(run[0])
    assert live.time == scene.time and np.array_equal(live.ids, scene.ids)
    assert np.array_equal(live.points, scene.points) and np.array_equal(live.balls.map, scene.balls.map)
    assert np.array_equal(live.contacts.force, scene.contacts.force)
    for name in scene.fields():
        assert live.field(name).on('points') == pytest.approx(scene.field(name).on('points'), rel=1E-12), name


def test_a_running_simulation_is_followed(tmp_path):
    configure(overwrite=True)
    solfec = SOLFEC('DYNAMIC', 1E-2, str(tmp_path / 'growing'))
    solfec.verbose = 'OFF'
    OUTPUT(solfec, 0)
    material = BULK_MATERIAL(solfec)
    BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), material)
    GRAVITY(solfec, (0, 0, -10))
    live, seen = Scene(solfec), []

    def look():
        if solfec.time > 0.045 and solfec.nbod == 1:
            BODY(solfec, 'RIGID', box((5, 0, 0), (6, 1, 1)), material)
        live.update()
        live.frame(0)
        seen.append((live.time, len(live.ids), live.center[0, 2], len(live.points)))

    CALLBACK(solfec, 1E-2, None, look)
    RUN(solfec, GAUSS_SEIDEL_SOLVER(), 0.1)
    results = Scene(str(tmp_path / 'growing'))
    assert [s[0] for s in seen] == pytest.approx(list(results.times[1:]))
    for k, (time, bodies, height, points) in enumerate(seen):
        results.frame(k + 1)
        assert results.center[0, 2] == height
        # The new body is in the frame after its callback.
        assert (len(results.ids), len(results.points)) == (bodies, points)
    assert seen[0][1] == 1 and seen[-1][1:2] + seen[-1][3:] == (2, 8)

    before = Results(str(tmp_path / 'growing'))
    follower = Scene(before)
    assert not follower.update()
    BODY(solfec, 'RIGID', SPHERE((9, 0, 0), 1, 1, 1), material)
    RUN(solfec, GAUSS_SEIDEL_SOLVER(), 0.05)
    assert follower.update() and follower.times[-1] == pytest.approx(0.15)
    assert len(follower.frame(-1).balls.body) == 2 and len(follower.frame(0).balls.body) == 1


def test_all_fields_are_documented():
    page = (pathlib.Path(__file__).parents[2] / 'docs/viewing/scene.md').read_text()
    for name in scene_fields.FIELDS:
        assert f'`{name}`' in page, name


def test_results_of_another_run_are_told(tmp_path):
    def compute(mass):
        configure(overwrite=True)
        solfec = SOLFEC('DYNAMIC', 1E-2, str(tmp_path / 'again'))
        solfec.verbose = 'OFF'
        OUTPUT(solfec, 0)
        BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), BULK_MATERIAL(solfec, density=mass))
        RUN(solfec, GAUSS_SEIDEL_SOLVER(), 0.1)

    compute(1)
    results = Results(str(tmp_path / 'again'))
    times = results.times
    assert not results.update()
    compute(2)  # the same times, in files of the same names
    for attempt in range(2):
        with pytest.raises(ValueError, match='the results are those of another run now'):
            results.update()
    assert results.times is times
    assert not Results(str(tmp_path / 'again')).update()
