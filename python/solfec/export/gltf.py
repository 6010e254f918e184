"""glTF 2.0: .gltf with .bin beside it, or .glb.

A node for each body, with tracks of translation, rotation and (where it changes) scale; bodies alike share a mesh.
Finite-element bodies are meshes with a morph target for each frame, which are blended between frames. Bodies that are
absent in a frame have the scale 0 there. A root node turns z up into y up. Angles between frames are interpolated along
the shorter way: quaternions do not change sign from frame to frame.
"""

import json
import os

import numpy as np

from solfec.colours import shade_of, shades
from solfec.export.output import MARK
from solfec.export.shapes import BALL, FINITE_ELEMENT
from solfec.model_table import ELLIPSOID, SPHERE, ranges
from solfec.results import SOLID_KINDS, begins
from solfec.rotations import quaternions

SUFFIXES = ('.gltf', '.glb')
FLOAT, UNSIGNED_SHORT, UNSIGNED_INT = 5126, 5123, 5125
VERTICES, INDICES = 34962, 34963   # what a part of the buffer is for
OBSTACLE = 0                       # index into results.BODY_KINDS
SHADES = 5                         # bodies of a kind differ a little, as in pictures
_SQUARE = 0.5**0.5


class Motion:
    """Tracks of all chosen bodies, over frames.

    rows                     definitions with a shape
    place, turn, scale       (frames, rows, 3, 4 (x y z w), 3)
    present                  (frames, rows) whether the body is there
    soft_rows, soft_points   definitions of finite elements, and their corners (frames, points, 3) one after the other
    soft_present             (frames, soft_rows)
    lost                     the largest part of a stretch that scales do not have
    """

    def __init__(self, scene, frames, bodies, shapes, progress):
        model, count = scene.model, len(frames)
        is_soft = model.bodies.kind == FINITE_ELEMENT
        self.rows, self.soft_rows = np.flatnonzero(bodies & ~is_soft), np.flatnonzero(bodies & is_soft)
        self.place, self.turn, self.scale = (np.zeros((count, len(self.rows), n), dtype=np.float32) for n in (3, 4, 3))
        self.present = np.zeros((count, len(self.rows)), dtype=bool)
        self.soft_present = np.zeros((count, len(self.soft_rows)), dtype=bool)
        soft_count = np.diff(model.begin['points'])[self.soft_rows]
        self.soft_begin = begins(soft_count)
        self.soft_points = np.zeros((count, self.soft_begin[-1], 3), dtype=np.float32)
        self.times, self.lost = np.zeros(count), 0.0
        index = np.full(len(model), -1)
        index[self.rows] = np.arange(len(self.rows))
        index[self.soft_rows] = np.arange(len(self.soft_rows))
        for k, number in enumerate(frames):
            scene.frame(number)
            self.times[k] = scene.time
            chosen = bodies[scene.rows]
            here = np.flatnonzero(chosen & (scene.kind != FINITE_ELEMENT))
            at = index[scene.rows[here]]
            place, turn, scale, lost = shapes.placement(scene)
            self.lost = max(self.lost, lost)
            self.present[k, at] = True
            self.place[k, at], self.scale[k, at] = place[here], scale[here]
            self.turn[k, at] = quaternions(turn[here])
            soft = np.flatnonzero(chosen & (scene.kind == FINITE_ELEMENT))
            if len(soft):
                at = index[scene.rows[soft]]
                self.soft_present[k, at] = True
                # Points of a scene stand in the order of its bodies.
                points = chosen[scene.point_body] & (scene.kind[scene.point_body] == FINITE_ELEMENT)
                self.soft_points[k, ranges(self.soft_begin[at], soft_count[at])] = scene.points[points]
            progress(k + 1)
        # Where a body is absent it keeps the place that it had, or will have.
        held = _held(self.present)
        self.place, self.turn, self.scale = (np.take_along_axis(values, held[:, :, None], axis=0)
                                             for values in (self.place, self.turn, self.scale))
        held = np.repeat(_held(self.soft_present), soft_count, axis=1)
        self.soft_points = np.take_along_axis(self.soft_points, held[:, :, None], axis=0)
        # q and -q are the same rotation, but not on the way between two of them.
        flips = np.where(np.einsum('knq,knq->kn', self.turn[1:], self.turn[:-1]) < 0, -1, 1)
        self.turn[1:] *= np.cumprod(flips, axis=0)[:, :, None].astype(np.float32)


def _held(present):
    """Of each frame and body the last frame not after it that has the body, before the first one the first one."""
    if not present.size:
        return np.zeros(present.shape, dtype=int)
    frame = np.where(present, np.arange(len(present))[:, None], -1)
    last = np.maximum.accumulate(frame, axis=0)
    return np.where(last < 0, present.argmax(axis=0), last)


class _File:
    """The parts of a glTF file."""

    def __init__(self):
        self.bytes, self.parts = 0, []
        self.views, self.accessors, self.materials, self.meshes, self.nodes = [], [], [], [], []
        self.samplers, self.channels = [], []
        self._put(MARK.encode().ljust(16))

    def _put(self, data):
        data = data.tobytes() if isinstance(data, np.ndarray) else data
        self.parts.append(data)
        self.bytes += len(data)
        rest = -len(data) % 4
        self.parts.append(bytes(rest))
        self.bytes += rest

    def view(self, values, **more):
        """A part of the buffer; returns its number."""
        self.views.append({'buffer': 0, 'byteOffset': self.bytes, 'byteLength': values.nbytes, **more})
        self._put(np.ascontiguousarray(values))
        return len(self.views) - 1

    def accessor(self, view, component, kind, count, offset=0, limits=None):
        accessor = {'bufferView': view, 'componentType': component, 'count': count, 'type': kind}
        if offset:
            accessor['byteOffset'] = offset
        if limits is not None:
            accessor['min'], accessor['max'] = (np.atleast_1d(end(limits, axis=0)).tolist() for end in (np.min, np.max))
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def positions(self, points):
        points = points.astype('<f4')
        return self.accessor(self.view(points, target=VERTICES), FLOAT, 'VEC3', len(points), limits=points)

    def triangles(self, triangles):
        """Accessor of the corners of triangles."""
        short = triangles.max() < 65535
        view = self.view(triangles.astype('<u2' if short else '<u4').ravel(), target=INDICES)
        return self.accessor(view, UNSIGNED_SHORT if short else UNSIGNED_INT, 'SCALAR', triangles.size)

    def track(self, times, output, node, path, interpolation='LINEAR'):
        self.samplers.append({'input': times, 'output': output, 'interpolation': interpolation})
        self.channels.append({'sampler': len(self.samplers) - 1, 'target': {'node': node, 'path': path}})

    def json(self, buffer):
        result = {'asset': {'version': '2.0', 'generator': MARK}, 'scene': 0, 'scenes': [{'nodes': [0]}]}
        for name, table in (('nodes', self.nodes), ('meshes', self.meshes), ('materials', self.materials),
                            ('accessors', self.accessors), ('bufferViews', self.views)):
            if table:
                result[name] = table
        if self.channels:
            result['animations'] = [{'name': 'motion', 'samplers': self.samplers, 'channels': self.channels}]
        result['buffers'] = [{**buffer, 'byteLength': self.bytes}]
        return json.dumps(result, separators=(',', ':')).encode()


def write(output, path, scene, frames, bodies, shapes, progress):
    """Writes the files; returns the part of stretches that is lost."""
    motion = Motion(scene, frames, bodies, shapes, progress)
    kept = np.concatenate([[True], np.diff(motion.times) > 0])  # times of keys rise
    file = _File()
    file.nodes.append({'name': 'z is up', 'rotation': [-_SQUARE, 0, 0, _SQUARE], 'children': []})
    times = None
    if kept.sum() > 1:
        key_times = motion.times[kept].astype('<f4')
        times = file.accessor(file.view(key_times), FLOAT, 'SCALAR', len(key_times), limits=key_times)
    materials = _Materials(file)
    _add_bodies(file, scene, motion, shapes, kept, times, materials)
    _add_soft_bodies(file, scene, motion, kept, times, materials)
    if len(file.nodes) == 1:
        raise ValueError('there is nothing to export')
    file.nodes[0]['children'] = list(range(1, len(file.nodes)))
    _save(output, path, file)
    return motion.lost


def _save(output, path, file):
    stem, suffix = os.path.splitext(path)
    if suffix == '.gltf':
        output.write(stem + '.bin', file.parts)
        output.write(path, [file.json({'uri': os.path.basename(stem) + '.bin'})])
        return
    text = file.json({})
    text += b' ' * (-len(text) % 4)
    total = 12 + 8 + len(text) + 8 + file.bytes
    if total >= 1 << 32:
        raise ValueError('a .glb file has less than 4 GiB; this one would have %.1f: choose fewer frames or .gltf' % (
            total / 2**30))

    def numbers(*values):
        return np.array(values, dtype='<u4').tobytes()

    output.write(path, [b'glTF', numbers(2, total), numbers(len(text)), b'JSON', text,
                        numbers(file.bytes), b'BIN\0', *file.parts])


class _Materials:
    """Materials by the colours of pictures."""

    def __init__(self, file):
        self.file, self.known = file, {}

    def of(self, solid_kind, body_kind, shade):
        key = ('obstacle', 0) if body_kind == OBSTACLE else (SOLID_KINDS[solid_kind], shade)
        if key not in self.known:
            colour = shades(np.array([solid_kind]), (shade + 0.5) / SHADES, np.array([body_kind == OBSTACLE]))[0]
            linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055)**2.4 for c in colour]
            self.known[key] = len(self.file.materials)
            self.file.materials.append({'name': '%s %d' % key if key[1] else key[0], 'pbrMetallicRoughness': {
                'baseColorFactor': [*linear, 1], 'metallicFactor': 0, 'roughnessFactor': 0.8}})
        return self.known[key]


def _shade(id):
    return int(shade_of(id) * SHADES)


def _name(model, row):
    return '%s (body %d)' % (model.bodies.label[row] or 'body', model.bodies.id[row])


def _add_bodies(file, scene, motion, shapes, kept, times, materials):
    """Nodes, meshes and tracks of bodies with a shape."""
    model, meshes, parts = scene.model, {}, {}

    def primitives(number):
        """Accessors of a shape, by the kind of its solids."""
        if number not in parts:
            shape, parts[number] = shapes.shapes[number], []
            points = file.positions(shape.points)
            for kind in np.unique(shape.surface):
                one = {'attributes': {'POSITION': points},
                       'indices': file.triangles(shape.faces.take(np.flatnonzero(shape.surface == kind)).fans()[0])}
                if number == BALL:
                    one['attributes']['NORMAL'] = points  # of the unit sphere
                parts[number].append((int(kind), one))
        return parts[number]

    def mesh(row):
        number, kind, shade = int(shapes.number[row]), model.bodies.kind[row], _shade(int(model.bodies.id[row]))
        size = shapes.size[row]
        ball_kind = SPHERE if np.ptp(size) <= 1E-9 * size.max() else ELLIPSOID
        key = (number, kind == OBSTACLE, 0 if kind == OBSTACLE else shade, ball_kind if number == BALL else None)
        if key not in meshes:
            meshes[key] = len(file.meshes)
            file.meshes.append({'primitives': [
                {**one, 'material': materials.of(ball_kind if number == BALL else solid, kind, shade)}
                for solid, one in primitives(number)]})
        return meshes[key]

    place, turn = motion.place[kept], motion.turn[kept]
    present = motion.present[kept]
    scale = motion.scale[kept] * present[:, :, None]
    tracks = [('translation', 'VEC3', place), ('rotation', 'VEC4', turn), ('scale', 'VEC3', scale)]
    first = len(file.nodes)
    for n, row in enumerate(motion.rows.tolist()):
        if len(shapes.shapes[shapes.number[row]].faces):
            file.nodes.append({'name': _name(model, row), 'mesh': mesh(row),
                               **{path: values[0, n].tolist() for path, _, values in tracks}})
        else:
            file.nodes.append({'name': _name(model, row)})
    if times is None:
        return
    count = len(place)
    comes_or_goes = ~present.all(axis=0)
    for path, kind, values in tracks:
        moves = np.flatnonzero((values != values[0]).any(axis=(0, 2)))
        if not len(moves):
            continue
        table = np.ascontiguousarray(values[:, moves].transpose(1, 0, 2), dtype='<f4')
        view = file.view(table)
        for k, n in enumerate(moves.tolist()):
            output = file.accessor(view, FLOAT, kind, count, offset=k * table[0].nbytes)
            file.track(times, output, first + n, path,
                       'STEP' if path == 'scale' and comes_or_goes[n] else 'LINEAR')


def _add_soft_bodies(file, scene, motion, kept, times, materials):
    """Nodes and meshes of finite-element bodies; the first frame is the mesh, each later one a morph target."""
    model = scene.model
    count = int(kept.sum())
    weights = None
    for n, row in enumerate(motion.soft_rows.tolist()):
        points = motion.soft_points[kept, motion.soft_begin[n]:motion.soft_begin[n + 1]]
        faces = np.arange(model.begin['faces'][row], model.begin['faces'][row + 1])
        if not len(faces):
            continue
        solid = model.faces.kind[faces[0]]
        primitive = {'attributes': {'POSITION': file.positions(points[0])},
                     'indices': file.triangles(model.faces.corners.take(faces).fans()[0]),
                     'material': materials.of(solid, model.bodies.kind[row], _shade(int(model.bodies.id[row])))}
        mesh = {'primitives': [primitive]}
        node = {'name': _name(model, row), 'mesh': len(file.meshes)}
        file.meshes.append(mesh)
        file.nodes.append(node)
        moves = count > 1 and (points != points[0]).any()
        if moves:
            change = (points[1:] - points[0]).astype('<f4')
            view = file.view(change, target=VERTICES, byteStride=12)
            primitive['targets'] = [{'POSITION': file.accessor(
                view, FLOAT, 'VEC3', len(one), offset=k * one.nbytes, limits=one)} for k, one in enumerate(change)]
            mesh['weights'] = [0] * (count - 1)
            if weights is None:  # the same for all of them
                table = np.eye(count, count - 1, -1, dtype='<f4')
                weights = file.accessor(file.view(table), FLOAT, 'SCALAR', table.size)
            file.track(times, weights, len(file.nodes) - 1, 'weights')
        present = motion.soft_present[kept, n]
        if not present.all():
            table = np.repeat(present[:, None], 3, axis=1).astype('<f4')
            scales = file.accessor(file.view(table), FLOAT, 'VEC3', count)
            node['scale'] = table[0].tolist()
            if count > 1:
                file.track(times, scales, len(file.nodes) - 1, 'scale', 'STEP')
