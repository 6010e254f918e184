"""Commands on results (python3 -m solfec ...): histories against HISTORY of the program, the rest against brute force,
differences that were planted, results that grow and results that are damaged."""

import contextlib
import csv
import errno
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import h5py
import numpy as np
import pytest
from support import PROGRAM, PYTHON, python, solfec

from solfec import columns
from solfec.histories import ItemError, history
from solfec.results import Results
from solfec.shell import COMMANDS, main
from solfec.whole_files import whole_file

# All kinds of bodies, made and deleted on the way, a joint, contacts of several, two RUNs, several files.
SCRIPT = '''
import json, time
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/mixed')
solfec.verbose = 'OFF'
material = BULK_MATERIAL(solfec, young=1E6)
SURFACE_MATERIAL(solfec, friction=0.3)
GRAVITY(solfec, (0, 0, -10))
cube = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
floor = BODY(solfec, 'OBSTACLE', BOX((0, 0, -0.5), (20, 20, 1)), material, label='floor')
egg = BODY(solfec, 'RIGID', ELLIP((0, 0, 0.11), (0.3, 0.2, 0.1), 1, 7), material)
ball = BODY(solfec, 'PSEUDO_RIGID', SPHERE((2, 0, 0.499), 0.5, 1, 2), material, label='ball \u00e9')
beam = BODY(solfec, 'FINITE_ELEMENT', TRANSLATE(HEX(cube, 2, 1, 1, 1, [1] * 6), (4, 0, 0.001)), material,
            label='beam.1')
beam.scheme = 'DEF_LIM'
bricks = [BODY(solfec, 'RIGID', BOX((-2, 0, 0.25 + 0.5 * k), (0.5, 0.5, 0.5)), material, label='brick %d' % k)
          for k in range(3)]
bob = BODY(solfec, 'RIGID', BOX((0, 6, 3), (0.2, 0.2, 0.2)), material, label='bob')
FIX_POINT(bob, (0, 5, 3))
INITIAL_VELOCITY(egg, (1, 0, 0), (1, 2, 3))
INITIAL_VELOCITY(ball, (0, 1, 0), (3, 1, 2))
top = BODY(solfec, 'RIGID', SPHERE((0, -6, 3), 0.3, 1, 1), material, label='top')
INITIAL_VELOCITY(top, (1, 0, 0), (5, 3, 1))
late = []

def change():
    if solfec.time > 0.02 and not late:
        late.append(BODY(solfec, 'RIGID', SPHERE((0, 8, 0.5), 0.5, 1, 1), material, label='late'))
        DELETE(solfec, bricks[2])
        BODY_CHARS(top, top.mass, top.volume, (0.1, -6, 3.1), top.tensor)
    time.sleep(0.3)  # so that results come in several files

CALLBACK(solfec, 0.01, None, change)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 1000), 0.04)
RUN(solfec, 0.01)
if solfec.mode == 'READ':
    corner = (4, 1, 0.001)
    items = {'MERIT': 'MERIT', 'timint': 'TIMINT', 'PARBAL': 'PARBAL', 'CONS': 'CONS', 'BODS': 'BODS', 'STEP': 'STEP',
             'NEWBODS': 'NEWBODS', 'DELBODS': 'DELBODS', 'GSITERS': 'GSITERS', 'ASITERS': 'ASITERS',
             'GSTOP': 'GSTOP', 'GSCOM': 'GSCOM', 'bob@0,6,3.1.VX': (bob, (0, 6, 3.1), 'VX'),
             'brick*.KINETIC': (bricks, 'KINETIC'), '4-6.CRZ': (bricks, (0, 0, 1), None, 'CR'),
             '4-6.CR': (bricks, 'CR'), 'bob.RY': (bob, (0, 1, 0), None, 'R'), 'bob.R': (bob, 'R'), 'bob.U': (bob, 'U')}
    for name in ('KINETIC', 'INTERNAL', 'EXTERNAL', 'CONTACT', 'FRICTION', 'GAP', 'R', 'U', 'CR', 'CU'):
        items[name] = (solfec, name)
        for text, body in (('0', floor), ('1', egg), ('ball \u00e9', ball), ('beam.1', beam), ('brick 2', bricks[2])):
            items[text + '.' + name] = (body, name)
    for k, axis in enumerate('XYZ'):
        direction = [float(k == i) for i in range(3)]
        items['floor.CR' + axis] = (floor, direction, None, 'CR')
        items['R' + axis] = (solfec, direction, None, 'R')
        items['beam.1@4,1,0.001.D' + axis] = (beam, corner, 'D' + axis)
        items['beam.1@4,1,0.001.V' + axis] = (beam, corner, 'V' + axis)
        for text, body in (('1', egg), ('ball \u00e9', ball), ('brick 2', bricks[2]), ('bob', bob), ('top', top)):
            for kind in 'DV':
                if body is not top:  # its centre is moved
                    items[text + '.' + kind + axis] = (body, body.center, kind + axis)
                items[text + '@1,2,3.' + kind + axis] = (body, (1, 2, 3), kind + axis)
    told = HISTORY(solfec, list(items.values()), 0, 1)
    part = HISTORY(solfec, (bricks[2], 'KINETIC'), 0.011, 0.04, 4)
    json.dump({'items': dict(zip(['time', *items], told)), 'part': part}, open('history.json', 'w'))
'''


@pytest.fixture(scope='module')
def run(tmp_path_factory):
    directory = tmp_path_factory.mktemp('shell')
    (directory / 'script.py').write_text(SCRIPT)
    solfec('script.py', cwd=directory)
    solfec('script.py', cwd=directory)
    return directory


def called(words, cwd):
    """Exit code, output and errors of a command, in this process: to start one takes longer than most commands."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(cwd), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main([str(word) for word in words])
        except SystemExit as end:  # --help
            code = end.code
    return code, out.getvalue(), err.getvalue()


def shell(*words, cwd, code=0):
    ended, out, err = called(words, cwd)
    assert (ended, err) == (code, ''), out + err
    return out


def fails(*words, cwd, code=2):
    """The one line of an error."""
    ended, out, err = called(words, cwd)
    assert ended == code and out == '' and err.count('\n') == 1 and err.endswith('\n'), out + err
    return err


# Histories


def test_histories_are_those_of_the_program(run):
    told = json.loads((run / 'history.json').read_text())
    assert len(Results(run / 'out/mixed').segments) > 1
    values = history(str(run / 'out/mixed'), [name for name in told['items'] if name != 'time'])
    assert list(values) == list(told['items'])
    assert np.isnan(values['brick 2.DX']).any() and not np.isnan(values['brick 2.DX']).all()
    for name, expected in told['items'].items():
        assert values[name] == pytest.approx(np.array(expected, dtype=float), rel=1E-9, abs=1E-11, nan_ok=True), name
    # None of the entities is tested with zeros only.
    x, dx = (history(run / 'out/mixed', ['top.' + name])['top.' + name] for name in ('X', 'DX'))
    assert set(np.round(x - dx, 12)) == {0, 0.1}
    for name in ('1.GAP', 'CU', 'floor.CRX', 'floor.CRZ', 'ball \u00e9.FRICTION', 'beam.1@4,1,0.001.VZ', 'RY', 'bob.RY',
                 '4-6.CRZ', '1.U', 'GSITERS', 'ASITERS', 'NEWBODS', 'DELBODS', 'brick*.KINETIC', 'beam.1.INTERNAL'):
        assert np.any(values[name] != 0), name
    assert values['STEP'].dtype == float and values['BODS'].dtype.kind == 'i'


def test_part_of_the_time_and_every_so_many_frames(run, monkeypatch):
    told = json.loads((run / 'history.json').read_text())
    values = history(Results(run / 'out/mixed'), 'brick 2.KINETIC', 0.011, 0.04, 4)
    assert [column.tolist() for column in values.values()] == told['part']
    for every in (1, 3, 7, 1000):
        all_items = ['MERIT', 'floor.CRZ', 'GAP', '1.DX', 'late.X', 'brick*.KINETIC', 'bob.KINETIC',
                     'beam.1@4,1,0.001.DZ']
        full = history(run / 'out/mixed', all_items)
        some = history(run / 'out/mixed', all_items, every=every)
        for name in full:
            assert np.array_equal(some[name], full[name][::every], equal_nan=True), (every, name)
    monkeypatch.setattr(columns, 'BLOCK_ROWS', 40)  # several blocks, of a few frames
    blocks = history(run / 'out/mixed', all_items)
    assert all(np.array_equal(blocks[name], full[name], equal_nan=True) for name in full)
    assert len(history(run / 'out/mixed', ['1.X', 'GAP'], start=7)['GAP']) == 0
    with pytest.raises(ValueError, match='every'):
        history(run / 'out/mixed', every=0)


def test_position_and_angular_velocity_by_brute_force(run):
    results = Results(run / 'out/mixed')
    names = [body + '.' + kind + axis for body in ('1', 'ball \u00e9') for kind in ('', 'W') for axis in 'XYZ']
    values = history(results, [*names, 'beam.1.X', 'beam.1.Y', 'beam.1.DZ', '1@0,0,1.X'])
    for k in range(0, len(results), 5):
        bodies = {body.id: body for body in results.frame(k).bodies}
        for name, id in (('1', 1), ('ball \u00e9', 2)):
            body = bodies[id]
            if id == 1:  # the skew matrix of w has w x e_k in its columns
                L = body.gradient @ np.stack([np.cross(body.velocity[:3], e) for e in np.eye(3)], 1) @ body.gradient.T
            else:
                L = body.velocity[:9].reshape(3, 3).T @ np.linalg.inv(body.gradient)
            skew = 0.5 * (L - L.T)
            for axis, (position, spin) in zip('XYZ', zip(body.center, (skew[2, 1], skew[0, 2], skew[1, 0]))):
                assert values['%s.%s' % (name, axis)][k] == position
                assert values['%s.W%s' % (name, axis)][k] == pytest.approx(spin, abs=1E-9)
        assert values['1@0,0,1.X'][k] == pytest.approx(bodies[1].place([(0, 0, 1)])[0, 0], abs=1E-14)
        assert [values['beam.1.X'][k], values['beam.1.Y'][k]] == bodies[3].center[:2].tolist()
        assert values['beam.1.DZ'][k] == bodies[3].center[2] - bodies[3].definition.center[2]
    assert np.abs(values['1.WX']).max() > 0.5 and np.abs(values['ball \u00e9.WX']).max() > 0.5


def test_csv(run):
    words = ('history', 'out/mixed', 'KINETIC', 'brick 2.VZ', 'BODS', '--from', 0.01, '--every', 2)
    printed = shell(*words, cwd=run)
    rows = list(csv.reader(io.StringIO(printed)))
    values = history(run / 'out/mixed', ['KINETIC', 'brick 2.VZ', 'BODS'], start=0.01, every=2)
    assert rows[0] == ['time', 'KINETIC', 'brick 2.VZ', 'BODS'] and rows[-1][2] == 'nan' and rows[1][3] == '9'
    numbers = np.array(rows[1:], dtype=float)
    assert np.array_equal(numbers, np.stack(list(values.values()), axis=1), equal_nan=True)  # to the last bit
    short = shell(*words, '--digits', 3, cwd=run)
    assert short.splitlines()[1] == '0.01,%.3g,%.3g,9' % tuple(numbers[0, 1:3])
    assert shell('history', 'out/mixed/mixed.h5', 'KINETIC', '--out', 'a.csv', cwd=run) == ''
    assert len((run / 'a.csv').read_text().splitlines()) == 1 + len(Results(run / 'out/mixed'))


@pytest.mark.parametrize('item, message', [
    ('KINTIC', "got 'KINTIC'; did you mean 'KINETIC'"),
    ('1.KINTIC', "did you mean 'KINETIC'"),
    ('beam.VX', "expected a label or an identifier of a body; got 'beam'; did you mean 'beam.1'"),
    ('FLOOR.GAP', "did you mean 'floor'"),
    ('99.VX', "got '99' (labels ball \u00e9, beam.1, bob, brick 0, ...; 10 bodies, 0 to 9)"),
    ('0-10.KINETIC', "got '0-10', and there is no body 10 (labels ball \u00e9, beam.1, bob, brick 0, ...; 10 b"),
    ('7-5.KINETIC', "expected a label or an identifier of a body; got '7-5'"),
    ('VX', "expected a body before VX"),
    ('brick*.VX', 'expected one body; got 3: 4, 5, 6'),
    ('1.MERIT', "expected 'MERIT'"),
    ('1@1,2.VX', "expected a point X,Y,Z behind @; got '1,2'"),
    ('1@1,2,3.KINETIC', 'KINETIC is not of a point'),
    ('1@1,2,3.WX', "expected '1.WX'"),
    ('beam.1.VX', 'expected the velocity of a node'),
    ('beam.1.WX', 'has no angular velocity'),
    ('beam.1@4,0.9,0.001.DX', 'expected a node of the finite-element body; the nearest one is at 4,1,0.001'),
    ('beam.1@4,1,0.001.MISES', 'stresses need the materials')])
def test_wrong_items_are_told_in_one_line(run, item, message):
    line = fails('history', 'out/mixed', 'KINETIC', item, cwd=run)
    assert line.startswith("solfec history: item '%s': " % item) and message in line
    with pytest.raises(ItemError):
        history(run / 'out/mixed', item)


# What there is


def test_info_by_brute_force(run):
    told = json.loads(shell('info', 'out/mixed', '--json', cwd=run))
    results = Results(run / 'out/mixed')
    frames = [results.frame(k) for k in range(len(results))]
    ids = [{body.id for body in frame.bodies} for frame in frames]
    kinds = [body.kind for body in frames[-1].bodies]
    contacts = [len(frame.contacts['gap']) for frame in frames]
    gap, number, row = min((g, k, row) for k, frame in enumerate(frames) for row, g in enumerate(frame.contacts['gap']))
    assert (told['frames'], told['first_time'], told['last_time']) == (len(frames), 0, results.times[-1])
    assert told['state'] == 'complete' and told['being_written'] is False and told['analysis'] == 'DYNAMIC'
    assert told['bodies'] == {'last_frame': 9, 'kinds': {kind: kinds.count(kind) for kind in (
        'OBSTACLE', 'RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT')}, 'first_frame': 9, 'most': max(map(len, ids)),
        'in_all': len(set.union(*ids)), 'made_later': 1, 'deleted': 1, 'labels': 9}
    assert told['contacts']['last_frame'] == contacts[-1] and told['contacts']['most'] == max(contacts)
    assert told['contacts']['most_time'] == results.times[contacts.index(max(contacts))]
    assert told['contacts']['joints_in_last_frame'] == {'FIXPNT': 1}
    place = told['contacts']['smallest_gap']
    assert (place['gap'], place['frame'], place['time']) == (gap, number, frames[number].time)
    assert place['bodies'] == [frames[number].contacts[name][row] for name in ('body1', 'body2')]
    assert place['point'] == frames[number].contacts['point'][row].tolist()
    assert [(r['run'], r['solvers'], r['ended']) for r in told['runs']] == [
        (1, ['GAUSS_SEIDEL_SOLVER'], True), (2, ['AUTO_SOLVER'], True)]
    assert sum(r['frames'] for r in told['runs']) == len(frames) and [r['steps'] for r in told['runs']] == [40, 10]
    merit = results.column('frame/merit')
    assert max(r['merit_largest'] for r in told['runs']) == merit.max()
    files = [path for path in (run / 'out/mixed').iterdir() if path.suffix == '.h5']
    assert told['size']['total'] == sum(path.stat().st_size for path in files) and told['size']['files'] == len(files)
    assert told['size']['arrays']['body/q'] == 8 * len(results.column('body/q'))
    assert sum(told['size']['arrays'].values()) == sum(told['size']['groups'].values()) < told['size']['total']
    assert told['script']['lines'] == SCRIPT.count('\n') and told['script']['copied_by_solfec']
    quick = json.loads(shell('info', 'out/mixed', '--json', '--quick', cwd=run))
    assert 'contacts' not in quick and quick['runs'] == told['runs']


def test_info_is_text_that_fits_a_terminal(run):
    printed = shell('info', 'out/mixed', cwd=run)
    assert max(map(len, printed.splitlines())) <= 80
    for words in ('complete: RUN 2 has ended', '1 made and 1 deleted on the way', '1 FIXPNT', 'GAUSS_SEIDEL', 'body 0'):
        assert words in printed
    assert 'with joints in the last frame' in shell('info', 'out/mixed', '--quick', cwd=run)


# Differences


@pytest.fixture
def copies(run, tmp_path):
    """Two copies of the results; names of the files go by the last part of the directory."""
    for name in 'ab':
        shutil.copytree(run / 'out/mixed', tmp_path / name / 'mixed')
    return tmp_path


def segment_with(directory, number):
    results = Results(directory)
    segment = next(s for s in reversed(results.segments) if s.first <= number)
    for other in results.segments:
        other.opened.close()  # it is going to be written
    return segment, number - segment.first


def diff(*words, cwd, code):
    return json.loads(shell('diff', 'a/mixed', 'b/mixed', '--json', *words, cwd=cwd, code=code))


def test_deepest_overlap_is_found_where_it_is(copies):
    frame = Results(copies / 'b/mixed').frame(25)
    segment, k = segment_with(copies / 'b/mixed', 25)
    row = len(frame.contacts['gap']) - 2
    with h5py.File(segment.path, 'r+') as file:  # joints stand among the contacts
        at = segment.constraint_begin[k] + np.flatnonzero(
            file['constraint/kind'][segment.constraint_begin[k]:segment.constraint_begin[k + 1]] == 0)[row]
        file['constraint/gap'][at] = -7
    place = json.loads(shell('info', 'b/mixed', '--json', cwd=copies))['contacts']['smallest_gap']
    assert (place['gap'], place['frame'], place['time']) == (-7, 25, frame.time)
    assert place['bodies'] == [frame.contacts[name][row] for name in ('body1', 'body2')]
    assert place['point'] == frame.contacts['point'][row].tolist()


def test_equal_results_do_not_differ(copies):
    printed = shell('diff', 'a/mixed', 'b/mixed', cwd=copies)
    assert printed.count('the same') == 4 and not diff(cwd=copies, code=0)['differ']
    with h5py.File(segment_with(copies / 'b/mixed', 3)[0].path, 'r+') as file:
        file['frame/timing'][:] *= 2
    assert not diff(cwd=copies, code=0)['differ']  # wall times do not count


@pytest.mark.parametrize('id, column, entry, measure', [
    (1, 'q', 10, 'position'), (1, 'q', 4, 'gradient'), (1, 'u', 5, 'velocity'), (1, 'u', 1, 'rate'),
    (2, 'u', 11, 'velocity'), (2, 'u', 8, 'rate'), (3, 'u', 2, 'velocity'), (3, 'x', 7, 'position')])
def test_planted_difference_of_a_body(copies, id, column, entry, measure):
    times = Results(copies / 'a/mixed').times
    for number, change in ((30, 1E-3), (37, 4E-3), (44, -2E-3)):
        segment, k = segment_with(copies / 'b/mixed', number)
        layout = slice(segment.layout_begin[k], segment.layout_begin[k] + segment.bodies[k])
        row = segment.layout_id[layout].tolist().index(id)
        counts, begin = {'q': (np.full(99, 12), 12 * segment.body_begin),
                         'u': (segment.layout_freedom[layout], segment.u_begin),
                         'x': (3 * segment.layout_nodes[layout], segment.x_begin)}[column]
        with h5py.File(segment.path, 'r+') as file:
            file['body/' + column][int(begin[k] + counts[:row].sum(dtype=int) + entry)] += change
    told = diff(cwd=copies, code=1)
    each, = told['bodies']['each']
    assert each.pop('body') == id and each.pop('first') == times[30] == told['bodies']['first']
    assert each.pop(measure) == pytest.approx(4E-3) and not any(each.values())
    most = told['bodies']['most'][measure]
    assert (most['body'], most['time']) == (id, times[37]) and told['bodies']['differ'] == 1
    assert told['contacts']['frames'] == 0 and told['columns'] == {} and told['model']['differ'] == {}
    assert diff('--tolerance', 1.5E-3, cwd=copies, code=1)['bodies']['first'] == times[37]
    assert diff('--tolerance', 5E-3, cwd=copies, code=0)['bodies']['differ'] == 0
    assert 'the same within 0.005' in shell('diff', 'a/mixed', 'b/mixed', '--tolerance', 5E-3, cwd=copies)


def test_one_bit_differs(copies):
    segment, k = segment_with(copies / 'b/mixed', 20)
    with h5py.File(segment.path, 'r+') as file:
        row = 12 * segment.body_begin[k] + 12 + 9
        assert file['body/q'][row] != 0
        file['body/q'][row] = np.nextafter(file['body/q'][row], 9)
    told = diff(cwd=copies, code=1)
    assert told['bodies']['differ'] == 1 and 0 < told['bodies']['most']['position']['value'] < 1E-15


def test_planted_differences_of_contacts(copies):
    times = Results(copies / 'a/mixed').times
    frame = Results(copies / 'a/mixed').frame(25)
    segment, k = segment_with(copies / 'b/mixed', 25)
    begin = segment.constraint_begin[k]
    with h5py.File(segment.path, 'r+') as file:
        file['constraint/R'][begin] += (3, 4, 12)
        file['constraint/gap'][begin + 1] -= 1E-4
        bodies = [[int(file['constraint/' + name][begin + row]) for name in ('body1', 'body2')] for row in (0, 1)]
    told = diff(cwd=copies, code=1)['contacts']
    assert (told['frames'], told['first'], told['frames_with_other_contacts']) == (1, times[25], 0)
    assert told['most']['reaction'] == {'value': pytest.approx(13), 'time': times[25], 'bodies': bodies[0]}
    assert told['most']['gap'] == {'value': pytest.approx(1E-4), 'time': times[25], 'bodies': bodies[1]}
    with h5py.File(segment.path, 'r+') as file:
        file['constraint/number'][begin + 1] += 77
    told = diff(cwd=copies, code=1)['contacts']
    assert told['frames_with_other_contacts'] == 1 and told['other_contacts_first'] == times[25]
    assert 'gap' not in told['most'] and told['most']['reaction']['value'] == pytest.approx(13)
    assert len(frame.contacts['gap']) > 2
    diff('--tolerance', 1E-12, cwd=copies, code=0)  # reactions need not be unique


@pytest.mark.parametrize('name', ['U', 'area', 'point', 'surface1', 'element2', 'kind'])
def test_every_column_of_contacts_counts(copies, name):
    segment, k = segment_with(copies / 'b/mixed', 25)
    with h5py.File(segment.path, 'r+') as file:
        file['constraint/' + name][segment.constraint_begin[k]] += 1
    assert diff(cwd=copies, code=1)['contacts']['frames'] == 1


def test_order_of_contacts_does_not_matter(copies):
    segment, k = segment_with(copies / 'b/mixed', 25)
    rows = slice(segment.constraint_begin[k], segment.constraint_begin[k + 1])
    with h5py.File(segment.path, 'r+') as file:
        for name in file['constraint']:
            file['constraint/' + name][rows] = file['constraint/' + name][rows][::-1]
    diff(cwd=copies, code=0)


@pytest.mark.parametrize('path, name, row, id', [
    ('definition/mass', 'mass', 4, 4), ('definition/kind', 'kind', 2, 2), ('definition/tensor', 'tensor', 1, 1),
    ('solid/point', 'shape', 2, 2), ('solid/real', 'shape', 0, 1), ('solid/integer', 'shape', -1, 8),
    ('definition/label_text', 'label', 0, 0)])
def test_planted_differences_of_the_model(copies, path, name, row, id):
    if path == 'solid/point':  # 8 of the floor, 1 of the egg, then the ball's
        row = 9
    with h5py.File(segment_with(copies / 'b/mixed', 0)[0].path, 'r+') as file:
        file[path][row] += 1
    model = diff(cwd=copies, code=1)['model']
    assert model['differ'] == {name: [id]} and not model['only_in_a'] and not model['only_in_b']
    assert '%s: 1 body (%d)' % (name, id) in shell('diff', 'a/mixed', 'b/mixed', cwd=copies, code=1)


def test_what_differs_is_told_where_motions_do_not(copies):
    """Energies of bodies, columns of contacts beside reactions and gaps, and signs of zeros."""
    segment, k = segment_with(copies / 'b/mixed', 25)
    begin = segment.constraint_begin[k]
    with h5py.File(segment.path, 'r+') as file:
        file['constraint/U'][begin] += (0, 0.25, 0)
    assert '1 of 51 frames: U by 0.25 at most' in shell('diff', 'a/mixed', 'b/mixed', cwd=copies, code=1)
    with h5py.File(segment.path, 'r+') as file:
        file['constraint/U'][begin] -= (0, 0.25, 0)
        file['body/energy'][segment.body_begin[k] + 1] += (0, 0, 0, 0.5, 0)
    printed = shell('diff', 'a/mixed', 'b/mixed', cwd=copies, code=1)
    assert 'energy by 0.5 J at most: body 1' in printed and 'energy [J]' in printed
    told = diff('--tolerance', 0.1, cwd=copies, code=0)['bodies']
    assert told['differ'] == 0 and told['most']['energy']['value'] == 0.5
    with h5py.File(segment.path, 'r+') as file:
        file['body/energy'][segment.body_begin[k] + 1] -= (0, 0, 0, 0.5, 0)
        rows = file['constraint/U'][begin:segment.constraint_begin[k + 1]]
        row, entry = np.argwhere(rows == 0)[0]
        rows[row, entry] = -rows[row, entry]
        file['constraint/U'][begin:segment.constraint_begin[k + 1]] = rows
    assert 'frames: only the signs of zeros of U' in shell('diff', 'a/mixed', 'b/mixed', cwd=copies, code=1)


def test_columns_of_frames(copies):
    segment, k = segment_with(copies / 'b/mixed', 33)
    with h5py.File(segment.path, 'r+') as file:
        file['frame/iterations'][k] += 5
    told = diff(cwd=copies, code=1)
    assert told['columns'] == {'iterations': {'frames': 1, 'first': Results(copies / 'a/mixed').times[33], 'most': 5}}
    assert 'the same' in shell('diff', 'a/mixed', 'b/mixed', '--tolerance', 1, cwd=copies)


FALL = '''
import sys
directory, interval, more = NON_SOLFEC_ARGV()
solfec = SOLFEC('DYNAMIC', 1E-3, directory)
solfec.verbose = 'OFF'
material = BULK_MATERIAL(solfec)
GRAVITY(solfec, (0, 0, -10))
OUTPUT(solfec, float(interval))
for k in range(2 + int(more)):
    BODY(solfec, 'RIGID', SPHERE((3 * k, 0, 0), 1, 1, 1), material)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 10), 0.1)
'''


def test_other_frames_and_other_bodies(tmp_path):
    (tmp_path / 'fall.py').write_text(FALL)
    for name, interval, more in (('one', 0.01, 0), ('two', 0.02, 0), ('more', 0.01, 1), ('offset', 0.007, 0)):
        solfec('fall.py', 'out/' + name, interval, more, cwd=tmp_path)
    printed = shell('diff', 'out/one', 'out/two', cwd=tmp_path, code=1)
    assert '6 at the same times, 5 only in A' in printed and printed.count('the same\n') == 3
    shell('diff', 'out/one', 'out/two', '--common', cwd=tmp_path)
    assert '6 at the same times, 5 only in B' in shell('diff', 'out/two', 'out/one', cwd=tmp_path, code=1)
    told = json.loads(shell('diff', 'out/one', 'out/more', '--json', cwd=tmp_path, code=1))
    assert told['model']['only_in_b'] == [2] and told['model']['only_in_a'] == [] and told['model']['differ'] == {}
    assert told['bodies']['in_one_only'] == 11 and told['bodies']['in_one_only_first'] == 0
    assert told['bodies']['differ'] == 0 and 'bodies' in told['columns']
    told = json.loads(shell('diff', 'out/one', 'out/offset', '--json', cwd=tmp_path, code=1))
    assert told['frames']['common'] == 3 and told['frames']['only_in_a'] == 8  # 0, 0.07, 0.1


def test_a_model_without_bodies(tmp_path):
    (tmp_path / 'empty.py').write_text("""
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/empty')
RUN(solfec, GAUSS_SEIDEL_SOLVER(1, 10), 0.003)
""")
    (tmp_path / 'fall.py').write_text(FALL)
    solfec('empty.py', cwd=tmp_path)
    solfec('fall.py', 'out/fall', 0.01, 0, cwd=tmp_path)
    told = json.loads(shell('info', 'out/empty', '--json', cwd=tmp_path))
    assert told['bodies']['kinds'] == {} and told['contacts']['smallest_gap'] is None
    assert 'bodies    0 in the last frame' in shell('info', 'out/empty', cwd=tmp_path)
    assert shell('history', 'out/empty', 'GAP', 'CRZ', 'BODS', cwd=tmp_path).splitlines()[1] == '0.0,0.0,0.0,0'
    assert '(no bodies)' in fails('history', 'out/empty', '1.X', cwd=tmp_path)
    shell('diff', 'out/empty', 'out/empty', cwd=tmp_path)
    told = json.loads(shell('diff', 'out/empty', 'out/fall', '--json', cwd=tmp_path, code=1))
    assert told['model']['only_in_b'] == [0, 1] and told['frames']['common'] == 1


# Plots


def test_plots(run):
    from matplotlib.image import imread
    assert 'plot.png: 51 frames' in shell('plot', 'out/mixed', cwd=run)
    assert imread(str(run / 'plot.png')).shape[0] > 600
    shell('plot', 'out/mixed', '1.VX', '1.VY', 'late.X', 'MERIT', '--out', 'items.svg', '--log', cwd=run)
    assert 'svg' in (run / 'items.svg').read_text()[:500]
    assert "expected a file .png" in fails('plot', 'out/mixed', '--out', 'a.word', cwd=run)
    assert "cannot be written" in fails('plot', 'out/mixed', '--out', 'nowhere/a.png', cwd=run)
    assert 'no frame from 7' in fails('plot', 'out/mixed', '--from', 7, cwd=run)


def test_items_of_one_unit_share_a_diagram():
    from solfec.shell.plot import diagrams_of
    diagrams = diagrams_of(['1.VX', 'KINETIC', '2.vy', 'MERIT', '1.VX', 'CONS'], log=False)
    assert [(unit, items) for _, unit, items, _ in diagrams] == [
        ('m/s', ['1.VX', '2.vy']), ('J', ['KINETIC']), ('', ['MERIT']), ('', ['CONS'])]


def test_a_plot_shows_the_values(run):
    from matplotlib.figure import Figure

    from solfec.shell.plot import OVERVIEW, TIMINGS, diagrams_of, draw
    values = history(run / 'out/mixed', [item for _, _, items, _ in OVERVIEW for item in items])
    figure = Figure()
    draw(figure, values, OVERVIEW, 2)
    lines = {line.get_label(): line for ax in figure.axes for line in ax.lines}
    assert np.array_equal(lines['kinetic'].get_ydata(), values['KINETIC'])
    assert np.array_equal(lines['GAP'].get_xdata(), values['time'])
    assert len(figure.axes) == 6
    stack = figure.axes[-1]
    assert stack.get_ylabel() == '[s]' and stack.get_ylim()[1] > 1.3 * sum(values[name] for name in TIMINGS).max()
    figure = Figure()
    draw(figure, {'time': values['time'], '1.VX': values['GAP'], '2.VX': values['GAP']},
         diagrams_of(['1.VX', '2.VX'], False), 1)
    assert figure.axes[0].get_ylabel() == 'velocity [m/s]'


# The command line


def test_help_and_commands(run):
    for words in ((), ('--help',)):
        printed = shell(*words, cwd=run)
        for name in COMMANDS:
            assert '\n  %s ' % name in printed
    for name in COMMANDS:
        printed = shell(name, '--help', cwd=run)
        assert printed.startswith('usage: python3 -m solfec ' + name)
        assert max(map(len, printed.splitlines())) <= (80 if name in ('info', 'history', 'plot', 'diff') else 120)
    assert python('-m', 'solfec', cwd=run) == shell(cwd=run)
    python('-m', 'solfec', 'diff', 'out/mixed', 'out/none', cwd=run, code=2)
    assert 'CRX CRY CRZ' in shell('history', '--help', cwd=run)
    assert '9 bodies' in shell('picture', 'out/mixed', 'p.png', '--size', '40x30', cwd=run)


@pytest.mark.parametrize('words, message', [
    (['inof'], "solfec: expected a command: info, history, plot, diff"),
    (['inof'], "got 'inof'; did you mean 'info'"),
    (['info'], 'solfec info: the following arguments are required: RESULTS'),
    (['history', 'out/mixed'], 'solfec history: the following arguments are required: ITEM'),
    (['history', 'out/mixed', 'GAP', '--every', '0'], "argument --every: expected a whole number > 0; got '0'"),
    (['history', 'out/mixed', 'GAP', '--from', 'x'], "argument --from: expected a number; got 'x'"),
    (['history', 'out/mixed', 'GAP', '--from', '1', '--to', '-1'], 'argument --to: expected a time not before'),
    (['history', 'out/mixed', 'GAP', '--out', 'no/x.csv'], "argument --out: 'no/x.csv' cannot be written"),
    (['diff', 'out/mixed', 'out/mixed', '--tolerance', '-1'], "argument --tolerance: expected a number >= 0; got '-1'"),
    (['diff', 'out/mixed', 'no'], "argument B: expected a directory of results; got 'no', which does not exist"),
    (['info', 'empty'], "argument RESULTS: expected a directory of results; got 'empty', which is empty"),
    (['info', 'script.py'], "got 'script.py', which is a file"),
    (['info', 'out'], "got 'out', in which there are results: out/mixed"),
    (['plot', 'other'], "got 'other', in which there is no file other.h5"),
    (['history', 'out/mixed', 'GAP', '--from', '5'], 'there is no frame from 5 s; results reach from 0 to 0.05 s'),
    (['export'], 'solfec export: the following arguments are required: RESULTS, FILE'),
    (['export', 'out/mixed', 'no/x.xdmf'], "argument FILE: expected a file in a folder that exists; got 'no/x.xdmf'"),
    (['page', 'out/mixed', '--out', 'p.txt'], "argument --out: expected a file *.html or *.htm; got 'p.txt'")])
def test_errors_are_one_line(run, words, message):
    (run / 'empty').mkdir(exist_ok=True)
    (run / 'other').mkdir(exist_ok=True)
    (run / 'other/notes.txt').write_text('notes')
    assert message in fails(*words, cwd=run)


@pytest.mark.parametrize('words', [
    ['history', '1.X', '--out', 'mixed.h5'], ['history', '1.X', '--out', 'STATE'],
    ['history', '1.X', '--out', 'mixed.py'], ['export', 'mixed.xdmf'], ['export', 'mixed.xdmf', '--force']])
def test_results_are_not_replaced(run, words):
    """By what is made of them, in their own directory."""
    before = {path.name: path.read_bytes() for path in (run / 'out/mixed').iterdir()}
    command, *items, name = [word for word in words if word != '--force']
    given = [command, 'out/mixed', *items, f'out/mixed/{name}', *words[len(items) + 2:]]
    assert 'belongs to results, and is not replaced' in fails(*given, cwd=run)
    assert {path.name: path.read_bytes() for path in (run / 'out/mixed').iterdir()} == before


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which('setpriv'), reason='needs another user')
def test_results_that_may_not_be_read(run):
    """By another user than root, who may read all; in a folder that anybody may enter."""
    nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        results = pathlib.Path(shutil.copytree(run / 'out/mixed', folder + '/mixed'))
        for place in (results, results / 'mixed.h5', sorted(results.glob('*.frames-*'))[-1]):
            mode = place.stat().st_mode
            place.chmod(0)
            for words in (['info'], ['history', '1.X'], ['page', '--out', 'p.html'], ['export', 'a.xdmf']):
                done = subprocess.run([*nobody, PYTHON, '-m', 'solfec', words[0], 'mixed', *words[1:]], cwd=folder,
                                      capture_output=True, text=True)
                assert done.returncode and done.stderr.count('\n') == 1, done.stderr
                assert 'mixed' in done.stderr and 'cannot be read: Permission denied' in done.stderr
            place.chmod(mode)


def test_a_renamed_directory_has_the_same_results(run):
    shutil.copytree(run / 'out/mixed', run / 'moved', dirs_exist_ok=True)
    told, told_of_copy = (shell('info', words, cwd=run) for words in ('out/mixed', 'moved'))
    assert told_of_copy == told.replace('out/mixed', 'moved')
    assert 'the same' in shell('diff', 'out/mixed', 'moved', cwd=run)


def test_damaged_results_are_told_in_one_line(copies):
    commands = (['info', 'c/mixed'], ['history', 'c/mixed', '1.X'], ['diff', 'a/mixed', 'c/mixed'],
                ['page', 'c/mixed', '--out', 'p.html'], ['export', 'c/mixed', 'a.xdmf'])

    def damage(change, message, commands=commands):
        shutil.rmtree(copies / 'c', ignore_errors=True)
        shutil.copytree(copies / 'a', copies / 'c')
        change(copies / 'c/mixed')
        for words in commands:
            line = fails(*words, cwd=copies)
            assert message in line and 'c/mixed' in line, line

    def segment(directory):
        return sorted(directory.glob('*.frames-*'))[-1]

    def write(path, bytes):
        path.write_bytes(bytes)

    def without(directory, path, name):
        with h5py.File(path, 'r+') as file:
            del file[name]

    def replaced(path, name, values):
        with h5py.File(path, 'r+') as file:
            count = len(file[name])
            del file[name]
            file[name] = values(count)

    def cut(path, size):
        os.truncate(path, size)

    def shorten_names(path):
        # The heap with the names of the groups: its size, after its signature and version
        data = bytearray(path.read_bytes())
        at = data.index(b'HEAP') + 8
        data[at:at + 8] = (16).to_bytes(8, 'little')
        path.write_bytes(data)

    def renamed(path):
        with h5py.File(path, 'r+') as file:
            file['body'].create_dataset(b'\xff', data=[1.0])

    def as_pipe(path):
        path.unlink()
        os.mkfifo(path)

    damage(lambda d: segment(d).unlink(), 'is missing')
    damage(lambda d: shutil.copy(sorted(d.glob('*.frames-*'))[0], segment(d)), 'in the index')
    damage(lambda d: cut(segment(d), segment(d).stat().st_size // 2), 'is damaged')
    damage(lambda d: write(d / 'mixed.h5', b''), 'mixed.h5')
    damage(lambda d: write(d / 'mixed.h5', b'something else'), 'mixed.h5 is no index')
    damage(lambda d: h5py.File(d / 'mixed.h5', 'w').close(), "c/mixed/mixed.h5 is not a file of Solfec's results")
    damage(lambda d: as_pipe(segment(d)), 'is not a regular file')
    damage(lambda d: shorten_names(segment(d)), 'is damaged')
    damage(lambda d: renamed(segment(d)), 'is damaged: the name of an array is no text', commands[:1])
    for name, values, message in (
            ('frame/run', lambda n: [b'one'] * n, 'frame/run holds texts where int32 is expected'),
            ('frame/solver', lambda n: [1.0] * n, 'frame/solver holds float64 where uint8 is expected'),
            ('frame/number', lambda n: [[1, 2]] * n, 'frame/number has rows of 2, not of 1'),
            ('body/q', lambda n: [b'one'] * n, 'body/q holds texts where float64 is expected'),
            ('frame/merit', lambda n: [1.0] * (n - 1), 'arrays of frames have')):
        damage(lambda d: replaced(segment(d), name, values), message)
    damage(lambda d: replaced(d / 'mixed.h5', 'segment/first', lambda n: [b'0'] * n), 'segment/first holds texts')
    damage(lambda d: without(d, d / 'mixed.h5', 'segment'), 'mixed.h5')
    damage(lambda d: without(d, segment(d), 'frame/bodies'), 'cannot be read')
    damage(lambda d: without(d, segment(d), 'body/q'), 'cannot be read', commands[1:])  # info reads no bodies


@pytest.mark.parametrize('words', [['solfec', 'info'], ['solfec.page'], ['solfec.export']])
def test_a_python_without_h5py(run, words):
    code = "import runpy, sys; sys.modules['h5py'] = None; sys.argv[1:] = %r; runpy.run_module(%r, run_name='__main__')"
    done = subprocess.run([PYTHON, '-c', code % ([*words[1:], 'out/mixed', 'a.stl'], words[0])], cwd=run,
                          capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count('\n')) == (2, '', 1)
    assert done.stderr.startswith('solfec: numpy and h5py are needed, and ') and ' has no h5py; take ' in done.stderr


def test_broken_pipe(run):
    command = '%s -m solfec history out/mixed KINETIC %s | head -1' % (PYTHON, ' '.join(['1.X'] * 400))
    done = subprocess.run(['sh', '-c', command], cwd=run, capture_output=True, text=True)
    assert done.stdout.startswith('time,KINETIC') and done.stderr == ''


# Results that grow

LONG = '''
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/long')
OUTPUT(solfec, 1)
body = BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), BULK_MATERIAL(solfec), label='ball')
INITIAL_VELOCITY(body, (1, 0, 0), (0, 0, 2))
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), 1E9)
'''


def test_full_disk(run, tmp_path):
    """The reader of standard output, and a file that is there already."""
    with open('/dev/full', 'w') as full:
        done = subprocess.run([PYTHON, '-m', 'solfec', 'history', run / 'out' / 'mixed', 'KINETIC'], stdout=full,
                              stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == 'solfec history: the output cannot be written: No space left on device\n'
    path = tmp_path / 'figures.csv'
    path.write_text('of before')
    with pytest.raises(OSError), whole_file(path) as file:
        file.write('half')
        raise OSError(errno.ENOSPC, 'No space left on device')
    assert path.read_text() == 'of before' and list(tmp_path.iterdir()) == [path]


def test_whole_files_follow_links_and_leave_pipes(tmp_path):
    path, link, pipe = (tmp_path / name for name in ('file', 'link', 'pipe'))
    link.symlink_to(path)
    with whole_file(link) as file:
        file.write('here')
    assert link.is_symlink() and path.read_text() == 'here'
    os.mkfifo(pipe)
    reader = subprocess.Popen(['cat', pipe], stdout=subprocess.PIPE, text=True)
    with whole_file(pipe) as file:
        file.write('there')
    assert reader.communicate()[0] == 'there' and pipe.is_fifo()


def test_results_by_their_index(run, tmp_path):
    index = run / 'out' / 'mixed' / 'mixed.h5'
    page = tmp_path / 'a.html'
    for words in (['info', index], ['export', index, tmp_path / 'a.xdmf'], ['page', index, '--out', page]):
        done = subprocess.run([PYTHON, '-m', 'solfec', *words], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_results_of_a_run_that_goes_on_and_was_killed(tmp_path):
    (tmp_path / 'long.py').write_text(LONG)
    run = subprocess.Popen([PROGRAM, 'long.py'], cwd=tmp_path, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / 'out/long/long.h5').exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        counts = []
        while len(counts) < 3 or counts[-1] < 3:
            told = json.loads(shell('info', 'out/long', '--json', cwd=tmp_path))
            assert told['state'] == 'going on' and told['being_written'] is True
            counts.append(told['frames'])
            rows = shell('history', 'out/long', 'ball.X', 'KINETIC', cwd=tmp_path).splitlines()[1:]
            numbers = np.array([row.split(',') for row in rows], dtype=float)
            assert len(numbers) >= counts[-1] and numbers[:, 1] == pytest.approx(numbers[:, 0])
            shell('diff', 'out/long', 'out/long', '--common', cwd=tmp_path)
    finally:
        run.kill()
        run.wait()
    assert counts[0] < counts[-1]
    told = json.loads(shell('info', 'out/long', '--json', cwd=tmp_path))
    assert told['state'] == 'ended early' and told['being_written'] is False and not told['runs'][0]['ended']
    assert 'RUN 1 ended early (-c goes on' in shell('info', 'out/long', cwd=tmp_path)
