"""Colours of bodies and of contacts in a frame, and what the legend tells of them."""

import functools

import numpy as np

from solfec.colours import OBSTACLE, STATE_COLOURS, Scale, category_colours, check_map, colour_table, plain_colours
from solfec.rendering.contacts import drawn_contacts
from solfec.rendering.legend import Bar, Names
from solfec.rendering.shading import GREY_SHARE
from solfec.scene_fields import STRESSES, scalars

# What a legend says instead of a name that is short for typing
_TITLES = {'mises': 'von Mises stress', **{'d' + x: 'displacement ' + x for x in 'xyz'},
           **{'v' + x: 'velocity ' + x for x in 'xyz'}, **{name: 'stress ' + name[1:] for name in STRESSES},
           **{f's{k}': f'principal stress {k}' for k in (1, 2, 3)}}
_WHOLE = ('body', 'surface', 'volume', 'rank')  # whole numbers without names


class BodyColours:
    """Plain colours, those of a field by a colour map, or those of categories.

    Sections of bodies have the colour of the mean of the values on their surfaces.
    Under a colour map obstacles are grey, and do not count for its range, unless settings.colour_obstacles.

    field   the Field, or None when plain
    scale   the Scale of numbers, or None
    """

    def __init__(self, scene, settings, visible, run=None):
        """`run`: RunExtremes, with range 'run'."""
        self.scene, self.field, self.scale, self.visible = scene, None, None, visible
        check_map(settings.colour_map)
        if settings.colour == 'plain':
            return
        self.field = scene.field(settings.colour)
        if self.field.on('bodies').ndim > 1 and self.field.on('bodies').shape[1] != 3:
            raise ValueError(f'{settings.colour!r} is no number that a colour could show; choose one of its components')
        self.name, self.has_sections = settings.colour, bool(settings.cuts)
        self.grey = np.zeros(len(scene.ids), dtype=bool) if settings.colour_obstacles else scene.is_obstacle
        if self.field.categories is None and settings.colour not in _WHOLE:
            self.scale = Scale(colour_table(settings.colour_map), *self._range(settings, run), settings.logarithmic)

    @property
    def uncounted(self):
        """Mask of the bodies that do not count for the range."""
        return ~self.visible.bodies | self.grey

    def _range(self, settings, run):
        """Least and largest value of the scale; of a logarithmic one the least positive value is the least."""
        if settings.range == 'run':
            low, high = (run.low, run.high) if run.low <= run.high else (0.0, 0.0)
        else:
            low, high = self.field.range(self.uncounted) if settings.range == 'frame' else settings.range
        if settings.logarithmic and low <= 0:
            low = run.positive if settings.range == 'run' else self.field.least_positive(self.uncounted)
            if not np.isfinite(low):
                raise ValueError(f'{settings.colour!r} has no positive values, which a logarithmic scale needs')
        return low, max(low, high)

    def paint(self, *faces):
        """Colours for FaceActors."""
        if self.scale is None:
            colours = self._colours('faces', self.scene.faces)
            for actor in faces:
                actor.colour_faces(colours)
        else:
            values = scalars(self.field.on('points'))
            sections = self._shares(self._means(values)) if self.has_sections else None
            for actor in faces:
                actor.colour_points(self._shares(values), sections, self.scale.table)

    def _shares(self, values):
        """Places in the colour map of values on points."""
        shares = np.clip(self.scale.share(values), -10, 10)
        return np.where(self.grey[self.scene.point_body], GREY_SHARE, shares).astype(np.float32)

    def _means(self, values):
        """On points, of the values on the points of their bodies."""
        body = self.scene.point_body
        sums, counts = np.bincount(body, values), np.bincount(body)
        return sums[body] / counts[body]

    @functools.cached_property
    def of_balls(self):
        """(n, 3) uint8"""
        if self.scale is None:
            return self._colours('balls', self.scene.balls)
        colours = self.scale.colours(scalars(self.field.on('balls')))
        colours[self.grey[self.scene.ball_body]] = OBSTACLE
        return colours

    def _colours(self, place, table):
        """Without a scale."""
        if self.field is not None:
            return category_colours(self.field.on(place))
        return plain_colours(self.scene.ids[table.body].astype(float), table.kind, self.scene.is_obstacle[table.body])

    def blocks(self):
        """Of the legend."""
        if self.field is None:
            return []
        if self.scale is not None:
            return [Bar(_TITLES.get(self.name, self.name), self.field.unit, self.scale)]
        faces, balls = (self.field.on(place)[mask] for place, mask in (('faces', self.visible.faces),
                                                                      ('balls', self.visible.balls)))
        return [_names(self.name, np.unique(np.concatenate([faces, balls])).astype(int), self.field.categories)]


class ContactColours:
    """Colours of points of contact by a column."""

    def __init__(self, scene, settings, visible):
        self.name = settings.contacts
        if self.name is None:
            return
        self.values, self.unit, self.categories = scene.contacts.values(self.name)
        drawn = self.values[drawn_contacts(scene.contacts, visible)]
        self.shown, self.scale = np.unique(drawn), None
        if self.categories is None:
            finite = drawn[np.isfinite(drawn)]
            low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
            self.scale = Scale(colour_table(settings.colour_map), low, high)

    def of(self, numbers):
        """(n, 3) uint8 of contacts by their numbers."""
        values = self.values[numbers]
        if self.scale is not None:
            return self.scale.colours(values)
        return STATE_COLOURS[values] if self.name == 'state' else category_colours(values)

    def blocks(self):
        if self.name is None or not len(self.shown):
            return []
        title = 'contacts: ' + self.name
        if self.scale is not None:
            return [Bar(title, self.unit, self.scale)]
        block = _names(title, self.shown.astype(int), self.categories)
        if self.name == 'state':
            block.colours = STATE_COLOURS[self.shown]
        return [block]


def _names(title, numbers, categories):
    names = [('none' if k < 0 else categories[k]) if categories is not None else str(k) for k in numbers]
    return Names(title, category_colours(numbers), names)
