"""The results reader in Python against the program's own commands."""

import subprocess
import time

import numpy as np
import pytest
from support import PROGRAM, python, solfec

from solfec.histories import history
from solfec.results import Results
from solfec.scene import Scene

# Bodies of all shapes, made and deleted on the way, several segments, two kinds of freedom.
SCRIPT = '''
import json, time
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/all-shapes')
material = BULK_MATERIAL(solfec, young=1E6)
SURFACE_MATERIAL(solfec, friction=0.3)
GRAVITY(solfec, (0, 0, -10))
cube = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
BODY(solfec, 'OBSTACLE', SCALE(TRANSLATE(HULL(cube, 1, 1), (-0.5, -0.5, -1)), (20, 20, 1)), material, label='floor')
BODY(solfec, 'RIGID', ROTATE(ELLIP((0, 0, 1), (0.3, 0.2, 0.1), 1, 7), (0, 0, 1), (1, 2, 3), 40), material)
BODY(solfec, 'PSEUDO_RIGID', SPHERE((2, 0, 0.5), 0.5, 1, 2), material, label='ball \u00e9')
tetrahedron = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
BODY(solfec, 'RIGID', [TRANSLATE(MESH(tetrahedron, [4, 0, 1, 2, 3, 5], 6), (4, 0, 0.001)),
                       TRANSLATE(HULL(tetrahedron, 1, 3), (4, 0, 2))], material)
wedges = MESH(cube, [6, 0, 1, 2, 4, 5, 6, 1, 6, 0, 2, 3, 4, 6, 7, 1], 4)
brick = BODY(solfec, 'RIGID', TRANSLATE(wedges, (0, 4, 0)), material, label='brick')
late = []

def change():
    if solfec.time > 0.02 and not late:
        late.append(BODY(solfec, 'RIGID', SPHERE((0, 8, 1), 0.5, 1, 1), material, label='late'))
        DELETE(solfec, brick)
    time.sleep(0.3)  # so that results come in several files

CALLBACK(solfec, 0.01, None, change)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 1000), 0.06)
if solfec.mode == 'READ':
    frames = []
    SEEK(solfec, 0)
    last = -1
    while solfec.time > last:
        last = solfec.time
        frames.append({'time': solfec.time, 'energy': ENERGY(solfec), 'bodies': [
            {'id': b.id, 'label': b.label, 'kind': b.kind, 'mass': b.mass, 'tensor': b.tensor, 'velo': b.velo,
             'conf': b.conf, 'points': [tuple(x + d for x, d in zip(p, DISPLACEMENT(b, p)))
                                        for p in ((0, 0, 0), (1, 2, 3))]} for b in solfec.bodies],
            'R': [c.R for c in solfec.constraints]})
        FORWARD(solfec, 1)
    json.dump(frames, open('frames.json', 'w'))
'''


@pytest.fixture(scope='module')
def run(tmp_path_factory):
    import json
    directory = tmp_path_factory.mktemp('results')
    (directory / 'script.py').write_text(SCRIPT)
    solfec('script.py', cwd=directory)
    solfec('script.py', cwd=directory)
    return Results(directory / 'out/all-shapes'), json.loads((directory / 'frames.json').read_text()), directory


# Publishes every step's frame in a file of its own, so that files are joined again and again.
WRITER = '''
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/writing')
solfec.verbose = 'OFF'
material = BULK_MATERIAL(solfec)
GRAVITY(solfec, (0, 0, -10))
BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), material)
CALLBACK(solfec, 1E-3, None, lambda: len(HISTORY(solfec, ['STEP'], 0, 1)) > 0)
solver = GAUSS_SEIDEL_SOLVER(1E-6, 10)
RUN(solfec, solver, 1E-3)
RUN(solfec, solver, 0.3)
'''


def test_reads_while_the_program_writes_and_joins(tmp_path):
    (tmp_path / 'script.py').write_text(WRITER)
    writer = subprocess.Popen([PROGRAM, 'script.py'], cwd=tmp_path)
    try:
        early, reads, done = None, 0, False
        while not done:
            done = writer.poll() is not None
            if not (tmp_path / 'out/writing/writing.h5').exists():
                continue
            results = Results(tmp_path / 'out/writing')
            frame = results.frame(-1)
            assert frame.time == results.times[-1]
            assert frame.bodies[0].velocity[5] == pytest.approx(-10 * frame.time, abs=1E-9)
            early = early or results
            reads += 1
    finally:
        writer.kill()
    assert writer.wait() == 0 and reads > 1 and len(results) == 302
    # The files of the first one are gone from the directory; it still reads its frames.
    assert early.frame(0).time == 0 and len(early.column('frame/time')) == len(early) < 302


def test_frames_are_those_that_the_program_reads(run):
    results, frames, directory = run
    assert len(results.segments) > 1 and len(results) == len(frames) > 60
    assert results.times == pytest.approx([frame['time'] for frame in frames], abs=1E-15)
    assert results.column('frame/energy') == pytest.approx(np.array([f['energy'] for f in frames]))
    for number, expected in enumerate(frames):
        frame = results.frame(number)
        assert frame.time == expected['time']
        assert [b.id for b in frame.bodies] == [b['id'] for b in expected['bodies']]
        for body, other in zip(frame.bodies, expected['bodies']):
            assert (body.label, body.kind, body.definition.mass) == (other['label'], other['kind'], other['mass'])
            assert body.definition.tensor.T.ravel() == pytest.approx(other['tensor'])
            assert body.place([(0, 0, 0), (1, 2, 3)]) == pytest.approx(np.array(other['points']), abs=1E-12)
            if body.kind != 'OBSTACLE':
                assert body.velocity.tolist() == other['velo']
                assert [*body.gradient.T.ravel(), *body.center] == other['conf']
        assert frame.contacts['R'].tolist() == expected['R']
    counts = [len(frame['bodies']) for frame in frames]
    assert counts[0] == 5 and 'brick' not in [b.label for b in results.frame(-1).bodies]
    assert 'late' in [b.label for b in results.frame(-1).bodies]


def test_frames_by_number_and_by_time(run):
    results, frames, directory = run
    assert results.frame(-1).time == results.times[-1]
    assert results.at(-5).time == 0 and results.at(100).time == results.times[-1]
    assert results.at(0.0305).time == results.times[results.times <= 0.0305][-1]
    assert results.frame(np.int64(1)).time == results.at(np.float64(results.times[1])).time == results.times[1]


@pytest.mark.parametrize('call, error', [
    (lambda results: results.at('a'), "TypeError: Results.at: 'time' must be a number; got 'a' (str)"),
    (lambda results: results.at(np.nan), "ValueError: Results.at: 'time' must be a number; got nan"),
    (lambda results: results.frame(1.5), "TypeError: Results.frame: 'number' must be a whole number; got 1.5 (float)"),
    (lambda results: results.frame(999), "IndexError: Results.frame: 'number' must be in -{n} ... {last}; got 999"),
    (lambda results: results.arrays(999), "IndexError: Results.arrays: 'number' must be in -{n} ... {last}; got 999"),
    (lambda results: Scene(results).at(np.nan), "ValueError: Scene.at: 'time' must be a number; got nan"),
    (lambda results: Scene(results).frame('0'),
     "TypeError: Scene.frame: 'number' must be a whole number; got '0' (str)"),
    (lambda results: history(results, ['GAP', 3]),
     "TypeError: history: 'items' must be a text or a list of texts; got 3 (int)"),
    (lambda results: history(results, 3), "TypeError: history: 'items' must be a text or a list of texts; got 3 (int)"),
    (lambda results: history(results, 'GAP', '0'), "TypeError: history: 'start' must be a number; got '0' (str)"),
    (lambda results: history(results, stop=np.nan), "ValueError: history: 'stop' must be a number; got nan"),
    (lambda results: history(results, every=0), "ValueError: history: 'every' must be a whole number > 0; got 0"),
    (lambda results: history(results, every='2'),
     "TypeError: history: 'every' must be a whole number > 0; got '2' (str)")])
def test_wrong_arguments_are_named(run, call, error):
    results, *_ = run
    with pytest.raises(Exception) as raised:
        call(results)
    told = '%s: %s' % (raised.typename, raised.value)
    assert told == error.format(n=len(results), last=len(results) - 1)


def test_solids_are_those_of_the_script(run):
    results, frames, directory = run
    floor, ellipsoid, ball, union, brick = (body.definition.solids for body in results.frame(0).bodies)
    assert [solid.kind for solid in union] == ['mesh', 'polyhedron']
    assert [solid.kind for solid in ellipsoid + ball] == ['ellipsoid', 'sphere']
    assert ball[0].map == pytest.approx(0.5 * np.eye(3)) and ball[0].points[0] == pytest.approx([2, 0, 0.5])
    assert np.linalg.svd(ellipsoid[0].map)[1] == pytest.approx([0.3, 0.2, 0.1])
    assert np.linalg.det(ellipsoid[0].map) == pytest.approx(0.3 * 0.2 * 0.1)
    assert ellipsoid[0].surfaces == [7] and ball[0].surfaces == [2]
    assert sorted(len(face) for face in brick[0].faces) == [3, 3, 3, 3, 4, 4, 4, 4]
    assert set(union[0].surfaces) == {6} and set(union[1].surfaces) == {3}
    for solid, volume in ((floor[0], 400), (union[0], 1 / 6), (union[1], 1 / 6), (brick[0], 1)):
        # Divergence theorem over faces that are closed and outward
        sixfold = sum(np.dot(solid.points[f[0]], np.cross(solid.points[f[k]], solid.points[f[k + 1]]))
                      for f in solid.faces for k in range(1, len(f) - 1))
        assert sixfold / 6 == pytest.approx(volume)


# A brick in a mesh that reaches beyond it falls, turns and swings.
BACKGROUND = '''
import json
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/background')
solfec.verbose = 'OFF'
material = BULK_MATERIAL(solfec, young=1E5, poisson=0.3)
cube = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
BODY(solfec, 'RIGID', SPHERE((9, 9, 9), 1, 1, 1), material)
brick = BODY(solfec, 'FINITE_ELEMENT', SCALE(HULL(cube, 1, 4), (1, 0.5, 0.5)), material,
             mesh=TRANSLATE(SCALE(HEX(cube, 3, 2, 2, 1, [1] * 6), (1.3, 0.9, 0.8)), (-0.1, -0.2, -0.1)))
brick.scheme = 'DEF_LIM'
INITIAL_VELOCITY(brick, (1, 0, 0), (1, 2, 3))
FORCE(brick, 'SPATIAL', (1, 0.5, 0.5), (0, 0, 1), 100)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 10), 0.1)
corners = [cube[k:k + 3] for k in range(0, 24, 3)]
corners = [(x, 0.5 * y, 0.5 * z) for x, y, z in corners]
moved = [[*corner, *DISPLACEMENT(brick, corner)] for corner in corners]
json.dump({'moved': moved, 'conf': brick.conf}, open('background.json', 'w'))
'''


def test_solids_that_a_background_mesh_moves(tmp_path):
    import json
    (tmp_path / 'script.py').write_text(BACKGROUND)
    solfec('script.py', cwd=tmp_path)
    told = json.loads((tmp_path / 'background.json').read_text())
    ball, brick = Results(tmp_path / 'out/background').frame(-1).bodies
    assert ball.definition.background is None and ball.definition.solids[0].places is None
    solid, = brick.definition.solids
    assert solid.kind == 'polyhedron' and solid.surfaces == [4] * 6
    assert brick.definition.background.kind == 'mesh' and len(brick.definition.background.elements) == 12
    assert brick.nodes.ravel().tolist() == told['conf']
    assert np.abs(brick.points_of(solid) - brick.place(solid.points)).max() > 1E-4
    now = {tuple(np.round(row[:3], 9)): np.array(row[:3]) + row[3:] for row in told['moved']}
    for reference, point in zip(solid.points, brick.points_of(solid)):
        assert point == pytest.approx(now[tuple(np.round(reference, 9))], abs=1E-12)


def test_reader_works_without_the_package(run, tmp_path):
    import solfec.results
    results, frames, directory = run
    (tmp_path / 'results.py').write_bytes(open(solfec.results.__file__, 'rb').read())
    code = ('import sys; sys.modules["solfec"] = None\n'
            'from results import Results; print(len(Results(%r)))' % results.directory)
    (tmp_path / 'use.py').write_text(code)
    assert int(python('use.py', cwd=tmp_path)) == len(frames)


def test_errors_name_the_place(tmp_path):
    with pytest.raises(FileNotFoundError, match='no results in'):
        Results(tmp_path)


LONG = '''
import sys
directory, start, duration = sys.argv[1], sys.argv[2], float(sys.argv[3])
solfec = SOLFEC('DYNAMIC', 1E-3, directory)
OUTPUT(solfec, 1)
material = BULK_MATERIAL(solfec)
body = BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), material)
INITIAL_VELOCITY(body, (1, 0, 0), (0, 0, 2))
if start != '-':
    INITIALIZE_STATE(solfec, start, 1E9)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), duration)
'''


def test_results_are_read_while_a_run_goes_on_and_after_it_was_killed(tmp_path):
    (tmp_path / 'long.py').write_text(LONG)
    run = subprocess.Popen([PROGRAM, 'long.py', 'out/long', '-', '1E9'], cwd=tmp_path, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / 'out/long/long.h5').exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        counts = []
        while len(counts) < 3:
            time.sleep(1.2)
            results = Results(tmp_path / 'out/long')
            counts.append(len(results))
            assert results.frame(-1).bodies[0].center[0] == pytest.approx(results.times[-1])
    finally:
        run.kill()
        run.wait()
    assert counts[0] < counts[1] < counts[2]
    results = Results(tmp_path / 'out/long')
    assert len(results) >= counts[2]
    assert results.times == pytest.approx(np.arange(len(results)), abs=0.01)  # none is missing
    centers = [results.frame(k).bodies[0].center[0] for k in range(0, len(results), 50)]
    assert centers == pytest.approx(results.times[::50])
    # Going on from there, as docs/running.md says
    solfec('long.py', 'out/more', 'out/long', '0.01', cwd=tmp_path)
    last, more = results.frame(-1).bodies[0], Results(tmp_path / 'out/more')
    assert more.frame(0).bodies[0].center.tolist() == last.center.tolist()
    assert more.frame(0).bodies[0].velocity.tolist() == last.velocity.tolist()
    assert more.frame(-1).bodies[0].center[0] == pytest.approx(last.center[0] + 0.01)
