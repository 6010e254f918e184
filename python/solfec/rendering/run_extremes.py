"""Least and largest values of what is drawn, over many frames."""

import numpy as np

from solfec.rendering.contacts import Loads, drawn_contacts
from solfec.rendering.selection import visible_part
from solfec.scene import Scene


class RunExtremes:
    """Of the field and of the forces that ViewSettings show, over the frames that were taken in. As with the range of a
    frame hidden bodies do not count, nor do obstacles unless settings.colour_obstacles.

    key        what of the settings counts
    low, high  of the values of the field; inf, -inf without any
    positive   least positive one, infinite without any: where a logarithmic scale may begin
    force      largest |R| of a contact or a joint [N]
    """

    def __init__(self, settings):
        self.key = self.key_of(settings)
        self.low, self.high, self.positive, self.force = np.inf, -np.inf, np.inf, 0.0

    @staticmethod
    def key_of(settings):
        return (settings.colour, settings.colour_obstacles, settings.forces != 'none', tuple(settings.only),
                tuple(settings.hidden))

    @property
    def values(self):
        return self.low, self.high, self.positive, self.force

    def take(self, scene):
        """Takes in the frame that a scene shows; returns whether something has changed."""
        colour, obstacles, forces, only, hidden = self.key
        before, visible = self.values, visible_part(scene, only, hidden)
        uncounted = ~visible.bodies if obstacles else ~visible.bodies | scene.is_obstacle
        if colour != 'plain' and not uncounted.all():
            field = scene.field(colour)
            low, high = field.range(uncounted)
            self.low, self.high = min(low, self.low), max(high, self.high)
            self.positive = min(self.positive, field.least_positive(uncounted))
        if forces:
            loads = Loads.of(scene, drawn_contacts(scene.contacts, visible), visible)
            self.force = max(self.force, float(loads.size.max(initial=0)))
        return before != self.values


def of_all_frames(scene, settings):
    """RunExtremes of all frames of a scene's source; this reads each of them. The scene stays as it is."""
    extremes, other = RunExtremes(settings), Scene(scene.source, model=scene.model)
    for number in range(len(scene.times)):
        extremes.take(other.frame(number))
    return extremes
