"""One SOLFEC object in the window."""

import os

import numpy as np

from solfec.live import LiveSource
from solfec.results import Results
from solfec.scene import Scene
from solfec.view_settings import ViewSettings


def first_settings():
    """ViewSettings of a model that nobody has changed. Without a graphics card shadows take as long as all the rest."""
    return ViewSettings(shadows=False)


class Model:
    """A scene with where it comes from.

    name    directory of results, or what the program calls the model
    live    a simulation that sends its state, whose run can be steered
    status  of the simulation: dict(state=, time=, step=, ...), empty for results
    scene   None until the first frame is there
    stress  whether the program was asked for stresses
    settings  how it is drawn (view_settings.ViewSettings)
    points  of DISPLAY_POINT: (identifier of the body, referential point, label)
    """

    def __init__(self, name, source, live=False):
        self.name, self.source, self.live = name, source, live
        self.status, self.settings, self.points = {}, first_settings(), []
        self.scene, self.stress = None if live else Scene(source), False

    @classmethod
    def of_results(cls, directory):
        return cls(os.path.normpath(directory), Results(directory))

    @classmethod
    def of_run(cls, name):
        return cls(name, LiveSource(), live=True)

    @property
    def title(self):
        return os.path.basename(self.name.rstrip('/')) or self.name

    @property
    def times(self):
        return self.source.times if self.scene else np.zeros(0)

    @property
    def number(self):
        """Of the frame that is shown."""
        return self.scene.number if self.scene else 0

    def update(self):
        """Takes over new frames. Who looks at the last frame then sees the new last one. Returns whether there are
        any."""
        if self.scene is None:
            if not self.source.update():
                return False
            self.scene = Scene(self.source).frame(-1)
            return True
        shown, last = self.scene.number, len(self.source.times) - 1
        if not self.scene.update():
            return False
        if shown == last:
            self.scene.frame(-1)
        elif self.live and self.source.dropped:
            shown -= self.source.dropped
            if shown < 0:
                self.scene.frame(0)
            else:
                self.scene.number = shown
        return True
