"""Models whose messages come over a feed, and the commands to them."""


from PyQt5.QtCore import QObject, pyqtSignal

from solfec.window.model import Model


class Simulations(QObject):
    """Keeps a session up to date with the messages of a feed (feed.py).

    A model is `ready` for its next frame when the last one has been drawn: a slow window never slows a run."""
    printed = pyqtSignal(str, bool)   # a text, whether it is an error
    ended = pyqtSignal(int)           # the script has ended with this exit code
    lost = pyqtSignal()               # the program went away without a word

    def __init__(self, session, feed):
        super().__init__()
        self.session, self.feed = session, feed
        self._models, self._done = {}, False
        feed.received.connect(self._take)
        feed.closed.connect(self._closed)
        session.settings_changed.connect(self._want)
        session.model_changed.connect(self._want)
        session.selection_changed.connect(self._want)
        feed.start()

    def command(self, name, *arguments):
        """Sends a command for the current model: 'run', 'pause', 'step' n, 'run_to' time."""
        index = self._index(self.session.model)
        if index is not None:
            self.feed.send(name, index, *arguments)

    def quit(self):
        self.feed.send('quit')
        self.feed.stop()

    def _index(self, model):
        return next((index for index, known in self._models.items() if known is model), None)

    def _take(self, message):
        kind, *rest = message
        getattr(self, '_take_' + kind)(*rest)

    def _take_model(self, index, name, mode):
        model = Model.of_results(name) if mode == 'READ' else Model.of_run(name)
        self._models[index] = model
        self.session.add(model)
        if model.live:
            self.feed.send('ready', index)

    def _take_definitions(self, index, columns):
        self._models[index].source.define(columns)

    def _take_materials(self, index, materials):
        self._models[index].source.set_materials(materials)

    def _take_points(self, index, points):
        self._models[index].points = points
        self.session.settings_changed.emit()

    def _take_frame(self, index, arrays, stress):
        model = self._models[index]
        model.source.add(arrays, stress)
        self.session.update(model)  # draws it when it is the current one
        self.feed.send('ready', index)

    def _take_status(self, index, status):
        model = self._models[index]
        model.status = status
        if model is self.session.model:
            self.session.status_changed.emit()

    def _take_output(self, text):
        self.printed.emit(text, False)

    def _take_error(self, text):
        self.printed.emit(text, True)
        self.session.said.emit('an error: see the output')

    def _take_done(self, code):
        self._done = True
        self.ended.emit(code)

    def _closed(self):
        if not self._done:
            self.lost.emit()

    def _want(self):
        """Asks for stress while something shows it."""
        model = self.session.model
        index = self._index(model)
        if index is None or not model.live:
            return
        stress = self.session.needs_stress()
        if stress != model.stress:
            model.stress = stress
            self.feed.send('want', index, {'stress': stress})
