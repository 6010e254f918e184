"""Extremes over all frames of a model, found in slices between events."""

import numpy as np
from PyQt5.QtCore import QObject, QTimer, pyqtSignal

from solfec.rendering.run_extremes import RunExtremes
from solfec.scene import Scene


class RunRange(QObject):
    """RunExtremes of the current model of a session; further frames of a run are added.

    `grown` tells that they have changed."""
    grown = pyqtSignal()

    def __init__(self, session):
        super().__init__()
        self.session, self._key, self._scene = session, None, None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._work)
        session.times_changed.connect(self._forget_scene)

    done = property(lambda self: not self._timer.isActive())

    def extremes(self, settings):
        """RunExtremes of the frames seen so far, with the one that is shown; the search goes on where frames are
        left."""
        model, key = self.session.model, RunExtremes.key_of(settings)
        if self._key != (model, key):
            self._key, self._extremes, self._seen_until = (model, key), RunExtremes(settings), -np.inf
            self._scene = None
        self._extremes.take(self.session.scene)
        if self._seen_until < model.times[-1]:
            self._timer.start()
        return self._extremes

    def _forget_scene(self):
        """Frames of a live model have other numbers now, and bodies may have come."""
        self._scene = None

    def _work(self):
        """One frame more."""
        model, settings = self.session.model, self.session.settings
        number = int(np.searchsorted(model.times, self._seen_until, side='right'))
        if model is not self._key[0] or settings.range != 'run' or number == len(model.times):
            self._timer.stop()
            return
        if self._scene is None:
            self._scene = Scene(model.source, number, model.scene.model)
        else:
            self._scene.frame(number)
        self._seen_until = self._scene.time
        if self._extremes.take(self._scene):
            self.grown.emit()
