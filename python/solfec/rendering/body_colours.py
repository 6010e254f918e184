"""Colours of bodies in a frame: plain, by a field, or by a category."""

import numpy as np
from vtkmodules.vtkCommonCore import vtkLookupTable

from solfec.rendering import arrays
from solfec.rendering.colours import NOT_A_NUMBER, Scale, category_colours, colour_table, plain_colours
from solfec.results import BODY_KINDS
from solfec.scene import Scene

_WHOLE = ('body', 'surface', 'volume', 'rank')  # whole numbers without names


class BodyColours:
    """What BodyActors are painted with, and what a legend tells of it.

    field   the Field, or None when plain
    scale   the Scale of numbers, or None
    """

    def __init__(self, scene, settings, visible, run_range=None):
        self.scene, self.field, self.scale = scene, None, None
        if settings.colour != 'plain':
            self.field = scene.field(settings.colour)
            if self.field.categories is None and settings.colour not in _WHOLE:
                table = colour_table(settings.colour_map)
                low, high = range_of(scene, settings, visible)
                self.scale = Scale(table, low, high, settings.logarithmic)

    def paint(self, faces, balls):
        scene = self.scene
        if self.scale is None:
            faces.colour_faces(self._faces())
            balls.colour(self._balls())
        else:
            faces.colour_points(self._scalars(self.field.on('points')), self._lookup_table())
            balls.colour(self.scale.colours(scalars(self.field.on('balls'))))

    def _faces(self):
        scene = self.scene
        if self.field is None:
            return self._plain(scene.faces.body, scene.faces.kind)
        return category_colours(self.field.on('faces'))

    def _balls(self):
        scene = self.scene
        if self.field is None:
            return self._plain(scene.balls.body, scene.balls.kind)
        return category_colours(self.field.on('balls'))

    def _plain(self, body, shape):
        obstacle = self.scene.kind[body] == BODY_KINDS.index('OBSTACLE')
        return plain_colours(self.scene.ids[body].astype(float), shape, obstacle)

    def _scalars(self, values):
        """As the lookup table takes them: places in the range."""
        return self.scale.share(scalars(values))

    def _lookup_table(self):
        table = vtkLookupTable()
        rgba = np.column_stack([self.scale.table, np.full(len(self.scale.table), 255, dtype=np.uint8)])
        table.SetTable(arrays.array(rgba.astype(np.uint8)))
        table.SetTableRange(0, 1)
        table.SetNanColor(*(x / 255 for x in NOT_A_NUMBER), 1)
        return table


def scalars(values):
    """Sizes of vectors, numbers as they are."""
    return np.linalg.norm(values, axis=1) if values.ndim > 1 else values


def range_of(scene, settings, visible):
    """Lowest and highest value of the colour map."""
    if settings.range == 'frame':
        low, high = scene.field(settings.colour).range(~visible.bodies)
    elif settings.range == 'run':
        low, high = run_range(scene, settings)
    else:
        return settings.range
    return low, high


def run_range(scene, settings):
    """Over all frames; this reads each of them."""
    other = Scene(scene.source)
    lows, highs = zip(*(other.frame(k).field(settings.colour).range() for k in range(len(scene.times))))
    return min(lows), max(highs)
