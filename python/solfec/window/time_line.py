"""The time line, always in view: play, steps, times, speed; of a simulation also run, pause, steps and figures."""

from PyQt5.QtCore import Qt, pyqtSignal
from PyQt5.QtGui import QDoubleValidator
from PyQt5.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QSlider, QToolButton, QVBoxLayout, QWidget

SPEEDS = ('0.001', '0.01', '0.1', '1', '10')


class TimeLine(QWidget):
    """Of the current model of a session.

    actions  QActions by their names (actions.py)
    """
    run_to_wanted = pyqtSignal(float)  # a time was typed to which to run

    def __init__(self, session, player, actions):
        super().__init__()
        self.session, self.player = session, player
        self.slider = QSlider(Qt.Horizontal, toolTip='frames')
        self.time = _number_edit('time [s]: type another one to go there')
        self.frame = QLabel(toolTip='frame, and how many there are')
        self.speed = QComboBox(editable=True, toolTip='seconds of the model in a second: type any')
        self.speed.addItems(SPEEDS)
        self.speed.setFixedWidth(8 + self.fontMetrics().horizontalAdvance('0.0000') + 30)
        self.speed.lineEdit().setValidator(QDoubleValidator(1E-12, 1E12, 12))
        self.run_to = _number_edit('run until this time [s]')
        self.status = QLabel(textInteractionFlags=Qt.TextSelectableByMouse)
        self.status.setMinimumWidth(10)
        self._lay_out(actions)
        self.slider.valueChanged.connect(self._slid)
        self.time.returnPressed.connect(self._typed_time)
        self.run_to.returnPressed.connect(self._typed_run_to)
        self.speed.lineEdit().returnPressed.connect(self._typed_speed)
        self.speed.activated.connect(self._typed_speed)
        player.changed.connect(self._show_player)
        for signal in (session.model_changed, session.times_changed, session.frame_shown):
            signal.connect(self._show_frame)
        for signal in (session.model_changed, session.status_changed):
            signal.connect(self._show_status)
        self._show_status()

    def _lay_out(self, actions):
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 2, 6, 2)
        column.setSpacing(2)
        self.run_row = QWidget()
        row = QHBoxLayout(self.run_row)
        row.setContentsMargins(0, 0, 0, 0)
        for name in ('run', 'single step'):
            row.addWidget(_button(actions[name], Qt.ToolButtonTextOnly))
        row.addWidget(QLabel('run to'))
        row.addWidget(self.run_to)
        row.addWidget(QLabel('s'))
        row.addStretch(1)
        column.addWidget(self.status)
        column.addWidget(self.run_row)
        row = QHBoxLayout()
        row.setSpacing(3)
        for name in ('first', 'back', 'play', 'forward', 'last'):
            row.addWidget(_button(actions[name]))
        row.addWidget(self.slider, 1)
        for widgets in ((QLabel('t'), self.time, QLabel('s')), (self.frame,), (QLabel('speed'), self.speed)):
            row.addSpacing(5)
            for widget in widgets:
                row.addWidget(widget)
        column.addLayout(row)

    def _slid(self, number):
        if number != self.session.model.number:
            self.session.show(number)

    def _typed_time(self):
        self.session.show_time(float(self.time.text()))
        self._leave()

    def ask(self, edit):
        """Gives the keyboard to a field."""
        if edit.isVisible():
            edit.setFocus()
            edit.selectAll()

    def _typed_run_to(self):
        self.run_to_wanted.emit(float(self.run_to.text()))
        self._leave()

    def _typed_speed(self):
        text = self.speed.currentText()
        if self.speed.lineEdit().hasAcceptableInput():
            self.player.set_speed(float(text))
        self._leave()

    def _leave(self):
        """Back to the picture, so that keys are commands again."""
        self.session.focus_wanted.emit()

    def _show_player(self):
        self.speed.setCurrentText(f'{self.player.speed:.6g}')

    def _show_frame(self):
        model = self.session.model
        last = max(0, len(model.times) - 1)
        self.slider.blockSignals(True)
        self.slider.setRange(0, last)
        self.slider.setPageStep(max(1, last // 20))
        self.slider.setValue(model.number)
        self.slider.blockSignals(False)
        self.frame.setText(f'{model.number + 1} / {last + 1}' if len(model.times) else 'no frames')
        if not self.time.hasFocus():
            self.time.setText(f'{model.scene.time:.6g}' if model.scene else '')

    def _show_status(self):
        model = self.session.model
        for widget in (self.run_row, self.status):
            widget.setVisible(model.live)
        text = status_text(model.status)
        self.status.setText(text)
        self.status.setToolTip(text)


def status_text(status):
    """One line on a simulation: what it does, how far it is, how fast."""
    parts = [status.get('state', 'waiting')]
    if 'time' in status:
        end = f' of {status["end"]:.6g}' if status.get('end') is not None else ''
        parts.append(f't = {status["time"]:.6g}{end} s')
    for name, text in (('steps', 'step {:d}'), ('steps_per_second', '{:.3g} steps/s'),
                       ('real_time_factor', '{:.3g} x real time'), ('contacts', '{:d} contacts'),
                       ('bodies', '{:d} bodies'), ('iterations', '{:d} iterations'), ('merit', 'merit {:.2g}'),
                       ('message', '{}')):
        if status.get(name) not in (None, ''):
            parts.append(text.format(status[name]))
    return ', '.join(parts)


def _button(action, style=Qt.ToolButtonIconOnly):
    button = QToolButton(autoRaise=True, focusPolicy=Qt.NoFocus)
    button.setDefaultAction(action)
    button.setToolButtonStyle(style)
    return button


def _number_edit(tip):
    edit = QLineEdit(toolTip=tip)
    edit.setValidator(QDoubleValidator())
    edit.setFixedWidth(edit.fontMetrics().horizontalAdvance('0.00000') + 14)
    return edit
