"""The program's side of the window (solfec -v): the script and its simulations run here, the window is a process of its
own and is told what there is to see.

So the simulation makes the same steps as without a window, and an error in a script ends nothing that is being looked
at. RUN is put off until the user starts it; what the script does next with that SOLFEC object waits for its end
(wait_for_run in src/input/session.hpp). window/feed.py lists the messages.
"""

import collections
import os
import socket
import subprocess
import sys
import time
import traceback
from multiprocessing.connection import Connection

import solfec
from solfec.live import arrays_of, definitions_of

POLL = 0.01          # [s] between two looks at the commands of the window during a run
FRAME = 0.1          # [s] between two pictures, at least
SHARE = 0.05         # of the time that a run may spend on being watched
SIGNALS = 129, 130, 143  # exit codes of HUP, INT and TERM
WINDOW_NICENESS = 10  # where processors are few, the run goes first


class Viewer:
    """Models that the script has made, and the window that shows them: a connection to it and its process."""

    def __init__(self, connection, window):
        self.models, self.queue, self.running, self.error = [], collections.deque(), None, None
        self.connection, self.window = connection, window
        self.stdout, sys.stdout = sys.stdout, _Tee(sys.stdout, lambda text: self.send('output', text))

    # What the program calls: solfec._core._put_off_runs

    def put_off(self, simulation, start, duration):
        """Takes a RUN of the script."""
        self._show_new_models()
        model = self._model_of(simulation)
        model.runs.append((start, duration))
        model.tell('waiting')

    def wait(self, simulation):
        """Returns once the RUNs of a SOLFEC object are over, which the user starts; raises the error that ended one."""
        model = self._model_of(simulation)
        model.tell('waiting', message='the script waits for the end of this run')
        self._serve(lambda: not model.runs and self.running is not model)
        if model.error is not None:
            error, model.error = model.error, None
            raise error

    def stay(self, code, message):
        """After the script: shows what there is until the window is closed, or a signal ends both. Returns the exit
        code."""
        request = code if code in SIGNALS else self._show_until_closed(code, message)
        sys.stdout = self.stdout
        self.connection.close()
        if request in SIGNALS:
            self.window.terminate()
        ended = self.window.wait()
        return code or request or (0 if ended in (0, -2) else ended) or (1 if self.error else 0)

    def _show_until_closed(self, code, message):
        """0, or the exit code of a signal."""
        try:
            self._show_new_models()
            if message:
                self.send('error', message)
            self.send('done', code)
            self._serve(lambda: False)
        except SystemExit as request:
            return request.code
        except KeyboardInterrupt:
            return 130

    # The window

    def send(self, *message):
        try:
            self.connection.send(message)
        except OSError:
            raise SystemExit(0) from None

    def _serve(self, over):
        """Does what the window asks for until something is over."""
        while not over():
            if self.queue and self.running is None:
                self._run(self.queue.popleft())
            else:
                self._obey(self._receive())

    def _receive(self):
        try:
            return self.connection.recv()
        except (EOFError, OSError):  # it was closed, or killed
            raise SystemExit(0) from None

    def _obey(self, message):
        name, *rest = message
        if name == 'quit':
            raise SystemExit(0)
        model = self.models[rest[0]]
        if name == 'ready':
            model.ready = True
            model.show()
        elif name == 'want':
            model.stress = bool(rest[1].get('stress'))
            model.changed = True
            model.show()
        elif name == 'pause':
            model.paused = True
        else:
            model.paused = False
            model.steps_left = rest[1] if name == 'step' else None
            model.goal = rest[1] if name == 'run_to' else None
            self._start(model)

    def _start(self, model):
        if self.running is model:
            return
        if not model.runs:
            model.tell('ended', message='there is no RUN left in the script')
        elif model not in self.queue:
            self.queue.append(model)
            if self.running:
                model.tell('waiting', message=f'starts when {self.running.name} has ended')

    def _run(self, model):
        """One RUN of a model, from its start to its end."""
        start, duration = model.runs[0]
        self.running, model.began, model.next_look = model, None, 0
        said = ''
        try:
            start(lambda: self._between_steps(model))
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            model.error = self.error = error
            said = 'an error has ended the run'
            self.send('error', ''.join(traceback.format_exception(type(error), error, error.__traceback__)))
        finally:
            model.runs.popleft()
            self.running = None
        model.changed = True
        model.tell('ended' if not model.runs else 'waiting', said)
        model.show()

    def _between_steps(self, model):
        """Called by RUN after each step: looks at what the window wants, and shows it the state."""
        model.changed = True
        if model.steps_left is not None:
            model.steps_left -= 1
        now = time.monotonic()
        stop = (model.steps_left is not None and model.steps_left <= 0
                or model.goal is not None and model.time() >= model.goal)
        if not stop and now < model.next_look:
            return
        model.next_look = now + POLL
        while self.connection.poll():
            self._obey(self._receive())
        if stop or model.paused:
            model.paused, model.steps_left, model.goal = True, None, None
            model.tell('paused')
            model.show()
            while model.paused:
                self._obey(self._receive())
            model.began = None
        elif now >= model.next_frame:
            model.tell('running')
            model.show()
            took = time.monotonic() - now
            model.next_frame = now + max(FRAME, took / SHARE)

    # Models

    def _show_new_models(self):
        for simulation in solfec._core._models():
            if not any(simulation == model.solfec for model in self.models):
                self.models.append(_Model(self, len(self.models), simulation))
                self.models[-1].introduce()

    def _model_of(self, simulation):
        return next(model for model in self.models if model.solfec == simulation)


class _Model:
    """A SOLFEC object, and what the window knows of it."""

    def __init__(self, viewer, index, simulation):
        self.viewer, self.index, self.solfec = viewer, index, simulation
        self.feed = solfec._core._Feed(simulation)
        self.name, self.mode = self.feed.directory(), self.feed.mode()
        self.runs, self.error, self.points = collections.deque(), None, []
        self.ready, self.changed, self.stress, self.paused = False, True, False, False
        self.steps_left = self.goal = self.began = None
        self.next_look = self.next_frame = 0

    def introduce(self):
        self.viewer.send('model', self.index, self.name, self.mode)
        if self.mode == 'WRITE':
            self.tell('waiting')
        else:
            self.viewer.send('points', self.index, solfec._core._display_points(self.solfec))

    def time(self):
        return self.feed.figures()['time']

    def tell(self, state, message=''):
        """Tells the window how the run goes."""
        figures = self.feed.figures()
        now, figures['state'], figures['message'] = time.monotonic(), state, message
        start = figures['start'] if self.viewer.running is self else figures['time']
        figures['end'] = start + (self.runs[0][1] if self.runs else 0)
        if self.began is None or self.began[1] > figures['steps']:
            self.began = now, figures['steps'], figures['time']
        seconds = max(now - self.began[0], 1E-9)
        figures['steps_per_second'] = (figures['steps'] - self.began[1]) / seconds
        figures['real_time_factor'] = (figures['time'] - self.began[2]) / seconds
        self.viewer.send('status', self.index, figures)

    def show(self):
        """Sends the state, if the window is ready for another one and has not seen this one."""
        if self.mode != 'WRITE' or not (self.ready and self.changed):
            return
        columns = self.feed.take()
        definitions = definitions_of(columns)
        if len(definitions['definition/id']):
            self.viewer.send('materials', self.index, self.feed.bulk_materials())
            self.viewer.send('definitions', self.index, definitions)
        points = solfec._core._display_points(self.solfec)
        if points != self.points:
            self.points = points
            self.viewer.send('points', self.index, points)
        stress = self.feed.nodal_stress() if self.stress else None
        self.ready = self.changed = False
        self.viewer.send('frame', self.index, arrays_of(columns), stress)


class _Tee:
    """Standard output that the window shows too."""

    def __init__(self, stream, tell):
        self.stream, self.tell = stream, tell

    def write(self, text):
        self.tell(text)
        return self.stream.write(text)

    def __getattr__(self, name):
        return getattr(self.stream, name)


def open_window(size):
    """The connection to a new window, and its process."""
    ours, theirs = socket.socketpair()
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([package, *filter(None, [os.environ.get('PYTHONPATH')])]))
    words = [sys.executable, '-m', 'solfec.window', '--feed', str(theirs.fileno())]
    if size:
        words += ['-g', size]
    process = subprocess.Popen(words, pass_fds=[theirs.fileno()], env=environment)
    os.setpriority(os.PRIO_PROCESS, process.pid, WINDOW_NICENESS)
    theirs.close()
    return Connection(ours.detach()), process
