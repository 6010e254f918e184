"""HISTORY against what a callback saw, READ against WRITE mode, moving through frames, state at points."""

import itertools
import math
import re

import numpy
import pytest
from conftest import Model, cube
from pytest import approx

from solfec import *

POINT_ENTITIES = ['DX', 'DY', 'DZ', 'VX', 'VY', 'VZ', 'SX', 'SY', 'SZ', 'SXY', 'SXZ', 'SYZ', 'MISES']
ENERGIES = ['KINETIC', 'INTERNAL', 'EXTERNAL', 'CONTACT', 'FRICTION']
TIMINGS = ['TIMINT', 'CONUPD', 'CONDET', 'LOCDYN', 'CONSOL', 'PARBAL']
ZERO = ['GSCOLORS', 'GSBOT', 'GSMID', 'GSTOP', 'GSINN', 'GSINIT', 'GSRUN', 'GSCOM', 'GSMCOM', 'NTITERS']


class Scene(Model):
    """A deformable cube, a spinning ball on its way down, and a ball that appears and leaves."""

    def __init__(self, output):
        super().__init__(output, drop=0.02)
        BULK_MATERIAL(self.solfec, label='soft', young=1E6, density=500)
        SURFACE_MATERIAL(self.solfec, friction=0.4, restitution=0.5)
        self.cube = BODY(self.solfec, 'PSEUDO_RIGID', cube(2, 2, 0.01, surface=4), 'soft')
        INITIAL_VELOCITY(self.ball, (1, 0.5, -1), (3, 2, 1))
        INITIAL_VELOCITY(self.cube, (0.5, 0, -1), (0, 0.3, 0))

    def point(self, body):
        return {self.ball: (0.3, 0.2, 1.1), self.cube: (2.2, 2.3, 0.4), self.floor: (0, 0, 0)}[body]


def vector(base, local):
    return numpy.array(base).reshape(3, 3) @ numpy.array(local)


def items(model):
    """Every item of HISTORY, with the same figure taken from the model as it is now."""
    s = model.solfec
    bodies = [model.floor, model.ball, model.cube]
    for body in bodies:
        for entity in POINT_ENTITIES:
            k = POINT_ENTITIES.index(entity)
            take = [DISPLACEMENT, VELOCITY, STRESS][min(k // 3, 2)]
            yield ((body, model.point(body), entity),
                   lambda take=take, body=body, k=k: take(body, model.point(body))[k % 3 if k < 6 else k - 6])
    for thing in (s, model.ball, [model.ball, model.cube], (model.cube, model.floor)):
        for k, kind in enumerate(ENERGIES):
            yield (thing, kind), lambda thing=thing, k=k: ENERGY(s, thing)[k]

    def contacts(thing, pair=None):
        members = [thing] if isinstance(thing, BODY) else thing
        for c in s.constraints:
            if thing is not s and not any(body in members for body in c.adjbod):
                continue
            if pair is None or sorted(c.spair) == sorted(pair):
                yield c, thing is s or c.adjbod[0] in members, thing is not s and c.adjbod[1] in members

    for thing, pair in itertools.product((s, model.ball, [model.cube, model.floor]), (None, (2, 1), (1, 4))):
        def gap(thing=thing, pair=pair):
            return min((c.gap for c, *_ in contacts(thing, pair)), default=0.0)

        def normal(member, mean, thing=thing, pair=pair):
            values = [getattr(c, member)[2] for c, *_ in contacts(thing, pair)]
            return sum(values) / (len(values) if mean and values else 1)

        def along(member, mean, thing=thing, pair=pair):
            total, count = numpy.zeros(3), 0
            for c, first, second in contacts(thing, pair):
                v = vector(c.base, getattr(c, member))
                total += v if mean or thing is s else first * v - second * v
                count += 1
            return total @ numpy.array([0.6, 0, 0.8]) / (count if mean and count else 1)

        for entity, take in (('GAP', gap), ('R', lambda f=normal: f('R', False)), ('U', lambda f=normal: f('U', True)),
                             ('CR', lambda f=normal: f('R', False)), ('CU', lambda f=normal: f('U', True))):
            yield (thing, None, pair, entity), take
            if pair is None:
                yield (thing, entity), take
        for entity, member in (('R', 'R'), ('U', 'U')):
            yield ((thing, (3, 0, 4), pair, entity),
                   lambda f=along, member=member, mean=entity == 'U': f(member, mean))
    for name in TIMINGS:
        yield name, lambda name=name: TIMING(s, name)
    yield 'CONS', lambda: s.ncon
    yield 'BODS', lambda: s.nbod
    yield 'GSITERS', lambda: model.solver.iters
    for name in ZERO:
        yield name, lambda: 0


def exact(item):
    """Sums over contacts along a direction are taken by numpy here: in another order of operations."""
    return not (isinstance(item, tuple) and len(item) == 4 and item[1] is not None)


@pytest.fixture(scope='module')
def scene(tmp_path_factory):
    """A run of 300 steps, and what a callback saw after each."""
    model = Scene(str(tmp_path_factory.mktemp('scene') / 'out'))
    model.solver = GAUSS_SEIDEL_SOLVER(1E-4, 100, 1E-6)
    seen, takers = [], list(items(model))
    CALLBACK(model.solfec, 1E-9, None, lambda: seen.append([model.solfec.time] + [take() for _, take in takers]))
    model.run(300)
    model.seen = numpy.array(seen).T
    model.takers = takers
    return model


def test_scene_is_worth_it(scene):
    """Contacts come and go, all energies and stresses are there."""
    contacts = scene.seen[1 + [item for item, _ in scene.takers].index('CONS')]
    assert len(scene.seen[0]) >= 300 and len(set(contacts)) >= 3
    for k, (item, _) in enumerate(scene.takers):
        if isinstance(item, tuple) and item[0] is scene.cube and len(item) == 3 or item[-1] in ENERGIES:
            assert numpy.abs(scene.seen[1 + k]).max() > 0 or item[0] is scene.ball, item


@pytest.mark.parametrize('mode', ['WRITE', 'READ'])
def test_history_equals_what_a_callback_saw(scene, mode):
    model = scene if mode == 'WRITE' else Scene(scene.solfec.outpath)
    assert model.solfec.mode == mode
    wanted = [item for item, _ in (scene.takers if mode == 'WRITE' else items(model))]
    times, *values = HISTORY(model.solfec, wanted, 0, 1)
    assert times[0] == 0 and times[1:] == list(scene.seen[0])
    for item, found, seen in zip(wanted, values, scene.seen[1:]):
        if exact(item):
            assert found[1:] == list(seen), item
        else:
            assert found[1:] == approx(list(seen), rel=1E-12, abs=1E-9), item


def test_read_mode_shows_what_a_callback_saw(scene):
    """The state members and functions in READ mode, frame by frame."""
    read = Scene(scene.solfec.outpath)
    takers = [(item, take) for item, take in items(read) if item != 'GSITERS']
    columns = [k for k, (item, _) in enumerate(scene.takers) if item != 'GSITERS']
    for frame in (1, 2, 57, 150, 299, len(scene.seen[0])):
        SEEK(read.solfec, scene.seen[0][frame - 1])
        assert read.solfec.time == scene.seen[0][frame - 1]
        for (item, take), k in zip(takers, columns):
            assert take() == scene.seen[1 + k][frame - 1], (frame, item)


def test_merit_and_step(scene):
    steps, merits = HISTORY(scene.solfec, ['STEP', 'MERIT'], 0, 1)[1:]
    times = HISTORY(scene.solfec, 'STEP', 0, 1)[0]
    assert [t + h for t, h in zip(times, steps[1:])] == times[1:]
    assert merits[-1] == approx(scene.solver.merhist[-1], rel=1E-9)


def test_forms_of_the_list(scene):
    alone = HISTORY(scene.solfec, 'STEP', 0, 1)
    assert HISTORY(scene.solfec, ['STEP'], 0, 1) == HISTORY(scene.solfec, ('STEP',), 0, 1) == alone
    one = (scene.ball, (0, 0, 1), 'DX')
    assert HISTORY(scene.solfec, one, 0, 1) == HISTORY(scene.solfec, [one], 0, 1)
    assert len(HISTORY(scene.solfec, (one, 'STEP'), 0, 1)) == 3
    assert isinstance(alone, tuple) and all(isinstance(column, list) for column in alone)


def test_interval_and_skip(scene):
    times = HISTORY(scene.solfec, 'STEP', 0, 1)[0]
    assert HISTORY(scene.solfec, 'STEP', times[10], times[20])[0] == times[10:21]  # both ends included
    assert HISTORY(scene.solfec, 'STEP', -5, 1E9)[0] == times  # clipped
    point, energy, force = (scene.cube, (2.2, 2.3, 0.4), 'VZ'), (scene.solfec, 'KINETIC'), (scene.solfec, 'R')
    whole = HISTORY(scene.solfec, [point, energy, force, 'CONS'], times[3], times[-1])
    for skip in (2, 7, 1000):
        some = HISTORY(scene.solfec, [point, energy, force, 'CONS'], times[3], times[-1], skip)
        assert some == tuple(column[::skip] for column in whole)


def test_an_interval_without_frames_is_told(scene, capfd):
    times = HISTORY(scene.solfec, 'STEP', 0, 1)[0]
    between = times[7] + 0.3 * (times[8] - times[7]), times[7] + 0.6 * (times[8] - times[7])
    for t0, t1 in ((5, 6), (-2, -1), between):
        assert HISTORY(scene.solfec, 'STEP', t0, t1) == ([], [])
        lines = [line for line in capfd.readouterr().err.splitlines() if 'warning' in line]
        assert lines == [f'warning: HISTORY: there is no frame from {t0:g} to {t1:g} s; results reach from 0 to '
                         f'{times[-1]:g} s']
    assert HISTORY(scene.solfec, 'STEP', 0, 0)[0] == [0] and capfd.readouterr().err == ''


def test_progress(scene, capfd):
    HISTORY(scene.solfec, ['STEP', 'CONS'], 0, 1, progress='ON')
    assert capfd.readouterr().out.splitlines() == ['HISTORY: 50 %', 'HISTORY: 100 %']


@pytest.mark.parametrize('item, message', [
    ('X', "'list' must be the name of a history"), (lambda m: (m.ball, 'X'), "'list', entry 1 must be one of KINETIC"),
    (lambda m: (m.ball, (0, 0), 'DX'), "'list', entry 1 must be a tuple of three numbers"),
    (lambda m: (m.ball, (0, 0, 1), 'X'), "'list', entry 2 must be one of 'DX'"),
    (lambda m: (m.solfec, (0, 0, 1), 'DX'), "'list', entry 0 must be a BODY object"),
    (lambda m: (m.ball, None, (1,), 'R'), "'list', entry 2 must be a list of 2 or more integers"),
    (lambda m: (m.ball, None, (1, 2, 3), 'R'), "'list', entry 2 must be a tuple \\(surf1, surf2\\)"),
    (lambda m: (m.ball, (0, 0, 0), None, 'R'), "'list', entry 1 must be a vector of non-zero length"),
    (lambda m: (m.ball,), "'list' must be a tuple of 2, 3 or 4 entries"),
    (lambda m: (m.ball, 1, 2, 3, 'R'), "'list' must be a tuple of 2, 3 or 4 entries"),
    (lambda m: ([], 'KINETIC'), "'list', entry 0 must be a list with at least one BODY object"),
    (lambda m: ([m.ball, 1], 'KINETIC'), "'list', entry 0 must be a SOLFEC object, a BODY object or a list"),
    (lambda m: ['STEP', ('x', 'KINETIC')], "'list', item 1, entry 0 must be a SOLFEC object"),
    (lambda m: ['STEP', 7], "'list', item 1 must be a string or a tuple")])
def test_wrong_items(item, message, model):
    model.run()
    with pytest.raises((TypeError, ValueError), match='^HISTORY: ' + message):
        HISTORY(model.solfec, item(model) if callable(item) else item, 0, 1)


def test_objects_of_another_model_and_emptied_ones(new_model):
    model, other = new_model().run(), new_model()
    for item, message in (((other.ball, 'KINETIC'), 'this BODY belongs to another SOLFEC object'),
                          ((other.solfec, 'R'), 'this is another SOLFEC object than the first argument')):
        with pytest.raises(ValueError, match=message):
            HISTORY(model.solfec, item, 0, 1)
    DELETE(model.solfec, model.ball)
    with pytest.raises(ValueError, match='this BODY object has been emptied'):
        ENERGY(model.solfec, model.ball)


def test_history_of_a_deleted_body(model):
    """Results remember it; while it is absent its points have no values, and it has no energy. So in READ mode."""
    GRAVITY(model.solfec, (0, 0, 10))
    for mode in ('WRITE', 'READ'):
        again = model if mode == 'WRITE' else type(model)(model.solfec.outpath)
        again.run(3)
        DELETE(again.solfec, again.ball)
        again.run(2)
        times, z, energy = HISTORY(again.solfec, [(again.ball, (0, 0, 1), 'VZ'), (again.ball, 'KINETIC')], 0, 1)
        assert again.solfec.mode == mode and len(times) == 6
        assert z[1:3] == approx([0.01, 0.02]) and all(math.isnan(v) for v in z[4:]) and energy[4:] == [0, 0]


def test_twice_the_same_body_counts_once(model):
    model.run(3)
    once, twice = (HISTORY(model.solfec, (bodies, 'KINETIC'), 0, 1)[1] for bodies in ([model.ball], [model.ball] * 2))
    assert once == twice and ENERGY(model.solfec, [model.ball] * 2) == ENERGY(model.solfec, model.ball)


def test_before_the_first_run(model):
    with pytest.raises(RuntimeError, match='^HISTORY: there are no results yet: RUN comes first'):
        HISTORY(model.solfec, 'STEP', 0, 1)
    assert DURATION(model.solfec) == 0 and model.solfec.time == 0


def test_changed_characteristics(new_model):
    """A point's history follows the definition of the body at each time."""
    model = new_model(drop=5)
    seen = []

    def callback():
        if len(seen) == 2:
            BODY_CHARS(model.ball, 2, 1, (1, 1, 5), (1, 0, 0, 0, 1, 0, 0, 0, 1))
        seen.append(DISPLACEMENT(model.ball, (0.5, 0, 6)))

    INITIAL_VELOCITY(model.ball, (1, 0, 0), (0, 0, 20))
    CALLBACK(model.solfec, 1E-9, None, callback)
    model.run(6)
    found = HISTORY(model.solfec, [(model.ball, (0.5, 0, 6), d) for d in ('DX', 'DY', 'DZ')], 0, 1)[1:]
    assert [column[1:] for column in found] == [list(column) for column in zip(*seen)]


def test_moving_through_frames(scene):
    read = Scene(scene.solfec.outpath).solfec
    times = HISTORY(read, 'STEP', 0, 1)[0]
    assert DURATION(read) == (0, times[-1]) and read.time == 0
    FORWARD(read, 3)
    assert read.time == times[3]
    BACKWARD(read, 2)
    assert read.time == times[1]
    BACKWARD(read, 100)
    assert read.time == 0
    FORWARD(read, 10**6)
    assert read.time == times[-1]
    for goal, frame in ((-1, 0), (times[7], 7), (0.5 * (times[7] + times[8]), 7), (1E9, -1)):
        SEEK(read, goal)
        assert read.time == times[frame]


def test_moves_are_ignored_in_write_mode(model):
    model.run(3)
    for call in (lambda: SEEK(model.solfec, 0), lambda: FORWARD(model.solfec, 1), lambda: BACKWARD(model.solfec, 1)):
        call()
        assert model.solfec.time == approx(3E-3)
    assert DURATION(model.solfec) == model.solfec.time


def test_state_at_points(new_model):
    """A rotation about the vertical axis through the centre, known in closed form."""
    model = new_model(drop=50)
    GRAVITY(model.solfec, (0, 0, 0))
    x, y, z = model.ball.center
    INITIAL_VELOCITY(model.ball, (1, 0, 0), (0, 0, math.pi))
    model.run(500)
    assert DISPLACEMENT(model.ball, (x + 1, y, z)) == approx((0.5 - 1, 1, 0))
    assert VELOCITY(model.ball, (x + 1, y, z)) == approx((1 - math.pi, 0, 0), abs=1E-9)
    assert STRESS(model.ball, (x, y, z)) == (0,) * 7


def test_energy_of_free_fall(new_model):
    model = new_model(drop=50)
    model.run(100)
    kinetic, internal, external, contact, friction = ENERGY(model.solfec)
    assert kinetic == approx(0.5 * model.ball.mass) and external == approx(kinetic) and internal == 0
    assert contact == friction == 0 and ENERGY(model.solfec, model.floor) == (0,) * 5


def test_results_are_readable_with_h5py(scene):
    """Names, units and meanings in the files; the columns hold what HISTORY says."""
    h5py = pytest.importorskip('h5py')
    import pathlib
    out = pathlib.Path(scene.solfec.outpath)
    with h5py.File(out / 'out.h5') as index:
        assert index.attrs['units'] == b'SI' and index.attrs['format'] == 12
        files = [name.decode() for name in index['segment/file']]
        counts = list(index['segment/frames'])
    assert sorted(files) == sorted(p.name for p in out.glob('*.frames-*'))
    times, kinetic = [], []
    for name, count in zip(files, counts):
        with h5py.File(out / name) as segment:
            assert segment['frame/time'].attrs['unit'] == b's' and segment['body/q'].attrs['meaning']
            assert len(segment['frame/time']) == count
            times += list(segment['frame/time'])
            kinetic += list(segment['frame/energy'][:, 0])
            assert len(segment['body/q']) == 12 * sum(segment['frame/bodies'])
            assert re.fullmatch(r'Solfec \S+', segment.attrs['program'].decode())
    assert (times, kinetic) == HISTORY(scene.solfec, (scene.solfec, 'KINETIC'), 0, 1)
