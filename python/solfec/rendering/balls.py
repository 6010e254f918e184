"""Ellipsoids, cylinders and cones, exact at every size: a triangle for each, whose pixels meet the solid by a quadratic
equation.

A ball made of triangles has a hundred of them, and no round outline.
"""

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from solfec.rendering import arrays
from solfec.rendering.shading import set_textures, shade_solids

_ATTRIBUTES = ('ballCenter', 'column0', 'column1', 'column2')
_CORNERS = np.array([[-1.0, -1, -1], [1, 1, 1], [1, -1, 1]])




BALL, TUBE, CONE = 0, 1, 2


class Solids:
    """Solids of a shape: points center + map s with |s| <= 1 (BALL), with s_x^2 + s_y^2 <= 1, |s_z| <= 1 (TUBE), or
    with s_x^2 + s_y^2 <= (1 - s_z)^2 / 4, |s_z| <= 1 (CONE)."""

    def __init__(self, shape=BALL):
        self.shape = shape
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
        self.actor.VisibilityOff()
        self.count = 0

    def set_places(self, center, map):
        """Centres (n, 3) and maps (n, 3, 3)."""
        if len(center) != self.count:
            self.count = len(center)
            self.data.SetPolys(arrays.equal_cells(np.arange(3 * self.count).reshape(-1, 3)))
            self.actor.SetVisibility(self.count > 0)
        if not self.count:
            return
        reach = np.abs(map).sum(axis=2)
        origin = center.mean(axis=0)
        self.actor.SetPosition(origin)
        center = center - origin
        # VTK leaves out triangles without area, and looks at them for bounds: so these ones span the box of the ball.
        corners = center[:, None] + _CORNERS * reach[:, None]
        self.data.SetPoints(arrays.points(corners.reshape(-1, 3).astype(np.float32)))
        for name, values in zip(_ATTRIBUTES, (center, *map.transpose(2, 0, 1))):
            self.data.GetPointData().AddArray(arrays.array(np.repeat(values.astype(np.float32), 3, axis=0), name))

    def clear(self):
        self.set_places(np.zeros((0, 3)), np.zeros((0, 3, 3)))

    def set_shading(self, cuts, shadow_map=None):
        """cuts: their number; shadow_map: vtkTexture, or None"""
        set_textures(self.actor, shadowMap=shadow_map)
        shade_solids(self.actor, cuts, self.shape, shadow_map is not None)

    def set_opacity(self, opacity):
        self.actor.GetProperty().SetOpacity(opacity)
        self.actor.ForceTranslucentOn() if opacity < 1 else self.actor.ForceOpaqueOn()

    def colour(self, colours):
        """(n, 3) uint8"""
        self.data.GetPointData().SetScalars(arrays.array(np.repeat(colours, 3, axis=0)))


class BallActor(Solids):
    """Those balls of a scene that a list of numbers picks."""

    def __init__(self):
        super().__init__(BALL)
        self.drawn = np.zeros(0, dtype=int)

    def set_balls(self, drawn):
        self.drawn = drawn

    def move(self, balls):
        """Places of all balls of the scene."""
        self.set_places(balls.center[self.drawn], balls.map[self.drawn])

    def paint(self, colours):
        """(n, 3) uint8 of all balls of the scene."""
        self.colour(colours[self.drawn])
