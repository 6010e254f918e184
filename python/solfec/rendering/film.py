"""Films by ffmpeg."""

import contextlib
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import threading

from solfec.rendering.display import MissingGraphics


@contextlib.contextmanager
def _without_pipe_signal():
    """A write to an ffmpeg that has ended raises BrokenPipeError, in place of ending the program."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGPIPE, before)


def _is_whole(path):
    """Whether an MP4 file has its table of contents, and all bytes that its boxes count."""
    if not os.path.isfile(path):
        return False
    kinds, at, size = set(), 0, os.path.getsize(path)
    with open(path, 'rb') as file:
        while at + 8 <= size:
            file.seek(at)
            length, kind = struct.unpack('>I4s', file.read(8))
            if length == 1:  # it follows, in 64 bits
                length = int.from_bytes(file.read(8), 'big')
            if length < 8:
                return False
            kinds.add(kind)
            at += length
    return b'moov' in kinds and at == size


class Film:
    """A film that is written to a file (.mp4, H.264).

    size  (width, height) of pictures; an odd one gets a row or a column more
    fps   pictures a second
    """

    def __init__(self, path, size, fps):
        self.path, self.size, self.fps = path, size, fps
        if shutil.which('ffmpeg') is None:
            raise MissingGraphics('films need ffmpeg; install it with ./bootstrap.sh view (or: apt-get install ffmpeg)')

    def write(self, drawing, frames, before_each=lambda scene: None):
        """Draws frames of the drawing's scene, by their numbers; returns the length of the film [s]. A film that
        could not be finished leaves nothing. `before_each` is called with the scene that shows the frame."""
        folder = os.path.dirname(os.path.abspath(self.path))
        with _without_pipe_signal(), tempfile.TemporaryDirectory(dir=folder, prefix='.film') as scratch:
            whole = os.path.join(scratch, 'film.mp4')
            process = subprocess.Popen(self._command(whole), stdin=subprocess.PIPE, stderr=subprocess.PIPE)
            try:
                for number in frames:
                    drawing.scene.frame(number)
                    drawing.update()
                    before_each(drawing.scene)
                    process.stdin.write(drawing.image().tobytes())
            except BrokenPipeError:
                pass  # what was wrong is in what ffmpeg says
            except BaseException:
                process.kill()
                raise
            finally:
                said = process.communicate()[1]
            # On a full disk it may end well all the same, with half of a film.
            if process.returncode != 0 or not _is_whole(whole):
                said = ' '.join(said.decode(errors='replace').split())
                raise ValueError('ffmpeg failed: ' + (said or 'the film is not complete; is the disk full?'))
            os.replace(whole, self.path)
        return len(frames) / self.fps

    def _command(self, path):
        return ['ffmpeg', '-y', '-loglevel', 'error', '-f', 'rawvideo', '-pix_fmt', 'rgb24',
                '-s', '%dx%d' % self.size, '-r', '%g' % self.fps, '-i', '-',
                '-vf', 'pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white', '-c:v', 'libx264', '-crf', '18',
                '-pix_fmt', 'yuv420p', '-movflags', '+faststart', path]
