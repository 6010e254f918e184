"""The range of a field over all frames of a model, found in slices between events."""

import numpy as np
from PyQt5.QtCore import QObject, QTimer, pyqtSignal

from solfec.scene import Scene


class RunRange(QObject):
    """Least and largest value of the field that colours the model of a session; further frames of a run are added.

    `grown` tells that it has changed."""
    grown = pyqtSignal()

    def __init__(self, session):
        super().__init__()
        self.session, self._key = session, None
        self._low, self._high = np.inf, -np.inf
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._work)
        session.times_changed.connect(self._go_on)

    def values(self):
        """(low, high) of the frames seen so far, with the one that is shown; starts the search where needed."""
        session = self.session
        key = session.model, session.settings.colour
        if key != self._key:
            self._key, self._seen_until = key, -np.inf
            self._low, self._high = np.inf, -np.inf
            self._go_on()
        self._take(session.scene)
        return [self._low, self._high]

    def _go_on(self):
        if self._key and self._key[0] is self.session.model:
            self._scene = None
            self._timer.start()

    def _take(self, scene):
        low, high = scene.field(self._key[1]).range()
        changed = low < self._low or high > self._high
        self._low, self._high = min(low, self._low), max(high, self._high)
        return changed

    def _work(self):
        """One frame more."""
        model, colour = self._key
        if model is not self.session.model or self.session.settings.range != 'run':
            self._timer.stop()
            return
        number = int(np.searchsorted(model.times, self._seen_until, side='right'))
        if number == len(model.times):
            self._timer.stop()
            return
        if self._scene is None:
            self._scene = Scene(model.source, number, model.scene.model)
        else:
            self._scene.frame(number)
        self._seen_until = self._scene.time
        if self._take(self._scene):
            self.grown.emit()
