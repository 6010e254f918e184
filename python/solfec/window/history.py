"""Histories: a figure over all frames, found in slices between events, so that the window goes on."""

import time

import numpy as np
from PyQt5.QtCore import QObject, QTimer, pyqtSignal

SLICE = 0.012  # [s] of work at a time


def coarse_to_fine(n):
    """0 ... n - 1, ends first, then always between: what is found early shows the whole curve."""
    if n == 0:
        return np.zeros(0, dtype=int)
    bits = max(1, int(n - 1).bit_length())
    numbers = np.arange(1 << bits)
    reversed_bits = np.zeros_like(numbers)
    for k in range(bits):
        reversed_bits |= (numbers >> k & 1) << (bits - 1 - k)
    order = reversed_bits[reversed_bits < n]
    return np.concatenate([[n - 1], order[order != n - 1]])


class History(QObject):
    """Values of a figure at the times of frames; NaN where it is not known yet, or not there.

    Starts with start(times, value), where value(k) is the figure in frame k; go_on(times, value) takes the frames of a
    run that goes on. `grown` tells of new values."""
    grown = pyqtSignal()

    def __init__(self):
        super().__init__()
        self.times = self.values = np.zeros(0)
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._work)

    done = property(lambda self: not self._timer.isActive())

    def start(self, times, value):
        self.times, self._value = times, value
        self.values = np.full(len(times), np.nan)
        self._known = np.zeros(len(times), dtype=bool)
        self._queue = iter(coarse_to_fine(len(times)))
        self._timer.start()

    def go_on(self, times, value):
        """What is known of a time stays known, but for the last one: that frame may have been replaced. Times that end
        earlier are those of another run."""
        known, values = (of[:-1] for of in self.curve())
        is_other = not len(times) or not len(known) or times[-1] < known[-1]
        self.start(times, value)
        if not is_other:
            self._known = np.isin(times, known)
            self.values[self._known] = values[np.isin(known, times)]

    def clear(self):
        self._timer.stop()
        self.times = self.values = np.zeros(0)
        self.grown.emit()

    def curve(self):
        """Times and values that are known so far."""
        known = self._known if len(self.times) else np.zeros(0, dtype=bool)
        return self.times[known], self.values[known]

    def _work(self):
        until = time.monotonic() + SLICE
        while time.monotonic() < until:
            k = next(self._queue, None)
            if k is None:
                self._timer.stop()
                break
            if not self._known[k]:
                self.values[k] = self._value(int(k))
                self._known[k] = True
        self.grown.emit()
