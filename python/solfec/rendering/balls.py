"""Ellipsoids, cylinders with flat or round ends, and cones, exact at every size: a triangle for each, whose pixels meet
the solid by a quadratic equation.

A ball made of triangles has a hundred of them, and no round outline.

Pixels of balls have depths of their own, so that all of a triangle is computed before it is known what is hidden.
Piles of many balls are drawn as discs instead: they look like balls, but have the depths of the disc within the
outline. A disc hides, and is hidden, as its ball is, as long as that overlaps nothing.
"""

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from solfec.model_table import SPHERE
from solfec.rendering import arrays
from solfec.rendering.shading import set_textures, shade_solids
from solfec.results import BODY_KINDS

_CORNERS = np.array([[-1.0, -1, -1], [1, 1, 1], [1, -1, 1]], dtype=np.float32)
BALL, TUBE, CONE, DISC, ROUND_TUBE = 0, 1, 2, 3, 4
FEWEST_DISCS = 2000  # balls from which on they are discs
_TURN = 0.7          # cosine of the angle by which the viewer turns until discs are sorted anew


class _Triangles:
    """A triangle for each solid, with numbers that go to the shader."""

    def __init__(self, shape, attributes):
        self.shape, self.attributes = shape, attributes
        self.data = vtkPolyData()
        self.mapper = vtkPolyDataMapper()
        self.mapper.SetInputData(self.data)
        self.mapper.SetVBOShiftScaleMethod(0)
        self.mapper.SetColorModeToDirectScalars()
        for name in attributes:
            self.mapper.MapDataArrayToVertexAttribute(name, name, vtkDataObject.FIELD_ASSOCIATION_POINTS, -1)
        self.actor = vtkActor()
        self.actor.SetMapper(self.mapper)
        self.actor.GetProperty().SetInterpolationToFlat()
        self.actor.VisibilityOff()
        self.count = 0

    def share(self, other):
        """Draws what another one has."""
        self.mapper.SetInputData(other.data)
        self.actor.SetVisibility(other.actor.GetVisibility())
        self.actor.SetPosition(other.actor.GetPosition())

    def _set(self, center, reach, values):
        """Centres (n, 3), half of the lengths of boxes (n, 3) or (n, 1), and a value of each attribute."""
        if len(center) != self.count:
            self.count = len(center)
            self.data.SetPolys(arrays.equal_cells(np.arange(3 * self.count).reshape(-1, 3)))
            self.actor.SetVisibility(self.count > 0)
        if not self.count:
            return
        origin = center.mean(axis=0)
        self.actor.SetPosition(origin)
        center = (center - origin).astype(np.float32)
        # VTK leaves out triangles without area, and looks at them for bounds: so these ones span the box of the ball.
        corners = center[:, None] + _CORNERS * reach[:, None].astype(np.float32)
        self.data.SetPoints(arrays.points(corners.reshape(-1, 3)))
        for name, value in zip(self.attributes, values(center)):
            self.data.GetPointData().AddArray(arrays.array(np.repeat(value.astype(np.float32), 3, axis=0), name))

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


class Solids(_Triangles):
    """Solids of a shape: points center + map s with |s| <= 1 (BALL), with s_x^2 + s_y^2 <= 1, |s_z| <= 1 (TUBE), or
    with s_x^2 + s_y^2 <= (1 - s_z)^2 / 4, |s_z| <= 1 (CONE). A ROUND_TUBE is a TUBE with a sphere at each end, as thick
    as it; the first two columns of its map are equally long and at right angles to the third one."""

    def __init__(self, shape=BALL):
        super().__init__(shape, ('ballCenter', 'column0', 'column1', 'column2'))

    def set_places(self, center, map):
        """Centres (n, 3) and maps (n, 3, 3)."""
        reach = np.abs(map).sum(axis=2)
        if self.shape == ROUND_TUBE:
            reach += np.linalg.norm(map[:, :, 0], axis=1)[:, None]
        self._set(center, reach, lambda center: (center, *map.transpose(2, 0, 1)))

    def clear(self):
        self.set_places(np.zeros((0, 3)), np.zeros((0, 3, 3)))


class Discs(_Triangles):
    """Spheres as discs."""

    def __init__(self):
        super().__init__(DISC, ('radius',))

    def set_places(self, center, radius):
        """Centres (n, 3) and radii (n)."""
        self._set(center, radius[:, None], lambda center: (radius,))


def disc_balls(scene):
    """Mask of the balls of a scene that may be discs: bodies that move and are one sphere alone, and so overlap others
    at contacts only."""
    bodies = len(scene.ids)
    alone = np.bincount(scene.ball_body, minlength=bodies) == 1
    alone &= np.bincount(scene.faces.body, minlength=bodies) == 0
    alone &= scene.kind == BODY_KINDS.index('RIGID')
    result = alone[scene.ball_body] & (scene.ball_kind == SPHERE)
    return result if np.count_nonzero(result) >= FEWEST_DISCS else np.zeros(len(result), dtype=bool)


class BallActor:
    """Those balls of a scene that a list of numbers picks; discs in the order in which the viewer sees them, so that
    few pixels are drawn which others hide then."""

    def __init__(self):
        self.balls, self.discs = self.parts = Solids(), Discs()
        self._ball_rows = self._disc_rows = np.zeros(0, dtype=int)
        self._away = None

    actors = property(lambda self: [part.actor for part in self.parts])

    def set_balls(self, drawn, as_discs):
        """Numbers of balls; a mask over all balls of those that are discs."""
        self._ball_rows, self._disc_rows = drawn[~as_discs[drawn]], drawn[as_discs[drawn]]

    def show(self, scene, colours, away):
        """Puts balls to their places; colours (n, 3) uint8 are of all balls of the scene, `away` is the direction in
        which the viewer looks."""
        balls, rows = scene.balls, self._disc_rows
        self.balls.set_places(balls.center[self._ball_rows], balls.maps(self._ball_rows))
        self.balls.colour(colours[self._ball_rows])
        self._away = away
        center = balls.center[rows]
        order = np.argsort((center @ away).astype(np.float32))
        self._disc_rows = rows[order]
        self.discs.set_places(center[order], scene.model.balls.map[scene.ball_rows[self._disc_rows], 0, 0])
        self.discs.colour(colours[self._disc_rows])

    def is_sorted(self, away):
        return not len(self._disc_rows) or np.dot(self._away, away) > _TURN

    def set_shading(self, cuts, shadow_map=None):
        for part in self.parts:
            part.set_shading(cuts, shadow_map)

    def set_opacity(self, opacity):
        for part in self.parts:
            part.set_opacity(opacity)

    def share(self, other):
        for own, part in zip(self.parts, other.parts):
            own.share(part)
