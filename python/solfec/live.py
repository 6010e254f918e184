"""The present state of a running simulation, as a source of a Scene."""

import numpy as np

from solfec import _core
from solfec.results import FrameArrays


def arrays_of(columns):
    """FrameArrays of the columns of one frame, by 'group/name'."""
    def group(name, row=slice(None)):
        return {path.partition('/')[2]: column[row] for path, column in columns.items()
                if path.startswith(name + '/') and len(column)}

    constraints = {path.partition('/')[2]: column for path, column in columns.items()
                   if path.startswith('constraint/')}
    return FrameArrays(float(columns['frame/time'][0]), columns['layout/id'], columns['layout/freedom'],
                       columns['layout/nodes'], columns['body/q'].reshape(-1, 12), columns['body/u'],
                       columns['body/x'].reshape(-1, 3), columns['body/energy'], constraints, group('frame', 0))


def definitions_of(columns):
    """Columns of definitions among them, as Results.definition_columns has them."""
    return {path: column for path, column in columns.items() if path.startswith(('definition/', 'solid/'))}


def joined(parts):
    """Columns of several batches, one after the other."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


class PresentState:
    """The present state of a SOLFEC object in WRITE mode: one frame, taken anew by update()."""

    def __init__(self, solfec):
        self._feed, self._definitions = _core._Feed(solfec), []
        self._take()

    def _take(self):
        columns = self._feed.take()
        self._arrays = arrays_of(columns)
        self.times = np.array([self._arrays.time])
        new = definitions_of(columns)
        if len(new['definition/id']) or not self._definitions:
            self._definitions.append(new)

    def __len__(self):
        return 1

    def update(self):
        """Takes the state as it is now; returns True."""
        self._take()
        return True

    def arrays(self, number):
        return self._arrays

    def definition_columns(self, begin=0):
        from solfec.results import rows_from
        return rows_from(joined(self._definitions), begin)

    def definitions_until(self, number):
        return sum(len(part['definition/id']) for part in self._definitions)

    def bulk_materials(self):
        return {name: np.array(values, dtype=object if name == 'label' else float)
                for name, values in self._feed.bulk_materials().items()}

    def nodal_stress(self, number):
        return self._feed.nodal_stress()

    def rank_of(self, number, points):
        return np.zeros(len(points), dtype=int)
