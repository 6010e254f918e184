"""Plays frames against the clock: a so many-th of the time that passes is the time that passes in the model."""

import math
import time

from PyQt5.QtCore import QObject, QTimer, pyqtSignal

from solfec.results import frame_at

PLEASANT = 10.0   # [s] that playing all frames takes at first
INTERVAL = 15     # [ms] between looks at the clock


def round_speed(speed):
    """The largest of ..., 0.1, 0.2, 0.5, 1, 2, 5, 10, ... that is not above a speed."""
    power = 10.0 ** math.floor(math.log10(speed) + 1E-9)
    return max(k * power for k in (1, 2, 5) if k * power <= speed * (1 + 1E-9))


def next_speed(speed, up):
    """The next one of these above or below a speed."""
    if not up:
        return round_speed(speed * (1 - 1E-6))
    speed = round_speed(speed)
    return speed * (2.5 if round(speed / 10.0 ** math.floor(math.log10(speed) + 1E-9)) == 2 else 2)


class Player(QObject):
    """Shows one frame of a session after the other.

    speed    time in the model over time that passes
    repeat   starts again after the last frame
    rate     frames a second that were shown of late
    """
    changed = pyqtSignal()

    def __init__(self, session):
        super().__init__()
        self.session = session
        self.speed, self.repeat, self.rate = 1.0, False, 0.0
        self._timer = QTimer(self, interval=INTERVAL)
        self._timer.timeout.connect(self._tick)
        session.model_changed.connect(self._take_model)

    playing = property(lambda self: self._timer.isActive())

    def _take_model(self):
        self.stop()
        times = self.session.model.times
        if len(times) > 1:
            self.speed = round_speed((times[-1] - times[0]) / PLEASANT)
        self.changed.emit()

    def set_speed(self, speed):
        self.speed = speed
        self._start_clock()
        self.changed.emit()

    def toggle(self):
        self.stop() if self.playing else self.start()

    def start(self):
        model = self.session.model
        if len(model.times) < 2:
            return
        if model.number == len(model.times) - 1:
            self.session.show(0)
        self._start_clock()
        self._timer.start()
        self.changed.emit()

    def stop(self):
        self._timer.stop()
        self.changed.emit()

    def _start_clock(self):
        times = self.session.model.times
        self._clock, self._shown = time.monotonic(), 0
        self._from = times[self.session.model.number] if len(times) else 0.0

    def _tick(self):
        model = self.session.model
        passed = time.monotonic() - self._clock
        number = frame_at(model.times, self._from + self.speed * passed)
        if number != model.number:
            self.session.show(number)
            self._shown += 1
            self.rate = self._shown / max(1E-3, time.monotonic() - self._clock)
            self.changed.emit()
        if number == len(model.times) - 1 and not self._again():
            self.stop()

    def _again(self):
        if self.repeat:
            self.session.show(0)
            self._start_clock()
        return self.repeat
