"""A film of all frames as the window shows them now, made in the background of the window."""

import shutil
import subprocess

from PyQt5.QtCore import QObject, Qt, QTimer
from PyQt5.QtWidgets import QProgressDialog

from solfec.rendering import Drawing
from solfec.scene import Scene, frame_at

RATE = 25  # pictures a second


class Film(QObject):
    """Draws off screen with the settings of the window and gives the pictures to ffmpeg.

    The film passes as fast as the player plays: a picture each 1/25 s times its speed."""

    def __init__(self, window, path):
        super().__init__(window)
        self.session, self.path = window.session, path
        times, step = window.session.model.times, window.player.speed / RATE
        count = max(1, int(round((times[-1] - times[0]) / step)) + 1)
        self.numbers = [frame_at(times, times[0] + k * step) for k in range(count)]
        ratio = window.view.devicePixelRatioF()
        self.size = [int(n * ratio) // 2 * 2 for n in (window.view.width(), window.view.height())]
        self.dialog = QProgressDialog(f'Drawing {count} pictures', 'Stop', 0, count, window)
        self.dialog.setWindowModality(Qt.NonModal)
        self.dialog.setMinimumDuration(0)
        self.timer = QTimer(self, interval=0)
        self.timer.timeout.connect(self._draw)

    def start(self):
        """OSError without ffmpeg."""
        program = shutil.which('ffmpeg')
        if not program:
            raise OSError('films need ffmpeg; install it with apt-get install ffmpeg')
        width, height = self.size
        self.encoder = subprocess.Popen(
            [program, '-y', '-loglevel', 'error', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', f'{width}x{height}', '-r',
             str(RATE), '-i', '-', '-pix_fmt', 'yuv420p', '-crf', '18', '-movflags', '+faststart', self.path],
            stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        scene = Scene(self.session.model.source, model=self.session.scene.model)
        self.drawing = Drawing(scene, self.session.settings, size=self.size)
        self.done, self.shown = 0, None
        self.timer.start()

    def _draw(self):
        if self.dialog.wasCanceled():
            self._finish('the film has been stopped: it has %d pictures' % self.done)
            return
        number = self.numbers[self.done]
        if number != self.shown:
            self.drawing.scene.frame(number)
            self.drawing.update()
            self.picture, self.shown = self.drawing.image().tobytes(), number
        try:
            self.encoder.stdin.write(self.picture)
        except OSError:
            self._finish('')
            return
        self.done += 1
        self.dialog.setValue(self.done)
        if self.done == len(self.numbers):
            self._finish(f'{self.path} is saved: {self.done} pictures')

    def _finish(self, text):
        self.timer.stop()
        error = self.encoder.communicate()[1].decode(errors='replace').strip()
        self.dialog.close()
        self.drawing = None
        self.session.said.emit(error.splitlines()[-1] if self.encoder.returncode else text)
