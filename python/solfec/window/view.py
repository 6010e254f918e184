"""The picture of the current model: draws it, turns it with the mouse, picks with a click."""

import dataclasses

import numpy as np
from PyQt5.QtCore import Qt, QTimer
from vtkmodules.qt.QVTKRenderWindowInteractor import QVTKRenderWindowInteractor
from vtkmodules.vtkInteractionStyle import vtkInteractorStyleTrackballCamera

from solfec.rendering import Drawing
from solfec.window.display_points import DisplayPoints
from solfec.window.figures import constraint_row, constraint_table
from solfec.window.run_range import RunRange

CLICK = 4       # [pixels] that a click may move
UNDO = 100      # cameras that are remembered
REST = 400      # [ms] without the wheel after which a camera is remembered


class View(QVTKRenderWindowInteractor):
    """Follows a session.

    undoable, undone  cameras to go back to, and on to
    hurries           pictures follow one another: speed counts more than smooth edges
    """

    def __init__(self, session):
        super().__init__()
        self.session, self.drawing, self.points = session, None, None
        self.undoable, self.undone = [], []
        self._legend, self.hurries = None, False
        self._pressed, self._pending = None, False
        self._drawn_size = None  # [pixels] of the last picture
        self.run_range = RunRange(session)
        self.run_range.grown.connect(self.draw_soon)
        self.setFocusPolicy(Qt.StrongFocus)
        self.setMinimumSize(200, 150)
        self._window = self.GetRenderWindow()
        self._window.SetMultiSamples(0)  # depth peeling fails with more
        self.SetInteractorStyle(vtkInteractorStyleTrackballCamera())
        self._wheel = QTimer(self, interval=REST, singleShot=True)
        self._wheel.timeout.connect(self._camera_moved)
        session.model_changed.connect(self._take_model)
        session.frame_shown.connect(self.draw)
        session.settings_changed.connect(self.draw_soon)
        session.selection_changed.connect(self.draw_soon)

    def sizeHint(self):
        return self.minimumSize()

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if self.drawing and self.session.settings.camera.position is None:
            self.drawing.reset_camera()  # who has not moved it sees all

    # Drawing

    def paintEvent(self, event):
        """Shows the last picture again; draws only when that has another size."""
        if self._drawn_size == self._window.GetSize():
            self._window.Frame()
        else:
            super().paintEvent(event)

    def _take_model(self):
        if self.drawing:
            self._window.MakeCurrent()  # what it has in the graphics memory is freed
            for renderer in (self.drawing.renderer, self.drawing.over):
                self._window.RemoveRenderer(renderer)
            self.drawing = self.points = self._drawn_size = None
        self._wheel.stop()
        self.undoable, self.undone = [], []
        self.draw_soon()

    def draw(self):
        """Draws the frame that the session shows, now."""
        self._pending = False
        if self.session.scene is None:
            return
        try:
            self._update()
        except ValueError as error:  # what an earlier frame had and this one has not
            self.session.said.emit(str(error))
            return
        self.drawing.set_draft(self.hurries)
        self.drawing.render()
        self._drawn_size = self._window.GetSize()
        self.session.drawn.emit()

    def _update(self):
        session, settings = self.session, self.session.settings
        if self.drawing is None:
            self.drawing = Drawing(session.scene, settings, self._window, find_extremes=self.run_range.extremes)
            self.points = DisplayPoints(self.drawing.over)
        self.drawing.scene, self.drawing.settings = session.scene, settings
        self.drawing.update()
        legend = (settings.legend, settings.colour == 'plain', settings.forces, settings.contacts, settings.vectors,
                  settings.undeformed, settings.joints)
        if legend != self._legend and settings.camera.position is None:
            self.drawing.reset_camera()  # beside the legend
        self._legend = legend
        self.drawing.highlight(*self._marks())
        self.points.show(session.scene, session.model.points)
        scale = self.drawing.colours.scale
        session.range = (scale.low, scale.high) if scale else None

    def _marks(self):
        """Numbers of bodies and of contacts that are marked; of a joint its bodies."""
        scene, selected = self.session.scene, self.session.selected
        if not selected:
            return (), ()
        if selected[0] == 'body':
            return np.flatnonzero(scene.ids == selected[1]), ()
        kind, key = selected
        row = constraint_row(constraint_table(scene, kind), key)
        if row < 0:
            return (), ()
        return (np.flatnonzero(np.isin(scene.ids, key[:2])), ()) if kind == 'joint' else ((), (row,))

    def draw_soon(self):
        """Draws when the present events are through."""
        if not self._pending:
            self._pending = True
            QTimer.singleShot(0, lambda: self._pending and self.draw())

    def hurry(self, hurries):
        """Whether speed counts now; when not any more the picture is drawn again."""
        if hurries != self.hurries:
            self.hurries = hurries
            if self.drawing:
                self.drawing.set_draft(hurries)
            if not hurries:
                self.draw_soon()

    # Camera

    def _remember(self):
        self.undoable.append(self.drawing.camera())
        del self.undoable[:-UNDO]
        self.undone = []

    def _use_camera(self, camera):
        self.session.change(camera=camera)

    def look(self, x, y, z):
        """All of the model, seen along a direction."""
        if self.drawing:
            self._remember()
            camera = self.session.settings.camera
            self._use_camera(type(camera)(towards=(x, y, z), parallel=camera.parallel, view_angle=camera.view_angle))

    def fit(self):
        """All of the model, seen as now."""
        if self.drawing:
            self._remember()
            camera = self.drawing.camera()
            self._use_camera(dataclasses.replace(camera, position=None, focal_point=None, parallel_scale=None))

    def undo_camera(self):
        self._swap(self.undoable, self.undone)

    def redo_camera(self):
        self._swap(self.undone, self.undoable)

    def _swap(self, cameras, others):
        if not self.drawing or not cameras:
            self.session.said.emit('there is no other camera')
            return
        others.append(self.drawing.camera())
        self._use_camera(cameras.pop())

    def zoom_to_selection(self):
        """The selected body or contact in the middle, three times as high as it is."""
        place = self._selected_place()
        if place is None:
            self.session.said.emit('first select a body, a contact or a joint with a click')
            return
        self._remember()
        middle, size = place
        camera = self.drawing.camera()
        towards = self.session.view_direction()
        half = np.tan(np.radians(camera.view_angle / 2))
        away = 1.5 * size / half
        if camera.parallel:
            away = np.linalg.norm(np.subtract(camera.position, camera.focal_point))
        self._use_camera(dataclasses.replace(camera, focal_point=tuple(middle), position=tuple(middle - away * towards),
                                             parallel_scale=1.5 * size))

    def _selected_place(self):
        """Middle and size of the selection, or None."""
        scene, selected = self.session.scene, self.session.selected
        if not selected:
            return None
        if selected[0] == 'body':
            bodies = scene.ids == selected[1]
        else:
            table = constraint_table(scene, selected[0])
            row = constraint_row(table, selected[1])
            if row < 0:
                return None
            bodies = np.isin(scene.ids, table.ids[row])
        if not bodies.any():
            return None
        low, high = scene.bounds(bodies)
        if selected[0] != 'body':  # the smaller of its bodies tells how near to go
            sizes = [np.ptp(scene.bounds(scene.ids == id), axis=0).max() for id in scene.ids[bodies]]
            return table.point[row], min(sizes)
        return 0.5 * (low + high), float(np.linalg.norm(high - low))

    def select_largest_value(self):
        """The body that has the upper end of the colour bar, of each frame."""
        colours = self.drawing and self.drawing.colours
        if not colours or colours.scale is None:
            self.session.said.emit('first choose a field of numbers in the panel Look')
            return
        body = colours.field.body_of_largest(colours.uncounted)
        self.session.select(None if body is None else ('body', int(self.session.scene.ids[body])))

    # Mouse and keys

    def mousePressEvent(self, event):
        self._pressed, self._before = event.pos(), self.drawing.camera() if self.drawing else None
        self.hurry(True)
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event):
        super().mouseReleaseEvent(event)
        self.hurry(False)
        if not self.drawing or self._pressed is None:
            return
        moved = (event.pos() - self._pressed).manhattanLength()
        if moved > CLICK:
            self._camera_moved()
        elif event.button() == Qt.LeftButton:
            self.pick(event.x(), event.y())
        self._pressed = None

    def wheelEvent(self, event):
        if not self.drawing:
            return
        if not self._wheel.isActive():
            self._before = self.drawing.camera()
        self._wheel.start()
        super().wheelEvent(event)

    def _camera_moved(self):
        """The mouse has moved the camera: the settings know it, and it can be undone."""
        self.undoable.append(self._before)
        self.undone = []
        self.session.model.settings = self.session.settings.changed(camera=self.drawing.camera())
        self.drawing.settings = self.session.settings

    def pick(self, x, y):
        """Selects what is drawn at a point of the widget, in pixels from its upper left corner."""
        ratio = self.devicePixelRatioF()
        height = self._window.GetSize()[1]
        picked = self.drawing.pick(int(x * ratio), height - 1 - int(y * ratio))
        if picked is None:
            self.session.select(None)
        elif picked[0] == 'body':
            self.session.select(('body', int(self.session.scene.ids[picked[1]])))
        else:
            self.session.select_row(*picked)

    def keyPressEvent(self, event):
        event.ignore()  # keys are actions of the window; VTK would have others

    def keyReleaseEvent(self, event):
        event.ignore()
