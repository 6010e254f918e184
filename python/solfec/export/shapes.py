"""Distinct shapes of bodies, and where each body has its shape: position, rotation and stretch.

Bodies alike share a shape, whatever their place and size (of balls and ellipsoids). A body is its shape scaled along
three axes, turned and moved. This is exact for obstacles and rigid bodies, and for pseudo-rigid ones without the shear
that remains when their gradient is F = R U with R the nearest rotation: of U in the axes of the shape only the diagonal
is taken. Finite-element bodies have no shape here.
"""

from dataclasses import dataclass

import numpy as np

from solfec.export.tessellation import unit_sphere
from solfec.model_table import Lists
from solfec.results import BODY_KINDS

FINITE_ELEMENT, PSEUDO_RIGID = BODY_KINDS.index('FINITE_ELEMENT'), BODY_KINDS.index('PSEUDO_RIGID')
BALL = 0  # number of the unit sphere among shapes
BALL_DETAIL = 2


@dataclass
class Shape:
    points: np.ndarray   # (n, 3), relative to the mass centre, in the axes of the reference configuration [m]
    faces: Lists         # corners of faces, outward: rows of points
    surface: np.ndarray  # kind of the solid of each face, one of model_table.POLYHEDRON, MESH, SPHERE, ELLIPSOID


class ShapeTable:
    """Shapes of the definitions in a ModelTable.

    shapes   list of Shape; the first one is the unit sphere
    number   (definitions,) which of them each definition has; -1: of finite elements
    """

    def __init__(self, model):
        self.model = model
        count = len(model)
        self.number = np.full(count, -1)
        self.axes = np.broadcast_to(np.eye(3), (count, 3, 3)).copy()
        self.size = np.ones((count, 3))
        self.offset = np.zeros((count, 3))  # of the shape's origin from the mass centre
        sphere, triangles = unit_sphere(BALL_DETAIL)
        kind = np.full(len(triangles), 2)
        self.shapes = [Shape(sphere, Lists(triangles.ravel(), np.full(len(triangles), 3)), kind)]
        self._take_balls()
        self._take_others()

    def _take_balls(self):
        """Bodies that are one ball or ellipsoid."""
        model = self.model
        balls, faces = (np.diff(model.begin[name]) for name in ('balls', 'faces'))
        rows = np.flatnonzero((balls == 1) & (faces == 0) & (model.bodies.kind != FINITE_ELEMENT))
        which = model.begin['balls'][rows]
        map = model.balls.map[which]
        size = np.linalg.norm(map, axis=1)
        axes = map / size[:, None]
        axes[:, :, 2] *= np.sign(np.linalg.det(axes))[:, None]
        self.number[rows], self.size[rows], self.axes[rows] = BALL, size, axes
        self.offset[rows] = model.balls.center[which] - model.bodies.center[rows]

    def _take_others(self):
        known = {}
        rows = np.flatnonzero((self.number < 0) & (self.model.bodies.kind != FINITE_ELEMENT))
        for row in rows.tolist():
            shape = self._shape(row)
            key = _key(shape)
            if key not in known:
                known[key] = len(self.shapes)
                self.shapes.append(shape)
            self.number[row] = known[key]

    def _shape(self, row):
        model, center = self.model, self.model.bodies.center[row]

        def rows(name):
            return slice(model.begin[name][row], model.begin[name][row + 1])

        face = np.arange(rows('faces').start, rows('faces').stop)
        parts, lists = [model.points.X[rows('points')] - center], [model.faces.corners.take(face)]
        kinds = [model.faces.kind[face]]
        sphere, triangles = unit_sphere(BALL_DETAIL)
        for ball, at, kind in zip(*(getattr(model.balls, name)[rows('balls')] for name in ('map', 'center', 'kind'))):
            lists.append(Lists(triangles.ravel() + sum(map(len, parts)), np.full(len(triangles), 3)))
            parts.append(at - center + sphere @ ball.T)
            kinds.append(np.full(len(triangles), kind))
        return Shape(np.concatenate(parts), Lists(np.concatenate([one.numbers for one in lists]),
                                                  np.concatenate([one.count for one in lists])), np.concatenate(kinds))

    def placement(self, scene):
        """Of each body of the frame: position (n, 3) [m], rotation (n, 3, 3), scale (n, 3; zero for finite elements),
        and the largest number that is left out of a stretch."""
        rows, F = scene.rows, scene.gradient
        rotation, stretch = _polar(F, scene.kind == PSEUDO_RIGID)
        axes = self.axes[rows]
        in_axes = axes.transpose(0, 2, 1) @ stretch @ axes
        scale = np.einsum('nii->ni', in_axes) * self.size[rows]
        off = np.abs(in_axes[:, [0, 0, 1], [1, 2, 2]])
        scale[self.number[rows] < 0] = 0
        position = scene.center + np.einsum('nij,nj->ni', F, self.offset[rows])
        return position, rotation @ axes, scale, float(off[self.number[rows] >= 0].max(initial=0))


def _key(shape):
    """The same for shapes alike, whatever the order of their points and faces: corners and means of faces in steps of a
    millionth of the size, for which round-off far from the origin does not count."""
    size = float('%.4g' % np.abs(shape.points).max(initial=0)) or 1.0
    sums = np.add.reduceat(shape.points[shape.faces.numbers], shape.faces.begin(), axis=0) if len(shape.faces) else (
        np.zeros((0, 3)))
    means = np.column_stack([sums / shape.faces.count[:, None] / size * 1E6, shape.surface])
    return size, *(_sorted(values).tobytes() for values in (shape.points / size * 1E6, means))


def _sorted(rows):
    whole = np.round(rows).astype(int)
    return whole[np.lexsort(whole.T)]


def _polar(F, deforms):
    """Rotations and right stretches of gradients; those that do not deform are rotations."""
    rotation, stretch = F.copy(), np.broadcast_to(np.eye(3), F.shape).copy()
    if deforms.any():
        U, s, Vt = np.linalg.svd(F[deforms])
        rotation[deforms] = U @ Vt
        stretch[deforms] = Vt.transpose(0, 2, 1) @ (s[:, :, None] * Vt)
    return rotation, stretch
