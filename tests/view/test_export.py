"""Exports against their formats, read here with h5py, struct and an XML parser, and against what the program says."""

import contextlib
import io
import json
import os
import pathlib
import struct
import subprocess
import xml.etree.ElementTree as tree
from types import SimpleNamespace

import h5py
import numpy as np
import pytest
from export_model import SCRIPT, nearest

from solfec.export.exporter import Settings, export
from solfec.rotations import quaternions
from solfec.export.tessellation import unit_sphere
from solfec.results import Results
from solfec.shell import main

PROGRAM, PYTHON = os.environ['SOLFEC_PROGRAM'], os.environ['SOLFEC_PYTHON']


@pytest.fixture(scope='module')
def model(tmp_path_factory):
    """A directory with results in out/model, and history.json."""
    directory = tmp_path_factory.mktemp('export')
    (directory / 'model.py').write_text(SCRIPT)
    done = subprocess.run([PROGRAM, 'model.py'], cwd=directory, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return directory


@pytest.fixture(scope='module')
def history(model):
    return json.loads((model / 'history.json').read_text())


def command(model, *words, code=0):
    """What the command prints, run here."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(model), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            result = main(['export', *map(str, words)])
        except SystemExit as end:
            result = end.code
    assert result == code, out.getvalue() + err.getvalue()
    return SimpleNamespace(stdout=out.getvalue(), stderr=err.getvalue())


# Readers

def read_xdmf(path):
    """[(time, points, cells, data by name)] of the frames of a file; cells are (type, corners)."""
    def array(item):
        file, _, name = item.text.strip().partition(':')
        with h5py.File(path.parent / file, 'r') as heavy:
            values = heavy[name][:]
        assert list(values.shape) == [int(n) for n in item.get('Dimensions').split()]
        assert values.dtype.itemsize == int(item.get('Precision'))
        assert values.dtype.kind == {'Float': 'f', 'Int': 'i'}[item.get('NumberType')]
        return values

    frames = []
    for grid in tree.parse(path).getroot().find('Domain/Grid').findall('Grid'):
        topology, points = grid.find('Topology'), array(grid.find('Geometry/DataItem'))
        numbers = array(topology.find('DataItem')).tolist()
        if topology.get('TopologyType') == 'Polyvertex':
            cells = [('point', [n]) for n in numbers]
        else:
            cells, at = [], 0
            while at < len(numbers):
                kind, at = numbers[at], at + 1
                count = {4: 3, 5: 4, 6: 4, 7: 5, 8: 6, 9: 8}.get(kind)
                if count is None:
                    assert kind in (1, 3)
                    count, at = numbers[at], at + 1
                cells.append((kind, numbers[at:at + count]))
                at += count
        assert len(cells) == int(topology.get('NumberOfElements'))
        assert all(0 <= n < len(points) for kind, corners in cells for n in corners)
        data = {}
        for attribute in grid.findall('Attribute'):
            values = data[attribute.get('Name')] = array(attribute.find('DataItem'))
            assert len(values) == (len(points) if attribute.get('Center') == 'Node' else len(cells))
        time = grid.find('Time')
        frames.append((None if time is None else float(time.get('Value')), points, cells, data))
    return frames


def read_vtkhdf(path):
    """The same of a VTKHDF file; kinds of cells are those of VTK."""
    frames = []
    with h5py.File(path, 'r') as file:
        group = file['VTKHDF']
        assert group.attrs['Type'] == b'UnstructuredGrid'
        assert h5py.check_string_dtype(group.attrs.get_id('Type').dtype).length == len('UnstructuredGrid')
        steps = group.get('Steps')
        for k in range(steps.attrs['NSteps'] if steps else 1):
            def start(name):
                return int(steps[name][k]) if steps else 0
            part = start('PartOffsets')
            n, m, c = (int(group['NumberOf' + name][part]) for name in ('Points', 'Cells', 'ConnectivityIds'))

            def rows(name, begin, count):
                values = group[name][begin:begin + count]
                assert len(values) == count, name
                return values
            points = rows('Points', start('PointOffsets'), n)
            offsets = rows('Offsets', start('CellOffsets') + part, m + 1)
            assert offsets[0] == 0 and offsets[-1] == c
            corners = np.split(rows('Connectivity', start('ConnectivityIdOffsets'), c), offsets[1:-1])
            types = rows('Types', start('CellOffsets'), m)
            data = {}
            for place, count in (('PointData', n), ('CellData', m)):
                for name in group.get(place, {}):
                    data[name] = rows('%s/%s' % (place, name), start('%sOffsets/%s' % (place, name)), count)
            frames.append((float(steps['Values'][k]) if steps else None, points,
                           list(zip(types.tolist(), [one.tolist() for one in corners])) if m else [], data))
    return frames


TO_VTK = {'point': 1, 1: 1, 3: 7, 4: 5, 5: 9, 6: 10, 7: 14, 8: 13, 9: 12}


# Checks of what is in them

def check_points(frames, history, names):
    """Displacement and velocity of points of bodies are those of HISTORY, and points are where they must be."""
    assert [frame[0] for frame in frames] == pytest.approx(history['times'], abs=1E-12)
    found = 0
    for k, (time, points, cells, data) in enumerate(frames):
        X = points - data['displacement']
        for name in names:
            one = history['points'][name]
            row = nearest(X, one['point'])
            assert data['displacement'][row] == pytest.approx([one[e][k] for e in ('DX', 'DY', 'DZ')], abs=2E-7)
            assert data['velocity'][row] == pytest.approx([one[e][k] for e in ('VX', 'VY', 'VZ')], abs=2E-6)
            found += 1
    assert found == len(names) * len(history['times'])


def volume(points, cells):
    """By the divergence theorem, of the surface of polygons and volume elements."""
    total = 0.0
    for kind, corners in cells:
        for loop in LOOPS.get(kind, [range(len(corners))]):
            a, *rest = points[[corners[k] for k in loop]].astype(float)
            total += sum(np.dot(a, np.cross(b, c)) for b, c in zip(rest, rest[1:])) / 6
    return total


# Outward faces of elements in the order of VTK.
LOOPS = {12: ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)),
         13: ((0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (1, 4, 5, 2), (2, 5, 3, 0))}


def share_of_round(body):
    """What is left of the volume of a body when 162 points stand for a sphere."""
    points, triangles = unit_sphere(2)
    a, b, c = points[triangles].transpose(1, 0, 2)
    lost = 1 - np.einsum('ni,ni->', a, np.cross(b, c)) / (8 * np.pi)
    balls = sum(4 / 3 * np.pi * np.linalg.det(solid.map) for solid in body.definition.solids if solid.map is not None)
    return 1 - lost * balls / body.definition.volume


def check_volumes(frames, results):
    """Volumes of bodies, from the cells of each."""
    for k in (0, len(frames) - 1):
        time, points, cells, data = frames[k]
        cells = [(TO_VTK.get(kind, kind), corners) for kind, corners in cells]
        bodies = {body.id: body for body in results.frame(k).bodies}
        assert set(np.unique(data['body'])) == set(bodies)
        for id, body in bodies.items():
            mine = [cell for cell, of in zip(cells, data['body']) if of == id]
            size = body.definition.volume * np.linalg.det(body.gradient)
            if body.kind == 'FINITE_ELEMENT':
                size = body.definition.volume
            assert volume(points, mine) == pytest.approx(size * share_of_round(body), rel=0.005), body.label


def test_xdmf_has_what_the_program_says(model, history):
    command(model, 'out/model', 'a.xdmf')
    frames = read_xdmf(model / 'a.xdmf')
    check_points(frames, history, ['cube 1', 'cube 2', 'soft', 'inside', 'pair'])
    check_volumes(frames, Results(model / 'out/model'))
    # Elements of the mesh around a shape are a set of their own.
    background = read_xdmf(model / 'a-background.xdmf')
    assert all([kind for kind, corners in cells] == [9] and sorted(cells[0][1]) == list(range(8))
               for time, points, cells, data in background)


def test_what_does_not_change_is_stored_once(model):
    command(model, 'out/model', 'once.xdmf')
    with h5py.File(model / 'once.h5', 'r') as file:
        # A body comes and another goes, in different frames or the same.
        results = Results(model / 'out/model')
        bodies = [tuple(body.id for body in results.frame(k).bodies) for k in range(13)]
        assert len(file['meshes/topology']) == len(file['meshes/cell_body']) == len(set(bodies)) in (2, 3)
        assert len(file['meshes/points']) == 13


def test_vtkhdf_is_the_same_as_xdmf(model, history):
    command(model, 'out/model', 'a.xdmf')
    command(model, 'out/model', 'b.vtkhdf')
    for name in ('', '-background', '-bodies', '-contacts', '-joints'):
        one, two = read_xdmf(model / f'a{name}.xdmf'), read_vtkhdf(model / f'b{name}.vtkhdf')
        assert len(one) == len(two) == 13
        for (t1, p1, c1, d1), (t2, p2, c2, d2) in zip(one, two):
            assert t1 == t2
            if not len(p2):  # XDMF has a point there
                assert len(p1) == 1 and d1['body1'][0] == -1
                continue
            assert np.array_equal(p1, p2) and [(TO_VTK[kind], corners) for kind, corners in c1] == c2
            assert d1.keys() == d2.keys() and all(np.array_equal(d1[key], d2[key]) for key in d1)


def test_static_vtkhdf(model):
    command(model, 'out/model', 'b.vtkhdf')
    command(model, 'out/model', 's.hdf', '--static', '--frames', '0,-1')
    series = json.loads((model / 's.hdf.series').read_text())
    assert series['file-series-version'] == '1.0'
    assert [one['time'] for one in series['files']] == pytest.approx([0, 0.12])
    for one, k in zip(series['files'], (0, -1)):
        with h5py.File(model / one['name'], 'r') as file:
            assert file['VTKHDF'].attrs['Version'].tolist() == [1, 0] and 'Steps' not in file['VTKHDF']
        (time, points, cells, data), = read_vtkhdf(model / one['name'])
        time, points2, cells2, data2 = read_vtkhdf(model / 'b.vtkhdf')[k]
        assert np.array_equal(points, points2) and cells == cells2
        assert all(np.array_equal(data[name], data2[name]) for name in data2)


def test_files_of_the_other_form_do_not_stay(model):
    """Somebody would open them for those of the last export."""
    def files():
        return sorted(path.name for path in model.glob('both*'))
    command(model, 'out/model', 'both-2024.hdf')  # of another name
    names = {}
    for words in ([], ['--static', '--frames', '0,-1'], ['--static', '--frames', '0'], []):
        command(model, 'out/model', 'both.hdf', *words)
        names[len(names)] = files()
    assert names[0] == names[3] and {'both.hdf', 'both-2024.hdf', 'both-2024-bodies.hdf'} <= set(names[0])
    assert {'both.hdf.series', 'both-0000.hdf', 'both-0001.hdf'} <= set(names[1]) and 'both.hdf' not in names[1]
    assert set(names[2]) <= set(names[0])


def rotated(q, v):
    """v turned by quaternions w x y z."""
    w, u = q[..., :1], q[..., 1:]
    return v + 2 * np.cross(u, np.cross(u, v) + w * v)


def test_points_place_shapes_where_bodies_are(model):
    command(model, 'out/model', 'p.xdmf', '--points')
    command(model, 'out/model', 'a.xdmf')
    shapes = read_xdmf(model / 'p-shapes.xdmf')
    # Unit sphere, floor, cubes alike, pair; those of finite elements stay meshes.
    assert len(shapes) == 4
    moved, glyphs = read_xdmf(model / 'a.xdmf'), read_xdmf(model / 'p-bodies.xdmf')
    stayed = read_xdmf(model / 'p.xdmf')
    for (t1, points, cells, data), (t2, centers, _, of), (t3, _, _, soft) in zip(moved, glyphs, stayed):
        assert set(np.unique(soft['body'])) == set(of['body'][of['kind'] == 3])
        assert np.linalg.norm(of['quaternion'], axis=1) == pytest.approx(1, abs=1E-6)
        for k, id in enumerate(of['body']):
            if of['kind'][k] == 3:
                assert (of['scale'][k] == 0).all()
                continue
            mine = np.unique(np.concatenate([corners for (_, corners), b in zip(cells, data['body']) if b == id]))
            shape = shapes[of['shape'][k]][1]
            placed = centers[k] + rotated(of['quaternion'][k], of['scale'][k] * shape)
            box = [np.concatenate([part.min(axis=0), part.max(axis=0)]) for part in (points[mine], placed)]
            # Tessellated balls are the same solids with corners elsewhere, and a pseudo-rigid one has no shear.
            tolerance = 2E-6 if not of['shape'][k] else 5E-7
            if of['shape'][k] == 0:
                tolerance = 0.1 * of['scale'][k].max()
            assert box[0] == pytest.approx(box[1], abs=tolerance), id


def test_forces_of_contacts_add_up(model, history):
    command(model, 'out/model', 'a.xdmf')
    floor = next(body.id for body in Results(model / 'out/model').frame(0).bodies if body.label == 'floor')
    frames = read_xdmf(model / 'a-contacts.xdmf')
    for k, (time, points, cells, data) in enumerate(frames):
        force = np.where(data['body1'] == floor, data['force'][:, 2], np.where(
            data['body2'] == floor, -data['force'][:, 2], 0)).sum()
        assert force == pytest.approx(history['force on floor'][k], abs=1E-3)
        assert np.linalg.norm(data['force'], axis=1) == pytest.approx(data['force size'], rel=1E-5)
        touching = data['body1'] >= 0
        assert np.linalg.norm(data['normal'][touching], axis=1) == pytest.approx(1, abs=1E-6)
    assert min(history['force on floor']) < -10
    pair = next(body.id for body in Results(model / 'out/model').frame(0).bodies if body.label == 'pair')
    for time, points, cells, data in read_xdmf(model / 'a-joints.xdmf'):
        assert (data['body1'] == pair).all() and points == pytest.approx(np.array([[0.4, 0.6, 0.5]]), abs=1E-3)


def test_stress(model, history):
    """Of a pseudo-rigid body, and at a node of finite elements."""
    command(model, 'out/model', 'a.xdmf')
    egg = history['points']['egg']
    for k, (time, points, cells, data) in enumerate(read_xdmf(model / 'a-bodies.xdmf')):
        row = data['body'].tolist().index(egg['body'])
        # In the order of VTK.
        assert data['stress'][row] == pytest.approx([egg[e][k] for e in ('SX', 'SY', 'SZ', 'SXY', 'SYZ', 'SXZ')],
                                                    rel=1E-4, abs=1)
        assert data['mises'][row] == pytest.approx(egg['MISES'][k], rel=1E-4, abs=1)
    assert max(egg['MISES']) > 100
    assert 'Cauchy stress: sx, sy, sz, sxy, syz, sxz' in (model / 'a.xdmf').read_text()
    soft = history['points']['soft']
    for k, (time, points, cells, data) in enumerate(read_xdmf(model / 'a.xdmf')):
        row = nearest(points - data['displacement'], soft['point'])
        assert data['stress'][row] == pytest.approx([soft[e][k] for e in ('SX', 'SY', 'SZ', 'SXY', 'SYZ', 'SXZ')],
                                                    rel=1E-4, abs=1)
        assert data['mises'][row] == pytest.approx(soft['MISES'][k], rel=1E-4, abs=1)
    assert max(soft['MISES']) > 100


# glTF

def read_gltf(path):
    """The JSON and the arrays of its accessors."""
    if path.suffix == '.glb':
        data = path.read_bytes()
        assert data[:4] == b'glTF' and struct.unpack('<II', data[4:12]) == (2, len(data))
        length, kind = struct.unpack('<I4s', data[12:20])
        assert kind == b'JSON' and length % 4 == 0
        text = json.loads(data[20:20 + length])
        size, kind = struct.unpack('<I4s', data[20 + length:28 + length])
        assert kind == b'BIN\0' and size % 4 == 0 and 28 + length + size == len(data)
        buffer = data[28 + length:]
    else:
        text = json.loads(path.read_text())
        buffer = (path.parent / text['buffers'][0]['uri']).read_bytes()
    assert text['buffers'][0]['byteLength'] == len(buffer)
    arrays = []
    for accessor in text['accessors']:
        view = text['bufferViews'][accessor['bufferView']]
        kind = {5126: '<f4', 5123: '<u2', 5125: '<u4'}[accessor['componentType']]
        width = {'SCALAR': 1, 'VEC3': 3, 'VEC4': 4}[accessor['type']]
        begin = accessor.get('byteOffset', 0)
        assert (view['byteOffset'] + begin) % np.dtype(kind).itemsize == 0
        assert begin + accessor['count'] * width * np.dtype(kind).itemsize <= view['byteLength']
        values = np.frombuffer(buffer, kind, accessor['count'] * width, view['byteOffset'] + begin)
        values = values.reshape(-1, width) if width > 1 else values
        if 'min' in accessor:
            assert np.array_equal(np.atleast_1d(values.min(axis=0)), np.float32(accessor['min']))
            assert np.array_equal(np.atleast_1d(values.max(axis=0)), np.float32(accessor['max']))
        arrays.append(values)
    assert sum(view['byteLength'] for view in text['bufferViews']) <= len(buffer)
    return text, arrays


def tracks_of(text, arrays):
    """(node, path): (times, values, interpolation)"""
    animation = text['animations'][0]
    result = {}
    for channel in animation['channels']:
        sampler = animation['samplers'][channel['sampler']]
        assert 'min' in text['accessors'][sampler['input']]
        times, values = arrays[sampler['input']], arrays[sampler['output']]
        result[channel['target']['node'], channel['target']['path']] = times, values, sampler['interpolation']
    return result


@pytest.mark.parametrize('suffix', ['glb', 'gltf'])
def test_gltf(model, history, suffix):
    command(model, 'out/model', f'a.{suffix}')
    text, arrays = read_gltf(model / f'a.{suffix}')
    assert text['asset']['version'] == '2.0'
    root = text['nodes'][0]
    w = root['rotation'][3:] + root['rotation'][:3]
    assert rotated(np.array(w), np.array([0.0, 0, 1])) == pytest.approx([0, 1, 0])  # z up to y up
    assert sorted(root['children']) == list(range(1, len(text['nodes'])))
    tracks = tracks_of(text, arrays)
    names = {node['name'].rpartition(' (')[0]: k for k, node in enumerate(text['nodes'])}
    assert set(names) >= {'floor', 'ball', 'cube 1', 'cube 2', 'egg', 'soft', 'wedge', 'inside', 'pair', 'late'}
    for (node, path), (times, values, interpolation) in tracks.items():
        assert times == pytest.approx(history['times'], abs=1E-6) and (np.diff(times) > 0).all()
        if path == 'rotation':
            assert np.linalg.norm(values, axis=1) == pytest.approx(1, abs=1E-6)
            assert (np.einsum('kq,kq->k', values[1:], values[:-1]) >= 0).all()
    # It turns by more than a whole turn per second, and its quaternion passes where the largest component changes.
    assert len(tracks[names['cube 2'], 'rotation'][1]) == 13
    assert not [path for node, path in tracks if node == names['floor']]
    for name in ('cube 1', 'cube 2', 'pair'):
        one, k = history['points'][name], names[name]
        body = next(b for b in Results(model / 'out/model').frame(0).bodies if b.id == one['body'])
        arm = np.array(one['point']) - body.definition.center
        place, turn = (tracks[k, path][1] for path in ('translation', 'rotation'))
        now = place + rotated(turn[:, [3, 0, 1, 2]], np.broadcast_to(arm, (13, 3)))
        moved = np.array([one['DX'], one['DY'], one['DZ']]).T + one['point']
        assert now == pytest.approx(moved, abs=1E-6)
    # Cubes alike share a mesh's arrays.
    primitive = [text['meshes'][text['nodes'][names[name]]['mesh']]['primitives'][0] for name in ('cube 1', 'cube 2')]
    assert primitive[0]['attributes'] == primitive[1]['attributes']
    # Those that come and go have the scale 0 while they are away.
    shown = {name: tracks[names[name], 'scale'] for name in ('late', 'wedge')}
    assert all(kind == 'STEP' for _, _, kind in shown.values())
    there = [[any(body.label == name for body in Results(model / 'out/model').frame(k).bodies) for k in range(13)]
             for name in shown]
    assert [(values > 0).all(axis=1).tolist() for _, values, _ in shown.values()] == there
    assert sum(there[0]) not in (0, 13)


def test_gltf_of_finite_elements(model, history):
    command(model, 'out/model', 'a.glb')
    text, arrays = read_gltf(model / 'a.glb')
    tracks = tracks_of(text, arrays)
    for name in ('soft', 'inside'):
        one = history['points'][name]
        node = next(k for k, node in enumerate(text['nodes']) if node['name'].startswith(name))
        mesh = text['meshes'][text['nodes'][node]['mesh']]
        primitive, = mesh['primitives']
        base = arrays[primitive['attributes']['POSITION']]
        targets = np.array([arrays[target['POSITION']] for target in primitive['targets']])
        times, weights, _ = tracks[node, 'weights']
        weights = weights.reshape(13, len(targets))
        assert len(mesh['weights']) == len(targets)
        shape = base + np.einsum('kt,tpi->kpi', weights, targets)
        moved = np.array([one['DX'], one['DY'], one['DZ']]).T + one['point']
        row = nearest(shape[0], moved[0])
        assert shape[:, row] == pytest.approx(moved, abs=1E-6)


# STL

def read_stl(path):
    data = path.read_bytes()
    count, = struct.unpack('<I', data[80:84])
    assert len(data) == 84 + 50 * count and not data.startswith(b'solid')
    row = np.dtype([('normal', '<f4', 3), ('corners', '<f4', (3, 3)), ('more', '<u2')])
    table = np.frombuffer(data, row, count, 84)
    return table['normal'], table['corners']


@pytest.mark.parametrize('label', ['cube 2', 'ball', 'egg', 'soft', 'inside', 'pair'])
def test_stl_is_closed_and_has_the_volume(model, label):
    command(model, 'out/model', 'a.stl', '--only', label, '--time', '0.1')
    normal, corners = read_stl(model / 'a.stl')
    # Each edge is passed once in each direction.
    edges = {}
    for triangle in corners:
        for a, b in zip(triangle, np.roll(triangle, -1, axis=0)):
            key = a.tobytes(), b.tobytes()
            assert key not in edges
            edges[key] = True
    assert all((b, a) in edges for a, b in edges)
    a, b, c = corners.astype(float).transpose(1, 0, 2)
    body = next(body for body in Results(model / 'out/model').at(0.1).bodies if body.label == label)
    size = {'egg': body.definition.volume * np.linalg.det(body.gradient), 'soft': None, 'inside': None}.get(
        label, body.definition.volume)
    if size:
        assert np.einsum('ni,ni->', a, np.cross(b, c)) / 6 == pytest.approx(size * share_of_round(body), rel=1E-5)
    else:  # nodes have moved; the shape has nearly the size that it had
        size = {'soft': 8E-3, 'inside': 1E-3}[label]
        assert np.einsum('ni,ni->', a, np.cross(b, c)) / 6 == pytest.approx(size, rel=0.02)
    flat = np.cross(b - a, c - a)
    assert normal == pytest.approx(flat / np.linalg.norm(flat, axis=1)[:, None], abs=1E-4)


# Parts

def test_sphere_is_closed_and_nearly_round():
    for detail, count in enumerate((12, 42, 162, 642)):
        points, triangles = unit_sphere(detail)
        assert len(points) == count and len(triangles) == 2 * count - 4  # Euler
        assert np.linalg.norm(points, axis=1) == pytest.approx(1)
        directed = {(a, b) for t in triangles for a, b in zip(t, np.roll(t, -1))}
        assert len(directed) == 3 * len(triangles) and all((b, a) in directed for a, b in directed)
        a, b, c = points[triangles].transpose(1, 0, 2)
        inside = np.einsum('ni,ni->', a, np.cross(b, c)) / 6 / (4 / 3 * np.pi)
        assert (0.6, 0.87, 0.96, 0.99)[detail] < inside < 1


def test_quaternions_turn_as_matrices_do():
    rng = np.random.default_rng(3)
    q = rng.normal(size=(500, 4))
    q[:4] = np.eye(4)  # half turns, and none
    q /= np.linalg.norm(q, axis=1)[:, None]
    matrices = np.stack([rotated(q, np.broadcast_to(e, (500, 3))) for e in np.eye(3)], axis=2)
    found = quaternions(matrices)[:, [3, 0, 1, 2]]
    assert np.abs(np.einsum('nq,nq->n', found, q)) == pytest.approx(1, abs=1E-12)


# The command

def test_frames_and_bodies_are_chosen(model):
    printed = command(model, 'out/model', 'c.xdmf', '--from', '0.02', '--to', '0.1', '--every', '2', '--only', 'cube.*',
                      '--only', 'id:1', '--hide', 'cube 2', '--fields', 'speed,vx', '--sets', 'meshes').stdout
    assert printed.startswith('c.xdmf c.h5: 5 frames, 0.02 to 0.1 s, 2 bodies')
    frames = read_xdmf(model / 'c.xdmf')
    assert [time for time, *_ in frames] == pytest.approx([0.02, 0.04, 0.06, 0.08, 0.1])
    assert all(set(data) == {'speed', 'vx'} and len(points) == 8 + 162 for time, points, cells, data in frames)
    assert not (model / 'c-bodies.xdmf').exists()
    command(model, 'out/model', 'c.xdmf', '--time', '0.055', '--time', '0', '--only', 'kind:OBSTACLE')
    assert [time for time, *_ in read_xdmf(model / 'c.xdmf')] == pytest.approx([0, 0.05])
    assert (model / 'c-bodies.xdmf').exists()
    # What an earlier export has left and this one has not would not fit to its numbers.
    command(model, 'out/model', 'c.xdmf', '--frames', '2', '--sets', 'meshes')
    assert not (model / 'c-bodies.xdmf').exists()


@pytest.mark.parametrize('words, message', [
    (['a.png'], 'argument FILE: the name of the file must end with one of .xdmf'),
    (['nowhere/a.xdmf'], "argument FILE: expected a file in a folder that exists; got 'nowhere/a.xdmf'"),
    (['a.xdmf', '--fields', 'colour'], "argument --fields: unknown field 'colour'; there are: "),
    (['a.xdmf', '--only', 'nobody'], "argument --only: no body has the label 'nobody'; there are: ball, cube 1"),
    (['a.xdmf', '--only', 'kind:SOFT'], "argument --only: unknown kind 'SOFT'; there are: OBSTACLE"),
    (['a.xdmf', '--hide', 'id:x'], 'argument --hide: an identifier of a body must be a whole number, or a range'),
    (['a.xdmf', '--only', 'id:99'], 'argument --only: no body has the identifier 99'),
    (['a.xdmf', '--only', 'ball', '--hide', 'ball'], 'no body is left'),
    (['a.xdmf', '--from', '5'], 'there is no frame from 5'),
    (['a.xdmf', '--from', '1', '--to', '0'], 'argument --to: expected a time not before that of --from'),
    (['a.xdmf', '--frames', '99'], 'argument --frames: there is no frame 99'),
    (['a.xdmf', '--frames', 'x'], 'argument --frames: frames must be numbers'),
    (['a.xdmf', '--every', '0'], 'argument --every: expected a whole number > 0'),
    (['a.xdmf', '--time', '0', '--to', '1'], 'argument --time: excludes'),
    (['a.xdmf', '--frames', '0', '--to', '1'], 'argument --frames: excludes'),
    (['a.xdmf', '--sets', 'forces'], "argument --sets: unknown set 'forces'"),
    (['a.glb', '--points'], 'argument --points: .glb files have no fields, points'),
    (['a.stl', '--frames', '0,1'], 'an STL file has one frame'),
    (['a.xdmf', '--static'], 'argument --static: static files are'),
    (['a.xdmf', '--ball-detail', '9'], 'argument --ball-detail: the detail of balls must be 0 to 5'),
    (['a.xdmf', '--colour', 'x'], 'unrecognized arguments: --colour x'),
    ([], 'the following arguments are required: FILE')])
def test_wrong_arguments(model, words, message):
    before = sorted(os.listdir(model))
    done = command(model, 'out/model', *words, code=2)
    assert done.stderr.startswith('solfec export: ' + message) and done.stderr.count('\n') == 1
    assert sorted(os.listdir(model)) == before


def test_missing_results(model):
    assert command(model, 'out/nowhere', 'a.xdmf', code=2).stderr == (
        "solfec export: argument RESULTS: expected a directory of results; got 'out/nowhere', which does not exist\n")
    assert 'are required: RESULTS, FILE' in command(model, code=2).stderr


@pytest.mark.parametrize('name', ['mine.h5', 'mine.xdmf', 'mine-contacts.xdmf'])
def test_files_of_others_are_not_replaced(model, tmp_path, name):
    (tmp_path / name).write_text('mine')
    done = command(model, 'out/model', tmp_path / 'mine.xdmf', code=2)
    assert name + ' is there already and is no export of Solfec; it is not replaced (--force does)' in done.stderr
    assert (tmp_path / name).read_text() == 'mine' and os.listdir(tmp_path) == [name]
    command(model, 'out/model', tmp_path / 'mine.xdmf', '--force')
    command(model, 'out/model', tmp_path / 'mine.xdmf')  # its own it replaces


@pytest.mark.parametrize('suffix', ['xdmf', 'vtkhdf', 'glb', 'stl'])
def test_a_full_disk_leaves_nothing(model, tmp_path, suffix):
    """A limit on the size of files stands for the disk."""
    code = ('import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)); '
            "from solfec.shell import main; sys.exit(main(['export', *sys.argv[1:]]))")
    done = subprocess.run([PYTHON, '-c', code, 'out/model', tmp_path / f'a.{suffix}'], cwd=model, capture_output=True,
                          text=True)
    assert done.returncode == 2 and os.listdir(tmp_path) == []
    assert done.stderr.count('\n') == 1 and 'cannot write' in done.stderr and 'File too large' in done.stderr


@pytest.mark.parametrize('module', [['solfec', 'export'], ['solfec.export']])
def test_both_ways_to_call_it(model, module):
    done = subprocess.run([PYTHON, '-m', *module, 'out/model', 'm.stl'], cwd=model, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, '') and done.stdout.startswith('m.stl: time 0.12 s, 9 bodies')


def test_macro_is_saved(model, tmp_path):
    printed = command(model, '--paraview-macro', tmp_path / 'macro.py').stdout
    assert 'Import new macro' in printed
    compile((tmp_path / 'macro.py').read_text(), 'macro.py', 'exec')
    command(model, '--paraview-macro', tmp_path / 'macro.py', code=2)


def test_from_python(model, tmp_path):
    seen = []
    made = export(str(model / 'out/model'), str(tmp_path / 'a.xdmf'), Settings(frames={'every': 6}, points=True),
                  lambda done, all: seen.append((done, all)))
    assert seen == [(1, 3), (2, 3), (3, 3)] and made.times == pytest.approx([0, 0.06, 0.12])
    assert all(pathlib.Path(path).is_file() for path in made.files) and made.bodies == 10


# The command of the input language

READER = SCRIPT[:SCRIPT.index('points = {')] + 'SEEK(solfec, 0)\n'


def in_script(model, tmp_path, text, code=0):
    (tmp_path / 'read.py').write_text(READER.replace("'out/model'", repr(str(model / 'out/model'))) + text)
    done = subprocess.run([PROGRAM, 'read.py'], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def test_command_of_the_language(model, tmp_path):
    in_script(model, tmp_path, '''
XDMF_EXPORT(solfec, (0.02, 0.06), 'some')
XDMF_EXPORT(solfec, [0, 0.055], 'two.xdmf', ['cube.*', 'egg'], ['VELO', 'STRESS'])
XDMF_EXPORT(solfec, 0.1, path='one.xmf', subset=[ball, pair], attributes='REAC')
XDMF_EXPORT(solfec, 0.1, 'one.xmf', 'ball', ['RELV', 'GAP'])
''')
    frames = read_xdmf(tmp_path / 'some/model.xdmf')
    assert [time for time, *_ in frames] == pytest.approx([0.02, 0.03, 0.04, 0.05, 0.06])
    assert {'displacement', 'velocity', 'body'} <= set(frames[0][3]) and 'stress' not in frames[0][3]
    contacts = read_xdmf(tmp_path / 'some/model-contacts.xdmf')[0][3]
    assert {'force', 'gap', 'body1'} <= set(contacts) and 'relative velocity' not in contacts
    frames = read_xdmf(tmp_path / 'two.xdmf')
    assert [time for time, *_ in frames] == pytest.approx([0, 0.05])
    assert 'displacement' not in frames[0][3] and {'velocity', 'stress', 'mises'} <= set(frames[0][3])
    assert len(np.unique(frames[0][3]['body'])) == 3 and not (tmp_path / 'two-contacts.xdmf').exists()
    (time, points, cells, data), = read_xdmf(tmp_path / 'one-contacts.xmf')
    assert {'relative velocity', 'gap'} <= set(data) and 'force' not in data


@pytest.mark.parametrize('call, error', [
    ("solfec, 'x', 'a'", "TypeError: XDMF_EXPORT: 'time' must be a number; got 'x' (str)"),
    ("solfec, 1, 'a', 'nobody'", "ValueError: XDMF_EXPORT: 'subset': no body has the label 'nobody'"),
    ("solfec, (5, 6), 'a'", "ValueError: XDMF_EXPORT: 'time': there is no frame from 5 to 6 s; results reach"),
    ("solfec, 1, 'a', None, ['DISP', 'XX']", "ValueError: XDMF_EXPORT: 'attributes' must be a list of some of 'DISP'")])
def test_errors_stand_at_the_line_of_the_script(model, tmp_path, call, error):
    done = in_script(model, tmp_path, f'\nXDMF_EXPORT({call})\n', code=1)
    *lines, place, source, said = done.stderr.splitlines()
    assert place.startswith('  File "read.py", line') and source.strip() == f'XDMF_EXPORT({call})'
    assert said.startswith(error) and len(lines) == 1
    assert not (tmp_path / 'a').exists()


def test_command_is_ignored_while_a_model_is_computed(tmp_path):
    (tmp_path / 'script.py').write_text(SCRIPT + "XDMF_EXPORT(solfec, 0, 'a.xdmf')\nprint(solfec.mode)\n")
    done = subprocess.run([PROGRAM, 'script.py'], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and 'WRITE' in done.stdout and not (tmp_path / 'a.xdmf').exists()


def test_package_is_imported_without_numpy():
    code = 'import sys, solfec; print([name for name in ("numpy", "h5py", "solfec.scene") if name in sys.modules])'
    assert subprocess.run([PYTHON, '-c', code], capture_output=True, text=True).stdout == '[]\n'
