"""XDMF, version 2: a light file (XML) for each data set, and one heavy file (HDF5) that they share.

What is the same as in the frame before is stored once. A data set that is empty in a frame is one point with zeros
there (whole numbers -1): the older one of the two readers of ParaView fails for empty grids.
"""

import os
from xml.sax.saxutils import quoteattr

import numpy as np

from solfec.export.grids import ALL_SETS, points_grid, set_path
from solfec.export.output import MARK

SUFFIXES = ('.xdmf', '.xmf')
# Types of cells in a mixed topology, by those of VTK; polygons are followed by their number of corners.
MIXED = {1: 1, 5: 4, 7: 3, 9: 5, 10: 6, 14: 7, 13: 8, 12: 9}
COUNTED = (1, 7)


class XdmfWriter:
    """Takes the grids of frames, and writes the light files at its end."""

    def __init__(self, output, path, notes, heavy='.h5'):
        """`notes`: texts by name that are written to each light file; `heavy`: end of the name of the heavy file."""
        self.output, self.notes = output, notes
        self.stem, self.suffix = os.path.splitext(path)
        for name in ALL_SETS:  # now, and not when all frames are written
            output.check_free(self._path(name))
        self.heavy_name = os.path.basename(self.stem) + heavy
        self.heavy = output.hdf5(self.stem + heavy)
        self.sets, self.latest, self.mixed, self.has_data = {}, {}, {}, set()

    def add(self, time, grids):
        somewhere = next((grid.points[0] for grid in grids if len(grid.points)), np.zeros(3))
        for grid in grids:
            if len(grid.points):
                self.has_data.add(grid.name)
            else:
                grid = _placeholder(grid, somewhere)
            self.sets.setdefault(grid.name, []).append(self._uniform(grid, '<Time Value="%.17g"/>' % time))

    def add_shapes(self, shapes):
        """The shapes that points of `bodies` stand for, as the blocks of one more set."""
        blocks = [self._uniform(grid) for grid in shapes]
        self._light('shapes', 'Spatial', blocks)

    def end(self):
        for name, frames in self.sets.items():
            if name in self.has_data:
                self._light(name, 'Temporal', frames)
        for path in map(self._path, ALL_SETS):
            if path not in self.output.names():
                self.output.obsolete(path)

    def _path(self, name):
        return set_path(self.stem + self.suffix, name)

    def _light(self, name, collection, grids):
        notes = ''.join('<Information Name=%s Value=%s/>\n' % (quoteattr(key), quoteattr(text))
                        for key, text in self.notes.items())
        text = ('<?xml version="1.0"?>\n<!-- %s. ParaView: open it by a full path or ./name -->\n<Xdmf Version="2.0">\n'
                '<Domain>\n%s<Grid Name="%s" GridType="Collection" CollectionType="%s">\n' % (
                    MARK, notes, name, collection))
        self.output.write(self._path(name), [text.encode(), *(grid.encode() for grid in grids),
                                              b'</Grid>\n</Domain>\n</Xdmf>\n'])

    def _uniform(self, grid, time=''):
        """XML of one grid, its arrays stored."""
        topology = self._topology(grid)
        points = self._item(grid.name + '/points', grid.points)
        data = [self._attribute(grid.name, place, name, values)
                for place, table in (('Node', grid.point_data), ('Cell', grid.cell_data))
                for name, values in table.items()]
        return '<Grid Name="%s">%s\n%s\n<Geometry GeometryType="XYZ">%s</Geometry>\n%s</Grid>\n' % (
            grid.name, time, topology, points, ''.join(data))

    def _topology(self, grid):
        count = len(grid.types)
        if (grid.types == 1).all():
            head, numbers = 'TopologyType="Polyvertex" NodesPerElement="1"', grid.cells.numbers
        else:
            head, numbers = 'TopologyType="Mixed"', self._mixed(grid)
        return '<Topology %s NumberOfElements="%d">%s</Topology>' % (
            head, count, self._item(grid.name + '/topology', numbers.astype(np.int32)))

    def _mixed(self, grid):
        """Of each cell its type, for some the number of corners, and the corners."""
        cells = grid.cells
        known, numbers = self.mixed.get(grid.name, (None, None))
        if known is cells:
            return numbers
        counted = np.isin(grid.types, COUNTED)
        begin = np.cumsum(cells.count + 1 + counted) - (cells.count + 1 + counted)
        result = np.empty(len(cells.numbers) + len(cells) + counted.sum(), dtype=np.int32)
        is_corner = np.ones(len(result), dtype=bool)
        result[begin] = np.array([MIXED.get(k, 0) for k in range(256)])[grid.types]
        result[begin[counted] + 1] = cells.count[counted]
        is_corner[begin] = is_corner[begin[counted] + 1] = False
        result[is_corner] = cells.numbers
        self.mixed[grid.name] = cells, result
        return result

    def _attribute(self, grid, place, name, values):
        kind = 'Scalar' if values.ndim == 1 else 'Vector' if values.shape[1] == 3 else 'Matrix'
        return '<Attribute Name=%s AttributeType="%s" Center="%s">%s</Attribute>\n' % (
            quoteattr(name), kind, place, self._item('%s/%s %s' % (grid, place.lower(), name), values))

    def _item(self, name, values):
        path = self._store(name, values)
        return '<DataItem Format="HDF" NumberType="%s" Precision="%d" Dimensions="%s">%s:/%s</DataItem>' % (
            'Float' if values.dtype.kind == 'f' else 'Int', values.dtype.itemsize, ' '.join(map(str, values.shape)),
            self.heavy_name, path)

    def _store(self, name, values):
        """The path of an array in the heavy file; the one before when nothing has changed."""
        name = name.replace(' ', '_')
        path, before, number = self.latest.get(name, (None, None, 0))
        if before is not values and (before is None or not np.array_equal(before, values)):
            path = '%s/%d' % (name, number)
            self.heavy[path] = values
            self.latest[name] = path, values, number + 1
        return path


def _placeholder(grid, point):
    """One point in place of an empty grid."""
    def one(values):
        return np.full((1,) + values.shape[1:], 0 if values.dtype.kind == 'f' else -1, dtype=values.dtype)

    result = points_grid(grid.name, np.array([point]), {})
    result.point_data, result.cell_data = ({name: one(values) for name, values in table.items()}
                                           for table in (grid.point_data, grid.cell_data))
    return result
