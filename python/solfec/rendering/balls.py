"""Spheres and ellipsoids, exact at every size: a triangle for each, whose pixels meet the ball by a quadratic equation.

Software rendering takes a fifth of the time of balls made of triangles (100,000 balls), and outlines are round.
"""

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from solfec.rendering import arrays
from solfec.rendering.shading import shade_balls

_ATTRIBUTES = ('ballCenter', 'column0', 'column1', 'column2')
_CORNERS = np.array([[-1.0, -1, -1], [1, 1, 1], [1, -1, 1]])




class BallActor:
    """Those balls of a scene that a mask picks."""

    def __init__(self):
        self.data = vtkPolyData()
        self.mapper = vtkPolyDataMapper()
        self.mapper.SetInputData(self.data)
        self.mapper.SetVBOShiftScaleMethod(0)
        self.mapper.SetColorModeToDirectScalars()
        for name in _ATTRIBUTES:
            self.mapper.MapDataArrayToVertexAttribute(name, name, vtkDataObject.FIELD_ASSOCIATION_POINTS, -1)
        self.actor = vtkActor()
        self.actor.SetMapper(self.mapper)
        self.actor.GetProperty().SetInterpolationToFlat()
        self.drawn = np.zeros(0, dtype=int)

    def set_balls(self, drawn):
        """Which balls are drawn (numbers)."""
        self.drawn = drawn
        self.data.SetPolys(arrays.equal_cells(np.arange(3 * len(drawn)).reshape(-1, 3)))
        self.actor.SetVisibility(len(drawn) > 0)

    def set_places(self, balls):
        """Centres and shapes of all balls of the scene."""
        if not len(self.drawn):
            return
        center, map = balls.center[self.drawn], balls.map[self.drawn]
        reach = np.linalg.norm(map, axis=2)
        origin = center.mean(axis=0)
        self.actor.SetPosition(origin)
        center = center - origin
        # VTK leaves out triangles without area, and looks at them for bounds: so these ones span the box of the ball.
        corners = center[:, None] + _CORNERS * reach[:, None]
        self.data.SetPoints(arrays.points(corners.reshape(-1, 3).astype(np.float32)))
        for name, values in zip(_ATTRIBUTES, (center, *map.transpose(2, 0, 1))):
            self.data.GetPointData().AddArray(arrays.array(np.repeat(values.astype(np.float32), 3, axis=0), name))

    def set_cuts(self, count):
        shade_balls(self.actor, count)

    def set_opacity(self, opacity):
        self.actor.GetProperty().SetOpacity(opacity)
        self.actor.ForceTranslucentOn() if opacity < 1 else self.actor.ForceOpaqueOn()

    def colour(self, colours):
        """(n, 3) uint8 of all balls of the scene."""
        self.data.GetPointData().SetScalars(arrays.array(np.repeat(colours[self.drawn], 3, axis=0)))
