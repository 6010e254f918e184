"""The main window: picture, time line, panels, menus."""

import os
import sys
import traceback

import numpy as np
from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import (QDockWidget, QFileDialog, QLabel, QMainWindow, QMessageBox, QTabWidget, QTextBrowser,
                             QVBoxLayout, QWidget)

from solfec.picture import write_png
from solfec.rendering import MissingGraphics
from solfec.view_settings import load_camera
from solfec.window import actions, state
from solfec.window.console import Console
from solfec.window.contact_list import ContactList
from solfec.window.film import write_film
from solfec.window.inspector import Inspector
from solfec.window.look_panel import LookPanel
from solfec.window.model import Model, first_settings
from solfec.window.player import Player
from solfec.window.show_panel import ShowPanel
from solfec.window.time_line import TimeLine
from solfec.window.view import View

PANEL_WIDTH = 360
IMAGES = 'Pictures (*.png)'
FILMS = 'Films (*.mp4)'
SETTINGS = 'Settings (*.json)'


class MainWindow(QMainWindow):
    """A window on a session.

    simulations  simulations.Simulations with --feed, else None
    """

    def __init__(self, session, simulations=None):
        super().__init__()
        self.session, self.simulations = session, simulations
        self._known_states = set()  # models whose state has been taken from its file
        self.player = Player(session)
        self.view = View(session)
        self.actions_by_name = actions.make(self)
        self.time_line = TimeLine(session, self.player, self.actions_by_name)
        central = QWidget()
        column = QVBoxLayout(central)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        column.addWidget(self.time_line)
        self.setCentralWidget(central)
        self._make_panels()
        self._make_output()
        self.place = QLabel()
        self.place.setMinimumWidth(10)
        self.statusBar().addPermanentWidget(self.place)
        self.statusBar().setSizeGripEnabled(False)
        self.time_line.run_to_wanted.connect(lambda time: self.command('run_to', time))
        self.player.changed.connect(lambda: self.view.hurry(self.player.playing))
        session.said.connect(lambda text: self.statusBar().showMessage(text, 15000))
        session.focus_wanted.connect(self.view.setFocus)
        session.model_changed.connect(self._take_model)
        session.selection_changed.connect(self._selection_changed)
        for signal in (session.model_changed, session.frame_shown, session.settings_changed, session.status_changed,
                       session.selection_changed, self.player.changed):
            signal.connect(self._refresh)
        if simulations:
            simulations.printed.connect(self._printed)
            simulations.ended.connect(self._script_ended)
            simulations.lost.connect(lambda: self._printed('the program has ended unexpectedly\n', True))
        self.setWindowTitle('Solfec')
        self.view.setFocus()

    def _make_panels(self):
        session = self.session
        self.look_panel, self.show_panel = LookPanel(session), ShowPanel(session)
        self.inspector, self.contact_list = Inspector(session), ContactList(session)
        self.tabs = QTabWidget()
        for widget, title in ((self.look_panel, 'Look'), (self.show_panel, 'Show'), (self.inspector, 'Inspect'),
                              (self.contact_list, 'Contacts')):
            self.tabs.addTab(widget, title)
        self.panels = QDockWidget()
        self.panels.setTitleBarWidget(QWidget())
        self.panels.setFeatures(QDockWidget.NoDockWidgetFeatures)
        self.panels.setWidget(self.tabs)
        self.addDockWidget(Qt.RightDockWidgetArea, self.panels)

    def _make_output(self):
        self.console = Console()
        self.output = QDockWidget('Output')
        self.output.setFeatures(QDockWidget.DockWidgetClosable)
        self.output.setWidget(self.console)
        self.addDockWidget(Qt.BottomDockWidgetArea, self.output)
        self.output.hide()

    def open_at(self, width, height):
        """Shows the window with a size in pixels."""
        if width < self.minimumSizeHint().width():
            self.panels.hide()
        self.resize(width, height)
        self.resizeDocks([self.panels], [min(PANEL_WIDTH, int(0.4 * width))], Qt.Horizontal)
        self.show()

    # Following the session

    def _take_model(self):
        """Takes up the state in which the model was left."""
        model = self.session.model
        if model.scene is not None and id(model) not in self._known_states:
            self._known_states.add(id(model))
            path = state.automatic_path(model.name)
            if os.path.exists(path):
                try:
                    self.set_state(state.load(path))
                except (OSError, ValueError) as error:
                    self.session.said.emit(str(error))
        self.session.settings_changed.emit()

    def _selection_changed(self):
        if self.session.selected and self.tabs.currentWidget() is not self.contact_list:
            self.open_panel('Inspect')

    def _refresh(self):
        session, model = self.session, self.session.model
        count = len(session.models)
        self.setWindowTitle(f'{model.title} - Solfec' if model.name else 'Solfec')
        parts = [f'{model.title} ({session.index + 1} of {count}, < and >)' if count > 1 else model.title]
        if model.scene:
            parts.append(counts(model.scene))
        if self.player.playing:
            parts.append(f'{self.player.rate:.0f} frames/s')
        self.place.setText('   '.join(parts))
        actions.refresh(self)

    # Actions (actions.py)

    def show_frame(self, number):
        self.player.stop()
        self.session.show(number)

    def step_frames(self, count):
        self.player.stop()
        self.session.step(count)

    def next_model(self, step):
        self.save_automatically()
        self.session.choose(self.session.index + step)

    def next_field(self, step):
        if self.session.scene:
            names = ['plain', *self.session.scene.fields()]
            at = names.index(self.session.settings.colour) if self.session.settings.colour in names else 0
            self.session.change(colour=names[(at + step) % len(names)])
            self.session.said.emit('coloured by ' + self.session.settings.colour)

    def open_panel(self, title):
        self.panels.show()
        self.tabs.setCurrentIndex([self.tabs.tabText(k) for k in range(self.tabs.count())].index(title))

    def toggle_panels(self):
        self.panels.setVisible(not self.panels.isVisible())

    def toggle_output(self):
        self.output.setVisible(not self.output.isVisible())
        self.resizeDocks([self.output], [self.height() // 5], Qt.Vertical)

    def toggle_full_screen(self):
        self.showNormal() if self.isFullScreen() else self.showFullScreen()

    def show_keys(self):
        """The page of keys, in a window of its own."""
        self.keys = QTextBrowser()
        self.keys.setWindowTitle('Keys - Solfec')
        self.keys.setHtml(actions.page_of_keys())
        self.keys.resize(620, 700)
        self.keys.show()

    # Simulations

    def command(self, name, *arguments):
        if self.simulations and self.session.model.live:
            self.simulations.command(name, *arguments)
        else:
            self.session.said.emit('these are results: there is nothing to run')

    def run_or_pause(self):
        self.command('pause' if self.session.model.status.get('state') == 'running' else 'run')

    def open_results_of_run(self):
        """What the run has written so far, as a further model."""
        try:
            self.session.add(Model.of_results(self.session.model.name))
        except (OSError, ValueError) as error:
            self.session.said.emit(str(error))
        else:
            self.session.choose(len(self.session.models) - 1)

    def _printed(self, text, is_error):
        self.console.write(text, is_error)
        if is_error and not self.output.isVisible():
            self.toggle_output()

    def _script_ended(self, code):
        said = f'the script has ended with code {code}'
        self._printed(said + '\n', code != 0)
        if not self.session.models:  # it has made none
            self.session.model.status = {'state': said}
            self.session.status_changed.emit()

    def show_error(self, kind, error, trace):
        """An error of the window itself: it is shown, and the window goes on (as sys.excepthook)."""
        text = ''.join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(text)
        self._printed('an error in the window itself:\n' + text, True)

    # Files

    def _ask(self, title, kind, ending):
        """A path to write to, or None."""
        path, _ = QFileDialog.getSaveFileName(self, title, self.session.model.title + ending, kind)
        return path if not path or os.path.splitext(path)[1] else path + ending

    def _ask_open(self, title, kind):
        return QFileDialog.getOpenFileName(self, title, '', kind)[0]

    def _attempt(self, what, *arguments):
        """Calls a function; an error is told. Returns whether there was none."""
        try:
            what(*arguments)
        except (OSError, ValueError, MissingGraphics) as error:
            QMessageBox.warning(self, 'Solfec', str(error))
            return False
        return True

    def save_picture(self):
        path = self.session.scene and self._ask('Save picture', IMAGES, '.png')
        if path and self._attempt(self.write_picture, path):
            self.session.said.emit(f'{path} is saved')

    def write_picture(self, path):
        """Writes what is seen as a png file."""
        self.view.draw()
        write_png(path, self.view.drawing.image())

    def save_film(self):
        path = self.session.scene and self._ask('Save film', FILMS, '.mp4')
        if path:
            self.player.stop()
            self._attempt(self.write_film, path)

    def write_film(self, path):
        """Writes a film of all frames as they are seen."""
        length = write_film(self, path)
        self.session.said.emit('the film has been stopped' if length is None else f'{path} is saved: {length:.3g} s')

    def save_camera(self):
        path = self.session.scene and self._ask('Save camera', SETTINGS, '-camera.json')
        if path and self._attempt(self.session.save_camera, path):
            self.session.said.emit(f'{path} is saved')

    def load_camera(self):
        path = self._ask_open('Load camera', SETTINGS)
        if path:
            self._attempt(lambda: self.session.change(camera=load_camera(path)))

    def save_state(self):
        path = self._ask('Save state', SETTINGS, '-state.json')
        if path and self._attempt(state.save, path, self.state()):
            self.session.said.emit(f'{path} is saved')

    def load_state(self):
        path = self._ask_open('Load state', SETTINGS)
        if path:
            self._attempt(lambda: self.set_state(state.load(path)))

    def reset_state(self):
        self.session.use(first_settings())
        self.session.select(None)
        path = state.automatic_path(self.session.model.name)
        if os.path.exists(path):
            self._attempt(os.remove, path)

    def state(self):
        """How all is shown, in plain numbers, texts and lists."""
        session = self.session
        selected = session.selected
        if selected:
            selected = [selected[0], selected[1] if selected[0] == 'body' else list(selected[1])]
        return {'settings': session.settings.to_dict(), 'time': session.scene.time if session.scene else 0.0,
                'speed': self.player.speed, 'repeat': self.player.repeat, 'selected': selected,
                'panel': self.tabs.tabText(self.tabs.currentIndex()) if self.panels.isVisible() else None,
                'history': self.inspector.choice.currentText(), 'size': [self.width(), self.height()]}

    def set_state(self, given):
        """Takes up what state() has told; parts may be missing."""
        session, panel = self.session, given.get('panel', 'Look')
        session.use(given['settings'])
        if 'time' in given and not session.model.live:
            session.show_time(given['time'])
        self.player.set_speed(given.get('speed', self.player.speed))
        self.player.repeat = given.get('repeat', False)
        selected = given.get('selected')
        if selected:
            session.select((selected[0], selected[1] if selected[0] == 'body' else tuple(selected[1])))
        if panel in (None, *(self.tabs.tabText(k) for k in range(self.tabs.count()))):
            self.open_panel(panel) if panel else self.panels.hide()
        self.inspector.choose_history(given.get('history', ''))

    def save_automatically(self):
        """So that the model opens again as it is."""
        if self.session.scene:
            try:
                state.save(state.automatic_path(self.session.model.name), self.state())
            except OSError as error:
                self.session.said.emit(f'the state of the window is not saved: {error}')

    def closeEvent(self, event):
        self.save_automatically()
        if self.simulations:
            self.simulations.quit()
        self.view.close()
        if hasattr(self, 'keys'):
            self.keys.close()
        super().closeEvent(event)


def counts(scene):
    """'2 bodies, 1 contact'; joints too if there are any."""
    kinds = scene.state.constraints['kind']
    joints = np.count_nonzero(kinds)
    numbers = [(len(scene.ids), 'body', 'bodies'), (len(kinds) - joints, 'contact', 'contacts')]
    numbers += [(joints, 'joint', 'joints')] * (joints > 0)
    return ', '.join(f'{number} {one if number == 1 else many}' for number, one, many in numbers)
