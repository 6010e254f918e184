"""What the inspector tells of a body, of a contact or joint, or of the whole model: figures, neighbours, histories.

The three classes have the same methods:

    title         one line
    rows()        (name, value, unit) in texts
    neighbours()  (identifier, label, contacts, joints, force [N]) of bodies, the largest force first
    histories()   names of figures over time
    history(name) (function of the number of a frame, unit)
"""

import numpy as np

from solfec import scene_fields
from solfec.contact_table import COLUMNS
from solfec.results import BODY_KINDS, CONSTRAINT_KINDS, SPACE
from solfec.window.one_body import body_scene

# Of constraints that can be selected: columns that are told and have histories
COLUMNS_OF = {'contact': tuple(COLUMNS), 'joint': ('force', 'merit', 'determinacy', 'kind')}
_WITHOUT_DIRECTION = [CONSTRAINT_KINDS.index(name) for name in ('FIXPNT', 'GLUE')]
LARGEST = 'largest mises'  # on the surface; 'mises' of a finite-element body is the mean over its nodes


def number_text(value):
    return str(value) if isinstance(value, (int, np.integer)) else f'{value:.5g}'


def vector_text(vector):
    """Three figures of each number; what is only round-off beside the others is zero."""
    noise = 1E-9 * max(abs(v) for v in vector)
    return ', '.join(f'{v if abs(v) > noise else 0.0:.3g}' for v in vector)


def body_text(scene, id):
    """Identifier and label of a body."""
    if id == SPACE:
        return 'space'
    row = np.searchsorted(scene.ids, id)
    if row == len(scene.ids) or scene.ids[row] != id:
        return f'{id} (gone)'
    label = scene.model.bodies.label[scene.rows[row]]
    return f"{id} '{label}'" if label else str(id)


def field_value(scene, name):
    """Of the only body in a scene, NaN without; of vectors the size."""
    if not len(scene.ids):
        return np.nan
    value = scene.field(name).on('bodies')[0]
    return value if np.ndim(value) == 0 else float(np.linalg.norm(value))


def largest_value(scene, name):
    """On the surface of the only body in a scene, NaN without."""
    return scene.field(name).range()[1] if len(scene.ids) else np.nan


def constraint_table(scene, kind):
    """ContactTable of a scene: kind is 'contact' or 'joint'."""
    return scene.contacts if kind == 'contact' else scene.joints


def constraint_row(table, key):
    """Row of a contact or joint in a ContactTable by its key; -1 without."""
    found = np.flatnonzero((table.key == np.asarray(key)).all(axis=1))
    return int(found[0]) if len(found) else -1


class BodyFigures:
    def __init__(self, scene, id):
        self.scene, self.id = scene, id
        self.alone = body_scene(scene, id)
        self.exists = len(self.alone.ids) > 0
        self.title = 'body ' + body_text(scene, id)
        self._has_nodes = len(self.alone.nodes) > 0

    def rows(self):
        body = self.alone
        if not self.exists:
            return [('is not there at', number_text(body.time), 's')]
        contacts, joints = body.contacts, body.joints
        rows = [('identifier', str(self.id), ''), ('label', body.label[0], ''),
                ('kind', BODY_KINDS[body.kind[0]], ''), ('centre', vector_text(body.center[0]), 'm')]
        for name in scene_fields.VECTORS:
            rows.append((name, vector_text(body.field(name).on('bodies')[0]), body.field(name).unit))
        rows += [('contacts', str(len(contacts)), ''), ('joints', str(len(joints)), ''),
                 ('contact force', vector_text(self._force(contacts)), 'N')]
        if len(joints):
            rows.append(('joint force', vector_text(self._force(joints)), 'N'))
        for name in body.fields():
            if name in ('body', 'kind', 'label'):
                continue
            field = body.field(name)
            value = field.on('bodies')[0]
            text = self._category(field.categories, value) if field.categories is not None else number_text(value)
            rows.append((name, text, field.unit))
            if name == 'mises' and self._has_nodes:
                rows.append((LARGEST, number_text(field.range()[1]), field.unit))
        return rows

    @staticmethod
    def _category(names, value):
        return str(names[value]) if 0 <= value < len(names) else 'none'

    def _force(self, table):
        """The sum of the forces on the body at contacts or joints [N]."""
        sign = (table.ids[:, 0] == self.id).astype(float) - (table.ids[:, 1] == self.id)
        return sign @ table.force

    def _on_this_side(self, table):
        """(n, 3) forces on the body at contacts or joints, on its first side where it touches itself [N]."""
        return np.where(table.ids[:, :1] == self.id, 1.0, -1.0) * table.force

    def neighbours(self):
        tables = self.alone.contacts, self.alone.joints
        other = [np.where(table.ids[:, 0] == self.id, table.ids[:, 1], table.ids[:, 0]) for table in tables]
        ids, which = np.unique(np.concatenate(other), return_inverse=True)
        sums = np.zeros((len(ids), 3))
        np.add.at(sums, which, np.concatenate([self._on_this_side(table) for table in tables]))
        contacts, joints = (np.bincount(np.searchsorted(ids, o), minlength=len(ids)) for o in other)
        return _by_force(self.scene, ids, contacts, joints, np.linalg.norm(sums, axis=1))

    def histories(self):
        joint_force = ['joint force'] * (len(self.alone.joints) > 0)
        largest = [LARGEST] * self._has_nodes
        return [*self.alone.fields(), *largest, 'x', 'y', 'z', 'contacts', 'contact force', *joint_force]

    def history(self, name):
        alone = body_scene(self.scene, self.id)
        if name in ('x', 'y', 'z'):
            return lambda k: self._coordinate(alone.frame(k), 'xyz'.index(name)), 'm'
        if name == LARGEST:
            return lambda k: largest_value(alone.frame(k), 'mises'), 'Pa'
        if name == 'contacts':
            return lambda k: len(alone.frame(k).contacts) if len(alone.ids) else np.nan, ''
        if name in ('contact force', 'joint force'):
            kind = name.removesuffix(' force')
            return lambda k: float(np.linalg.norm(self._force(constraint_table(alone.frame(k), kind)))), 'N'
        return lambda k: field_value(alone.frame(k), name), scene_fields.FIELDS[name].unit

    @staticmethod
    def _coordinate(scene, k):
        return scene.center[0, k] if len(scene.ids) else np.nan


def _by_force(scene, ids, contacts, joints, force):
    """Rows of neighbours, in falling order of forces."""
    labels = {int(id): text for id, text in zip(ids, _labels(scene, ids))}
    order = np.argsort(-force, kind='stable')
    return [(int(ids[k]), labels[int(ids[k])], int(contacts[k]), int(joints[k]), float(force[k])) for k in order]


def _labels(scene, ids):
    row = np.minimum(np.searchsorted(scene.ids, ids), len(scene.ids) - 1)
    known = scene.ids[row] == ids
    return np.where(known, scene.model.bodies.label[scene.rows[row]], '')


class ConstraintFigures:
    """Of a contact or a joint, by its key in a ContactTable; kind: 'contact' or 'joint'."""

    def __init__(self, scene, kind, key):
        self.scene, self.kind, self.key = scene, kind, key
        self.table = constraint_table(scene, kind)
        self.row = constraint_row(self.table, key)
        self.title = f'{kind} of {body_text(scene, key[0])} and {body_text(scene, key[1])}'

    def rows(self):
        if self.row < 0:
            return [('is not there at', number_text(self.scene.time), 's')]
        c, k = self.table, self.row
        rows = [('first body', body_text(self.scene, c.ids[k, 0]), ''),
                ('second body', body_text(self.scene, c.ids[k, 1]), ''), ('point', vector_text(c.point[k]), 'm')]
        if c.kind[k] not in _WITHOUT_DIRECTION:
            rows.append(('normal' if self.kind == 'contact' else 'direction', vector_text(c.normal[k]), ''))
        rows += [('force on the first', vector_text(c.force[k]), 'N'), ('R (T1, T2, N)', vector_text(c.R[k]), 'N'),
                 ('U (T1, T2, N)', vector_text(c.U[k]), 'm/s')]
        for name in COLUMNS_OF[self.kind]:
            values, unit, categories = c.values(name)
            rows.append((name, categories[values[k]] if categories else number_text(values[k]), unit))
        return rows + self._surfaces()

    def _surfaces(self):
        """Of joints nothing."""
        c, k = self.table, self.row
        if self.kind == 'joint':
            return []
        return [('surfaces', f'{c.surfaces[k, 0]}, {c.surfaces[k, 1]}', ''),
                ('surface material', str(c.material[k]), ''), ('friction', number_text(c.friction[k]), '')]

    def neighbours(self):
        ids = np.array([id for id in self.key[:2] if id != SPACE])
        ones, none = np.ones(len(ids)), np.zeros(len(ids))
        counts = (ones, none) if self.kind == 'contact' else (none, ones)
        force = self.table.size[self.row] if self.row >= 0 else 0.0
        return _by_force(self.scene, ids, *counts, np.full(len(ids), force))

    def histories(self):
        return [name for name in COLUMNS_OF[self.kind] if name != 'kind']

    def history(self, name):
        alone = body_scene(self.scene, self.key[0])

        def value(number):
            table = constraint_table(alone.frame(number), self.kind)
            row = constraint_row(table, self.key)
            return float(table.values(name)[0][row]) if row >= 0 else np.nan
        return value, COLUMNS[name][1]


class ModelFigures:
    COLUMNS = {'contacts and joints': ('constraints', ''), 'bodies': ('bodies', ''), 'iterations': ('iterations', ''),
               'merit': ('merit', ''), 'step': ('step', 's')}

    def __init__(self, scene):
        self.scene, self.title = scene, 'all of the model'

    def rows(self):
        scene, figures = self.scene, self.scene.state.figures
        low, high = scene.bounds()
        counts = np.bincount(scene.kind, minlength=len(BODY_KINDS))
        rows = [('bodies', str(len(scene.ids)), '')]
        rows += [(BODY_KINDS[k], str(n), '') for k, n in enumerate(counts) if n]
        rows += [('contacts', str(len(scene.contacts)), ''), ('joints', str(len(scene.joints)), ''),
                 ('largest contact force', number_text(scene.contacts.size.max(initial=0.0)), 'N')]
        rows += [(name + ' energy', number_text(figures['energy'][k]), 'J')
                 for k, name in enumerate(scene_fields.ENERGIES)]
        return rows + [('number of the step', str(figures['number']), ''), ('step', number_text(figures['step']), 's'),
                       ('iterations', str(figures['iterations']), ''), ('merit', number_text(figures['merit']), ''),
                       ('lowest corner', vector_text(low), 'm'), ('highest corner', vector_text(high), 'm')]

    def neighbours(self):
        return []

    def histories(self):
        return [*(name + ' energy' for name in scene_fields.ENERGIES), *self.COLUMNS]

    def history(self, name):
        source = self.scene.source
        if name in self.COLUMNS:
            column, unit = self.COLUMNS[name]
            values = source.column('frame/' + column)
        else:
            unit = 'J'
            values = source.column('frame/energy')[:, scene_fields.ENERGIES.index(name.removesuffix(' energy'))]
        return lambda k: float(values[k]), unit
