"""Least and largest values of what is drawn, over many frames."""

import numpy as np

from solfec.scene import Scene


class RunExtremes:
    """Of a field and of forces of contacts and joints, over the frames that were taken in.

    low, high  of the values of the field; inf, -inf without any
    positive   least positive one, infinite without any: where a logarithmic scale may begin
    force      largest |R| of a contact or a joint [N]
    """

    def __init__(self, colour, obstacles, forces):
        """`colour`: name of a field, or 'plain'; `obstacles`, `forces`: whether they count."""
        self.colour, self.obstacles, self.forces = colour, obstacles, forces
        self.low, self.high, self.positive, self.force = np.inf, -np.inf, np.inf, 0.0

    @property
    def values(self):
        return self.low, self.high, self.positive, self.force

    def take(self, scene):
        """Takes in the frame that a scene shows; returns whether something has changed."""
        before = self.values
        if self.colour != 'plain':
            field = scene.field(self.colour)
            uncounted = None if self.obstacles else scene.is_obstacle
            if uncounted is None or not uncounted.all():
                low, high = field.range(uncounted)
                self.low, self.high = min(low, self.low), max(high, self.high)
                self.positive = min(self.positive, field.least_positive(uncounted))
        if self.forces:
            sizes = [float(table.size.max(initial=0)) for table in (scene.contacts, scene.joints)]
            self.force = max(self.force, *sizes)
        return before != self.values


def of_all_frames(scene, *counted):
    """RunExtremes(*counted) of all frames of a scene's source; this reads each of them. The scene stays as it is."""
    extremes, other = RunExtremes(*counted), Scene(scene.source, model=scene.model)
    for number in range(len(scene.times)):
        extremes.take(other.frame(number))
    return extremes
