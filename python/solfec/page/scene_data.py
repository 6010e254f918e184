"""What the page asks for, as messages. A Scene shows one frame at a time, so requests take turns at it."""

import hashlib
import os
import threading
import time

import numpy as np

from solfec.colours import JOINT_COLOUR, PALETTE, STATE_COLOURS
from solfec.contact_table import COLUMNS
from solfec.page.message import encode
from solfec.page.model_data import ModelData
from solfec.results import BODY_KINDS, CONSTRAINT_KINDS, SPACE
from solfec.rotations import quaternions

_PATIENCE = 0.4     # [s] spent at once on the range of a field over the run; then the page asks again
_FINITE_ELEMENT, _PSEUDO_RIGID = BODY_KINDS.index('FINITE_ELEMENT'), BODY_KINDS.index('PSEUDO_RIGID')


class SceneData:
    """Messages about a scene. All methods may be called from several threads.

    scene  a Scene
    name   of the run, for the title
    """

    def __init__(self, scene, name):
        self.scene, self.name, self._turn = scene, name, threading.Lock()
        self._ranges, self._layout = {}, (None, None)
        with self._turn:
            self.model_data = ModelData(scene.model)
            scene.frame(-1)
            self._bounds = _bounds(scene)
            # Single precision is for what is near to the origin.
            self.origin = 0.5 * (self._bounds[0] + self._bounds[1])

    def close(self):
        """Waits for the answer that is being made, and frees the results; who asks from then on waits for ever.

        A thread that frees them while the interpreter ends would hold the lock of Python and wait for that of HDF5,
        and h5py's clean-up the other way round."""
        self._turn.acquire()
        self.scene = self.model_data = None

    def run(self, known=0):
        """What the page must know at first, and times from the frame `known` on, also of frames added by a run."""
        with self._turn:
            if known:
                self._update()
            times = self.scene.times
            known = min(known, len(times))
            values = {'frames': len(times), 'begin': known, 'times': times[known:].tolist(),
                      'definitions': len(self.scene.model)}
            if known == 0:
                values.update(name=self.name, kinds=BODY_KINDS, joints=CONSTRAINT_KINDS, origin=self.origin,
                              palette=PALETTE, stateColours=np.vstack([STATE_COLOURS, [JOINT_COLOUR]]),
                              low=self._bounds[0], high=self._bounds[1], fields=self._fields(), contacts=_columns())
            return values

    def _update(self):
        try:
            if self.scene.update() and len(self.scene.model) > len(self.model_data.shape):
                self.model_data.update()
        except ValueError as error:  # the results are those of another run now: no fault of who asks
            raise RuntimeError(str(error)) from None

    def _fields(self):
        from solfec.scene_fields import FIELDS
        return [{'name': name, 'unit': FIELDS[name].unit, 'meaning': FIELDS[name].meaning}
                for name in self.scene.fields()]

    def model(self, begin):
        """Definitions from a number on (ModelData.message)."""
        with self._turn:
            if not 0 <= begin <= len(self.scene.model):
                raise ValueError(f'there are {len(self.scene.model)} definitions of bodies; got {begin}')
            return self.model_data.message(begin)

    def _show(self, number):
        count = len(self.scene.times)
        if not 0 <= number < count:
            raise ValueError(f'there are frames 0 to {count - 1}; got {number}')
        if self.scene.number != number:
            self.scene.frame(number)
        return self.scene

    def _field(self, name):
        if name not in self.scene.fields():
            raise ValueError(f'unknown field {name!r}; there are: ' + ', '.join(self.scene.fields()))
        return self.scene.field(name)

    def frame(self, number, layout=''):
        """Where bodies are. Which ones there are is left out when that is the layout which the page knows already."""
        with self._turn:
            scene = self._show(number)
            if self._layout[0] != scene.topology:
                rows = np.asarray(scene.rows, dtype='<u4').tobytes()
                self._layout = scene.topology, hashlib.blake2b(rows, digest_size=8).hexdigest()
            arrays = {'center': ('f', scene.center - self.origin), 'turn': ('f', quaternions(scene.gradient))}
            if self._layout[1] != layout:
                arrays['row'] = 'u', scene.rows
            pseudo = scene.kind == _PSEUDO_RIGID
            if pseudo.any():
                arrays['map'] = 'f', scene.gradient[pseudo]
            meshes = scene.kind == _FINITE_ELEMENT
            if meshes.any():
                arrays['point'] = 'f', scene.points[meshes[scene.point_body]] - self.origin
            return encode({'number': number, 'time': scene.time, 'layout': self._layout[1]}, arrays)

    @property
    def layout(self):
        """Name of the set of bodies in the frame that frame() gave last."""
        return self._layout[1]

    def field(self, name, number):
        """One number for each body, or each point and ball, or each face and ball."""
        with self._turn:
            self._show(number)
            field = self._field(name)
            arrays = {'value': ('f', _single(field.on(field.place)))}
            if field.place != 'bodies':
                arrays['ball'] = 'f', _single(field.on('balls'))
            return encode({'name': name, 'place': field.place, 'unit': field.unit, 'meaning': field.meaning,
                           'categories': field.categories, **_ranges(self.scene, field)}, arrays)

    def range(self, name):
        """Least and largest value over the frames so far, of all bodies and of those that are no obstacles: {all,
        moving, done, frames}. Long runs take several requests."""
        start = time.monotonic()
        while True:
            with self._turn:
                known, done = self._ranges.get(name, ({'all': None, 'moving': None}, 0))
                frames = len(self.scene.times)
                if done < frames and time.monotonic() - start < _PATIENCE:
                    self._show(done)
                    field = self._field(name)
                    here = _ranges(self.scene, field)
                    self._ranges[name] = {of: _wider(known[of], here[of]) for of in known}, done + 1
                    continue
                return {'name': name, **known, 'done': done, 'frames': frames}

    def contacts(self, number, columns=()):
        """Where contacts and joints are, and what they carry; columns of contact_table.COLUMNS by their names."""
        with self._turn:
            scene = self._show(number)
            values, arrays = {'number': number}, {}
            for prefix, table in (('', scene.contacts), ('joint ', scene.joints)):
                arrays[prefix + 'point'] = 'f', table.point - self.origin
                arrays[prefix + 'force'] = 'f', table.force
                arrays[prefix + 'reach'] = 'f', _reach(scene, table)
                arrays[prefix + 'bodies'] = 'i', table.bodies
                arrays[prefix + 'state'] = 'b', table.state
                arrays[prefix + 'key'] = 'u', table.key
                for column in columns:
                    arrays[prefix + 'column ' + column] = 'f', _single(table.values(column)[0])
            return encode(values, arrays)

    # Figures of one thing: rows [what, value, unit]

    def body(self, id, number, name=''):
        """Figures of a body, and the field `name` on it."""
        with self._turn:
            scene = self._show(number)
            row = int(np.searchsorted(scene.ids, id))
            if row == len(scene.ids) or scene.ids[row] != id:
                raise ValueError(f'there is no body {id} in frame {number}')
            kind, bodies = BODY_KINDS[scene.kind[row]], scene.model.bodies
            definition = scene.rows[row]
            rows = [['body', id, ''], ['label', scene.label[row], ''], ['kind', kind, '']]
            if name:
                field = self._field(name)
                value = field.on('bodies')[row]
                named = field.categories and 0 <= value < len(field.categories)
                rows.append([name, field.categories[int(value)] if named else value, field.unit])
            rows += [['mass', bodies.mass[definition], 'kg'], ['volume', bodies.volume[definition], 'm^3'],
                     ['centre', scene.center[row], 'm'], ['velocity', scene.field('velocity').on('bodies')[row], 'm/s'],
                     ['angular velocity', scene.field('angular velocity').on('bodies')[row], '1/s']]
            rows += [[energy, scene.field(energy).on('bodies')[row], 'J']
                     for energy in ('kinetic energy', 'internal energy') if kind != 'OBSTACLE']
            if kind == 'FINITE_ELEMENT':
                rows.append(['nodes', np.diff(scene.node_begin)[row], ''])
            force, count = _force_on(scene, row)
            return {'rows': rows + [['contacts', count, ''], ['force of contacts', force, 'N']]}

    def contact(self, row, number, joint=False):
        """Figures of a contact (or a joint) by its row in the frame."""
        with self._turn:
            scene = self._show(number)
            table = scene.joints if joint else scene.contacts
            if not 0 <= row < len(table):
                what = 'joints' if joint else 'contacts'
                raise ValueError(f'there are {len(table)} {what} in frame {number}; got {row}')
            other = int(table.ids[row, 1])
            rows = [['bodies', [int(table.ids[row, 0]), 'space' if other == SPACE else other], ''],
                    ['point', table.point[row], 'm'], ['normal', table.normal[row], ''],
                    ['force on the first', table.force[row], 'N']]
            for column in COLUMNS:
                values, unit, names = table.values(column)
                rows.append([column, names[int(values[row])] if names else values[row], unit])
            return {'rows': rows + [['surfaces', table.surfaces[row], ''], ['friction', table.friction[row], '']]}


def _ranges(scene, field):
    """[low, high] of all bodies and of those that are no obstacles; None where there are none."""
    obstacles = scene.is_obstacle
    return {'all': list(field.range()) if len(obstacles) else None,
            'moving': list(field.range(obstacles)) if not obstacles.all() else None}


def _wider(one, two):
    """The range that has both."""
    if one is None or two is None:
        return one or two
    return [min(one[0], two[0]), max(one[1], two[1])]


def _single(values):
    """Single precision; what is too large for it counts as the largest there is, integers keep 24 bits."""
    most = np.finfo(np.float32).max
    return np.clip(np.asarray(values, dtype=float), -most, most)


def _reach(scene, table):
    """How far tubes of forces reach from the contact point into both bodies: as far as their mass centres are along the
    force. Not into obstacles or space."""
    force = table.force
    direction = force / np.maximum(np.linalg.norm(force, axis=1), 1E-300)[:, None]
    result = np.zeros((len(table), 2))
    for side in (0, 1):
        body = table.bodies[:, side]
        moves = (body >= 0) & ~scene.is_obstacle[body]
        away = scene.center[body] - table.point
        result[:, side] = np.where(moves, np.abs(np.einsum('ni,ni->n', away, direction)), 0)
    return result


def _force_on(scene, row):
    """Sum of the contact forces on a body, and the number of contacts."""
    contacts = scene.contacts
    first, second = (contacts.bodies == row).T
    return contacts.force[first].sum(axis=0) - contacts.force[second].sum(axis=0), int((first | second).sum())


def _columns():
    return [{'name': name, 'unit': unit, 'categories': names} for name, (get, unit, names) in COLUMNS.items()]


def _bounds(scene):
    try:
        return scene.bounds()
    except ValueError:  # there is nothing to see yet
        return np.full(3, -0.5), np.full(3, 0.5)


def run_name(directory):
    return os.path.basename(os.path.abspath(directory))
