"""A film of all frames as the window shows them now."""

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QApplication, QProgressDialog

from solfec.rendering import Drawing
from solfec.rendering.film import Film
from solfec.results import frame_at
from solfec.scene import Scene
from solfec.window.display_points import DisplayPoints

RATE = 25  # pictures a second


class Stopped(Exception):
    """The user has had enough."""


class _Frames:
    """Numbers of frames, with a dialog that tells how far a film is."""

    def __init__(self, numbers, dialog):
        self.numbers, self.dialog = numbers, dialog

    def __len__(self):
        return len(self.numbers)

    def __iter__(self):
        for done, number in enumerate(self.numbers):
            self.dialog.setValue(done)
            QApplication.processEvents()
            if self.dialog.wasCanceled():
                raise Stopped
            yield number


def write_film(window, path):
    """Draws what a main window shows, off screen and in its size, as fast as its player plays: a picture each 1/25 s
    times the speed. Returns the length [s], or None when the user has stopped it; then there is no film.

    ValueError and rendering.MissingGraphics as solfec.rendering.film.Film."""
    session, step = window.session, window.player.speed / RATE
    times = session.model.times
    count = max(1, int(round((times[-1] - times[0]) / step)) + 1)
    numbers = [frame_at(times, times[0] + k * step) for k in range(count)]
    size = tuple(int(n * window.view.devicePixelRatioF()) for n in (window.view.width(), window.view.height()))
    dialog = QProgressDialog(f'Drawing {count} pictures', 'Stop', 0, count, window)
    dialog.setWindowModality(Qt.WindowModal)
    dialog.setMinimumDuration(0)
    try:
        film = Film(path, size, RATE)
        settings = session.settings.changed(camera=window.view.drawing.camera())
        drawing = Drawing(Scene(session.model.source, model=session.scene.model), settings, size=size)
        points = DisplayPoints(drawing.over)
        return film.write(drawing, _Frames(numbers, dialog), lambda scene: points.show(scene, session.model.points))
    except Stopped:
        return None
    finally:
        dialog.close()
        dialog.deleteLater()
