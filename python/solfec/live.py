"""Frames of a running simulation, as a source of a Scene: those that it sends, or its present state."""

from collections import deque
from dataclasses import dataclass

import numpy as np

from solfec.results import FrameArrays, joined_rows

MEMORY = 256 << 20  # [bytes] of frames that are kept to step back through


@dataclass
class _Kept:
    arrays: object      # results.FrameArrays
    stress: np.ndarray  # (m, 6) at the nodes [Pa], or None
    definitions: int    # made until then
    size: int           # [bytes]


class LiveSource:
    """What a run has sent so far. Frames beyond `memory` bytes are given up, the oldest first; numbers of frames count
    from the oldest one that is kept.

    `add` and `define` take in what arrives; it is seen after update(), as with results on disk."""

    def __init__(self, memory=MEMORY):
        self.memory = memory
        self.dropped = 0  # by the last update()
        self._frames, self._arrived = deque(), []
        self._columns, self._defined = [], 0
        self._materials = {'label': [], 'young': np.zeros(0), 'poisson': np.zeros(0)}
        self._times = np.zeros(0)

    # What arrives

    def define(self, columns):
        """Further definitions of bodies, columns as Results.definition_columns() has them."""
        if self._columns and not len(columns['definition/id']):
            return
        self._columns.append(columns)
        self._defined += len(columns['definition/id'])

    def add(self, arrays, stress):
        """A frame; in place of the last one when that has the same time."""
        size = sum(a.nbytes for a in (arrays.ids, arrays.q, arrays.u, arrays.x, arrays.energy,
                                      *arrays.constraints.values())) + (0 if stress is None else stress.nbytes)
        self._arrived.append(_Kept(arrays, stress, self._defined, size))

    def set_materials(self, materials):
        """Bulk materials, by their index: dict(label=, young= [Pa], poisson=)."""
        self._materials = materials

    # As Results

    @property
    def times(self):
        return self._times

    def __len__(self):
        return len(self._frames)

    def update(self):
        """Whether frames have arrived since the last time; drops the oldest."""
        self.dropped = 0
        if not self._arrived:
            return False
        for frame in self._arrived:
            if self._frames and self._frames[-1].arrays.time == frame.arrays.time:
                self._frames.pop()
            self._frames.append(frame)
        self._arrived = []
        total = sum(frame.size for frame in self._frames)
        while total > self.memory and len(self._frames) > 1:
            total -= self._frames.popleft().size
            self.dropped += 1
        self._times = np.array([frame.arrays.time for frame in self._frames])
        return True

    def arrays(self, number):
        return self._frames[range(len(self))[number]].arrays

    def body_arrays(self, number, id):
        return self.arrays(number).of_body(id)

    def definitions_until(self, number):
        return self._frames[range(len(self))[number]].definitions

    def definition_columns(self, begin=0):
        counts = [len(columns['definition/id']) for columns in self._columns]
        return joined_rows(counts, self._columns.__getitem__, begin)

    def column(self, path):
        """All rows of an array of the group /frame."""
        name = path.removeprefix('frame/')
        return np.array([frame.arrays.figures[name] for frame in self._frames])

    def bulk_materials(self):
        return self._materials

    def nodal_stress(self, number):
        """NaN where the frame came without: the program sends it while it is asked for."""
        frame = self._frames[range(len(self))[number]]
        return frame.stress if frame.stress is not None else np.full((len(frame.arrays.x), 6), np.nan)

    def rank_of(self, number, centers):
        """Zero: a program with a window has one rank."""
        return np.zeros(len(centers), dtype=int)


class PresentState(LiveSource):
    """The present state of a SOLFEC object in WRITE mode: one frame, taken anew by update()."""

    def __init__(self, solfec):
        from solfec import _core
        super().__init__(memory=0)  # the last frame alone
        self._feed = _core._Feed(solfec)
        self.update()

    def update(self):
        """Takes the state as it is now; returns True."""
        columns = self._feed.take()
        self.define(definitions_of(columns))
        self.set_materials(self._feed.bulk_materials())
        self.add(arrays_of(columns), None)
        return super().update()

    def nodal_stress(self, number):
        return self._feed.nodal_stress()


def arrays_of(columns):
    """FrameArrays of the columns of one frame, by 'group/name'."""
    groups = {'constraint': {}, 'frame': {}}
    for path, column in columns.items():
        group, _, name = path.partition('/')
        if group == 'constraint':
            groups[group][name] = column
        elif group == 'frame' and len(column):
            groups[group][name] = column[0]
    return FrameArrays(float(columns['frame/time'][0]), columns['layout/id'], columns['layout/freedom'],
                       columns['layout/nodes'], columns['body/q'].reshape(-1, 12), columns['body/u'],
                       columns['body/x'].reshape(-1, 3), columns['body/energy'], groups['constraint'], groups['frame'])


def definitions_of(columns):
    """Columns of definitions among them, as Results.definition_columns has them."""
    return {path: column for path, column in columns.items() if path.startswith(('definition/', 'solid/'))}
