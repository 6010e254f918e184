"""VTKHDF: a file for each data set.

Version 2.0 has all frames in one file (VTK 9.3, ParaView 5.12 and newer), version 1.0 one frame (VTK 9.1, ParaView
5.11). In 2.0 arrays of all frames follow each other, and Steps tells where a frame starts in each. What is the same
as in the frame before is stored once, and Steps names it again.
"""

import json
import os

import numpy as np

from solfec.export.grids import ALL_SETS, set_path
from solfec.export.output import MARK

SUFFIXES = ('.vtkhdf', '.hdf')
_CHUNK = 1 << 18  # [bytes]


def _head(file, version):
    group = file.create_group('VTKHDF')
    group.attrs['Version'] = np.array(version)
    # The reader of VTK 9.1 takes texts of fixed length only.
    group.attrs.create('Type', np.bytes_('UnstructuredGrid'))
    return group


def _offsets(grid):
    return np.concatenate([[0], np.cumsum(grid.cells.count)])


class TransientWriter:
    """Files of version 2.0."""

    def __init__(self, output, path):
        self.output, self.path, self.sets = output, path, {}

    def add(self, time, grids):
        for grid in grids:
            if grid.name not in self.sets:
                self.sets[grid.name] = _Transient(self.output, set_path(self.path, grid.name))
            self.sets[grid.name].add(time, grid)

    def end(self):
        for name, one in self.sets.items():
            one.end()
            if not one.has_data:
                self.output.drop(set_path(self.path, name))
        _remove_earlier(self.output, self.path)


class _Transient:
    """The file of one set."""

    def __init__(self, output, path):
        self.group = _head(output.hdf5(path), (2, 0))
        self.times, self.starts, self.latest, self.parts, self.has_data = [], {}, {}, 0, False

    def add(self, time, grid):
        self.times.append(time)
        self.has_data |= len(grid.points) > 0
        counts = len(grid.points), len(grid.types), len(grid.cells.numbers)
        old, types, known = self.latest.get('cells', (None, None, None))
        if known != counts or old is not grid.cells and not (
                np.array_equal(types, grid.types) and np.array_equal(old.numbers, grid.cells.numbers)):
            # A part: cells that hold for this frame and those after it.
            self.part = [self.parts, self._append('Types', grid.types),
                         self._append('Connectivity', grid.cells.numbers.astype(np.int64))]
            self._append('Offsets', _offsets(grid))
            for name, count in zip(('NumberOfPoints', 'NumberOfCells', 'NumberOfConnectivityIds'), counts):
                self._append(name, np.array([count]))
            self.parts += 1
        self.latest['cells'] = grid.cells, grid.types, counts
        for name, start in zip(('PartOffsets', 'CellOffsets', 'ConnectivityIdOffsets'), self.part):
            self.starts.setdefault(name, []).append(start)
        self._place('PointOffsets', 'Points', grid.points)
        for place, data in (('PointData', grid.point_data), ('CellData', grid.cell_data)):
            for name, values in data.items():
                self._place('%sOffsets/%s' % (place, name), '%s/%s' % (place, name), values)

    def _place(self, offsets, name, values):
        """Stores values unless they are those of the frame before, and notes where they are."""
        before = self.latest.get(name)
        starts = self.starts.setdefault(offsets, [])
        if before is values or before is not None and np.array_equal(before, values):
            starts.append(starts[-1])
        else:
            starts.append(self._append(name, values))
            self.latest[name] = values

    def _append(self, name, values):
        """Puts rows at the end of a data set; returns where they start."""
        if name not in self.group:
            row = values.itemsize * int(np.prod(values.shape[1:]))
            self.group.create_dataset(name, shape=(0,) + values.shape[1:], maxshape=(None,) + values.shape[1:],
                                      chunks=(max(1, min(_CHUNK // row, max(64, len(values)))),) + values.shape[1:],
                                      dtype=values.dtype)
        data = self.group[name]
        start = len(data)
        if len(values):
            data.resize(start + len(values), axis=0)
            data[start:] = values
        return start

    def end(self):
        steps = self.group.create_group('Steps')
        steps.attrs['NSteps'] = len(self.times)
        steps['Values'] = np.array(self.times)
        steps['NumberOfParts'] = np.ones(len(self.times), dtype=np.int64)
        for name, starts in self.starts.items():
            steps[name] = np.array(starts, dtype=np.int64)


class StaticWriter:
    """Files of version 1.0: of one frame, or one for each frame and a list of them (NAME.hdf.series)."""

    def __init__(self, output, path, frames):
        self.output, self.path, self.single = output, path, len(frames) == 1
        self.sets, self.number, self.digits = {}, 0, max(4, len(str(len(frames))))

    def add(self, time, grids):
        for grid in grids:
            path = set_path(self.path, grid.name)
            if not self.single:
                stem, suffix = os.path.splitext(path)
                path = '%s-%0*d%s' % (stem, self.digits, self.number, suffix)
            self._write(path, grid)
            self.sets.setdefault(grid.name, []).append((path, time, len(grid.points)))
        self.number += 1

    def _write(self, path, grid):
        file = self.output.hdf5(path)
        group = _head(file, (1, 0))
        for name, count in (('NumberOfPoints', len(grid.points)), ('NumberOfCells', len(grid.types)),
                            ('NumberOfConnectivityIds', len(grid.cells.numbers))):
            group[name] = np.array([count])
        group['Points'], group['Types'] = grid.points, grid.types
        group['Connectivity'], group['Offsets'] = grid.cells.numbers.astype(np.int64), _offsets(grid)
        for place, data in (('PointData', grid.point_data), ('CellData', grid.cell_data)):
            for name, values in data.items():
                group['%s/%s' % (place, name)] = values
        self.output.close(file)

    def end(self):
        for name, files in self.sets.items():
            if not any(points for path, time, points in files):
                for path, time, points in files:
                    self.output.drop(path)
            elif not self.single:
                series = {'file-series-version': '1.0', 'generator': MARK, 'files': [
                    {'name': os.path.basename(path), 'time': time} for path, time, points in files]}
                self.output.write(set_path(self.path, name) + '.series', [json.dumps(series, indent=1).encode()])
        _remove_earlier(self.output, self.path)


def _remove_earlier(output, path):
    """Files of earlier exports of this name, of either form, that this one does not replace."""
    for base in (set_path(path, name) for name in ALL_SETS):
        for earlier in (base, base + '.series', *_named_in(base + '.series')):
            if earlier not in output.names():
                output.obsolete(earlier)


def _named_in(series):
    """The files of a list of frames beside it; none where there is no such list."""
    try:
        with open(series, encoding='utf-8') as file:
            names = [os.path.basename(one['name']) for one in json.load(file)['files']]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [os.path.join(os.path.dirname(series), name) for name in names]
