"""Panel: a table of the contacts or joints of the frame, in the order of any column; a click selects one."""

import numpy as np
from PyQt5.QtCore import QAbstractTableModel, QModelIndex, Qt
from PyQt5.QtWidgets import (QAbstractItemView, QComboBox, QHBoxLayout, QHeaderView, QLabel, QTableView, QVBoxLayout,
                             QWidget)

from solfec.results import SPACE
from solfec.window.figures import COLUMNS_OF, constraint_row, constraint_table, number_text

OF_CONTACTS = ('force', 'normal force', 'tangential force', 'state', 'gap', 'slip', 'dissipation', 'area', 'merit')
SHOWN = {'contact': OF_CONTACTS, 'joint': COLUMNS_OF['joint']}


class ContactRows(QAbstractTableModel):
    """Rows of a ContactTable in an order; nothing is made for rows that are not seen."""

    def __init__(self):
        super().__init__()
        self.headers, self.columns, self.categories = (), [], []
        self.order = np.zeros(0, dtype=int)
        self.sorted_by = (2, Qt.DescendingOrder)  # the largest force first

    def show(self, table, names):
        """Columns of a ContactTable by their names, after the bodies."""
        self.beginResetModel()
        found = [table.values(name) for name in names]
        units = [f' [{unit}]' if unit else '' for values, unit, categories in found]
        self.headers = ('body', 'body', *(name + unit for name, unit in zip(names, units)))
        if self.sorted_by[0] >= len(self.headers):
            self.sorted_by = 2, Qt.DescendingOrder
        self.columns = [table.ids[:, 0], table.ids[:, 1], *(values for values, unit, names in found)]
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
        return len(self.headers)

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        if role == Qt.DisplayRole and orientation == Qt.Horizontal:
            return self.headers[section]
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
        self.kind = QComboBox(toolTip='what the table lists')
        for kind in SHOWN:
            self.kind.addItem(kind + 's', kind)
        self._chosen = None  # by the user
        self.view = QTableView(sortingEnabled=True, alternatingRowColors=True)
        self.view.setModel(self.rows)
        self.view.sortByColumn(*self.rows.sorted_by)
        self.view.setSelectionBehavior(QAbstractItemView.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SingleSelection)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setSectionResizeMode(QHeaderView.Fixed)
        self.view.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 5)
        self.view.setToolTip('click on a row: select the contact or joint; on a header: sort')
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        row = QHBoxLayout()
        row.addWidget(self.title, 1)
        row.addWidget(self.kind)
        column.addLayout(row)
        column.addWidget(self.view, 1)
        self.view.clicked.connect(
            lambda index: session.select_row(self.kind.currentData(), int(self.rows.order[index.row()])))
        self.kind.activated.connect(self._choose)
        for signal in (session.model_changed, session.frame_shown):
            signal.connect(self._refresh)
        session.selection_changed.connect(self._mark)
        self.rows.layoutChanged.connect(self._mark)  # rows are in another order

    def showEvent(self, event):
        if self._stale:
            self._refresh()

    def _choose(self):
        self._chosen = self.kind.currentData()
        self._refresh()

    def _refresh(self):
        self._stale = not self.isVisible()
        scene = self.session.scene
        if self._stale or not scene:
            return
        joints = len(scene.joints) > 0
        self.kind.setVisible(joints)
        only_joints = joints and not len(scene.contacts)
        kind = (self._chosen or ('joint' if only_joints else 'contact')) if joints else 'contact'
        self.kind.setCurrentIndex(self.kind.findData(kind))
        table = constraint_table(scene, kind)
        self.rows.show(table, SHOWN[kind])
        if self.view.horizontalHeader().sortIndicatorSection() != self.rows.sorted_by[0]:
            self.view.sortByColumn(*self.rows.sorted_by)
        self.title.setText(f'{len(table)} {kind}' + 's' * (len(table) != 1))
        self.view.resizeColumnsToContents()
        self._mark()

    def _mark(self):
        """Shows the row of what is selected, if it is in the table."""
        self.view.clearSelection()
        selected, kind = self.session.selected, self.kind.currentData()
        if not self.isVisible() or not selected or selected[0] != kind:
            return
        row = constraint_row(constraint_table(self.session.scene, kind), selected[1])
        if row >= 0:
            self.view.selectRow(int(np.flatnonzero(self.rows.order == row)[0]))
