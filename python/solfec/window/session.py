"""What the window shows: models, the frame, what is selected, how it is drawn; signals tell of changes."""

import dataclasses

import numpy as np
from PyQt5.QtCore import QObject, QTimer, pyqtSignal

from solfec.rendering.selection import select
from solfec.results import frame_at
from solfec.scene_fields import FIELDS
from solfec.whole_files import write_json
from solfec.window import figures
from solfec.window.model import Model

POLL = 1000  # [ms] between looks for frames that a run adds to results
STRESS_FIELDS = {name for name, entry in FIELDS.items() if entry.unit == 'Pa'}


class Session(QObject):
    """Models in the window and what is chosen of them.

    models    those there are
    index     of the current one
    selected  None, ('body', identifier), ('contact', key of ContactTable) or ('joint', key)
    range     of the colours that are drawn, or None
    """
    model_changed = pyqtSignal()      # another model, or its first frame has come
    frame_shown = pyqtSignal()        # another frame
    times_changed = pyqtSignal()      # frames came or went
    status_changed = pyqtSignal()     # of the simulation
    selection_changed = pyqtSignal()
    settings_changed = pyqtSignal()   # how the model is drawn
    drawn = pyqtSignal()              # the picture shows all that has changed
    said = pyqtSignal(str)            # a line for the user
    focus_wanted = pyqtSignal()       # the keyboard belongs to the picture again

    def __init__(self):
        super().__init__()
        self.models, self.index, self.selected, self.range = [], 0, None, None
        self._nothing = Model.of_run('')
        self._poll = QTimer(self, interval=POLL)
        self._poll.timeout.connect(self._look_for_frames)
        self._poll.start()

    @property
    def model(self):
        return self.models[self.index] if self.models else self._nothing

    scene = property(lambda self: self.model.scene)
    settings = property(lambda self: self.model.settings)  # view_settings.ViewSettings

    # Models

    def add(self, model):
        self.models.append(model)
        if len(self.models) == 1:
            self.choose(0)
        else:
            self.status_changed.emit()

    def choose(self, index):
        """Makes another model the current one; numbers beyond the last start again."""
        if self.models:
            self.index = index % len(self.models)
            self.selected = None
            self.model_changed.emit()
            self.selection_changed.emit()

    def update(self, model=None):
        """Takes over new frames of a model (the current one)."""
        model = model or self.model
        first = model.scene is None
        shown = model.scene and model.scene.state
        if not model.update() or model is not self.model:
            return
        if first:
            self.model_changed.emit()
            return
        self.times_changed.emit()
        if model.scene.state is not shown:
            self.frame_shown.emit()

    def _look_for_frames(self):
        if self.model.live:
            return
        try:
            self.update()
        except (OSError, ValueError) as error:
            self.said.emit(str(error))
            self._take_other_run()

    def _take_other_run(self):
        """The results were written anew: they are a model of their own, drawn as the one before."""
        try:
            model = Model.of_results(self.model.name)
        except (OSError, ValueError, KeyError):  # it has not got that far yet
            return
        model.settings, model.points = self.settings, self.model.points
        self.models[self.index] = model
        self.choose(self.index)

    # Frames

    def show(self, number):
        """Shows a frame; numbers before the first and after the last one are these."""
        if self.scene:
            self.scene.frame(int(np.clip(number, 0, len(self.model.times) - 1)))
            self.frame_shown.emit()

    def step(self, count):
        self.show(self.model.number + count)

    def show_time(self, time):
        """Shows the last frame not after a time."""
        if self.scene:
            self.show(frame_at(self.model.times, time))

    # Selection

    def select(self, selected):
        """None, ('body', identifier), ('contact', key) or ('joint', key)."""
        if selected != self.selected:
            self.selected = selected
            self.selection_changed.emit()

    @property
    def selected_body(self):
        return self.selected[1] if self.selected and self.selected[0] == 'body' else None

    def selected_figures(self):
        """figures.BodyFigures, ConstraintFigures or ModelFigures; None without a scene."""
        if not self.scene:
            return None
        if not self.selected:
            return figures.ModelFigures(self.scene)
        kind, which = self.selected
        if kind == 'body':
            return figures.BodyFigures(self.scene, which)
        return figures.ConstraintFigures(self.scene, kind, which)

    def select_row(self, kind, row):
        """A contact or joint by its row in their ContactTable."""
        key = figures.constraint_table(self.scene, kind).key[row]
        self.select((kind, tuple(int(k) for k in key)))

    def select_largest_force(self):
        """The contact that carries most; without contacts the joint."""
        if not self.scene:
            return
        for kind in ('contact', 'joint'):
            size = figures.constraint_table(self.scene, kind).size
            if len(size):
                self.select_row(kind, int(size.argmax()))
                return
        self.said.emit('there are no contacts in this frame')

    # How it is drawn

    def change(self, **values):
        """Changes settings; what is wrong is told, and nothing changes."""
        try:
            settings = self.settings.changed(**values)
        except ValueError as error:
            self.said.emit(str(error))
            settings = self.settings
        self.use(settings)

    def use(self, settings):
        """Takes other settings; what cannot be drawn is told, and the ones before stay."""
        before, self.model.settings = self.model.settings, settings
        try:
            self.check(settings)
        except ValueError as error:
            self.model.settings = before
            self.said.emit(str(error))
        self.settings_changed.emit()

    def check(self, settings):
        """ValueError for what the model does not have."""
        if self.scene:
            select(self.scene, [*settings.only, *settings.hidden, *settings.transparent])
            if settings.colour != 'plain':
                self.scene.field(settings.colour)

    def set_text(self, name, text, on):
        """Adds or removes a text of 'hidden', 'transparent' or 'only'."""
        texts = [other for other in getattr(self.settings, name) if other != text]
        self.change(**{name: [*texts, text] if on else texts})

    def toggle_text(self, name, text):
        self.set_text(name, text, text not in getattr(self.settings, name))

    def add_text(self, name, text):
        if text.strip():
            self.set_text(name, text.strip(), True)

    def show_all(self):
        self.change(hidden=[], transparent=[], only=[])

    def set_parallel(self, parallel):
        """Parallel rays or perspective, with as much in view."""
        camera = self.settings.camera
        if camera.parallel == parallel:
            return
        if camera.position is None:
            self.change(camera=dataclasses.replace(camera, parallel=parallel))
            return
        half = np.tan(np.radians(camera.view_angle / 2))
        position, focus = np.array(camera.position), np.array(camera.focal_point)
        away = np.linalg.norm(position - focus)
        if parallel:
            values = {'parallel_scale': float(away * half)}
        else:
            position = focus + (position - focus) / away * camera.parallel_scale / half
            values = {'position': tuple(position.tolist())}
        self.change(camera=dataclasses.replace(camera, parallel=parallel, **values))

    def view_direction(self):
        """Unit vector along the line of sight."""
        camera = self.settings.camera
        towards = np.array(camera.towards)
        if camera.position is not None:
            towards = np.array(camera.focal_point) - camera.position
        return towards / np.linalg.norm(towards)

    def needs_stress(self):
        """Whether something that is shown needs the stress at nodes."""
        return self.settings.colour in STRESS_FIELDS or self.selected_body is not None

    def save_camera(self, path):
        """Writes where the model is seen from as JSON (view_settings.load_camera reads it)."""
        write_json(path, dataclasses.asdict(self.settings.camera))
