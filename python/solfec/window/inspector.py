"""Panel: figures of what is selected, bodies in contact with it, and a plot of its history."""

from PyQt5.QtCore import Qt, QTimer
from PyQt5.QtWidgets import (QAbstractItemView, QComboBox, QHBoxLayout, QHeaderView, QLabel, QSplitter, QTableWidget,
                             QTableWidgetItem, QVBoxLayout, QWidget)

from solfec.results import SPACE
from solfec.window.history import History
from solfec.window.plot import Plot

FOLLOW = 700  # [ms] from new frames to the history of them, which looks through all times for what is not known


class Inspector(QWidget):
    """Follows the selection of a session."""

    def __init__(self, session):
        super().__init__()
        self.session, self.history = session, History()
        self.title = QLabel(wordWrap=True)
        self.title.setStyleSheet('font-weight: bold; padding: 2px')
        self.figures = _table('figure', 'value', 'unit')
        self.neighbours = _table('body', 'label', 'contacts', 'joints', 'force [N]')
        self.neighbours.setToolTip('bodies in contact with it, or joined to it; click: select')
        self.choice, self.plot = QComboBox(), Plot()
        self.choice.setToolTip('what to plot over time')
        self._unit, self._of = '', None
        self._lay_out()
        self._following = QTimer(self, interval=FOLLOW, singleShot=True)
        self._following.timeout.connect(self._follow)
        self.neighbours.cellClicked.connect(self._go_to_neighbour)
        self.choice.activated.connect(self._start_history)
        self.history.grown.connect(self._draw)
        self.plot.chosen.connect(session.show_time)
        session.model_changed.connect(self._select)
        session.selection_changed.connect(self._select)
        session.frame_shown.connect(self._refresh)
        session.times_changed.connect(self._times_changed)

    def _lay_out(self):
        lower = QWidget()
        column = QVBoxLayout(lower)
        column.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.addWidget(QLabel('History of'))
        row.addWidget(self.choice, 1)
        column.addLayout(row)
        column.addWidget(self.plot, 1)
        self.splitter = QSplitter(Qt.Vertical)
        for widget, share in ((self.figures, 5), (self.neighbours, 2), (lower, 4)):
            self.splitter.addWidget(widget)
            self.splitter.setStretchFactor(self.splitter.count() - 1, share)
        self.splitter.setSizes([300, 120, 240])
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addWidget(self.title)
        column.addWidget(self.splitter, 1)

    def choose_history(self, name):
        """Plots another figure, when there is one of that name."""
        row = self.choice.findText(name)
        if row >= 0:
            self.choice.setCurrentIndex(row)
            self._start_history()

    def showEvent(self, event):
        self._select()

    def _select(self):
        """Shows something else than before."""
        if not self.isVisible():
            self.history.clear()
            return
        self._refresh()
        if self._of:
            names, chosen = self._of.histories(), self.choice.currentText()
            self.choice.clear()
            self.choice.addItems(names)
            self.choice.setCurrentIndex(max(0, self.choice.findText(chosen)))
        self._start_history()

    def _refresh(self):
        """The same, in another frame."""
        if not self.isVisible():
            return
        self._of = of = self.session.selected_figures()
        self.title.setText(of.title if of else 'nothing yet')
        _fill(self.figures, of.rows() if of else [])
        rows = of.neighbours() if of else []
        _fill(self.neighbours, [('space' if id == SPACE else str(id), label, str(contacts), str(joints), f'{force:.4g}')
                                for id, label, contacts, joints, force in rows])
        self._neighbour_ids = [row[0] for row in rows]
        self.neighbours.setVisible(bool(self.session.selected))
        self.plot.set_now(self.session.scene.time if self.session.scene else None)

    def _times_changed(self):
        if not self._following.isActive():
            self._following.start()

    def _start_history(self):
        self._take_history(self.history.start)

    def _follow(self):
        self._take_history(self.history.go_on)

    def _take_history(self, take):
        if not self._of or not self.isVisible():
            return
        value, self._unit = self._of.history(self.choice.currentText())
        take(self.session.model.times.copy(), value)

    def _draw(self):
        times, values = self.history.curve()
        unit = f' [{self._unit}]' if self._unit else ''
        all = self.session.model.times
        self.plot.set_curve(times, values, self.choice.currentText() + unit, (all[0], all[-1]) if len(all) else (0, 1))

    def _go_to_neighbour(self, row, column):
        id = self._neighbour_ids[row]
        if id in self.session.scene.ids:
            self.session.select(('body', id))


def _table(*names):
    table = QTableWidget(0, len(names))
    table.setHorizontalHeaderLabels(names)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 5)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeToContents)
    table.horizontalHeader().setSectionResizeMode(1, QHeaderView.Stretch)
    table.horizontalHeader().setMinimumSectionSize(20)
    table.setEditTriggers(QAbstractItemView.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectRows)
    table.setAlternatingRowColors(True)
    table.setWordWrap(False)  # else three numbers are cut after the first two, where there is room for more
    table.setFocusPolicy(Qt.ClickFocus)
    return table


def _fill(table, rows):
    """Texts in a table; cells that are there are used again."""
    table.setRowCount(len(rows))
    for i, row in enumerate(rows):
        for j, text in enumerate(row):
            item = table.item(i, j)
            if item is None:
                item = QTableWidgetItem()
                table.setItem(i, j, item)
            if item.text() != text:
                item.setText(text)
                item.setToolTip(text)
