"""Definitions of bodies for the page: what does not change, with each distinct shape once.

A shape is all polyhedra and meshes of a body. Its points are relative to the mass centre of the body, so that bodies of
one shape share it wherever they are. Balls are sent by themselves.
"""

import numpy as np

from solfec.colours import plain_colours
from solfec.model_table import POLYHEDRON, Lists, ranges
from solfec.page.message import encode
from solfec.results import BODY_KINDS, begins

_OBSTACLE = BODY_KINDS.index('OBSTACLE')
_BEND = np.cos(np.radians(20))  # faces that meet at a larger angle have an edge between them
_SAME = 1E-6                    # points of shapes differ by less than this part of their size: they are the same


class ModelData:
    """Definitions of a ModelTable as messages. Distinct shapes are numbered in the order in which they were found."""

    def __init__(self, model):
        self.model = model
        self.known = {}                      # key of a shape: its number
        self.shape = np.zeros(0, dtype=int)  # of each definition; -1: none
        self.first = []                      # definition that has each shape first
        self.update()

    def update(self):
        """Takes in the definitions that were added to the model."""
        done = len(self.shape)
        self.edges, self.edge_feature = find_edges(self.model)
        self.corner_begin = begins(self.model.faces.corners.count)
        row = self.model.points.row[self.edges[:, 0]]
        self.edge_begin = np.searchsorted(row, np.arange(len(self.model) + 1))
        self.relative = self.model.points.X - self.model.bodies.center[self.model.points.row]
        self.shape = np.concatenate([self.shape, np.full(len(self.model) - done, -1)])
        counts = np.diff(self.model.begin['faces'])
        for row in done + np.flatnonzero(counts[done:] > 0):
            key = self._key(row)
            if key not in self.known:
                self.known[key] = len(self.first)
                self.first.append(int(row))
            self.shape[row] = self.known[key]

    def _key(self, row):
        points, corners, count, surface, volume = self._shape(row)
        size = np.abs(points).max()
        return (np.round(points * (1 / (_SAME * size)) if size > 0 else points).astype(np.int32).tobytes(),
                np.float32(size).tobytes(), corners.tobytes(), count.tobytes(), surface.tobytes(), volume.tobytes())

    def _shape(self, row):
        """Points, corners, corners per face, surfaces and volumes of faces of a definition."""
        begin = self.model.begin
        points = self.relative[begin['points'][row]:begin['points'][row + 1]]
        faces = self.model.faces
        face = slice(begin['faces'][row], begin['faces'][row + 1])
        corner = slice(self.corner_begin[face.start], self.corner_begin[face.stop])
        return (points, faces.corners.numbers[corner], faces.corners.count[face], faces.surface[face],
                faces.volume[face])

    def message(self, begin):
        """The definitions from a number on, and the shapes and balls that they are the first to have."""
        model = self.model
        bodies, rows = model.bodies, slice(begin, len(model))
        labels, label = np.unique(bodies.label[rows].astype(str), return_inverse=True)
        first = np.array([row for row in self.first if row >= begin], dtype=int)
        points, point_count = model.rows_of('points', first)
        faces, face_count = model.rows_of('faces', first)
        corners = model.faces.corners.take(faces)
        edge_count = self.edge_begin[first + 1] - self.edge_begin[first]
        edges = ranges(self.edge_begin[first], edge_count)
        ball = np.arange(model.begin['balls'][begin], len(model.balls.row))
        balls = model.balls
        ball_center = balls.center[ball] - bodies.center[balls.row[ball]]
        point_begin = np.repeat(model.begin['points'][first], edge_count)
        values = {'begin': begin, 'count': len(model) - begin, 'labels': labels.tolist()}
        return encode(values, {
            'id': ('u', bodies.id[rows]), 'kind': ('b', bodies.kind[rows]), 'label': ('u', label),
            'colour': ('b', self._plain_colours(begin)), 'mass': ('f', bodies.mass[rows]),
            'volume': ('f', bodies.volume[rows]), 'shape': ('i', self.shape[rows]),
            'shapePoints': ('u', point_count), 'point': ('f', self.relative[points]),
            'shapeFaces': ('u', face_count), 'faceCorners': ('u', corners.count), 'corner': ('u', corners.numbers),
            'shapeEdges': ('u', edge_count), 'edge': ('u', self.edges[edges] - point_begin[:, None]),
            'edgeFeature': ('b', self.edge_feature[edges]),
            'ballRow': ('u', balls.row[ball]), 'ballCenter': ('f', ball_center),
            'ballMap': ('f', balls.map[ball])})

    def _plain_colours(self, begin):
        """(n, 3) of definitions: those of pictures, by the kind of their first solid."""
        model = self.model
        rows, kind = slice(begin, len(model)), np.full(len(model), POLYHEDRON)
        for table in (model.balls, model.faces):
            kind[table.row[::-1]] = table.kind[::-1]  # the first solid comes last
        bodies = model.bodies
        return plain_colours(bodies.id[rows].astype(float), kind[rows], bodies.kind[rows] == _OBSTACLE)


def find_edges(model):
    """Edges of all faces as pairs of rows of model.points, in the order of definitions, and whether each is a feature:
    where faces meet at an angle, or a single face ends."""
    faces = model.faces
    numbers = faces.corners.numbers + np.repeat(model.begin['points'][faces.row], faces.corners.count)
    corners = Lists(numbers, faces.corners.count)
    begin, count = corners.begin(), corners.count
    face = np.repeat(np.arange(len(count)), count)
    at = np.arange(len(numbers))
    following = numbers[np.where(at + 1 < (begin + count)[face], at + 1, begin[face])]
    X = model.points.X
    normal = np.zeros((len(count), 3))
    if len(count):
        origin = X[numbers[begin]][face]  # products of differences: figures far from the origin stay exact
        normal = np.add.reduceat(np.cross(X[numbers] - origin, X[following] - origin), begin, axis=0)
        normal /= np.maximum(np.linalg.norm(normal, axis=1), 1E-300)[:, None]
    low, high = np.minimum(numbers, following), np.maximum(numbers, following)
    order = np.lexsort((high, low))
    low, high, face = low[order], high[order], face[order]
    new = np.ones(len(low), dtype=bool)
    new[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    start = np.flatnonzero(new)
    shared = np.diff(np.append(start, len(low)))
    second = np.minimum(start + 1, len(low) - 1)
    bend = np.einsum('ni,ni->n', normal[face[start]], normal[face[second]]) < _BEND
    return np.stack([low[start], high[start]], axis=1), (shared != 2) | bend
