"""Films by ffmpeg."""

import os
import shutil
import subprocess
import tempfile

from solfec.rendering.display import MissingGraphics


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
        with tempfile.TemporaryDirectory(dir=folder, prefix='.film') as scratch:
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
            if process.returncode != 0:
                raise ValueError('ffmpeg failed: ' + ' '.join(said.decode(errors='replace').split()))
            os.replace(whole, self.path)
        return len(frames) / self.fps

    def _command(self, path):
        return ['ffmpeg', '-y', '-loglevel', 'error', '-f', 'rawvideo', '-pix_fmt', 'rgb24',
                '-s', '%dx%d' % self.size, '-r', '%g' % self.fps, '-i', '-',
                '-vf', 'pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white', '-c:v', 'libx264', '-crf', '18',
                '-pix_fmt', 'yuv420p', '-movflags', '+faststart', path]
