"""Panel: a table of the contacts of the frame, in the order of any column; a click selects one."""

import numpy as np
from PyQt5.QtCore import QAbstractTableModel, QModelIndex, Qt
from PyQt5.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QTableView, QVBoxLayout, QWidget

from solfec.contact_table import COLUMNS
from solfec.results import SPACE
from solfec.window.figures import contact_row, number_text

SHOWN = ('force', 'normal force', 'tangential force', 'state', 'gap', 'slip', 'dissipation', 'area', 'merit')


class ContactRows(QAbstractTableModel):
    """Rows of a ContactTable in an order; nothing is made for rows that are not seen."""
    HEADERS = ('body', 'body', *(f'{name} [{COLUMNS[name][1]}]' if COLUMNS[name][1] else name for name in SHOWN))

    def __init__(self):
        super().__init__()
        self.columns, self.categories = [], []
        self.order = np.zeros(0, dtype=int)
        self.sorted_by = (2, Qt.DescendingOrder)  # the largest force first

    def show(self, contacts):
        self.beginResetModel()
        found = [contacts.values(name) for name in SHOWN]
        self.columns = [contacts.ids[:, 0], contacts.ids[:, 1], *(values for values, unit, names in found)]
        self.categories = [None, None, *(names for values, unit, names in found)]
        self._sort()
        self.endResetModel()

    def _sort(self):
        column, direction = self.sorted_by
        self.order = np.argsort(self.columns[column], kind='stable')
        if direction == Qt.DescendingOrder:
            self.order = self.order[::-1]

    def sort(self, column, direction=Qt.AscendingOrder):
        self.sorted_by = column, direction
        if self.columns:
            self.layoutAboutToBeChanged.emit()
            self._sort()
            self.layoutChanged.emit()

    def rowCount(self, parent=QModelIndex()):
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent=QModelIndex()):
        return len(self.HEADERS)

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        if role == Qt.DisplayRole and orientation == Qt.Horizontal:
            return self.HEADERS[section]
        return None

    def data(self, index, role=Qt.DisplayRole):
        if role == Qt.TextAlignmentRole:
            return Qt.AlignRight | Qt.AlignVCenter
        if role != Qt.DisplayRole:
            return None
        value = self.columns[index.column()][self.order[index.row()]]
        names = self.categories[index.column()]
        if names:
            return names[value]
        return 'space' if index.column() < 2 and value == SPACE else number_text(value)


class ContactList(QWidget):
    def __init__(self, session):
        super().__init__()
        self.session, self.rows, self._stale = session, ContactRows(), True
        self.title = QLabel()
        self.view = QTableView(sortingEnabled=True, alternatingRowColors=True)
        self.view.setModel(self.rows)
        self.view.sortByColumn(*self.rows.sorted_by)
        self.view.setSelectionBehavior(QAbstractItemView.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SingleSelection)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setSectionResizeMode(QHeaderView.Fixed)
        self.view.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 5)
        self.view.setToolTip('click on a row: select the contact; on a header: sort')
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addWidget(self.title)
        column.addWidget(self.view, 1)
        self.view.clicked.connect(lambda index: session.select_contact_row(int(self.rows.order[index.row()])))
        for signal in (session.model_changed, session.frame_shown):
            signal.connect(self._refresh)
        session.selection_changed.connect(self._mark)
        self.rows.layoutChanged.connect(self._mark)  # rows are in another order

    def showEvent(self, event):
        if self._stale:
            self._refresh()

    def _refresh(self):
        self._stale = not self.isVisible()
        if self._stale or not self.session.scene:
            return
        contacts = self.session.scene.contacts
        self.rows.show(contacts)
        self.title.setText(f'{len(contacts)} contacts')
        self.view.resizeColumnsToContents()
        self._mark()

    def _mark(self):
        """Shows the row of the selected contact."""
        self.view.clearSelection()
        selected = self.session.selected
        if not self.isVisible() or not selected or selected[0] != 'contact':
            return
        row = contact_row(self.session.scene.contacts, selected[1])
        if row >= 0:
            self.view.selectRow(int(np.flatnonzero(self.rows.order == row)[0]))
